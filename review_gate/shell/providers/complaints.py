"""Why a model gave no answer, in words that are safe to show: no secrets, no control characters, not too long."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from review_gate.config.places import REVIEWING_VARIABLE
from review_gate.ports import Failure, NoReply, Usage
from review_gate.safe_text import safe, safe_line

LONGEST_WHY = 400
LONGEST_RAW = 20_000
SHORTEST_SECRET = 8
MASK = "***"
SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL", re.IGNORECASE)
SECRET_SHAPE = re.compile(r"\b(?:sk-[\w-]{12,}|AIza[\w-]{20,})|(?<=Bearer )[\w.~+/=-]{8,}")
# Colours, cursor movements and titles of windows.
ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)|[@-Z\\^_])")

USUAL_STEPS: Mapping[Failure, str] = {
    "quota": "wait until the limit is over, or choose another provider",
    "overloaded": "try again in some minutes, or choose another provider",
    "unreachable": "check the network, the proxy settings and the base URL, then try again",
    "timeout": "try again, or allow it more seconds",
    "refused": "choose another model or provider",
    "truncated": "allow more output tokens, or ask about a smaller change",
    "malformed": "try again, or choose another model",
    "crashed": "run the program by hand to see what is wrong with it",
}


class Complaints:
    """How one provider says that there is no answer."""

    def __init__(self, environ: Mapping[str, str], next_steps: Mapping[Failure, str]) -> None:
        self._secrets = secrets_in(environ)
        self._next_steps = {**USUAL_STEPS, **next_steps}

    def __repr__(self) -> str:
        return "Complaints(...)"

    def about(self, kind: Failure, why: str, *, raw: str = "", usage: Usage | None = None) -> NoReply:
        """No answer, why, and what to do about it."""
        return NoReply(
            kind=kind,
            why=in_one_line(why, self._secrets),
            next_step=self._next_steps[kind],
            raw=safe(without_secrets(raw[: 2 * LONGEST_RAW], self._secrets))[:LONGEST_RAW],
            usage=usage or Usage(),
        )


def nested(environ: Mapping[str, str]) -> NoReply | None:
    """A refusal where this process is itself at work for a reviewer."""
    if not environ.get(REVIEWING_VARIABLE):
        return None
    return NoReply(
        kind="refused",
        why=f"{REVIEWING_VARIABLE} is set: this was started by a reviewer, and a reviewer must not start reviewers",
        next_step=f"unset {REVIEWING_VARIABLE}, if no review is running",
    )


def secrets_in(environ: Mapping[str, str]) -> tuple[str, ...]:
    """The values that look like secrets by their names, longest first, as one may be part of another."""
    found = {value for name, value in environ.items() if SECRET_NAME.search(name) and len(value) >= SHORTEST_SECRET}
    return tuple(sorted(found, key=len, reverse=True))


def without_secrets(text: str, secrets: Iterable[str]) -> str:
    """The text without terminal escapes and without anything that opens a door."""
    text = ESCAPE.sub("", text)
    for secret in secrets:
        text = text.replace(secret, MASK)
    return SECRET_SHAPE.sub(MASK, text)


def in_one_line(text: str, secrets: Iterable[str]) -> str:
    """A sentence to show: one line, a readable length."""
    # A secret at the cut would be hidden no more, so the text is cut twice.
    line = safe_line(" ".join(without_secrets(text[: 20 * LONGEST_WHY], secrets).split()))
    return line if len(line) <= LONGEST_WHY else f"{line[: LONGEST_WHY - 3]}..."
