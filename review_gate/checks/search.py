"""The search in one text within limits: a check that takes too much time or memory is named and left out."""

from __future__ import annotations

import marshal

from review_gate.checks.applies import applies
from review_gate.checks.engine import MOST_PLACES, FloodError
from review_gate.checks.rule import Hit
from review_gate.checks.watch import TextTooSlowError, TooSlowError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from review_gate.checks.applies import Page
    from review_gate.checks.engine import Engine
    from review_gate.checks.look import Look
    from review_gate.checks.rule import Rule
    from review_gate.checks.watch import Watch

# A check that was too slow this often is not tried any more.
MOST_TIMES_SLOW = 3
# With so many slow checks a text is given up, and after so much time in vain all further ones.
MOST_SLOW_IN_A_TEXT = 3
MOST_SLOW_SECONDS = 30.0
# Literals take no more time and memory than so many bytes allow.
NEVER_SLOW = 1 << 16
GIVEN_UP = "given up, because too many checks are too slow"
FLOOD = b""
FLOODED = f"its checks could match at more than {MOST_PLACES} places (checks.exclude leaves a file out)"


class Search:
    """Texts go in one by one; `complain` hears what could not be done for the text at a path."""

    def __init__(self, engine: Engine, watch: Watch, complain: Callable[[str, str], None]) -> None:
        self._engine = engine
        self._watch = watch
        self._complain = complain
        self._busy = engine.busy
        self._times_slow: dict[str, int] = {}
        self._slow_seconds = 0.0
        # The paths of texts that were given up without a try.
        self.given_up: dict[str, None] = {}

    def hits(self, page: Page, look: Look) -> list[Hit]:
        """The matches in one text."""
        slow: set[str] = set()

        def applying(rule: Rule) -> bool:
            return rule.id not in slow and applies(rule, page)

        while len(slow) < MOST_SLOW_IN_A_TEXT and self._slow_seconds < MOST_SLOW_SECONDS:
            begin = self._watch.used()
            try:
                return self._in_time(look, applying)
            except FloodError:
                self._complain(page.path, FLOODED)
                return []
            except (TooSlowError, MemoryError) as error:
                self._slow_seconds += self._watch.used() - begin
                rule, said = self._engine.busy_with, too_much(error)
                if rule is None or rule.id in slow or isinstance(error, TextTooSlowError):
                    self._complain(page.path, f"looking at it {said}")
                    return []
                slow.add(rule.id)
                self._note_slow(rule, page.path, said)
        # A file of slow checks, as anybody can send one, must not keep a scan busy for hours.
        if not slow:
            self.given_up[page.path] = None
        elif any(applying(self._engine.rules[which]) for which in self._engine.possible(look)):
            self._complain(page.path, GIVEN_UP)
        return []

    def hits_before(self, page: Page, wanted: Collection[str]) -> list[Hit] | None:
        """The matches of some checks in what a text was before, None where that cannot be told."""
        if self._slow_seconds >= MOST_SLOW_SECONDS:
            return None
        look, begin = self._engine.look_at(page.data), self._watch.used()
        try:
            return self._in_time(look, lambda rule: rule.id in wanted and applies(rule, page)) if look else []
        except FloodError:
            return None
        except (TooSlowError, MemoryError):
            self._slow_seconds += self._watch.used() - begin
            return None

    def is_off(self, rule: Rule) -> bool:
        """Whether a check was too slow so often that it is not tried any more."""
        return self._times_slow.get(rule.id, 0) >= MOST_TIMES_SLOW

    def _in_time(self, look: Look, applying: Callable[[Rule], bool]) -> list[Hit]:
        """The matches in a text; where patterns heed no signal for long, work of its own looks for them."""
        engine = self._engine
        if not engine.may_take_long(look, applying):
            engine.busy = self._busy
            if engine.has_literals_only and len(look.body) < NEVER_SLOW:
                return engine.hits_in(look, applying)
            with self._watch:
                return engine.hits_in(look, applying)
        # Whoever cuts the work short still sees which check it was at.
        engine.busy = self._watch.cell()
        found = self._watch.bounded(lambda: _found(engine, look, applying))
        if found == FLOOD:
            raise FloodError
        return unpacked_hits(found, look.data, engine.rules)

    def _note_slow(self, rule: Rule, path: str, said: str) -> None:
        why = f"the check {rule.id} {said}"
        self._times_slow[rule.id] = self._times_slow.get(rule.id, 0) + 1
        if self.is_off(rule):
            self._engine.switch_off(rule)
            why += f", {MOST_TIMES_SLOW} times now, so it was not tried on any further file"
        self._complain(path, why)


def too_much(error: Exception) -> str:
    """What a search or other work takes too much of."""
    return "needs too much memory" if isinstance(error, MemoryError) else str(error)


def _found(engine: Engine, look: Look, applying: Callable[[Rule], bool]) -> bytes:
    try:
        return packed_hits(engine.hits_in(look, applying), engine.rules)
    except FloodError:
        return FLOOD


def packed_hits(hits: Sequence[Hit], rules: Sequence[Rule]) -> bytes:
    """Matches as bytes for a process that has the text and the checks as well."""
    numbers = {id(rule): number for number, rule in enumerate(rules)}
    return marshal.dumps(
        [(numbers[id(hit.rule)], hit.line, hit.column, hit.start, hit.end, hit.end_line, hit.is_hidden) for hit in hits]
    )


def unpacked_hits(packed: bytes, data: bytes, rules: Sequence[Rule]) -> list[Hit]:
    """The matches in a text from what `packed_hits` made of them."""
    found = marshal.loads(packed)  # noqa: S302 - from our own child
    text = data.decode("utf-8", "surrogateescape") if found else ""
    return [
        Hit(
            rules[which],
            line=line,
            column=column,
            start=start,
            end=end,
            text=text[start:end],
            end_line=last,
            is_hidden=is_hidden,
        )
        for which, line, column, start, end, last, is_hidden in found
    ]
