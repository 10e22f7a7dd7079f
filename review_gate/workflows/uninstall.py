"""review-gate uninstall: our hooks go, what was there before returns; the review records stay in the ledger."""

from __future__ import annotations

import os
import shutil

from review_gate.shell.agent_record import RECORD_FILE
from review_gate.shell.exclude_file import restore
from review_gate.shell.files import UnsafeFileError, lies_in, remove_empty
from review_gate.shell.hook_files import remove_user, withdraw
from review_gate.shell.hooks_folder import hooks_folder
from review_gate.shell.install_record import FolderRecord, InstallRecord, read_record, write_record
from review_gate.shell.ledger import LEDGER, list_entries
from review_gate.shell.push_log import UNSEEN
from review_gate.shell.repository import OUR_FOLDER, Repository, work_trees
from review_gate.shell.shims import HOOKS, WATCHER


def uninstall(repository: Repository) -> list[str]:
    """Undo what install did for this work tree; says what was done."""
    record = read_record(repository) or InstallRecord(folders=(FolderRecord(path=hooks_folder(repository).path),))
    others = tuple(folder for folder in record.folders if _serves_another_work_tree(repository, folder))
    mine = [folder for folder in record.folders if folder not in others]
    done: list[str] = []
    for folder in mine:
        where = f"{folder.path}: " if len(mine) > 1 or folder.is_shared else ""
        done += [f"{where}{line}" for line in _leave(repository, folder)]
    if others:
        write_record(repository, record.model_copy(update={"folders": others}))
        return done
    if record.exclude is not None:
        try:
            restore(repository, record.exclude)
        except (OSError, UnsafeFileError) as error:
            done.append(f"kept: {record.exclude.line} in .git/info/exclude, which cannot be changed ({error})")
    _remove_our_folders(repository)
    return done


def leftovers(repository: Repository, state_file: str) -> list[str]:
    """What stays, because it is the user's: the records of reviews, and the view of the last one."""
    found = []
    records = len(list_entries(repository.git, LEDGER))
    if records:
        found.append(f"kept: {records} review record{'' if records == 1 else 's'} below {LEDGER}")
    if os.path.lexists(os.path.join(repository.top, state_file)):
        found.append(f"kept: {state_file}")
    if os.path.exists(repository.shared_path(UNSEEN)):
        found.append(f"kept: {repository.shared_path(UNSEEN)}, the log of pushes that went round the gate")
    return found


def _serves_another_work_tree(repository: Repository, folder: FolderRecord) -> bool:
    """Whether a hooks folder lies inside another work tree, as with a relative core.hooksPath."""
    if lies_in(folder.path, repository.top):
        return False
    return any(
        lies_in(folder.path, top) and not lies_in(folder.path, repository.common_dir) for top in work_trees(repository)
    )


def _leave(repository: Repository, folder: FolderRecord) -> list[str]:
    if not os.path.isdir(folder.path):
        return []
    if folder.is_shared and not remove_user(folder.path, repository.common_dir):
        return ["the hooks stay for other repositories, and leave this one alone"]
    done = [withdraw(folder.path, hook) for hook in (*HOOKS, *WATCHER)]
    remove_empty(folder.made)
    return [line for line in done if line]


def _remove_our_folders(repository: Repository) -> None:
    """Caches, logs, locks and the install record, of all work trees."""
    work_trees = os.path.join(repository.common_dir, "worktrees")
    names = os.listdir(work_trees) if os.path.isdir(work_trees) else []
    for git_dir in (repository.common_dir, *(os.path.join(work_trees, name) for name in names)):
        _remove_but_evidence(os.path.join(git_dir, OUR_FOLDER))


def _remove_but_evidence(folder: str) -> None:
    """Everything goes but two files.

    Someone still has to look at the pushes that went round the gate, and what is registered with agents is taken out
    by what is noted about it.
    """
    if not any(os.path.exists(os.path.join(folder, name)) for name in (UNSEEN, RECORD_FILE)):
        shutil.rmtree(folder, ignore_errors=True)
        return
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path, ignore_errors=True)
        elif not entry.name.startswith(UNSEEN) and entry.name != RECORD_FILE:
            os.unlink(entry.path)
