"""The oracle of the property test: which commits may leave, by other means than the gate's."""

from __future__ import annotations

from typing import NamedTuple

import git

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


class Review(NamedTuple):
    """What the test knows of one review it made; the policy is a number."""

    commit: str
    base: str
    outcome: str
    policy: int


class Oracle:
    """Which commits may leave, by the test's own list of reviews and by GitPython's reading of the history."""

    def __init__(self, local: git.Repo) -> None:
        self.policy = 0
        self.reviews: list[Review] = []
        self._local = local
        self._ancestors: dict[str, frozenset[str]] = {EMPTY_TREE: frozenset()}

    def may_leave(self, tip: str, there: frozenset[str]) -> bool:
        """Whether a push may make a ref point at `tip`, where the remote's refs reach the commits `there`."""
        said = self._said_of(tip)
        if said and said[-1].outcome == "failed":
            return False
        return tip in there or self._has_way_down(tip, there)

    def uncovered(self, gained: frozenset[str]) -> frozenset[str]:
        """The commits that lie in the range of no passing review at all."""
        passed = (one for one in self.reviews if one.outcome == "passed" and one.policy == self.policy)
        ranges = (self.ancestors(review.commit) - self.ancestors(review.base) for review in passed)
        return gained - frozenset().union(*ranges)

    def ancestors(self, commit: str) -> frozenset[str]:
        """The commit and everything below it."""
        if commit not in self._ancestors:
            self._ancestors[commit] = frozenset(one.hexsha for one in self._local.iter_commits(commit))
        return self._ancestors[commit]

    def _has_way_down(self, tip: str, there: frozenset[str]) -> bool:
        """Whether passing reviews lead from base to base until nothing is left that the remote lacks."""
        ground = there | {EMPTY_TREE}
        steps, reached = {tip}, {tip}
        while steps and not steps & ground:
            steps = {base for commit in steps for base in self._passing_bases(commit)} - reached
            reached |= steps
        return bool(steps & ground)

    def _passing_bases(self, commit: str) -> set[str]:
        """The bases against which the newest word on a commit is a pass, unless the newest word of all is not."""
        said = self._said_of(commit)
        newest = {review.base: review.outcome for review in said}
        return {base for base in newest if newest[base] == said[-1].outcome == "passed"}

    def _said_of(self, commit: str) -> list[Review]:
        """The complete reviews of a commit under the policy in force, oldest first."""
        known = (one for one in self.reviews if one.commit == commit and one.policy == self.policy)
        return [review for review in known if review.outcome != "incomplete"]
