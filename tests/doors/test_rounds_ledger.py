"""What was agreed on in rounds counts in a run that asks for it: for exactly that content, and only with a quorum."""

from __future__ import annotations

import json
from typing import Any

import pytest
from conftest import Repo
from running import wait_until_there
from voting import NAMES, PASS, Voters, finding, says

from review_gate.config.schema import Rounds as RoundsSettings
from review_gate.consensus.agreement import Agreement, Voter, entry_of
from review_gate.models import Subject
from review_gate.shell import ledger
from review_gate.shell.repository import open_repository
from review_gate.shell.rounds_reviewer import RoundsReviewer
from review_gate.shell.rounds_store import RoundsStore

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


def test_another_content_has_not_agreed(repo: Repo, voters: Voters) -> None:
    assert agree(repo, voters, "--uncommitted") == 0
    (repo.path / "app.py").write_text("x = 3\n")
    repo.git("commit", "-qam", "Make it three")
    assert rounds_in_run(repo)[0] == "could_not_run"


def test_a_review_that_has_not_agreed_counts_for_nothing(repo: Repo, voters: Voters) -> None:
    voters.play("gemini", says(finding()))
    assert agree(repo, voters, "--uncommitted") == 1
    repo.git("commit", "-qam", "Make it two")
    assert rounds_in_run(repo)[0] == "could_not_run"
    assert repo.git("for-each-ref", "refs/review-gate/rounds") == ""


def test_an_agreement_that_begins_later_does_not_cover_what_came_before(repo: Repo, voters: Voters) -> None:
    repo.git("commit", "-qam", "Make it two")
    (repo.path / "app.py").write_text("x = 3\n")
    repo.git("commit", "-qam", "Make it three")
    assert agree(repo, voters, "--commit", "HEAD") == 0
    assert rounds_in_run(repo)[0] == "passed"
    told = repo.gate("run", "--base", "HEAD~2", *RUN[3:], REVIEW_GATE_MODELS__USE="off")
    assert "no reviewers have agreed in rounds on this content" in told.stdout


@pytest.mark.parametrize("others", [{}, {"more.py": "z = 1\n"}])
def test_an_agreement_that_begins_earlier_has_not_seen_what_is_taken_back(
    repo: Repo, voters: Voters, others: dict[str, str]
) -> None:
    repo.commit("A guard", {"app.py": "x = 1\nguard()\n"})
    repo.commit("Without it", {"app.py": "x = 1\n" + "y = 1\n" * len(others), "other.py": "z = 1\n", **others})
    assert agree(repo, voters, "HEAD~2..HEAD") == 0
    assert "guard()" not in voters.prompts("codex")[0]
    assert rounds_in_run(repo)[0] == "could_not_run"


def test_an_agreement_that_begins_with_nothing_has_not_seen_what_is_taken_back(repo: Repo, voters: Voters) -> None:
    repo.git("checkout", "-q", "--orphan", "anew")
    assert agree(repo, voters, "--uncommitted") == 0
    repo.git("commit", "-qam", "All of it")
    repo.commit("A guard", {"app.py": "x = 2\nguard()\n"})
    repo.commit("Without it", {"app.py": "x = 2\n"})
    assert rounds_in_run(repo)[0] == "could_not_run"


def test_an_agreement_that_begins_earlier_counts_where_it_has_seen_the_same(repo: Repo, voters: Voters) -> None:
    repo.git("commit", "-qam", "Make it two")
    repo.commit("Other", {"other.py": "z = 1\n"})
    assert agree(repo, voters, "HEAD~2..HEAD") == 0
    assert rounds_in_run(repo)[0] == "passed"


