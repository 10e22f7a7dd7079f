"""What a remote has, as told by its refs: however it is asked, it agrees with the history that was made."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from conftest import Repo
from opening import repository_at

from review_gate.shell import remote
from review_gate.shell.base import base_of_run
from review_gate.shell.ledger import Ledger
from review_gate.shell.remote import RemoteContents

pytestmark = pytest.mark.usefixtures("same_world")

# Each commit with its parents: two lines that meet twice, and one that stands alone.
HISTORY = {"a": "", "b": "a", "c": "b", "d": "b", "e": "cd", "f": "e", "g": "d", "h": "fg", "x": "", "y": "x"}
ABSENT = "1" * 40


@pytest.fixture
def made(repo: Repo) -> dict[str, str]:
    """The ids of the commits of the history."""
    ids: dict[str, str] = {}
    for name, parents in HISTORY.items():
        words = [word for parent in parents for word in ("-p", ids[parent])]
        ids[name] = repo.git("commit-tree", "HEAD^{tree}", *words, "-m", name)
    return ids


@pytest.fixture
def ledger(repo: Repo) -> Iterator[Ledger]:
    repository = repository_at(repo)
    with repository.git.objects() as objects:
        yield Ledger(repository, objects)


def reached(*names: str) -> set[str]:
    """Commits with all that is below them."""
    return {below for name in names for below in {name, *reached(*HISTORY[name])}}


@pytest.mark.parametrize("tip", ["h", "f", "c", "y"])
def test_however_it_is_asked_a_remote_has_what_its_refs_reach(
    repo: Repo, made: dict[str, str], ledger: Ledger, tip: str
) -> None:
    git, names = repository_at(repo).git, {oid: name for name, oid in made.items()}
    for named in ("a", "d", "cg", "h", "x", "ey"):
        there, commits = reached(*named), [*(made[name] for name in named), ABSENT]
        for told in ("", made[tip]):
            contents = RemoteContents(git, commits, ledger.present, may_walk_far=True, tip=told)
            assert {names[oid] for oid in contents.among({made[tip]})} == {tip} & there
            assert {names[oid] for oid in contents.among(set(made.values()))} == there
            # What was answered once is answered again.
            assert {names[oid] for oid in contents.among(set(made.values()))} == there
        sent = contents.outgoing(made[tip])
        assert sent is not None
        shown = {names[oid]: "".join(names[parent] for parent in parents) for oid, parents in sent.items()}
        assert shown == {name: HISTORY[name] for name in reached(tip) - there}
        assert {names[oid] for oid in contents.edge(made[tip])} == {p for ps in shown.values() for p in ps} & there


def test_a_list_that_was_cut_tells_nothing_of_what_is_below(
    repo: Repo, made: dict[str, str], ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "MAX_OUTGOING", 2)
    contents = RemoteContents(repository_at(repo).git, [made["a"]], ledger.present, may_walk_far=True, tip=made["h"])
    assert len(contents.outgoing(made["h"]) or {}) == 2
    assert contents.edge(made["h"]) == frozenset()
    assert contents.among(set(made.values())) == {made["a"]}


@pytest.mark.parametrize("is_told", [True, False], ids=["told by the tip", "asked"])
def test_what_the_remote_has_is_seen_where_clocks_went_wrong(repo: Repo, ledger: Ledger, is_told: bool) -> None:
    # Older by its date than what it stands on: git ends its way down before it gets there.
    tip = repo.git("commit-tree", "HEAD^{tree}", "-m", "ahead of its time", GIT_COMMITTER_DATE="2030-01-01T00:00:00Z")
    top = tip
    for number in range(20):
        top = repo.git(
            "commit-tree", "HEAD^{tree}", "-p", top, "-m", "x", GIT_COMMITTER_DATE=f"2002-01-{number + 1:02}T00:00:00Z"
        )
    assert repo.git("rev-list", tip, f"^{top}") == tip
    git = repository_at(repo).git
    contents = RemoteContents(git, [top], ledger.present, may_walk_far=True, tip=tip if is_told else "")
    assert contents.among({tip}) == {tip}


def test_what_is_not_here_is_not_there_either(repo: Repo, made: dict[str, str], ledger: Ledger) -> None:
    contents = RemoteContents(repository_at(repo).git, [made["h"]], ledger.present, may_walk_far=True, tip=ABSENT)
    assert contents.outgoing(ABSENT) is None
    assert contents.among({ABSENT}) == set()


@pytest.mark.parametrize(("upstream", "default"), [("a", "b"), ("g", "c"), ("x", "f"), ("h", "h"), ("f", "d")])
def test_a_run_begins_at_the_same_commit_whether_or_not_it_is_known_what_lies_below(
    repo: Repo, made: dict[str, str], upstream: str, default: str
) -> None:
    repo.git("update-ref", "refs/remotes/origin/main", made[default])
    repo.git("update-ref", "refs/remotes/origin/topic", made[upstream])
    repo.git("config", "branch.main.remote", "origin")
    repo.git("config", "branch.main.merge", "refs/heads/topic")
    git = repository_at(repo).git
    for head in ("h", "f", "y"):
        found = base_of_run(git, made[head], "main", None)
        assert base_of_run(git, made[head], "main", None, below={made[name] for name in reached(head)}) == found
        assert found[0] in {"", *(made[name] for name in reached(head) & reached(upstream, default))}
