"""The document behind a ledger ref: what is kept of each review, so that every hook can read the whole of it."""

from __future__ import annotations

from review_gate.gate.record import DOCUMENT_VERSION, MAX_DOCUMENT_BYTES
from review_gate.severity import BLOCKING

# Far more than one commit ever needs. The oldest go first; failures that still stand are in every newer review too.
KEPT_REVIEWS = 200
WHOLE_REVIEWS = 4
SLIM_FINDINGS, SLIM_LETTERS = 3, 200
DETAILS = ("loop_results", "not_reviewed")
LOOP_FACTS = ("number", "status", "is_kept")
REVIEWER_FACTS = ("id", "status", "is_kept", "is_of_commits", "is_required", "via")
MODEL_FACTS = ("provider", "model")

Json = dict[str, object]


def entry_bytes(subject: str, reviews: list[Json]) -> bytes:
    """The document of these reviews, oldest first, within what the gate reads."""
    recent = reviews[-KEPT_REVIEWS:]
    data = _document(subject, [*(slim(review) for review in recent[:-WHOLE_REVIEWS]), *recent[-WHOLE_REVIEWS:]])
    if len(data) > MAX_DOCUMENT_BYTES:
        recent = [slim(review) for review in recent]
        data = _document(subject, recent)
    while len(data) > MAX_DOCUMENT_BYTES and len(recent) > 1:
        recent = recent[len(recent) // 2 :]
        data = _document(subject, recent)
    return data


def _document(subject: str, reviews: list[Json]) -> bytes:
    import json

    return json.dumps({"version": DOCUMENT_VERSION, "subject": subject, "reviews": reviews}, indent=1).encode("ascii")


def slim(review: Json) -> Json:
    """A review without its details, but for who passed and who failed: a later run must not hide a failure."""
    kept = {key: value for key, value in review.items() if key not in DETAILS}
    kept["blockers"] = _short_texts(review.get("blockers"))
    loops = review.get("loop_results")
    if isinstance(loops, list):
        kept["loop_results"] = [_slim_loop(loop) for loop in loops if isinstance(loop, dict)]
    return kept


def _slim_loop(loop: Json) -> Json:
    reviewers = loop.get("reviewers")
    results = [one for one in reviewers if isinstance(one, dict)] if isinstance(reviewers, list) else []
    silent = loop.get("passed_silently")
    quiet = [one.get("id") for one in results if _has_passed(one) and not _was_asked(one)]
    passed = [*(silent if isinstance(silent, list) else ()), *quiet]
    named = [_slim_reviewer(one) for one in results if one.get("status") == "failed"]
    # What a session or a model found is taken back by whoever was asked again, and not by patterns.
    named += [_slim_facts(one) for one in results if _has_passed(one) and _was_asked(one)]
    told = {"blockers": _short_texts(loop.get("blockers")), "reviewers": named, "passed_silently": passed}
    return {key: loop[key] for key in LOOP_FACTS if key in loop} | {key: value for key, value in told.items() if value}


def _has_passed(reviewer: Json) -> bool:
    return reviewer.get("status") == "passed"


def _was_asked(reviewer: Json) -> bool:
    return isinstance(reviewer.get("model"), dict) or reviewer.get("via") is not None


def _slim_facts(reviewer: Json) -> Json:
    model = reviewer.get("model")
    kept = {key: reviewer[key] for key in REVIEWER_FACTS if key in reviewer}
    facts = {key: model[key] for key in MODEL_FACTS if key in model} if isinstance(model, dict) else {}
    return kept | ({"model": facts} if facts else {})


def _slim_reviewer(reviewer: Json) -> Json:
    findings = reviewer.get("findings")
    told = [one for one in findings if isinstance(one, dict)] if isinstance(findings, list) else []
    blocking = [one for one in told if one.get("severity") in BLOCKING][:SLIM_FINDINGS]
    return _slim_facts(reviewer) | {"findings": [_slim_finding(one) for one in blocking]}


def _slim_finding(finding: Json) -> Json:
    return {
        key: value[:SLIM_LETTERS] if isinstance(value, str) else value
        for key, value in finding.items()
        if key not in ("evidence", "recommendation")
    }


def _short_texts(values: object) -> list[str]:
    return [str(value)[:SLIM_LETTERS] for value in values[:SLIM_FINDINGS]] if isinstance(values, list) else []
