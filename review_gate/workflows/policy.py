"""The settings and the policy in force, for doors that cannot afford to parse YAML."""

from __future__ import annotations

import os

from review_gate.errors import ConfigError
from review_gate.shell.check_key import strictness_key, written_sources
from review_gate.shell.policy_cache import Compiled, Policy, compiled_in, read_checks, read_compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from review_gate.shell.repository import Repository

_UNREAD = ("the configuration could not be read", "the gate has no policy to judge by", "review-gate config show")
CHECKS_UNREAD = (
    "the checks could not be read",
    "a check that cannot be read would find nothing",
    "review-gate checks list",
)


def settings_in_force(repository: Repository) -> Compiled:
    """The compiled configuration, compiled now by a child when files or environment changed since."""
    see_settings(repository)
    environ = dict(os.environ)
    compiled = read_compiled(repository, environ)
    if compiled is not None:
        return compiled
    # Not read from the disk: a git directory that cannot be written to makes hooks slow, not impossible.
    compiled = compiled_in(_by_child("configuration", repository, _UNREAD), repository, environ)
    if compiled is None:
        raise ConfigError(
            "the configuration changed while it was being read",
            why="the gate judges by one configuration, not by two",
            next_step="try again",
        )
    return compiled


def policy_in_force(repository: Repository) -> Policy:
    """The settings in force with the policy that a review counts for: these settings, and the checks as they are."""
    compiled = settings_in_force(repository)
    return Policy(compiled, _checks_in_force(repository, compiled.section("checks")))


def _checks_in_force(repository: Repository, settings: Mapping[str, object]) -> str:
    """The strictness of the checks, nothing where they are switched off."""
    if not settings.get("enabled"):
        return ""
    see_checks(repository, settings)
    written = written_sources(repository.top, settings, os.environ)
    kept = read_checks(repository, strictness_key(written, settings, _baseline(repository.top, settings)))
    if kept is not None:
        return kept
    return _by_child("strictness", repository, CHECKS_UNREAD).decode("ascii")


def see_settings(repository: Repository) -> None:
    """Refuse to go on where the settings in force are not on disk; only a sparse checkout pays for this."""
    if repository.is_sparse:
        from review_gate.shell.sparse import refuse_absent_settings

        refuse_absent_settings(repository)


def see_checks(repository: Repository, settings: Mapping[str, object]) -> None:
    """The same for the checks in force."""
    if repository.is_sparse:
        from review_gate.shell.sparse import refuse_absent_checks

        refuse_absent_checks(repository, settings)


def _baseline(top: str, settings: Mapping[str, object]) -> bytes | None:
    named = settings.get("baseline")
    if not named or not os.path.lexists(os.path.join(top, str(named))):
        return None
    # Few repositories have one, so the others do not pay for this import.
    from review_gate.workflows.baseline import baseline_bytes

    return baseline_bytes(top, settings)


def _by_child(task: str, repository: Repository, unread: tuple[str, str, str]) -> bytes:
    from review_gate.workflows.compile_child import done_by_child

    return done_by_child(task, repository, unread=unread)
