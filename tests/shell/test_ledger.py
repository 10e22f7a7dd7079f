"""Review records in git refs: nothing is lost by many writers, by gc, by clean, or by a corrupt entry."""

from __future__ import annotations

import json
import secrets
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from builders import run_report, subject
from conftest import MakeRepo, Repo
from opening import git_of, repository_at

from review_gate.errors import GitError
from review_gate.gate.push import CommitReviews
from review_gate.loops.state import ledger_review
from review_gate.shell import ledger, ledger_entry
from review_gate.shell.exact_ref import ExactRefs
from review_gate.shell.git import Git

WRITERS = 6


def ref_of(repo: Repo) -> str:
    return ledger.COMMITS + repo.head


def review_of(repo: Repo, number: int, **changes: Any) -> dict[str, object]:
    """A passing review of HEAD with an id of its own."""
    about = subject(commit=repo.head, tree=repo.git("rev-parse", "HEAD^{tree}"))
    report = run_report(id=f"{number:032x}", subject=about)
    return {**ledger_review(report), **changes}


def add_review(git: Git, ref: str, review: dict[str, object]) -> None:
    ledger.append(git, ref, lambda _: review)


def reviews_of(repo: Repo) -> CommitReviews:
    """What the gate reads of HEAD."""
    with git_of(repo).objects() as objects:
        return ledger.Ledger(repository_at(repo), objects).reviews_of([repo.head])[repo.head]


def ids_in(repo: Repo) -> list[int]:
    return [int(str(review["id"]), 16) for review in ledger.whole_reviews(git_of(repo), ref_of(repo))]


def write_entry(repo: Repo, data: bytes | str) -> None:
    """Make HEAD's entry hold these bytes."""
    text = data if isinstance(data, str) else data.decode()
    repo.git("update-ref", ref_of(repo), repo.run("git", "hash-object", "-w", "--stdin", stdin=text).stdout.strip())


def why_closed(repo: Repo) -> str:
    """The reason for which the gate is closed."""
    verdict = json.loads(repo.gate("verify", "--format", "json").stdout)
    assert verdict["allowed"] is False
    return str(verdict["reason"])


def test_reviews_are_kept_in_the_order_they_were_made(repo: Repo) -> None:
    for number in (1, 2, 3):
        add_review(git_of(repo), ref_of(repo), review_of(repo, number))
    known = reviews_of(repo)
    assert [int(record.id, 16) for record in known.records] == [1, 2, 3] == ids_in(repo)
    assert (known.error, known.tree) == ("", repo.git("rev-parse", "HEAD^{tree}"))


WRITER = """
import json, os, sys, time
from review_gate.shell.git import Git
from review_gate.shell.ledger import append
folder, ref, go = sys.argv[1:4]
reviews = json.load(sys.stdin)
print("ready", flush=True)
while not os.path.exists(go):
    time.sleep(0.001)
for review in reviews:
    append(Git(folder), ref, lambda _: review)
"""


