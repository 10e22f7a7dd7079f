"""Files that `run --findings` refuses: one message with the place and the next step, and nothing is recorded."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from answering import CODE, SINCE, answers, finding, keep, submit
from conftest import Repo
from running import nothing_recorded, refusal

HOW = "review-gate run --questions --format json, which prints the questions and the document to fill in"
PLAIN = "name a plain file, or - for standard input"


@pytest.fixture
def changed(gated: Repo) -> Repo:
    gated.commit("Make totals right", dict(CODE))
    return gated


TEXTS = {
    "words": ("LGTM", "it cannot be read: not JSON at character 0"),
    "no UTF-8": ("\udcff", "it cannot be read: not UTF-8 at byte 0"),
}


@pytest.mark.parametrize(("text", "told"), TEXTS.values(), ids=TEXTS)
def test_what_is_no_json_is_refused_from_standard_input_too(changed: Repo, text: str, told: str) -> None:
    command = ("review-gate", "run", *SINCE, "--yes", "--findings", "-")
    # As long as it may be, and with bytes that are no UTF-8, only a real process takes it.
    script = f"{' '.join(command)} < '{changed.path.parent / 'given'}'"
    (changed.path.parent / "given").write_bytes(text.encode("utf-8", "surrogateescape"))
    why = "an answer that is not understood is no vote, and nothing was recorded"
    words = f"error: the findings cannot be used: {told}\n  why:   {why}\n  next:  {HOW}"
    assert refusal(changed.run("sh", "-c", script)) == (2, words)
    assert nothing_recorded(changed)


def test_standard_input_without_an_end_is_not_read_to_it(changed: Repo) -> None:
    script = f"yes | review-gate run {' '.join(SINCE)} --yes --findings -"
    code, words = refusal(changed.run("sh", "-c", script))
    assert (code, words.splitlines()[0]) == (2, "error: the findings cannot be used: more than 8,000,000 bytes")


def test_answers_about_another_commit_are_refused(changed: Repo) -> None:
    document = answers(changed, *SINCE)
    changed.commit("More", {"src/app.py": "x = 1\n"})
    code, words = refusal(submit(changed, document, *SINCE))
    old = f'the text "{document["commit"]}"'
    first = f'error: the findings cannot be used: commit: it is {old}, and this run has the text "{changed.head}": '
    assert (code, words.startswith(first), nothing_recorded(changed)) == (2, True, True)


def test_answers_under_other_settings_are_refused(changed: Repo) -> None:
    document = answers(changed, *SINCE)
    code, words = refusal(submit(changed, document, *SINCE, REVIEW_GATE_ASSURANCE="independent"))
    assert (code, "policy: it is not that of this run: settings, checks or" in words, nothing_recorded(changed)) == (
        2,
        True,
        True,
    )


def test_a_single_mistake_takes_the_good_answers_with_it(changed: Repo) -> None:
    document = answers(changed, *SINCE, found={"build-reviewer": [finding()]})
    document["answers"][2]["approved"] = True
    code, words = refusal(submit(changed, document, *SINCE))
    assert (code, "answers[2] (security-reviewer)" in words, nothing_recorded(changed)) == (2, True, True)


MISUSES = {
    "questions and findings": (
        ("--questions", "--findings", "given.json"),
        "error: --questions and --findings do not go together",
    ),
    "questions in a form for findings": (
        ("--questions", "--format", "sarif"),
        "error: --questions has no form for --format sarif",
    ),
    "a question for nobody": (
        ("--questions", "build-reviewers"),
        "error: there is no question: there is no reviewer build-reviewers; did you mean build-reviewer?",
    ),
    "a question for who does not look": (
        ("--questions", "finance-sme"),
        "error: there is no question: finance-sme is not in the manifest of this run; run --manifest FILE adds it",
    ),
}


def test_options_that_mean_nothing_are_refused(changed: Repo) -> None:
    for options, told in MISUSES.values():
        code, words = refusal(changed.gate("run", *SINCE, *options))
        assert (code, words.splitlines()[0]) == (2, told)


def test_without_a_terminal_answers_do_not_confirm_themselves(changed: Repo) -> None:
    path = keep(changed, answers(changed, *SINCE))
    done = changed.gate("run", *SINCE, "--findings", str(path))
    assert (done.returncode, "error: the review was not confirmed" in done.stderr) == (2, True)
    assert nothing_recorded(changed)


DAMAGED: dict[str, tuple[Callable[[Path], object], str]] = {
    "a link": (lambda path: path.symlink_to("elsewhere"), "it is a symbolic link"),
    "too short": (lambda path: path.write_bytes(b"x"), "it has 1 bytes and not 32"),
}


@pytest.mark.parametrize(("damage", "told"), DAMAGED.values(), ids=DAMAGED)
def test_a_key_that_cannot_be_used_is_told_and_made_anew(
    changed: Repo, damage: Callable[[Path], object], told: str
) -> None:
    key = changed.path / ".git/review-gate/question-key"
    key.parent.mkdir(parents=True, exist_ok=True)
    damage(key)
    done = changed.gate("run", *SINCE, "--questions")
    problem = f"blocked: the key of the questions cannot be used: {key}: {told}"
    assert (done.returncode, done.stderr.splitlines()[0]) == (1, problem)
    assert changed.run("rm", "-f", str(key)).returncode == 0
    assert changed.gate("run", *SINCE, "--questions").returncode == 0
    assert key.stat().st_mode & 0o777 == 0o600


def test_questions_are_the_same_each_time_and_others_in_another_repository(changed: Repo) -> None:
    first = json.dumps(answers(changed, *SINCE))
    assert json.dumps(answers(changed, *SINCE)) == first
    (changed.path / ".git/review-gate/question-key").unlink()
    assert json.dumps(answers(changed, *SINCE)) != first
