"""Where git really looks for hooks, and who decided that."""

from __future__ import annotations

import os

from review_gate.shell.files import lies_in
from review_gate.shell.git import Git
from review_gate.shell.repository import RECORD_FILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.shell.repository import Repository


class HooksFolder:
    """The hooks directory of one work tree; `setting` is the core.hooksPath that chose it, None if there is none.

    Hooks of ours in a shared folder are dormant for a repository in which review-gate was never installed.
    """

    __slots__ = ("is_dormant", "is_relative", "is_shared", "path", "scope", "setting")

    def __init__(
        self, path: str, *, setting: str | None, scope: str, is_shared: bool, is_dormant: bool = False
    ) -> None:
        self.path = path
        self.setting = setting
        self.scope = scope
        self.is_relative = bool(setting and not os.path.isabs(os.path.expanduser(setting)))
        self.is_shared = is_shared
        self.is_dormant = is_dormant


def hooks_folder(repository: Repository) -> HooksFolder:
    """The directory that git runs hooks from in this work tree."""
    # Our usual git calls point core.hooksPath at nothing, so this one asks without that.
    git = Git(repository.top, repository.git.environ, is_hardened=False)
    path = git.line("rev-parse", "--git-path", "hooks") or os.path.join(repository.common_dir, "hooks")
    path = os.path.abspath(os.path.join(repository.top, path))
    scoped = git.line("config", "--show-scope", "--get", "core.hooksPath")
    scope, _, setting = scoped.partition("\t") if scoped is not None else ("", "", None)
    is_inside = any(lies_in(path, folder) for folder in (repository.common_dir, repository.top))
    is_dormant = not is_inside and not os.path.isfile(repository.shared_path(RECORD_FILE))
    return HooksFolder(path, setting=setting, scope=scope, is_shared=not is_inside, is_dormant=is_dormant)


def is_usable(folder: HooksFolder) -> bool:
    """Whether hooks can be put there for good: not at /dev/null, not where only this command's settings point."""
    # An empty setting sends git to the root of the file system, whatever `rev-parse --git-path hooks` says.
    if folder.scope == "command" or folder.setting == "":
        return False
    path = folder.path
    while not os.path.lexists(path):
        path = os.path.dirname(path)
    return os.path.isdir(path)


def tracked_in(folder: HooksFolder) -> tuple[str, ...]:
    """The files of a hooks folder that git tracks, in whichever repository the folder lies."""
    if not is_usable(folder):
        return ()
    start = wanted = os.path.realpath(folder.path)
    while not os.path.isdir(start):
        start = os.path.dirname(start)
    git = Git(start)
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        git.environ.pop(name, None)
    # Inside a git directory ls-files would list all of the index.
    if git.line("rev-parse", "--is-inside-work-tree") != "true":
        return ()
    code, output, _ = git.try_run("ls-files", "-z", "--", f":(literal){os.path.relpath(wanted, start)}")
    names = output.decode("utf-8", "surrogateescape").split("\0") if code == 0 else []
    return tuple(os.path.join(start, name) for name in names if name)
