"""What a scan stands on: the settings and checks in force where it takes place, and what was found before."""

from __future__ import annotations

import os

from review_gate.checks.applies import FILE
from review_gate.errors import ConfigError
from review_gate.shell.check_sources import KnownElsewhere, anything
from review_gate.shell.policy_cache import read_compiled
from review_gate.workflows.baseline import baseline_path, read_baseline_file
from review_gate.workflows.check_plan import plan_made_here

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from review_gate.checks.baseline import Baseline
    from review_gate.checks.plan import CheckPlan
    from review_gate.shell.repository import Repository
    from review_gate.workflows.scan_options import ScanJob, ScanOptions


class Ground:
    """Where a scan takes place: the repository if there is one, its settings, its checks and its old findings."""

    def __init__(self, job: ScanJob, repository: Repository | None) -> None:
        self.repository = repository
        options = job.options
        self.settings = _settings(repository)
        self.plan = self._plan_for(job)
        if job.plan_folder is not None:
            # Who asks about a plan wants to hear about it, wherever it lies.
            self.settings = {**self.settings, "exclude": []}
        is_part = bool(options.only) or job.plan_folder is not None
        self.is_elsewhere = anything if is_part else KnownElsewhere(self.settings, top=self.top)
        self.baseline_path = _baseline_path(self.repository, self.settings, job)
        self.baseline = self._read_baseline(job)

    @property
    def top(self) -> str:
        """The folder that paths in reports start from."""
        return self.repository.top if self.repository else os.getcwd()

    def _plan_for(self, job: ScanJob) -> CheckPlan:
        try:
            if job.plan_folder is not None:
                return _plan_of_folder(job.plan_folder, self.settings)
            plan = _plan(self.repository, self.settings, job.options)
        except ConfigError as error:
            from review_gate.workflows.look_again import complete, source_options

            complete(error, source_options(job.options.only, job.plan_folder))
            raise
        _refuse_nothing(plan, job.options)
        return plan

    def is_whole(self, job: ScanJob) -> bool:
        """Whether a scan looks for everything everywhere, so that what it does not find is not there."""
        options, top = job.options, os.path.realpath(self.top)
        is_part = bool(options.only) or job.plan_folder is not None or options.place != FILE
        return options.is_of_files and not is_part and any(os.path.realpath(one) == top for one in options.paths)

    def _read_baseline(self, job: ScanJob) -> Baseline | None:
        path, is_named = self.baseline_path, job.baseline is not None and not job.updates_baseline
        if path is None or not (os.path.lexists(path) or is_named):
            return None
        try:
            return read_baseline_file(path)
        except ConfigError:
            # Who looks at all files and takes every finding for known needs nothing of what is damaged.
            if job.updates_baseline and self.is_whole(job):
                return None
            raise


def _settings(repository: Repository | None) -> Mapping[str, object]:
    compiled = read_compiled(repository, os.environ) if repository is not None else None
    if compiled is not None:
        return compiled.section("checks")
    from review_gate.workflows.configure import load_configuration, load_of_folder

    loaded = load_of_folder(os.getcwd()) if repository is None else load_configuration(repository)
    return loaded.config.checks.model_dump(mode="json")


def _plan(repository: Repository | None, settings: Mapping[str, object], options: ScanOptions) -> CheckPlan:
    if repository is not None:
        return plan_made_here(repository, settings, options.only)
    from review_gate.shell.check_key import settings_for, sources_in_force
    from review_gate.workflows.check_compile import compiled

    wanted = settings_for(settings, options.only)
    return compiled(sources_in_force(os.getcwd(), wanted, dict(os.environ), options.only), wanted)


def _plan_of_folder(folder: str, settings: Mapping[str, object]) -> CheckPlan:
    from review_gate.checks.plan import plan_of
    from review_gate.workflows.checks import load_plan_checks

    packs = settings.get("packs")
    loaded = load_plan_checks(folder, packs=packs if isinstance(packs, list) else (), settings=settings)
    return plan_of(loaded.rules, loaded.warnings)


def _refuse_nothing(plan: CheckPlan, options: ScanOptions) -> None:
    if not plan.rules:
        from review_gate.workflows.look_again import nothing_to_look_for

        raise nothing_to_look_for(options.only, "a scan that looks for nothing finds nothing, whatever the files say")


def _baseline_path(repository: Repository | None, settings: Mapping[str, object], job: ScanJob) -> str | None:
    if not job.has_baseline:
        return None
    if job.baseline is not None:
        return job.baseline
    return baseline_path(repository.top if repository else os.getcwd(), settings)
