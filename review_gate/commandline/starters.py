"""Programs that start others in ways of their own: shells, `find -exec`, `xargs`, `parallel`, `watch`, `su -c`."""

from __future__ import annotations

from review_gate.commandline.acts import UNINSTALL, UNKNOWN, WRITE
from review_gate.commandline.names import names, pieces
from review_gate.commandline.writes import found_by_find, prints_paths, written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeGuard

    from review_gate.commandline.walk import Walk

_SHELL_VALUED = frozenset({"--rcfile", "--init-file"})
_FD_ACTIONS = frozenset({"-x", "-X", "--exec", "--exec-batch"})
_FIND_ACTIONS = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
_XARGS_VALUED = names(
    """-I -L -n -P -s -d -a -E -R -S -J --replace
    --max-lines --max-args --max-procs --max-chars --delimiter --arg-file"""
)
_PARALLEL_VALUED = names(
    """-j --jobs -a --arg-file -I -n -N -L -l -s -d --delimiter -C --colsep --joblog --results --retries --timeout"""
)
_WATCH_VALUED = frozenset({"-n", "--interval", "-q", "--equexit"})
_FLOCK_VALUED = frozenset({"-w", "--wait", "--timeout", "-E", "--conflict-exit-code"})
_SCRIPT_VALUED = frozenset({"-E", "--echo", "-I", "-O", "-B", "-T", "-m", "-o", "--log-in", "--log-out", "--log-io"})
_MOST_VALUES = 64
_LISTS = (":::", "::::", ":::+", "::::+")


def _shell(walk: Walk, words: Sequence[str], feed: str | None) -> str:
    at, has_text, reads = _shell_options(words)
    rest = list(words[at:])
    if has_text:
        if rest:
            walk.new_shell(rest[0], tuple(rest[2:]))
        return UNKNOWN
    if not rest or reads or rest[0] in ("-", "/dev/stdin", "/proc/self/fd/0", "/dev/fd/0"):
        _fed(walk, words, feed, tuple(rest[1:]))
    elif UNKNOWN in rest[0].rpartition("/")[2]:
        walk.unclear(words)
    else:
        walk.may_have_moved = True
    return UNKNOWN


def _shell_options(words: Sequence[str]) -> tuple[int, bool, bool]:
    at, has_text, reads = 1, False, False
    while at < len(words):
        word = words[at]
        if word in ("--", "-"):
            at += 1
            break
        if not word.startswith(("-", "+")):
            break
        at += 1
        if word.startswith("--"):
            at += word in _SHELL_VALUED
            continue
        has_text = has_text or "c" in word
        reads = reads or "s" in word
        at += ("o" in word or "O" in word) + 0
    return at, has_text, reads


def _fed(walk: Walk, words: Sequence[str], feed: str | None, arguments: tuple[str, ...]) -> None:
    if feed is None:
        return
    if feed == UNKNOWN:
        walk.unclear(words)
    else:
        walk.new_shell(feed, arguments)


def _text_after(words: Sequence[str], letter: str, long: str) -> str | None:
    """The value of an option that holds a text to run: `-c text`, `-qc text`, `--command text`, `--command=text`."""
    for at, word in enumerate(words):
        if word == long or (word.startswith("-") and not word.startswith("--") and word.endswith(letter)):
            return "".join(words[at + 1 : at + 2])
        if word.startswith(long + "="):
            return word.partition("=")[2]
    return None


def _su(walk: Walk, words: Sequence[str], feed: str | None) -> str:
    text = _text_after(words, "c", "--command")
    if text is not None:
        walk.new_shell(text)
    else:
        _fed(walk, words, feed, ())
    return UNKNOWN


def _runuser(walk: Walk, words: Sequence[str], feed: str | None) -> str:
    if "--" in words and _text_after(words, "c", "--command") is None:
        walk.launch(list(words[list(words).index("--") + 1 :]))
        return UNKNOWN
    return _su(walk, words, feed)


def _later(walk: Walk, words: Sequence[str], feed: str | None) -> str:
    _fed(walk, words, feed, ())
    return UNKNOWN


def _fd(walk: Walk, words: Sequence[str], _feed: str | None) -> str:
    at = next((at for at, word in enumerate(words) if word in _FD_ACTIONS), len(words))
    walk.launch([word.replace("{}", UNKNOWN) for word in words[at + 1 :]])
    return UNKNOWN


def _past(words: Sequence[str], valued: frozenset[str]) -> list[str]:
    at = 1
    while at < len(words) and words[at].startswith("-") and words[at] != "-":
        if words[at] == "--":
            at += 1
            break
        at += 2 if words[at] in valued else 1
    return list(words[at:])


def _script(walk: Walk, words: Sequence[str], _feed: str | None) -> str:
    text = _text_after(words, "c", "--command")
    rest = _past(words, _SCRIPT_VALUED)
    if text is not None:
        walk.new_shell(text)
    elif len(rest) > 1:
        walk.launch(rest[1:])
    return UNKNOWN


def _flock(walk: Walk, words: Sequence[str], _feed: str | None) -> str:
    rest = _past(words, _FLOCK_VALUED)[1:]
    if rest[:1] in (["-c"], ["--command"]):
        walk.new_shell("".join(rest[1:2]))
    elif rest:
        walk.launch(rest)
    return UNKNOWN


def _watch(walk: Walk, words: Sequence[str], _feed: str | None) -> str:
    rest = _past(words, _WATCH_VALUED)
    if "-x" in words or "--exec" in words:
        walk.launch(rest)
    else:
        walk.new_shell(" ".join(rest))
    return UNKNOWN