def test_many_writers_of_one_entry_lose_nothing(repo: Repo, tmp_path: Path) -> None:
    go = tmp_path / "go"
    writers = []
    for number in range(WRITERS):
        argv = [sys.executable, "-c", WRITER, str(repo.path), ref_of(repo), str(go)]
        writer = subprocess.Popen(argv, env=repo.environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert writer.stdin is not None
        json.dump([review_of(repo, 2 * number), review_of(repo, 2 * number + 1)], writer.stdin)
        writer.stdin.close()
        writers.append(writer)
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
    go.touch()
    for writer in writers:
        assert writer.wait(60) == 0
        assert writer.stdout is not None
        writer.stdout.close()
    found = ids_in(repo)
    assert sorted(found) == list(range(2 * WRITERS))
    assert all(found.index(2 * number) < found.index(2 * number + 1) for number in range(WRITERS))


def test_writers_that_wait_for_a_lock_lose_nothing_when_it_goes(repo: Repo) -> None:
    lock = repo.path / ".git" / f"{ref_of(repo)}.lock"
    lock.parent.mkdir(parents=True)
    lock.touch()
    writers = [
        threading.Thread(target=add_review, args=(git_of(repo), ref_of(repo), review_of(repo, number)))
        for number in range(4)
    ]
    for writer in writers:
        writer.start()
    time.sleep(0.5)
    lock.unlink()
    for writer in writers:
        writer.join(60)
    assert sorted(ids_in(repo)) == [0, 1, 2, 3]


@pytest.mark.parametrize("content", ["", "junk\n"], ids=["empty", "junk"])
def test_a_ref_that_git_cannot_read_is_replaced_and_what_others_wrote_meanwhile_stays(repo: Repo, content: str) -> None:
    path = repo.path / ".git" / ref_of(repo)
    path.parent.mkdir(parents=True)
    path.write_text(content)
    writers = [
        threading.Thread(target=add_review, args=(git_of(repo), ref_of(repo), review_of(repo, number)))
        for number in range(6)
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
    assert sorted(ids_in(repo)) == [0, 1, 2, 3, 4, 5]


def test_a_ref_in_the_place_of_the_ledger_s_folder_is_named(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "WRITE_SECONDS", 0.0)
    repo.git("update-ref", "refs/review-gate/commits", "HEAD")
    with pytest.raises(GitError) as caught:
        add_review(git_of(repo), ref_of(repo), review_of(repo, 1))
    assert caught.value.next_step == "git update-ref --no-deref -d refs/review-gate/commits, then review-gate run"


@pytest.mark.parametrize("target", ["refs/heads/main", "refs/heads/nowhere"], ids=["a branch", "nothing"])
def test_an_entry_that_is_a_symbolic_ref_is_replaced_and_what_it_names_is_left_alone(repo: Repo, target: str) -> None:
    repo.git("symbolic-ref", ref_of(repo), target)
    branches = repo.git("for-each-ref", "refs/heads")
    assert why_closed(repo) == "corrupt"
    repo.review()
    assert repo.gate("verify").returncode == 0
    assert repo.git("for-each-ref", "refs/heads") == branches


def test_an_entry_never_grows_beyond_what_the_gate_reads(repo: Repo) -> None:
    large = ["x" * 1_000_000] * 6
    for number in range(4):
        add_review(git_of(repo), ref_of(repo), review_of(repo, number, blockers=large))
    known = reviews_of(repo)
    assert (known.error, len(known.records)) == ("", 4)


class Rival(Git):
    """A git whose first update of a ref is beaten by another writer."""

    def __init__(self, repo: Repo, review: dict[str, object] | None) -> None:
        super().__init__(str(repo.path), repo.environ)
        self._rival = (git_of(repo), ref_of(repo), review)
        self._is_first = True

    def try_run(self, *arguments: str, **options: Any) -> tuple[int, bytes, bytes]:
        if arguments[0] == "update-ref" and self._is_first:
            self._is_first = False
            git, ref, review = self._rival
            if review is None:
                git.run("update-ref", "-d", ref)
            else:
                add_review(git, ref, review)
        return super().try_run(*arguments, **options)


def test_the_first_review_of_a_commit_does_not_overwrite_one_made_at_the_same_moment(repo: Repo) -> None:
    add_review(Rival(repo, review_of(repo, 1)), ref_of(repo), review_of(repo, 2))
    assert ids_in(repo) == [1, 2]


def test_a_later_review_does_not_overwrite_one_made_at_the_same_moment(repo: Repo) -> None:
    add_review(git_of(repo), ref_of(repo), review_of(repo, 1))
    add_review(Rival(repo, review_of(repo, 2)), ref_of(repo), review_of(repo, 3))
    assert ids_in(repo) == [1, 2, 3]


def test_an_entry_removed_at_the_same_moment_is_made_anew(repo: Repo) -> None:
    add_review(git_of(repo), ref_of(repo), review_of(repo, 1))
    add_review(Rival(repo, None), ref_of(repo), review_of(repo, 2))
    assert ids_in(repo) == [2]


def test_only_the_newest_reviews_of_a_commit_are_kept(repo: Repo) -> None:
    template = review_of(repo, 999)
    reviews = [{**template, "id": f"{number:032x}"} for number in range(ledger_entry.KEPT_REVIEWS)]
    write_entry(repo, json.dumps({"version": 1, "subject": repo.head, "reviews": reviews}))
    add_review(git_of(repo), ref_of(repo), template)
    assert ids_in(repo) == [*range(1, ledger_entry.KEPT_REVIEWS), 999]


def test_older_reviews_lose_their_details_and_keep_what_the_gate_reads(repo: Repo) -> None:
    for number in range(ledger_entry.WHOLE_REVIEWS + 2):
        add_review(git_of(repo), ref_of(repo), review_of(repo, number))
    reviews = ledger.whole_reviews(git_of(repo), ref_of(repo))
    assert ["not_reviewed" in review for review in reviews] == [False] * 2 + [True] * ledger_entry.WHOLE_REVIEWS
    loops: Any = reviews[0]["loop_results"]
    named = {"number", "status", "passed_silently"}
    assert [set(loop) for loop in loops] == [named, *([{"number", "status"}] * 3)]
    assert len(reviews_of(repo).records) == ledger_entry.WHOLE_REVIEWS + 2


CORRUPT = {
    "junk": "junk",
    "nothing": "",
    "half a document": '{"version": 1, "subject": "',
    "another version": '{"version": 7}',
    "another subject": '{"version": 1, "subject": "%s", "reviews": []}' % ("0" * 40),
    "a million brackets": "[" * 1_000_000,
    "more than the gate reads": " " * 17_000_000 + "{}",
}


@pytest.mark.parametrize("content", CORRUPT.values(), ids=CORRUPT.keys())
def test_a_corrupt_entry_is_told_and_the_next_review_replaces_it(repo: Repo, content: str) -> None:
    write_entry(repo, content)
    known = reviews_of(repo)
    assert known.error
    assert known.records == ()
    assert ledger.unreadable(git_of(repo), [ref_of(repo)]) == [(ref_of(repo), known.error)]
    add_review(git_of(repo), ref_of(repo), review_of(repo, 1))
    assert ids_in(repo) == [1]
    assert ledger.unreadable(git_of(repo), [ref_of(repo)]) == []


def test_a_corrupt_entry_closes_the_gate_until_the_next_review(repo: Repo) -> None:
    repo.review()
    write_entry(repo, "junk")
    assert why_closed(repo) == "corrupt"
    repo.review()
    assert repo.gate("verify").returncode == 0


@pytest.mark.parametrize("target", ["HEAD", "HEAD^{tree}"], ids=["a commit", "a tree"])
def test_an_entry_that_is_no_blob_closes_the_gate_and_the_next_review_replaces_it(repo: Repo, target: str) -> None:
    repo.git("update-ref", ref_of(repo), target)
    assert why_closed(repo) == "corrupt"
    repo.review()
    assert repo.gate("verify").returncode == 0


def test_an_entry_whose_object_is_gone_closes_the_gate_and_the_next_review_replaces_it(repo: Repo) -> None:
    repo.review()
    blob = repo.git("rev-parse", ref_of(repo))
    (repo.path / ".git/objects" / blob[:2] / blob[2:]).unlink()
    assert repo.gate("verify").returncode == 1
    repo.review()
    assert repo.gate("verify").returncode == 0


def test_a_record_of_another_commit_is_not_believed_here(repo: Repo) -> None:
    repo.review()
    entry = repo.git("rev-parse", ref_of(repo))
    repo.commit("second", {"b.py": "b = 1\n"})
    repo.git("update-ref", ref_of(repo), entry)
    assert why_closed(repo) == "corrupt"


def test_gc_keeps_the_records_and_clean_and_stash_keep_the_gate_open(repo: Repo) -> None:
    repo.review()
    repo.git("reflog", "expire", "--expire=now", "--all")
    repo.git("gc", "--quiet", "--prune=now")
    repo.git("clean", "-fdxq")
    assert not repo.state_file.exists()
    assert repo.gate("verify").returncode == 0
    repo.review()
    assert len(ids_in(repo)) == 2, "a packed entry is added to like a loose one"
    repo.git("stash", "--all")
    assert not repo.state_file.exists()
    assert repo.gate("verify").returncode == 0


def test_many_entries_are_read_alike_loose_packed_large_and_damaged(repo: Repo) -> None:
    git, commits = git_of(repo), []
    for number in range(ledger.FEW + 6):
        commits.append(repo.commit(f"change {number}"))
        add_review(git, ref_of(repo), review_of(repo, number))
        if number == 4:
            repo.git("repack", "-adq")
            repo.git("pack-refs", "--all")
    large = review_of(repo, 99, blockers=[secrets.token_hex(500_000)])
    add_review(git, ref_of(repo), large)
    for number, damage in ((6, b""), (7, b"no zlib")):
        entry = repo.git("rev-parse", ledger.COMMITS + commits[number])
        path = repo.path / ".git/objects" / entry[:2] / entry[2:]
        path.chmod(0o644)
        path.write_bytes(damage)
    with git.objects() as objects:
        known = ledger.Ledger(repository_at(repo), objects).reviews_of(commits)
    read = [[int(record.id, 16) for record in known[commit].records] for commit in commits]
    assert read == [[] if number in (6, 7) else [number] for number in range(len(commits) - 1)] + [
        [len(commits) - 1, 99]
    ]
    assert [number for number, commit in enumerate(commits) if known[commit].error] == [6, 7]


def test_refs_that_are_packed_while_one_looks_are_still_found(repo: Repo) -> None:
    repo.review()
    refs = ExactRefs(repository_at(repo))
    assert refs.read(ledger.COMMITS + "0" * 40) is None, "from now on packed-refs is known"
    repo.git("pack-refs", "--all")
    assert refs.read(ref_of(repo)) == repo.git("rev-parse", ref_of(repo))


def test_all_worktrees_share_the_ledger(repo: Repo, tmp_path: Path) -> None:
    repo.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "linked"))
    linked = Repo(tmp_path / "linked", repo.environ)
    linked.review()
    assert repo.gate("verify").returncode == 0
    assert not repo.state_file.exists()
    assert linked.state_file.exists()


