"""The search in one text within limits: a check that takes too much time or memory is named and left out."""

from __future__ import annotations

from collections.abc import Callable, Collection

from review_gate.checks.applies import Page, applies
from review_gate.checks.engine import MOST_PLACES, Engine, FloodError, Look
from review_gate.checks.judge import MOST_SLOW_SECONDS
from review_gate.checks.rule import Hit, Rule
from review_gate.checks.watch import TooSlowError, Watch

# A check that was too slow this often is not tried any more.
MOST_TIMES_SLOW = 3
# With so many slow checks a text is given up.
MOST_SLOW_IN_A_TEXT = 3
GIVEN_UP = "given up, because too many checks are too slow"
FLOODED = f"its checks could match at more than {MOST_PLACES} places (checks.exclude leaves a file out)"


class Search:
    """Texts go in one by one; `complain` hears what could not be done for the text at a path."""

    def __init__(self, engine: Engine, watch: Watch, complain: Callable[[str, str], None]) -> None:
        self._engine = engine
        self._watch = watch
        self._complain = complain
        self._times_slow: dict[str, int] = {}
        self._slow_seconds = 0.0
        # The paths of texts that were given up without a try.
        self.given_up: dict[str, None] = {}

    def hits(self, page: Page, look: Look) -> list[Hit]:
        """The matches in one text; a file of slow checks, as anybody can send one, must not keep a scan busy."""
        slow, untried = set[str](), list[Rule]()
        if self._slow_seconds >= MOST_SLOW_SECONDS:
            self.given_up[page.path] = None
            return []

        def applying(rule: Rule) -> bool:
            if rule.id in slow or not applies(rule, page):
                return False
            if len(slow) >= MOST_SLOW_IN_A_TEXT or self._slow_seconds >= MOST_SLOW_SECONDS:
                untried.append(rule)
                return False
            return True

        def too_slow(rule: Rule, error: Exception) -> None:
            slow.add(rule.id)
            self._slow_seconds += self._watch.seconds
            self._note_slow(rule, page.path, error)

        try:
            found = self._engine.hits_in(look, applying, too_slow)
        except FloodError:
            self._complain(page.path, FLOODED)
            return []
        if untried:
            self._complain(page.path, GIVEN_UP)
        return found

    def hits_before(self, page: Page, wanted: Collection[str]) -> list[Hit] | None:
        """The matches of some checks in what a text was before, None where that cannot be told."""
        if self._slow_seconds >= MOST_SLOW_SECONDS:
            return None
        look = self._engine.look_at(page.data)
        try:
            return self._engine.hits_in(look, lambda rule: rule.id in wanted and applies(rule, page)) if look else []
        except FloodError:
            return None
        except (TimeoutError, MemoryError):
            self._slow_seconds += self._watch.seconds
            return None

    def is_off(self, rule: Rule) -> bool:
        """Whether a check was too slow so often that it is not tried any more."""
        return self._times_slow.get(rule.id, 0) >= MOST_TIMES_SLOW

    def _note_slow(self, rule: Rule, path: str, error: Exception) -> None:
        said = too_much(error) if isinstance(error, MemoryError) else str(TooSlowError(self._watch.seconds))
        why = f"the check {rule.id} {said}"
        self._times_slow[rule.id] = self._times_slow.get(rule.id, 0) + 1
        if self.is_off(rule):
            self._engine.switch_off(rule)
            why += f", {MOST_TIMES_SLOW} times now, so it was not tried on any further file"
        self._complain(path, why)


def too_much(error: Exception) -> str:
    """What a search or other work takes too much of."""
    return "needs too much memory" if isinstance(error, MemoryError) else str(error)
