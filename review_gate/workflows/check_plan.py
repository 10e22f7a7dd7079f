"""The checks in force, for doors that cannot afford to parse YAML: from the cache, or made now by a child."""

from __future__ import annotations

import os
import sys

from review_gate.errors import ConfigError
from review_gate.shell.check_plan import key_of, read_plan, settings_for, sources_in_force
from review_gate.shell.spawn import package_place, run_bounded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from review_gate.checks.plan import CheckPlan
    from review_gate.shell.repository import Repository

COMPILE_SECONDS = 60.0
COMPILE = "import sys; sys.path.append(sys.argv[1]); from review_gate.workflows.check_compile import main; main()"


def plan_in_force(repository: Repository, settings: Mapping[str, object], only: Sequence[str] = ()) -> CheckPlan:
    """The plan for the checks of a repository, or for those of the files that `only` names."""
    plan = _kept(repository, settings, only)
    if plan is not None:
        return plan
    _compile(repository, dict(os.environ), only)
    plan = _kept(repository, settings, only)
    if plan is not None:
        return plan
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


def _compile(repository: Repository, environ: dict[str, str], only: Sequence[str]) -> None:
    places = (repository.top, repository.git_dir, repository.common_dir)
    argv = [sys.executable, "-I", "-c", COMPILE, package_place(), *places, *only]
    try:
        code, _, errors = run_bounded(argv, environ, stdin=b"", seconds=COMPILE_SECONDS)
    except (OSError, TimeoutError) as error:
        code, errors = 1, f"the checks were not read within {COMPILE_SECONDS:g} seconds\n{error}".encode()
    if code != 0:
        what, _, rest = errors.decode("utf-8", "replace").strip().partition("\n")
        why, _, next_step = rest.partition("\n\n")
        raise ConfigError(
            what or "the checks could not be read",
            why=why.strip() or "a check that cannot be read would find nothing",
            next_step=next_step.strip() or "review-gate checks list",
        )
