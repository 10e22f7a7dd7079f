"""What the editor makes of a prompt: each operation, priorities, conflicts, and what cannot be done."""

from __future__ import annotations

import pytest
from critiquing import critique, finding, op_finding

from review_gate.prompts.editor.edit import Edited, edit
from review_gate.prompts.schema import Critique, Op, Operation, PromptFinding, Role, Target, Weight

ADD = Op.ADD_CONSTRAINT


def add(value: str, *, target: Target = Target.CONSTRAINTS, op: Op = ADD) -> PromptFinding:
    return op_finding(op, value, target=target)


def replace(old: str, new: str) -> PromptFinding:
    return op_finding(Op.REPLACE_VAGUE, new, evidence=old, target=Target.STRUCTURE)


def remove(value: str, evidence: str = "") -> PromptFinding:
    return op_finding(Op.REMOVE_CONSTRAINT, value, evidence=evidence)


def structure(value: str, evidence: str = "") -> PromptFinding:
    return op_finding(Op.REFACTOR_STRUCTURE, value, evidence=evidence, target=Target.STRUCTURE)


def by(role: Role, *findings: PromptFinding) -> Critique:
    return critique(role, *findings)


CHANGED: dict[str, tuple[str, PromptFinding, str]] = {
    "an addition begins its part": ("Do it.", add("No new packages."), "Do it.\n\nConstraints:\n- No new packages."),
    "an ended text stays ended": ("Do it.\n", add("No new packages."), "Do it.\n\nConstraints:\n- No new packages.\n"),
    "the end of lines is kept": ("Do\r\nit.\r\n", add("Fast."), "Do\r\nit.\r\n\r\nConstraints:\r\n- Fast.\r\n"),
    "a heading is of the prompt's own kind": (
        "# Task\nDo it.",
        add("Read a.py.", target=Target.CONTEXT),
        "# Task\nDo it.\n\n# Context\n- Read a.py.",
    ),
    "a part that is there goes on": (
        "Do it.\n\nConstraints:\n- Be kind.\n\nOutput:\n- A file.",
        add("Be fast."),
        "Do it.\n\nConstraints:\n- Be kind.\n- Be fast.\n\nOutput:\n- A file.",
    ),
    "a list goes on in its own way": (
        "## Constraints\n\n1. Be kind.\n2. Be brief.\n\nMore.",
        add("Be fast."),
        "## Constraints\n\n1. Be kind.\n2. Be brief.\n\nMore.\n- Be fast.",
    ),
    "numbers go on": ("**Constraints:**\n1. Be kind.", add("Be fast."), "**Constraints:**\n1. Be kind.\n2. Be fast."),
    "a list goes on as a list, and not below its last item": (
        "Constraints:\n- Be kind.\n  - to users\n",
        add("Be fast."),
        "Constraints:\n- Be kind.\n  - to users\n- Be fast.\n",
    ),
    "a value that brings a bullet gets no other": ("Do it.", add("- Be fast."), "Do it.\n\nConstraints:\n- Be fast."),
    "the end of lines is that of the prompt in a replacement too": (
        "Do it fast.\r\nNow.",
        replace("fast", "in\nan hour"),
        "Do it in\r\nan hour.\r\nNow.",
    ),
    "a removal before a full stop": ("Do it without tests.", remove("without tests"), "Do it."),
    "a heading in a fence is none": (
        "```\nConstraints:\n```\nDo it.",
        add("Fast."),
        "```\nConstraints:\n```\nDo it.\n\nConstraints:\n- Fast.",
    ),
    "vague words are replaced": (
        "Please optimize it now.",
        replace("optimize it", "halve its time"),
        "Please halve its time now.",
    ),
    "not where they are a path": (
        "Clean settings, see src/settings.ts.",
        replace("settings", "options"),
        "Clean options, see src/settings.ts.",
    ),
    "in a script without blanks": (
        "\u8bf7\u4f18\u5316\u8fd9\u4e2a\u9875\u9762\u3002",
        replace("\u4f18\u5316", "\u52a0\u5feb"),
        "\u8bf7\u52a0\u5feb\u8fd9\u4e2a\u9875\u9762\u3002",
    ),
    "each of their places": (
        "Fix it. Then fix it again: Fix it.",
        replace("Fix it", "Mend a.py"),
        "Mend a.py. Then fix it again: Mend a.py.",
    ),
    "however the lines break": (
        "Please\noptimize\n  the page now.",
        replace("optimize the page", "halve it"),
        "Please\nhalve it now.",
    ),
    "an item is removed with its bullet": ("- a\n- be quick\n- b", remove("be quick"), "- a\n- b"),
    "a line with its end": ("One.\nNever test.\nTwo.", remove("Never test."), "One.\nTwo."),
    "the last line": ("One.\nNever test.", remove("Never test."), "One."),
    "words with one blank": ("Do it without tests today.", remove("without tests"), "Do it today."),
    "the evidence, where the value is not there": ("Do it. Skip tests.", remove("the tests", "Skip tests."), "Do it."),
    "a word with vowel signs": (
        "\u092f\u0939 \u0915\u0930\u0947.",
        replace("\u0915\u0930\u0947", "\u0939\u091f"),
        "\u092f\u0939 \u0939\u091f.",
    ),
    "a heading above a line": (
        "Do it.\nIt must be fast.",
        structure("## Constraints", "must be fast"),
        "Do it.\n\n## Constraints\n\nIt must be fast.",
    ),
    "a new order around code": (
        "Be brief.\n\n```\nif x:\n    y()\n```\n\nMend it.",
        structure("# Task\n\nMend it.\n\n```\nif x:\n    y()\n```\n\n# Rules\n\nBe brief."),
        "# Task\n\nMend it.\n\n```\nif x:\n    y()\n```\n\n# Rules\n\nBe brief.",
    ),
    "a whole new order": (
        "It must be fast. Write a parser. It prints JSON.",
        structure("# Task\n\nWrite a parser.\n\n# Constraints\n\n- It must be fast.\n\n# Output\n\nIt prints JSON."),
        "# Task\n\nWrite a parser.\n\n# Constraints\n\n- It must be fast.\n\n# Output\n\nIt prints JSON.",
    ),
}


