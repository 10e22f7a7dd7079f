"""review-gate install: our hooks where git looks, everything that was there kept and running."""

from __future__ import annotations

import os
import shlex

from review_gate.errors import ReviewGateError
from review_gate.gate.state_view import FOLDER_IS_LINK
from review_gate.models import Frozen
from review_gate.shell.exclude_file import exclude
from review_gate.shell.files import UnsafeFileError, is_plainly_below, make_folders
from review_gate.shell.hook_files import add_user, place, refuse_clashes
from review_gate.shell.hooks_folder import HooksFolder, hooks_folder, is_usable, tracked_in
from review_gate.shell.install_record import ExcludeRecord, FolderRecord, InstallRecord, read_record, write_record
from review_gate.shell.managers import HUSKY, LEFTHOOK, manager_of
from review_gate.shell.repository import Repository, work_trees
from review_gate.shell.settings import unset_step
from review_gate.shell.shims import HOOKS, OURS, WATCHER, is_executable, our_hook_file, owner_of
from review_gate.workflows.configure import ready_for_hooks

# Managers that move other hooks away when they install themselves again.
RIVALS = {
    LEFTHOOK: "lefthook moves this hook to pre-push.old when it installs itself again; let a script of lefthook call "
    '`review-gate hook pre-push "$@"` with use_stdin: true, or run review-gate install after it',
    HUSKY: "husky overwrites these hooks when it runs again, as npm install often makes it do; call "
    '`review-gate hook pre-push "$@"` at the top of .husky/pre-push, or run review-gate install after it',
}


class Installed(Frozen):
    """What to tell the user."""

    folder: str
    lines: tuple[str, ...]
    warnings: tuple[str, ...] = ()


def install(repository: Repository, *, with_watcher: bool) -> Installed:
    """Put our hooks where git looks; a second call changes nothing but outdated paths."""
    state_file, mistake = ready_for_hooks(repository)
    folder = hooks_folder(repository)
    if not is_usable(folder):
        raise hooks_are_off(folder, repository.top)
    if refusal := hooks_are_tracked(repository, folder):
        raise refusal
    old = read_record(repository) or InstallRecord()
    known = old.folder(folder.path) or FolderRecord(path=folder.path)
    hooks = (*HOOKS, *(WATCHER if with_watcher or set(WATCHER) & set(known.hooks) else ()))
    refuse_clashes(folder, hooks)
    now = FolderRecord(
        path=folder.path,
        made=known.made or make_folders(folder.path),
        hooks=hooks,
        is_shared=folder.is_shared,
    )
    # Written before the hooks: from here on uninstall can clean up whatever a crash leaves behind.
    excluded, trouble = _exclude(repository, state_file, old)
    write_record(repository, old.model_copy(update={"exclude": excluded}).with_folder(now))
    if folder.is_shared:
        add_user(folder.path, repository.common_dir)
    rival = RIVALS.get(manager_of(folder.path, "pre-push"))
    lines = tuple(place(repository, folder, hook) for hook in hooks)
    warnings = (*mistake, *trouble, *_warnings(repository, folder, state_file), *([rival] if rival else []))
    return Installed(folder=folder.path, lines=lines, warnings=warnings)


def _exclude(
    repository: Repository, state_file: str, old: InstallRecord
) -> tuple[ExcludeRecord | None, tuple[str, ...]]:
    """Keep the state file out of commits; where that is not possible the hooks are still worth having."""
    try:
        return exclude(repository, state_file, old.exclude), ()
    except (OSError, UnsafeFileError) as error:
        return old.exclude, (f"{state_file} will show up in git status: .git/info/exclude cannot be changed ({error})",)


