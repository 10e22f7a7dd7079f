"""What questions will cost before they are asked: a rough figure that errs high."""

from __future__ import annotations

import json
from collections.abc import Sequence

from pydantic import Field

from review_gate.models import Frozen
from review_gate.pipeline.prices import Price
from review_gate.ports import Question, Usage

DIGITS = "0123456789"
# What stands around a question: its roles, the marks between its parts, and how to answer by a schema.
FRAME_TOKENS = 400


class Estimate(Frozen):
    """Some questions, the most tokens that they will take, and what these cost; no `usd` where no price is known."""

    questions: int = Field(ge=0)
    input_tokens: int = Field(ge=0)
    # Those of the input that an earlier question brought into the provider's cache.
    cached_tokens: int = Field(default=0, ge=0)
    output_tokens: int = Field(ge=0)
    usd: float | None = Field(default=None, ge=0)

    @property
    def tokens(self) -> int:
        """All tokens, in and out."""
        return self.input_tokens + self.output_tokens


def tokens_in(text: str) -> int:
    """About how many tokens a text has, rather too many than too few.

    The rule: each digit is a token, 5 other ASCII characters are 2, and so are 4 bytes of any other character in UTF-8.
    Tokenizers make one of about 4 characters of English, of 3 of code, and of up to 3 digits; a Chinese character is
    one or two.
    """
    plain = len(text.encode("ascii", "ignore"))
    other = len(text.encode("utf-8", "surrogatepass")) - plain
    digits = sum(map(text.count, DIGITS))
    return digits + _up((plain - digits) * 2, 5) + _up(other, 2)


def _up(dividend: int, divisor: int) -> int:
    return -(-dividend // divisor)


def estimate(questions: Sequence[Question], price: Price | None) -> Estimate:
    """What all of them take: the first with a shared text pays for it in full, later ones as for cached input.

    Each is reckoned with the longest answer that it allows. To promise money for one question, ask for that one alone:
    it may be put before the provider's cache holds anything.
    """
    used = Usage()
    seen: set[str] = set()
    for question in questions:
        used += _usage(question, is_cached=question.shared in seen)
        seen.add(question.shared)
    return Estimate(
        questions=len(questions),
        input_tokens=used.input_tokens,
        cached_tokens=used.cached_tokens,
        output_tokens=used.output_tokens,
        usd=None if price is None else price.cost(used),
    )


def _usage(question: Question, *, is_cached: bool) -> Usage:
    shared = tokens_in(question.shared)
    own = tokens_in(question.task) + tokens_in(json.dumps(question.answer.model_json_schema())) + FRAME_TOKENS
    return Usage(
        input_tokens=shared + own,
        cached_tokens=shared if is_cached else 0,
        output_tokens=question.max_output_tokens,
    )