def _xargs(walk: Walk, words: Sequence[str], feed: str | None) -> str:
    mark, one_by_one = _xargs_options(words)
    rest = _past(words, _XARGS_VALUED)
    values = [UNKNOWN]
    if _is_told(feed):
        values = [value for value in (feed.split("\n") if mark else pieces(feed)) if value]
    if len(values) > _MOST_VALUES or any(char in "'\"\\" for value in values for char in value):
        # Quotes mean something of their own to it.
        values = [UNKNOWN]
    if not rest:
        return UNKNOWN
    if mark:
        for value in values:
            walk.launch([word.replace(mark, value) for word in rest])
    elif one_by_one:
        for value in values:
            walk.launch([*rest, value])
    else:
        walk.launch([*rest, *values])
    return UNKNOWN


def _is_told(feed: str | None) -> TypeGuard[str]:
    """Whether a text is known, or are the paths that `find` prints, of which the folders are told."""
    if feed is None or UNKNOWN not in feed:
        return feed is not None
    return all("/" in line.partition(UNKNOWN)[0] and len(pieces(line)) == 1 for line in feed.split("\n"))


def _xargs_options(words: Sequence[str]) -> tuple[str, bool]:
    mark, one_by_one = "", False
    for at, word in enumerate(words[1:], 1):
        if not word.startswith("-"):
            # The value of an option may stand here, or the command.
            if words[at - 1] not in _XARGS_VALUED:
                break
        elif word in ("-I", "-J"):
            mark = "".join(words[at + 1 : at + 2])
        elif word.startswith("-I"):
            mark = word[2:]
        elif word.startswith(("-i", "--replace")):
            mark = word.partition("=")[2] or (word[2:] if word.startswith("-i") else "") or "{}"
        elif word.startswith(("-n", "-L", "--max-args", "--max-lines")):
            one_by_one = True
    return mark, one_by_one


def _find(walk: Walk, words: Sequence[str], _feed: str | None) -> str:
    paths = written("find", words[1:])
    if paths:
        walk.add(WRITE, paths, walk.state.folder)
    found = [path if UNKNOWN in path else f"{path}/{UNKNOWN}" for path in found_by_find(words[1:])]
    name = found[0] if len(found) == 1 else UNKNOWN
    at = 1
    while at < len(words):
        if words[at] not in _FIND_ACTIONS:
            at += 1
            continue
        command: list[str] = []
        at += 1
        while at < len(words) and words[at] != ";" and not (words[at] == "+" and command[-1:] == [name]):
            command.append(words[at].replace("{}", name))
            at += 1
        walk.launch(command)
    return "\n".join(found) if prints_paths(words[1:]) else UNKNOWN


def _parallel(walk: Walk, words: Sequence[str], feed: str | None) -> str:
    rest = _past(words, _PARALLEL_VALUED)
    place = next((at for at, word in enumerate(rest) if word in _LISTS), len(rest))
    command = " ".join(rest[:place])
    values = [word for word in rest[place + 1 :] if word not in _LISTS]
    if place == len(rest):
        values = [line for line in feed.split("\n") if line] if _is_told(feed) else [UNKNOWN]
    for value in values if len(values) <= _MOST_VALUES else [UNKNOWN]:
        if not command:
            walk.new_shell(value)
        else:
            walk.new_shell(command.replace("{}", value) if "{" in command else f"{command} {value}")
    return UNKNOWN


def _managed(walk: Walk, words: Sequence[str], _feed: str | None) -> str:
    """A program that takes hooks out when it is told to."""
    walk.may_have_moved = True
    verb = next((word for word in words[1:] if not word.startswith("-")), "")
    if verb.startswith(UNKNOWN) or any(word in ("uninstall", "--uninstall", "deactivate") for word in words[1:]):
        walk.add(UNINSTALL, words, walk.state.folder)
    return UNKNOWN


def _installer(walk: Walk, words: Sequence[str], _feed: str | None) -> str:
    """An installer of programs or plugins, which may take this one away."""
    walk.may_have_moved = True
    is_removal = any(word in ("uninstall", "remove", "rm", "disable") for word in words[1:])
    # A version or a marketplace may stand behind the name.
    named = (word.partition("@")[0].replace("_", "-").lower() for word in words[1:])
    if is_removal and any(name in _HOOK_PROGRAMS for name in named):
        walk.add(UNINSTALL, words, walk.state.folder)
    else:
        walk.tail(words)
    return UNKNOWN


_HOOK_PROGRAMS = ("review-gate", "pre-commit", "prek", "lefthook", "husky", "hk", "overcommit")
_INSTALLERS = ("pip", "pip3", "pipx", "uv", "poetry", "npm", "pnpm", "yarn", "brew", "gem", "conda", "mamba")
# Their plugins and hooks can be switched off by a command, too.
_AGENTS = ("claude", "gemini")

STARTERS: dict[str, Callable[[Walk, Sequence[str], str | None], str]] = {
    **dict.fromkeys(("sh", "bash", "zsh", "dash", "ash", "ksh", "mksh", "rbash", "fish", "busybox-sh"), _shell),
    **dict.fromkeys(("at", "batch"), _later),
    **dict.fromkeys(("fd", "fdfind"), _fd),
    "su": _su,
    "runuser": _runuser,
    **dict.fromkeys(_HOOK_PROGRAMS, _managed),
    **dict.fromkeys((*_INSTALLERS, *_AGENTS), _installer),
    "script": _script,
    "flock": _flock,
    "watch": _watch,
    "xargs": _xargs,
    "gxargs": _xargs,
    "find": _find,
    "gfind": _find,
    "parallel": _parallel,
}