def hooks_are_off(folder: HooksFolder, top: str) -> ReviewGateError:
    """The error for a place where no hook can be: a core.hooksPath that leads git away, or something in the way."""
    if folder.scope == "command":
        return ReviewGateError(
            f"core.hooksPath comes from the environment or the command line: {folder.setting}",
            why="it leads git away from the hooks of this repository, for as long as it is set",
            next_step="unset GIT_CONFIG_COUNT GIT_CONFIG_PARAMETERS, then review-gate install",
        )
    if folder.setting is None:
        return ReviewGateError(
            f"git looks for hooks in {folder.path}, which is not a folder",
            why="git finds no hooks there, so nothing would stop a push",
            next_step=f"move {folder.path} away, then review-gate install",
        )
    where = f"in {folder.path}, which is not a folder" if folder.setting else "nowhere: core.hooksPath is empty"
    return ReviewGateError(
        f"git looks for hooks {where}",
        why=f"core.hooksPath ({folder.scope}) switches all hooks off, so nothing would stop a push",
        next_step=f"{unset_step(top, folder.scope or 'local', 'core.hooksPath')}, then review-gate install",
    )


def free_name(path: str) -> str:
    """A name like this one that nothing has yet."""
    while os.path.lexists(path):
        path += "+"
    return path


def hooks_are_tracked(repository: Repository, folder: HooksFolder) -> ReviewGateError | None:
    """The error for a hooks folder with tracked files, where a hook of ours would end up in a commit; None without."""
    tracked = tracked_in(folder)
    if not tracked:
        return None
    ours = [path for path in tracked if owner_of(path) == OURS]
    files = "1 file" if len(tracked) == 1 else f"{len(tracked)} files"
    return ReviewGateError(
        f"git tracks {files} in {folder.path}, where it looks for hooks",
        why="a hook written there holds paths of this machine, and would reach everyone else with the next commit",
        next_step=_untrack(ours) if ours else _other_ways(repository, folder),
    )


def _untrack(paths: list[str]) -> str:
    folder = shlex.quote(os.path.dirname(paths[0]))
    names = " ".join(shlex.quote(os.path.basename(path)) for path in paths)
    return f"git -C {folder} rm --cached {names}, then git commit, then review-gate install"


def _other_ways(repository: Repository, folder: HooksFolder) -> str:
    """The call in the tracked hooks themselves, or a copy of them where nothing is tracked."""
    here, there = shlex.quote(folder.path), shlex.quote(free_name(os.path.join(repository.common_dir, "own-hooks")))
    scope = folder.scope if folder.scope in ("local", "worktree") else "local"
    copy = f"mkdir -p {there} && cp -RLp {here}/. {there} && git config --{scope} core.hooksPath {there}"
    if folder.is_shared:
        return f"{copy} && review-gate install"
    calls = ", ".join(f'review-gate hook {hook} "$@" || exit 1' for hook in HOOKS)
    return (
        f"make these the first commands of {', '.join(HOOKS)} in {here}, executable files that start with #!/bin/sh: "
        f"{calls}; or work with a copy of the folder: {copy} && review-gate install"
    )


def _warnings(repository: Repository, folder: HooksFolder, state_file: str) -> tuple[str, ...]:
    found = []
    if not is_plainly_below(repository.top, state_file):
        found.append(
            f"every push is refused: {FOLDER_IS_LINK} ({state_file}); name another state_file in .review-gate.yaml"
        )
    if folder.is_relative:
        found.append(
            f"core.hooksPath is the relative path {folder.setting!r}: every work tree has its own such folder; "
            "run review-gate install in each"
        )
    if folder.is_shared:
        what = f"core.hooksPath ({folder.scope})" if folder.setting else f"the hooks folder {folder.path}"
        found.append(f"{what} points outside this repository; the hooks act only where review-gate is installed")
    if any(not is_executable(path) for hook in HOOKS if (path := our_hook_file(folder.path, hook))):
        found.append("the hooks cannot be made executable on this file system, so git will not run them")
    if repository.is_bare and len(work_trees(repository)) < 2:
        found.append("this is a bare repository: nobody pushes from here, so the hooks protect nothing")
    return tuple(found)
