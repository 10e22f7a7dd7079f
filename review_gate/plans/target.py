"""Which plan is meant by `Review: session://ID`, by a path, or by a folder; an id never leads out of its folder."""

from __future__ import annotations

import re
from typing import NamedTuple

from review_gate.config.display import quoted
from review_gate.errors import MisuseError

PROMPT = re.compile(r"\s*review:\s*(.*?)\s*", re.IGNORECASE | re.DOTALL)
SESSION = "session://"
SESSION_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}(?:\.[A-Za-z0-9_-]{1,50}){0,5}")
# Devices of Windows, whatever follows their name.
DEVICES = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)
PLAN = "plan.md"


class Target(NamedTuple):
    """What was named: a session by its id, or a path."""

    session: str = ""
    path: str = ""


def target_of(text: str) -> Target:
    """The plan that a text names."""
    prompt = PROMPT.fullmatch(text)
    named = prompt[1] if prompt else text
    if not named.startswith(SESSION):
        return Target(path=named)
    session = named.removeprefix(SESSION)
    if not SESSION_ID.fullmatch(session) or DEVICES.fullmatch(session):
        raise MisuseError(
            f"{quoted(session[:80])} is no id of a session",
            why="it names one folder among the sessions: letters, digits, dashes, underscores and single dots",
            next_step="review-gate expert-review session://ID, or the path of a plan",
        )
    return Target(session=session)
