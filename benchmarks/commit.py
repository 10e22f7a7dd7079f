"""`git commit` of ten staged files of different kinds, hooked in different ways."""

from __future__ import annotations

from functools import partial

from benchmarks import ways
from benchmarks.bench import Bench
from benchmarks.repositories import Repo, published_repository
from benchmarks.results import Comparison, Measured
from benchmarks.timing import Case

HOOK = "pre-commit"
COMMIT = ("git", "commit", "--quiet", "--message", "Change ten files")
NAMES = (ways.BARE, ways.SH, ways.NATIVE, ways.PREK_PYTHON, ways.PRE_COMMIT_PYTHON)
TARGETS = (
    Comparison(ways.NATIVE, ways.PRE_COMMIT_PYTHON, 0.6),
    Comparison(ways.NATIVE, ways.PREK_PYTHON),
    Comparison(ways.NATIVE, ways.BARE),
)
BROKEN_JSON = {"data/settings.json": "{broken\n"}
FUNCTION = '''def step_{number}(value: int) -> int:
    """One of many steps."""
    if value > {number}:
        return value - {number}
    return sum(range(value))


'''


def measure(bench: Bench) -> Measured:
    """Python, JSON, TOML and Markdown: the hook parses what takes long beside its other work, in copies of itself."""
    return _measure(bench, "commit", "git commit, 10 files", with_yaml=False)


def measure_with_yaml(bench: Bench) -> Measured:
    """The same with one YAML file, which needs a third-party parser."""
    return _measure(bench, "commit-yaml", "git commit, 10 files, one of them YAML", with_yaml=True)


def _measure(bench: Bench, name: str, title: str, *, with_yaml: bool) -> Measured:
    found, missing = ways.available(bench, NAMES, HOOK)
    cases = [_case(bench, way, f"{name}-{number}", with_yaml) for number, way in enumerate(found)]
    return Measured(title, bench.time(name, cases), ways.BARE, TARGETS, missing)


def _case(bench: Bench, way: ways.Way, folder: str, with_yaml: bool) -> Case:
    repo = published_repository(bench.world, folder, way.files)
    way.set_up(repo)
    _prove(repo, way)
    return Case(way.name, COMMIT, repo.path, repo.environ, prepare=partial(_stage, repo, with_yaml))


def _stage(repo: Repo, with_yaml: bool, number: int) -> None:
    repo.write(staged_files(number, with_yaml=with_yaml))
    repo.git("add", "--all")


def staged_files(number: int, *, with_yaml: bool) -> dict[str, str]:
    """Ten files of ordinary length whose content is new in each round."""
    functions = "".join(FUNCTION.format(number=step) for step in range(20))
    python = {f"source/module_{name}.py": f"ROUND = {number}\n\n\n{functions}" for name in "abcd"}
    values = ", ".join(f'"key_{key}": [{key}, "value"]' for key in range(40))
    json = {f"data/table_{name}.json": f'{{"round": {number}, {values}}}\n' for name in "ab"}
    pairs = "\n".join(f'key_{key} = ["{key}", "value"]' for key in range(40))
    toml = {f"data/table_{name}.toml": f"round = {number}\n{pairs}\n" for name in "ab"}
    prose = f"# Round {number}\n\n" + "Some words that a reader may skip.\n" * 40
    last = {"data/table.yaml": f"round: {number}\nkeys:\n" + "  - {name: key, value: [1, 2]}\n" * 40}
    return python | json | toml | {"docs/one.md": prose} | (last if with_yaml else {"docs/two.md": prose})


def _prove(repo: Repo, way: ways.Way) -> None:
    """One commit before the clock runs, of a file that does not parse."""
    repo.write(BROKEN_JSON)
    repo.git("add", "--all")
    way.check(repo.git("commit", "--message", "Proof", expected=way.refusal))
    repo.commit("Mend", {"data/settings.json": "{}\n"})
