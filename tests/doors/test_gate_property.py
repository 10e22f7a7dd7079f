"""Random histories, reviews and pushes: nothing uncovered gets out, and everything covered does.

The gate is asked by real pushes; an oracle that shares no code with it says what each of them has to do.
"""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from collections.abc import Iterable
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

# A soak run names its own number of plays, and then each run plays others: a fixed seed would only repeat the short one.
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
# How a user spells a push of more than one thing, or of what is not named by its id.
WHOLE_PUSHES = (
    ("--mirror",),
    ("--force", "--all"),
    ("--force", "--tags"),
    ("--force", "--follow-tags", "HEAD:refs/heads/topic"),
    ("HEAD:refs/heads/main",),
)
# The gate follows 20 reviews of a chain before it asks the remote what it has.
STAIRS = 22


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
        self.policies = [self._digest(is_strict=is_strict) for is_strict in (True, False)][::-1]
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

    def _digest(self, *, is_strict: bool) -> str:
        self.set_policy(is_strict=is_strict)
        shown = self.repo.gate("config", "show", "--format", "json")
        return str(json.loads(shown.stdout)["policy"])

    def set_policy(self, *, is_strict: bool) -> None:
        """Make the user's own configuration stricter than the default, or the default."""
        self._user_config.write_text("hygiene: {binary: block}\n" if is_strict else "{}\n")

    def restore(self) -> None:
        """Start again from the first commit, at the same place: the compiled configuration names its files."""
        for name in self.FOLDERS:
            shutil.rmtree(self.folder / name)
            shutil.copytree(self.folder / "as built" / name, self.folder / name)
        self.set_policy(is_strict=False)


def refs_of(bare: git.Repo) -> dict[str, str]:
    """Every ref of a remote repository with the object it names."""
    lines = bare.git.for_each_ref("--format=%(refname) %(objectname)").splitlines()
    return {ref: oid for ref, _, oid in (line.partition(" ") for line in lines)}


def commits_of(bare: git.Repo) -> frozenset[str]:
    """Every commit that the refs of a remote repository reach."""
    return frozenset(commit.hexsha for commit in bare.iter_commits("--all"))


