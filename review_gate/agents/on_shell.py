"""The answers to commands of a shell: what would leave is judged, and what would take the gate away is refused."""

from __future__ import annotations

import os

from review_gate.agents.answer import ASK, DENY, Answer, denied, untouchable
from review_gate.commandline.acts import (
    ANYWHERE,
    HERE,
    HOOKS_OFF,
    PUBLISH,
    PUSH,
    REFS,
    SEND,
    TRACKING,
    UNCLEAR,
    UNINSTALL,
    UNKNOWN,
    UNREAD,
    WRITE,
)
from review_gate.commandline.find import acts_in
from review_gate.commandline.foreign import is_about_pushing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.agents.event import Event
    from review_gate.agents.facts import Facts
    from review_gate.commandline.acts import Act

LONGEST_SHOWN = 120
HOLD = "they are what keeps unreviewed work here"
SKIPS = ("skips git's hooks", HOLD)
# What no agent may do, whatever the gate says: what, why, and what to type.
NEVER = {
    SEND: ("sends commits past git's hooks", "only a push that git's own hook sees is judged", "git push"),
    HOOKS_OFF: ("leads git away from its hooks", HOLD, ASK),
    REFS: ("changes the records of reviews", "they are written by reviews alone", "review-gate run"),
    TRACKING: ("writes by hand what the remote is said to have", "only the remote itself tells that", "git fetch"),
    UNINSTALL: ("takes the gate away", "an agent does not decide that its work needs no review", ASK),
    UNREAD: ("is too long to be read", "its end may be a push, or take the gate away", "the same in shorter commands"),
}
UNSEEN = (
    "the command may make commits on the way, and git's own hook does not run there",
    "push by a command of its own; review-gate doctor names the hooks that are missing",
)
UNGATED = (
    "a review covers the commits of one repository",
    "review-gate doctor names them and what to type; or push with --recurse-submodules=check",
)
NOT_YET = ("nobody can say whether its commits were reviewed", "make it first, and push by a command of its own")


def answer_shell(event: Event, facts: Facts) -> Answer:
    """A refusal of the first thing in a command that may not be done, else nothing."""
    for act in acts_in(event.text or "", lambda folder: facts.aliases(_folder(event, folder))):
        answer = _about(act, event, facts)
        if answer is not None:
            return answer
    return Answer()


def _folder(event: Event, folder: str | None) -> str:
    """Where something would be done; where the text does not tell, the session's own folder is the best guess."""
    if folder is None or folder == HERE:
        return event.folder
    return folder if folder.startswith("~") else os.path.join(event.folder, folder)


def _about(act: Act, event: Event, facts: Facts) -> Answer | None:
    folder = _folder(event, act.folder)
    if act.kind == WRITE:
        return _about_files(act, folder, facts)
    if act.skipped_by:
        left_out = _short(_told(act.skipped_by))
        return denied(f"{_shown(act)} {SKIPS[0]}", SKIPS[1], f"the same command without {left_out}")
    if act.kind in NEVER:
        what, why, next_step = NEVER[act.kind]
        return denied(f"{_shown(act)} {what}", why, next_step)
    if act.kind == PUSH:
        return _about_push(act, folder, facts, [word for word in act.words if UNKNOWN not in word])
    if act.kind == PUBLISH or (act.kind == UNCLEAR and _may_push(act, event.text or "")):
        return _about_push(act, folder, facts, [])
    return None


def _about_push(act: Act, folder: str, facts: Facts, arguments: list[str]) -> Answer | None:
    gate = facts.push_gate(folder, arguments)
    if gate is None and act.may_have_moved and not facts.has_repository(folder):
        return denied(f"{_shown(act)} pushes from a repository that is not there yet", *NOT_YET)
    is_refused = gate is not None and not gate.is_open and not act.may_have_moved
    if act.kind == PUSH and not is_refused and facts.loses_submodules(folder, arguments):
        return denied(f"{_shown(act)} pushes submodules too, and the gate is not asked in all of them", *UNGATED)
    if gate is None:
        return None
    if act.kind in (PUSH, PUBLISH) and act.may_have_moved:
        # What will be pushed is not there yet, and then only git's own hook can say; without one nobody would.
        if facts.is_gated(folder, with_submodules=act.folder is None):
            return None
        if gate.is_open:
            return denied(f"nobody can say yet what {_shown(act)} would send", *UNSEEN)
    return None if gate.is_open else Answer(DENY, gate.text)


def _may_push(act: Act, line: str) -> bool:
    """Whether what the text does not tell may be a push."""
    if any(UNKNOWN in word for word in act.words[:2]) and is_about_pushing(line):
        # Neither the program nor its script is told, and the line speaks of pushing.
        return True
    return any("push" in word or "send-pack" in word for word in act.words) or _has_unknown_verb(act.words)


def _has_unknown_verb(words: tuple[str, ...]) -> bool:
    return any(word.rpartition("/")[2] in ("git", "gh") for word in words) and any(UNKNOWN in word for word in words)


def _about_files(act: Act, folder: str, facts: Facts) -> Answer | None:
    for word in act.words:
        if word == UNKNOWN and act.folder in (None, HERE):
            continue
        # `cd FOLDER && rm *` is about what is in that folder.
        name = facts.guarded_name(f"./{word}" if word == UNKNOWN else word, folder)
        if name:
            return untouchable(_told(word), name)
    return None


def _shown(act: Act) -> str:
    """The command as a person knows it again, on one line."""
    words = " ".join(map(_told, act.words))
    command = f"git push {words}".rstrip() if act.kind == PUSH else words
    return f"`{_short(command)}`"


def _told(word: str) -> str:
    return word.replace(ANYWHERE, "...").replace(UNKNOWN, "...")


def _short(text: str) -> str:
    return f"{text[:LONGEST_SHOWN]}..." if len(text) > LONGEST_SHOWN else text
