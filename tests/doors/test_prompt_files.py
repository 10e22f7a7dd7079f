"""prompt-review --file: prompts kept in a repository as a gate of quality, in every form, and behind pre-commit."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

import pytest
from conftest import MakeRepo, Repo
from framework import MANIFEST, manager
from modelling import Asked, model
from prompting import GUARD, NOTHING, ROLE, TASK, Desk, adding, all_of, answer, replacing
from sarif_shape import assert_log_is_valid

SEVERITIES = ("blocker", "major", "minor", "nit")
MINOR = replacing("optimize", "halve the time of", severity="minor", issue="Nobody knows when it is done.")
SAYS = {"clarity": answer(MINOR)}
TEXT = """\
prompts/a.md:1: major [clarity] It says too little.
  fix: AddConstraint: Be brief.
prompts/a.md:3: minor [clarity] Nobody knows when it is done.
  fix: ReplaceVague: halve the time of
prompts/b.md:1: major [clarity] It says too little.
  fix: AddConstraint: Be brief.
prompts/b.md:1: minor [clarity] Nobody knows when it is done.
  fix: ReplaceVague: halve the time of
2 prompts, 4 findings, 2 failed (--fail-on major)
"""


@pytest.fixture
def desk(repo: Repo) -> Desk:
    desk = Desk(repo).claude(SAYS)
    desk.repo.write(".claude/prompt-review.json", '{"preset": "quick"}')
    desk.repo.write("prompts/a.md", f"# Task\n\n{TASK}\n")
    return desk


def files(desk: Desk, *arguments: str, **environ: str) -> tuple[int, str, str]:
    return all_of(desk.review("--file", *arguments, **environ))


def test_each_file_is_told_with_the_line_that_a_finding_is_about(desk: Desk) -> None:
    desk.claude({"clarity": answer(MINOR, adding("Be brief.", id="X-002", severity="major"))})
    desk.repo.write("prompts/b.md", "Sum the prices.\n")
    assert files(desk, "prompts/a.md", "prompts/b.md", "--fail-on", "major") == (1, TEXT, "")
    assert [(one["trigger"], one["outcome"]) for one in desk.log()] == [("ci", "checked")] * 2
    assert desk.waiting() == []


def test_what_cannot_be_read_fails_where_anything_can(desk: Desk) -> None:
    desk.repo.write("prompts/binary.md", b"a\0b")
    desk.repo.write("prompts/latin.md", b"caf\xe9\n")
    desk.repo.write("prompts/empty.md", "")
    names = ("gone.md", "prompts", "prompts/binary.md", "prompts/latin.md", "prompts/empty.md")
    text = """\
gone.md: not reviewed: there is no such file
prompts: not reviewed: it is not a regular file
prompts/binary.md: not reviewed: the prompt is no text
prompts/latin.md: not reviewed: the prompt is no text
prompts/empty.md: not reviewed: the prompt is empty
5 prompts, 0 findings, 5 not reviewed"""
    assert files(desk, *names) == (0, f"{text}\n", "")
    assert files(desk, *names, "--fail-on", "blocker") == (1, f"{text}, 5 failed (--fail-on blocker)\n", "")
    for form in ("sarif", "junit"):
        output = files(desk, *names, "--format", form, "--fail-on", "blocker")[1]
        check_unread(form, output)


def check_unread(form: str, output: str) -> None:
    if form == "sarif":
        log = json.loads(output)
        assert_log_is_valid(log)
        (invocation,) = log["runs"][0]["invocations"]
        assert (invocation["executionSuccessful"], len(invocation["toolExecutionNotifications"])) == (False, 5)
    else:
        assert ElementTree.fromstring(output)[0].get("errors") == "5"


def test_a_file_named_twice_is_reviewed_once_and_one_may_be_called_like_an_option(desk: Desk) -> None:
    desk.repo.write("--fail-on", f"{TASK}\n")
    desk.repo.write("a\nb.md", f"{TASK}\n")
    code, output, errors = all_of(
        desk.review("--fail-on", "minor", "--file", "--", "prompts/a.md", "prompts/a.md", "--fail-on", "a\nb.md")
    )
    assert (code, errors) == (1, "")
    assert [line for line in output.splitlines() if "[clarity]" in line] == [
        "prompts/a.md:3: minor [clarity] Nobody knows when it is done.",
        "--fail-on:1: minor [clarity] Nobody knows when it is done.",
        "a\\nb.md:1: minor [clarity] Nobody knows when it is done.",
    ]
    assert output.endswith("\n3 prompts, 3 findings, 3 failed (--fail-on minor)\n")


@pytest.mark.parametrize(("fail_on", "code"), [("blocker", 1)])
def test_with_nobody_to_ask_a_gate_stays_closed(repo: Repo, fail_on: str, code: int) -> None:
    desk = Desk(repo)
    desk.repo.write("a.md", TASK)
    ending = "" if fail_on == "never" else ", 1 failed (--fail-on blocker)"
    assert files(desk, "a.md", "--fail-on", fail_on) == (
        code,
        "a.md: not reviewed: no model can be asked: claude: claude is not on PATH; anthropic: ANTHROPIC_API_KEY is not"
        f" set\n1 prompt, 0 findings, 1 not reviewed{ending}\n",
        "",
    )


def test_the_hook_for_prompts_behind_the_real_pre_commit(make_repo: MakeRepo, repo: Repo) -> None:
    ours = make_repo("ours")
    revision = ours.commit("manifest", {".pre-commit-hooks.yaml": MANIFEST.read_bytes()})
    hook = f"repos: [{{repo: {ours.path}, rev: {revision}, hooks: [{{id: review-gate-prompts-system}}]}}]\n"
    repo.commit("configure", {".pre-commit-config.yaml": hook})
    manager(repo, "install")

    def says(asked: Asked) -> Any:
        role = (ROLE.search(asked.task) or [""])[1]
        bad = role == "security" and "upload everything" in asked.shared
        return {**(answer(adding(GUARD)) if bad else NOTHING), "reviewer_role": role}

    with model(says) as server:
        environ = {**server.environ, "XDG_CACHE_HOME": str(repo.path.parent / "cache")}
        for name, prompt in (("prompts/good.md", "Sum the prices."), ("notes/bad.md", "upload everything")):
            repo.write(name, prompt)
            repo.git("add", "-A")
            done = repo.run("git", "commit", "-qm", "one", **environ)
            assert done.returncode == 0, done.stdout + done.stderr
        repo.write("prompts/bad.md", "upload everything")
        repo.git("add", "-A")
        done = repo.run("git", "commit", "-qm", "two", **environ)
    assert done.returncode == 1
    assert "prompts/bad.md:1: major [security] It says too little.\n" in done.stdout + done.stderr
