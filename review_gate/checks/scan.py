"""Many checks over many texts: what was found, what was suppressed, and what could not be looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby

from review_gate.checks.alarm import Alarm, ScanResult, alarms_of, in_order, reader_of_lines
from review_gate.checks.applies import FILE, Page, applies, is_only_for_changes
from review_gate.checks.engine import Engine, Look
from review_gate.checks.judge import Judge, Question, needs_structure
from review_gate.checks.new_lines import Added, NewLines, Side, new_lines, numbers_of_git
from review_gate.checks.plan import CheckPlan
from review_gate.checks.readings import is_plainly_binary, may_be_read_otherwise, readings_of
from review_gate.checks.room import Room, too_many
from review_gate.checks.rule import MARKER, MARKERS, REDACTED_CATEGORIES, Hit
from review_gate.checks.search import GIVEN_UP, Search
from review_gate.checks.sought import RAW_TEXT, WHOLE_TEXT
from review_gate.checks.watch import Watch
from review_gate.reviewers.text import visible

# What tells one finding of a text from another: rule, place and match.
Told = tuple[str, int, str]
AddedOf = Callable[[Sequence[str]], Mapping[str, Added]]
# What changed files held before, in each parent of a merge, None where one has no such file; those are left out of
# which that cannot be had.
OldOf = Callable[[Sequence[str]], Mapping[str, Sequence[bytes | None]]]

# Texts with something in them are kept until their sentences and added lines are asked for, together.
KEPT_BYTES = 2_000_000
MOST_NAMED = 3
# A file with more matches than this is a flood that nobody reads, and could fill the memory.
MOST_HITS = 10_000


class Scan:
    """One scan; texts go in one by one, and after `finish` everything is in `result`.

    `suppressed` then holds what comments let pass; with `keeps_old`, `old` what is found in lines that a change leaves
    alone. `is_elsewhere` tells of an id whether a check has it that this scan does not look for: who suppresses it
    made no mistake. `baseline` is the path of the file with old findings.
    """

    def __init__(
        self,
        plan: CheckPlan,
        *,
        added_of: AddedOf = lambda _: {},
        old_of: OldOf = lambda _: {},
        watch: Watch | None = None,
        is_large: bool = False,
        keeps_old: bool = False,
        is_elsewhere: Callable[[str], bool] = lambda _: False,
        baseline: str = "",
    ) -> None:
        self.result = ScanResult()
        self.old: list[Alarm] = []
        self.suppressed: list[Alarm] = []
        self.result.checks = len(plan.rules)
        self.result.notes += plan.warnings
        self._rules = plan.rules
        kinds = ((rule.id, one.kind) for rule, one in zip(plan.rules, plan.sought, strict=True))
        self._over_lines = frozenset(name for name, kind in kinds if kind in (WHOLE_TEXT, RAW_TEXT))
        watch = watch or Watch()
        self._engine = Engine(plan.rules, plan.sought, markers=MARKERS, seconds=watch.seconds, is_large=is_large)
        self._judge = Judge(watch)
        self._added_of = added_of
        self._old_of = old_of
        self._search = Search(self._engine, watch, self.could_not_look_at)
        self._keeps_old = keeps_old
        self._is_elsewhere = is_elsewhere
        self._baseline = baseline
        self._kept: list[tuple[Page, list[Hit]]] = []
        # What was said of texts that can be read in several ways.
        self._told: dict[str, set[Told]] = {}
        self._bytes = self._hits = 0
        self._room = Room()
        # The files that were not searched as a whole.
        self._failed: set[str] = set()
        self._is_change = False

    def look_at_file(self, path: str, data: bytes, place: str) -> None:
        """Search what a file says; most hold nothing, and no more is made of them than has to be."""
        if may_be_read_otherwise(data) or self._room.is_full:
            if place == FILE and is_plainly_binary(path, data):
                self.result.binary.append(path)
            else:
                self.look_at(Page(path, data, place=place))
            return
        self.result.files += 1
        look = self._engine.look_at(data)
        if look is not None:
            self._search_and_keep(Page(path, data, place=place), look)

    def look_at(self, page: Page) -> None:
        """Search one text."""
        self._is_change = self._is_change or page.is_change
        readings = readings_of(page)
        if not readings:
            self.result.binary.append(page.path)
            return
        if self._room.is_full:
            self.result.unseen[page.path] = None
            return
        self.result.files += 1
        if len(readings) > 1:
            if page.moved_from and not readings_of(page.where_it_was()):
                # It was binary under that name, so no check looked at it.
                readings = readings_of(page.as_new())
            self._told[page.path] = set()
            self._look_at_all(readings)
        elif (look := self._engine.look_at(readings[0].data)) is not None:
            self._search_and_keep(readings[0], look)

    def _search_and_keep(self, page: Page, look: Look) -> None:
        hits = self._hits_of(page, look)
        if hits is not None:
            self._keep(page, hits)

    def _look_at_all(self, readings: Sequence[Page]) -> None:
        """Search a text that can be read in several ways."""
        looks = [(reading, self._engine.look_at(reading.data)) for reading in readings]
        found = [
            (reading, hits)
            for reading, look in looks
            if look is not None and (hits := self._hits_of(reading, look)) is not None
        ]
        # A finding in one reading must not hide one that only another shows.
        for reading, hits in [one for one in found if one[1]] or found[-1:]:
            self._keep(reading, hits)

    def _hits_of(self, page: Page, look: Look) -> list[Hit] | None:
        """The matches in one reading of a text; None when there is nothing to say about it."""
        hits = self._search.hits(page, look)
        if hits and page.path == self._baseline:
            hits = _without_names(hits, page.data)
        # Of a large text nobody has seen all needles yet.
        page.is_marked = look.has_marker and (look.needles is not None or _is_marked(page.data))
        return hits if hits or page.is_marked else None

    def _keep(self, page: Page, hits: list[Hit]) -> None:
        """Remember what is to be settled together."""
        self._kept.append((page, hits))
        self._bytes += len(page.data)
        self._hits += len(hits)
        if self._bytes > KEPT_BYTES or self._hits > MOST_HITS:
            self._settle()

    def could_not_look_at(self, path: str, why: str) -> None:
        """Note that a text was not searched."""
        self._failed.add(path)
        self.result.fail(f"{visible(path)}: {why}", path)

    def settle(self) -> ScanResult:
        """Decide about everything that was looked at so far."""
        self._settle()
        # Of a text that can be read in several ways one may have been tried.
        untried = self._search.given_up.keys() - self._failed
        self.result.given_up += untried
        self.result.files -= len(untried)
        self._search.given_up = {}
        return self.result

    def take(self, other: ScanResult) -> None:
        """Add what another process found in other files."""
        self.result.files += other.files
        for file, alarms in groupby(other.alarms, lambda alarm: alarm.file):
            if self._room.is_full:
                self.result.unseen[file] = None
                self.result.files -= 1
            else:
                self.result.alarms += (found := list(alarms))
                self._room.take(found)
        self.result.take_failures(other)
        self.result.suppressed += other.suppressed
        self.result.unseen.update(other.unseen)
        self.result.given_up += other.given_up
        self.result.binary += other.binary

    def finish(self) -> ScanResult:
        """All alarms, in order."""
        self.settle()
        if given_up := sorted(self.result.given_up):
            self.result.fail(f"{_names(given_up)}: {GIVEN_UP}", *given_up)
        if self.result.unseen:
            self.result.fail(too_many(len(self.result.unseen)), *self.result.unseen)
        self.result.alarms = in_order(self.result.alarms)
        if self.result.binary:
            self.result.notes.append(f"binary and not looked at: {_names(sorted(self.result.binary))}")
        has_seen = self.result.files and not self._is_change
        unused = sum(map(is_only_for_changes, self._rules)) if has_seen else 0
        if unused:
            what = "1 check looks" if unused == 1 else f"{unused} checks look"
            self.result.notes.append(f"{what} at added lines only, so at nothing here (--staged or --diff)")
        return self.result

    def _settle(self) -> None:
        """Decide about everything that was kept."""
        kept, self._kept, self._bytes, self._hits = self._kept, [], 0, 0
        changed = [page.path for page, _ in kept if page.is_change and not page.is_new]
        added = self._added_of(changed) if changed else {}
        texts = [page.text for page, _ in kept]
        news = [new_lines(page, text, added, self._over_lines) for (page, _), text in zip(kept, texts, strict=True)]
        self._look_back(kept, news)
        found = [self._wanted(page, hits, new) for (page, hits), new in zip(kept, news, strict=True)]
        self._judge_all(kept, texts, found, news)
        for (page, _), text, hits, new in zip(kept, texts, found, news, strict=True):
            if self._room.is_full:
                self.result.files -= page.path not in self.result.unseen
                self.result.unseen[page.path] = None
                continue
            lists = (self.result.alarms, self.old, self.suppressed)
            sizes = list(map(len, lists))
            self._report(page, text, hits, new)
            for alarms, size in zip(lists, sizes, strict=True):
                if len(alarms) > size:
                    self._room.take(alarms[size:])

    def _look_back(self, kept: Sequence[tuple[Page, list[Hit]]], news: Sequence[NewLines]) -> None:
        """Read what texts were before, where that decides about matches in lines that their change leaves alone."""
        asked = [(page, new) for (page, hits), new in zip(kept, news, strict=True) if new.ask_for_before(hits)]
        if not asked:
            return
        from review_gate.checks.before import version_before

        before = self._old_of([page.path for page, _ in asked])
        for page, new in asked:
            for side, data in zip(new.sides, before.get(page.path, ()), strict=False):
                side.page = None if data is None else version_before(page, data)
                new.is_before_known = True

    def _wanted(self, page: Page, hits: list[Hit], new: NewLines) -> list[Hit]:
        """The hits that are to be judged; of a flood the first."""
        if not self._keeps_old or len(hits) > MOST_HITS:
            hits = [hit for hit in hits if new.hold(hit) or new.may_concern(hit)]
        if len(hits) > MOST_HITS:
            hits = [hit for hit in hits if new.hold(hit) or needs_structure(hit)]
        if len(hits) > MOST_HITS:
            why = f"more than {MOST_HITS} matches, so the others are not reported (checks.exclude leaves a file out)"
            self.could_not_look_at(page.path, why)
        return hits[:MOST_HITS]

    def _judge_all(
        self,
        kept: Sequence[tuple[Page, list[Hit]]],
        texts: Sequence[str],
        found: list[list[Hit]],
        news: Sequence[NewLines],
    ) -> None:
        """Drop the hits that do not count, and note what counted before."""
        old = [one for hits, new in zip(found, news, strict=True) for one in self._hits_before(hits, new)]
        questions = [(hits, text, page.language) for (page, _), text, hits in zip(kept, texts, found, strict=True)]
        questions += [(hits, page.text, page.language) for _, page, hits in old]
        answers = self._answers(questions)
        for index, hits in enumerate(answers[: len(found)]):
            if hits is None:
                self.could_not_look_at(kept[index][0].path, "its sentences took too long, so every match counts")
            else:
                found[index] = list(hits)
        for (side, page, _), question, counted in zip(old, questions[len(found) :], answers[len(found) :], strict=True):
            side.found = None if counted is None else self._not_suppressed(page, question[1], counted)

    def _answers(self, questions: Sequence[Question]) -> list[Sequence[Hit] | None]:
        """For each question the hits that count, None where that could not be told in time."""
        return [self._judge.judged(*one) if any(map(needs_structure, one[0])) else one[0] for one in questions]

    def _hits_before(self, hits: Sequence[Hit], new: NewLines) -> Iterator[tuple[Side, Page, list[Hit]]]:
        """What the checks of hits beside a change matched in each old version, where somebody asks and one can tell."""
        wanted = {hit.rule.id for hit in hits if new.may_concern(hit) and not new.hold(hit)}
        for side in new.sides if wanted else ():
            found = self._search.hits_before(side.page, wanted) if side.page is not None else None
            if side.page is not None and found is not None and len(found) <= MOST_HITS:
                yield side, side.page, found

    def _not_suppressed(self, page: Page, text: str, hits: Sequence[Hit]) -> list[Hit]:
        """The hits of an old version that no comment let pass."""
        if MARKER not in page.data:
            return list(hits)
        from review_gate.checks.suppress import apply_suppressions, suppressions_in

        ids = [rule.id for rule in self._rules]
        alarms = alarms_of(hits, page.path, reader_of_lines(text, hits))
        left, _ = apply_suppressions(alarms, suppressions_in(text, page.language), file=page.path, known_ids=ids)
        return [alarm.hit for alarm in left if alarm.hit is not None]

    def _report(self, page: Page, text: str, hits: Sequence[Hit], new: NewLines) -> None:
        counts = set(map(id, _brought_about(text, hits, new)))
        if not self._keeps_old:
            hits = [hit for hit in hits if id(hit) in counts]
        alarms = alarms_of(hits, page.path, reader_of_lines(text, hits))
        suppressed: list[Alarm] = []
        if page.is_marked:
            from review_gate.checks.suppress import apply_suppressions, suppressions_in

            alarms, suppressed = apply_suppressions(
                alarms,
                suppressions_in(text, page.language),
                file=page.path,
                known_ids=[rule.id for rule in self._rules],
                ran_ids=self._ran_on(page),
                looked_at=new.is_new,
                is_elsewhere=self._is_elsewhere,
            )
        if self._keeps_old:
            suppressed = [alarm for alarm in suppressed if id(alarm.hit) in counts]
            self.old += [alarm for alarm in alarms if alarm.hit is not None and id(alarm.hit) not in counts]
            alarms = [alarm for alarm in alarms if alarm.hit is None or id(alarm.hit) in counts]
        if page.path in self._told:
            alarms, suppressed = self._untold(page, text, alarms, suppressed)
        self.suppressed += suppressed
        self.result.suppressed += len(suppressed)
        self.result.alarms += alarms

    def _ran_on(self, page: Page) -> set[str]:
        """The checks that find nothing in a text where they say nothing; none where some could not look at it."""
        is_known = page.path not in self._failed and page.path not in self._search.given_up
        tried = self._rules if is_known else ()
        return {rule.id for rule in tried if not self._search.is_off(rule) and applies(rule, page)}

    def _untold(self, page: Page, text: str, *found: list[Alarm]) -> list[list[Alarm]]:
        """Findings without those that another reading of the same text has shown already."""
        told, numbers = self._told[page.path], numbers_of_git(page, text)
        named = [[(_told(alarm, numbers), alarm) for alarm in alarms] for alarms in found]
        news = [[alarm for name, alarm in alarms if name not in told] for alarms in named]
        told.update(name for alarms in named for name, _ in alarms)
        return news


def _is_marked(data: bytes) -> bool:
    """Whether somebody may have written a suppression; one in capital letters is told as malformed."""
    return any(marker in data for marker in MARKERS)


def _brought_about(text: str, hits: Sequence[Hit], new: NewLines) -> list[Hit]:
    """The hits that count: in new lines, or findings only since the change, such as one that lost its negation."""
    beside = [hit for hit in hits if not new.hold(hit) and new.may_concern(hit)]
    if not beside:
        return [hit for hit in hits if new.hold(hit)]
    from review_gate.checks.before import not_before

    fresh = set(map(id, not_before(text, beside, new)))
    return [hit for hit in hits if id(hit) in fresh or new.hold(hit)]


def _told(alarm: Alarm, numbers: Sequence[int]) -> Told:
    """What a finding is known by in every reading of its text: how many bytes LF are before its line stays the same."""
    line = numbers[min(alarm.line, len(numbers)) - 1] if numbers else alarm.line
    return alarm.rule, line, (alarm.hit.text if alarm.hit else alarm.match).replace("\0", "")


def _without_names(hits: list[Hit], data: bytes) -> list[Hit]:
    """The hits that count in the file of the baseline: while it is one, of its names only those that are secrets."""
    from review_gate.checks.baseline import is_baseline

    return [hit for hit in hits if hit.rule.category in REDACTED_CATEGORIES] if is_baseline(data) else hits


def _names(paths: Sequence[str]) -> str:
    shown = ", ".join(map(visible, paths[:MOST_NAMED]))
    return f"{shown} and {len(paths) - MOST_NAMED} more" if len(paths) > MOST_NAMED else shown
