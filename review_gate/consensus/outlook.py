"""What models are shown of a repository: all names as far as they fit, what describes it, and its central sources."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from review_gate.checks.languages import LANGUAGES, language_of
from review_gate.models import Frozen
from review_gate.pipeline.exhibit import CUT_LINE, FileText, harmless
from review_gate.ports import NotShown, Withheld

MOST_CHARACTERS = 200_000
MOST_OF_DOCUMENTS = 70_000
MOST_OF_LISTING = 40_000
MOST_LISTED = 2_000
# Of one file a model gets so much; then more of them are shown.
PER_FILE = 16_000
# Less of a file is not worth its heading.
LEAST = 1_000
# The number before a line, and its end.
_MARGIN = 7
MOST_CI_FILES = 5
UNKNOWN_SIZE = -1
DOCUMENTS = (
    *("readme", "claude.md", "agents.md", "gemini.md", "architecture", "design", "contributing"),
    *("pyproject.toml", "setup.cfg", "setup.py", "package.json", "go.mod", "cargo.toml", "pom.xml", "build.gradle"),
    *("gemfile", "composer.json", "cmakelists.txt", "makefile", "justfile", "dockerfile", "docker-compose"),
)
CI_FILES = (".gitlab-ci.yml", ".circleci/config.yml", ".travis.yml", "azure-pipelines.yml", "jenkinsfile")
CI_FOLDER = ".github/workflows/"
DOCUMENT, SOURCE = "document", "source"
_NO_CODE = {"markdown", "text", "json", "yaml", "toml", "xml", "html", "css", "ini"}
_CODE = frozenset(LANGUAGES) - _NO_CODE
# Written by others or by programs.
_FOREIGN_FOLDERS = {"vendor", "node_modules", "third_party", "dist", "build", "target", "site-packages", "generated"}
_FOREIGN_ENDS = (".min.js", "_pb2.py", ".pb.go", ".d.ts", ".generated.ts", ".g.dart")
_TEST = re.compile(
    r"(?:^|[/._-])(?:tests?|specs?|__tests__|testdata|fixtures?|examples?|benchmarks?)(?:[/._-]|$)", re.I
)
_TEST_WEIGHT = 0.2
# A line that begins so names what a file is made of.
_IMPORTS = ("import", "from", "use", "using", "require", "include", "#include", "const", "let", "var", "export", "mod")
_LONGEST_IMPORT = 300
_WORD = re.compile(r"\w+")
# They stand for their folder.
_OF_FOLDER = {"__init__", "index", "mod", "lib", "main"}


class TreeFile(NamedTuple):
    """One file of a commit."""

    path: str
    oid: str
    size: int


class Outlook(Frozen):
    """What was shown of a commit, and what was not: told beside the drafts."""

    commit: str
    files: int
    listed: int
    characters: int = 0
    shown: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()
    not_shown: tuple[NotShown, ...] = ()
    withheld: tuple[Withheld, ...] = ()


class Picked(NamedTuple):
    """One file that is to be shown, and what of it fits."""

    path: str
    about: str
    room: int


def listed_files(files: Sequence[TreeFile]) -> list[TreeFile]:
    """The files whose names are shown: all, or those nearest to the top."""
    kept: list[TreeFile] = []
    room = MOST_OF_LISTING
    for file in sorted(files, key=lambda one: (one.path.count("/"), one.path))[:MOST_LISTED]:
        room -= len(listing_line(file)) + 1
        if room < 0:
            break
        kept.append(file)
    return sorted(kept, key=lambda one: one.path)


def listing_line(file: TreeFile) -> str:
    """A file as the list names it; a name with line ends is still one line."""
    size = f" ({file.size} bytes)" if file.size != UNKNOWN_SIZE else ""
    return one_line(file.path) + size


def one_line(path: str) -> str:
    """A path without line ends."""
    return path.replace("\n", " ").replace("\r", " ")


def documents(files: Iterable[TreeFile]) -> list[TreeFile]:
    """The files that say what the repository is and how it is built, the most telling first."""
    top = [file for file in files if "/" not in file.path or _is_ci(file.path)]
    ci = [file for file in top if _is_ci(file.path)][:MOST_CI_FILES]
    ranked = sorted((_rank(file.path), file.path, file) for file in top if not _is_ci(file.path))
    return [file for rank, _, file in ranked if rank < len(DOCUMENTS)] + ci


def _rank(path: str) -> int:
    name = path.lower()
    found = (number for number, start in enumerate(DOCUMENTS) if name.startswith(start))
    return next(found, len(DOCUMENTS))


def _is_ci(path: str) -> bool:
    return path.startswith(CI_FOLDER) or path.lower() in CI_FILES


def sources(files: Iterable[TreeFile]) -> list[TreeFile]:
    """The code that people wrote here, largest first, what tests it last."""
    own = [file for file in files if language_of(file.path) in _CODE and not _is_foreign(file.path)]
    return sorted(own, key=lambda file: (_is_test(file.path), -file.size, file.path))


def _is_foreign(path: str) -> bool:
    return bool(_FOREIGN_FOLDERS.intersection(path.split("/")[:-1])) or path.endswith(_FOREIGN_ENDS)


def _is_test(path: str) -> bool:
    return _TEST.search(path) is not None


def by_weight(texts: Mapping[str, str]) -> list[str]:
    """The paths of some sources, those first that are large and that many others name."""
    named: Counter[str] = Counter()
    for text in texts.values():
        named.update(_named_in(text))
    return sorted(texts, key=lambda path: (-_weight(path, texts[path], named), path))


def _named_in(text: str) -> set[str]:
    """The words of the lines that import something."""
    lines = (line.lstrip()[:_LONGEST_IMPORT] for line in text.split("\n"))
    return {word for line in lines if line.startswith(_IMPORTS) for word in _WORD.findall(line)}


def _weight(path: str, text: str, named: Mapping[str, int]) -> float:
    weight = (1 + named.get(_stem(path), 0)) * min(len(text), PER_FILE)
    return weight * _TEST_WEIGHT if _is_test(path) else float(weight)


def _stem(path: str) -> str:
    *folders, name = path.split("/")
    stem = name.partition(".")[0]
    return folders[-1] if stem in _OF_FOLDER and folders else stem


def picked(documents: Mapping[str, str], sources: Mapping[str, str], room: int) -> list[Picked]:
    """What is shown of some texts within so many characters: what describes the repository, then its code."""
    found: list[Picked] = []
    described = min(room, MOST_OF_DOCUMENTS)
    left = _take(found, DOCUMENT, documents, documents, described)
    code = [path for path in by_weight(sources) if path not in documents]
    _take(found, SOURCE, code, sources, room - described + left)
    return found


def _take(found: list[Picked], about: str, paths: Iterable[str], texts: Mapping[str, str], room: int) -> int:
    """Pick texts as long as there is room for something of them; what is left of it."""
    for path in paths:
        heading = len(path) + 40
        size = min(heading + _size(texts[path]), PER_FILE, room)
        if size < min(LEAST, heading + _size(texts[path])):
            continue
        found.append(Picked(path, about, size))
        room -= size
    return room


def _size(text: str) -> int:
    return len(text) + _MARGIN * (text.count("\n") + 1)


def region(
    listing: Sequence[str], unlisted: int, files: Sequence[FileText], rooms: Mapping[str, int], nonce: str
) -> str:
    """The repository as models are shown it; nothing in it can close it."""
    heading = f"=== the files of the repository | {len(listing)} files"
    rest = [f"[cut here: {unlisted} more files are not listed]"] if unlisted else []
    lines = [f"<<<repository {nonce}", heading, *(harmless(line, nonce) for line in listing), *rest]
    for file in files:
        lines += _shown(file, rooms[file.path], nonce)[0]
    return "\n".join([*lines, f"repository {nonce}>>>", ""])


def cut_files(files: Iterable[FileText], rooms: Mapping[str, int], nonce: str) -> tuple[str, ...]:
    """The files of which only the beginning is shown."""
    return tuple(file.path for file in files if _shown(file, rooms[file.path], nonce)[1])


def _shown(file: FileText, room: int, nonce: str) -> tuple[list[str], int]:
    """The lines of a file that fit, and how many more it has."""
    shown = [f"=== file {harmless(file.path, nonce)} | {file.about}"]
    room -= len(shown[0])
    for number, line in enumerate(_numbered(file.lines)):
        text = harmless(line, nonce)
        room -= len(text) + 1
        if room < 0:
            return [*shown, CUT_LINE.format(len(file.lines) - number)], len(file.lines) - number
        shown.append(text)
    return shown, 0


def _numbered(lines: Sequence[str]) -> Iterator[str]:
    return (f"{number:>5} {line}" for number, line in enumerate(lines, start=1))
