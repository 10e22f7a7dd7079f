"""What an HTTP status or the words of a program tell about why there is no answer."""

from __future__ import annotations

import re
from collections.abc import Mapping

from review_gate.ports import Failure

TOLD_STATUS = re.compile(r"\b(?:status|error|code)\b\D{0,12}\b([45]\d\d)\b", re.IGNORECASE)
BILLING = re.compile(r"credit balance|billing|insufficient_quota", re.IGNORECASE)
# In this order: a message on a limit of use may also speak of trying again, or of logging in to an account with more.
WORDS: tuple[tuple[Failure, str], ...] = (
    ("quota", r"usage limit|rate.?limit|quota|too many requests|resource.?exhausted|credit balance|billing"),
    ("not_logged_in", r"not logged in|/login|please (?:log|sign) in|api.?key|authent|authori[sz]|credential"),
    ("overloaded", r"overloaded|high demand|at capacity|unavailable|internal server error"),
    ("truncated", r"max_output_tokens|max_tokens|context (?:window|length)|prompt is too long|too many tokens"),
    ("refused", r"refus(?:al|ed to (?:answer|help))|polic(?:y|ies)|safety|blocked"),
    ("unreachable", r"connect|network|ECONN|ENOTFOUND|EAI_AGAIN|getaddrinfo|\bdns\b|certificate|\btls\b"),
    ("timeout", r"timed? ?out"),
)
# How a message of Anthropic's models ends when it is not a whole answer.
ENDINGS: Mapping[str, tuple[Failure, str]] = {
    "refusal": ("refused", "the model refused to answer"),
    "max_tokens": ("truncated", "the answer reached the limit of output tokens and breaks off"),
    "model_context_window_exceeded": ("truncated", "question and answer together are longer than the model can hold"),
}
# They can pass by themselves.
PASSING: tuple[Failure, ...] = ("overloaded", "unreachable")


def kind_of_status(status: int, words: str = "") -> Failure:
    """What a status that is no success says; a bill that is not paid comes as a bad request."""
    if status in (401, 403):
        return "not_logged_in"
    if status in (402, 429) or (400 <= status < 500 and BILLING.search(words)):
        return "quota"
    if status >= 500 or status == 408:
        return "overloaded"
    return "refused" if status >= 400 else "unreachable"


def kind_of_words(words: str, otherwise: Failure = "crashed") -> Failure:
    """What a program's message says, by the status that it names or by its words."""
    if told := TOLD_STATUS.search(words):
        return kind_of_status(int(told[1]), words)
    return next((kind for kind, pattern in WORDS if re.search(pattern, words, re.IGNORECASE)), otherwise)
