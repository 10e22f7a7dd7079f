"""review-gate expert-review: a plan is checked, mended and asked about until it is approved or cannot be."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import NamedTuple

from review_gate.checks.fix import NOT_TEXT, fixed
from review_gate.checks.languages import MARKDOWN
from review_gate.checks.rule import Hit
from review_gate.checks.strictness import checks_strictness
from review_gate.errors import ReviewGateError
from review_gate.plans import machine
from review_gate.plans.machine import Answered, Ask, Check, Checked, Mend, Mended, NotMended, Replace, Review, Save
from review_gate.plans.marker import Marker, Standing, standing_of
from review_gate.plans.panel import Panel
from review_gate.plans.schema import Answer, Asked, Begun, Edit, Phase, PlanState, Violation
from review_gate.shell.plan_folder import PlanFolder, digest_of
from review_gate.shell.plan_state import state_to_yaml
from review_gate.workflows.plan_search import PlanSearch
from review_gate.workflows.plan_setup import PlanSetup, set_up

LONGEST_TOLD = 60
# What code looked at, whoever else was asked.
CHECKS = "checks"
SEARCH_SECONDS = 10.0
CHANGED = "the plan was changed by somebody else during the review"
# Somebody who edits without end keeps a review from its end, not this program.
MOST_RESTARTS = 5
# Who reviews, what is asked, why a fix could not be made, and whether this is the question of the last call; None where
# nobody answers now.
AskPerson = Callable[[Panel, Violation, str, bool], Answer | None]


class PlanOutcome(NamedTuple):
    """How a call ended: an end of the review, or a question that waits for an answer."""

    review: Review
    panel: Panel
    checks: int
    warnings: tuple[str, ...]
    # Why a fix could not be made, where that is what is asked about.
    why_asked: str = ""

    @property
    def not_asked(self) -> tuple[str, ...]:
        """The experts of the panel that nobody asked."""
        return tuple(persona.name for persona in self.panel.personas if not persona.is_claude)


def review_plan(folder: PlanFolder, ask: AskPerson) -> PlanOutcome:
    """Review a plan as far as it goes without an answer that nobody gives now."""
    with folder.alone():
        # Not before: whoever was here first may have changed all of it.
        setup = set_up(folder)
        run = _Run(setup, ask)
        review = run.to_its_end()
        if review.phase is Phase.APPROVED:
            run.approve()
    looked_for = sum(rule.id not in review.state.approved for rule in setup.rules)
    return PlanOutcome(review, setup.panel, looked_for, setup.warnings, run.why_asked)


def standing(setup: PlanSetup) -> Standing:
    """How a plan stands by its marker."""
    return standing_of(setup.folder.read(setup.folder.marker), digest_of(setup.plan), checks_digest(setup))


def checks_digest(setup: PlanSetup) -> str:
    """What stands for the checks that a plan was approved by."""
    return checks_strictness(setup.rules, None)


class _Run:
    """One call: it does what the machine wants, in its order, and tells it what came of it."""

    def __init__(self, setup: PlanSetup, ask: AskPerson) -> None:
        self._setup = setup
        self._folder: PlanFolder = setup.folder
        self._ask = ask
        self._search = PlanSearch(setup.rules, SEARCH_SECONDS)
        self._data = setup.plan
        self._hits: list[Hit] = []
        self.why_asked = ""

    def to_its_end(self) -> Review:
        """The review when it has ended, or when it waits for an answer."""
        if standing(self._setup).status != "approved":
            self._folder.forget_approval()
        state = machine.resumed(self._setup.state, digest_of(self._data))
        current = machine.begin(state.model_copy(update={"asked": None}))
        restarts = 0
        while not current.review.phase.is_end:
            try:
                event = self._done(current.review, current.effects)
            except _PlanChangedError:
                restarts += 1
                current = self._again(current.review.state, restarts)
                continue
            if event is None:
                return current.review
            current = machine.step(current.review, event)
        self._save_what_is_wanted(current.effects)
        return current.review

    def _again(self, state: PlanState, restarts: int) -> machine.Step:
        """Begin anew with what somebody else wrote: their edit stays."""
        if restarts > MOST_RESTARTS:
            raise ReviewGateError(CHANGED, why="it goes on changing", next_step="stop editing, then review it again")
        self._data = self._folder.read_plan() or b""
        self._save(state)
        return machine.begin(state)

    def _done(self, review: Review, effects: tuple[machine.Effect, ...]) -> machine.Event | None:
        self._save_what_is_wanted(effects)
        wanted = effects[-1]
        if isinstance(wanted, Check):
            return self._checked(wanted)
        if isinstance(wanted, Mend):
            return self._mended(review.state, wanted.violation)
        if isinstance(wanted, Replace):
            return self._replaced(review.state, wanted)
        if isinstance(wanted, Ask):
            return self._answered(review.state, wanted)
        raise AssertionError(f"nobody does {type(wanted).__name__}")

    def _answered(self, state: PlanState, wanted: Ask) -> Answered | None:
        """The answer; where nobody gives one, the question is remembered, and so is what it was about."""
        self.why_asked = wanted.why
        asked = Asked(check=wanted.violation.check, plan=digest_of(self._data))
        is_same = asked == self._setup.state.asked
        answer = self._ask(self._setup.panel, wanted.violation, wanted.why, is_same)
        if answer is None:
            self._save(state.model_copy(update={"asked": asked}))
            return None
        return Answered(answer)

    def _save_what_is_wanted(self, effects: tuple[machine.Effect, ...]) -> None:
        for effect in effects:
            if isinstance(effect, Save):
                self._save(effect.state)

    def _save(self, state: PlanState) -> None:
        self._folder.write(self._folder.state, state_to_yaml(state))

    def _checked(self, wanted: Check) -> Checked:
        self._hits = self._search.first(self._data, wanted.approved)
        found = _violation(self._hits[0]) if self._hits else None
        return Checked(digest_of(self._data), found)

    def _mended(self, state: PlanState, violation: Violation) -> Mended | NotMended:
        """Every match of the check is mended at once: what is found after that has come back."""
        text = self._data.decode("utf-8", "surrogateescape")
        done = fixed(text, self._hits, MARKDOWN)
        if not done.changes:
            return NotMended(done.left[0].reason if done.left else "the fix changes nothing")
        first = done.changes[0]
        edit = Edit(check=violation.check, fix=_told(first.before, first.after), line=first.line)
        return self._edited(state, edit, done.text, is_by_person=False)

    def _replaced(self, state: PlanState, wanted: Replace) -> Mended | NotMended:
        """A person's words take the place of the match that was asked about."""
        text, hit = self._data.decode("utf-8", "surrogateescape"), self._hits[0]
        if "\0" in text:
            # UTF-16: the place of the match is one in other characters.
            return NotMended(NOT_TEXT)
        edit = Edit(check=wanted.violation.check, fix=_told(hit.text, wanted.text), line=hit.line)
        return self._edited(state, edit, text[: hit.start] + wanted.text + text[hit.end :], is_by_person=True)

    def _edited(self, state: PlanState, edit: Edit, text: str, *, is_by_person: bool) -> Mended:
        """The state first: an edit that is counted and was not made is taken back by the next call."""
        new = text.encode("utf-8", "surrogateescape")
        before, after = digest_of(self._data), digest_of(new)
        begun = Begun(check=edit.check, before=before, after=after, is_by_person=is_by_person)
        counted = machine.counted(state, edit, is_by_person=is_by_person)
        self._save(counted.model_copy(update={"begun": begun}))
        if self._folder.read_plan() != self._data:
            raise _PlanChangedError
        self._folder.change_plan(self._data, new)
        self._data = new
        self._save(counted)
        return Mended(after, edit, is_by_person=is_by_person)

    def approve(self) -> None:
        """Write the marker, before anybody is told."""
        if self._folder.read_plan() != self._data:
            raise ReviewGateError(
                CHANGED, why="what would be approved is not what was reviewed", next_step="review the plan again"
            )
        marker = Marker(
            plan=digest_of(self._data),
            checks=checks_digest(self._setup),
            reviewers=(CHECKS, *(persona.name for persona in self._setup.panel.personas if persona.is_claude)),
            approved=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        )
        self._folder.write(self._folder.marker, marker.model_dump_json(indent=2).encode() + b"\n")


