"""The one parser of what models say: two forms are an answer, everything else is not."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from review_gate.models import Frozen, Severity
from review_gate.pipeline.answers import LONGEST_ANSWER, Unusable, fitting, read_answer
from review_gate.shell.providers.schema import strict_schema


class Place(Frozen):
    """Where something is."""

    file: str
    line: int | None = Field(default=None, ge=1)


class Opinion(Frozen):
    """An answer with all that answers have: choices, lists, numbers, parts, defaults."""

    severity: Severity
    sure: float = 1.0
    is_final: bool = False
    places: tuple[Place, ...] = ()
    title: str = ""


GOOD = '{"severity": "major", "sure": 1, "is_final": true, "places": [{"file": "a", "line": 2}], "title": "x"}'
READ = Opinion(severity=Severity.MAJOR, sure=1.0, is_final=True, places=(Place(file="a", line=2),), title="x")

ANSWERS = {
    "bare": GOOD,
    "white space around": f"\n\t {GOOD} \r\n",
    "fenced": f"```json\n{GOOD}\n```",
    "fenced without a label": f"```\n{GOOD}\n```",
    "fenced with prose around": f"Here you are.\n\n  ```json\n{GOOD}\n  ```\n\nAnything else?",
}


@pytest.mark.parametrize("text", ANSWERS.values(), ids=ANSWERS)
def test_an_answer_is_read(text: str) -> None:
    assert read_answer(text, Opinion) == READ


def test_a_fence_inside_an_answer_is_part_of_it() -> None:
    text = json.dumps({"severity": "info", "title": "```json\n{}\n```"})
    assert read_answer(text, Opinion) == Opinion(severity=Severity.INFO, title="```json\n{}\n```")


NOT_ANSWERS = {
    "": "is empty",
    "LGTM": "holds no JSON",
    f"Sure! {GOOD}": "has words around its JSON",
    f"{GOOD}{GOOD}": "is not one JSON object: something follows the document at character 102",
    f"```json\n{GOOD}\n```\n```json\n{GOOD}\n```": "does not have exactly one fenced block",
    f"```json\n{GOOD}\n": "does not have exactly one fenced block",
    f"```python\n{GOOD}\n```": "LABEL",
    f"I first said {{}}\n```json\n{GOOD}\n```": "has braces outside of its fenced block",
    f"```json\n{GOOD}\n```\nor {GOOD}": "has braces outside of its fenced block",
    "```json\n[]\n```": "is not a JSON object but a list",
    "{": "is not one JSON object: not JSON",
    '{"severity": "info", "severity": "major"}': "is not one JSON object: not JSON: a key stands twice in one object",
    '{"severity": "info", "sure": NaN}': "is not one JSON object: not JSON: NaN is not JSON",
    '\x1b[32m{"severity": "info"}\x1b[0m': "has words around its JSON",
    '{"severity": "\ud800"}': "is not one JSON object: 'utf-8' codec can't encode",
    '{"a":' * 100_000: "is not one JSON object: ",
    "{}": "has the wrong shape: severity: Field required",
    '{"severity": "blocker"}': "has the wrong shape: severity: Input should be 'critical', 'major', 'warning' or",
    '{"severity": "info", "sure": "1"}': "has the wrong shape: sure: Input should be a valid number",
    '{"severity": "info", "is_final": 1}': "has the wrong shape: is_final: Input should be a valid boolean",
    '{"severity": "info", "approve": true}': "has the wrong shape: approve: Extra inputs are not permitted",
    '{"severity": "info", "places": [{"file": "a"}, {"file": "b", "line": -1}]}': (
        "has the wrong shape: places.1.line: Input should be greater than or equal to 1"
    ),
}


@pytest.mark.parametrize(("text", "why"), NOT_ANSWERS.items(), ids=range(len(NOT_ANSWERS)))
def test_anything_else_is_not_and_says_why(text: str, why: str) -> None:
    said = read_answer(text, Opinion)
    assert isinstance(said, Unusable)
    expected = "the fenced block of the answer is not labelled json" if why == "LABEL" else f"the answer {why}"
    assert said.why.startswith(expected)


def test_an_endless_answer_is_not_read() -> None:
    assert read_answer("{" + " " * LONGEST_ANSWER, Opinion) == Unusable("the answer has more than 2,000,000 characters")


def test_many_faults_are_counted_and_nothing_of_the_answer_is_repeated() -> None:
    said = fitting({f"key\x1b[31m{number}": "secret" for number in range(9)}, Opinion)
    assert isinstance(said, Unusable)
    assert said.why.isprintable()
    assert said.why.endswith("; and 7 more")
    assert "secret" not in said.why


@given(st.text())
def test_no_text_brings_the_parser_down(text: str) -> None:
    for whole in (text, "{" + text, f"```json\n{text}\n```"):
        assert isinstance(read_answer(whole, Opinion), Unusable)


@given(st.text(), st.text())
def test_nothing_but_white_space_may_stand_beside_a_bare_answer(before: str, after: str) -> None:
    said = read_answer(before + GOOD + after, Opinion)
    assert isinstance(said, Unusable) == bool(before.strip() or after.strip())


def test_a_schema_asks_for_every_field_and_for_no_other() -> None:
    schema = strict_schema(Opinion)
    assert schema["required"] == ["severity", "sure", "is_final", "places", "title"]
    assert schema["additionalProperties"] is False
    assert schema["properties"] == {
        "severity": {"$ref": "#/$defs/Severity"},
        "sure": {"type": "number"},
        "is_final": {"type": "boolean"},
        "places": {"type": "array", "items": {"$ref": "#/$defs/Place"}},
        "title": {"type": "string"},
    }
    definitions = schema["$defs"]
    assert isinstance(definitions, dict)
    assert (definitions["Place"]["required"], definitions["Place"]["additionalProperties"]) == (["file", "line"], False)
    assert definitions["Severity"]["enum"] == ["critical", "major", "warning", "info"]
