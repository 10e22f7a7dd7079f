"""What a scan is asked to look at, and what else it is to do."""

from __future__ import annotations

import os

from review_gate.checks.applies import FILE
from review_gate.errors import MisuseError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class ScanOptions:
    """What the user asked for: paths, or what is staged, or a range of commits, or a text of its own.

    `read_text` gives at most so many bytes of that text.
    """

    __slots__ = ("is_staged", "only", "paths", "place", "range", "read_text", "text_name", "trees")

    def __init__(
        self,
        *,
        paths: Sequence[str] = (),
        is_staged: bool = False,
        range: str | None = None,
        trees: tuple[str, str] | None = None,
        read_text: Callable[[int], bytes] | None = None,
        text_name: str = "",
        only: Sequence[str] = (),
        place: str = FILE,
    ) -> None:
        self.paths = paths
        self.is_staged = is_staged
        self.range = range
        self.trees = trees
        self.read_text = read_text
        self.text_name = text_name
        self.only = only
        self.place = place

    @property
    def is_change(self) -> bool:
        """Whether the lines count that a change adds, and not whole files."""
        return self.is_staged or self.range is not None or self.trees is not None

    @property
    def is_of_files(self) -> bool:
        """Whether files on disk are looked at, and not what git or somebody else holds."""
        return not self.is_staged and self.range is None and self.read_text is None


class ScanJob:
    """What a scan is to do beside looking."""

    __slots__ = (
        "baseline",
        "has_baseline",
        "is_dry_run",
        "is_fixing",
        "jobs",
        "options",
        "plan_folder",
        "updates_baseline",
    )

    def __init__(
        self,
        options: ScanOptions,
        *,
        baseline: str | None = None,
        has_baseline: bool = True,
        updates_baseline: bool = False,
        is_fixing: bool = False,
        is_dry_run: bool = False,
        jobs: int = 0,
        plan_folder: str | None = None,
    ) -> None:
        self.options = options
        self.baseline = baseline
        self.has_baseline = has_baseline
        self.updates_baseline = updates_baseline
        self.is_fixing = is_fixing
        self.is_dry_run = is_dry_run
        self.jobs = jobs
        self.plan_folder = plan_folder


def refuse_unstaged(options: ScanOptions) -> None:
    """Refuse files that were named and are not staged, as pre-commit names them in CI: nobody looks at them."""
    if not options.is_staged or not options.paths or any(map(os.path.isdir, options.paths)):
        return
    raise MisuseError(
        "none of the files that are named is staged",
        why="a scan of nothing would look like a passed one",
        next_step="the same without --staged (whole files), or review-gate scan --diff A..B (what commits add)",
    )
