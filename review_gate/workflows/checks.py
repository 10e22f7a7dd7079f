"""The checks in force: find their files, read them, and let the earlier id win."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from shlex import quote

from review_gate.checks.engine import find
from review_gate.checks.examples import WrongExample, wrong_examples
from review_gate.checks.labels import USER_LABEL
from review_gate.checks.merge import Shadowed, in_the_way, merge
from review_gate.checks.rule import Hit, Rule
from review_gate.checks.schema import Examples
from review_gate.checks.table_source import CLAUDE_STEM, checks_from_tables
from review_gate.checks.watch import TooSlowError
from review_gate.checks.yaml_source import SourcedCheck, check_error, checks_from_yaml, text_in_context
from review_gate.config.complaints import Complaint
from review_gate.config.display import described, quoted
from review_gate.config.places import REPOSITORY_FILE
from review_gate.config.schema import Checks, Config
from review_gate.embedded import DEFAULT_PACKS
from review_gate.errors import ConfigError, MisuseError
from review_gate.shell.check_sources import (
    CLAUDE_MD,
    CONTEXT,
    PACK,
    PLACES,
    RULES,
    CheckSource,
    context_source,
    named_sources,
    pack_names,
    pack_source,
    plan_sources,
    repository_sources,
)
from review_gate.shell.deadline import watch
from review_gate.shell.repository import open_repository
from review_gate.workflows.configure import load_configuration, load_of_folder
from review_gate.workflows.scan_repository import repository_here

# No example is longer than 4,000 characters; a regex that takes longer for one hangs.
EXAMPLE_SECONDS = 2.0
NO_CHECKS = "No checks found (no checks.yaml, no CLAUDE.md Anti-Patterns Table, no context.yaml checks)"
ALL_DISABLED = "No checks found: checks.disable in the configuration names all that the plan has"
SWITCHED_OFF = "checks.enabled is false in the configuration, so nothing uses these checks"


@dataclass(frozen=True, slots=True)
class LoadedChecks:
    """The checks in force, highest priority first, those that lost their id, and what was odd about the files."""

    rules: tuple[Rule, ...]
    shadowed: tuple[Shadowed, ...]
    examples: Mapping[str, Examples]
    warnings: tuple[str, ...]
    # Those that the configuration disables.
    disabled: tuple[Rule, ...] = ()


def load_checks(
    root: str,
    *,
    packs: Sequence[str] = DEFAULT_PACKS,
    leave_out: Collection[str] = (),
    only: Sequence[str] = (),
    environ: Mapping[str, str] | None = None,
) -> LoadedChecks:
    """The checks that hold in a repository; `only` names files that stand for all of them."""
    if only:
        return load_named(only)
    found = repository_sources(root, os.environ if environ is None else environ, leave_out=leave_out)
    return checks_of([*found, *map(pack_source, packs)])


def load_plan_checks(
    folder: str,
    *,
    packs: Sequence[str] = DEFAULT_PACKS,
    settings: Mapping[str, object] | None = None,
    environ: Mapping[str, str] | None = None,
) -> LoadedChecks:
    """The checks that hold for the plan in a folder, without those that settings disable."""
    environ = os.environ if environ is None else environ
    see_that_folder_exists(folder)
    found = plan_sources(folder, project_root_of(folder, environ), environ)
    # A repository has other checks beside those of a plan.
    loaded = _adjusted(checks_of([*found, *map(pack_source, packs)]), settings or {}, is_complete=False)
    labels = {source.label for source in found}
    has_own = any(rule.source in labels for rule in loaded.rules)
    # The default packs are about code; whoever chose others wants them for plans too.
    if not has_own and (not packs or tuple(packs) == DEFAULT_PACKS):
        raise ConfigError(
            ALL_DISABLED if loaded.disabled else NO_CHECKS,
            why="a plan that nobody wrote a check for would pass, whatever it says",
            next_step=f"write {os.path.join(folder, 'checks.yaml')}, or choose packs in {REPOSITORY_FILE}: "
            "checks: {packs: [plan]}",
        )
    return loaded


def see_that_folder_exists(folder: str) -> None:
    """Refuse the folder of a plan that is not there."""
    if not os.path.isdir(folder):
        raise MisuseError(
            f"{folder or quoted(folder)}: there is no such folder",
            why="the checks of a plan come from its folder",
            next_step="review-gate checks list --plan DIR, with the folder that holds plan.md",
        )


def load_named(files: Sequence[str], packs: Sequence[str] = ()) -> LoadedChecks:
    """The checks of some files and shipped packs, and nothing else."""
    return checks_of([*named_sources(files), *map(pack_source, packs)])


def load_plan_here(folder: str, packs: Sequence[str] | None = None, settings: Checks | None = None) -> LoadedChecks:
    """The checks that hold for the plan in a folder by the settings here; packs can be chosen."""
    settings = settings or place_here()[1]
    return load_plan_checks(
        folder, packs=settings.packs if packs is None else packs, settings=settings.model_dump(mode="json")
    )


def pack_with(check: str) -> str | None:
    """The shipped pack that holds a check."""
    for pack in pack_names():
        if any(rule.id == check for rule in load_named((), [pack]).rules):
            return pack
    return None


def load_here(packs: Sequence[str] | None = None) -> LoadedChecks:
    """The checks in force here, or those that would be with other packs."""
    root, settings = place_here()
    leave_out = [place for place in PLACES if place not in settings.sources]
    loaded = load_checks(root, packs=settings.packs if packs is None else packs, leave_out=leave_out)
    loaded = _adjusted(loaded, settings.model_dump(mode="json"), is_complete=packs is None)
    return loaded if settings.enabled else replace(loaded, warnings=(*loaded.warnings, SWITCHED_OFF))


def path_of(source: str) -> str:
    """A file with checks, as messages call it, as somebody here can name it in a shell."""
    if source.startswith(USER_LABEL):
        return USER_LABEL + quote(source.removeprefix(USER_LABEL))
    path = os.path.join(place_here()[0], source)
    return quote(os.path.relpath(path) if os.path.isfile(path) else source)


def place_here() -> tuple[str, Checks]:
    """The top of the repository around, or else the current folder, and the settings that a scan uses there."""
    top, config = settings_here()
    return top, config.checks


def settings_here() -> tuple[str, Config]:
    """The same with all settings."""
    repository = repository_here()
    if repository is None:
        return os.getcwd(), load_of_folder(os.getcwd()).config
    return repository.top, load_configuration(repository).config


def _adjusted(loaded: LoadedChecks, settings: Mapping[str, object], *, is_complete: bool) -> LoadedChecks:
    # That module makes plans of what this one loads.
    from review_gate.workflows.check_compile import adjusted

    rules = tuple(adjusted(loaded.rules, settings, is_complete=is_complete))
    kept = {rule.id for rule in rules}
    return replace(loaded, rules=rules, disabled=tuple(rule for rule in loaded.rules if rule.id not in kept))


def project_root_of(folder: str, environ: Mapping[str, str]) -> str:
    """The project that a plan belongs to: named in its context, or that of the session, or around it, or above."""
    context = context_source(folder)
    named = text_in_context(context.label, context.text(), "project_root") if context else None
    if named:
        path, origin = named
        root = os.path.abspath(os.path.join(folder, _with_home(path, environ)))
        if not os.path.isdir(root):
            said = f"project_root is {described(path)}, which is no folder; allowed: a folder"
            raise check_error([Complaint(origin, said)])
        return root
    of_session = _project_of_session(folder, environ)
    if of_session is not None:
        return of_session
    try:
        return open_repository(folder).top
    except MisuseError:
        return os.path.dirname(os.path.abspath(folder))


def _project_of_session(folder: str, environ: Mapping[str, str]) -> str | None:
    """Where we are, for a plan among those of Claude Code: it keeps the plans of all projects in one folder."""
    kept = [os.path.join(_with_home("~", environ), ".claude")]
    kept += [environ["CLAUDE_CONFIG_DIR"]] if environ.get("CLAUDE_CONFIG_DIR") else []
    if os.path.realpath(folder) not in [os.path.realpath(os.path.join(one, "plans")) for one in kept]:
        return None
    repository = repository_here()
    return repository.top if repository is not None else None


def _with_home(path: str, environ: Mapping[str, str]) -> str:
    home = environ.get("HOME") or environ.get("USERPROFILE") or ""
    return home + path[1:] if home and (path == "~" or path.startswith("~/")) else path


def checks_of(sources: Sequence[CheckSource]) -> LoadedChecks:
    """The checks in some texts, highest priority first."""
    layers: list[Sequence[Rule]] = []
    written: list[SourcedCheck] = []
    warnings: list[str] = []
    for source in sources:
        if source.form in (RULES, CLAUDE_MD):
            rules, odd = _from_tables(source)
            warnings += odd
        else:
            checks = checks_from_yaml(
                source.label, source.text(), is_context=source.form == CONTEXT, is_shipped=source.owner == PACK
            )
            rules = [check.rule for check in checks]
            written += checks
        layers.append(rules)
    merged = merge(layers)
    of_form = {form: {source.label for source in sources if source.form == form} for form in (RULES, CLAUDE_MD)}
    warnings += in_the_way(merged.shadowed, of_form[RULES], of_form[CLAUDE_MD])
    in_force = {id(rule) for rule in merged.rules}
    examples = {check.rule.id: check.examples for check in written if id(check.rule) in in_force}
    return LoadedChecks(merged.rules, merged.shadowed, examples, tuple(warnings))


def _from_tables(source: CheckSource) -> tuple[list[Rule], list[str]]:
    is_rules = source.form == RULES
    stem = source.stem if is_rules else CLAUDE_STEM
    return checks_from_tables(source.label, source.text(), is_rules=is_rules, stem=stem)


def try_examples(loaded: LoadedChecks) -> list[WrongExample]:
    """The examples that do not come out as their authors said."""
    limit = watch(EXAMPLE_SECONDS)

    def find_in_time(rule: Rule, text: str, language: str) -> Sequence[Hit]:
        try:
            with limit:
                return find(rule, text, language, EXAMPLE_SECONDS)
        except TimeoutError:
            raise TooSlowError(EXAMPLE_SECONDS) from None

    return [
        wrong
        for rule in loaded.rules
        if rule.id in loaded.examples
        for wrong in wrong_examples(rule, loaded.examples[rule.id], find_in_time)
    ]
