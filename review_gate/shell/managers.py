"""Scripts and hook managers that run our hooks for us, and whether a refusal of ours then always counts."""

from __future__ import annotations

import os

from review_gate.shell import framework_hooks, lefthook_hooks
from review_gate.shell.hook_script import lost_verdict, mentions_call
from review_gate.shell.manager_files import text_of
from review_gate.shell.shims import MANAGER, is_executable, owner_of

# What husky 9 writes; its `h` runs the script of the same name one folder up.
HUSKY_WRAPPERS = ('#!/usr/bin/env sh\n. "$(dirname "$0")/h"', '#!/usr/bin/env sh\n. "${0%/*}/h"')
HUSKY_CALL = 'sh -e "$s" "$@"'


class Way:
    """The file by way of which our hook is called, and why the call may be in vain; empty when it never is."""

    __slots__ = ("doubt", "file")

    def __init__(self, file: str, doubt: str) -> None:
        self.file = file
        self.doubt = doubt


def way_to_us(top: str, folder: str, hook: str) -> Way | None:
    """How the hook that stands in a folder calls ours, or None when it does not."""
    main = os.path.join(folder, hook)
    if not is_executable(main):
        return None
    script = text_of(main)
    if owner_of(main) == MANAGER:
        path = framework_hooks.config_of(top, script)
        return _way(path, framework_hooks.doubt_in_framework(path, hook)) if path else None
    if lefthook_hooks.is_lefthook(script, hook):
        path = lefthook_hooks.config_of(top)
        return _way(path, lefthook_hooks.doubt_in_lefthook(top, path, script, hook)) if path else None
    if is_husky(folder, script):
        return _script_way(os.path.join(os.path.dirname(folder), hook), hook, stops_at_failure=True)
    return _script_way(main, hook, stops_at_failure=False)


def managing_file(top: str, folder: str, hook: str) -> str | None:
    """The file that makes the hook in a folder call ours so that a refusal always counts, or None."""
    way = way_to_us(top, folder, hook)
    return way.file if way is not None and not way.doubt else None


def shows_first_ref_only(folder: str, hook: str) -> bool:
    """Whether the manager behind this hook tells a pre-push hook of one ref only."""
    return hook == "pre-push" and owner_of(os.path.join(folder, hook)) == MANAGER


def _way(file: str, doubt: str | None) -> Way | None:
    return None if doubt is None else Way(file, doubt)


def is_husky(folder: str, script: str) -> bool:
    """Whether a hook is the wrapper that husky writes, in the folder that husky keeps."""
    return script.strip() in HUSKY_WRAPPERS and HUSKY_CALL in text_of(os.path.join(folder, "h"))


def _script_way(path: str, hook: str, *, stops_at_failure: bool) -> Way | None:
    script = text_of(path)
    if not mentions_call(script, hook):
        return None
    return Way(path, lost_verdict(script, hook, stops_at_failure=stops_at_failure))