@pytest.mark.parametrize(("prompt", "found", "refined"), CHANGED.values(), ids=CHANGED)
def test_an_operation_changes(prompt: str, found: PromptFinding, refined: str) -> None:
    edited = edit(prompt, [by(Role.CLARITY, found)])
    assert edited.text == refined
    assert [one.op for one in edited.applied] == [found.suggested_ops[0].op]
    assert edited.unplaced == edited.known == ()


LEFT_ALONE: dict[str, tuple[str, PromptFinding]] = {
    "what is said already": ("Do it.\n- no NEW   packages", add("No new packages.")),
    "what is a part of what is said": ("Run all tests after each change.", add("run all tests")),
    "a part of a path": ("Mend src/settings.ts and old/settings.", replace("settings", "options")),
    "a part of a compound": ("Mend user-settings and settings-page.", remove("settings")),
    "words in a fence": ("Explain:\n```\noptimize it\n```\n", replace("optimize it", "halve its time")),
    "words in code": ("Explain `make optimize fast`, please.", replace("optimize", "halve")),
    "signs that are no words": ("Do it. ``` Now.", replace(".", "!")),
    "words that are not there": ("Do it.", replace("optimize", "halve")),
    "a part of a word": ("Reformat it.", replace("format", "indent")),
    "a replacement without evidence": ("Do it.", replace("", "Do it well.")),
    "what is not there to be removed": ("Do it.", remove("Never test.", "skip them")),
    "an outline that loses a sentence": (
        "Be fast. Write it. Test it.",
        structure("# Task\nWrite it.\n# Rules\nBe fast."),
    ),
    "an outline that adds a sentence": ("Be fast. Write it.", structure("# Task\nWrite it. Now.\n# Rules\nBe fast.")),
    "an outline that changes a word": ("Be fast. Write it.", structure("# Task\nWrite this.\n# Rules\nBe fast.")),
    "an outline that cuts a sentence": (
        "Do not\nuse eval. Write it.",
        structure("# Task\nuse eval. Write it.\n# Rules\nDo not"),
    ),
    "an outline that loses a heading": ("# Goal\nBe fast.\nWrite it.", structure("# Task\nBe fast.\nWrite it.")),
    "advice on structure": ("Be fast. Write it.", structure("Split it into task and rules")),
    "a heading above a line of code": ("Explain:\n```\nBe fast.\n```", structure("## Rules", "Be fast.")),
    "a heading without a place": ("Be fast.", structure("## Rules", "Be slow.")),
}


