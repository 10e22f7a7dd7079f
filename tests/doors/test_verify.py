"""review-gate verify: the gate asked by hand or by CI, for people and for programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeRepo, Repo, Result
from pushing import (
    FAILED,
    INCOMPLETE,
    forget,
    grow,
    let_out,
    record_pass,
    record_review,
)

from review_gate.shell.ledger import COMMITS, LEDGER

NEVER_REVIEWED = "No review state found. Run /review before shipping."


def ask(repo: Repo, *arguments: str) -> dict[str, Any]:
    """The answer for programs; the exit code has to say the same."""
    done = repo.gate("verify", "--format", "json", *arguments)
    answer: dict[str, Any] = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0 if answer["allowed"] else 1, "")
    return answer


def reason(repo: Repo, *arguments: str) -> str:
    return str(ask(repo, *arguments)["reason"])


def printed(done: Result) -> tuple[int, str, str]:
    return done.returncode, done.stdout, done.stderr


def test_open_gate_says_so_to_programs(opened: Repo) -> None:
    message = f"Commit {opened.head[:8]} passed its review."
    about = {"allowed": True, "reason": "approved", "commit": opened.head, "reviewed_commit": opened.head}
    about |= {"message": message, "next": "", "uncovered": []}
    assert ask(opened) == about | {"why": "", "blockers": [], "refs": [{"ref": "HEAD", "remote_ref": "HEAD"} | about]}


def test_closed_gate_says_why_to_people(opened: Repo) -> None:
    below, above = opened.commit("below"), opened.commit("above")
    assert printed(opened.gate("verify")) == (
        1,
        f"blocked: {NEVER_REVIEWED}\n"
        f"  why:   commit {above[:8]} was never reviewed\n"
        "  next:  review-gate run\n"
        f"  not covered: {above[:8]}, {below[:8]}\n",
        "",
    )


def test_closed_gate_says_why_to_programs(opened: Repo) -> None:
    remote, below = opened.head, opened.commit("below")
    above = opened.commit("above")
    record_pass(opened, above, below)
    message = f"The review starts at {below[:8]}, but 1 commit ({below[:8]}) below it would leave unreviewed."
    about = {"allowed": False, "reason": "uncovered", "commit": above, "reviewed_commit": above, "message": message}
    about |= {"next": f"review-gate run --base {remote[:8]}", "uncovered": [below]}
    why = f"the remote does not have {below[:8]}, and no passing review covers it"
    refs = [{"ref": "main", "remote_ref": "main"} | about]
    assert ask(opened, "main") == about | {"why": why, "blockers": [message], "refs": refs}


def test_reason_is_one_of_the_documented_words(published: Repo) -> None:
    first, commit = published.head, published.commit("second")
    assert reason(published) == "stale"
    assert reason(published, grow(published, "side", first)) == "missing"
    record_review(published, commit, first, INCOMPLETE)
    assert reason(published) == "incomplete"
    record_review(published, commit, first, FAILED)
    assert reason(published) == "failed"
    record_pass(published, commit, first)
    assert reason(published) == "approved"
    published.write(".review-gate.yaml", "hygiene: {binary: block}\n")
    assert reason(published) == "policy_changed"
    (published.path / ".review-gate.yaml").unlink()
    entry = published.git("rev-parse", COMMITS + commit)
    published.git("update-ref", COMMITS + commit, published.git("rev-parse", "HEAD:app.py"))
    assert reason(published) == "corrupt"
    published.git("update-ref", COMMITS + commit, entry)
    state = json.loads(published.state_file.read_text())
    published.state_file.write_text(json.dumps(state | {"head_commit": commit}))
    assert reason(published) == "tampered"
    published.state_file.write_text("{")
    assert reason(published) == "corrupt"


def test_any_revision_can_be_asked_about(opened: Repo) -> None:
    reviewed = opened.head
    opened.git("tag", "-a", "-m", "v1", "v1")
    opened.commit("not reviewed")
    for revision in (reviewed[:10], "HEAD~1", "refs/tags/v1", "origin/main"):
        answer = ask(opened, revision)
        assert (answer["commit"], answer["allowed"], answer["refs"][0]["ref"]) == (reviewed, True, revision)
    assert reason(opened, "HEAD") == "missing"


def test_next_step_for_a_range_opens_the_gate_for_it(opened: Repo) -> None:
    base, tip = opened.commit("base"), opened.commit("tip")
    opened.git("push", "--quiet", "--no-verify", "--set-upstream", "origin", "main")
    opened.commit("later")
    answer = ask(opened, "--range", f"{base}..{tip}")
    assert answer["next"] == f"git switch --detach {tip[:8]} && review-gate run --base {base[:8]}"
    done = opened.type(f"{answer['next']} --yes")
    assert done.returncode == 0, done.stderr
    assert reason(opened, "--range", f"{base}..{tip}") == "approved"
    opened.git("switch", "--quiet", "--orphan", "other")
    opened.commit("unrelated")
    answer = ask(opened, "--range", "main..other")
    assert answer["next"] == "review-gate run --scope all"
    opened.review("--scope", "all")
    assert reason(opened, "--range", "main..other") == "approved"


def test_range_takes_its_base_as_given(opened: Repo) -> None:
    base, below = opened.commit("base"), opened.commit("below")
    tip = opened.commit("tip")
    record_pass(opened, tip, below)
    assert ask(opened)["uncovered"] == [below, base]
    assert ask(opened, "--range", f"{base}..{tip}")["uncovered"] == [below]
    assert reason(opened, "--range", f"{below}..main") == "approved"
    assert reason(opened, "--range", f"{below}..") == "approved"
    assert ask(opened, "--range", f"{tip}..{tip}")["message"] == "There is no commit in this range."
    done = opened.gate("verify", "--range", f"{tip}..{base}")
    assert (done.returncode, done.stderr) == (
        2,
        f"error: there is no commit in {tip[:8]}..{base[:8]}\n"
        f"  why:   {tip[:8]} already contains {base[:8]}; the ends may be the wrong way round\n"
        f"  next:  review-gate verify --range {base[:8]}..{tip[:8]}\n",
    )


def test_remote_decides_where_the_chain_of_reviews_may_end(opened: Repo, tmp_path: Path) -> None:
    first = opened.head
    opened.git("init", "--quiet", "--bare", str(tmp_path / "other.git"))
    opened.git("remote", "add", "other", str(tmp_path / "other.git"))
    forget(opened, first)
    record_pass(opened, opened.commit("second"), first)
    assert reason(opened) == "approved"
    assert reason(opened, "--remote", "origin") == "approved"
    assert ask(opened, "--remote", "other")["uncovered"] == [first]


def test_tracking_ref_is_no_review(opened: Repo) -> None:
    commit = opened.commit("second")
    opened.git("update-ref", "refs/remotes/origin/main", commit)
    assert reason(opened) == "missing"


def test_reviews_that_were_pushed_can_be_verified_in_another_clone(opened: Repo, tmp_path: Path) -> None:
    first, url = opened.head, opened.git("remote", "get-url", "origin")
    record_pass(opened, opened.commit("second"), first)
    let_out(opened, "origin", "main", f"{LEDGER}*:{LEDGER}*")
    for kind in ([], ["--bare"]):
        clone = Repo(tmp_path / f"clone{len(kind)}", opened.environ)
        opened.git("clone", "--quiet", *kind, url, str(clone.path))
        assert reason(clone, "--range", f"{first}..main") == "missing"
        clone.git("fetch", "--quiet", "origin", f"{LEDGER}*:{LEDGER}*")
        assert reason(clone, "--range", f"{first}..main") == "approved"


def test_linked_worktree_and_subfolder_get_the_same_answer(opened: Repo) -> None:
    opened.git("worktree", "add", "--quiet", "-b", "apart", "../apart")
    (opened.path / "sub").mkdir()
    for folder in ("../apart", "sub"):
        assert reason(Repo(opened.path / folder, opened.environ)) == "approved"


def error(what: str, why: str, next_step: str) -> str:
    return f"error: {what}\n  why:   {why}\n  next:  {next_step}\n"


def not_a_revision(revision: str) -> str:
    return error(f"{revision!r} is not a commit here", "the gate judges commits", "git log --oneline")


def not_a_range(text: str) -> str:
    return error(f"{text!r} is not a range", "the gate needs a base and a tip", "review-gate verify --range A..B")


BOTH = error("REV and --range were both given", "the gate judges one thing at a time", "give one of them")
NO_REMOTE = error("there is no remote 'x'", "the gate has to know what the remote already has", "git remote -v")
MISUSE = {
    "unknown revision": (["nowhere"], not_a_revision("nowhere")),
    "unknown id": (["f" * 40], not_a_revision("f" * 40)),
    "a file": (["HEAD:app.py"], not_a_revision("HEAD:app.py")),
    "control characters": (["a\x1b[2Jb\nc"], not_a_revision("a\x1b[2Jb\nc")),
    "all but a commit": (["^HEAD"], not_a_revision("^HEAD")),
    "option as revision": (["--", "--output=pwned"], not_a_revision("--output=pwned")),
    "option as range": (["--range=--output=pwned..HEAD"], not_a_revision("--output=pwned")),
    "unknown tip": (["--range", "HEAD..nowhere"], not_a_revision("nowhere")),
    "two ranges": (["--range", "HEAD..HEAD..HEAD"], not_a_revision("HEAD..HEAD")),
    "range without dots": (["--range", "HEAD"], not_a_range("HEAD")),
    "range without base": (["--range", "..HEAD"], not_a_range("..HEAD")),
    "symmetric range": (["--range", "HEAD...HEAD"], not_a_range("HEAD...HEAD")),
    "revision and range": (["HEAD", "--range", "HEAD..HEAD"], BOTH),
    "unknown remote": (["--remote", "x"], NO_REMOTE),
}


def test_misuse_is_told_from_a_closed_gate(repo: Repo) -> None:
    told = {name: printed(repo.gate("verify", *arguments)) for name, (arguments, _) in MISUSE.items()}
    assert told == {name: (2, "", words) for name, (_, words) in MISUSE.items()}
    assert not (repo.path / "pwned").exists()


@pytest.mark.parametrize("arguments", [["--format", "xml"], ["--nonsense"], ["a", "b"]], ids=" ".join)
def test_unknown_option_is_misuse(repo: Repo, arguments: list[str]) -> None:
    done = repo.gate("verify", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("usage: review-gate verify ")


def test_repository_without_a_commit_has_nothing_to_judge(make_repo: MakeRepo) -> None:
    words = error("there is no commit yet", "a review is of a commit, and this branch has none", "git commit")
    assert printed(make_repo().gate("verify")) == (2, "", words)


def test_folder_without_a_repository_has_nothing_to_judge(tmp_path: Path, world: dict[str, str]) -> None:
    done = Repo(tmp_path, world | {"GIT_CEILING_DIRECTORIES": str(tmp_path.parent)}).gate("verify")
    said = "fatal: not a git repository (or any of the parent directories): .git"
    next_step = "cd into a repository, or git init"
    words = error(f"this is not a git repository: {said}", "review-gate reviews commits of a repository", next_step)
    assert printed(done) == (2, "", words)


def test_broken_configuration_is_not_a_verdict(opened: Repo) -> None:
    opened.write(".review-gate.yaml", "hygeine: {}\n")
    done = opened.gate("verify")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: .review-gate.yaml:1: ")
    assert "hygiene" in done.stderr
