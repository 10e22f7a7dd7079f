"""review-gate install and uninstall: our hooks where git looks, everything that was there kept and running."""

from __future__ import annotations

import json
import os

from review_gate.errors import ReviewGateError
from review_gate.models import Frozen
from review_gate.shell.files import UnsafeFileError, read_plain_file, replace_file
from review_gate.shell.hooks_folder import HooksFolder, hooks_folder
from review_gate.shell.repository import Repository
from review_gate.shell.shims import (
    FOREIGN,
    HOOKS,
    KEPT_SUFFIX,
    LEGACY_SUFFIX,
    MANAGER,
    MAX_HOOK_BYTES,
    MOVED_SUFFIX,
    OURS,
    WATCHER,
    is_executable,
    our_hook_file,
    owner_of,
    shim_text,
)
from review_gate.workflows.configure import load_configuration

MANIFEST = "install.json"
MAX_MANIFEST_BYTES = 1_000_000
EXCLUDE = "info/exclude"


class Manifest(Frozen):
    """What install did, so that uninstall can undo exactly that."""

    version: int = 1
    folder: str
    made_folder: bool = False
    hooks: tuple[str, ...] = ()
    exclude_line: str = ""
    made_exclude: bool = False


class Installed(Frozen):
    """What to tell the user."""

    folder: str
    lines: tuple[str, ...]
    warnings: tuple[str, ...] = ()


def install(repository: Repository, *, with_watcher: bool) -> Installed:
    """Put our hooks where git looks; a second call changes nothing but outdated paths."""
    state_file = load_configuration(repository).config.state_file
    folder = hooks_folder(repository)
    old = read_manifest(repository)
    made_folder = not os.path.isdir(folder.path)
    os.makedirs(folder.path, exist_ok=True)
    hooks = [*HOOKS, *(WATCHER if with_watcher or (old and "reference-transaction" in old.hooks) else ())]
    exclude_line, made_exclude = _exclude_state_file(repository, state_file)
    manifest = Manifest(
        folder=folder.path,
        made_folder=made_folder or bool(old and old.made_folder),
        hooks=tuple(hooks),
        exclude_line=exclude_line or (old.exclude_line if old else ""),
        made_exclude=made_exclude or bool(old and old.made_exclude),
    )
    # Written first: from here on uninstall can clean up whatever a crash leaves behind.
    _write_manifest(repository, manifest)
    rivals = _rivals(folder)
    lines = [_place(repository, folder, hook) for hook in hooks]
    return Installed(folder=folder.path, lines=tuple(lines), warnings=(*_warnings(repository, folder), *rivals))


def _place(repository: Repository, folder: HooksFolder, hook: str) -> str:
    """Write one hook; whatever stands in its place is linked aside first, so that there is never no hook at all."""
    target, why = _target(folder, hook)
    kept = os.path.join(folder.path, hook + KEPT_SUFFIX)
    owner = owner_of(target)
    if owner in (FOREIGN, MANAGER):
        if os.path.lexists(kept) and not _is_same_hook(target, kept):
            raise ReviewGateError(
                f"{kept} already exists",
                why=f"the hook at {target} would have to be kept under that name",
                next_step=f"look at both files, remove one, then review-gate install ({hook})",
            )
        _keep(target, kept)
        why += f"; the hook that was there runs too, as {os.path.basename(kept)}"
    text = shim_text(hook, is_shared=folder.is_shared)
    replace_file(target, text, scratch=repository.scratch, mode=0o755)
    os.chmod(target, 0o755)  # noqa: S103 - git runs only executable hooks
    return f"{hook}: {why}"


def _target(folder: HooksFolder, hook: str) -> tuple[str, str]:
    """The file to write: beside a framework that hides refs we are its .legacy hook, which sees them all."""
    main = os.path.join(folder.path, hook)
    if owner_of(main) == MANAGER:
        return main + LEGACY_SUFFIX, f"installed as {hook}{LEGACY_SUFFIX}, which the hook manager runs with full input"
    return main, "installed"


def _is_same_hook(target: str, kept: str) -> bool:
    """Whether both are one hook: after a crash between keeping and writing, or when its manager wrote it anew."""
    if os.path.samestat(os.lstat(kept), os.lstat(target)):
        return True
    try:
        return read_plain_file(target, MAX_HOOK_BYTES) == read_plain_file(kept, MAX_HOOK_BYTES)
    except UnsafeFileError:
        return False


def _keep(target: str, kept: str) -> None:
    if os.path.lexists(kept):
        return
    try:
        os.link(target, kept, follow_symlinks=False)
    except OSError:
        # No hard links on this file system: a moment without the old hook cannot be avoided.
        os.rename(target, kept)


