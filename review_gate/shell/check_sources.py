"""Where checks are written: the files of a project, a user and a plan, and the shipped packs, read but not understood.

The commit hook compares these texts with what its plan was made from, so nothing slow is imported here.
"""

from __future__ import annotations

import os

from review_gate.checks.labels import PACK_LABEL, USER_LABEL
from review_gate.checks.limits import MAX_FILE_BYTES, MAX_FOLDER_BYTES, MAX_FOLDER_FILES
from review_gate.config.places import PLAN_CHECKS, USER_CHECKS
from review_gate.errors import ConfigError, MisuseError
from review_gate.safe_text import safe_line
from review_gate.shell.files import UnsafeFileError, lies_in, own_name, read_plain_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence


# How a file is read.
YAML = "yaml"
CONTEXT = "context"
RULES = "rules"
CLAUDE_MD = "claude_md"

# What a repository can be told to leave out: the files below ~, checks/*.yaml, rules/*.md, CLAUDE.md.
PLACES = ("user", "project", "rules", "claude_md")

# Whose file it is.
SESSION = "session"
USER = "user"
PROJECT = "project"
PACK = "pack"

_USER_CLAUDE = ".claude/CLAUDE.md"
_CLAUDE_NAMES = ("claude.md", "project-claude.md")
_MARKDOWN = (".md", ".markdown")
# How our own packs write an id; a test holds them to it.
_ID_IN_PACK = "  - id: "
_YAML_SUFFIXES = (".yaml", ".yml")
_WHY = "a check that cannot be read would find nothing, and nobody would notice"


class Tree:
    """A folder with checks, the project it belongs to, and how its files are called."""

    __slots__ = ("owner", "prefix", "root", "top")

    def __init__(self, top: str, root: str, *, prefix: str = "", owner: str = PROJECT) -> None:
        self.top = top
        self.root = root
        self.prefix = prefix
        self.owner = owner

    def label(self, relative: str) -> str:
        """How messages call a file."""
        return safe_line(self.prefix + relative)


class CheckSource:
    """One file with checks: its bytes, how they are read, whose they are and how messages call it.

    `name` is what it is found under, which is another one than its own where that is a link.
    """

    __slots__ = ("data", "form", "label", "name", "owner")

    def __init__(self, form: str, owner: str, label: str, data: bytes, *, name: str = "") -> None:
        self.form = form
        self.owner = owner
        self.label = label
        self.data = data
        self.name = name or label

    @property
    def stem(self) -> str:
        """Its name without folder and suffix."""
        name = self.name.rpartition("/")[2]
        return name.rpartition(".")[0] or name

    def text(self) -> str:
        """The bytes as text; what is not UTF-8 is refused with its line."""
        try:
            return self.data.decode("utf-8")
        except UnicodeDecodeError as error:
            line = self.data.count(b"\n", 0, error.start) + 1
            what = f"not UTF-8: the byte 0x{self.data[error.start]:02x} cannot be read; save the file as UTF-8"
            raise _refusal(f"{self.label}:{line}", what) from None

    def __repr__(self) -> str:
        return f"CheckSource({self.form}, {self.label})"


def repository_sources(root: str, environ: Mapping[str, str], *, leave_out: Collection[str] = ()) -> list[CheckSource]:
    """The files with checks that hold in a repository, highest priority first; words of PLACES can be left out."""
    # Each is read only when its turn comes, so what is left out cannot be in the way.
    steps = (
        ("user", _user_file(environ, YAML, USER_CHECKS)),
        ("project", _project_files(Tree(root, root), "checks", YAML)),
        ("rules", _project_files(Tree(root, root), ".claude/rules", RULES)),
        ("rules", _project_files(Tree(root, root), "rules", RULES)),
        ("claude_md", _project_file(Tree(root, root), "CLAUDE.md", CLAUDE_MD)),
        ("user", _user_file(environ, CLAUDE_MD, _USER_CLAUDE)),
    )
    return [source for place, found in steps if place not in leave_out for source in found]


