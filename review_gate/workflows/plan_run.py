"""review-gate expert-review: one call does what the machine wants, in its order, and tells it what came of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from unicodedata import category

from review_gate.checks.evidence import redacted
from review_gate.checks.fix import NOT_TEXT, fixed
from review_gate.checks.languages import MARKDOWN
from review_gate.checks.rule import REDACTED_CATEGORIES, Hit
from review_gate.checks.text_blocks import Lines
from review_gate.errors import ReviewGateError
from review_gate.plans import machine
from review_gate.plans.experts import (
    HAVE_VOTED,
    Opinion,
    Stance,
    first_objection,
    nobody_in_reach,
    not_asked,
    without_vote,
)
from review_gate.plans.machine import Event, Review
from review_gate.plans.marker import Marker, standing_of
from review_gate.plans.outcome import PersonQuestion, PlanOutcome
from review_gate.plans.panel import CLAUDE
from review_gate.plans.schema import Answer, Asked, Edit, Phase, PlanState, Violation
from review_gate.shell.plan_folder import PlanFolder, digest_of, state_to_yaml
from review_gate.workflows.plan_experts import PlanExperts
from review_gate.workflows.plan_search import PlanSearch
from review_gate.workflows.plan_setup import PlanSetup, set_up, wanted_of, with_chosen_panel

LONGEST_TOLD = 60
TURNS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
NOT_IN_PLAN = "what it is about cannot be found in the plan word for word; edit the plan itself"
ONLY_CLAUDE = f"models are required, and the panel names nobody but {CLAUDE}, whose part is the checks"
UNFIT_WORDS = "the new text has characters that cannot be seen"
SAME_WORDS = "these words stand there already"
# What code looked at, whoever else was asked.
CHECKS = "checks"
SEARCH_SECONDS = 10.0
CHANGED = "the plan was changed by somebody else during the review"
# None where nobody answers now.
AskPerson = Callable[[PersonQuestion], Answer | None]


class PlanRun:
    """The shell around the machine: only here is anything read, written or asked."""

    def __init__(self, setup: PlanSetup, search: PlanSearch, experts: PlanExperts, ask: AskPerson) -> None:
        self._setup = setup
        self._folder: PlanFolder = setup.folder
        self._search = search
        self._experts = experts
        self._ask = ask
        self._hits: list[Hit] = []
        # The plan with the edit that was worked out, until it is written.
        self._new = b""
        self.data = setup.plan
        self.opinions: tuple[Opinion, ...] = ()
        self.question: PersonQuestion | None = None
        self.failing: tuple[str, ...] | None = None

    def to_its_end(self) -> Review:
        """The review when it has ended, or when it waits for an answer."""
        marker = self._folder.read(self._folder.marker)
        if standing_of(marker, wanted_of(self._setup)).status != "approved":
            self._folder.forget_approval()
        state = machine.resumed(self._setup.state, digest_of(self.data))
        current = machine.begin(state.model_copy(update={"asked": None}))
        while not current.review.phase.is_end:
            event = self._done(current.review, current.effects)
            if event is None:
                return current.review
            current = machine.step(current.review, event)
        self._save_what_is_wanted(current.effects)
        violation = current.review.violation
        if current.review.phase is Phase.REJECTED and violation is not None:
            self.question = self._question(violation, "")
        if current.review.phase is Phase.INCOMPLETE and violation is not None and not violation.voice:
            # The last edit may have mended what it was about, and others are open too.
            self.failing = self._search.failing(self.data, current.review.state.approved)
        return current.review

    def _done(self, review: Review, effects: tuple[machine.Effect, ...]) -> Event | None:
        self._save_what_is_wanted(effects)
        match effects[-1]:
            case machine.Check(approved):
                return self._checked(approved)
            case machine.Consult():
                return self._consulted(review.state)
            case machine.Mend(violation):
                return self._mended(violation)
            case machine.Replace(violation, text):
                return self._replaced(violation, text)
            case machine.Write():
                return self._written()
            case machine.Ask(violation, why):
                return self._answered(review.state, violation, why)
            case other:
                raise AssertionError(f"nobody does {type(other).__name__}")

    def _save_what_is_wanted(self, effects: tuple[machine.Effect, ...]) -> None:
        for effect in effects:
            if isinstance(effect, machine.Save):
                self._save(effect.state)

    def _save(self, state: PlanState) -> None:
        self._folder.write(self._folder.state, state_to_yaml(state))

    def _checked(self, approved: tuple[str, ...]) -> machine.Checked:
        self._hits = self._search.first(self.data, approved)
        found = _violation(self._hits[0]) if self._hits else None
        return machine.Checked(digest_of(self.data), found)

    def _consulted(self, state: PlanState) -> machine.Consulted:
        """What the experts say; where models are not required, one that cannot be reached is like none."""
        opinions = self._experts.opinions(self._setup.panel, self.data)
        is_required = self._experts.are_required
        if nobody_in_reach(opinions) and not is_required:
            opinions = tuple(not_asked(one.expert, one.problem) for one in opinions)
        self.opinions = opinions
        found = first_objection(opinions, state.approved)
        missing = _missing(opinions, is_required=is_required)
        if is_required and not opinions:
            missing = ONLY_CLAUDE
        return machine.Consulted(found, missing)

    def _answered(self, state: PlanState, violation: Violation, why: str) -> machine.Answered | None:
        """The answer; where nobody gives one, the question is remembered, and so is what it was about."""
        # A check may be another one by now, of the same name.
        asked = Asked(check=violation.check, plan=digest_of(self.data), pattern=violation.pattern)
        self.question = self._question(violation, why)._replace(is_same=asked == self._setup.state.asked)
        answer = self._ask(self.question)
        if answer is None:
            self._save(state.model_copy(update={"asked": asked}))
            return None
        return machine.Answered(answer)

    def _question(self, violation: Violation, why: str) -> PersonQuestion:
        """In the voice of whoever raised it; an expert has said why it matters, and for a check a model may."""
        if violation.voice:
            return PersonQuestion(violation.voice, violation, why)
        persona = self._setup.panel.voice
        return PersonQuestion(persona.name, violation, why, self._experts.explanation(persona, violation))

    def _mended(self, violation: Violation) -> machine.Worked | machine.NotMended:
        """Every match of the check is mended at once: what is found after that has come back."""
        done = fixed(self._text, self._hits, MARKDOWN)
        if not done.changes:
            return machine.NotMended(done.left[0].reason if done.left else "the fix changes nothing")
        first = done.changes[0]
        told = _told(first.before, first.after) if not _is_secret(self._hits[0]) else _told(_shown(self._hits[0]), "")
        edit = Edit(check=violation.check, fix=told, line=first.line)
        return self._worked(edit, done.text, is_by_person=False)

    def _replaced(self, violation: Violation, words: str) -> machine.Worked | machine.NotMended:
        """A person's words take the place of what was asked about."""
        place, text = self._place(violation), self._text
        if place is None:
            return machine.NotMended(NOT_IN_PLAN)
        if "\0" in text:
            # UTF-16: the place of the match is one in other characters.
            return machine.NotMended(NOT_TEXT)
        start, end, told = place
        # An arrow key that was typed, half a character, or what turns the text around.
        if any(category(letter) in ("Cc", "Cs") or letter in TURNS for letter in words if letter not in "\r\n\t"):
            return machine.NotMended(UNFIT_WORDS)
        if "\n" in words:
            words = words.replace("\r\n", "\n").replace("\n", Lines(text).end_near(start))
        if text[start:end] == words:
            return machine.NotMended(SAME_WORDS)
        edit = Edit(check=violation.check, fix=_told(told, words), line=violation.line)
        return self._worked(edit, text[:start] + words + text[end:], is_by_person=True)

    @property
    def _text(self) -> str:
        return self.data.decode("utf-8", "surrogateescape")

    def _place(self, violation: Violation) -> tuple[int, int, str] | None:
        """Where in the plan that is which a question is about, and what of it may be told."""
        if not violation.voice:
            hit = self._hits[0]
            return hit.start, hit.end, _shown(hit)
        remarks = (remark for opinion in self.opinions for remark in opinion.remarks)
        found = next((one for one in remarks if one.id == violation.check), None)
        if found is None or found.start is None or found.end is None:
            return None
        return found.start, found.end, found.quote

    def _worked(self, edit: Edit, text: str, *, is_by_person: bool) -> machine.Worked:
        self._new = text.encode("utf-8", "surrogateescape")
        return machine.Worked(digest_of(self.data), digest_of(self._new), edit, is_by_person)

    def _written(self) -> machine.Written | machine.PlanChanged:
        found = self._folder.read_plan() or b""
        if found != self.data:
            self.data = found
            return machine.PlanChanged()
        self._folder.change(self._folder.plan, self.data, self._new)
        self.data = self._new
        return machine.Written()


