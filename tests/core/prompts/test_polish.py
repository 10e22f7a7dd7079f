"""Other words for what was put in: they replace a reviewer's, and never the author's."""

from __future__ import annotations

import json

import pytest
from critiquing import critique, op_finding

from review_gate.pipeline.question import canary_of
from review_gate.prompts.editor.edit import edit, reworded
from review_gate.prompts.schema import Op, Role
from review_gate.workflows.prompt_polish import rewordings

NONCE = "0123456789abcdef"
OLD = ("Run the tests.", "Be kind.")


def said(*passages: tuple[int, str]) -> str:
    return json.dumps({"passages": [{"number": number, "text": text} for number, text in passages]})


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (said((1, "Run npm test.")), {"Run the tests.": "Run npm test."}),
        (said((2, " Be kind. "), (1, "Run the tests.")), {}),
        (said((3, "There is no third.")), {}),
        (said((1, "Never run the tests.")), {}),
        (said((1, "a\u202eb"), (2, " ")), {}),
        (said(), {}),
        ("It reads well.", {}),
        ('{"passages": [{"number": "1", "text": "x"}]}', {}),
        (said((1, f"See {canary_of(NONCE)}.")), {}),
    ],
    ids=[
        "other words",
        "the same",
        "no such passage",
        "the opposite",
        "hidden",
        "none",
        "no JSON",
        "wrong shape",
        "the mark",
    ],
)
def test_only_usable_words_for_a_passage_count(raw: str, words: dict[str, str]) -> None:
    assert rewordings(raw, OLD, NONCE) == words


def test_other_words_go_through_the_editor_and_what_is_taken_out_stays_the_same() -> None:
    found = critique(
        Role.CLARITY,
        op_finding(Op.ADD_CONSTRAINT, "Be kind.", id="CLR-001"),
        op_finding(Op.REMOVE_CONSTRAINT, "Be rude.", id="CLR-002"),
    )
    words = {"Be kind.": "Be polite.", "Be rude.": "Be loud."}
    assert edit("Do it. Be rude.", reworded([found], words)).text == "Do it.\n\nConstraints:\n- Be polite."