def plan_sources(folder: str, root: str, environ: Mapping[str, str]) -> list[CheckSource]:
    """The files with checks that hold for a plan in a folder, highest priority first."""
    plan, project = _plan_tree(folder, root), Tree(root, root, prefix=_way_to(root))
    own_copy = list(_project_file(plan, "project-claude.md", CLAUDE_MD))
    return [
        *_project_file(plan, PLAN_CHECKS, YAML),
        *_user_file(environ, YAML, USER_CHECKS),
        *_project_files(project, "checks", YAML),
        *_project_files(plan, "rules", RULES),
        *(own_copy or _project_file(project, "CLAUDE.md", CLAUDE_MD)),
        *_user_file(environ, CLAUDE_MD, _USER_CLAUDE),
        *_project_file(plan, "context.yaml", CONTEXT),
    ]


def context_source(folder: str) -> CheckSource | None:
    """What is said about the plan in a folder, if anything is."""
    return next(_project_file(_plan_tree(folder, folder), "context.yaml", CONTEXT), None)


def _plan_tree(folder: str, root: str) -> Tree:
    return Tree(folder, root, prefix=f"{folder.rstrip('/')}/", owner=SESSION)


def _way_to(root: str) -> str:
    """What to put before the names in a project, so that whoever reads them here can open them."""
    if os.path.realpath(root) == os.path.realpath(os.getcwd()):
        return ""
    return f"{os.path.relpath(root).replace(os.sep, '/')}/"


def named_sources(paths: Sequence[str], name_of: Callable[[str], str] = str) -> list[CheckSource]:
    """The files that somebody named, in their order; each has to be there. `name_of` says how messages call them."""
    sources = []
    for path in paths:
        if not path:
            raise MisuseError(
                "--checks names no file",
                why=_WHY,
                next_step="review-gate checks list --checks FILE",
            )
        label = safe_line(name_of(path))
        data = _read(os.path.realpath(path), label)
        if data is None:
            raise _refusal(label, "there is no such file")
        sources.append(CheckSource(_form_of(path), PROJECT, label, data))
    return sources


def _form_of(path: str) -> str:
    name = os.path.basename(path).lower()
    if name.endswith(_MARKDOWN):
        return CLAUDE_MD if name in _CLAUDE_NAMES else RULES
    return YAML


def _user_file(environ: Mapping[str, str], form: str, relative: str) -> Iterator[CheckSource]:
    home = environ.get("HOME") or environ.get("USERPROFILE") or ""
    # A relative home would be looked up below the repository, which must not pose as the user.
    if not os.path.isabs(home):
        return
    # Files of one's own are often links into a repository of settings, so links are followed.
    path, label = os.path.join(home, *relative.split("/")), USER_LABEL + relative
    data = _read(os.path.realpath(path), label)
    if data is not None:
        yield CheckSource(form, USER, label, data)
    elif os.path.lexists(path):
        raise _refusal(label, "it is a link to nowhere")


def _project_file(tree: Tree, relative: str, form: str) -> Iterator[CheckSource]:
    """A file of a tree, if it is there; a link in a tree that somebody else wrote must not lead out of it."""
    path, label = os.path.join(tree.top, *relative.split("/")), tree.label(relative)
    if not os.path.lexists(path):
        return
    target = os.path.realpath(path)
    if not any(lies_in(target, folder) for folder in (tree.top, tree.root)):
        raise _refusal(label, "it is a link that leads out of the project")
    data = _read(target, label)
    if data is None:
        raise _refusal(label, "it is a link to nowhere")
    # The file itself is what is scanned, and not for the checks that it holds.
    yield CheckSource(form, tree.owner, tree.label(own_name(path, tree.top, relative)), data, name=label)


def _project_files(tree: Tree, folder: str, form: str) -> Iterator[CheckSource]:
    """The files of a folder in a tree, by name."""
    suffixes = _YAML_SUFFIXES if form == YAML else _MARKDOWN[:1]
    total = 0
    for name in _names(os.path.join(tree.top, *folder.split("/")), tree.label(folder), suffixes):
        for source in _project_file(tree, f"{folder}/{name}", form):
            total += len(source.data)
            if total > MAX_FOLDER_BYTES:
                what = f"its files with checks are more than {MAX_FOLDER_BYTES} bytes together"
                raise _refusal(tree.label(folder), what)
            yield source


def _names(path: str, label: str, suffixes: tuple[str, ...]) -> list[str]:
    try:
        entries = os.listdir(path)
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise _refusal(label, f"it cannot be opened: {error.strerror}") from None
    # A name with a dot in front is an editor's, as for the `*` of a shell.
    names = sorted(name for name in entries if name.lower().endswith(suffixes) and not name.startswith("."))
    if len(names) > MAX_FOLDER_FILES:
        raise _refusal(label, f"it holds {len(names)} files with checks, more than {MAX_FOLDER_FILES}")
    return names


