"""review-gate prompt-review with a scripted claude: a proposal, its decision, and who is asked about which prompt."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import MakeRepo, Repo
from prompting import (
    ALWAYS,
    GUARD,
    ONE_GUARD,
    ROLES,
    TASK,
    TESTS,
    Desk,
    adding,
    all_of,
    answer,
    replacing,
)


@pytest.fixture
def desk(repo: Repo) -> Desk:
    return Desk(repo).claude(ONE_GUARD)


def test_a_proposal_for_programs_has_every_change_and_who_proposes_it(desk: Desk) -> None:
    desk.claude(
        {
            "security": answer(adding(GUARD, "AddGuardrail", severity="blocker")),
            "testing": answer(adding(TESTS, "AddAcceptanceCriteria")),
            "clarity": answer(replacing("optimize", "halve the load time of", severity="minor"), adding(TESTS)),
        }
    )
    found = desk.document(TASK)
    assert (found["status"], found["mode"], found["project"], found["trigger"]) == (
        "proposed",
        "subscription",
        "repo",
        "cli",
    )
    assert found["refined"] == f"halve the load time of the settings page\n\nConstraints:\n- {GUARD}\n- {TESTS}"
    assert [(one["sign"], one["reviewer"], one["also"], one["op"]) for one in found["changes"]] == [
        ("+", "security", [], "AddGuardrail"),
        ("+", "testing", ["clarity"], "AddAcceptanceCriteria"),
        ("~", "clarity", [], "ReplaceVague"),
    ]
    assert (found["severity_max"], found["cost"]) == (
        "blocker",
        {"input_tokens": 4000, "output_tokens": 400, "usd": 0.0},
    )
    assert found["next"] == f"review-gate prompt-review decide {found['id']} yes|no|edit"


WHO: dict[str, tuple[str, dict[str, str], str]] = {
    "a word of the prompt": ("put a modal there", {}, "frontend_ux"),
}


@pytest.mark.parametrize(("prompt", "files", "role"), WHO.values(), ids=WHO)
def test_a_conditional_reviewer_is_asked_when_something_asks_for_it(
    desk: Desk, prompt: str, files: dict[str, str | bytes], role: str
) -> None:
    desk.repo.commit("files", {"main.py": "x = 1\n", **files})
    roles = {one["role"] for one in desk.document(prompt)["reviewers"]}
    assert roles == {*ALWAYS, role}
    assert {call["role"] for call in desk.calls()} == roles


def test_who_was_not_asked_is_told_with_the_reason(desk: Desk) -> None:
    assert desk.document("add a command")["passed_over"] == {
        "documentation": "the project has none of docs/, screenshots/, CHANGELOG, README",
        "frontend_ux": "nothing in the prompt or the project asks for it",
    }
    desk.repo.write("README.md", "# Shop\n")
    assert desk.document("add a command, a bugfix")["passed_over"]["documentation"] == 'the prompt says "bugfix"'


PRESETS = {
    "quick": ("security", "clarity"),
}


@pytest.mark.parametrize(("preset", "roles"), PRESETS.items(), ids=PRESETS)
def test_a_preset_says_who_is_asked(desk: Desk, preset: str, roles: tuple[str, ...]) -> None:
    # The same reviewers whether it is named in the call or in the environment.
    named = desk.document("--preset", preset, TASK)
    assert {one["role"] for one in named["reviewers"]} == {*roles}
    again = desk.document(TASK, PROMPT_REVIEW_PRESET=preset)
    assert (again["is_cached"], {one["role"] for one in again["reviewers"]}) == (True, {*roles})


def test_all_reviewers_are_asked_by_the_model_of_the_settings_and_none_may_act(desk: Desk) -> None:
    desk.document("--preset", "all", TASK)
    assert sorted(call["role"] for call in desk.calls()) == sorted(ROLES)
    assert {call["model"] for call in desk.calls()} == {"claude-haiku-4-5"}


def test_the_project_is_shown_to_every_reviewer_as_data(desk: Desk) -> None:
    desk.repo.commit(
        "a project",
        {
            "CLAUDE.md": "# Shop\n\n- Prices are integers.\n",
            "pyproject.toml": '[project]\nname = "shop"\ndependencies = ["fastapi"]\n',
            "src/app.py": "x = 1\n",
        },
    )
    found = desk.document(TASK)
    assert found["project"] == "shop"
    for call in desk.calls():
        shown = call["prompt"].partition("\n<<<project ")[2].partition("\nproject ")[0]
        assert "\nname: shop\nstack: " in shown
        assert "- Prices are integers." in shown
        assert "\nsrc/\n  app.py\n" in shown
    (expert,) = (call["prompt"] for call in desk.calls() if call["role"] == "domain_sme")
    assert "FastAPI" in expert


def test_it_works_in_a_subfolder_a_worktree_and_outside_of_any_repository(desk: Desk, tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {".claude/prompt-review.json": '{"preset": "quick"}', "src/app.py": "x = 1\n"}
    desk.repo.commit("settings", files)
    desk.repo.git("worktree", "add", "--quiet", "-b", "side", "../side")
    outside = tmp_path / "outside"
    outside.mkdir()
    here = desk.repo.path
    for folder, project, count in (
        (here / "src", "repo", 2),
        (here.parent / "side", "side", 2),
        (outside, "outside", 4),
    ):
        desk.repo.path = folder
        found = desk.document(TASK)
        assert (found["project"], len(found["reviewers"]), found["status"]) == (project, count, "proposed")


STEPS = {
    "show": (["show", "me", "the", "settings"], "me"),
}


@pytest.mark.parametrize(("words", "second"), STEPS.values(), ids=STEPS)
def test_a_prompt_that_begins_like_a_step_is_put_into_quotes(desk: Desk, words: list[str], second: str) -> None:
    assert all_of(desk.review(*words)) == (
        2,
        "",
        f"error: {second} is no id of a review, which {words[0]} takes\n"
        f"  why:   an id begins with prompt-; a prompt that begins with {words[0]} stands in quotes\n"
        f"  next:  review-gate prompt-review '{' '.join(words)}'\n",
    )


def test_options_that_are_about_files_are_refused_without_files(desk: Desk) -> None:
    assert all_of(desk.review("--fail-on", "major", "--format", "sarif", TASK)) == (
        2,
        "",
        "error: --fail-on major and --format sarif is for --file\n"
        "  why:   it is about prompts that are kept in files\n"
        "  next:  review-gate prompt-review --file FILE --fail-on major --format sarif\n",
    )


def test_a_new_interpreter_does_the_same_with_bytes(make_repo: MakeRepo) -> None:
    """The only test here of the program's own start; line ends and odd bytes are not translated anywhere."""
    desk = Desk(make_repo(start="first")).claude(ONE_GUARD)
    argv = [str(Path(sys.executable).with_name("review-gate")), "prompt-review", "-"]
    prompt = b"one\r\n\xfftwo"
    done = subprocess.run(
        argv, cwd=desk.repo.path, env=desk.repo.environ, input=prompt, capture_output=True, check=False
    )
    told = b"prompt review: the prompt goes on as it is: the prompt is no text\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, prompt, told)
