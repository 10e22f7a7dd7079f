"""Stages 3 and 4: who looks at a change, why, and what may be added to that."""

from __future__ import annotations

import pytest
from composing import ALWAYS, MONEY, config, facts, policy

from review_gate.errors import MisuseError
from review_gate.pipeline.classify import classify
from review_gate.pipeline.compose import compose
from review_gate.pipeline.config_schema import PipelineConfig
from review_gate.pipeline.gap_detect import amend
from review_gate.pipeline.schema import AgentManifest, Amendment, ManifestEntry, NotChosen, PRFacts

PLAIN = facts(("src/a.py", "M", 3, 1), ("README.md", "M", 1, 1))
RISKY = facts(("src/billing/a.py", "M", 3, 1), ("src/price.py", "M", 3, 1), ("src/a.py", "M", 1, 1))


def composed(found: PRFacts, chosen: PipelineConfig | None = None) -> AgentManifest:
    used = chosen or config()
    return compose(found, classify(found, used.domains), used)


def test_who_is_always_sent_sees_everything_and_the_others_are_told_why_not() -> None:
    assert composed(PLAIN) == AgentManifest(
        entries=(ManifestEntry(agent="watcher", loop=2, priority=50, because=("every change",)),),
        not_chosen=(
            NotChosen(agent="banker", because="not files in money"),
            NotChosen(agent="tester", because="not medium risk"),
        ),
    )


def test_a_domain_sends_its_reviewer_to_its_files_and_risk_another_to_all() -> None:
    entries = {entry.agent: entry for entry in composed(RISKY).entries}
    assert list(entries) == ["watcher", "banker", "tester"]
    assert (entries["banker"].files, entries["banker"].because) == (
        ("src/billing/a.py", "src/price.py"),
        ("files in money",),
    )
    assert (entries["tester"].files, entries["tester"].because) == (None, ("medium risk (30)",))


def test_several_policies_for_one_reviewer_are_one_entry_with_the_widest_scope_and_the_highest_priority() -> None:
    policies = [
        policy("a", "watcher", ALWAYS, 10),
        policy("b", "watcher", MONEY, 90, "domain"),
        policy("c", "watcher", {"type": "change_type", "types": ["fix"]}, 20),
        policy("d", "banker", MONEY),
        policy("e", "tester", {"type": "change_type", "types": ["docs", "tests"]}),
    ]
    found = composed(RISKY, config(composition=policies))
    entry = found.entry("watcher")
    assert entry is not None
    assert (entry.files, entry.priority) == (None, 90)
    assert entry.because == ("every change", "files in money", "a change of type fix")
    assert found.not_chosen == (NotChosen(agent="tester", because="not a change of type docs or tests"),)


def test_a_gap_adds_a_reviewer_and_is_logged() -> None:
    amended, log = amend(
        composed(PLAIN), [Amendment(agent="banker", concern="rounding in a.py", files=("src/a.py",))], PLAIN, config()
    )
    assert amended.entries[1] == ManifestEntry(
        agent="banker", loop=3, priority=50, files=("src/a.py",), because=("a gap: rounding in a.py",), by="gap"
    )
    assert [one.agent for one in amended.not_chosen] == ["tester"]
    assert [(one.agent, one.concern, one.is_added) for one in log] == [("banker", "rounding in a.py", True)]


def test_a_gap_widens_what_a_reviewer_sees_and_never_narrows_it() -> None:
    widened, _ = amend(composed(RISKY), [Amendment(agent="banker", concern="x", files=("src/a.py",))], RISKY, config())
    entry = widened.entry("banker")
    assert entry is not None
    assert entry.files == ("src/billing/a.py", "src/price.py", "src/a.py")
    same, log = amend(composed(PLAIN), [Amendment(agent="watcher", concern="x", files=("src/a.py",))], PLAIN, config())
    assert same == composed(PLAIN)
    assert [one.is_added for one in log] == [False]


REFUSED = {
    "no such reviewer": (Amendment(agent="bankr", concern="x"), "there is no reviewer bankr; did you mean banker?"),
    "no such file": (
        Amendment(agent="banker", concern="x", files=("other.py", "b.py")),
        "other.py (and 1 more) is not part of this change",
    ),
}


@pytest.mark.parametrize(("amendment", "what"), REFUSED.values(), ids=REFUSED)
def test_an_amendment_that_does_not_fit_is_refused(amendment: Amendment, what: str) -> None:
    with pytest.raises(MisuseError) as raised:
        amend(composed(PLAIN), [amendment], PLAIN, config())
    assert raised.value.what == f"the manifest cannot be amended: {what}"
