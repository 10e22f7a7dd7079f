"""The checks and the baseline that a review was made with are those of the push: real repositories, real pushes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from conftest import Repo
from pushing import let_out, next_step, publish, record_pass, refused, type_step
from refusals import block
from running import report_of
from scanning import CHECKS, CONFIG, EVAL, TODO, check_file, settings

from review_gate.shell.repository import open_repository
from review_gate.shell.sealed import seal, unsealed
from review_gate.workflows.configure import ready_for_hooks

BAD = 'x = eval("1")\n'
TABLE = """# Project

| If you write... | STOP because... |
| --- | --- |
| `frobnicate(` | it is gone |
"""
BASELINE = ".review-gate-baseline.json"
WHY = "the checks, or the baseline of old findings, have changed since"


def changed(repo: Repo) -> str:
    """The refusal of a push whose review was made with other checks."""
    return block(f"The review of {repo.head[:8]} was made with other checks. Run /review again.", WHY)


@pytest.fixture
def checked(gated: Repo) -> Repo:
    """A gated repository with a check, a table of checks and no packs; all of it is on the remote."""
    gated.commit("checks", {CONFIG: settings(), CHECKS: check_file(EVAL), "CLAUDE.md": TABLE})
    ready_for_hooks(open_repository(str(gated.path)))
    publish(gated)
    return gated


@pytest.fixture
def passed(checked: Repo) -> Repo:
    """The same with one more commit, which was reviewed with these checks."""
    base = checked.head
    record_pass(checked, checked.commit("fine", {"fine.py": "x = 1\n"}), base)
    return checked


def test_a_check_that_was_away_during_the_review_closes_the_gate(checked: Repo) -> None:
    checked.commit("bad", {"bad.py": BAD})
    (checked.path / CHECKS).unlink()
    checked.review()
    assert checked.gate("verify").returncode == 0
    checked.git("checkout", "--quiet", "--", CHECKS)
    assert refused(checked, "origin", "main") == changed(checked)
    assert checked.gate("run", "--yes").returncode == 1
    assert "Loop 2 failed: bad.py:1: eval runs anything" in refused(checked, "origin", "main")


def test_the_same_checks_again_open_it_and_so_does_a_new_review(passed: Repo) -> None:
    passed.write(CHECKS, check_file(EVAL, TODO))
    assert refused(passed, "origin", "main") == changed(passed)
    assert "was made under another policy" in passed.gate("status").stdout
    type_step(passed, next_step(changed(passed)))
    assert passed.gate("verify").returncode == 0
    passed.git("checkout", "--quiet", "--", CHECKS)
    # The first review was made with exactly these.
    let_out(passed, "origin", "main")


def test_a_new_check_that_is_pushed_itself_is_in_force_at_both_times(checked: Repo) -> None:
    checked.commit("another check", {CHECKS: check_file(EVAL, TODO)})
    checked.review()
    let_out(checked, "origin", "main")


def test_a_staged_review_does_not_carry_a_message_out_that_nobody_scanned(checked: Repo) -> None:
    mash = {"id": "mash", "pattern": "asdf", "scope": ["commit_message"], "reason": "say what the commit does"}
    checked.write(CHECKS, check_file(EVAL, mash))
    checked.write("fine.py", "x = 1\n")
    checked.git("add", "-A")
    checked.review("--staged")
    commit = checked.commit("Sort names\n\nasdf", {"fine.py": "x = 1\n"})
    checked.write("later.py", BAD)
    checked.git("add", "later.py")
    words = refused(checked, "origin", "main")
    assert words == block(
        f"The message of {commit[:8]} does not pass: line 3: say what the commit does.",
        "the review was of the staged content, before there was a message",
        "git commit --amend --only, then git push again",
    )
    assert checked.gate("verify").returncode == 1
    checked.environ["GIT_EDITOR"] = "sed -i s/asdf/properly/"
    type_step(checked, next_step(words))
    let_out(checked, "origin", "main")


HARMLESS = {
    "prose above the table": ("CLAUDE.md", "# Project\n\nMore words.\n\n" + TABLE),
    "the reason in a table": ("CLAUDE.md", TABLE.replace("it is gone", "it went away")),
    "the reason and the layout of a check": (CHECKS, check_file(EVAL | {"reason": "no"}).replace(", ", ",\n  ")),
    "a file beside the checks": ("checks/README.txt", "words\n"),
}
TELLING = {
    "a pattern in a table": ("CLAUDE.md", TABLE.replace("frobnicate(", "frob(")),
    "the severity of a check": (CHECKS, check_file(EVAL | {"severity": "info"})),
    "a check of the rules": ("rules/own.md", "| Pattern | Why |\n| --- | --- |\n| `old_name` | new_name |\n"),
    "an empty baseline": (BASELINE, '{"version": 1, "findings": []}\n'),
}


def test_words_for_people_do_not_make_a_review_stale(passed: Repo) -> None:
    for number, (name, content) in enumerate(HARMLESS.values()):
        passed.write(name, content)
        let_out(passed, "origin", f"main:refs/heads/b{number}")


def test_what_decides_makes_a_review_stale(passed: Repo) -> None:
    for name, content in TELLING.values():
        passed.write(name, content)
        assert (name, refused(passed, "origin", "main")) == (name, changed(passed))
        passed.git("checkout", "--quiet", "--", ".")
        passed.git("clean", "--quiet", "--force", "-d")
    let_out(passed, "origin", "main")


def test_a_finding_that_was_in_the_baseline_only_during_the_review_closes_the_gate(checked: Repo) -> None:
    checked.commit("bad", {"bad.py": BAD})
    assert checked.gate("scan", "--all", "--update-baseline").returncode == 0
    checked.review()
    (checked.path / BASELINE).unlink()
    assert refused(checked, "origin", "main") == changed(checked)


def test_a_check_of_the_user_counts_too(passed: Repo) -> None:
    own = Path(passed.environ["HOME"]) / ".claude/checks/global-checks.yaml"
    own.parent.mkdir(parents=True)
    # It stands before the project's check of the same name, and finds nothing.
    own.write_text(check_file(EVAL | {"pattern": "never written"}))
    assert refused(passed, "origin", "main") == changed(passed)
    passed.write(CONFIG, settings(sources=["project", "rules", "claude_md"]))
    passed.review()
    own.unlink()
    let_out(passed, "origin", "main")


def test_a_sparse_checkout_without_the_checks_is_refused_until_it_has_them(checked: Repo) -> None:
    checked.write("src/bad.py", BAD)
    checked.commit("bad", {"rules/own.md": "# No table\n"})
    checked.git("sparse-checkout", "set", "src")
    words = refused(checked, "origin", "main")
    assert words == block(
        f"{CHECKS} is not on disk (a sparse checkout), nor is 1 more",
        "what it says is in force, and nobody could read it",
        "git sparse-checkout add checks rules, then the same command again",
    )
    for arguments in (("run", "--yes"), ("verify",), ("scan", "src"), ("hook", "pre-commit")):
        checked.write("src/bad.py", BAD + "# staged\n")
        checked.git("add", "src")
        done = checked.gate(*arguments)
        assert (done.returncode in (1, 2), words.partition(": ")[2] in done.stderr) == (True, True), arguments
    assert checked.gate("doctor").returncode in (0, 1)
    checked.git("reset", "--quiet", "--hard")
    type_step(checked, next_step(words).partition(",")[0])
    assert checked.gate("run", "--yes").returncode == 1
    assert "Loop 2 failed: src/bad.py:1: eval runs anything" in refused(checked, "origin", "main")


BROKEN = {
    "a check": (CHECKS, "checks:\n  - {id: a, pattern: x, severty: major}\n", f"{CHECKS}:2: "),
    "not UTF-8": (CHECKS, b"\xff", f"{CHECKS}:1: not UTF-8"),
    "a baseline": (BASELINE, "{", f"{BASELINE} cannot be used: "),
}


@pytest.mark.parametrize(("name", "content", "what"), BROKEN.values(), ids=BROKEN)
def test_a_file_that_cannot_be_read_closes_the_gate_with_one_message(
    passed: Repo, name: str, content: str | bytes, what: str
) -> None:
    passed.write(name, content)
    words = refused(passed, "origin", "main")
    assert words.startswith(f"blocked: {what}")
    assert words.count("blocked: ") == words.count("\n  why:   ") == words.count("\n  next:  ") == 1
    assert "Traceback" not in words
    for arguments in (("verify",), ("status",), ("run", "--yes", "--loops", "1")):
        done = passed.gate(*arguments)
        assert (done.returncode, done.stderr.startswith(f"error: {what}")) == (2, True)
    assert what in passed.gate("doctor").stdout
    assert passed.gate("config", "show").returncode == 0


def test_checks_that_change_during_a_review_make_it_incomplete(checked: Repo) -> None:
    """A command of the first loop takes the check away, and one of the last brings it back."""
    hide = {"name": "hide", "loop": 1, "run": ["mv", CHECKS, "hidden"]}
    show = {"name": "show", "loop": 4, "run": ["mv", "hidden", CHECKS]}
    checked.git("rm", "--quiet", "--cached", CHECKS)
    checked.write(".git/info/exclude", f"{CHECKS}\nhidden\n")
    config = settings()[:-2] + ', "commands": ' + repr([hide, show]).replace("'", '"') + "}\n"
    checked.commit("bad", {CONFIG: config, "bad.py": BAD})
    report = report_of(checked)
    (result,) = [one for one in report["loops"][1]["reviewers"] if one["id"] == "checks"]
    assert result["status"] == "could_not_run"
    assert result["detail"].startswith("the checks or their settings changed while the review was going on")
    assert checked.push("origin", "main").returncode == 1


def test_a_branch_with_checks_of_its_own_leaves_from_its_own_checkout(checked: Repo) -> None:
    checked.git("switch", "--quiet", "--create", "stricter")
    checked.commit("stricter", {CHECKS: check_file(EVAL, TODO)})
    checked.review()
    checked.git("switch", "--quiet", "main")
    words = refused(checked, "origin", "stricter")
    assert words == block(
        f"The review of {checked.git('rev-parse', 'stricter')[:8]} was made with other checks.",
        "a push is judged by the checks of the branch it is made from, and this one has its own",
        "git switch stricter && git push origin HEAD",
    )
    type_step(checked, next_step(words))
    assert checked.remote_ref("refs/heads/stricter") == checked.head


def test_checks_behind_links_are_those_of_the_files_they_lead_to(checked: Repo) -> None:
    """CLAUDE.md is often a link to AGENTS.md, whose table is not searched for what it forbids."""
    (checked.path / "CLAUDE.md").unlink()
    (checked.path / "CLAUDE.md").symlink_to("AGENTS.md")
    (checked.path / ".claude/rules").mkdir(parents=True)
    (checked.path / ".claude/rules/own.md").symlink_to("../../docs/own.md")
    own = TABLE.replace("If you write...", "Code Pattern").replace("frobnicate(", "frob(")
    checked.commit("links", {"AGENTS.md": TABLE, "docs/own.md": own})
    done = checked.gate("run", "--yes")
    assert (done.returncode, "is not the one under review" in done.stdout + done.stderr) == (0, False)
    listed = json.loads(checked.gate("checks", "list", "--no-packs", "--format", "json").stdout)
    sources = {one["id"]: one["source"] for one in listed["checks"]}
    assert (sources["anti_pattern_1"], sources["own_1"]) == ("AGENTS.md", "docs/own.md")
    checked.git("switch", "--quiet", "--create", "other", "HEAD~1")
    words = refused(checked, "origin", "main")
    assert next_step(words) == "git switch main && git push origin HEAD"
    type_step(checked, next_step(words))
    assert checked.remote_ref("refs/heads/main") == checked.head


DAMAGED = (b"", b"{", b"[]", b"\xff", b"[" * 100_000, b'{"key": 1, "strictness": 1}', seal({"key": 1}))


def test_a_damaged_copy_of_what_the_checks_come_to_is_made_anew(passed: Repo) -> None:
    kept = passed.path / ".git/review-gate/checks-strictness.json"
    sound = kept.read_bytes()
    document = unsealed(sound) or {}
    wrong = [seal(document | {"strictness": value}) for value in ("", None, 1)]
    # One other letter, as a faulty disk makes it: still JSON, and the policy of no review.
    digit = str(document["strictness"])[0].encode()
    damaged = sound.replace(b'"strictness": "' + digit, b'"strictness": "' + (b"1" if digit == b"0" else b"0"))
    for content in (*DAMAGED, *wrong, damaged):
        kept.write_bytes(content)
        assert passed.gate("verify").returncode == 0, content
        assert kept.read_bytes() == sound


def test_a_git_directory_that_cannot_be_written_to_makes_hooks_slow_and_no_more(passed: Repo) -> None:
    shutil.rmtree(passed.path / ".git/review-gate")
    passed.write(".git/review-gate", "in the way\n")
    let_out(passed, "origin", "main")
    passed.write("bad.py", BAD)
    passed.git("add", "-A")
    done = passed.run("git", "commit", "--quiet", "-m", "Sort names")
    assert (done.returncode, done.stderr.splitlines()[:2]) == (
        1,
        ["blocked: 1 problem in the staged files", "  bad.py:1: eval runs anything [no-eval]"],
    )


# What is said of weaker checks


def summary(repo: Repo) -> list[str]:
    return [line for line in repo.gate("run", "--yes").stdout.splitlines() if line.startswith("checks weakened: ")]
