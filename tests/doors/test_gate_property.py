"""Random histories, reviews and pushes: nothing uncovered gets out, and everything covered does.

The gate is asked by real pushes; an oracle that shares no code with it says what each of them has to do.
"""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import git
import pytest
from conftest import Repo
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    MultipleResults,
    RuleBasedStateMachine,
    initialize,
    multiple,
    precondition,
    rule,
    run_state_machine_as_test,
)

from review_gate.shell.git import Git
from review_gate.shell.ledger import COMMITS, LEDGER, append_review

# A soak run names its number of plays, and each soak plays others: a fixed seed would repeat the short run.
SOAK_PLAYS = int(os.environ.get("REVIEW_GATE_PROPERTY_EXAMPLES", "0"))
PLAYS = 12
STEPS = 40

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
LOOPS = {
    "passed": ["passed", "nothing_to_run", "passed", "nothing_to_run"],
    "failed": ["passed", "failed", "not_run", "not_run"],
    "incomplete": ["passed", "incomplete", "not_run", "not_run"],
}
REMOTES = ("origin", "backup")
BRANCHES = ("main", "topic", "spare")
TAGS = ("v1", "v2")
DESTINATIONS = (*(f"refs/heads/{name}" for name in BRANCHES), *(f"refs/tags/{name}" for name in TAGS))
PARENT = "parent"
POLICIES = ("{}\n", "hygiene: {binary: block}\n")
MOVES = (
    ("reset", "--quiet", "--hard"),
    ("checkout", "--quiet", "--detach"),
    *(("checkout", "--quiet", "-B", name) for name in BRANCHES),
    *(("branch", "--force", name) for name in BRANCHES),
    *(("tag", "--force", name) for name in TAGS),
    *(("tag", "--force", "--annotate", "--message=a release", name) for name in TAGS),
)
# How users push without naming an id: options, then refs.
SPELLINGS: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    ((), ("HEAD:refs/heads/main",)),
    (("--force",), ("main",)),
    (("--force",), ("HEAD:refs/heads/topic", "main")),
    (("--force", "--follow-tags"), ("HEAD:refs/heads/spare",)),
    (("--force", "--tags"), ()),
    (("--force", "--all"), ()),
    (("--mirror",), ()),
)
# The gate follows 20 reviews of a chain before it asks the remote what it has.
STAIRS = 22


AnyReview = tuple[str, str, str, bool]


class Review(NamedTuple):
    """What the test knows of one review it made."""

    commit: str
    base: str
    outcome: str
    policy: str


class Oracle:
    """Which commits may leave, by the test's own list of reviews and by GitPython's reading of the history."""

    def __init__(self, local: git.Repo, policy: str) -> None:
        self.policy = policy
        self.reviews: list[Review] = []
        self._local = local
        self._ancestors: dict[str, frozenset[str]] = {EMPTY_TREE: frozenset()}

    def may_leave(self, tip: str, there: frozenset[str]) -> bool:
        """Whether a push may make a ref point at `tip`, where the remote's refs reach the commits `there`."""
        newest = self._newest(tip)
        if newest == "failed":
            return False
        return tip in there or (newest == "passed" and self._has_way_down(tip, there))

    def uncovered(self, gained: frozenset[str]) -> frozenset[str]:
        """The commits that lie in the range of no passing review at all."""
        passed = [review for review in self._complete() if review.outcome == "passed"]
        ranges = (self.ancestors(review.commit) - self.ancestors(review.base) for review in passed)
        return gained - frozenset().union(*ranges)

    def ancestors(self, commit: str) -> frozenset[str]:
        """The commit and everything below it."""
        if commit not in self._ancestors:
            self._ancestors[commit] = frozenset(one.hexsha for one in self._local.iter_commits(commit))
        return self._ancestors[commit]

    def _has_way_down(self, tip: str, there: frozenset[str]) -> bool:
        """Whether passing reviews lead from base to base until nothing is left that the remote lacks."""
        grounds = there | {EMPTY_TREE}
        steps = {tip}
        reached: set[str] = set()
        while steps and not steps & grounds:
            reached |= steps
            steps = {base for commit in steps for base in self._passing_bases(commit)} - reached
        return bool(steps & grounds)

    def _passing_bases(self, commit: str) -> set[str]:
        """The bases against which the newest word on a commit is a pass, unless the newest word of all is not."""
        if self._newest(commit) != "passed":
            return set()
        newest = {review.base: review.outcome for review in self._complete() if review.commit == commit}
        return {base for base, outcome in newest.items() if outcome == "passed"}

    def _newest(self, commit: str) -> str | None:
        outcomes = [review.outcome for review in self._complete() if review.commit == commit]
        return outcomes[-1] if outcomes else None

    def _complete(self) -> list[Review]:
        return [one for one in self.reviews if one.policy == self.policy and one.outcome != "incomplete"]


