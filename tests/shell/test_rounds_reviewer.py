"""What reviewers agreed on counts in a run: for exactly that content, with a quorum, unless another review objects."""

from __future__ import annotations

import pytest
from conftest import Repo
from scripted_rounds import ScriptedRounds, scripted_rounds
from voting import PASS, finding, says

from review_gate.config.schema import Rounds as RoundsSettings
from review_gate.consensus.agreement import Agreement, Voter, entry_of
from review_gate.consensus.scope import Scope
from review_gate.models import Subject
from review_gate.shell import ledger
from review_gate.shell.repository import open_repository
from review_gate.shell.rounds_reviewer import RoundsReviewer
from review_gate.shell.rounds_store import RoundsStore
from review_gate.workflows.round_check import closed, continued

pytestmark = pytest.mark.usefixtures("same_world")
NOT_AGREED = "no reviewers have agreed in rounds on this content"


@pytest.fixture
def rounds(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> ScriptedRounds:
    return scripted_rounds(repo, monkeypatch)


def agree(rounds: ScriptedRounds, scope: Scope | None = None, prompt: str = "") -> str:
    return rounds.outcome(rounds.spawn(scope, prompt))


def subject(repo: Repo, base: str = "HEAD~1") -> Subject:
    start, commit, tree = repo.git("rev-parse", base, "HEAD", "HEAD^{tree}").split()
    return Subject(commit=commit, tree=tree, base=start, base_label=base)


def reviewed(rounds: ScriptedRounds, base: str = "HEAD~1", settings: RoundsSettings | None = None) -> str:
    """What the reviewer of a run says; empty where it passes."""
    git = open_repository(str(rounds.repo.path)).git
    store = rounds.place.store
    return RoundsReviewer(git, subject(rounds.repo, base), settings or RoundsSettings(), store).review().could_not_run


def commit(rounds: ScriptedRounds, **files: str) -> None:
    rounds.repo.commit(
        "change", {name.replace("_", "."): text for name, text in files.items()} or {"app.py": "x = 2\n"}
    )


def test_another_content_has_not_agreed(rounds: ScriptedRounds) -> None:
    assert agree(rounds) == "agreed"
    commit(rounds, app_py="x = 3\n")
    assert reviewed(rounds).startswith(NOT_AGREED)


def test_review_that_has_not_agreed_counts_for_nothing(rounds: ScriptedRounds) -> None:
    rounds.says("gemini", says(finding()))
    assert agree(rounds) == "fix"
    commit(rounds)
    assert reviewed(rounds) != ""
    assert rounds.repo.git("for-each-ref", "refs/review-gate/rounds") == ""


def test_agreement_that_begins_later_does_not_cover_what_came_before(rounds: ScriptedRounds) -> None:
    commit(rounds)
    commit(rounds, app_py="x = 3\n")
    assert agree(rounds, Scope(kind="commit", value="HEAD")) == "agreed"
    assert reviewed(rounds) == ""
    assert reviewed(rounds, "HEAD~2").startswith(NOT_AGREED)


@pytest.mark.parametrize("is_seen", [True, False])
def test_agreement_that_begins_earlier_counts_when_no_file_of_the_run_changed_between(
    rounds: ScriptedRounds, is_seen: bool
) -> None:
    commit(rounds, app_py="x = 1\nguard()\n")
    commit(rounds, **({"other_py": "z = 1\n"} if is_seen else {"app_py": "x = 1\ny = 1\n"}))
    assert agree(rounds, Scope(kind="range", value="HEAD~2..HEAD")) == "agreed"
    assert (reviewed(rounds) == "") is is_seen


OTHERS = {
    "another file is new": ("x = 2", {"more_py": "z = 1\n", "app_py": "x = 2\n"}, True),
    "its line has moved": ("x = 2", {"app_py": "# Two.\nx = 2\n"}, True),
    "it quotes nothing": ("", {"more_py": "z = 1\n", "app_py": "x = 2\n"}, True),
    "it is fixed": ("x = 2", {"app_py": "x = 3\n"}, False),
    "its file has not changed": ("x = 2", {"app_py": "x = 1\n", "more_py": "x = 2\n"}, False),
}


@pytest.mark.parametrize(("quote", "now", "is_open"), OTHERS.values(), ids=OTHERS)
def test_agreement_does_not_count_while_another_review_has_findings_in_it(
    rounds: ScriptedRounds, quote: str, now: dict[str, str], is_open: bool
) -> None:
    rounds.says("gemini", says(finding(quote=quote)))
    folder = rounds.spawn()
    assert rounds.outcome(folder) == "fix"
    rounds.says("gemini", PASS)
    for name, text in now.items():
        rounds.repo.write(name.replace("_", "."), text)
    assert agree(rounds, prompt="Look at x.") == "agreed"
    commit(rounds, **now)
    told = f"{folder.id} has findings about what stands here that are not settled (review-gate check {folder.id})"
    assert reviewed(rounds) == (told if is_open else "")
    closed(folder, "It is two on purpose.")
    assert reviewed(rounds) == ""


def test_findings_count_while_the_next_round_is_under_way(rounds: ScriptedRounds) -> None:
    assert agree(rounds) == "agreed"
    rounds.says("gemini", says(finding()))
    folder = rounds.spawn(prompt="Look at x.")
    # Said, and not collected yet.
    assert reviewed_now(rounds).startswith(f"{folder.id} has findings")
    assert rounds.outcome(folder) == "fix"
    rounds.is_asker_killed = True
    continued(folder)
    assert rounds.outcome(folder) == "waiting"
    assert reviewed_now(rounds).startswith(f"{folder.id} has findings")


def reviewed_now(rounds: ScriptedRounds) -> str:
    """What the reviewer says of the content in the work tree, which is committed for it alone."""
    commit(rounds)
    found = reviewed(rounds)
    rounds.repo.git("reset", "--quiet", "--soft", "HEAD~1")
    return found


def test_raised_quorum_is_asked_for(rounds: ScriptedRounds) -> None:
    for name in ("gemini", "claude"):
        rounds.says(name, "no JSON")
    rounds.settings = {"quorum": 1}
    assert agree(rounds) == "agreed"
    commit(rounds)
    assert reviewed(rounds) != ""
    assert reviewed(rounds, settings=RoundsSettings(quorum=1)) == ""


def test_two_models_of_a_family_count_once_when_independent_ones_are_wanted(rounds: ScriptedRounds) -> None:
    commit(rounds)
    of = subject(rounds.repo)
    voters = tuple(Voter(name=name, family="anthropic") for name in ("claude", "anthropic"))
    agreement = Agreement(
        id="code-0a1b2c3d",
        finished="2026-01-02T03:04:05Z",
        round=1,
        commit=of.commit,
        tree=of.tree,
        base=of.base,
        voters=voters,
    )
    git = open_repository(str(rounds.repo.path)).git
    ledger.append(git, ledger.AGREEMENTS + of.tree, lambda _: entry_of(agreement))
    found = [
        RoundsReviewer(git, of, RoundsSettings(independent_families=one), RoundsStore("none")).review().status
        for one in (False, True)
    ]
    assert found == ["passed", "could_not_run"]