@pytest.mark.parametrize(("prompt", "found"), LEFT_ALONE.values(), ids=LEFT_ALONE)
def test_an_operation_leaves_alone(prompt: str, found: PromptFinding) -> None:
    edited = edit(prompt, [by(Role.CLARITY, found)])
    assert edited.text == prompt
    assert edited.applied == ()
    assert len(edited.known) + len(edited.unplaced) == 1
    assert bool(edited.known) == found.suggested_ops[0].op.is_addition


def test_nobody_who_finds_nothing_changes_anything() -> None:
    assert edit("Do it.", [by(role) for role in Role]) == Edited(text="Do it.")


def test_a_finding_without_an_operation_changes_nothing() -> None:
    assert edit("Do it.", [by(Role.SECURITY, finding())]) == Edited(text="Do it.")


def test_additions_come_by_priority_whoever_answers_first() -> None:
    critiques = [by(role, add(f"Rule of {role.label}.")) for role in Role]
    refined = "Do it.\n\nConstraints:\n" + "\n".join(
        f"- Rule of {name}."
        for name in ("Security", "Testing", "Domain SME", "Documentation", "Frontend/UX", "Clarity")
    )
    assert edit("Do it.", critiques).text == edit("Do it.", critiques[::-1]).text == refined


def test_a_worse_finding_does_not_come_before_a_reviewer_of_higher_priority() -> None:
    small = by(Role.TESTING, op_finding(ADD, "Rule of Testing.", severity=Weight.NIT))
    large = by(Role.CLARITY, op_finding(ADD, "Rule of Clarity.", severity=Weight.BLOCKER))
    assert edit("Do it.", [large, small]).text == ("Do it.\n\nConstraints:\n- Rule of Testing.\n- Rule of Clarity.")


def test_the_order_of_the_settings_decides_and_security_still_comes_first() -> None:
    critiques = [by(role, add(f"Rule of {role.label}.")) for role in (Role.TESTING, Role.CLARITY, Role.SECURITY)]
    edited = edit("Do it.", critiques, [Role.CLARITY, Role.TESTING])
    assert [one.role for one in edited.applied] == [Role.SECURITY, Role.CLARITY, Role.TESTING]


def test_the_same_edit_is_made_once_in_its_more_severe_version() -> None:
    mild = op_finding(ADD, "Run the tests.", severity=Weight.NIT)
    severe = op_finding(Op.ADD_ACCEPTANCE_CRITERIA, "run the tests", severity=Weight.MAJOR, target=Target.OUTPUT)
    edited = edit("Do it.", [by(Role.TESTING, mild), by(Role.CLARITY, severe)])
    assert edited.text == "Do it.\n\nOutput:\n- run the tests"
    (one,) = edited.applied
    assert (one.role, one.severity, one.also) == (Role.CLARITY, Weight.MAJOR, (Role.TESTING,))


OPPOSITE = [
    ("Use pytest, not unittest.", "Use unittest."),
    ("Use pytest instead of unittest.", "Use unittest."),
    ("Log the user out, but do not log the token.", "Log the token."),
    ("The tests run without network access.", "The tests may use network access."),
    ("If it fails, never log tokens.", "Log tokens."),
    ("Do not log tokens.", "Log tokens at debug level."),
    ("Never change the public API.", "Change the public API to snake_case."),
    ("Avoid classes.", "Be helpful about classes."),
    ("Don\u2019t cache the answers.", "Cache answers."),
]


@pytest.mark.parametrize(("forbids", "asks"), OPPOSITE)
def test_security_wins_against_whoever_asks_for_what_it_forbids(forbids: str, asks: str) -> None:
    edited = edit("Do it.", [by(Role.CLARITY, add(asks)), by(Role.SECURITY, add(forbids, op=Op.ADD_GUARDRAIL))])
    assert edited.text == f"Do it.\n\nConstraints:\n- {forbids}"
    (conflict,) = edited.conflicts
    assert (conflict.first.role, conflict.second.role, conflict.is_disagreement) == (Role.SECURITY, Role.CLARITY, False)


def test_security_wins_in_any_order() -> None:
    critiques = [by(Role.CLARITY, add("Log tokens.")), by(Role.SECURITY, add("Never log tokens."))]
    assert edit("Do it.", critiques, [Role.CLARITY, Role.SECURITY]).text.endswith("- Never log tokens.")


def test_between_others_the_order_decides() -> None:
    critiques = [by(Role.DOMAIN_SME, add("Do not add snapshot tests.")), by(Role.TESTING, add("Add snapshot tests."))]
    edited = edit("Do it.", critiques)
    assert [one.role for one in edited.applied] == [Role.TESTING]
    assert not any(one.is_disagreement for one in edited.conflicts)