class _PlanChangedError(Exception):
    """Somebody else wrote the plan while a fix for it was worked out."""


def _violation(hit: Hit) -> Violation:
    rule = hit.rule
    return Violation(
        check=rule.id,
        pattern=rule.pattern,
        reason=rule.reason,
        line=hit.line,
        matched=hit.text[:LONGEST_TOLD],
        has_fix=rule.fix is not None,
        rejects=rule.reject_if_persists,
    )


def _told(before: str, after: str) -> str:
    """An edit in one line."""
    old, new = (" ".join(text.split()) for text in (before, after))
    cut = [text if len(text) <= LONGEST_TOLD else f"{text[:LONGEST_TOLD]}..." for text in (old, new)]
    return f"{cut[0]} → {cut[1]}" if cut[1] else f"removed: {cut[0]}"


def answer_from(text: str) -> Answer:
    """What `--answer` says: approve, abort, or replace=TEXT."""
    word, mark, rest = text.partition("=")
    if word == "replace" and mark:
        return Answer(kind="replace", text=rest)
    if text in ("approve", "abort"):
        return Answer(kind="approve" if text == "approve" else "abort")
    raise ValueError(text)


def unresolved(outcome: PlanOutcome) -> tuple[str, ...]:
    """The checks that a review without approval leaves open."""
    violation = outcome.review.violation
    return (violation.check,) if violation is not None else ()