def _violation(hit: Hit) -> Violation:
    rule = hit.rule
    return Violation(
        check=rule.id,
        pattern=rule.pattern,
        reason=rule.reason,
        line=hit.line,
        matched=_shown(hit)[:LONGEST_TOLD],
        has_fix=rule.fix is not None,
        rejects=rule.reject_if_persists,
    )


def _is_secret(hit: Hit) -> bool:
    return hit.rule.category in REDACTED_CATEGORIES


def _shown(hit: Hit) -> str:
    """What may be told of a match: of a secret its beginning alone."""
    return redacted(hit.text) if _is_secret(hit) else hit.text


def _missing(opinions: Sequence[Opinion], *, is_required: bool) -> str:
    """Who should have spoken and did not, and why; nothing where a model is not required and there is none."""
    silent = without_vote(opinions)
    if not silent and is_required:
        silent = tuple(one for one in opinions if one.stance is Stance.NOT_ASKED)
    return "; ".join(f"{one.expert} could not review: {one.problem}" for one in silent)


def _told(before: str, after: str) -> str:
    """An edit in one line."""
    old, new = (" ".join(text.split()) for text in (before, after))
    cut = [text if len(text) <= LONGEST_TOLD else f"{text[:LONGEST_TOLD]}..." for text in (old, new)]
    return f"{cut[0]} → {cut[1]}" if cut[1] else f"removed: {cut[0]}"


