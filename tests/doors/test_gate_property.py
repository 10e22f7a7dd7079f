"""Random histories, reviews and real pushes, judged by an oracle that shares no code with the gate."""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import git
import pytest
from conftest import Repo
from hypothesis import HealthCheck, Phase, seed, settings, stateful
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, MultipleResults, RuleBasedStateMachine, initialize, multiple, rule
from oracle import EMPTY_TREE, Oracle, Review

from review_gate.shell.git import Git
from review_gate.shell.ledger import COMMITS, LEDGER, append

# For a soak: how many plays instead of the usual few. Each number is a seed of its own, and repeats its plays.
SOAK_PLAYS = int(os.environ.get("REVIEW_GATE_PROPERTY_EXAMPLES", "0"))
PLAYS = 11
PATIENT = settings(stateful_step_count=30, deadline=None, database=None, suppress_health_check=list(HealthCheck))

# The user's own configuration: the default, and a stricter one.
POLICIES = ("{}\n", "hygiene: {binary: block}\n")
# The gate follows 20 reviews of a chain before it asks the remote what it has.
STAIRS = 22
REMOTES, BRANCHES, TAGS = ("origin", "backup"), ("main", "topic", "spare"), ("v1", "v2")
HEADS = tuple(f"refs/heads/{name}" for name in BRANCHES)
MOVES = (
    "reset --quiet --hard",
    "checkout --quiet --detach",
    *(f"checkout --quiet -B {name}" for name in BRANCHES),
    *(f"branch --force {name}" for name in BRANCHES),
    *(f"tag --force {name}" for name in TAGS),
)
CHANGES = ("commit", "commit a defect", "amend", "rebase", "merge", "start an unrelated one", "climb stairs")
QUIETLY = ("--quiet", "--no-verify", "--no-edit")
# How users push without naming an id, to a remote in place of the braces.
SPELLINGS = (
    "{} HEAD:refs/heads/main",
    "--force {} HEAD:refs/heads/topic main",
    "--force --follow-tags {} HEAD:refs/heads/spare",
    "--force --tags {}",
    "--force --all {}",
    "--mirror {}",
    "--force {} HEAD:refs/heads/main refs/review-gate/*:refs/review-gate/*",
)
# Words in place of a commit. Bases: the parent, what origin has. Sources: the newest review's ends, a deletion.
PARENT, PUBLISHED, REVIEWED, BASE, NOTHING = "parent", "published", "reviewed", "base", ""


A_FLAG = st.booleans()
A_REMOTE = st.sampled_from(REMOTES)
A_REF = st.sampled_from([*HEADS, *(f"refs/tags/{name}" for name in TAGS)])
A_POLICY = st.sampled_from([0, 0, 0, 0, 1])
A_COMMIT: Bundle[str] = Bundle("commits")
A_BASE = st.one_of(A_COMMIT, st.sampled_from([EMPTY_TREE, PARENT, PUBLISHED, PUBLISHED]))
AN_OUTCOME = st.sampled_from(["passed", "passed", "passed", "failed", "incomplete"])
A_REVIEW = st.builds(Review, A_COMMIT, A_BASE, AN_OUTCOME, A_POLICY)
A_SOURCE = st.one_of(A_COMMIT, st.just(REVIEWED), st.just(BASE), st.just(NOTHING))
FEW_UPDATES = st.dictionaries(A_REF, st.sampled_from([REVIEWED, REVIEWED, BASE]), min_size=1, max_size=2)
MANY_UPDATES = st.dictionaries(A_REF, A_SOURCE, min_size=1)


def steps(weight: int, name: str, *arguments: st.SearchStrategy[Any]) -> list[st.SearchStrategy[tuple[Any, ...]]]:
    """Calls of a method of Play, chosen that much oftener: `one_of` takes the same strategy only once."""
    return [st.tuples(st.just(name), *arguments) for _ in range(weight)]


A_STEP = st.one_of(
    *steps(4, "change_history", st.sampled_from(CHANGES), A_COMMIT),
    *steps(2, "move", A_COMMIT, st.sampled_from(MOVES)),
    *steps(2, "see_teammate_push", A_REMOTE, st.sampled_from(HEADS), A_FLAG, A_FLAG),
    *steps(1, "run", st.one_of(st.none(), A_BASE)),
    *steps(3, "push_refs", A_REVIEW, A_REMOTE, A_FLAG, A_FLAG, FEW_UPDATES),
    *steps(3, "push_refs", A_REVIEW, A_REMOTE, A_FLAG, A_FLAG, MANY_UPDATES),
    *steps(2, "push_by_name", A_REVIEW, A_POLICY, A_REMOTE, st.sampled_from(SPELLINGS)),
)


