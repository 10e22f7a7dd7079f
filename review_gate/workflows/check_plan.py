"""The checks in force, for doors that cannot afford to parse YAML: from the cache, or made now by a child."""

from __future__ import annotations

import os

from review_gate.shell.check_key import key_of, settings_for, sources_in_force
from review_gate.shell.check_plan import read_plan
from review_gate.workflows.compile_child import done_by_child
from review_gate.workflows.policy import CHECKS_UNREAD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from review_gate.checks.plan import CheckPlan
    from review_gate.shell.repository import Repository


def plan_in_force(repository: Repository, settings: Mapping[str, object], only: Sequence[str] = ()) -> CheckPlan:
    """The plan for the checks of a repository, or for those of the files that `only` names."""
    plan = _kept(repository, settings, only)
    if plan is not None:
        return plan
    done_by_child("check_compile", repository, *only, unread=CHECKS_UNREAD)
    # A git directory that cannot be written to makes scans slow, not impossible.
    return plan_made_here(repository, settings, only)


def plan_made_here(repository: Repository, settings: Mapping[str, object], only: Sequence[str] = ()) -> CheckPlan:
    """The same for who can afford to parse YAML in this process."""
    plan = _kept(repository, settings, only)
    if plan is not None:
        return plan
    from review_gate.workflows.check_compile import keep_plan

    return keep_plan(repository, settings, only)


def _kept(repository: Repository, settings: Mapping[str, object], only: Sequence[str]) -> CheckPlan | None:
    settings = settings_for(settings, only)
    key = key_of(sources_in_force(repository.top, settings, dict(os.environ), only), settings)
    return read_plan(repository, key, is_named=bool(only))