def _read(path: str, label: str) -> bytes | None:
    try:
        return read_plain_file(path, MAX_FILE_BYTES)
    except UnsafeFileError as error:
        raise _refusal(label, str(error)) from None


def _refusal(label: str, what: str) -> ConfigError:
    return ConfigError(f"{label}: {what}", why=_WHY, next_step=f"mend or remove {label}, then: review-gate checks list")


# The packs


def pack_names() -> list[str]:
    """The shipped packs."""
    return [name.rpartition(".")[0] for name in _names(_packs_folder(), "packs", _YAML_SUFFIXES[:1])]


def pack_source(name: str) -> CheckSource:
    """A shipped pack that somebody named; an unknown name is refused with the nearest one."""
    known = pack_names()
    if name not in known:
        raise _unknown_pack(name, known, "there is no pack {}", "correct the name")
    return _pack(_packs_folder(), name)


def pack_sources(names: Sequence[str]) -> list[CheckSource]:
    """The shipped packs of the configuration, in the order given."""
    known, folder = pack_names() if names else [], _packs_folder()
    for name in names:
        if name not in known:
            raise _not_configured(name, known)
    return [_pack(folder, name) for name in names]


def ids_in_packs() -> set[str]:
    """The checks of all shipped packs; the hooks ask when a suppression names one, so no YAML is parsed."""
    folder = _packs_folder()
    lines = [line for name in pack_names() for line in _pack(folder, name).text().split("\n")]
    return {line.removeprefix(_ID_IN_PACK) for line in lines if line.startswith(_ID_IN_PACK)}


class KnownElsewhere:
    """Whether an id is one of some names, of a check that is disabled, of a shipped pack that may be off, or of a rule.

    Rules are looked for by the reviewers of a run; `top` is where the project keeps its own.
    """

    def __init__(self, settings: Mapping[str, object], names: Collection[str] = (), *, top: str = "") -> None:
        self._top = top
        disabled = settings.get("disable")
        self._names = {*names, *(disabled if isinstance(disabled, list) else [])}
        self._in_packs: set[str] | None = None

    def __call__(self, name: str) -> bool:
        """Read the packs at the first name that is not known otherwise."""
        if name in self._names:
            return True
        if self._in_packs is None:
            from review_gate.shell.rule_ids import ids_of_rules

            self._in_packs = {*ids_in_packs(), *ids_of_rules(self._top)}
        return name in self._in_packs


def anything(_: str) -> bool:
    """Nobody knows which checks there are where a scan is about some files of checks only."""
    return True


def pack_stamps(names: Sequence[str]) -> list[list[object]]:
    """Name, size and time of the packs of the configuration, which show whether one of them was edited."""
    folder = _packs_folder()
    return [[name, *_stamp(os.path.join(folder, f"{name}.yaml"), name)] for name in names]


def _stamp(path: str, name: str) -> tuple[int, int]:
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        raise _not_configured(name, pack_names()) from None
    return status.st_size, status.st_mtime_ns


def _pack(folder: str, name: str) -> CheckSource:
    label = PACK_LABEL + name
    return CheckSource(YAML, PACK, label, _read(os.path.join(folder, f"{name}.yaml"), label) or b"")


def _packs_folder() -> str:
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    shipped = os.path.join(package, "packs")
    # In a checkout they lie beside the package; the wheel has them inside.
    return shipped if os.path.isdir(shipped) else os.path.join(os.path.dirname(package), "checks")


def _not_configured(name: str, known: list[str]) -> ConfigError:
    what, remedy = "checks.packs names {}, and there is no such pack", "correct checks.packs (review-gate config show)"
    return _unknown_pack(name, known, what, remedy)


def _unknown_pack(name: str, known: list[str], what: str, remedy: str) -> ConfigError:
    from difflib import get_close_matches

    near = get_close_matches(name[:60], known, n=1)
    guess = f"did you mean {near[0]}?" if near else f"there are: {', '.join(known) or 'none'}"
    return ConfigError(
        f"{what.format(safe_line(name[:60]))}; {guess}",
        why="checks that are asked for and not there would find nothing, and nobody would notice",
        next_step=f"{remedy}, then: review-gate checks list",
    )