class Play(RuleBasedStateMachine):
    """One developer, one teammate, two remotes."""

    commits: Bundle[str] = Bundle("commits")

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

    def _change(self, *, is_sound: bool = True) -> None:
        """A new file each time, so that no merge and no rebase can conflict."""
        name = f"part_{self.ticks}.py"
        if not is_sound:
            self.defects.add(name)
        self.repo.write(name, f"part = {self.ticks}\n" if is_sound else "part = (\n")
        self.repo.git("add", name)

    @initialize(target=commits, is_published=st.booleans())
    def begin(self, is_published: bool) -> str:
        if is_published:
            self.repo.git("push", "--quiet", "--no-verify", "origin", "main")
        return self.repo.head

    # What changes the history here.

    @rule(target=commits, is_sound=st.sampled_from([True, True, True, False]))
    def commit(self, is_sound: bool) -> str:
        environ = self._tick()
        self._change(is_sound=is_sound)
        self.repo.git("commit", "--quiet", "--no-verify", "-m", f"change {self.ticks}", **environ)
        return self.repo.head

    @rule(target=commits)
    def amend(self) -> str:
        environ = self._tick()
        self._change()
        self.repo.git("commit", "--quiet", "--no-verify", "--amend", "--no-edit", **environ)
        return self.repo.head

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

    @rule(commit=commits)
    def reset(self, commit: str) -> None:
        self.repo.git("reset", "--quiet", "--hard", commit)

    @rule(commit=commits, branch=st.sampled_from((*BRANCHES, None)))
    def check_out(self, commit: str, branch: str | None) -> None:
        self.repo.git("checkout", "--quiet", *(("-B", branch) if branch else ("--detach",)), commit)

    @rule(commit=commits, branch=st.sampled_from(BRANCHES))
    def branch_off(self, commit: str, branch: str) -> None:
        """A branch that is not checked out; one that is stays where it is."""
        self.repo.run("git", "branch", "--force", branch, commit)

    @rule(commit=commits, name=st.sampled_from(TAGS), is_annotated=st.booleans())
    def tag(self, commit: str, name: str, is_annotated: bool) -> None:
        options = ("--annotate", "--message", name) if is_annotated else ()
        self.repo.git("tag", "--force", *options, name, commit, **self._tick())

    # What others do.

    @rule(remote=st.sampled_from(REMOTES), branch=st.sampled_from(BRANCHES))
    def teammate_pushes(self, remote: str, branch: str) -> None:
        bare = ("--git-dir", f"../{remote}.git")
        parent = refs_of(self.bare[remote]).get(f"refs/heads/{branch}")
        tree = f"{parent}^{{tree}}" if parent else self.repo.git(*bare, "mktree")
        parents = ("-p", parent) if parent else ()
        commit = self.repo.git(*bare, "commit-tree", "-m", "a teammate's", *parents, tree, **self._tick())
        self.repo.git(*bare, "update-ref", f"refs/heads/{branch}", commit)
        self.moved_on.add(remote)

    @rule(target=commits, remote=st.sampled_from(REMOTES))
    def fetch(self, remote: str) -> MultipleResults[str]:
        self.repo.git("fetch", "--quiet", "--no-tags", remote)
        self.moved_on.discard(remote)
        heads = {oid for ref, oid in refs_of(self.bare[remote]).items() if ref.startswith("refs/heads/")}
        return multiple(*sorted(heads))

    # Reviews.

    @rule(
        commit=commits,
        base=st.one_of(st.just(EMPTY_TREE), st.just("parent"), commits),
        outcome=st.sampled_from(["passed", "passed", "passed", "failed", "incomplete"]),
        policy=st.sampled_from([0, 0, 0, 0, 1]),
    )
    def review(self, commit: str, base: str, outcome: str, policy: int) -> None:
        if base == "parent":
            base = self.repo.git("rev-list", "--max-count=1", "--parents", commit).split()[-1]
        self._write_review(commit, self._common(base, commit), outcome, policy)

    @precondition(lambda self: not self.has_stairs)
    @rule(target=commits, bottom=st.sampled_from([EMPTY_TREE, None]))
    def climb_reviewed_stairs(self, bottom: str | None) -> str:
        """More commits than the gate follows at first, each reviewed against the one below."""
        self.has_stairs = True
        commit = self.repo.head
        for _ in range(STAIRS):
            step = self.repo.git("commit-tree", "-m", "step", "-p", commit, "HEAD^{tree}", **self._tick())
            self._write_review(step, bottom or commit, "passed")
            commit, bottom = step, None
        self.repo.git("reset", "--quiet", "--hard", commit)
        return commit

    @rule(base=st.one_of(st.none(), st.just(EMPTY_TREE), commits))
    def run(self, base: str | None) -> None:
        """A review by the program itself: against its own idea of a base, the whole tree, or a chosen commit."""
        head = self.repo.head
        expected = base and self._common(base, head)
        scope = ("--scope", "all") if expected == EMPTY_TREE else ("--base", base) if base else ()
        done = self.repo.gate("run", "--yes", "--allow-empty", *scope)
        state = json.loads(self.repo.state_file.read_bytes())
        assert state["head_commit"] == head, done.stderr
        used = str(state["base_commit"])
        assert used == (expected or used) and self.oracle.ancestors(used) <= self.oracle.ancestors(head)
        changed = self.local.git.diff("--name-only", used, head).splitlines()
        outcome = "failed" if self.defects & set(changed) else "passed"
        assert done.returncode == (1 if outcome == "failed" else 0), done.stdout + done.stderr
        self.oracle.reviews.append(Review(head, used, outcome, self.oracle.policy))

    @rule()
    def change_policy(self) -> None:
        is_strict = self.oracle.policy == self.stage.policies[0]
        self.stage.set_policy(is_strict=is_strict)
        self.oracle.policy = self.stage.policies[is_strict]

    def _common(self, base: str, commit: str) -> str:
        """Where a review against `base` starts: with what both have in common, or with nothing."""
        found = [] if base == EMPTY_TREE else self.local.merge_base(base, commit)
        return found[0].hexsha if found and found[0] else EMPTY_TREE

    def _write_review(self, commit: str, base: str, outcome: str, policy: int = 0) -> None:
        """A review in the ledger as a run would leave it; policy 0 is the one in force, 1 the other."""
        in_force = self.stage.policies.index(self.oracle.policy)
        review = Review(commit, base, outcome, self.stage.policies[in_force ^ policy])
        self.oracle.reviews.append(review)
        entry: dict[str, object] = {
            "id": f"{len(self.oracle.reviews):032x}",
            "commit": commit,
            "tree": self.local.commit(commit).tree.hexsha,
            "base": base,
            "policy": review.policy,
            "finished": "2026-02-02T02:40:00.000Z",
            "loops": LOOPS[outcome],
            "blockers": ["app.py:1: a finding"] if outcome == "failed" else [],
        }
        append_review(self.ledger, COMMITS + commit, entry)

    # Pushes.

    @rule(
        remote=st.sampled_from(REMOTES),
        sources=st.lists(st.one_of(commits, commits, commits, st.none()), min_size=1, max_size=4),
        destinations=st.permutations(DESTINATIONS),
        is_by_url=st.booleans(),
    )
    def push_refs(self, remote: str, sources: list[str | None], destinations: list[str], is_by_url: bool) -> None:
        """One ref or several, new or moved in any direction; no source is a deletion."""
        there = refs_of(self.bare[remote])
        pairs = [(source, ref) for source, ref in zip(sources, destinations, strict=False) if source or ref in there]
        if pairs:
            name = f"../{remote}.git" if is_by_url else remote
            self._push(remote, "--force", name, *(f"{source or ''}:{ref}" for source, ref in pairs))

    @rule(remote=st.sampled_from(REMOTES), branch=st.sampled_from(BRANCHES), options=st.sampled_from([(), ("--force",)]))
    def push_branch(self, remote: str, branch: str, options: tuple[str, ...]) -> None:
        if branch in self.local.heads:
            self._push(remote, *options, remote, branch)

    @rule(remote=st.sampled_from(REMOTES), arguments=st.sampled_from(WHOLE_PUSHES))
    def push_whole(self, remote: str, arguments: tuple[str, ...]) -> None:
        options = [argument for argument in arguments if argument.startswith("--")]
        self._push(remote, *options, remote, *arguments[len(options) :])

    def _push(self, remote: str, *arguments: str) -> None:
        bare = self.bare[remote]
        before, there = refs_of(bare), commits_of(bare)
        planned, is_whole = self._planned(arguments)
        tips = self._tips(planned)
        is_allowed = all(self.oracle.may_leave(tip, there) for tip in tips)
        done = self.repo.push(*arguments)
        after = refs_of(bare)
        self._hold_back(after.items() - before.items(), there, commits_of(bare) - there)
        if is_allowed and done.returncode and remote in self.moved_on:
            # What the remote has is shown by its tips; the gate cannot look below those that were never fetched.
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
        """What git itself would update without our hook (no object: a deletion), and whether it would refuse nothing."""
        lines = self.repo.push("--dry-run", "--no-verify", "--porcelain", *arguments).stdout.splitlines()
        shown = [line.split("\t") for line in lines if line.count("\t") == 2]
        updates = [names.rpartition(":") for flag, names, _ in shown if flag not in "=!"]
        planned = {ref: self.local.rev_parse(name).hexsha if name else "" for name, _, ref in updates}
        return planned, all(flag != "!" for flag, _, _ in shown)

    def _tips(self, updates: dict[str, str]) -> set[str]:
        """The commits that refs would point at, tags peeled; records of the ledger are none."""
        sent = {oid for ref, oid in updates.items() if oid and not ref.startswith(LEDGER)}
        return {self.local.commit(oid).hexsha for oid in sent}

    def _hold_back(self, changed: Iterable[tuple[str, str]], there: frozenset[str], gained: frozenset[str]) -> None:
        """Nothing uncovered got out, whatever git was expected to do."""
        leaked = [tip for tip in self._tips(dict(changed)) if not self.oracle.may_leave(tip, there)]
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
