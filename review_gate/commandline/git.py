"""git, and other programs by which commits leave: pushes, what skips the hook, and what leads git elsewhere."""

from __future__ import annotations

from review_gate.commandline.acts import HERE, HOOKS_OFF, OFFER, PUSH, RECORDS, UNCLEAR, UNKNOWN, joined
from review_gate.commandline.quick import names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from review_gate.commandline.acts import Reading

# The usual commands, for which no alias has to be looked up: git ignores an alias with such a name.
_READING = names(
    """add apply blame cat-file check-ignore clean describe diff for-each-ref format-patch gc grep help log
    ls-files ls-remote ls-tree merge-base notes reflog remote rev-list rev-parse shortlog show show-ref status"""
)
# They change HEAD or a branch, so a later push in the line sends what nobody has judged.
_MOVING = names("am branch checkout cherry-pick commit fetch merge pull rebase reset revert stash switch tag")
_USUAL = _READING | _MOVING | names("bisect clone config init mv restore rm submodule symbolic-ref update-ref worktree")
# Their plain arguments can be paths of files that change.
_WRITING = ("checkout", "restore", "rm", "mv")
_VALUED = ("-C", "-c", "--git-dir", "--work-tree", "--namespace", "--super-prefix", "--config-env", "--attr-source")
_PUSH_VALUED = ("-o", "--push-option", "--repo", "--receive-pack", "--exec")
_SKIP = "--no-verify"
_HOOK_KEYS = ("core.hookspath", "include.path", "core", "include", "hook")
_REFS = "refs/review-gate"
# In an alias they lead around the gate.
_OFF = ("no-veri", "hookspath", "send-pack", _REFS)
_CONFIG_READS = names("--get --get-all --get-regexp --list -l get list")
_CONFIG_UNSETS = names("--unset --unset-all --remove-section unset remove-section")

# The kind of act, the programs, and with which first words they do it; without any, always. An offer starts `git push`.
_TABLE = """
offer gh glab lab tea: pr create, pr new, pr c, pulls create, pulls c, mr create, mr new, mr for, merge-request create
offer gh glab: stack push, stack submit, stack sync, stack save
offer gt av: submit, s, ss, stack submit, stack sync, sync, publish, merge, pr, pr create
offer hub: pull-request, sync, create, fork, push
offer git-subtree git-lfs git-annex git-machete: push, sync, assist, traverse, advance
offer git-town git-branchless git-spr: sync, ship, propose, submit, diff, land
offer git-flow: publish, finish, feature publish, feature finish, release finish, hotfix finish
offer git-review git-publish git-pushf git-sync:
publish arc spr ghstack repo: diff, land, submit, upload
publish git-svn git-p4: dcommit, set-tree, commit-diff, submit
publish git-send-email git-imap-send git-cvsexportcommit:
send jj sl: git push, gerrit upload, gerrit send, push, pr submit, ghstack, submit
send hg dulwich got: push, send-pack, send, fastexport
send git-send-pack git-http-push git-remote-https git-remote-http:
"""
CLIENTS: dict[str, tuple[str, frozenset[str]]] = {}
for _line in _TABLE.strip().split("\n"):
    _head, _, _verbs = _line.partition(":")
    for _name in _head.split()[1:]:
        _known = CLIENTS.get(_name, ("", frozenset()))[1]
        CLIENTS[_name] = (_head.split()[0], _known.union(filter(None, _verbs.strip().split(", "))))
_CLIENT_VALUED = ("-R", "--repo", "--hostname", "--repository", "--at-op", "--color", "--config")
# Variables that change which settings, and so which hooks, git takes.
_CONFIG_VARIABLES = ("HOME", "XDG_CONFIG_HOME", "GIT_EXEC_PATH", "GIT_COMMON_DIR")
# Variables by which hook managers, and review-gate, are told to do less; some of them only with one value.
_SWITCHES = names(
    """SKIP PRE_COMMIT_ALLOW_NO_CONFIG PREK_SKIP PREK_ALLOW_NO_CONFIG HUSKY HUSKY_SKIP_HOOKS LEFTHOOK LEFTHOOK_EXCLUDE
    LEFTHOOK_BIN OVERCOMMIT_DISABLE HK HK_SKIP_STEPS HK_SKIP_HOOK SKIP_SIMPLE_GIT_HOOKS CAPTAINHOOK_SKIP_HOOKS
    GITHOOKS_DISABLE GIT_HOOKS_DISABLE"""
)
_OFF_VALUES = {"HUSKY": ("0", UNKNOWN), "LEFTHOOK": ("0", "false", UNKNOWN), "HK": ("0", "false", UNKNOWN)}


class Call:
    """A git command: where it works, the settings on its command line, its verb and what follows."""

    def __init__(self, words: Sequence[str], folder: str | None, git_dir: str) -> None:
        self.words, self.folder, self.exec_path = words, folder, ""
        self.settings: dict[str, str] = {}
        at = 1
        while at < len(words) and words[at].startswith("-"):
            name, found, value = words[at].partition("=")
            if words[at] in _VALUED:
                at += 1
                value = "".join(words[at : at + 1])
            if name == "-C":
                self.folder = joined(self.folder, value)
            elif name == "--git-dir":
                git_dir = value
            elif name in ("-c", "--config-env"):
                key, _, setting = value.partition("=")
                self.settings[key.lower()] = setting if name == "-c" else UNKNOWN
            elif name == "--exec-path" and found:
                self.exec_path = words[at]
            at += 1
        self.folder = joined(self.folder, git_dir) if git_dir else self.folder
        self.verb, self.arguments = "".join(words[at : at + 1]), list(words[at + 1 :])


