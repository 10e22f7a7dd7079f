"""A git command: its options before the subcommand, aliases, and what of it a gate may care about."""

from __future__ import annotations

from review_gate.commandline import git_words as known
from review_gate.commandline.acts import HERE, PUBLISH, PUSH, REFS, SEND, SKIP, TRACKING, UNKNOWN, WRITE
from review_gate.commandline.git_config import (
    changes_what_is_pushed,
    is_shell_key,
    note_config,
    recurses,
    turns_hooks_off,
)
from review_gate.commandline.git_paths import changed_paths, moves
from review_gate.commandline.quick import may_concern
from review_gate.commandline.state import FOLDER, GIT_ALIAS, PUSH_SETTINGS, VARIABLE, joined

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from review_gate.commandline.walk import Walk

_MOST_ALIASES = 8


class Call:
    """One git command: where, with which configuration, which subcommand and what follows."""

    __slots__ = ("arguments", "config", "exec_path", "folder", "git_dir", "is_clear", "subcommand", "words")

    def __init__(self, words: Sequence[str], folder: str | None, git_dir: str = "") -> None:
        self.words = tuple(words)
        self.folder = folder
        # Where it is named, from the folder that `-C` leads to.
        self.git_dir = git_dir
        # Names of settings in small letters, with their values; unknown ones too.
        self.config: list[tuple[str, str]] = []
        # The option by which git's own programs are looked for elsewhere, as it was typed.
        self.exec_path = ""
        self.is_clear = True
        self.subcommand = ""
        self.arguments: list[str] = []


def run_git(walk: Walk, words: Sequence[str]) -> None:
    """Note what a git command would do."""
    call = Call(words, walk.state.folder, "".join(walk.state.get(VARIABLE + "GIT_DIR") or ()))
    _read_options(call)
    earlier = walk.state.get(FOLDER)
    # What git starts in turn works where git does.
    walk.state.put(FOLDER, () if call.folder is None else (call.folder,))
    _run_call(walk, call, 0)
    walk.state.put(FOLDER, earlier)


def _read_options(call: Call) -> None:
    words, at = call.words, 1
    while at < len(words):
        word = words[at]
        if not word.startswith("-"):
            break
        name, found, value = word.partition("=")
        if name in known.GLOBAL_VALUED and not (found and name in ("-C", "-c")):
            if not found:
                at += 1
                value = "".join(words[at : at + 1])
            _option(call, name, value)
        elif name == "--exec-path" and found:
            call.exec_path = word
        elif UNKNOWN in word:
            call.is_clear = False
        at += 1
    call.folder = joined(call.folder, call.git_dir)
    call.subcommand = "".join(words[at : at + 1])
    call.arguments = list(words[at + 1 :])


def _option(call: Call, name: str, value: str) -> None:
    if name == "-C":
        call.folder = joined(call.folder, value)
    elif name == "--git-dir":
        call.git_dir = value
    elif name in ("-c", "--config-env"):
        key, _, setting = value.partition("=")
        call.config.append((key.lower(), setting if name == "-c" else UNKNOWN))


def _run_call(walk: Walk, call: Call, aliases: int) -> None:
    walk.spend(1)
    _settings(walk, call)
    name = call.subcommand if call.subcommand in known.READING else call.subcommand.lower()
    if not call.is_clear or UNKNOWN in name:
        walk.unclear(call.words)
    elif name in known.NEWER and _alias(walk, call, aliases):
        return
    elif name in known.READING or name in known.CHANGING or name == "push":
        _builtin(walk, call, name)
    elif name in known.SENDING or name.startswith(known.SENDING_STARTS):
        walk.add(SEND, call.words, call.folder)
    elif name and not _alias(walk, call, aliases):
        _external(walk, call, name)


def _skip_variables(walk: Walk, call: Call) -> None:
    for name in (*known.SKIP_VARIABLES, *_notable(walk, known.SKIP_VARIABLE_START)):
        given = walk.state.get(VARIABLE + name)
        value = "".join(given or ())
        if given and (UNKNOWN in value or value.lower() in known.OFF_VALUES.get(name, (value.lower(),))):
            walk.add(SKIP, (f"{name}={value}", *call.words), call.folder, skipped_by=f"{name}={value}")


