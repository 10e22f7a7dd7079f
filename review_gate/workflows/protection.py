"""Whether git asks the gate at each push from a work tree; for hooks, which cannot afford the doctor."""

from __future__ import annotations

from review_gate.shell.hooks_folder import hooks_folder
from review_gate.shell.shims import HOOKS, SOUND, condition_of, our_hook_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.shell.repository import Repository

INSTALL = "review-gate install"


def lost_protection(repository: Repository) -> list[str]:
    """The git hooks that do not run, each in words."""
    folder = hooks_folder(repository)
    lost = []
    for hook in HOOKS:
        condition = condition_of(folder, hook)
        if condition != SOUND:
            condition = _managed(repository, folder.path, hook) or condition
        if condition != SOUND:
            lost.append(f"git's {hook} hook is {condition} ({INSTALL})")
    return lost


def _managed(repository: Repository, folder: str, hook: str) -> str:
    """What becomes of our hook where somebody else's calls it; nothing where none does."""
    # Pydantic costs more than all the rest, and only a repository whose hooks are not ours to run pays for it.
    from review_gate.shell.install_record import was_installed_in
    from review_gate.shell.managers import NOT_VERIFIED, way_to_us

    if was_installed_in(repository, folder) or our_hook_file(folder, hook):
        return ""
    way = way_to_us(repository.top, folder, hook)
    if way is None:
        return ""
    return f"called by {way.manager or 'another hook'}, {NOT_VERIFIED}" if way.doubt else SOUND
