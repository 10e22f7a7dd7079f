"""Show how many answers of reviewers are kept, or forget them all."""

from __future__ import annotations

import argparse
import json
import os
from datetime import UTC, datetime

from review_gate.cli.output import add_format, print_result
from review_gate.errors import PASS, ReviewGateError
from review_gate.render.status import age
from review_gate.shell.answer_cache import AnswerCache, CacheReport, place_in
from review_gate.shell.repository import open_repository
from review_gate.shell.user_answers import PLANS, PROMPTS, answers_of_user

REPOSITORY = "repository"
OF = (REPOSITORY, "plans", "prompts")
UNITS = ((1_000_000, "MB"), (1_000, "kB"))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of cache."""
    parser.add_argument("--clear", action="store_true", help="forget every answer; reviewers are asked again")
    parser.add_argument(
        "--of", choices=OF, default=OF[0], help="whose answers: of this repository, or yours about plans or prompts"
    )
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the report; what is cleared was only kept to save time and money."""
    cache = _cache(arguments.of)
    before = cache.report()
    removed = cache.clear() if arguments.clear else 0
    if arguments.format == "json":
        print_result(_document(cache, cache.report() if arguments.clear else before, removed))
    elif arguments.clear:
        print_result(f"removed {removed} answer{'' if removed == 1 else 's'} ({_size(before.bytes)})")
    else:
        print_result(_text(cache, before, datetime.now(UTC)))
    return PASS


def _cache(of: str) -> AnswerCache:
    if of == REPOSITORY:
        return AnswerCache(place_in(open_repository(".")))
    cache = answers_of_user(os.environ, {"plans": PLANS, "prompts": PROMPTS}[of])
    if cache is None:
        raise ReviewGateError(
            "there is no folder where answers of yours could be kept",
            why="there is no home folder, or the cache folder in it belongs to others too",
            next_step="ls -ld ~/.cache/review-gate",
        )
    return cache


def _document(cache: AnswerCache, report: CacheReport, removed: int) -> str:
    limits = {"max_entries": cache.max_entries, "max_bytes": cache.max_bytes}
    return json.dumps({**report.model_dump(mode="json"), **limits, "removed": removed}, indent=2)


def _text(cache: AnswerCache, report: CacheReport, now: datetime) -> str:
    rows = [
        ("answers", f"{report.entries:,} of at most {cache.max_entries:,}"),
        ("size", f"{_size(report.bytes)} of at most {_size(cache.max_bytes)}"),
    ]
    if report.oldest and report.newest:
        rows += [("oldest", age(report.oldest.isoformat(), now)), ("newest", age(report.newest.isoformat(), now))]
    return "\n".join(f"{name:<9} {value}" for name, value in rows)


def _size(count: int) -> str:
    for least, unit in UNITS:
        if count >= least:
            return f"{count / least:.1f} {unit}"
    return f"{count} bytes"