def test_what_others_found_in_the_same_is_not_settled_by_an_agreement(repo: Repo, voters: Voters) -> None:
    assert agree(repo, voters, "--uncommitted") == 0
    voters.play("gemini", says(finding()))
    assert agree(repo, voters, "--uncommitted", "--prompt", "Look at x.") == 1
    (review,) = json.loads(repo.gate("check", "--format", "json").stdout)["reviews"]
    repo.git("commit", "-qam", "Make it two")
    told = f"{review['id']} has findings about what stands here that are not settled"
    assert [words in rounds_in_run(repo)[1] for words in (told, f"(review-gate check {review['id']})")] == [True, True]
    repo.gate("rounds", "close", review["id"], "--because", "It is two on purpose.")
    assert rounds_in_run(repo)[0] == "passed"


def test_what_others_found_is_not_settled_while_they_are_asked_again(repo: Repo, voters: Voters) -> None:
    assert agree(repo, voters, "--uncommitted") == 0
    voters.play("gemini", says(finding()))
    assert agree(repo, voters, "--uncommitted", "--prompt", "Look at x.") == 1
    (review,) = json.loads(repo.gate("check", "--format", "json").stdout)["reviews"]
    voters.play("gemini", trouble="hang")
    assert repo.gate("rounds", "continue", review["id"]).returncode == 0
    assert "round 2, --uncommitted: waiting" in repo.gate("check", PATH=voters.path).stdout
    repo.git("commit", "-qam", "Make it two")
    told = f"{review['id']} has findings about what stands here that are not settled"
    assert told in rounds_in_run(repo)[1]
    repo.gate("rounds", "close", review["id"], "--because", "It is two on purpose.")
    assert rounds_in_run(repo)[0] == "passed"


def test_what_others_have_said_and_nobody_has_collected_is_not_settled(repo: Repo, voters: Voters) -> None:
    assert agree(repo, voters, "--uncommitted") == 0
    voters.play("gemini", says(finding()))
    voters.play("claude", trouble="hang")
    more = ("spawn-code-review", "--uncommitted", "--prompt", "Look at x.", "--format", "json")
    review = json.loads(repo.gate(*more, PATH=voters.path).stdout)["id"]
    wait_until_there(repo.path / ".git/review-gate/rounds" / review / "01/gemini.answer.json")
    repo.git("commit", "-qam", "Make it two")
    told = f"{review} has findings about what stands here that are not settled"
    assert told in rounds_in_run(repo)[1]
    repo.gate("rounds", "close", review, "--because", "It is two on purpose.")
    assert rounds_in_run(repo)[0] == "passed"


@pytest.mark.parametrize(
    ("quote", "now", "is_open"),
    [
        ("x = 2", {"more.py": "z = 1\n"}, True),
        ("x = 2", {"app.py": "# Two.\nx = 2\n"}, True),
        ("", {"more.py": "z = 1\n"}, True),
        ("x = 2", {"app.py": "x = 3\n"}, False),
        ("x = 2", {"app.py": "x = 1\n", "more.py": "x = 2\n"}, False),
    ],
    ids=["another file is new", "its line has moved", "it quotes nothing", "it is mended", "its file has not changed"],
)
def test_what_others_found_is_not_settled_by_another_review_of_what_still_has_it(
    repo: Repo, voters: Voters, quote: str, now: dict[str, str], is_open: bool
) -> None:
    voters.play("gemini", says(finding(quote=quote)))
    assert agree(repo, voters, "--uncommitted") == 1
    (review,) = json.loads(repo.gate("check", "--format", "json").stdout)["reviews"]
    voters.play("gemini", PASS)
    for name, text in now.items():
        (repo.path / name).write_text(text)
    assert agree(repo, voters, "--uncommitted", "--prompt", "Look at x.") == 0
    repo.git("add", ".")
    repo.git("commit", "-qm", "Make it two")
    status, words = rounds_in_run(repo)
    assert (status == "could_not_run") is is_open
    assert (f"{review['id']} has findings about what stands here that are not settled" in words) is is_open
    repo.gate("rounds", "close", review["id"], "--because", "It is two on purpose.")
    assert rounds_in_run(repo)[0] == "passed"


