"""The checks in force, for doors that cannot afford to parse YAML: from the cache, or made now by a child."""

from __future__ import annotations

import os

from review_gate.errors import ConfigError
from review_gate.shell.check_key import key_of, plan_key, settings_for, sources_in_force, written_sources
from review_gate.shell.check_plan import NAMED, WHOLE, plan_in, read_needles, read_plan, write_needles
from review_gate.workflows.compile_child import done_by_child
from review_gate.workflows.policy import CHECKS_UNREAD, see_checks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from review_gate.checks.plan import CheckPlan
    from review_gate.shell.repository import Repository


def plan_in_force(repository: Repository, settings: Mapping[str, object]) -> CheckPlan:
    """The plan for the checks of a repository."""
    return _plan_for(repository, _key(repository, settings))


def needles_of_messages(repository: Repository, settings: Mapping[str, object]) -> list[str]:
    """What the checks for commit messages look for, which is kept by itself: it is a hundredth of the whole."""
    key = _key(repository, settings)
    needles = read_needles(repository, key)
    if needles is None:
        needles = _plan_for(repository, key).for_messages().needles()
        write_needles(repository, key, needles)
    return needles


def _plan_for(repository: Repository, key: str) -> CheckPlan:
    plan = read_plan(repository, key)
    if plan is None:
        # Not read from the disk: a git directory that cannot be written to makes hooks slow, not impossible.
        plan = plan_in(done_by_child("checks", repository, unread=CHECKS_UNREAD), key)
    if plan is None:
        raise ConfigError(
            "the checks changed while they were being read",
            why="what is looked for are the checks of one moment, not of two",
            next_step="try again",
        )
    return plan


def plan_made_here(repository: Repository, settings: Mapping[str, object], only: Sequence[str] = ()) -> CheckPlan:
    """The same for who can afford to parse YAML in this process, also for the checks of the files that `only` names."""
    settings = settings_for(settings, only)
    plan = read_plan(repository, _key(repository, settings, only), NAMED if only else WHOLE)
    if plan is not None:
        return plan
    from review_gate.workflows.check_compile import keep_plan

    return keep_plan(repository, settings, only)


def _key(repository: Repository, settings: Mapping[str, object], only: Sequence[str] = ()) -> str:
    if only:
        return key_of(sources_in_force(repository.top, settings, dict(os.environ), only), settings)
    see_checks(repository, settings)
    return plan_key(written_sources(repository.top, settings, dict(os.environ)), settings)
