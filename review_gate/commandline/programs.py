"""What a command line would do, and one command of it: shells, wrappers, hook managers, and what writes files."""

from __future__ import annotations

from review_gate.commandline.acts import UNCLEAR, UNINSTALL, UNKNOWN, UNREAD, Act, Reading, UnreadError, joined
from review_gate.commandline.git import CLIENTS, run_client, run_git
from review_gate.commandline.quick import may_concern, names, plain_commands, program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from review_gate.commandline.acts import Aliases

# PowerShell is not parsed: its words are looked at as if they were plain.
_POWERSHELL = {**dict.fromkeys("|&(){}", ";"), **dict.fromkeys("'\"`"), **dict.fromkeys("$<[]*?#!", " "), "\\": "/"}
# They start nothing and write nothing, whatever words they are given.
_READERS = names(
    """: [ test echo printf cat head tail wc ls grep egrep fgrep rg ag ack tree stat file du which type whereis
    man help info diff cmp basename dirname realpath readlink mkdir jq yq less more read unset alias unalias set"""
)
_SHELLS = names("sh bash zsh dash ash ksh mksh fish su script trap")
# A text for one of those is not read: it may push, or write, if it has one of these.
_INTERPRETERS = names("python pypy node deno bun ruby perl php lua osascript pwsh powershell")
_TELLING = ("gitpush", "no-verify", "send-pack", "hookspath", ".git/hooks", ".git/config")
_BETWEEN = str.maketrans("", "", "'\", ")
_MANAGERS = names("review-gate pre-commit prek lefthook husky hk overcommit")
_INSTALLERS = names("pip pip3 pipx uv poetry npm pnpm yarn brew gem conda mamba claude gemini")
_REMOVALS = names("uninstall --uninstall deactivate")
_PACKAGE_REMOVALS = names("uninstall remove rm disable")
# Each plain word is a path that changes, or only the last one, or they are with the option -i.
_WRITERS = names(
    """rm rmdir unlink shred mv tee touch truncate chmod chown trash patch dd curl wget
    remove-item move-item set-content add-content out-file del erase"""
)
_COPIERS = names("cp ln install rsync scp copy-item")
_EDITORS = names("sed perl ruby")
# What an unknown program may be given to start: `timeout 5 git push`, `find . -exec rm {} +`.
_STARTED = names("git gh glab hub jj dulwich eval cp ln") | _MANAGERS | _SHELLS | _WRITERS | _EDITORS
# Codex carries out such patches itself wherever a line of shell starts them.
_PATCH_MARKS = ("*** Add File:", "*** Update File:", "*** Delete File:", "*** Move to:")


def acts_in(text: str, aliases: Aliases, *, is_powershell: bool = False) -> list[Act]:
    """What a line of bash or sh would do, in order; `aliases` gives the git aliases of a folder."""
    if not may_concern(text):
        return []
    # No shell can be given a zero byte. Half a character is no text, and ends in a UnicodeEncodeError.
    text = text.replace("\0", "").encode().decode()
    reading = Reading(text, aliases, start, _parse)
    try:
        words = text.replace("$env:", "").replace(">", ";tee ").translate(str.maketrans(_POWERSHELL))
        reading.read(words if is_powershell else text)
    except UnreadError as error:
        reading.add(UNREAD, (text[:200], str(error)))
    return reading.acts


def _parse(reading: Reading, text: str) -> None:
    commands = plain_commands(text)
    if commands is None:
        # Only what is more than words pays for the import of the parser.
        from review_gate.commandline.tree import walk

        walk(reading, text)
    for words in commands or ():
        known = assigned_in(words)
        reading.run(words[len(known) :], names=known)


def assigned_in(words: Sequence[str]) -> dict[str, str]:
    """The variables that the first words set."""
    known: dict[str, str] = {}
    for word in words:
        name, found, value = word.partition("=")
        if not found or not name.isidentifier():
            break
        known[name] = value
    return known


def patched(patch: str) -> tuple[str, ...]:
    """The files that a patch is about."""
    lines = [line.strip() for line in patch.splitlines() if "***" in line]
    return tuple(line.removeprefix(mark).strip() for line in lines for mark in _PATCH_MARKS if line.startswith(mark))


