"""What an agent calls with each prompt of its user: one that ends with !!! is reviewed first."""

from __future__ import annotations

import os
import sys

from review_gate.config.places import REVIEWING_VARIABLE
from review_gate.errors import PASS
from review_gate.strict_json import StrictJsonError, parse

MARK = "!!!"
SWITCH = "PROMPT_REVIEW_ENABLED"
OFF = ("false", "0", "no", "off")
# Text that a program wrote, with words of a model in it.
NOT_OF_THE_USER = "<task-notification>"
MAX_BYTES = 16_000_000
CONTEXT = """The user wants this prompt reviewed before anything is done: it ends with {mark}. Do not work on it yet.
1. Run `review-gate prompt-review request {name} --format json`.
2. Where its `status` is ask_reviewers, follow its `instructions` and run the command in `next`.
3. Show the user the result: `review-gate prompt-review show {name}`. Ask: proceed with the refined prompt (yes / no /
   edit)? Then run `review-gate prompt-review decide {name} yes`, `no`, or `edit --text FILE`.
4. Work by the prompt that this prints, and by nothing else.
Where the status is unchanged or not_reviewed, or a command fails, say so in one line and work by the user's prompt
without the {mark}."""
GOES_ON = "prompt review: the prompt goes on as it is: {}"


def main() -> int:
    """Answer on standard output; whatever breaks, the prompt goes on, and the user is told."""
    if os.environ.get(REVIEWING_VARIABLE) or os.environ.get(SWITCH, "").strip().lower() in OFF:
        return PASS
    try:
        prompt = _prompt()
        if prompt is None:
            return PASS
        answer = _requested(prompt) if _is_text(prompt) else _goes_on("it is no text")
    except StrictJsonError as error:
        answer = _goes_on(f"what the agent has sent cannot be read: {error}")
    except Exception as error:
        from review_gate.errors import explained

        known = explained(error)
        answer = _goes_on(f"{known.what} ({known.next_step})")
    _say(answer)
    return PASS


def _prompt() -> str | None:
    """The prompt without its mark, None where no review is wanted."""
    data = sys.stdin.buffer.read(MAX_BYTES) if sys.stdin is not None else b""
    # Most prompts have no mark, and that is seen before anything is parsed.
    if MARK.encode() not in data:
        return None
    payload = parse(data)
    prompt = payload.get("prompt") if isinstance(payload, dict) else None
    if not isinstance(prompt, str) or prompt.lstrip().startswith(NOT_OF_THE_USER) or _is_command(prompt):
        return None
    text = prompt.rstrip()
    wanted = text.rstrip("!").rstrip()
    return wanted if text.endswith(MARK) and wanted else None


def _is_command(prompt: str) -> bool:
    """Whether it is a command of the agent, such as /review, and not a path that a sentence begins with."""
    first = prompt.split(None, 1)[0] if prompt.strip() else ""
    return first.startswith("/") and "/" not in first[1:]


def _is_text(prompt: str) -> bool:
    """Whether it can be written down: JSON can hold the half of a character."""
    try:
        prompt.encode()
    except UnicodeEncodeError:
        return False
    return True


def _goes_on(why: str) -> dict[str, object]:
    return {"systemMessage": GOES_ON.format(why)}


def _requested(prompt: str) -> dict[str, object]:
    """Keep the prompt where the next command finds it: no shell ever quotes it."""
    from review_gate.workflows.prompt_request import keep_request

    name = keep_request(prompt, "!!!", os.environ)
    context = CONTEXT.format(mark=MARK, name=name)
    return {"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": context}}


def _say(answer: dict[str, object]) -> None:
    import json

    try:
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
    except (OSError, AttributeError):
        return
