"""What a review of the checked-out commit would be about, as far as git alone can say it: nothing is run."""

from __future__ import annotations

from review_gate.gate.record import empty_tree_like
from review_gate.shell.base import base_of_run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from review_gate.shell.repository import Repository


def scope_of_review(repository: Repository, named: str | None, *, most: int) -> Mapping[str, object]:
    """The commit, the base, the files between them, and how many differ from the commit in the work tree."""
    from review_gate.workflows.verify import resolve

    git = repository.git
    commit = resolve(repository, "HEAD")
    base, label = base_of_run(git, commit, git.branch() or "", named)
    names = _names(
        git.run("diff-tree", "-r", "-z", "--name-only", "--no-renames", base or empty_tree_like(commit), commit)
    )
    dirty = git.run("status", "--porcelain", "-z", "--untracked-files=no", "--no-renames")
    return {
        "commit": commit,
        "base": base or None,
        "base_label": label,
        "files": names[:most],
        "file_count": len(names),
        "uncommitted": len(_names(dirty)),
    }


def _names(output: bytes) -> list[str]:
    return [name.decode("utf-8", "backslashreplace") for name in output.split(b"\0") if name]
