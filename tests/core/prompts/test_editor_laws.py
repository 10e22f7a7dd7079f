"""Laws of the editor: they hold for any prompt and any proposals."""

from __future__ import annotations

import re

from critiquing import critique, op_finding
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from review_gate.prompts.editor.edit import Edited, edit
from review_gate.prompts.schema import Critique, Op, Role, Target, Weight

# Few words, so that proposals meet each other and the prompt.
WORD = st.sampled_from(
    [
        "log",
        "keys",
        "never",
        "do",
        "not",
        "fast",
        "tests",
        "Add",
        "a",
        "be.",
        "settings:",
        "- x",
        "## y",
        "`",
        "```",
        "a/log.ts",
        "~~~",
        "1. z",
        "Constraints:",
        "cafe\u0301",
    ]
)
GLUE = st.sampled_from([" ", " ", " ", "\n", "\n\n", "  ", ". ", "\n  - ", "\n# "])
# The values of operations hold no carriage return; a prompt may.
ENDS = st.sampled_from(["\n", "\n", "\r\n", "\r"])
LINE = st.lists(st.tuples(WORD, GLUE), min_size=1, max_size=7).map(lambda two: "".join(w + g for w, g in two).strip())
PROMPT = st.tuples(st.lists(st.tuples(WORD, GLUE), max_size=25), ENDS).map(
    lambda drawn: "".join(word + glue for word, glue in drawn[0]).replace("\n", drawn[1])
)
PLAIN = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")), max_size=12
)
# What stands nowhere else, among everything that can stand around it.
SOUGHT, BETTER = "optimize", "accelerate"
AROUND = st.tuples(st.lists(st.tuples(st.one_of(WORD, st.just(SOUGHT)), GLUE), max_size=25), ENDS).map(
    lambda drawn: "".join(word + glue for word, glue in drawn[0]).replace("\n", drawn[1])
)
TEXT = st.one_of(LINE, LINE, PLAIN)
ADDITIONS = tuple(op for op in Op if op.is_addition)
VALUE = TEXT.filter(lambda text: bool(text.strip()))


@st.composite
def critiques(
    draw: st.DrawFn, *, ops: tuple[Op, ...] = tuple(Op), roles: tuple[Role, ...] = tuple(Role)
) -> list[Critique]:
    """Some critiques about some prompt."""
    count = draw(st.integers(1, 8))
    found = []
    for number in range(count):
        role = draw(st.sampled_from(roles))
        weights = [Weight.BLOCKER, Weight.MAJOR] if role is Role.SECURITY else list(Weight)
        finding = op_finding(
            draw(st.sampled_from(ops)),
            draw(VALUE),
            evidence=draw(TEXT),
            target=draw(st.sampled_from(list(Target))),
            severity=draw(st.sampled_from(weights)),
            id=f"F-{number}",
        )
        found.append(critique(role, finding))
    return found


LAW = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@LAW
@given(PROMPT, critiques(ops=ADDITIONS))
def test_additions_are_not_made_twice(prompt: str, found: list[Critique]) -> None:
    once = edit(prompt, found)
    assert edit(once.text, found).text == once.text


@LAW
@given(PROMPT, critiques(), st.randoms(use_true_random=False))
def test_the_order_in_which_reviewers_answer_makes_no_difference(
    prompt: str, found: list[Critique], random: object
) -> None:
    shuffled = list(found)
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis gives a Random
    assert edit(prompt, shuffled) == edit(prompt, found)


@LAW
@given(PROMPT)
def test_without_an_operation_every_byte_stays(prompt: str) -> None:
    assert edit(prompt, [critique(role) for role in Role]) == Edited(text=prompt)


@LAW
@given(PROMPT, critiques(ops=ADDITIONS))
def test_additions_only_add(prompt: str, found: list[Critique]) -> None:
    """What is left of the refined prompt without the lines that were put in is the prompt, byte for byte."""
    refined = edit(prompt, found).text
    rest = iter(refined)
    assert all(letter in rest for letter in prompt), "the prompt is a subsequence of the refined one"


@LAW
@given(PROMPT, critiques(ops=tuple(op for op in Op if op is not Op.REMOVE_CONSTRAINT)))
def test_no_word_is_lost_without_a_removal_or_replacement(prompt: str, found: list[Critique]) -> None:
    edited = edit(prompt, found)
    replaced = " ".join(one.evidence for one in edited.applied if one.op is Op.REPLACE_VAGUE)
    lost = set(re.findall(r"\w+", prompt)) - set(re.findall(r"\w+", f"{edited.text} {replaced}"))
    assert not lost


@LAW
@given(AROUND)
def test_around_a_replacement_every_byte_stays(prompt: str) -> None:
    refined = edit(prompt, [critique(Role.CLARITY, op_finding(Op.REPLACE_VAGUE, BETTER, evidence=SOUGHT))]).text
    assert refined.replace(BETTER, SOUGHT) == prompt


@LAW
@given(AROUND)
def test_around_a_removal_no_line_changes(prompt: str) -> None:
    refined = edit(prompt, [critique(Role.CLARITY, op_finding(Op.REMOVE_CONSTRAINT, SOUGHT))]).text
    rest = iter(re.split(r"\r\n|[\r\n]", refined))
    others = [line for line in re.split(r"\r\n|[\r\n]", prompt) if line.strip() and SOUGHT not in line]
    assert all(line in rest for line in others)


@LAW
@given(PROMPT, critiques(ops=tuple(op for op in Op if op is not Op.REFACTOR_STRUCTURE)))
def test_a_line_with_no_word_of_an_edit_stays_byte_for_byte_and_in_its_place(
    prompt: str, found: list[Critique]
) -> None:
    edited = edit(prompt, found)
    sought = {word for one in edited.applied for old in one.old for word in old.split()}
    lines = [line.rstrip("\r") for line in prompt.split("\n")]
    untouched = [line for line in lines if line.strip() and not any(word in line for word in sought)]
    rest = iter([line.rstrip("\r") for line in edited.text.split("\n")])
    assert all(line in rest for line in untouched)


@LAW
@given(PROMPT, critiques())
def test_there_is_no_word_that_nobody_proposed(prompt: str, found: list[Critique]) -> None:
    edited = edit(prompt, found)
    proposed = " ".join([prompt, *(f"{one.new} {one.target.value.capitalize()}" for one in edited.applied)])
    added = set(re.findall(r"[^\W\d]+", edited.text)) - set(re.findall(r"[^\W\d]+", proposed))
    assert not added
