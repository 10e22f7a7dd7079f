"""What a hook's reviewers found, ready to be shown."""

from __future__ import annotations

from review_gate.severity import BLOCKING, RANKS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.reviewers.problem import Problem


class HookResult:
    """Problems with their places, worst first, and the reviewers that could not run."""

    __slots__ = ("failures", "next_step", "problems", "what")

    def __init__(
        self, what: str, problems: list[tuple[str, Problem]], *, next_step: str, failures: tuple[str, ...] = ()
    ) -> None:
        self.what = what
        self.problems = sorted(problems, key=lambda found: (RANKS.index(found[1].severity), found[0]))
        self.next_step = next_step
        self.failures = failures

    @property
    def blocking(self) -> list[tuple[str, Problem]]:
        """The problems that stop the commit."""
        return [found for found in self.problems if found[1].severity in BLOCKING]

    @property
    def is_blocking(self) -> bool:
        """Whether the commit is refused; a reviewer that could not run has passed nothing."""
        return bool(self.blocking or self.failures)
