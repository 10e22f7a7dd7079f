"""The policy that would be in force if another commit were checked out."""

from __future__ import annotations

import os

from review_gate.config.places import MAX_CONFIG_BYTES, REPLACEMENT_VARIABLE, REPOSITORY_FILE
from review_gate.errors import ConfigError
from review_gate.shell.check_files import CLAUDE, FOLDERS
from review_gate.shell.files import UnsafeFileError, read_plain_file
from review_gate.shell.policy_cache import Policy, compiled_from_plain
from review_gate.strict_json import StrictJsonError, parse
from review_gate.workflows.compile_child import done_by_child

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.shell.repository import Repository

_UNREAD = ("the settings of another commit could not be read", "they may be other ones", "git switch to it")


def policy_after_switch(repository: Repository, commit: str, now: Policy) -> Policy | None:
    """The policy that `git switch` to a commit would bring into force; None when it would be no valid one."""
    is_config = _brings_configuration(repository, commit)
    if not is_config and not _brings_checks(repository, commit, now):
        return now
    try:
        said = done_by_child("switch", repository, commit, "config" if is_config else "", unread=_UNREAD)
        document = parse(said)
    except (ConfigError, StrictJsonError):
        return None
    if not isinstance(document, dict):
        return None
    compiled = compiled_from_plain(document)
    return Policy(compiled, str(document.get("checks") or "")) if compiled else None


def _brings_configuration(repository: Repository, commit: str) -> bool:
    if os.environ.get(REPLACEMENT_VARIABLE):
        return False
    with repository.git.objects() as objects:
        names = [f"{revision}:{REPOSITORY_FILE}" for revision in ("HEAD", commit)]
        here, there = (one.data if one else None for one in objects.read_all(names, limit=MAX_CONFIG_BYTES))
    try:
        on_disk = read_plain_file(os.path.join(repository.top, REPOSITORY_FILE), MAX_CONFIG_BYTES)
    except UnsafeFileError:
        return False
    # A file that git does not know, or that was changed, stays as it is.
    return here == on_disk and there != on_disk


def _brings_checks(repository: Repository, commit: str, now: Policy) -> bool:
    """Whether a file with checks, or the baseline, is another one there; that it may stay as it is the child knows."""
    settings = now.section("checks")
    baseline = settings.get("baseline")
    names = [*FOLDERS, CLAUDE, *([str(baseline)] if baseline else [])]
    compared = ("diff-tree", "-r", "--quiet", "--end-of-options", "HEAD", commit, "--", *names)
    return bool(settings.get("enabled")) and repository.git.try_run(*compared)[0] != 0