class Stage:
    """A gated repository with two bare remotes, put back to its beginning for each play."""

    FOLDERS = ("local", *(f"{name}.git" for name in REMOTES))

    def __init__(self, folder: Path, world: dict[str, str]) -> None:
        self.folder = folder
        self.repo = Repo(folder / "local", world)
        self.seen: Counter[str] = Counter()
        self._user_config = Path(world["XDG_CONFIG_HOME"]) / "review-gate/config.yaml"
        self._user_config.parent.mkdir(parents=True)
        self.repo.path.mkdir()
        self._build()
        self.policies = tuple(self._digest(text) for text in POLICIES)
        self.set_policy(self.policies[0])
        for name in self.FOLDERS:
            shutil.copytree(folder / name, folder / "as built" / name)

    def _build(self) -> None:
        repo = self.repo
        repo.git("init", "--quiet", "--template=")
        repo.git("config", "gc.auto", "0")
        for name in REMOTES:
            bare = f"../{name}.git"
            repo.git("init", "--quiet", "--bare", "--template=", bare)
            repo.git("--git-dir", bare, "config", "receive.denyDeleteCurrent", "ignore")
            repo.git("remote", "add", name, bare)
        (repo.path / ".git/info").mkdir()
        repo.commit("root", {"app.py": "print('hello')\n"})
        done = repo.gate("install")
        assert done.returncode == 0, done.stderr

    def _digest(self, text: str) -> str:
        self._user_config.write_text(text)
        shown = self.repo.gate("config", "show", "--format", "json")
        return str(json.loads(shown.stdout)["policy"])

    def set_policy(self, policy: str) -> None:
        """Put one of the two policies in force, by the user's own configuration."""
        self._user_config.write_text(POLICIES[self.policies.index(policy)])

    def other_policy(self, policy: str) -> str:
        """The policy that is not this one."""
        return self.policies[1 - self.policies.index(policy)]

    def restore(self) -> None:
        """Start again from the first commit, at the same place: the compiled configuration names its files."""
        for name in self.FOLDERS:
            shutil.rmtree(self.folder / name)
            shutil.copytree(self.folder / "as built" / name, self.folder / name)
        self.set_policy(self.policies[0])


def refs_of(bare: git.Repo) -> dict[str, str]:
    """Every ref of a remote repository with the object it names."""
    lines = bare.git.for_each_ref("--format=%(refname) %(objectname)").splitlines()
    return {ref: oid for ref, _, oid in (line.partition(" ") for line in lines)}


def commits_of(bare: git.Repo) -> frozenset[str]:
    """Every commit that the refs of a remote repository reach."""
    return frozenset(commit.hexsha for commit in bare.iter_commits("--all"))


ANY_REMOTE = st.sampled_from(REMOTES)
ANY_BRANCH = st.sampled_from(BRANCHES)
ANY_DESTINATION = st.sampled_from(DESTINATIONS)
COMMITS_MADE: Bundle[str] = Bundle("commits")
# A review is of a commit, against a base, with an outcome, under the policy in force or the other one.
ANY_BASE = st.one_of(COMMITS_MADE, COMMITS_MADE, st.sampled_from([EMPTY_TREE, PARENT]))
ANY_REVIEW = st.tuples(
    COMMITS_MADE,
    ANY_BASE,
    st.sampled_from(["passed", "passed", "passed", "failed", "incomplete"]),
    st.sampled_from([True, True, True, True, False]),
)