def test_what_was_said_about_what_has_changed_meanwhile_is_not_settled(repo: Repo, voters: Voters) -> None:
    voters.play("gemini", says(finding()))
    voters.play("claude", trouble="hang")
    begun = repo.gate("spawn-code-review", "--uncommitted", "--format", "json", PATH=voters.path)
    review = json.loads(begun.stdout)["id"]
    wait_until_there(repo.path / ".git/review-gate/rounds" / review / "01/gemini.answer.json")
    (repo.path / "more.py").write_text("z = 1\n")
    voters.play("gemini", PASS)
    voters.play("claude", PASS)
    # Of something else the same command begins another review, which knows nothing of what is said about the first.
    assert agree(repo, voters, "--uncommitted") == 0
    repo.git("add", ".")
    repo.git("commit", "-qm", "Make it two")
    assert f"{review} has findings about what stands here" in rounds_in_run(repo)[1]
    repo.gate("rounds", "close", review, "--because", "It is two on purpose.")
    assert rounds_in_run(repo)[0] == "passed"


def test_a_quorum_that_was_raised_is_asked_for(repo: Repo, voters: Voters) -> None:
    voters.play("gemini", "no JSON")
    voters.play("claude", "no JSON")
    assert (
        repo.gate(
            "spawn-code-review", "--uncommitted", "--wait", PATH=voters.path, REVIEW_GATE_ROUNDS__QUORUM="1"
        ).returncode
        == 0
    )
    repo.git("commit", "-qam", "Make it two")
    assert rounds_in_run(repo)[0] == "could_not_run"
    assert rounds_in_run(repo, REVIEW_GATE_ROUNDS__QUORUM="1")[0] == "passed"


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


def test_what_was_found_is_not_settled_by_words_that_are_withheld(repo: Repo, voters: Voters) -> None:
    line = "MIIEpAIBAAKCAQEAq1w2e3r4t5y6u7i8o9p0"
    repo.commit("checks", {".review-gate.yaml": json.dumps({**SETTINGS, "checks": {}}), "app.py": "x = 1\n"})
    (repo.path / "app.py").write_text(f'K = """\n{line}\n"""\n')
    voters.play("gemini", says(finding(quote=line, line=2)), PASS)
    assert agree(repo, voters, "--uncommitted") == 1
    known = "# review-gate: ignore[secret-private-key] it opens nothing\n"
    begin = 'K = """-----BEGIN RSA PRIVATE ' + "KEY-----\n"
    (repo.path / "app.py").write_text(f'{known}{begin}{line}\n"""\n')
    done = repo.gate("check", "--wait", PATH=voters.path)
    assert (done.returncode, "[unheard] app.py:" in done.stdout) == (1, True)


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


def test_two_of_a_family_count_once_where_a_run_wants_independent_ones(repo: Repo) -> None:
    repo.commit("one", {"app.py": "x = 1\n"})
    repo.commit("two", {"app.py": "x = 2\n"})
    base, commit, tree = repo.git("rev-parse", "HEAD~1", "HEAD", "HEAD^{tree}").split()
    voters = tuple(Voter(name=name, family="anthropic") for name in ("claude", "anthropic"))
    fields = {"id": "code-0a1b2c3d", "finished": "2026-01-02T03:04:05Z", "round": 1}
    agreement = Agreement.model_validate(
        {**fields, "commit": commit, "tree": tree, "base": base, "voters": [one.model_dump() for one in voters]}
    )
    git = open_repository(str(repo.path)).git
    ledger.append(git, ledger.AGREEMENTS + tree, lambda _: entry_of(agreement))
    subject = Subject(commit=commit, tree=tree, base=base, base_label="HEAD~1")
    found = [
        RoundsReviewer(git, subject, RoundsSettings(independent_families=one), RoundsStore("none")).review().status
        for one in (False, True)
    ]
    assert found == ["passed", "could_not_run"]
