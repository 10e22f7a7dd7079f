"""Hook files put in place and taken away; at no moment is there neither our hook nor the one it replaced."""

from __future__ import annotations

import os
from collections.abc import Iterable

from review_gate.errors import ReviewGateError
from review_gate.shell.files import UnsafeFileError, read_plain_file, replace_file
from review_gate.shell.hooks_folder import HooksFolder
from review_gate.shell.repository import Repository
from review_gate.shell.shims import (
    FOREIGN,
    KEPT_SUFFIX,
    LEGACY_SUFFIX,
    MANAGER,
    MAX_HOOK_BYTES,
    MOVED_SUFFIX,
    OURS,
    is_executable,
    owner_of,
    shim_text,
)

# In a folder that several repositories use: which of them have the gate, one git directory a line.
USERS_FILE = ".review-gate-repositories"


def refuse_clashes(folder: HooksFolder, hooks: Iterable[str]) -> None:
    """Refuse, before anything is changed, where a hook would have to be kept under a name that another one has."""
    for hook in hooks:
        main = os.path.join(folder.path, hook)
        if owner_of(main) in (FOREIGN, MANAGER) and owner_of(main + LEGACY_SUFFIX) != OURS:
            _refuse_clash(main, main + KEPT_SUFFIX, hook)


def _refuse_clash(target: str, kept: str, hook: str) -> None:
    is_replaced = owner_of(target) == owner_of(kept) == MANAGER
    if os.path.lexists(kept) and not is_replaced and not _is_same_hook(target, kept):
        raise ReviewGateError(
            f"{kept} already exists",
            why=f"the hook at {target} would have to be kept under that name; no hook was changed",
            next_step=f"look at both files, remove one, then review-gate install ({hook})",
        )


def place(repository: Repository, folder: HooksFolder, hook: str) -> str:
    """Write one hook and say where it went; what stands in its place is kept and runs too.

    We stand in front even of a hook framework: behind it, anything called `pre_commit` in the repository or on
    PYTHONPATH could take the framework's place, and ours with it.
    """
    main = os.path.join(folder.path, hook)
    kept = main + KEPT_SUFFIX
    why = "installed"
    if owner_of(main + LEGACY_SUFFIX) == OURS:
        _come_back(main + LEGACY_SUFFIX, kept)
    if owner_of(main) in (FOREIGN, MANAGER):
        runs = is_executable(main) and not os.path.isdir(main)
        _keep(main, kept, hook)
        what = "runs too, as" if runs else "is not executable; it is kept as"
        why += f"; the hook that was there {what} {os.path.basename(kept)}"
    text = shim_text(hook, is_shared=folder.is_shared)
    replace_file(main, text, scratch=repository.scratch, mode=0o755)
    return f"{hook}: {why}"


def _come_back(legacy: str, kept: str) -> None:
    """Undo what a framework did that found our hook and put itself in front of it."""
    if owner_of(kept) == MANAGER:
        # The framework's own script of an earlier time: it stands in front again, and needs no second one.
        os.unlink(kept)
    if os.path.lexists(kept):
        # The hook that stood there before both of us: the framework runs it from that place.
        os.replace(kept, legacy)
    else:
        os.unlink(legacy)


def _keep(target: str, kept: str, hook: str) -> None:
    _refuse_clash(target, kept, hook)
    if os.path.lexists(kept):
        if _is_same_hook(target, kept):
            return
        # A framework's script of an earlier time, and of the same use as the one it wrote now.
        os.unlink(kept)
    try:
        os.link(target, kept, follow_symlinks=False)
    except OSError:
        # A directory, or a file system without hard links: a moment without the old hook cannot be avoided.
        os.rename(target, kept)


def _is_same_hook(target: str, kept: str) -> bool:
    """Whether both are one hook: after a crash between keeping and writing, or when its manager wrote it anew."""
    if os.path.samestat(os.lstat(kept), os.lstat(target)):
        return True
    try:
        return read_plain_file(target, MAX_HOOK_BYTES) == read_plain_file(kept, MAX_HOOK_BYTES)
    except UnsafeFileError:
        return False


def withdraw(folder: str, hook: str) -> str:
    """Take our hook away and put the kept one back; says what was done, nothing when there was nothing to do."""
    main, kept = os.path.join(folder, hook), os.path.join(folder, hook + KEPT_SUFFIX)
    ours = [path for path in (main, main + LEGACY_SUFFIX, main + MOVED_SUFFIX) if owner_of(path) == OURS]
    for path in ours[1:]:
        os.unlink(path)
    if not ours:
        return _tidy_kept(main, kept, hook)
    if ours[0] != main and owner_of(kept) == MANAGER:
        # The framework put itself in front again; its older script would start it a second time.
        os.unlink(kept)
    if os.path.isdir(kept):
        os.unlink(ours[0])
    if os.path.lexists(kept):
        os.replace(kept, ours[0])
        return f"{hook}: removed, the hook that was there before is back"
    os.unlink(ours[0])
    return f"{hook}: removed"


def _tidy_kept(main: str, kept: str, hook: str) -> str:
    """A kept hook without a hook of ours: the rest of a crash, or of someone who removed ours by hand."""
    if not os.path.lexists(kept):
        return ""
    if not os.path.lexists(main):
        os.replace(kept, main)
        return f"{hook}: the hook that was there before is back"
    if _is_same_hook(main, kept):
        os.unlink(kept)
        return ""
    return f"{hook}: not ours any more; the hook kept as {os.path.basename(kept)} is left there"


def add_user(folder: str, common_dir: str) -> None:
    """Note that a repository uses the hooks of a shared folder."""
    users = [user for user in _users(folder) if user != common_dir]
    _write_users(folder, [*users, common_dir])


def remove_user(folder: str, common_dir: str) -> bool:
    """Strike a repository off; whether no other one uses the folder any more."""
    users = [user for user in _users(folder) if user != common_dir and os.path.isdir(user)]
    if users:
        _write_users(folder, users)
        return False
    if os.path.exists(os.path.join(folder, USERS_FILE)):
        os.unlink(os.path.join(folder, USERS_FILE))
    return True


def _users(folder: str) -> list[str]:
    data = read_plain_file(os.path.join(folder, USERS_FILE), MAX_HOOK_BYTES) or b""
    return os.fsdecode(data).splitlines()


def _write_users(folder: str, users: list[str]) -> None:
    data = os.fsencode("".join(f"{user}\n" for user in users))
    replace_file(os.path.join(folder, USERS_FILE), data, scratch=folder)