def run_git(reading: Reading, words: Sequence[str]) -> None:
    """Note what a git command does."""
    folder = reading.folder
    call = Call(words, folder, reading.environ.get("GIT_DIR", ""))
    # What git starts in turn works where git does.
    reading.folder = call.folder
    if call.verb == "push":
        _push(reading, call)
    elif call.verb in _USUAL:
        _usual(reading, call)
    elif UNKNOWN in call.verb:
        reading.add(UNCLEAR, words)
    elif f"git-{call.verb}" in CLIENTS:
        run_client(reading, f"git-{call.verb}", [f"git {call.verb}", *call.arguments])
    elif call.verb:
        _alias(reading, call)
    reading.folder = folder


def run_client(reading: Reading, name: str, words: Sequence[str]) -> None:
    """Note what another program of the table sends."""
    kind, known = CLIENTS[name]
    pairs = zip(words, words[1:], strict=False)  # noqa: RUF007 - itertools would be one more import of the hook
    verbs = [word for before, word in pairs if not word.startswith("-") and before not in _CLIENT_VALUED][:2]
    is_new = name == "gh" and verbs == ["repo", "create"] and "--push" in words
    if known and any(UNKNOWN in verb for verb in verbs):
        reading.add(UNCLEAR, words)
    elif not known or is_new or known & {" ".join(verbs), *verbs[:1]}:
        reading.add(kind, words, _skipping_variables(reading) if kind == OFFER else "")


def _skipping_variables(reading: Reading) -> str:
    """The variables that keep git, a hook manager or review-gate from what a push should start."""
    settings = [name for name in reading.environ if name in _CONFIG_VARIABLES or name.startswith("GIT_CONFIG")]
    switches = [
        f"{name}={value}"
        for name, value in reading.environ.items()
        if name in _SWITCHES or name.startswith("REVIEW_GATE_")
        if value.lower() in _OFF_VALUES.get(name, (value.lower(),))
    ]
    return ", ".join((*settings, *switches))


def _push(reading: Reading, call: Call) -> None:
    arguments = call.arguments
    if any(_REFS in word for word in arguments) and HERE in arguments:
        reading.add(RECORDS, call.words)
        return
    settings = (f"-c {key}={value}" for key, value in call.settings.items() if _turns_hooks_off(key))
    skipped_by = _skip_option(arguments) or call.exec_path or next(settings, "") or _skipping_variables(reading)
    may_skip = any(UNKNOWN in word for word in arguments) and _SKIP in reading.line
    # Such a setting can send any branch.
    more = [UNKNOWN] if any(key.startswith(("push.", "remote.")) for key in call.settings) else []
    reading.add(PUSH, [*arguments, *more], skipped_by or _SKIP * may_skip)


def _turns_hooks_off(key: str) -> bool:
    return key in _HOOK_KEYS or key.startswith(("includeif.", "hook.")) or UNKNOWN in key


def _skip_option(arguments: Sequence[str]) -> str:
    """The word that says `--no-verify`, which git lets be shortened."""
    for before, word in zip(("", *arguments), (*arguments, "--"), strict=True):
        if word == "--" or (word[5:] and _SKIP.startswith(word) and before not in _PUSH_VALUED):
            return word.rstrip("-")
    return ""


def _usual(reading: Reading, call: Call) -> None:
    arguments = call.arguments
    if call.verb == "config":
        _config(reading, call)
    elif call.verb not in _READING and any(_REFS in word for word in arguments):
        reading.add(RECORDS, call.words)
    elif call.verb in _WRITING and "--cached" not in arguments:
        reading.write(word for word in arguments if not word.startswith("-"))
    elif call.verb in ("rebase", "bisect", "submodule"):
        # Like a program that is given a command to start.
        reading.run(["env", *arguments])
    reading.has_moved = reading.has_moved or (call.verb in _MOVING and arguments[:1] != ["list"])


def _config(reading: Reading, call: Call) -> None:
    words = [word.lower() for word in call.arguments]
    plain = [word for word in words if not word.startswith("-") and word not in ("set", *_CONFIG_UNSETS)]
    # The value of such an option may stand before the key.
    keys = plain if {"-f", "--file", "--type"} & {*words} else plain[:1]
    is_set = (len(plain) > 1 and not _CONFIG_READS & {*words}) or bool(_CONFIG_UNSETS & {*words})
    is_alias = any(key.startswith("alias.") for key in keys) and any(off in word for word in plain for off in _OFF)
    is_off = is_set and (is_alias or any(map(_turns_hooks_off, keys)))
    if is_off or {"-e", "--edit"} & {*words} or "edit" in words[:1]:
        reading.add(HOOKS_OFF, call.words)


def _alias(reading: Reading, call: Call) -> None:
    known = {name.lower(): value for name, value in reading.aliases(call.folder or HERE).items()}
    value = call.settings.get(f"alias.{call.verb.lower()}") or known.get(call.verb.lower(), "")
    # Settings in variables may say what it stands for.
    is_unclear = not value and any(name.startswith("GIT_CONFIG") for name in reading.environ)
    if is_unclear or UNKNOWN in value:
        reading.add(UNCLEAR, call.words)
    elif value.startswith("!"):
        reading.read(" ".join([value[1:], *call.arguments]))
    elif value:
        settings = [word for name, one in call.settings.items() for word in ("-c", f"{name}={one}")]
        words = [word.strip("'\"") for word in value.split()]
        reading.run(["git", *settings, *words, *call.arguments])
