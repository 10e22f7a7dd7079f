"""Judging within limits: where a text takes too much time or memory, nobody can tell which of its hits count."""

from __future__ import annotations

from review_gate.checks.judge import judged
from review_gate.checks.long_texts import LONG_TEXT
from review_gate.checks.search import MOST_SLOW_SECONDS
from review_gate.checks.watch import TooSlowError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from review_gate.checks.rule import Hit
    from review_gate.checks.scan import Question
    from review_gate.checks.watch import Watch


class JudgeInTime:
    """Decides in this process which hits count, and after too much time in vain about no text any more."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._slow_seconds = 0.0

    def __call__(self, questions: Sequence[Question]) -> list[list[Hit] | None]:
        """For each question the hits that count, None where that could not be told in time."""
        return [self._judged(*question) for question in questions]

    def _judged(self, hits: Sequence[Hit], text: str, language: str) -> list[Hit] | None:
        if self._slow_seconds >= MOST_SLOW_SECONDS:
            return None
        begin = self._watch.used()
        try:
            return self._in_time(hits, text, language)
        except (TooSlowError, MemoryError):
            self._slow_seconds += self._watch.used() - begin
            return None

    def _in_time(self, hits: Sequence[Hit], text: str, language: str) -> list[Hit]:
        # Libraries that tell sentences apart heed no signal either; on shorter texts they are done soon.
        if len(text) <= LONG_TEXT:
            with self._watch:
                return judged(hits, text, language)
        # Imported here once, and not in each copy of this process.
        import review_gate.checks.structure  # noqa: F401 - for the sake of the copies

        counted = self._watch.bounded(lambda: _counted(hits, text, language))
        return [hit for hit, counts in zip(hits, counted, strict=True) if counts]


def _counted(hits: Sequence[Hit], text: str, language: str) -> bytes:
    """For each hit whether it counts."""
    counting = set(map(id, judged(hits, text, language)))
    return bytes(id(hit) in counting for hit in hits)
