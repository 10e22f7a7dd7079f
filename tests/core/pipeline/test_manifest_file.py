"""What can be given to `run --manifest`: amendments alone, or a plan whose manifest nobody touched."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from composing import config, facts

from review_gate.errors import MisuseError
from review_gate.loops.plan import ModelPlan, PipelinePlan
from review_gate.pipeline.classify import classify
from review_gate.pipeline.compose import compose
from review_gate.pipeline.gap_detect import amend
from review_gate.pipeline.manifest_file import manifest_document, read_amendments
from review_gate.pipeline.schema import Amendment
from review_gate.render.pipeline_text import plan_lines

FACTS = facts(("src/billing/a.py", "M", 3, 1), ("src/\udcff.py", "A", 3, 0), ("README.md", "M", 1, 1))
CLASSIFIED = classify(FACTS, config().domains)
MANIFEST = compose(FACTS, CLASSIFIED, config())
ADDED = Amendment(agent="tester", concern="a race", files=("src/\udcff.py",))
CANNOT = "the manifest file cannot be used: "
ONLY_ADD = "whoever amends a manifest may only add: it must be the one of this run, with nothing removed or changed"


def document() -> dict[str, Any]:
    """The plan as a program gets it."""
    made: dict[str, Any] = json.loads(json.dumps({"subject": {}, **manifest_document(MANIFEST, CLASSIFIED, FACTS)}))
    return made


def read(given: object) -> tuple[Amendment, ...]:
    return read_amendments(json.dumps(given).encode(), MANIFEST, FACTS)


def refusal(data: bytes) -> MisuseError:
    with pytest.raises(MisuseError) as raised:
        read_amendments(data, MANIFEST, FACTS)
    assert raised.value.why
    assert raised.value.next_step.startswith("review-gate run --plan-only --format json")
    return raised.value


def test_the_document_says_who_looks_and_why() -> None:
    found = document()
    assert found["classification"] == {
        "domains": {"money": 1, "docs": 1},
        "risk": 30,
        "risk_level": "medium",
        "risk_reasons": [{"points": 30, "because": "1 file in money"}],
        "change_type": "feature",
        "scope": "small",
    }
    assert found["manifest"][1] == {
        "agent": "banker",
        "loop": 3,
        "priority": 80,
        "required": False,
        "files": ["src/billing/a.py"],
        "because": ["files in money"],
        "by": "policy",
    }
    assert (found["manifest"][0]["files"], found["not_chosen"], found["amendments"]) == (None, [], [])
    assert found["change"] == {
        "base": "a" * 40,
        "head": "b" * 40,
        "files": 3,
        "lines_added": 7,
        "lines_deleted": 2,
    }


def test_amendments_alone_or_in_the_whole_document_are_read() -> None:
    amendments = [ADDED.model_dump(), {"agent": "banker", "concern": "x"}]
    expected = (ADDED, Amendment(agent="banker", concern="x"))
    assert read({"amendments": amendments}) == expected
    assert read(document() | {"amendments": amendments}) == expected
    assert read(document()) == ()
    assert read({"amendments": []}) == ()


def test_the_manifest_that_was_amended_once_can_be_given_back_too() -> None:
    amended, _ = amend(MANIFEST, [Amendment(agent="banker", concern="x", files=("README.md",))], FACTS, config())
    made = manifest_document(amended, CLASSIFIED, FACTS)
    assert read_amendments(json.dumps(made).encode(), amended, FACTS) == ()
    assert refusal(json.dumps(made).encode()).why == ONLY_ADD


SHAPES = {
    "no JSON": (b"{", "it cannot be read: not JSON"),
    "a list": (b"[]", "it must be an object with amendments"),
    "nothing": (b"{}", "amendments: Field required"),
    "a key that is nearly right": (
        b'{"amendment": []}',
        "amendment: there is no such field; did you mean amendments?",
    ),
    "another key": (b'{"amendments": [], "remove": []}', "remove: there is no such field"),
    "a typo": (
        b'{"amendments": [{"agent": "a", "concern": "x", "file": []}]}',
        "amendments[0].file: there is no such field; did you mean files?",
    ),
    "an empty concern": (
        b'{"amendments": [{"agent": "a", "concern": " "}]}',
        "amendments[0].concern: must not be empty",
    ),
    "a file that is none": (
        b'{"amendments": [{"agent": "a", "concern": "x", "files": ["a", 3]}]}',
        "amendments[0].files[1]: Input should be a valid string",
    ),
    "too many": (
        json.dumps({"amendments": [{"agent": "a", "concern": "x"}] * 101}).encode(),
        "amendments: Tuple should have at most 100 items",
    ),
}


@pytest.mark.parametrize(("data", "what"), SHAPES.values(), ids=SHAPES)
def test_a_file_of_another_shape_is_refused_with_its_place(data: bytes, what: str) -> None:
    assert refusal(data).what.startswith(CANNOT + what)


def test_a_file_that_is_too_large_is_not_read() -> None:
    with pytest.raises(MisuseError) as raised:
        read_amendments(b'{"amendments": []}', MANIFEST, FACTS, most=10)
    assert raised.value.what == f"{CANNOT}it is 18 bytes long, more than 10"


CHANGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "a reviewer is gone": lambda found: found["manifest"].pop(0),
    "a reviewer twice": lambda found: found["manifest"].append(found["manifest"][0]),
    "a reviewer more": lambda found: found["manifest"].append({**found["manifest"][0], "agent": "ghost\x1b"}),
    "a number for a truth": lambda found: found["manifest"][0].update(required=0),
    "fewer files": lambda found: found["manifest"][1].update(files=[]),
    "a field less": lambda found: found["manifest"][1].pop("because"),
    "no list": lambda found: found.update(manifest={}),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_manifest_that_was_changed_is_refused(change: Callable[[dict[str, Any]], object]) -> None:
    found = document()
    change(found)
    error = refusal(json.dumps(found).encode())
    what = "manifest: it is not that of this run; a reviewer to add belongs in amendments"
    assert (error.what, error.why) == (CANNOT + what, ONLY_ADD)


def test_the_order_of_a_manifest_does_not_matter() -> None:
    found = document()
    found["manifest"].reverse()
    assert read(found) == ()


def test_the_preview_tells_the_kind_of_change_who_does_not_look_and_who_is_asked() -> None:
    plain = facts(("src/a.py", "M", 3, 1))
    classified = classify(plain, config().domains)
    manifest = compose(plain, classified, config())
    off, asked = ModelPlan(passed_over=(("models", "they are off"),)), ModelPlan(provider="claude", model="m\x1b[2J")
    quiet = PipelinePlan(facts=plain, classification=classified, manifest=manifest, models=off)
    assert plan_lines(quiet) == [
        "change: a small change of type fix; domains: none",
        "risk: low (0 of 100)",
        "not banker: not files in money",
        "not tester: not medium risk",
        "models: none is asked (models: they are off)",
    ]
    risky = PipelinePlan(facts=plain, classification=CLASSIFIED, manifest=MANIFEST, models=asked)
    assert plan_lines(risky) == [
        "change: a small change of type feature; domains: money (1), docs (1)",
        "risk: medium (30 of 100): 1 file in money (+30)",
        "models: claude m\\x1b[2J",
    ]


@pytest.mark.parametrize("key", ["base", "head"])
def test_a_plan_for_another_change_is_refused(key: str) -> None:
    given = document()
    given["change"][key] = "c" * 40
    told = refusal(json.dumps(given).encode())
    assert told.what == f"{CANNOT}change: it is not that of this run; make the plan again"
    assert told.why == ONLY_ADD
