"""What an agent is answered to an event: a pure function of the event and the facts, for every agent the same."""

from __future__ import annotations

from review_gate.agents.answer import (
    CONTEXT,
    COUNT_STOP,
    DENY,
    FORGET_STOPS,
    KEEP_WORKING,
    Answer,
    denied,
    noticed,
    untouchable,
)
from review_gate.agents.event import CONFIG, PLAN, PROMPT, SHELL, START, STOP, WRITE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.agents.event import Event
    from review_gate.agents.facts import Round
    from review_gate.agents.here import Here

UNAPPROVED = "only a plan whose very text was approved may be carried out"
NO_COMMAND = (
    "the command was not sent along, so nobody can say what it does",
    "it may be a push, or take the gate away",
    "review-gate doctor, and the same command again",
)
# Of the others nobody has seen all names that they have for the file.
NAMES_FILES = ("claude", "gemini")
NO_FILE = (
    "the file was not named, so nobody can say that it may be written",
    "it may be one that the gate decides by",
    "name the file, and write it again",
)
NO_PLAN = (
    "the plan was not sent along, so nobody can say that it is approved",
    UNAPPROVED,
    "write the plan to its file, then review-gate expert-review FILE",
)
LONGEST_LINE = 200
# Gemini CLI and Cursor put it to the model as a prompt, and tell us of that one too; then nobody spoke to the agent.
NEXT_ROUND = "after the fix the same command begins the next round"


def evaluate(event: Event, facts: Here) -> Answer:
    """The answer to an event."""
    rules = {
        PROMPT: _on_prompt,
        SHELL: _on_shell,
        WRITE: _on_write,
        PLAN: _on_plan,
        STOP: _on_stop,
        START: _on_start,
        CONFIG: _on_config,
    }
    rule = rules.get(event.kind)
    return rule(event, facts) if rule is not None else Answer()


def _on_prompt(event: Event, facts: Here) -> Answer:
    from review_gate.agents.on_prompt import answer_prompt
    from review_gate.agents.spoken import is_of_the_user

    answer = answer_prompt(event, facts)
    # Who speaks to the agent has it begin anew; a program's words are nobody's, and there may be many of them.
    if is_of_the_user(event.text or "") and NEXT_ROUND not in (event.text or ""):
        answer.effects = (*answer.effects, (FORGET_STOPS, event.session, ""))
    return answer


def _on_shell(event: Event, facts: Here) -> Answer:
    if event.text is None:
        return denied(*NO_COMMAND)
    from review_gate.commandline.quick import may_concern

    if not may_concern(event.text):
        return Answer()
    from review_gate.agents.on_shell import answer_shell

    return answer_shell(event, facts)


def _on_write(event: Event, facts: Here) -> Answer:
    if not event.paths and event.agent in NAMES_FILES:
        return denied(*NO_FILE)
    for path in event.paths:
        name = facts.guarded_name(path, event.folder)
        if name and not (event.edits and facts.keeps_registration(path, event.edits, event.folder)):
            return untouchable(path, name)
    return Answer()


def _on_plan(event: Event, facts: Here) -> Answer:
    if not (event.text or "").strip():
        return denied(*NO_PLAN)
    problem, next_step = facts.plan_problem(event.text or "", event.path, event.folder)
    return denied(problem, UNAPPROVED, next_step) if problem else Answer()


def _on_stop(event: Event, facts: Here) -> Answer:
    rounds = facts.rounds(event.folder, event.session)
    to_fix = [one for one in rounds if one.outcome == "fix"]
    if not to_fix:
        waiting = "; ".join(_under_way(one) for one in rounds)
        return noticed(f"review-gate: {waiting}") if waiting else Answer()
    named = ", ".join(f"{one.review} ({_counted(one.open_findings)})" for one in to_fix)
    if event.has_background:
        return noticed(f"review-gate: background work goes on, so the session may stop; still to be fixed: {named}")
    stops, limit = facts.stops(event.session, event.last_words), facts.stop_limit(event.folder)
    if stops >= limit:
        times = "once" if stops == 1 else f"{stops} times"
        return noticed(f"review-gate: kept from stopping {times}, so it may stop now; still to be fixed: {named}")
    reason = "\n".join(_to_fix(one) for one in to_fix)
    return Answer(KEEP_WORKING, reason, effects=((COUNT_STOP, event.session, event.last_words),))


def _under_way(one: Round) -> str:
    if one.outcome == "needs_person":
        return f"{one.review} needs you: review-gate check {one.review}"
    return f"{one.review} is under way: review-gate check {one.review} --wait"


def _to_fix(one: Round) -> str:
    return (
        f"{one.review}, round {one.round}: {_counted(one.open_findings)} to be settled in the {one.place}.\n"
        f"  next:  review-gate check {one.review} tells them and what to do; {NEXT_ROUND}"
    )


def _counted(number: int) -> str:
    return "1 finding" if number == 1 else f"{number} findings"


def _on_start(event: Event, facts: Here) -> Answer:
    from review_gate.safe_text import safe_line

    gate = facts.head_gate(event.folder)
    of_git = [*facts.lost_protection(event.folder), *facts.open_submodules(event.folder)]
    lost = [safe_line(one) for one in (*of_git, *facts.lost_registration(event.folder))]
    protection = "protection complete" if not lost else f"protection INCOMPLETE: {'; '.join(lost)}"
    standing = "nothing here would leave unreviewed" if gate is None else _standing(gate.document, is_open=gate.is_open)
    line = f"review-gate: {standing} | {protection}"
    return Answer(CONTEXT, line, notice=line if lost else "")


def _standing(document: object, *, is_open: bool) -> str:
    said = document if isinstance(document, dict) else {}
    message = str(said.get("message"))
    # What keeps many reviewers away may fill a screen; review-gate status has all of it.
    shown = f"{message[:LONGEST_LINE]}..." if len(message) > LONGEST_LINE else message
    return f"gate open: {shown}" if is_open else f"gate closed: {shown} next: {said.get('next')}"


def _on_config(event: Event, facts: Here) -> Answer:
    lost = facts.lost_registration(event.folder)
    if not lost:
        return Answer()
    return Answer(
        DENY,
        f"review-gate: this change would take the gate out of the session: {'; '.join(lost)}. The session keeps the "
        f"hooks that it has; the file {event.path or 'on disk'} stays changed, so the next session would begin without "
        "them. Restore it: review-gate doctor names the command",
    )
