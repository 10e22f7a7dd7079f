"""Whether exactly the text of a plan that an agent wants to carry out was approved."""

from __future__ import annotations

import os
from collections.abc import Mapping
from hashlib import sha256
from shlex import quote

from review_gate.errors import ReviewGateError
from review_gate.workflows.plan_record import standing_now
from review_gate.workflows.plan_setup import named


def approval_problem(plan: str, path: str, environ: Mapping[str, str]) -> tuple[str, str]:
    """Why it is not approved, and what to type; two empty texts where it is."""
    if not path or not os.path.isfile(path):
        where = f"its file {path} is not there" if path else "the agent names no file of it"
        return (
            f"nobody can say that this plan was approved: {where}",
            "write the plan to its file, then review-gate expert-review FILE",
        )
    review = f"review-gate expert-review {quote(path)}"
    try:
        now = standing_now(named(path, environ))
    except ReviewGateError as error:
        # What plans are judged by is the user's to write.
        return f"the approval of this plan cannot be read: {error.what}", f"ask the user: {error.next_step}"
    if now.plan != sha256(plan.encode("utf-8", "surrogatepass")).hexdigest():
        return "the plan is not the text that its file holds", f"write it to {path}, then {review}"
    return ("", "") if now.standing.status == "approved" else (now.standing.reason, review)