def test_records_of_a_sha256_repository_are_found_again(make_repo: MakeRepo) -> None:
    repo = make_repo("long", object_format="sha256")
    repo.commit("first")
    for number in (1, 2):
        add_review(git_of(repo), ref_of(repo), review_of(repo, number))
    assert len(repo.head) == 64
    assert ids_in(repo) == [1, 2]


def test_a_staged_review_is_found_by_its_tree(repo: Repo) -> None:
    repo.write("b.py", "b = 1\n")
    repo.git("add", "b.py")
    repo.review("--staged")
    tree = repo.git("write-tree")
    with git_of(repo).objects() as objects:
        entries = ledger.Ledger(repository_at(repo), objects)
        (record,) = entries.staged_reviews(tree)
        assert entries.staged_reviews("0" * 40) == ()
    assert (record.commit, record.tree, record.base) == (None, tree, repo.head)
    assert ledger.list_entries(git_of(repo), ledger.LEDGER) == [ledger.TREES + tree]


def test_only_a_ref_of_exactly_the_right_name_is_a_record(repo: Repo) -> None:
    """Git would find a tag of that name too, and a clone brings other people's tags along."""
    repo.review()
    ref, entry = ref_of(repo), repo.git("rev-parse", ref_of(repo))
    repo.git("update-ref", "-d", ref)
    for prefix in ("refs/tags/", "refs/heads/", "refs/remotes/"):
        repo.git("update-ref", prefix + ref, entry if prefix == "refs/tags/" else "HEAD")
    (repo.path / ".git" / ref.removeprefix("refs/")).parent.mkdir(parents=True)
    (repo.path / ".git" / ref.removeprefix("refs/")).write_text(f"{entry}\n")
    assert reviews_of(repo).records == ()
    repo.state_file.unlink()
    assert repo.gate("verify").returncode == 1
    repo.git("pack-refs", "--all", "--prune")
    assert reviews_of(repo).records == ()
    add_review(git_of(repo), ref, review_of(repo, 7))
    assert ids_in(repo) == [7]


def test_a_symbolic_ref_is_no_record(repo: Repo) -> None:
    repo.review()
    ref, entry = ref_of(repo), repo.git("rev-parse", ref_of(repo))
    repo.git("update-ref", "refs/notes/elsewhere", entry)
    repo.git("update-ref", "-d", ref)
    repo.git("symbolic-ref", ref, "refs/notes/elsewhere")
    assert reviews_of(repo).records == ()
