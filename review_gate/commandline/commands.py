"""One command with its arguments: which program it is, and who knows what that does."""

from __future__ import annotations

from review_gate.commandline.acts import UNKNOWN, WRITE
from review_gate.commandline.foreign import LANGUAGES, is_about_pushing, run_foreign
from review_gate.commandline.git import run_git
from review_gate.commandline.names import names
from review_gate.commandline.output import output_of
from review_gate.commandline.patches import PROGRAMS as PATCHERS
from review_gate.commandline.patches import patched_by
from review_gate.commandline.plain_edits import is_plain_edit
from review_gate.commandline.publishing import PUBLISHERS, note_publishing
from review_gate.commandline.quick import EDITORS, NOTABLE, program
from review_gate.commandline.shell_builtins import BUILTINS
from review_gate.commandline.starters import STARTERS
from review_gate.commandline.state import ALIAS, EXPORTED, FOLDER, FUNCTION, VARIABLE, joined
from review_gate.commandline.wrappers import MOST_WRAPPERS, WRAPPERS, Wrapped, environment, unwrapped
from review_gate.commandline.writes import written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.commandline.walk import Walk

# Programs that change neither HEAD nor a ref and start nothing.
HARMLESS = names(
    """: true false [ [[ test echo printf cat head tail wc ls dir pwd date sleep grep egrep fgrep rg ag ack fd tree
    stat file du df which type whereis whoami id uname hostname env printenv seq sort uniq cut tr tac rev nl paste
    join comm diff cmp basename dirname realpath readlink mkdir rmdir touch rm cp mv ln chmod chown tee sed jq yq
    less more man md5sum sha1sum sha256sum b2sum xxd od hexdump strings column fold fmt expand yes clear tput ps top
    kill jobs wait bg fg disown exit return break continue shift set unset export declare typeset local readonly
    alias unalias read mapfile readarray getopts let shopt umask ulimit times history hash help dirs cd pushd popd
    builtin command curl wget ping bat cal bc expr truncate mktemp base64 gzip gunzip zcat cksum sum tsort"""
)
_MOST_TAILS = 4


def start(walk: Walk, words: list[str], feed: str | None) -> str:
    """Start a command as a shell does: aliases, functions, builtins, programs; its output where that is told."""
    alias = walk.state.get(ALIAS + words[0])
    if alias and walk.enter(words):
        for value in filter(None, alias):
            walk.shell(value + ' "$@"', tuple(words[1:]), is_apart=False)
        walk.depth -= 1
    bodies = walk.state.get(FUNCTION + words[0])
    if bodies:
        said = walk.call(bodies, tuple(words[1:]), feed)
        if "" not in bodies:
            return said
    return launch(walk, words, feed)


def launch(walk: Walk, words: list[str], feed: str | None) -> str:
    """Start a builtin or a program, seen through all that stands before it."""
    before: list[tuple[str, tuple[str, ...] | None]] = []
    said = UNKNOWN
    walk.spend(len(words) // 64)
    for _ in range(MOST_WRAPPERS):
        if not words:
            break
        inner = _inner(walk, words)
        if inner is None:
            said = _launch(walk, words, feed)
            break
        _put_on(walk, inner, before)
        if inner.doubts:
            walk.unclear(words)
        words = inner.words
    else:
        walk.unclear(words)
    for key, value in reversed(before):
        walk.state.put(key, value)
    return said


def _inner(walk: Walk, words: list[str]) -> Wrapped | None:
    name = program(words[0])
    if name == "env":
        inner = environment(words)
        if inner.split is not None:
            inner.words = [*walk.words_of(inner.split), *inner.words]
            return environment(["env", *inner.words])
        return inner if inner.words else None
    if name == "command":
        return _after_command(words)
    return unwrapped(name, words) if name in WRAPPERS else None


def _after_command(words: list[str]) -> Wrapped | None:
    at = 1
    while at < len(words) and words[at].startswith("-"):
        if "v" in words[at].lower():
            return None
        at += 1
    return Wrapped(words[at:])


def _put_on(walk: Walk, inner: Wrapped, before: list[tuple[str, tuple[str, ...] | None]]) -> None:
    for name, value in inner.assigned:
        for key, one in ((VARIABLE + name, value), (EXPORTED + name, "")):
            before.append((key, walk.state.get(key)))
            walk.state.put(key, (one,))
    if inner.folder is not None:
        before.append((FOLDER, walk.state.get(FOLDER)))
        folder = joined(walk.state.folder, inner.folder)
        walk.state.put(FOLDER, () if folder is None else (folder,))


def _launch(walk: Walk, words: list[str], feed: str | None) -> str:
    walk.spend(1)
    name = program(words[0])
    if UNKNOWN in name:
        _unknown(walk, words, feed)
        return UNKNOWN
    if words[0] in BUILTINS:
        BUILTINS[words[0]](walk, words, feed)
        return output_of(words, feed)
    if name == "git" or name.startswith("git-"):
        run_git(walk, words if name == "git" else ["git", name.removeprefix("git-"), *words[1:]])
        return UNKNOWN
    if name in STARTERS:
        return STARTERS[name](walk, words, feed)
    return _program(walk, name, words, feed)


def _program(walk: Walk, name: str, words: list[str], feed: str | None) -> str:
    paths = patched_by(words, feed) if name in PATCHERS else written(name, words[1:])
    if paths:
        walk.add(WRITE, paths, walk.state.folder)
    if name in EDITORS and any(is_about_pushing(text) and not is_plain_edit(text) for text in (*words[1:], feed or "")):
        # They have commands of their own that run others.
        walk.unclear(words)
    if name in PUBLISHERS:
        note_publishing(walk, name, words)
        return UNKNOWN
    language = name.rstrip("0123456789.")
    if language in LANGUAGES:
        run_foreign(walk, language, words, feed)
    elif name not in HARMLESS:
        walk.may_have_moved = True
        walk.tail(words)
    return output_of([name, *words[1:]], feed)


def _unknown(walk: Walk, words: list[str], feed: str | None) -> None:
    walk.unclear(words)
    walk.tail(words)


def tail(walk: Walk, words: list[str]) -> None:
    """See whether a program that nobody knows is given a command to start: `anything git push`, `anything -c "…"`."""
    places = [at for at in range(1, len(words)) if _tail_name(words[at]) in NOTABLE]
    for at in places[:_MOST_TAILS]:
        if " " in words[at]:
            walk.new_shell(words[at])
        else:
            walk.launch(words[at:])


def _tail_name(word: str) -> str:
    return program(word.partition(" ")[0]).replace("_", "-")
