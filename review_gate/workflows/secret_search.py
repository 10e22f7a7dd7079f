"""The search for secrets in whatever this program would show or send: with the checks in force and the shipped ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from review_gate.checks.applies import Page
from review_gate.checks.languages import MARKDOWN, TEXT
from review_gate.checks.plan import CheckPlan
from review_gate.checks.rule import COMMIT_MESSAGE, PLAN, REDACTED_CATEGORIES, Hit, Rule
from review_gate.checks.scan import Scan
from review_gate.plans.target import PLAN as PLAN_NAME
from review_gate.shell.check_sources import pack_source
from review_gate.shell.deadline import watch
from review_gate.workflows.check_compile import compiled

SHIPPED = "secrets"


class SecretSearch:
    """The search in some texts after the other; `plan` are all checks in force, `seconds` what one text may take."""

    def __init__(self, plan: CheckPlan | None, seconds: float) -> None:
        self._plan = secrets_plan(plan)
        self._limit = watch(seconds)

    def hits(self, pages: Iterable[Page]) -> dict[str, list[Hit] | None]:
        """What was found in each text, by its path; None for a text that was not looked at as a whole."""
        scan = Scan(self._plan, watch=self._limit)
        found: dict[str, list[Hit] | None] = {}
        for page in pages:
            found[page.path] = []
            scan.look_at(page)
        result = scan.finish()
        # A comment that lets a finding pass does not make the secret public.
        for alarm in (*result.alarms, *scan.suppressed):
            hits = found.get(alarm.file)
            if hits is not None and alarm.hit is not None:
                hits.append(alarm.hit)
        has_other = len(result.failures) > result.of_files
        unseen = found.keys() if has_other else {*result.failed, *result.unseen, *result.binary}
        return found | dict.fromkeys(unseen, None)

    def in_plan(self, text: str) -> list[Hit] | None:
        """What was found in a plan, whatever texts a check is for; None where it was not looked at as a whole."""
        data = text.encode("utf-8", "replace")
        pages = (
            Page(PLAN_NAME, data, MARKDOWN),
            Page(PLAN, data, MARKDOWN, place=PLAN),
            Page(COMMIT_MESSAGE, data, TEXT, place=COMMIT_MESSAGE),
        )
        hits: list[Hit] = []
        for found in self.hits(pages).values():
            if found is None:
                return None
            hits += found
        return hits

    def in_words(self, texts: Sequence[str]) -> list[tuple[str, list[Hit] | None]]:
        """What was found in texts that are in no file."""
        pages = [
            Page(str(number), text.encode("utf-8", "replace"), TEXT, place=COMMIT_MESSAGE)
            for number, text in enumerate(texts)
        ]
        found = self.hits(pages)
        return [(text, found[str(number)]) for number, text in enumerate(texts)]


def secrets_plan(plan: CheckPlan | None) -> CheckPlan:
    """The checks for secrets in force, and those of the shipped pack that are not, each for files of every name.

    Who finds a check too noisy, or wants none among tests, has not said that such a secret may be shown to others.
    """
    shipped = compiled([pack_source(SHIPPED)], {})
    found = (shipped if plan is None else plan.with_more(shipped)).only(_is_about_secrets)
    return CheckPlan([rule._replace(exclude=()) for rule in found.rules], found.sought)


def _is_about_secrets(rule: Rule) -> bool:
    return rule.category in REDACTED_CATEGORIES