class Play(RuleBasedStateMachine):
    """One developer, one teammate, two remotes."""

    commits = COMMITS_MADE

    def __init__(self, stage: Stage) -> None:
        super().__init__()
        stage.restore()
        self.stage = stage
        self.repo = stage.repo
        self.local = git.Repo(self.repo.path)
        self.bare = {name: git.Repo(stage.folder / f"{name}.git") for name in REMOTES}
        self.oracle = Oracle(self.local, stage.policies[0])
        self.ledger = Git(str(self.repo.path))
        self.ticks = 0
        self.defects: set[str] = set()
        self.moved_on: set[str] = set()
        self.has_stairs = False

    def teardown(self) -> None:
        """Let go of the repositories' helper processes."""
        for one in (self.local, *self.bare.values()):
            one.close()

    def _tick(self) -> dict[str, str]:
        """The next second: the same play always makes the same commit ids."""
        self.ticks += 1
        now = f"{1_770_000_000 + self.ticks} +0000"
        return {"GIT_AUTHOR_DATE": now, "GIT_COMMITTER_DATE": now}

    def _commit(self, *options: str, is_sound: bool = True) -> str:
        """A commit of a new file each time, so that no merge and no rebase can conflict."""
        environ = self._tick()
        name = f"part_{self.ticks}.py"
        if not is_sound:
            self.defects.add(name)
        self.repo.write(name, f"part = {self.ticks}\n" if is_sound else "part = (\n")
        self.repo.git("add", name)
        self.repo.git("commit", "--quiet", "--no-verify", *options, **environ)
        return self.repo.head

    @initialize(target=commits, is_published=st.booleans())
    def begin(self, is_published: bool) -> str:
        if is_published:
            self.repo.git("push", "--quiet", "--no-verify", "origin", "main")
        return self.repo.head

    # What changes the history here.

    @rule(target=commits, is_sound=st.sampled_from([True, True, True, False]))
    def commit(self, is_sound: bool) -> str:
        return self._commit("-m", "a change", is_sound=is_sound)

    @rule(target=commits)
    def amend(self) -> str:
        return self._commit("--amend", "--no-edit")

    @rule(target=commits, onto=commits)
    def rebase(self, onto: str) -> str:
        self.repo.git("rebase", "--quiet", onto, **self._tick())
        return self.repo.head

    @rule(target=commits, other=commits)
    def merge(self, other: str) -> str:
        options = ("--quiet", "--no-verify", "--no-ff", "--no-edit", "--allow-unrelated-histories")
        self.repo.git("merge", *options, other, **self._tick())
        return self.repo.head

    @rule(target=commits)
    def start_unrelated_history(self) -> str:
        return self.repo.git("commit-tree", "-m", "another root", "HEAD^{tree}", **self._tick())

    @rule(commit=commits, command=st.sampled_from(MOVES))
    def move(self, commit: str, command: tuple[str, ...]) -> None:
        """Reset, checkout, branch or tag; git refuses to force a branch that is checked out, and that is fine."""
        self.repo.run("git", *command, commit, **self._tick())

    # What others do.

    @rule(remote=ANY_REMOTE, branch=ANY_BRANCH)
    def teammate_pushes(self, remote: str, branch: str) -> None:
        bare = ("--git-dir", f"../{remote}.git")
        parent = refs_of(self.bare[remote]).get(f"refs/heads/{branch}")
        tree = f"{parent}^{{tree}}" if parent else self.repo.git(*bare, "mktree")
        parents = ("-p", parent) if parent else ()
        commit = self.repo.git(*bare, "commit-tree", "-m", "a teammate's", *parents, tree, **self._tick())
        self.repo.git(*bare, "update-ref", f"refs/heads/{branch}", commit)
        self.moved_on.add(remote)

    @rule(target=commits, remote=ANY_REMOTE)
    def fetch(self, remote: str) -> MultipleResults[str]:
        self.repo.git("fetch", "--quiet", "--no-tags", remote)
        self.moved_on.discard(remote)
        heads = {oid for ref, oid in refs_of(self.bare[remote]).items() if ref.startswith("refs/heads/")}
        return multiple(*sorted(heads))

    # Reviews.

    @rule(base=st.one_of(st.none(), ANY_BASE))
    def run(self, base: str | None) -> None:
        """A review by the program itself: against its own idea of a base, a narrower one, or of the whole tree."""
        head = self.repo.head
        expected = base and self._start(base, head)
        scope = ("--scope", "all") if expected == EMPTY_TREE else ("--base", expected) if expected else ()
        done = self.repo.gate("run", "--yes", "--allow-empty", *scope)
        state = json.loads(self.repo.state_file.read_bytes())
        assert state["head_commit"] == head, done.stderr
        used = str(state["base_commit"])
        assert used == (expected or used) and self.oracle.ancestors(used) <= self.oracle.ancestors(head)
        is_sound = self.defects.isdisjoint(self.local.git.diff("--name-only", used, head).splitlines())
        assert done.returncode == (0 if is_sound else 1), done.stdout + done.stderr
        self.oracle.reviews.append(Review(head, used, "passed" if is_sound else "failed", self.oracle.policy))

    @precondition(lambda self: not self.has_stairs)
    @rule(target=commits, bottom=ANY_BASE)
    def climb_reviewed_stairs(self, bottom: str) -> str:
        """More commits than the gate follows at first, each reviewed against the one below."""
        self.has_stairs = True
        for _ in range(STAIRS):
            self.repo.git("commit", "--quiet", "--no-verify", "--allow-empty", "-m", "a step", **self._tick())
            self._review(self.repo.head, bottom, "passed")
            bottom = PARENT
        return self.repo.head

    @rule()
    def change_policy(self) -> None:
        self.oracle.policy = self.stage.other_policy(self.oracle.policy)
        self.stage.set_policy(self.oracle.policy)

    def _start(self, base: str, commit: str) -> str:
        """Where a review against `base` starts: with what both have in common, or with nothing."""
        if base == EMPTY_TREE:
            return EMPTY_TREE
        if base == PARENT:
            parents = self.local.commit(commit).parents
            return parents[-1].hexsha if parents else EMPTY_TREE
        found = self.local.merge_base(base, commit)
        return found[0].hexsha if found and found[0] else EMPTY_TREE

    def _review(self, commit: str, base: str, outcome: str, is_current: bool = True) -> None:
        """A review in the ledger as a run would leave it."""
        policy = self.oracle.policy if is_current else self.stage.other_policy(self.oracle.policy)
        review = Review(commit, self._start(base, commit), outcome, policy)
        self.oracle.reviews.append(review)
        entry: dict[str, object] = {
            "id": f"{len(self.oracle.reviews):032x}",
            "commit": commit,
            "tree": self.local.commit(commit).tree.hexsha,
            "base": review.base,
            "policy": policy,
            "finished": "2026-02-02T02:40:00.000Z",
            "loops": LOOPS[outcome],
            "blockers": ["app.py:1: a finding"] if outcome == "failed" else [],
        }
        append_review(self.ledger, COMMITS + commit, entry)

    # Pushes; each comes after a few reviews, because a push that nothing was reviewed for is refused at once.

    @rule(review=ANY_REVIEW, remote=ANY_REMOTE, destination=ANY_DESTINATION, is_by_url=st.booleans())
    def review_and_push(self, review: AnyReview, remote: str, destination: str, is_by_url: bool) -> None:
        self._review(*review)
        place = f"../{remote}.git" if is_by_url else remote
        self._push(remote, "--force", place, f"{review[0]}:{destination}")

    @rule(
        reviews=st.lists(ANY_REVIEW, max_size=3),
        remote=ANY_REMOTE,
        updates=st.dictionaries(ANY_DESTINATION, st.one_of(commits, commits, commits, st.just("")), min_size=1),
    )
    def push_refs(self, reviews: list[AnyReview], remote: str, updates: dict[str, str]) -> None:
        """One ref or several, new or moved in any direction; no source is a deletion."""
        for review in reviews:
            self._review(*review)
        there = refs_of(self.bare[remote])
        refs = [f"{source}:{ref}" for ref, source in updates.items() if source or ref in there]
        if refs:
            self._push(remote, "--force", remote, *refs)

    @rule(reviews=st.lists(ANY_REVIEW, max_size=3), remote=ANY_REMOTE, spelling=st.sampled_from(SPELLINGS))
    def push_by_name(self, reviews: list[AnyReview], remote: str, spelling: tuple[tuple[str, ...], ...]) -> None:
        for review in reviews:
            self._review(*review)
        options, names = spelling
        self._push(remote, *options, remote, *names)

    def _push(self, remote: str, *arguments: str) -> None:
        bare = self.bare[remote]
        before, there = refs_of(bare), commits_of(bare)
        planned, is_whole = self._planned(arguments)
        tips = self._tips(planned)
        is_allowed = all(self.oracle.may_leave(tip, there) for tip in tips)
        done = self.repo.push(*arguments)
        after = refs_of(bare)
        self._hold_back(dict(after.items() - before.items()), there, commits_of(bare) - there)
        if is_allowed and done.returncode and remote in self.moved_on:
            # The remote only names its tips; nobody here can look below those that were never fetched.
            self.stage.seen["had to fetch first"] += 1
            self.fetch(remote)
            self._push(remote, *arguments)
            return
        self.stage.seen[("let out" if is_allowed else "refused") if tips else "nothing to judge"] += 1
        outcome = f"push {' '.join(arguments)} ended with {done.returncode}: {done.stderr}"
        assert (done.returncode == 0) == (is_allowed and is_whole), outcome
        expected = before | planned if is_allowed else before
        assert after == {ref: oid for ref, oid in expected.items() if oid}, outcome

    def _planned(self, arguments: tuple[str, ...]) -> tuple[dict[str, str], bool]:
        """What git would update without our hook (no object: a deletion), and whether it would do all it is asked."""
        done = self.repo.push("--dry-run", "--no-verify", "--porcelain", *arguments)
        shown = [line.split("\t") for line in done.stdout.splitlines() if line.count("\t") == 2]
        updates = [names.rpartition(":") for flag, names, _ in shown if flag not in "=!"]
        planned = {ref: self.local.rev_parse(name).hexsha if name else "" for name, _, ref in updates}
        return planned, done.returncode == 0

    def _tips(self, updates: dict[str, str]) -> set[str]:
        """The commits that refs would point at, tags peeled; records of the ledger are none."""
        sent = {oid for ref, oid in updates.items() if oid and not ref.startswith(LEDGER)}
        return {self.local.commit(oid).hexsha for oid in sent}

    def _hold_back(self, changed: dict[str, str], there: frozenset[str], gained: frozenset[str]) -> None:
        """Nothing uncovered got out, whatever git was expected to do."""
        leaked = [tip for tip in self._tips(changed) if not self.oracle.may_leave(tip, there)]
        assert not leaked, f"refs of the remote moved to {leaked}, which may not leave"
        assert not self.oracle.uncovered(gained), f"the remote gained {self.oracle.uncovered(gained)} unreviewed"


@pytest.mark.parametrize("number", [1, 2])
def test_no_play_gets_an_uncovered_commit_out_or_is_refused_a_covered_one(
    number: int, tmp_path: Path, world: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in os.environ.keys() - world.keys():
        monkeypatch.delenv(name)
    for name, value in world.items():
        monkeypatch.setenv(name, value)
    stage = Stage(tmp_path, world)

    def play() -> Play:
        return Play(stage)

    run_state_machine_as_test(
        play if SOAK_PLAYS else seed(number)(play),
        settings=settings(
            max_examples=SOAK_PLAYS or PLAYS,
            stateful_step_count=STEPS,
            deadline=None,
            database=None,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
        ),
    )
    assert min(stage.seen["let out"], stage.seen["refused"]) >= PLAYS, stage.seen
