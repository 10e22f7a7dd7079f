"""Which paths of the work tree a git command changes, and whether it may move HEAD or a ref."""

from __future__ import annotations

from review_gate.commandline.acts import HERE, UNKNOWN
from review_gate.commandline.git_words import READING
from review_gate.commandline.names import names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_VALUED = frozenset({"-s", "--source", "-e", "--exclude", "-b", "-B", "--orphan", "-m", "--message", "--conflict"})
_LISTING = {
    "branch": names("--show-current --list -l -a --all -r --remotes -v -vv --verbose --contains --merged"),
    "tag": names("-l --list -n -v --verify --contains --points-at --merged --sort"),
    "stash": names("list show"),
    "reflog": names("show exists"),
    "worktree": frozenset({"list"}),
    "notes": names("list show"),
    "submodule": names("status summary"),
    "bisect": names("log view visualize"),
}


def changed_paths(name: str, arguments: Sequence[str]) -> tuple[str, ...]:
    """The paths that a git command writes, moves or removes, unknown where only a patch tells."""
    paths = (*_outputs(arguments), *_given(name, arguments))
    return tuple(dict.fromkeys(paths))


def _outputs(arguments: Sequence[str]) -> list[str]:
    paths: list[str] = []
    for at, word in enumerate(arguments):
        option, found, value = word.partition("=")
        if len(option) > len("--o") and ("--output".startswith(option) or "--output-directory".startswith(option)):
            paths.append(value if found else "".join(arguments[at + 1 : at + 2]))
    return paths


def _given(name: str, arguments: Sequence[str]) -> Sequence[str]:
    paths, has_dashes = _plain(arguments)
    if name == "checkout":
        return paths if has_dashes else [path for path in paths if "." in path or "/" in path or UNKNOWN in path]
    if name in ("restore", "mv"):
        return paths
    if name == "rm":
        return () if "--cached" in arguments else paths
    if name == "clean":
        return () if _is_dry(arguments) else paths or [HERE]
    if name == "stash":
        return _stashed(arguments, paths, has_dashes=has_dashes)
    if name == "apply" and not {"--check", "--stat", "--numstat", "--summary"} & set(arguments):
        return [UNKNOWN]
    return ()


def _is_dry(arguments: Sequence[str]) -> bool:
    return any(
        word == "--dry-run" or (word.startswith("-") and not word.startswith("--") and "n" in word)
        for word in arguments
    )


def _stashed(arguments: Sequence[str], paths: Sequence[str], *, has_dashes: bool) -> Sequence[str]:
    if has_dashes or arguments[:1] == ["push"]:
        paths = [path for path in paths if path != "push"]
        if paths:
            return paths
    takes_all = {"-u", "--include-untracked", "-a", "--all"} & set(arguments)
    return [HERE] if takes_all else ()


def _plain(arguments: Sequence[str]) -> tuple[list[str], bool]:
    if "--" in arguments:
        return list(arguments[list(arguments).index("--") + 1 :]), True
    paths: list[str] = []
    at = 0
    while at < len(arguments):
        if arguments[at].startswith("-"):
            at += arguments[at] in _VALUED
        else:
            paths.append(arguments[at])
        at += 1
    return paths, False


def moves(name: str, arguments: Sequence[str]) -> bool:
    """Whether HEAD or a ref may stand for something else after this command."""
    if name in READING or name == "push":
        return False
    if name == "checkout":
        return "--" not in arguments
    if name == "fetch":
        # Only what names a ref to write, or an address.
        return any(":" in word or "+" in word or UNKNOWN in word for word in arguments)
    listing = _LISTING.get(name)
    if listing is None:
        return True
    return name == "stash" if not arguments else not any(word in listing for word in arguments)
