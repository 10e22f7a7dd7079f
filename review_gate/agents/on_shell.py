"""The answers to commands of a shell: pushes that git's own hook does not see, and what takes the gate away."""

from __future__ import annotations

import os

from review_gate.agents.answer import ASK, DENY, Answer, denied, untouchable
from review_gate.agents.facts import INTACT, MISSING
from review_gate.commandline.acts import (
    HERE,
    HOOKS_OFF,
    NO_PARSER,
    OFFER,
    PUSH,
    RECORDS,
    SEND,
    UNCLEAR,
    UNINSTALL,
    UNKNOWN,
    UNREAD,
    WRITE,
)
from review_gate.commandline.programs import acts_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.agents.event import Event
    from review_gate.agents.here import Here
    from review_gate.commandline.acts import Act

LONGEST_SHOWN = 120
HOLD = "they are what keeps unreviewed work here"
# What no agent may do, whatever the gate says: what, why, and what to type.
NEVER = {
    SEND: ("sends commits past git's hooks", "only a push that git's own hook sees is judged", "git push"),
    HOOKS_OFF: ("leads git away from its hooks", HOLD, ASK),
    RECORDS: ("changes the records of reviews", "only reviews write them", "review-gate run"),
    UNINSTALL: ("takes the gate away", "an agent does not decide that its work needs no review", ASK),
}
# These are refused in every folder: they are about review-gate itself, or about all repositories of the user.
EVERYWHERE = ("review-gate", "review_gate", "--global", "--system")
# A command that cannot be read is refused if its line has one of these.
AROUND = ("no-verify", "hookspath", "send-pack", ".git/", "refs/review-gate")
UNREADABLE = (*AROUND, "push", "uninstall")
IN_PLAIN_WORDS = "the same in shorter commands, with every word written out"
INSTALL_AGAIN = "install review-gate again: pip install --force-reinstall review-gate"
MADE_BEFORE = (
    "the same line changes commits or branches first, and git's own pre-push hook does not run here",
    "push by a command of its own, or: review-gate install",
)


def answer_shell(event: Event, facts: Here) -> Answer:
    """A refusal of the first thing in a command that may not be done, else nothing."""
    line = (event.text or "").lower()
    acts = acts_in(
        event.text or "", lambda folder: facts.aliases(_folder(event, folder)), is_powershell=event.is_powershell
    )
    # What is certain says more than what is unclear.
    for act in sorted(acts, key=lambda act: act.kind == UNCLEAR):
        answer = _about(act, _folder(event, act.folder), line, facts)
        if answer is not None:
            return answer
    return Answer()


def _folder(event: Event, folder: str | None) -> str:
    """The folder of an act; if the line does not tell which it is, the session's own one is the best guess."""
    if folder is None or folder == HERE:
        return event.folder
    return folder if folder.startswith("~") else os.path.join(event.folder, folder)


def _about(act: Act, folder: str, line: str, facts: Here) -> Answer | None:
    if act.kind == WRITE:
        names = ((word, facts.guarded_name(word, folder)) for word in act.words)
        return next((untouchable(_told(word), name) for word, name in names if name), None)
    is_everywhere = act.kind in NEVER and any(word.startswith(EVERYWHERE) for word in act.words)
    hooks = facts.push_hook(folder)
    if hooks not in (INTACT, MISSING) and not is_everywhere:
        return None
    if act.skipped_by:
        left_out = _short(_told(act.skipped_by))
        return denied(f"{_shown(act)} skips git's hooks", HOLD, f"the same command without {left_out}")
    if act.kind in NEVER:
        what, why, next_step = NEVER[act.kind]
        return denied(f"{_shown(act)} {what}", why, next_step)
    if act.kind in (UNREAD, UNCLEAR):
        return _about_unread(act, folder, line, facts, is_gated=hooks == INTACT)
    if act.kind in (PUSH, OFFER) and hooks == INTACT:
        return None
    return _about_push(act, folder, facts)


def _about_push(act: Act, folder: str, facts: Here) -> Answer | None:
    gate = facts.push_gate(folder, act.words if act.kind == PUSH else ())
    if gate is not None and gate.is_open and act.has_moved:
        return denied(f"nobody can say yet what {_shown(act)} would send", *MADE_BEFORE)
    return None if gate is None or gate.is_open else Answer(DENY, gate.text)


def _about_unread(act: Act, folder: str, line: str, facts: Here, *, is_gated: bool) -> Answer | None:
    if act.kind == UNREAD and any(word in line for word in UNREADABLE):
        shown, reason = act.words
        next_step = INSTALL_AGAIN if reason == NO_PARSER else IN_PLAIN_WORDS
        return denied(
            f"`{_short(shown)}` {reason}", "it names a push, or the hooks that keep unreviewed work here", next_step
        )
    named = next((word for word in AROUND if word in line), "")
    if act.kind == UNCLEAR and named:
        why = f"its line names {named}, and only the shell knows what this part starts"
        return denied(f"{_shown(act)} is unclear", why, IN_PLAIN_WORDS)
    return None if is_gated or "push" not in line else _about_push(act, folder, facts)


def _shown(act: Act) -> str:
    """The command as a person knows it again, on one line."""
    words = " ".join(map(_told, act.words))
    command = f"git push {words}".rstrip() if act.kind == PUSH else words
    return f"`{_short(command)}`"


def _told(word: str) -> str:
    return word.replace(UNKNOWN, "...")


def _short(text: str) -> str:
    return f"{text[:LONGEST_SHOWN]}..." if len(text) > LONGEST_SHOWN else text