class Stage:
    """A gated repository with two bare remotes, put back to its beginning for each play."""

    def __init__(self, folder: Path, world: dict[str, str]) -> None:
        self.folder, self._as_built = folder / "play", folder / "as built"
        self.repo = Repo(self.folder / "local", world)
        self.seen: Counter[str] = Counter()
        self._user_config = Path(world["XDG_CONFIG_HOME"]) / "review-gate/config.yaml"
        self._user_config.parent.mkdir(parents=True)
        self._build()
        self.digests = [self._digest(policy) for policy in range(len(POLICIES))]
        self.folder.rename(self._as_built)

    def _build(self) -> None:
        repo = self.repo
        repo.path.mkdir(parents=True)
        repo.git("init", "--quiet", "--template=")
        for name in REMOTES:
            bare = f"../{name}.git"
            repo.git("init", "--quiet", "--bare", "--template=", bare)
            repo.git("--git-dir", bare, "config", "receive.denyDeleteCurrent", "ignore")
            repo.git("remote", "add", name, bare)
        done = repo.gate("install")
        assert done.returncode == 0, done.stderr

    def _digest(self, policy: int) -> str:
        self.set_policy(policy)
        return str(json.loads(self.repo.gate("config", "show", "--format", "json").stdout)["policy"])

    def set_policy(self, policy: int) -> None:
        self._user_config.write_text(POLICIES[policy])

    def restore(self) -> None:
        """Start again with no commit, at the same place: the compiled configuration names its files."""
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self._as_built, self.folder)
        self.set_policy(0)


def refs_of(bare: git.Repo) -> dict[str, str]:
    """Every ref of a remote repository with the object it names."""
    lines = bare.git.for_each_ref("--format=%(refname) %(objectname)").splitlines()
    return {ref: oid for ref, _, oid in (line.partition(" ") for line in lines)}


def commits_of(bare: git.Repo) -> frozenset[str]:
    """Every commit that the refs of a remote repository reach."""
    return frozenset(commit.hexsha for commit in bare.iter_commits("--all"))


