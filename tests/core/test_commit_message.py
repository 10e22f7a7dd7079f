"""Commit messages: what git will keep of a text, and what is wrong with that."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_gate.reviewers.commit_message import (
    chosen_comment_char,
    end_of_message,
    needs_branch,
    needs_cleanup_mode,
    review,
    without_comments,
)
from review_gate.reviewers.problem import Problem

BLOCK: dict[str, object] = {
    "max_subject": 20,
    "empty": "block",
    "too_long": "block",
    "fixup": "block",
    "wip": "block",
    "leftover": "block",
    "protected_branches": ["main", "release/*", "v?.x", "*-stable", "ops-[ab]", "dev-[^xy/]*", "{qa,uat}/*"],
}
SCISSORS = "# ------------------------ >8 ------------------------\n"
EXPLAINED = SCISSORS + "# Do not modify or remove the line above.\n# Everything below it will be ignored.\n"
DIFF = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1,3 @@\n+<<<<<<< HEAD\n+fixup! x\n"
BOILERPLATE = "# Please enter the commit message for your changes. Lines starting\n# with '#' will be ignored.\n"
CONFLICTS = "# Conflicts:\n#\ta.py\n"


def reviewed(message: str, *, cleanup: str = "strip", branch: str | None = "main", **rules: object) -> list[Problem]:
    data = message.encode("utf-8", "surrogatepass")
    text = data[: end_of_message(data, cleanup, "#")].decode("utf-8", "surrogatepass")
    return review(text, rules=BLOCK | rules, branch=branch, cleanup=cleanup, comment_char="#")


def found(message: str, *, cleanup: str = "strip", branch: str | None = "main") -> list[tuple[str, int | None]]:
    return [(problem.rule, problem.line) for problem in reviewed(message, cleanup=cleanup, branch=branch)]


@pytest.mark.parametrize(
    ("message", "cleanup"),
    [
        pytest.param("", "strip", id="nothing"),
        pytest.param(f"\n{BOILERPLATE}{CONFLICTS}", "strip", id="only comments"),
        pytest.param(f"\n{EXPLAINED}{DIFF}", "strip", id="nothing above the diff of commit -v"),
        pytest.param("\nSigned-off-by: A <a@b>\n", "strip", id="only a sign-off"),
        pytest.param("\u200b\u00a0\n\nbody\n", "whitespace", id="invisible subject"),
    ],
)
def test_message_without_a_subject_is_found(message: str, cleanup: str) -> None:
    (problem,) = reviewed(message, cleanup=cleanup)
    assert (problem.rule, problem.severity) == ("empty-subject", "major")
    assert problem.message == "the commit message has no subject"
    assert problem.recommendation == "say in the first line what the commit does"


@pytest.mark.parametrize("word", ["fixup", "squash", "amend"])
def test_commit_to_be_squashed_is_refused_on_a_protected_branch(word: str) -> None:
    (problem,) = reviewed(f"# note\n\n{word}! Add it\n")
    assert (problem.rule, problem.severity, problem.line) == ("fixup-subject", "major", 3)
    assert problem.message == f'"{word}!" commit on the protected branch main'
    assert problem.evidence == f"{word}! Add it"
    assert problem.recommendation == ("commit it on another branch, or squash it first: git rebase -i --autosquash")


WIP_SUBJECTS = [
    "WIP", "wip: parse", "WIP parse", "[ wip ] parse", "work in progress: x", "Draft", "[draft] x", "feat(x)!: WIP",
    "Parse it [wip]",
]  # fmt: skip


@pytest.mark.parametrize("subject", WIP_SUBJECTS)
def test_work_in_progress_is_refused_on_a_protected_branch(subject: str) -> None:
    (problem,) = reviewed(f"{subject}\n")
    assert (problem.rule, problem.severity, problem.line) == ("wip-subject", "major", 1)
    assert problem.message == "work in progress on the protected branch main"
    assert problem.evidence == subject
    assert problem.recommendation == "commit it on another branch, or finish it"
    assert needs_branch(f"# note\n{subject}\n")


@pytest.mark.parametrize(
    "subject",
    [
        "Wipe the cache", "wip2 is out", "Draft a letter", "board: WIP limits", 'Revert "fixup! x"', "Show [WIP] marks",
    ],
)  # fmt: skip
def test_subjects_that_only_look_unfinished_are_left_alone(subject: str) -> None:
    assert reviewed(f"{subject}\n\nWIP\nfixup! x\n") == []


@pytest.mark.parametrize(
    "branch",
    ["main", "release/1/2", "v1.x", "a-stable", "ops-a", "refs/heads/main"],
)
def test_branches_that_match_a_pattern_are_protected(branch: str) -> None:
    assert found("fixup! x", branch=branch) == [("fixup-subject", 1)]


@pytest.mark.parametrize(
    "branch",
    [None, "x/main", "main2", "Main", "release", "ops-c"],
)
def test_other_branches_are_not_protected(branch: str | None) -> None:
    assert found("fixup! x", branch=branch) == []
    assert found("WIP", branch=branch) == []


def test_branch_name_is_shown_without_hidden_characters() -> None:
    (problem,) = reviewed("WIP", branch="release/\u202e1")
    assert problem.message == "work in progress on the protected branch release/<U+202E>1"


def test_too_long_subject_names_both_lengths() -> None:
    (problem,) = reviewed("\n" + "\u00e9" * 21 + "   \n\nbody\n", branch=None)
    assert (problem.rule, problem.severity, problem.line) == ("subject-too-long", "major", 2)
    assert problem.message == "the subject is 21 characters long, the limit is 20"
    assert problem.evidence == "\u00e9" * 21
    assert problem.recommendation == "shorten it and explain below a blank line"


@pytest.mark.parametrize(
    "subject",
    [
        pytest.param("x" * 20, id="exactly the limit"),
        pytest.param("x" * 20 + "   \r", id="trailing space"),
        pytest.param("Merge branch 'a-very-long-name' into b", id="merge"),
        pytest.param("Merge pull request #1 from a/long-name", id="merge of a pull request"),
        pytest.param('Revert "A subject of some length"', id="revert"),
        pytest.param("fixup! squash! " + "x" * 20, id="prefixes of git"),
        pytest.param(f"short\n\n{'long body ' * 20}", id="long body"),
    ],
)
def test_subjects_within_the_limit_are_left_alone(subject: str) -> None:
    assert found(subject, branch=None) == []


@pytest.mark.parametrize("limit", [0, -1, None, "72"])
def test_length_is_not_judged_without_a_limit(limit: object) -> None:
    assert reviewed("x" * 500, max_subject=limit) == []


@pytest.mark.parametrize(
    ("message", "cleanup", "line", "what"),
    [
        pytest.param("a\n\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> d\n", "strip", 3, "conflict", id="conflict block"),
        pytest.param("a\n\n>>>>>>> d\n", "strip", 3, "conflict", id="conflict leftover"),
        pytest.param(f"a\n{EXPLAINED}{DIFF}", "whitespace", 2, "scissors", id="old -v message, comments kept"),
        pytest.param(f"a\n{SCISSORS}rest\n", "strip", 2, "scissors", id="scissors of one's own, comments stripped"),
        pytest.param(f"a\n\n{BOILERPLATE}", "whitespace", 3, "instructions", id="boiler plate, comments kept"),
        pytest.param(f"a\n\n{BOILERPLATE.replace('#', ';')}", "strip", 3, "instructions", id="of an earlier try"),
        pytest.param(f"a\n\n{CONFLICTS}", "whitespace", 3, "list", id="conflict list, comments kept"),
    ],
)
def test_leftover_text_is_found(message: str, cleanup: str, line: int, what: str) -> None:
    (problem,) = reviewed(message, cleanup=cleanup)
    assert (problem.rule, problem.severity, problem.line) == ("leftover-text", "major", line)
    assert (
        problem.message
        == {
            "conflict": "conflict marker in the commit message",
            "scissors": "scissors line that git will not cut at: what follows stays in the commit message",
            "list": "git's list of conflicts, which this clean-up mode keeps in the commit message",
            "instructions": "git's own instructions, which this clean-up mode keeps in the commit message",
        }[what]
    )
    assert problem.evidence == message.split("\n")[line - 1]
    assert problem.recommendation == "remove it from the message"


@pytest.mark.parametrize(
    ("message", "cleanup"),
    [
        pytest.param(f"a\n\n{CONFLICTS}", "strip", id="conflict list, stripped"),
        pytest.param(f"a\n{EXPLAINED}#\n{CONFLICTS}", "scissors", id="conflict list below the scissors"),
        pytest.param("a\n\n# Conflicts:\n\nBoth sides moved it.\n", "whitespace", id="a heading of the same words"),
        pytest.param(f"a\n{BOILERPLATE}", "strip", id="boiler plate, stripped"),
        pytest.param(f"a\n{BOILERPLATE}{EXPLAINED}{DIFF}", "strip", id="commit -v"),
        pytest.param(f"a\n{EXPLAINED}{BOILERPLATE}{DIFF}", "scissors", id="scissors"),
        pytest.param("a\n\nTitle\n=======\n", "whitespace", id="underlined title"),
        pytest.param("a\n\nPlease enter the commit message\n", "whitespace", id="the same words, no comment"),
    ],
)
def test_what_git_removes_or_people_write_is_left_alone(message: str, cleanup: str) -> None:
    assert found(message, cleanup=cleanup) == []


@pytest.mark.parametrize(
    ("cleanup", "subject"),
    [("strip", "second"), ("whitespace", "# first"), ("verbatim", "# first"), ("scissors", "# first")],
)
def test_subject_is_the_first_line_that_git_keeps(cleanup: str, subject: str) -> None:
    (problem,) = reviewed("\n# first\nsecond\n", cleanup=cleanup, max_subject=1)
    assert problem.message == f"the subject is {len(subject)} characters long, the limit is 1"


def test_other_comment_strings_are_understood() -> None:
    message = "// note\nfixup! x\n// ------------------------ >8 ------------------------\nrest\n"
    for comment_char, cleanup in (("//", "strip"), ("//", "scissors")):
        problems = review(message, rules=BLOCK, branch="main", cleanup=cleanup, comment_char=comment_char)
        assert ("fixup-subject" in {problem.rule for problem in problems}) is (cleanup == "strip")
    assert review("a\n", rules=BLOCK, branch=None, cleanup="strip", comment_char="") == []


@pytest.mark.parametrize("comment_char", [";", "//", "#"])
def test_list_of_conflicts_is_found_behind_any_comment_sign_that_stays(comment_char: str) -> None:
    for sign in dict.fromkeys((comment_char, "#")):
        message = f"a\n\n{sign} Conflicts:\n{sign}\ta.py\n"
        for cleanup in ("whitespace", "strip"):
            problems = review(message, rules=BLOCK, branch=None, cleanup=cleanup, comment_char=comment_char)
            is_stripped = cleanup == "strip" and sign == comment_char
            assert [problem.line for problem in problems] == ([] if is_stripped else [3])
        assert needs_cleanup_mode(message)


@pytest.mark.parametrize(
    ("message", "sign"),
    [
        (f"a\n\n{CONFLICTS}{BOILERPLATE.replace('#', ';')}", ";"),
        (f"a\n\n{BOILERPLATE}", "#"),
        (f"a\n\n{BOILERPLATE}{BOILERPLATE.replace('#', ';')}", ";"),
        (f"a\n\n{BOILERPLATE}; Eine Anleitung\n{EXPLAINED.replace('#', ';')}{DIFF}", ";"),
        (f"{EXPLAINED.replace('#', '!')}", "!"),
        ("a\n;", "#"),
        ("a\n> Please enter the commit message", "#"),
        (f"a ; {BOILERPLATE[2:]}", "#"),
    ],
    ids=[
        "another sign",
        "the usual sign",
        "an earlier try",
        "scissors",
        "at the top",
        "no text",
        "a quotation",
        "prose",
    ],
)
def test_comment_sign_that_git_chose_is_read_off_its_own_text(message: str, sign: str) -> None:
    assert chosen_comment_char(message) == sign


@pytest.mark.parametrize(
    ("message", "cleanup", "kept"),
    [
        pytest.param(f"a\n{EXPLAINED}{DIFF}", "strip", "a\n", id="explained"),
        pytest.param(f"{EXPLAINED}{DIFF}", "strip", "", id="nothing above"),
        pytest.param(f"\u00e9\n{EXPLAINED}{EXPLAINED}", "strip", "\u00e9\n", id="the first of two, after bytes"),
        pytest.param(f"a\n{SCISSORS}b\n", "strip", None, id="not explained"),
        pytest.param(f"a\n{EXPLAINED}", "whitespace", None, id="without an editor"),
        pytest.param(f"a\n{EXPLAINED.replace('#', ';')}", "strip", None, id="another sign"),
    ],
)
def test_message_ends_at_scissors_that_cut(message: str, cleanup: str, kept: str | None) -> None:
    data = message.encode()
    assert data[: end_of_message(data, cleanup, "#")].decode() == (message if kept is None else kept)


@pytest.mark.parametrize(
    ("message", "sign", "left"),
    [
        (f"a\n# b\n\nc #\n{BOILERPLATE}", "#", "a\n\nc #\n"),
        (f"a\n# b\n{SCISSORS}c\n", "#", f"a\n{SCISSORS}c\n"),
        ("a\n# b\n; c\n", ";", "a\n# b\n"),
        ("a\n# b\n", "", "a\n# b\n"),
    ],
    ids=["comments", "scissors that do not cut", "another sign", "no sign"],
)
def test_refused_message_is_left_without_its_comments(message: str, sign: str, left: str) -> None:
    assert without_comments(message.encode(), sign).decode() == left


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("empty", ""),
        ("too_long", "x" * 21),
        ("fixup", "fixup! x"),
        ("wip", "WIP"),
        ("leftover", "a\n\n<<<<<<< HEAD\n"),
    ],
)
def test_each_rule_can_block_warn_or_be_off(key: str, message: str) -> None:
    for word, severity in (("block", ["major"]), ("warn", ["warning"]), ("off", []), (False, [])):
        problems = review(message, rules=BLOCK | {key: word}, branch="main", cleanup="strip", comment_char="#")
        assert [problem.severity for problem in problems] == severity


def test_no_rules_means_no_problems() -> None:
    assert review("fixup! x\n<<<<<<< y", rules={}, branch="main", cleanup="strip", comment_char="#") == []


@pytest.mark.parametrize("message", ["Add a cache", "a\n\nThe wiper is a draft\n", "Fix the fixup! text"])
def test_branch_is_not_needed_for_ordinary_messages(message: str) -> None:
    assert not needs_branch(message)


@pytest.mark.parametrize("message", [f"a\n{SCISSORS}", "a\n# b", ";a", "// Please enter the commit message", "x >8 y"])
def test_cleanup_mode_is_needed_where_it_may_matter(message: str) -> None:
    assert needs_cleanup_mode(message)


@pytest.mark.parametrize("message", ["", "a", "Fix #12\n\n- item\n* item\n  # indented\n> quote\n"])
def test_cleanup_mode_is_not_needed_for_ordinary_messages(message: str) -> None:
    assert not needs_cleanup_mode(message)


PIECES = st.lists(
    st.sampled_from(
        ["", " ", "a", "# b", ";c", "fixup! d", "WIP", "draft: e", "<<<<<<< f", "=======", ">>>>>>> g", "\ud800\x1b",
         SCISSORS.rstrip(), BOILERPLATE.partition("\n")[0], "Signed-off-by: h", "Merge branch 'i'", "x" * 30,
         "# Conflicts:", "#\ta.py", "// Conflicts:", "//\ta.py"]
    ),
    max_size=8,
)  # fmt: skip
CLEANUPS = ("strip", "whitespace", "verbatim", "scissors")


def everything(problems: list[Problem]) -> list[tuple[str, str, int | None, str]]:
    return [(problem.rule, problem.message, problem.line, problem.evidence) for problem in problems]


@given(PIECES)
def test_cleanup_mode_changes_nothing_where_it_is_not_needed(pieces: list[str]) -> None:
    message = "\n".join(pieces)
    verdicts = [everything(reviewed(message, cleanup=cleanup)) for cleanup in CLEANUPS]
    assert needs_cleanup_mode(message) or verdicts == [verdicts[0]] * 4


@given(PIECES, st.sampled_from(CLEANUPS), st.sampled_from(["#", ";", "", "//"]))
def test_branch_changes_nothing_where_it_is_not_needed(pieces: list[str], cleanup: str, comment_char: str) -> None:
    message = "\n".join(pieces)
    protected, detached = (
        everything(review(message, rules=BLOCK, branch=branch, cleanup=cleanup, comment_char=comment_char))
        for branch in ("main", None)
    )
    assert needs_branch(message) or protected == detached


@given(st.text(max_size=80), st.sampled_from(CLEANUPS))
def test_any_text_is_reviewed_without_an_exception(message: str, cleanup: str) -> None:
    for problem in reviewed(message, cleanup=cleanup):
        assert all(character.isprintable() or character == "\t" for character in problem.evidence)