@pytest.mark.parametrize(
    "critiques",
    [
        [by(Role.TESTING, add("Add snapshot tests."), add("Never add snapshot tests."))],
        [by(Role.DOMAIN_SME, add("Use tabs.")), by(Role.CLARITY, add("Never use tabs."))],
    ],
    ids=["of one reviewer", "of two that are in no order"],
)
def test_where_nothing_decides_neither_is_done_and_the_disagreement_is_told(critiques: list[Critique]) -> None:
    edited = edit("Do it.", critiques, [Role.TESTING])
    assert edited.text == "Do it."
    assert [one.is_disagreement for one in edited.conflicts] == [True]
    assert edited.unplaced == edited.known == ()


AGREEING = [
    ("Use pytest, not unittest.", "Use pytest."),
    ("Use named exports, no default exports.", "Use named exports."),
    ("Show a message when there are no items.", "Show a message for items."),
    ("The modal must not exceed 200 ms to open.", "The modal must open under 200 ms."),
    ("Write no more than 200 lines.", "Write 200 lines."),
    ("The tests run without network access.", "Run the tests."),
    ("Never deploy without a review.", "Deploy after a review."),
    ("Do not refactor unrelated code.", "Refactor code."),
    ("Do not add packages.", "Add tests."),
    ("Never commit keys.", "Commit in small steps."),
    ("Do not use classes.", "Use pure functions."),
    ("Log errors.", "Log errors with their stack."),
]


@pytest.mark.parametrize(("one", "other"), AGREEING)
def test_what_only_sounds_alike_is_no_conflict(one: str, other: str) -> None:
    edited = edit("Do it.", [by(Role.SECURITY, add(one)), by(Role.CLARITY, add(other))])
    assert len(edited.applied) == 2
    assert edited.conflicts == ()


def test_two_who_replace_the_same_words_are_in_conflict() -> None:
    critiques = [
        by(Role.CLARITY, replace("optimize the page", "halve the page's time")),
        by(Role.DOMAIN_SME, replace("the page now", "src/page.ts now")),
    ]
    edited = edit("Please optimize the page now.", critiques)
    assert edited.text == "Please optimize src/page.ts now."
    assert [one.is_disagreement for one in edited.conflicts] == [False]
    assert edited.unplaced == ()


def test_what_one_removes_another_does_not_put_in() -> None:
    critiques = [by(Role.CLARITY, add("Skip the tests.")), by(Role.TESTING, remove("Skip the tests."))]
    edited = edit("Do it. Skip the tests.", critiques)
    assert edited.text == "Do it."
    assert [one.first.role for one in edited.conflicts] == [Role.TESTING]


def test_there_is_one_new_order() -> None:
    critiques = [
        by(Role.CLARITY, structure("# A\nBe fast.\n# B\nWrite it.")),
        by(Role.DOMAIN_SME, structure("# Task\nWrite it.\n# Rules\nBe fast.")),
    ]
    assert edit("Be fast. Write it.", critiques).text == "# Task\nWrite it.\n# Rules\nBe fast."


def test_what_was_put_in_is_not_replaced() -> None:
    critiques = [
        by(Role.SECURITY, add("Ask before you optimize the page.")),
        by(Role.CLARITY, replace("optimize the page", "halve its time")),
    ]
    edited = edit("Please optimize the page.", critiques)
    assert edited.text == "Please halve its time.\n\nConstraints:\n- Ask before you optimize the page."


def test_one_finding_may_have_several_operations() -> None:
    both = finding(
        Operation(op=Op.REPLACE_VAGUE, target=Target.STRUCTURE, value="halve the time"),
        Operation(op=Op.ADD_ACCEPTANCE_CRITERIA, target=Target.OUTPUT, value="The time is measured."),
        evidence="optimize",
    )
    assert edit("optimize", [by(Role.CLARITY, both)]).text == "halve the time\n\nOutput:\n- The time is measured."


def test_headings_above_one_line_come_in_the_order_of_the_others() -> None:
    found = [structure("## B", "Be fast."), structure("## A", "fast"), structure("## A", "Write")]
    edited = edit("Write it.\nBe fast.", [by(Role.CLARITY, *found)])
    assert edited.text == "## A\n\nWrite it.\n\n## B\n\nBe fast."
    assert [(one.new, one.evidence) for one in edited.applied] == [("## A", "Write"), ("## B", "Be fast.")]
