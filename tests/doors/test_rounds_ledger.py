"""What was agreed on in rounds counts in a run that asks for it: for exactly that content, and only with a quorum."""

from __future__ import annotations

import json
from typing import Any

import pytest
from conftest import Repo
from voting import NAMES, Voters

SETTINGS: dict[str, Any] = {
    "checks": {"packs": []},
    "rounds": {"loop": 4},
    "models": {"names": {name: f"{name}-test" for name in NAMES}, "gaps": False},
}
RUN = ("run", "--base", "HEAD~1", "--yes", "--loops", "4", "--format", "json")


@pytest.fixture
def voters(repo: Repo) -> Voters:
    found = Voters(repo)
    repo.commit("first", {".review-gate.yaml": json.dumps(SETTINGS), "app.py": "x = 1\n"})
    (repo.path / "app.py").write_text("x = 2\n")
    return found


def agree(repo: Repo, voters: Voters, *scope: str) -> int:
    return repo.gate("spawn-code-review", *scope, "--wait", PATH=voters.path).returncode


def rounds_in_run(repo: Repo, **environ: str) -> tuple[str, str]:
    """How the reviewer of rounds ended in a run in which no model is asked, and in words."""
    report = json.loads(repo.gate(*RUN, REVIEW_GATE_MODELS__USE="off", **environ).stdout)
    (found,) = [one for loop in report["loops"] for one in loop["reviewers"] if one["id"] == "rounds"]
    return found["status"], found["detail"] or found.get("could_not_run", "")


def test_an_agreement_on_what_was_not_committed_yet_counts_for_the_commit_of_it(repo: Repo, voters: Voters) -> None:
    assert agree(repo, voters, "--uncommitted") == 0
    repo.git("commit", "-qam", "Make it two")
    status, detail = rounds_in_run(repo)
    assert (status, detail.partition(" ")[2]) == ("passed", "agreed in round 1: codex, gemini, claude")


def test_records_of_rounds_leave_with_a_mirror_and_open_nothing_by_themselves(gated: Repo, voters: Voters) -> None:
    assert agree(gated, voters, "--uncommitted") == 0
    refused = gated.run("git", "push", "--mirror", "origin")
    assert (refused.returncode, "refs/heads/main" in refused.stderr) == (1, True)
    # A run that asks for no rounds, as most do.
    (gated.path / ".review-gate.yaml").write_text(json.dumps({**SETTINGS, "rounds": {}, "models": "off"}))
    gated.git("commit", "-qam", "Make it two")
    assert gated.gate("run", "--scope", "all", "--yes").returncode == 0
    assert gated.run("git", "push", "--mirror", "origin").returncode == 0
    assert "refs/review-gate/rounds/" in gated.git("ls-remote", "origin")


def test_what_nobody_saw_is_told_where_an_agreement_counts(repo: Repo, voters: Voters) -> None:
    (repo.path / "blob.bin").write_bytes(b"\0\1\2")
    (repo.path / "long.py").write_text("x" * 3_000)
    assert agree(repo, voters, "--uncommitted") == 0
    repo.git("add", ".")
    repo.git("commit", "-qm", "More")
    status, detail = rounds_in_run(repo)
    assert (status, detail.partition("; ")[2]) == ("passed", "nobody saw all of long.py, blob.bin")


def test_what_stands_behind_the_beginning_of_a_key_is_shown(repo: Repo, voters: Voters) -> None:
    repo.commit("checks", {".review-gate.yaml": json.dumps({**SETTINGS, "checks": {}}), "app.py": "x = 1\n"})
    known = "# review-gate: ignore[secret-private-key] it opens nothing\n"
    begin = 'KEY = """-----BEGIN RSA PRIVATE ' + 'KEY-----\nMIIEpAIBAAKCAQEAq1w2e3r4t5y6u7i8o9p0\n"""\n'
    (repo.path / "app.py").write_text(known + begin + "x = 2\n")
    assert agree(repo, voters, "--uncommitted") == 0
    asked = voters.prompts("gemini")[0]
    assert ("x = 2" in asked, "MIIEpAIBAAKCAQEA" in asked) == (True, False)
    # What was withheld is told where the agreement counts.
    repo.git("commit", "-qam", "Make it two")
    assert rounds_in_run(repo)[1].endswith("; nobody saw all of app.py")


def test_what_a_check_finds_cannot_be_refuted_and_no_review_ends_without_a_reason(repo: Repo, voters: Voters) -> None:
    repo.commit("checks", {".review-gate.yaml": json.dumps({**SETTINGS, "checks": {}})})
    (repo.path / "app.py").write_text("aws = 'AKIA" + "QYLPMN5HFIQR7XYZ'\n")
    assert agree(repo, voters, "--uncommitted") == 1
    (told,) = json.loads(repo.gate("check", "--format", "json").stdout)["reviews"]
    (found,) = told["findings"]
    refuted = repo.gate(
        "rounds", "refute", told["id"], found["fingerprint"], "--because", "x", "--evidence", "app.py:1"
    )
    assert (refuted.returncode, refuted.stderr.splitlines()[-1]) == (
        2,
        f"  next:  fix it, then review-gate check {told['id']}",
    )
    closed = repo.gate("rounds", "close", told["id"], "--because", " ")
    assert (closed.returncode, closed.stderr.splitlines()[0]) == (2, "error: --because says nothing")
