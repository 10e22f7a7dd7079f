"""Changes that are reviewed: of twenty files of ordinary length, and of very many that are short."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.repositories import COMMITTER, FIRST_SECOND, Repo, empty_repository
from benchmarks.world import World

FUNCTION = '''def step_{number}(value: int) -> int:
    """One of many steps."""
    if value > {number}:
        return value - {number}
    return sum(range(value))


'''
FILES_IN_A_FOLDER = 1000
# Kinds of files in turn, so that the change is about many domains and no name is like the one before.
KINDS = (
    "src/{folder}/handler_{number}.py",
    "src/{folder}/model{number}.ts",
    "web/{folder}/page{number}.tsx",
    "tests/{folder}/test_{number}.py",
    "docs/{folder}/part{number}.md",
    "lib/{folder}/Thing{number}.java",
    "data/{folder}/table{number}.json",
    "billing/{folder}/invoice{number}.go",
    "cmd/{folder}/main{number}.go",
    "style/{folder}/look{number}.css",
)


def twenty_files(number: int) -> dict[str, str]:
    """Twelve of Python, three of JSON, two of TOML, three of Markdown, whose content is new in each round."""
    functions = "".join(FUNCTION.format(number=step) for step in range(20))
    places = (*(f"source/module_{name}" for name in "abcdefg"), *(f"tests/check_{name}" for name in "abc"))
    python = (*places, "source/billing/invoice", "source/database/models")
    code = {f"{place}.py": f"ROUND = {number}\n\n\n{functions}" for place in python}
    values = ", ".join(f'"key_{key}": [{key}, "value"]' for key in range(40))
    json = {f"data/table_{name}.json": f'{{"round": {number}, {values}}}\n' for name in "abc"}
    pairs = "\n".join(f'key_{key} = ["{key}", "value"]' for key in range(40))
    toml = {f"data/table_{name}.toml": f"round = {number}\n{pairs}\n" for name in "ab"}
    prose = f"# Round {number}\n\n" + "Some words that a reader may skip.\n" * 40
    return code | json | toml | {f"docs/part_{name}.md": prose for name in "abc"}


def files_of_all_kinds(number: int) -> dict[str, str]:
    """The same with a page, which the sixth reviewer is sent to."""
    page = f"<html><body>\n<h1>Round {number}</h1>\n" + "<p>Some words.</p>\n" * 40 + "</body></html>\n"
    changed = twenty_files(number)
    changed.pop("docs/part_c.md")
    return changed | {"web/pages/start.html": page}


def huge_change(world: World, name: str, files: int) -> Repo:
    """A repository whose last commit changes all of its many files."""
    repo = empty_repository(world, name)
    stream = (*_commit(1, files, ""), *_commit(2, files, "from :1\n"))
    repo.git("fast-import", "--quiet", stdin=b"".join(stream))
    # The index as after a checkout; nothing here reads the files themselves.
    repo.git("read-tree", "HEAD")
    return repo


def _commit(mark: int, files: int, parent: str) -> Iterator[bytes]:
    message = f"Commit {mark}\n"
    head = f"commit refs/heads/main\nmark :{mark}\n{COMMITTER} {FIRST_SECOND + mark} +0000\n"
    yield f"{head}data {len(message)}\n{message}{parent}".encode()
    for number in range(files):
        place = KINDS[number % len(KINDS)].format(folder=f"area{number // FILES_IN_A_FOLDER:03d}", number=number)
        text = f"version {mark} of {number}\n"
        yield f"M 100644 inline {place}\ndata {len(text)}\n{text}\n".encode()
    yield b"\n"
