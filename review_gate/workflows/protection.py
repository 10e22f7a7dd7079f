"""Whether git asks the gate at each push from a work tree; for hooks, which cannot afford the doctor."""

from __future__ import annotations

import os

from review_gate.shell.hooks_folder import hooks_folder
from review_gate.shell.shims import HOOKS, SOUND, condition_of, is_executable, our_hook_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from review_gate.shell.repository import Repository

INSTALL = "review-gate install"


def lost_protection(repository: Repository, hooks: Iterable[str] = HOOKS) -> list[str]:
    """The git hooks that do not run, each in words."""
    folder = hooks_folder(repository)
    lost = []
    for hook in hooks:
        condition = condition_of(folder, hook)
        if condition != SOUND and not _is_managed(repository, folder.path, hook):
            lost.append(f"git's {hook} hook is {condition} ({INSTALL})")
    return lost


def _is_managed(repository: Repository, folder: str, hook: str) -> bool:
    """Does somebody else's hook call ours? What a manager's files cannot show is not verified, and no loss."""
    if not is_executable(os.path.join(folder, hook)):
        return False
    # Pydantic costs more than all the rest, and only a repository whose hooks are not ours to run pays for it.
    from review_gate.shell.install_record import was_installed_in
    from review_gate.shell.managers import way_to_us

    if was_installed_in(repository, folder) or our_hook_file(folder, hook):
        return False
    way = way_to_us(repository.top, folder, hook)
    return way is not None and (bool(way.manager) or not way.doubt)