class Play(RuleBasedStateMachine):
    """One developer, one teammate, two remotes."""

    def __init__(self, stage: Stage) -> None:
        super().__init__()
        stage.restore()
        self.stage, self.repo = stage, stage.repo
        self.local = git.Repo(self.repo.path)
        self.bare = {name: git.Repo(stage.folder / f"{name}.git") for name in REMOTES}
        self.oracle, self.ledger = Oracle(self.local), Git(str(self.repo.path))
        self.ticks, self.made = 0, list[str]()
        self.defects, self.moved_on = set[str](), set[str]()

    def teardown(self) -> None:
        for one in (self.local, *self.bare.values()):
            one.close()

    def _tick(self) -> dict[str, str]:
        """The next second: the same play always makes the same commit ids."""
        self.ticks += 1
        return dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), f"{1_770_000_000 + self.ticks} +0000")

    @initialize(target=A_COMMIT, is_published=A_FLAG)
    def begin(self, is_published: bool) -> str:
        self._commit("--message=the first")
        if is_published:
            self.repo.git("push", "--quiet", "--no-verify", "origin", "main")
        return self.repo.head

    @rule(target=A_COMMIT, step=A_STEP)
    def go_on(self, step: tuple[Any, ...]) -> MultipleResults[str]:
        """One rule for all: hypothesis switches rules off at random, and most short plays would never push."""
        name, *arguments = step
        getattr(self, name)(*arguments)
        made, self.made = self.made, []
        return multiple(*made)

    def change_history(self, how: str, other: str) -> None:
        if how == "start an unrelated one":
            root = self.repo.git("commit-tree", "-m", "another root", "HEAD^{tree}", **self._tick())
            self.repo.git("reset", "--quiet", "--hard", root)
        elif how == "rebase":
            self.repo.git("rebase", "--quiet", other, **self._tick())
        elif how == "merge":
            self.repo.git("merge", *QUIETLY, "--no-ff", "--allow-unrelated-histories", other, **self._tick())
        elif how == "climb stairs":
            self._climb_reviewed_stairs(other)
        else:
            self._commit("--amend" if how == "amend" else "--message=a change", is_sound=how != "commit a defect")
        self.made.append(self.repo.head)

    def _commit(self, option: str, *, is_sound: bool = True) -> None:
        """A commit of a new file each time, so that no merge and no rebase can conflict."""
        environ = self._tick()
        name = f"part_{self.ticks}.py"
        if not is_sound:
            self.defects.add(name)
        self.repo.write(name, "part = 1\n" if is_sound else "part = (\n")
        self.repo.git("add", name)
        self.repo.git("commit", *QUIETLY, option, **environ)

    def _climb_reviewed_stairs(self, bottom: str) -> None:
        """More commits than the gate follows at first, each reviewed against the one below."""
        for _ in range(STAIRS):
            self.repo.git("commit", *QUIETLY, "--allow-empty", "--message=a step", **self._tick())
            self._review(Review(self.repo.head, bottom, "passed", self.oracle.policy))
            bottom = PARENT

    def move(self, commit: str, command: str) -> None:
        """Reset, checkout, branch or tag; git refuses to force a branch that is checked out, and that is fine."""
        self.repo.run("git", *command.split(), commit, **self._tick())

    def see_teammate_push(self, remote: str, ref: str, is_forced: bool, is_fetched: bool) -> None:
        """Before the next fetch nobody here knows of it: neither of what came nor of what went."""
        bare = ("--git-dir", f"../{remote}.git")
        old = None if is_forced else refs_of(self.bare[remote]).get(ref)
        content = ("-p", old, f"{old}^{{tree}}") if old else (self.repo.git(*bare, "mktree"),)
        new = self.repo.git(*bare, "commit-tree", "-m", "a teammate's", *content, **self._tick())
        self.repo.git(*bare, "update-ref", ref, new)
        self.moved_on.add(remote)
        if is_fetched:
            self._fetch(remote)

    def _fetch(self, remote: str) -> None:
        self.repo.git("fetch", "--quiet", "--no-tags", remote)
        self.moved_on.discard(remote)
        self.made += sorted({oid for ref, oid in refs_of(self.bare[remote]).items() if ref in HEADS})

    def run(self, base: str | None) -> None:
        """A review by the program itself: against its own idea of a base, a narrower one, or of the whole tree."""
        head = self.repo.head
        expected = base and self._start(base, head)
        named = expected if base in (PARENT, PUBLISHED) else base
        scope = ("--scope", "all") if expected == EMPTY_TREE else ("--base", named) if named else ()
        done = self.repo.gate("run", "--yes", "--allow-empty", *scope)
        if "nothing to review" in done.stderr:
            assert expected in (None, head), "a commit above the base can always be reviewed"
            return
        state = json.loads(self.repo.state_file.read_bytes())
        assert state["head_commit"] == head, done.stderr
        used = str(state["base_commit"])
        assert used == (expected or used) and self.oracle.ancestors(used) <= self.oracle.ancestors(head)
        is_sound = self.defects.isdisjoint(self.local.git.diff("--name-only", used, head).splitlines())
        assert done.returncode == (0 if is_sound else 1), done.stdout + done.stderr
        self.oracle.reviews.append(Review(head, used, "passed" if is_sound else "failed", self.oracle.policy))

    def _start(self, base: str, commit: str) -> str:
        """Where a review against `base` starts: with what both have in common, or with nothing."""
        found: Sequence[git.Commit | None]
        if base == PARENT:
            found = self.local.commit(commit).parents[-1:]
        elif base == PUBLISHED:
            there = commits_of(self.bare["origin"])
            found = [one for one in self.local.iter_commits(commit) if one.hexsha in there]
        else:
            found = self.local.merge_base(base, commit) if base != EMPTY_TREE else ()
        return found[0].hexsha if found and found[0] else EMPTY_TREE

    def _review(self, asked: Review) -> Review:
        """A review in the ledger as a run would leave it."""
        review = asked._replace(base=self._start(asked.base, asked.commit))
        self.oracle.reviews.append(review)
        entry: dict[str, object] = {
            "id": f"{len(self.oracle.reviews):032x}",
            "commit": review.commit,
            "base": review.base,
            "tree": self.local.commit(review.commit).tree.hexsha,
            "policy": self.stage.digests[review.policy],
            "finished": "2026-02-02T02:40:00.000Z",
            "loops": ["passed", review.outcome, "passed", "nothing_to_run"],
            "blockers": ["app.py:1: a finding"] if review.outcome == "failed" else [],
        }
        append(self.ledger, COMMITS + review.commit, lambda _: entry)
        return review

    def push_refs(self, review: Review, remote: str, is_by_url: bool, is_tag: bool, updates: dict[str, str]) -> None:
        """One ref or several, new, deleted, or moved in any direction; tags by a tag object or by the commit itself."""
        base = self._review(review).base
        words = {REVIEWED: review.commit, BASE: base if base != EMPTY_TREE else NOTHING}
        there, refs = refs_of(self.bare[remote]), []
        for ref, word in updates.items():
            source = words.get(word, word)
            if source and is_tag and ref not in HEADS:
                name = ref.removeprefix("refs/tags/")
                self.repo.git("tag", "--force", "--annotate", "--message=a release", name, source, **self._tick())
                source = ref
            if source or ref in there:
                refs.append(f"{source}:{ref}")
        if refs:
            self._push(remote, "--force", f"../{remote}.git" if is_by_url else remote, *refs)

    def push_by_name(self, review: Review, policy: int, remote: str, spelling: str) -> None:
        """What git makes of a user's words, sometimes after the configuration changed."""
        self._review(review)
        self.oracle.policy = policy
        self.stage.set_policy(policy)
        self._push(remote, *spelling.format(remote).split())

    def _push(self, remote: str, *arguments: str) -> None:
        bare = self.bare[remote]
        before, there = refs_of(bare), commits_of(bare)
        planned, is_whole = self._planned(arguments)
        tips = self._tips(planned)
        is_allowed = all(self.oracle.may_leave(tip, there) for tip in tips)
        done = self.repo.push(*arguments)
        after = refs_of(bare)
        moved = self._tips(dict(after.items() - before.items()))
        assert all(self.oracle.may_leave(tip, there) for tip in moved), f"{moved} got out through push {arguments}"
        assert not self.oracle.uncovered(commits_of(bare) - there), f"unreviewed commits got out through {arguments}"
        if is_allowed and done.returncode and remote in self.moved_on:
            # The remote only names its tips; nobody here can look below those that were never fetched.
            self._fetch(remote)
            self._push(remote, *arguments)
            return
        self.stage.seen[("let out" if is_allowed else "refused") if tips else "nothing to judge"] += 1
        outcome = f"push {' '.join(arguments)} ended with {done.returncode}: {done.stderr}"
        assert (done.returncode == 0) == (is_allowed and is_whole), outcome
        expected = before | planned if is_allowed else before
        assert after == {ref: oid for ref, oid in expected.items() if oid}, outcome

    def _planned(self, arguments: tuple[str, ...]) -> tuple[dict[str, str], bool]:
        """What git would update without our hook (no object: a deletion), and whether that is all it is asked."""
        done = self.repo.push("--dry-run", "--no-verify", "--porcelain", *arguments)
        shown = [line.split("\t") for line in done.stdout.splitlines() if line.count("\t") == 2]
        updates = [names.rpartition(":") for flag, names, _ in shown if flag not in "=!"]
        planned = {ref: self.local.rev_parse(name).hexsha if name else NOTHING for name, _, ref in updates}
        return planned, done.returncode == 0

    def _tips(self, updates: dict[str, str]) -> set[str]:
        """The commits that refs would point at, tags peeled; records of the ledger are none."""
        sent = {oid for ref, oid in updates.items() if oid and not ref.startswith(LEDGER)}
        return {self.local.commit(oid).hexsha for oid in sent}


@pytest.mark.parametrize("number", [1, 2])
def test_no_play_gets_an_uncovered_commit_out_or_is_refused_a_covered_one(
    number: int, tmp_path: Path, world: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in os.environ.keys() - world.keys():
        monkeypatch.delenv(name)
    for name, value in world.items():
        monkeypatch.setenv(name, value)
    stage = Stage(tmp_path, world)
    stateful.run_state_machine_as_test(
        seed(number + SOAK_PLAYS)(lambda: Play(stage)),  # type: ignore[arg-type]  # hypothesis takes any factory
        settings=settings(PATIENT, max_examples=SOAK_PLAYS or PLAYS, phases=(Phase.generate, Phase.shrink)),
    )
    assert min(stage.seen["let out"], stage.seen["refused"]) >= PLAYS, stage.seen
