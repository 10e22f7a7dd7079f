"""`git config`: settings that turn hooks off, now or under a name for later."""

from __future__ import annotations

from review_gate.commandline import git_words as known
from review_gate.commandline.acts import HOOKS_OFF, REFS, UNKNOWN, WRITE
from review_gate.commandline.names import names
from review_gate.commandline.quick import may_concern
from review_gate.commandline.state import GIT_ALIAS, PUSH_SETTINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.commandline.git import Call
    from review_gate.commandline.walk import Walk

_READS = names(
    """--get --get-all --get-regexp --get-urlmatch --list -l --get-color --get-colorbool get list --show-origin"""
)
_VERBS = names("set unset edit rename-section remove-section get list")
_VALUED = frozenset({"-f", "--file", "--blob", "-t", "--type", "--default", "--comment", "--value", "--url"})
_SECTIONS = frozenset({"--remove-section", "--rename-section", "remove-section", "rename-section"})
_OFF = ("no-verify", "no-veri", "hookspath", "send-pack", "http-push", known.RECORDS)


def turns_hooks_off(key: str) -> bool:
    """Whether a setting decides which hooks are called; a templateDir does not, as it is for new repositories only."""
    return key in known.HOOK_KEYS or key.startswith(known.HOOK_KEY_STARTS) or UNKNOWN in key


def is_shell_key(key: str) -> bool:
    """Whether git hands the value of a setting to a shell."""
    return key in known.SHELL_KEYS or key.endswith(known.SHELL_KEY_ENDS) or key.startswith(known.SHELL_KEY_STARTS)


def changes_what_is_pushed(key: str) -> bool:
    """Whether a setting decides which refs a push sends that names none."""
    return key == "push.default" or (key.startswith("remote.") and key.endswith((".push", ".mirror")))


def recurses(key: str) -> bool:
    """Whether a setting decides about pushing submodules, too."""
    return key in ("push.recursesubmodules", "submodule.recurse")


def note_config(walk: Walk, call: Call) -> None:
    """Note what a `git config` command sets, unsets or opens."""
    options, rest, file = _read(call.arguments)
    if options & {"-e", "--edit"} or rest[:1] == ["edit"]:
        walk.add(HOOKS_OFF, call.words, call.folder)
        return
    is_section = bool(options & _SECTIONS) or rest[:1] in (["rename-section"], ["remove-section"])
    is_read = bool(options & _READS) or (rest[:1] and rest[0] in ("get", "list"))
    verb = rest[0] if rest and rest[0] in _VERBS and len(rest) > 1 else ""
    named = rest[1:] if verb else rest
    unsets = verb == "unset" or bool(options & {"--unset", "--unset-all"})
    if is_read or not named or (len(named) < 2 and not (unsets or is_section)):
        return
    if file:
        walk.add(WRITE, [file], call.folder)
    key = named[0].lower()
    if (is_section and _names_section(key)) or (not is_section and turns_hooks_off(key)):
        walk.add(HOOKS_OFF, call.words, call.folder)
    elif len(named) > 1:
        _note_value(walk, call, key, named[1])


def _names_section(key: str) -> bool:
    return key.partition(".")[0] in ("core", "include", "includeif", "hook") or UNKNOWN in key


def _read(arguments: list[str]) -> tuple[set[str], list[str], str]:
    options: set[str] = set()
    rest: list[str] = []
    file = ""
    at = 0
    while at < len(arguments):
        word = arguments[at]
        if not word.startswith("-") or (rest and rest[0] not in _VERBS and len(rest) < 2):
            # A value may begin with a hyphen.
            rest.append(word)
        elif word in _VALUED:
            at += 1
            file = "".join(arguments[at : at + 1]) if word in ("-f", "--file") else file
        elif word.startswith("--file="):
            file = word.partition("=")[2]
        else:
            options.add(word)
        at += 1
    return options, rest, file


def _note_value(walk: Walk, call: Call, key: str, value: str) -> None:
    if known.RECORDS in value:
        walk.add(REFS, call.words, call.folder)
    if changes_what_is_pushed(key):
        walk.state.put(PUSH_SETTINGS, ("",))
    if is_shell_key(key) and may_concern(value):
        walk.new_shell(value)
    if not key.startswith("alias."):
        return
    walk.state.put(GIT_ALIAS + key.removeprefix("alias."), (value,))
    text = value.lower()
    if any(word in text for word in _OFF) or ("commit" in text and " -n" in text):
        walk.add(HOOKS_OFF, call.words, call.folder)
