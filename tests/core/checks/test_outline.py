"""What is left after a removal is what it was: another way is taken where the usual one would change it, else none."""

from __future__ import annotations

import itertools
import re
import sys

import pytest
from fixing import finder, paragraph, sentence

from review_gate.checks.fix import BREAKS, fixed
from review_gate.checks.fix_rounds import fix_until_stable
from review_gate.checks.rule import Hit

FIND = finder(sentence("sbad"), paragraph("pbad"))

KEEPS = {
    "the number that lets a list begin below a paragraph": (
        "Set up:\n1. Run sbad once.\n2. Copy it.\n3. Restart.\n\nEnd.\n",
        "Set up:\n1. Copy it.\n3. Restart.\n\nEnd.\n",
    ),
    "the number of an inner list": (
        "1. one\n   1. sbad here.\n   2. inner two.\n2. two\n",
        "1. one\n   1. inner two.\n2. two\n",
    ),
    "the number of a list that stands alone": ("1. sbad one\n2. two\n3. three\n", "1. two\n3. three\n"),
    "a number, when two items go": ("7) a sbad.\n8) pbad\n9) c\n", "7) c\n"),
    "no number of an item that is not the first": ("1. a\n2. sbad\n3. c\n", "1. a\n3. c\n"),
    "the bullet around others": (
        "Intro text.\n* sbad\n  - sub one\n  - sub two\n",
        "Intro text.\n* - sub one\n  - sub two\n",
    ),
    "two paragraphs around code": ("Run this:\n```\npbad\n```\nThen stop.\n", "Run this:\n\nThen stop.\n"),
    "two paragraphs around a heading": ("Alpha.\n# sbad\nBeta.\n", "Alpha.\n\nBeta.\n"),
    "two paragraphs in a quotation": ("> Alpha.\n> # sbad\n> Beta.\n", "> Alpha.\n>\n> Beta.\n"),
    "two paragraphs around a comment": ("Note:\n<!-- sbad -->\nPara two\n", "Note:\n\nPara two\n"),
    "a paragraph above a rule": ("Alpha.\n- sbad\n---\nBeta\n", "Alpha.\n\n---\nBeta\n"),
    "a paragraph below a list": ("- one\n- pbad\n  # head\nPara\n", "- one\n\nPara\n"),
    "two quotations": ("> one\n>\n> pbad.\n\n> two\n", "> one\n\n> two\n"),
    "what stands between two tags": ("Text <b>sbad. More</b> rest. Next.\n", "Next.\n"),
    "a fence that is not closed": ("1. ~~~one\n10) sbad.\n\n", "1. ~~~one\n"),
    "a blank line between two kinds of line ends": ("# a\rsbad\r\n\nb\n", "# a\r\n\nb\n"),
}


@pytest.mark.parametrize(("text", "expected"), KEEPS.values(), ids=KEEPS)
def test_a_removal_keeps(text: str, expected: str) -> None:
    done = fix_until_stable(text, FIND)
    assert (done.text, done.left) == (expected, ())
    assert fix_until_stable(done.text, FIND).changes == ()


STAYS = {
    "what keeps code out of a bullet": "- one\n\npbad.\n\n    code\n",
    "what keeps two pieces of code apart": "    one\n\npbad.\n\n    two\n",
    "what keeps a word from being a heading": "sbad here. # one\n",
    "what keeps an indented bullet from being empty": "One.\n\n  - sbad here. >\n",
    "what keeps a text without a final line end": "1. ~~~one\n10) sbad.\n\n  ",
    "what keeps a word from being a bullet": "- a\n\n  sbad here. - one\n",
}


@pytest.mark.parametrize("text", STAYS.values(), ids=STAYS)
def test_a_removal_is_not_made(text: str) -> None:
    done = fix_until_stable(text, FIND)
    assert (done.text, done.changes) == (text, ())
    assert [left.reason for left in done.left] == [BREAKS]


def test_one_removal_that_does_harm_holds_up_no_other() -> None:
    text = "A sbad one. Two.\n\n" + STAYS["what keeps code out of a bullet"] + "\nThree. Four sbad.\n"
    done = fix_until_stable(text, FIND)
    assert done.text == text.replace("A sbad one. ", "").replace(" Four sbad.", "")
    assert [left.hit.text for left in done.left] == ["pbad"]


def test_lists_with_nothing_left_between_them_become_one() -> None:
    assert fix_until_stable("- a\n\npbad\n\n- b\n", FIND).text == "- a\n\n- b\n"


def test_code_is_compared_with_nothing() -> None:
    done = fix_until_stable("    one\n\npbad\n\n    two\n", FIND, language="python")
    assert done.text == "    one\n\n    two\n"


MANY = {
    "another way for each": "Alpha.\n# sbad\nBeta.\n\n",
    "no way for any": "- one\n\npbad.\n\n    code\n\nEnd.\n\n",
    "one list": "1. sbad\n2. b\n",
    "one fence": "```\nsbad\n",
}


@pytest.mark.parametrize("block", MANY.values(), ids=MANY)
def test_many_removals_take_no_steps_for_each_other(block: str) -> None:
    def steps(copies: int) -> int:
        text = block * copies
        places = [match.span() for match in re.finditer("[sp]bad", text)]
        check = FIND(block)[0].rule
        hits = [Hit(check, line=1, column=1, start=start, end=end, text="") for start, end in places]
        taken = itertools.count()
        sys.setprofile(lambda *_: next(taken))
        try:
            left = fixed(text, hits).left
        finally:
            sys.setprofile(None)
        assert len(left) in (0, copies - 1, copies)
        return next(taken)

    assert steps(400) < 6 * steps(100)
