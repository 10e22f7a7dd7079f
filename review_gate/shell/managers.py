"""Hook managers that run our hooks for us, because their configuration says so."""

from __future__ import annotations

import os

from review_gate.shell.files import UnsafeFileError, read_plain_file
from review_gate.shell.shims import MANAGER_MARKS, is_executable

MAX_BYTES = 1_000_000
FRAMEWORK_FILES = (".pre-commit-config.yaml", ".pre-commit-config.yml", "prek.toml")
LEFTHOOK_FILES = tuple(
    f"{name}.{suffix}"
    for name in ("lefthook", ".lefthook", ".config/lefthook", "lefthook-local", ".lefthook-local")
    for suffix in ("yml", "yaml", "toml", "json")
)


def managing_file(top: str, folder: str, hook: str) -> str | None:
    """The file that makes the manager whose hook stands in a folder call ours, or None."""
    main = os.path.join(folder, hook)
    if not is_executable(main):
        return None
    text = _text(main)
    if any(mark in text for mark in MANAGER_MARKS):
        candidates, words = [os.path.join(top, name) for name in FRAMEWORK_FILES], f"review-gate-{hook}".encode()
    else:
        words = f"review-gate hook {hook}".encode()
        candidates = [main]
        if b"lefthook" in text:
            candidates = [os.path.join(top, name) for name in LEFTHOOK_FILES]
        elif os.path.basename(folder) == "_":
            # Husky's folder of wrappers; what they run lies above it.
            candidates = [os.path.join(os.path.dirname(folder), hook)]
    return next((path for path in candidates if _says(path, words)), None)


def shows_first_ref_only(path: str) -> bool:
    """Whether the manager behind this file tells a pre-push hook of one ref only."""
    return os.path.basename(path) in FRAMEWORK_FILES


def _says(path: str, words: bytes) -> bool:
    return any(words in line for line in _text(path).splitlines() if not line.lstrip().startswith(b"#"))


def _text(path: str) -> bytes:
    try:
        return read_plain_file(os.path.realpath(path), MAX_BYTES) or b""
    except UnsafeFileError:
        return b""