def review_plan(folder: PlanFolder, ask: AskPerson, environ: Mapping[str, str]) -> PlanOutcome:
    """Review a plan as far as it goes without an answer that nobody gives now."""
    with folder.alone():
        # Not before: whoever was here first may have changed all of it.
        setup = set_up(folder)
        search = PlanSearch(setup.rules, SEARCH_SECONDS)
        with PlanExperts(setup.config, setup.top, search.plan, environ) as experts:
            setup = with_chosen_panel(setup, experts, environ)
            run = PlanRun(setup, search, experts, ask)
            review = run.to_its_end()
            if review.phase is Phase.APPROVED:
                _approve(setup, run)
            took = experts.took()
    looked_for = sum(rule.id not in review.state.approved for rule in setup.rules)
    warnings = (*setup.warnings, *(_unheard(run) if setup.config.models.use != "off" else ()))
    return PlanOutcome(review, setup.panel, looked_for, warnings, run.opinions, run.question, took, run.failing)


def _unheard(run: PlanRun) -> tuple[str, ...]:
    """Why no expert was asked, where that was not wanted."""
    return tuple(dict.fromkeys(f"no expert was asked: {one.problem}" for one in run.opinions if one.is_unasked))


def _approve(setup: PlanSetup, run: PlanRun) -> None:
    """Write the marker, before anybody is told."""
    if setup.folder.read_plan() != run.data:
        why = "what would be approved is not what was reviewed"
        raise ReviewGateError(CHANGED, why=why, next_step="review the plan again")
    approved = wanted_of(setup._replace(plan=run.data))
    heard = [one.expert for one in run.opinions if one.stance in HAVE_VOTED]
    own = [persona.name for persona in setup.panel.personas if persona.is_claude]
    marker = Marker(
        plan=approved.plan,
        checks=approved.checks,
        reviewers=(CHECKS, *own, *heard),
        panel=approved.panel,
        approved=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
    )
    setup.folder.write(setup.folder.marker, marker.model_dump_json(indent=2).encode() + b"\n")


def answer_from(text: str) -> Answer:
    """What `--answer` says: approve, abort, or replace=TEXT."""
    word, mark, rest = text.partition("=")
    if word == "replace" and mark:
        return Answer(kind="replace", text=rest)
    if text in ("approve", "abort"):
        return Answer(kind="approve" if text == "approve" else "abort")
    raise ValueError(text)
