"""The answers to what a user types: /review gets its scope, /ship the gate's word, !!! a review of the prompt."""

from __future__ import annotations

from review_gate.agents.answer import CONTEXT, KEEP_PROMPT, KEEP_TYPED, Answer, noticed
from review_gate.agents.spoken import MARK, PROMPT_REVIEW, REVIEW, SHIP, command_in, prompt_to_review, review_wish

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from review_gate.agents.event import Event
    from review_gate.agents.here import Here

REVIEW_PROMPT = """The user wants this prompt reviewed before anything is done: it ends with {mark}. Do not work on it
yet.
1. Run `review-gate prompt-review request {name} --format json`.
2. Where its `status` is ask_reviewers, follow its `instructions` and run the command in `next`.
3. Show the user the result: `review-gate prompt-review show {name}`. Ask: proceed with the refined prompt (yes / no /
   edit)? Then run `review-gate prompt-review decide {name} yes`, `no`, or `edit --text FILE`.
4. Work by the prompt that this prints, and by nothing else.
Where the status is unchanged or not_reviewed, or a command fails, say so in one line and work by the user's prompt
without the {mark}."""
# What Claude Code puts into the text of a command is not always what was typed.
TYPED = """The text behind /prompt-review is kept as it was typed, under the ID {name}. Begin with
`review-gate prompt-review request {name} --format json`."""
REQUESTED = "Review command detected (nothing has been run yet):"
NO_TEXT = "review-gate: the prompt goes on as it is: it is no text"
APPROVED = "Ship gate: APPROVED"
BLOCKED = "Ship gate: BLOCKED. Show the user the blockers and the suggestion, and do no git operation."
RUN = "review-gate run"
NO_REPOSITORY = {
    "blocked": True,
    "reason": "there is no git repository here, so there is nothing to ship",
    "suggestion": "cd to the repository, then /ship again",
}
NOTHING_TO_SHIP = f"blocked: {NO_REPOSITORY['reason']}\n  next:  {NO_REPOSITORY['suggestion']}"


def answer_prompt(event: Event, facts: Here) -> Answer:
    """The answer to a prompt; most of them are none of our business."""
    prompt = event.text or ""
    command, rest = command_in(prompt)
    if command == SHIP:
        return _ship(event, facts)
    if command == REVIEW:
        return _review(event, facts, rest)
    if command == PROMPT_REVIEW:
        return _typed(event, facts, rest)
    wanted = prompt_to_review(prompt)
    if wanted is None or not facts.reviews_prompts():
        return Answer()
    if not _is_text(wanted):
        return noticed(NO_TEXT)
    name = facts.prompt_name(event.session, event.turn, prompt)
    return Answer(CONTEXT, REVIEW_PROMPT.format(mark=MARK, name=name), effects=((KEEP_PROMPT, name, wanted),))


def _typed(event: Event, facts: Here, text: str) -> Answer:
    if not text or not _is_text(text) or not facts.reviews_prompts():
        return Answer()
    name = facts.prompt_name(event.session, event.turn, text)
    return Answer(CONTEXT, TYPED.format(name=name), effects=((KEEP_TYPED, name, text),))


def _is_text(prompt: str) -> bool:
    """Whether it can be written down: JSON can hold the half of a character."""
    try:
        prompt.encode()
    except UnicodeEncodeError:
        return False
    return True


def _review(event: Event, facts: Here, rest: str) -> Answer:
    wish = review_wish(rest)
    scope = facts.review_scope(event.folder, wish.base)
    context = {
        "command": "/review",
        "scope": wish.scope,
        **scope,
        "loops": list(wish.loops),
        "options": list(wish.options),
    }
    if wish.strange:
        context["no_such_loops"] = list(wish.strange)
    return Answer(CONTEXT, f"{REQUESTED}\n{_json(context)}")


def _ship(event: Event, facts: Here) -> Answer:
    gate = facts.head_gate(event.folder)
    if gate is None:
        return Answer(CONTEXT, f"{BLOCKED}\n{_json(NO_REPOSITORY)}", refusal=NOTHING_TO_SHIP)
    said = gate.document
    if gate.is_open:
        document = {
            "blocked": False,
            "reviewed_commit": said.get("reviewed_commit") or said.get("commit"),
            "all_loops_passed": True,
            "message": said.get("message"),
        }
        return Answer(CONTEXT, f"{APPROVED}\n{_json(document)}")
    next_step = str(said.get("next"))
    document = {
        "blocked": True,
        "reason": said.get("message"),
        "why": said.get("why"),
        "state_commit": said.get("reviewed_commit"),
        "current_commit": said.get("commit"),
        "blockers": said.get("blockers"),
        "suggestion": f"/review, or: {next_step}" if next_step.startswith(RUN) else next_step,
    }
    return Answer(CONTEXT, f"{BLOCKED}\n{_json(document)}", refusal=gate.text)


def _json(document: Mapping[str, object]) -> str:
    import json

    # Names of files and messages of commits come from outside; in this form nothing in them is a line of its own.
    return json.dumps(document, indent=1)