def _exclude_state_file(repository: Repository, state_file: str) -> tuple[str, bool]:
    """Keep the state file out of `git status`; returns the line that was added and whether the file is new."""
    if repository.is_bare or repository.git.try_run("check-ignore", "--quiet", "--no-index", state_file)[0] == 0:
        return "", False
    path = os.path.join(repository.common_dir, EXCLUDE)
    old = read_plain_file(os.path.realpath(path), MAX_MANIFEST_BYTES)
    line = "/" + state_file
    text = old or b""
    if text and not text.endswith(b"\n"):
        text += b"\n"
    replace_file(os.path.realpath(path), text + line.encode() + b"\n", scratch=repository.scratch)
    return line, old is None


def _warnings(repository: Repository, folder: HooksFolder) -> tuple[str, ...]:
    found = []
    if folder.is_relative:
        found.append(
            f"core.hooksPath is the relative path {folder.setting!r}: every work tree has its own such folder; "
            "run review-gate install in each"
        )
    if folder.is_shared:
        found.append(
            f"core.hooksPath ({folder.scope}) points outside this repository; the hooks there act only where "
            "review-gate is installed"
        )
    if any(not is_executable(path) for hook in HOOKS if (path := our_hook_file(folder.path, hook))):
        found.append("the hooks cannot be made executable on this file system, so git will not run them")
    if repository.is_bare:
        found.append("this is a bare repository: nobody pushes from here, so the hooks protect nothing")
    return tuple(found)


def _rivals(folder: HooksFolder) -> tuple[str, ...]:
    """Hook managers that move other hooks away when they install themselves again."""
    path = os.path.join(folder.path, "pre-push")
    if owner_of(path) != FOREIGN or not os.path.isfile(path):
        return ()
    with open(path, "rb") as file:
        text = file.read(MAX_MANIFEST_BYTES)
    if b"lefthook" not in text:
        return ()
    return (
        "lefthook moves this hook to pre-push.old when it installs itself again; let it run "
        "`review-gate hook pre-push {1} {2}` with use_stdin: true, or run review-gate install after it",
    )


def read_manifest(repository: Repository) -> Manifest | None:
    """What an earlier install did, if it can be read."""
    from pydantic import ValidationError

    try:
        data = read_plain_file(repository.shared_path(MANIFEST), MAX_MANIFEST_BYTES)
        return Manifest.model_validate_json(data) if data else None
    except (UnsafeFileError, ValidationError):
        return None


def _write_manifest(repository: Repository, manifest: Manifest) -> None:
    path = repository.shared_path(MANIFEST)
    replace_file(path, json.dumps(manifest.model_dump(), indent=1).encode(), scratch=repository.scratch)


def uninstall(repository: Repository) -> list[str]:
    """Undo install: our hooks go, the kept ones return to their places; the review records stay in the ledger."""
    manifest = read_manifest(repository)
    folder = manifest.folder if manifest else hooks_folder(repository).path
    done = [_withdraw(folder, hook) for hook in (*HOOKS, *WATCHER)]
    if manifest:
        _restore_exclude(repository, manifest)
        if manifest.made_folder and os.path.isdir(folder) and not os.listdir(folder):
            os.rmdir(folder)
    _remove_our_folders(repository)
    return [line for line in done if line]


def _withdraw(folder: str, hook: str) -> str:
    main, kept = os.path.join(folder, hook), os.path.join(folder, hook + KEPT_SUFFIX)
    ours = [path for path in (main, main + LEGACY_SUFFIX, main + MOVED_SUFFIX) if owner_of(path) == OURS]
    for path in ours[1:]:
        os.unlink(path)
    if not ours:
        if not os.path.lexists(kept):
            return ""
        return f"{hook}: not ours any more; the hook kept as {os.path.basename(kept)} is left there"
    if os.path.lexists(kept):
        # One rename: at no moment is there neither our hook nor the old one.
        os.replace(kept, ours[0])
        return f"{hook}: removed, the hook that was there before is back"
    os.unlink(ours[0])
    return f"{hook}: removed"


def _restore_exclude(repository: Repository, manifest: Manifest) -> None:
    path = os.path.realpath(os.path.join(repository.common_dir, EXCLUDE))
    data = read_plain_file(path, MAX_MANIFEST_BYTES)
    if not manifest.exclude_line or data is None:
        return
    line = manifest.exclude_line.encode() + b"\n"
    before, found, after = data.rpartition(line)
    if not found:
        return
    if manifest.made_exclude and not before + after:
        os.unlink(path)
    else:
        replace_file(path, before + after, scratch=repository.scratch)


def _remove_our_folders(repository: Repository) -> None:
    import shutil

    for path in {repository.own_path(""), repository.shared_path("")}:
        shutil.rmtree(path, ignore_errors=True)