def start(reading: Reading, words: Sequence[str], feed: str | None) -> None:
    """Note what one command does."""
    name = program(words[0])
    if UNKNOWN in name:
        reading.add(UNCLEAR, words)
    elif name in ("cd", "pushd"):
        plain = [word for word in words[1:] if word[:1] != "-"]
        reading.folder = joined(reading.folder, "".join(plain[:1]) or ("~" if len(words) == 1 else UNKNOWN))
    elif name in ("export", "declare", "typeset", "local", "readonly"):
        reading.environ = {**reading.environ, **assigned_in(words[1:])}
    elif name == "eval":
        reading.read(" ".join(words[1:]))
    elif name in _SHELLS:
        _shell(reading, words, feed)
    elif name == "git" or name.startswith("git-"):
        run_git(reading, words if name == "git" else ["git", name.removeprefix("git-"), *words[1:]])
    elif name in CLIENTS:
        run_client(reading, name, words)
    elif _removes_hooks(name, words):
        reading.add(UNINSTALL, words)
    elif name not in _READERS | _MANAGERS and not _writes(reading, name, words, feed):
        _started(reading, words, feed)


def _writes(reading: Reading, name: str, words: Sequence[str], feed: str | None) -> bool:
    plain = [word for word in words[1:] if word and not word.startswith("-")]
    if name in ("apply-patch", "applypatch"):
        reading.write(patched("\n".join((*words[1:], feed or ""))))
    elif name in _WRITERS:
        reading.write(word.rpartition("=")[2] for word in plain)
    elif name in _COPIERS and plain and "-t" not in words:
        # Its last word, or what is put into the folder that this is.
        *sources, target = plain
        inside = [f"{target.rstrip('/')}/{source.rstrip('/').rpartition('/')[2]}" for source in sources]
        reading.write(inside if target.endswith("/") else [target, *inside])
    elif name in _EDITORS and any(word[:1] == "-" and "i" in word[:4] for word in words):
        reading.write(plain)
    else:
        return False
    return True


def _shell(reading: Reading, words: Sequence[str], feed: str | None) -> None:
    before = reading.folder, reading.environ
    texts = [at for at, word in enumerate(words) if word == "trap" or (word[:1] == "-" != word[1:2] and "c" in word)]
    files = [word for word in words[1:] if word[:1] not in ("-", "+")]
    if texts:
        reading.read("".join(words[texts[0] + 1 : texts[0] + 2]))
    elif files[:1] == [UNKNOWN]:
        reading.add(UNCLEAR, words)
    elif feed is not None and (not files or "-s" in words):
        reading.read(feed)
    reading.folder, reading.environ = before


def _removes_hooks(name: str, words: Sequence[str]) -> bool:
    if name in _MANAGERS:
        return words[1:2] == [UNKNOWN] or not _REMOVALS.isdisjoint(words)
    # A version or a marketplace may follow the name.
    named = {word.partition("@")[0].replace("_", "-").lower() for word in words[1:]}
    return name in _INSTALLERS and bool(named & _MANAGERS and named & _PACKAGE_REMOVALS)


def _started(reading: Reading, words: Sequence[str], feed: str | None) -> None:
    """Read the command that a program is given to start: the words from the first known one on, or a text of it."""
    name = program(words[0])
    texts = "\n".join((*words[1:], feed or "")).lower().translate(_BETWEEN)
    if name.rstrip("0123456789.") in _INTERPRETERS and any(telling in texts for telling in _TELLING):
        reading.add(UNCLEAR, words)
    for at, word in enumerate(words[1:], 1):
        if program(word.partition(" ")[0]) not in _STARTED or words[at - 1] == "-u":
            continue
        if " " in word:
            reading.read(word)
        else:
            rest = [one.replace("{}", UNKNOWN) for one in words[at:]]
            known = assigned_in([one for one in words[1:at] if "=" in one and not one.startswith("-")])
            reading.run([*rest, *([UNKNOWN] if name in ("xargs", "parallel") else [])], feed, known)
        return