def _notable(walk: Walk, start: str) -> list[str]:
    walk.spend(len(walk.state.notable) // 16)
    return [name for name in walk.state.notable if name.startswith(start) and walk.state.get(VARIABLE + name)]


def _settings(walk: Walk, call: Call) -> None:
    """Run what the configuration and the environment let git hand to a shell."""
    texts = [value for key, value in call.config if is_shell_key(key)]
    for name in known.SHELL_VARIABLES:
        texts.extend(walk.state.get(VARIABLE + name) or ())
    for text in texts:
        # What an editor or a pager is asked to run has the same editor and pager.
        if text != UNKNOWN and text not in walk.settings and may_concern(text):
            walk.settings.add(text)
            walk.new_shell(text)
            walk.settings.discard(text)


def _builtin(walk: Walk, call: Call, name: str) -> None:
    if name not in known.READING:
        _skip_variables(walk, call)
    if name == "push":
        _push(walk, call)
    elif name in known.SKIPPING:
        skipped_by = _says_skip(name, call.arguments) or _config_skips(call) or _variables_skip(walk)
        if skipped_by:
            walk.add(SKIP, call.words, call.folder, skipped_by=skipped_by)
    if name == "config":
        note_config(walk, call)
    _records(walk, call, name)
    if _tells_of_remotes(name, call.arguments):
        walk.add(TRACKING, call.words, call.folder)
    paths = changed_paths(name, call.arguments)
    if paths:
        walk.add(WRITE, paths, call.folder)
    if moves(name, call.arguments):
        walk.may_have_moved = True
    _inner_commands(walk, call, name)


def _push(walk: Walk, call: Call) -> None:
    skipped_by = _says_skip("push", call.arguments) or _config_skips(call) or _environment_skips(walk)
    words = call.arguments
    if any(changes_what_is_pushed(key) for key, _ in call.config) or walk.state.get(PUSH_SETTINGS):
        # Nobody asks for settings of such a line; all that could leave is judged.
        words = [*words, "--mirror"]
    # As the option, which stands before those that were typed, so that these are the last word.
    words = [*(f"--recurse-submodules={value}" for key, value in call.config if recurses(key)), *words]
    walk.add(PUSH, words, call.folder, skipped_by=skipped_by, has_moved=walk.may_have_moved)


def _config_skips(call: Call) -> str:
    """The option that leads git away from its hooks."""
    settings = (f"-c {key}={value}" for key, value in call.config if turns_hooks_off(key))
    return call.exec_path or next(settings, "")


def _environment_skips(walk: Walk) -> str:
    """The variables that give git settings of which nobody can tell what they are."""
    given = [name for name in known.CONFIG_VARIABLES if walk.state.get(VARIABLE + name) is not None]
    return ", ".join(dict.fromkeys((*given, *_notable(walk, known.CONFIG_VARIABLE_START))))


def _variables_skip(walk: Walk) -> str:
    """The variables with settings that decide which hooks are called."""
    # Each is the name of a setting, or a row of 'name=value' and 'name'='value'.
    texts = {
        name: "'".join(walk.state.get(VARIABLE + name) or ())
        for name in _notable(walk, known.CONFIG_VARIABLE_START)
        if name.startswith(known.SETTING_VARIABLE_STARTS)
    }
    skips = (
        name
        for name, text in texts.items()
        if any(turns_hooks_off(piece.partition("=")[0].lower()) for piece in text.split("'"))
    )
    return next(skips, "")


def _says_skip(name: str, arguments: Sequence[str]) -> str:
    """What says `--no-verify`: that word, shortened as git lets it be, or a letter, which may be one of a bundle."""
    at = 0
    while at < len(arguments):
        word = arguments[at]
        at += 1
        if word == "--":
            return ""
        if word.startswith("--"):
            if len(word) >= known.SHORTEST_SKIP and known.NOT_SKIPPED.startswith(word):
                return word
            at += word in known.VALUED_LONG[name]
        elif word.startswith("-"):
            is_skip, takes_next = _bundle(name, word[1:])
            if is_skip:
                return f"-{known.SKIPPING[name]}"
            at += takes_next
    return ""


def _bundle(name: str, letters: str) -> tuple[bool, bool]:
    for place, letter in enumerate(letters):
        if letter == known.SKIPPING[name]:
            return True, False
        if letter in known.VALUED_SHORT[name]:
            return False, place == len(letters) - 1
        if letter in known.ATTACHED[name]:
            break
    return False, False


def _records(walk: Walk, call: Call, name: str) -> None:
    """The refs that hold the reviews, or refs of which nobody can tell that they are not those."""
    arguments = call.arguments
    names_them = any(known.RECORDS in word for word in arguments)
    is_open = any(UNKNOWN in word for word in arguments)
    if name in ("update-ref", "symbolic-ref", "fast-import"):
        touches = names_them or is_open or "--stdin" in arguments or name == "fast-import"
    elif name == "push":
        is_local = HERE in arguments
        touches = names_them or (is_local and (is_open or "--mirror" in arguments))
        touches = touches or (is_local and any(_reaches_records(word) for word in arguments))
    else:
        touches = name in ("fetch", "pull") and any(_reaches_records(word) for word in arguments)
        touches = touches or (
            names_them and name in ("branch", "tag", "fetch", "pull", "replace", "reflog", "remote", "pack-refs")
        )
    if touches:
        walk.add(REFS, call.words, call.folder)


def _tells_of_remotes(name: str, arguments: Sequence[str]) -> bool:
    """Whether it writes by hand what the remotes are remembered to have; a fetch from them does not."""
    named = [word.rpartition(":")[2].startswith(known.TRACKING) for word in arguments]
    if name == "update-ref":
        return any(named) and "-d" not in arguments
    if name == "symbolic-ref":
        # `refs/remotes/origin/HEAD` names another of them.
        return any(named) and len(arguments) > 1 and not all(named[-2:])
    return name in ("fetch", "pull") and HERE in arguments and any(named)


def _reaches_records(refspec: str) -> bool:
    """Whether a pattern of refs writes to the records among others."""
    start, star, _ = refspec.rpartition(":")[2].partition("*")
    return bool(star) and ":" in refspec and (known.RECORDS + "/").startswith(start)


def _inner_commands(walk: Walk, call: Call, name: str) -> None:
    arguments = call.arguments
    if name == "rebase":
        _between_commits(walk, arguments)
    elif name == "bisect" and arguments[:1] == ["run"]:
        walk.launch(arguments[1:])
    elif name == "submodule" and "foreach" in arguments:
        rest = [word for word in arguments[arguments.index("foreach") + 1 :] if word not in ("--recursive", "--quiet")]
        # In folders that the text does not name.
        walk.state.put(FOLDER, ())
        walk.new_shell(" ".join(rest))
    elif name == "for-each-repo":
        walk.launch(["git", *(word for word in arguments if not word.startswith("--config"))])
    elif name in ("filter-branch", "difftool", "mergetool"):
        for word in arguments:
            text = word.partition("=")[2] if word.startswith("--") else word
            if may_concern(text):
                walk.new_shell(text)


def _between_commits(walk: Walk, arguments: Sequence[str]) -> None:
    for at, word in enumerate(arguments):
        if word in ("-x", "--exec"):
            walk.new_shell("".join(arguments[at + 1 : at + 2]))
        elif word.startswith(("--exec=", "-x")):
            walk.new_shell(word.partition("=")[2] if word.startswith("--") else word[2:])


def _alias(walk: Walk, call: Call, aliases: int) -> bool:
    """Run what an alias stands for; false where none is known."""
    values = _alias_values(walk, call)
    if not values:
        return False
    for value in values:
        if aliases >= _MOST_ALIASES or UNKNOWN in value or not value:
            walk.unclear([*call.words, UNKNOWN])
        elif value.startswith("!"):
            walk.new_shell(value[1:] + ' "$@"', tuple(call.arguments))
        else:
            _run_alias(walk, call, [*walk.words_of(value), *call.arguments], aliases)
    return True


def _alias_values(walk: Walk, call: Call) -> list[str]:
    key = "alias." + call.subcommand.lower()
    here = [value for name, value in call.config if name == key]
    if here:
        return here[-1:]
    told = walk.state.get(GIT_ALIAS + call.subcommand.lower())
    configured = walk.aliases(call.folder or HERE)
    for name in configured:
        if name.lower() == call.subcommand.lower():
            return [*(told or ()), configured[name]]
    return list(told or ())


def _run_alias(walk: Walk, call: Call, words: list[str], aliases: int) -> None:
    inner = Call(["git", *words], call.folder)
    inner.config = call.config.copy()
    inner.exec_path = call.exec_path
    _read_options(inner)
    if walk.enter(call.words):
        _run_call(walk, inner, aliases + 1)
        walk.depth -= 1


def _external(walk: Walk, call: Call, name: str) -> None:
    """A subcommand that is a program of its own, or an alias that only another folder or configuration knows."""
    if name in known.PUBLISHING:
        verbs = known.PUBLISHING[name]
        if not verbs or any(word in verbs or UNKNOWN in word for word in call.arguments):
            walk.add(PUBLISH, call.words, call.folder)
    elif call.folder is None or _environment_skips(walk):
        # Settings that are given in variables may say what it stands for.
        told = [UNKNOWN] if _notable(walk, known.CONFIG_VARIABLE_START) else []
        walk.unclear([*call.words, *told])
    else:
        walk.tail([name, *call.arguments])
    walk.may_have_moved = True
