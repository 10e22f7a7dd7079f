"""Show every check and where it came from, explain one, or try checks on their examples."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from review_gate.checks.labels import PACK_LABEL
from review_gate.checks.rule import Rule
from review_gate.checks.schema import Examples
from review_gate.checks.suppress import ABOUT
from review_gate.cli.output import add_format, print_result
from review_gate.errors import BLOCKED, PASS, ConfigError, MisuseError
from review_gate.render import checks_text
from review_gate.safe_text import safe_line
from review_gate.standard_error import say
from review_gate.workflows.checks import (
    LoadedChecks,
    load_here,
    load_named,
    load_plan_here,
    pack_with,
    path_of,
    try_examples,
)
from review_gate.workflows.look_again import complete, nothing_to_look_for, source_options


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of checks."""
    verbs = parser.add_subparsers(dest="what", metavar="{list,explain,test}")
    listing = verbs.add_parser("list", help="every check and the file it came from", allow_abbrev=False)
    listing.add_argument("--shadowed", action="store_true", help="also show checks whose id an earlier source has")
    explaining = verbs.add_parser("explain", help="all that is known about one check", allow_abbrev=False)
    explaining.add_argument("id", help="the id of the check")
    testing = verbs.add_parser("test", help="try checks on their own examples", allow_abbrev=False)
    testing.add_argument("packs", nargs="*", metavar="PACK", help="only this shipped pack")
    for one in (listing, explaining, testing):
        _add_sources(one)
        add_format(one)
    # Without a verb it is the list that is shown.
    parser.set_defaults(**(vars(listing.parse_args([])) | {"what": "list"}))


def _add_sources(parser: argparse.ArgumentParser) -> None:
    one_of = parser.add_mutually_exclusive_group()
    one_of.add_argument("--checks", metavar="FILE", action="append", default=[], help="this file, and no other source")
    one_of.add_argument("--plan", metavar="DIR", help="the checks for the plan in this folder")
    packs = parser.add_mutually_exclusive_group()
    packs.add_argument(
        "--pack", metavar="NAME", action="append", default=[], help="this shipped pack, not the usual ones"
    )
    packs.add_argument("--no-packs", action="store_true", help="none of the shipped packs")


def run(arguments: argparse.Namespace) -> int:
    """Do what was asked."""
    try:
        loaded = _loaded(arguments)
    except ConfigError as error:
        complete(error, source_options(arguments.checks, arguments.plan))
        raise
    return {"list": _list, "explain": _explain, "test": _test}[arguments.what](arguments, loaded)


def _loaded(arguments: argparse.Namespace) -> LoadedChecks:
    only = getattr(arguments, "packs", [])
    chosen = [*only, *arguments.pack]
    packs = chosen if chosen or arguments.no_packs else None
    if arguments.plan is not None:
        return load_plan_here(arguments.plan, packs)
    if arguments.checks or only:
        return load_named(arguments.checks, chosen)
    loaded = load_here(packs)
    return loaded if arguments.what == "list" or packs is not None else _with_rules(loaded)


def _with_rules(loaded: LoadedChecks) -> LoadedChecks:
    """The rules of a run's reviewers too: whoever reads of one in a report wants to know more."""
    from review_gate.workflows.checks import place_here
    from review_gate.workflows.reviewers_rules import with_rules

    return with_rules(loaded, place_here()[0])


def _list(arguments: argparse.Namespace, loaded: LoadedChecks) -> int:
    if arguments.format == "json":
        print_result(checks_text.list_json(loaded.rules, loaded.shadowed, loaded.warnings, loaded.examples))
        return PASS
    say("".join(f"warning: {safe_line(warning)}\n" for warning in loaded.warnings))
    print_result(checks_text.list_text(loaded.rules, loaded.shadowed, with_shadowed=arguments.shadowed))
    return PASS


def _explain(arguments: argparse.Namespace, loaded: LoadedChecks) -> int:
    is_json = arguments.format == "json"
    if arguments.id in ABOUT:
        as_told = checks_text.explain_suppression_json if is_json else checks_text.explain_suppression_text
        print_result(as_told(arguments.id))
        return PASS
    rule = _find(arguments.id, loaded.rules)
    off = _find(arguments.id, loaded.disabled)
    # Who names the pack of a check wants to read about it, whether it is in force or not.
    is_off = rule is None and off is not None and bool(arguments.pack)
    rule = off if is_off else rule
    if rule is None:
        raise (
            _disabled_check(off)
            if off is not None
            else _unused_check(arguments.id) or _unknown_check(arguments, [rule.id for rule in loaded.rules])
        )
    shadowed = [lost for lost in loaded.shadowed if lost.winner is rule]
    as_format = checks_text.explain_json if is_json else checks_text.explain_text
    print_result(as_format(rule, loaded.examples.get(rule.id, Examples()), shadowed, is_off=is_off))
    return PASS


def _find(name: str, rules: Sequence[Rule]) -> Rule | None:
    return next((rule for rule in rules if rule.id == name), None)


def _disabled_check(rule: Rule) -> MisuseError:
    """The error for a check that the configuration disables."""
    is_shipped = rule.source.startswith(PACK_LABEL)
    where = f"--pack {rule.source.removeprefix(PACK_LABEL)}" if is_shipped else f"--checks {path_of(rule.source)}"
    return MisuseError(
        f"the check {rule.id} is not in force here",
        why="checks.disable in the configuration names it (review-gate config show)",
        next_step=f"review-gate checks explain {rule.id} {where}",
    )


def _unused_check(name: str) -> MisuseError | None:
    """The error for a check of a shipped pack that is not in force here."""
    pack = pack_with(name)
    if pack is None:
        return None
    return MisuseError(
        f"the check {name} is not in force here",
        why=f"it belongs to the pack {pack}, which is left out here",
        next_step=f"review-gate checks explain {name} --pack {pack}",
    )


def _unknown_check(arguments: argparse.Namespace, known: list[str]) -> MisuseError:
    from review_gate.config.keys import nearest

    # Who writes NO_EVAL means no_eval.
    by_letters = {one.casefold(): one for one in known}
    near = by_letters.get(nearest(arguments.id.casefold(), by_letters) or "")
    verb = f"explain {near}" if near else "list"
    return MisuseError(
        f"there is no check {safe_line(arguments.id[:100])}" + (f"; did you mean {near}?" if near else ""),
        why="only a check that is in force can be explained",
        next_step=f"review-gate checks {verb}{_typed_options(arguments)}",
    )


def _typed_options(arguments: argparse.Namespace) -> str:
    """The options that say where checks come from, as they were typed."""
    packs = "".join(f" --pack {pack}" for pack in arguments.pack) + (" --no-packs" if arguments.no_packs else "")
    return source_options(arguments.checks, arguments.plan) + packs


def _test(arguments: argparse.Namespace, loaded: LoadedChecks) -> int:
    if not loaded.rules:
        raise nothing_to_look_for(arguments.checks, "checks of which there is none would all come out right")
    wrong = try_examples(loaded)
    examples = {rule.id: loaded.examples[rule.id] for rule in loaded.rules if rule.id in loaded.examples}
    as_format = checks_text.tried_json if arguments.format == "json" else checks_text.tried_text
    print_result(as_format(wrong, examples, len(loaded.rules)))
    return BLOCKED if wrong else PASS
