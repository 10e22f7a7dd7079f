"""A decision of the gate for people and for programs."""

from __future__ import annotations

from review_gate.gate.record import short
from review_gate.safe_text import safe, safe_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.gate.decision import Decision, RefDecision

REFS_SHOWN = 10


def decision_text(decision: Decision) -> str:
    """What happened, why it matters, what to type next; one block for each closed ref, worst first."""
    if decision.allowed:
        return f"approved: {safe_line(decision.leading.words.what)}\n"
    blocks = [_block(ref, several=len(decision.refs) > 1) for ref in decision.closed[:REFS_SHOWN]]
    if len(decision.closed) > REFS_SHOWN:
        blocks.append(f"... and {len(decision.closed) - REFS_SHOWN} more refs are blocked\n")
    return "".join(blocks)


def unreviewed_text(decision: Decision) -> str:
    """One honest line on commits that a push is allowed to name again though nobody reviewed them here."""
    commits = decision.unreviewed
    named = ", ".join(short(commit) for commit in commits[:REFS_SHOWN]) + (", ..." if len(commits) > REFS_SHOWN else "")
    which = f"commit {named}" if len(commits) == 1 else f"{len(commits)} commits ({named})"
    return f"review-gate: the remote already has {which}, not reviewed here\n"


def _block(ref: RefDecision, *, several: bool) -> str:
    lines = [f"blocked: {safe_line(ref.words.what)}"]
    if several and ref.ref is not None:
        lines.append(f"  ref:   {safe_line(ref.ref.local_ref)} -> {safe_line(ref.ref.remote_ref)}")
    lines.append(f"  why:   {safe_line(ref.words.why)}")
    lines.append(f"  next:  {safe_line(ref.words.next_step)}")
    return "\n".join(lines) + "\n"


def error_text(what: str, why: str, next_step: str, *, label: str = "blocked") -> str:
    """An error in the shape of a refusal."""
    indented = safe(why).replace("\n", "\n         ")
    return f"{label}: {safe(what)}\n  why:   {indented}\n  next:  {safe(next_step)}\n"


def decision_json(decision: Decision) -> str:
    """The decision with the keys that other tools rely on."""
    import json

    return json.dumps(decision_document(decision), indent=2)


def decision_document(decision: Decision) -> dict[str, object]:
    """The same before it is written."""
    leading = decision.leading
    return {
        "allowed": decision.allowed,
        "reason": decision.reason,
        "commit": leading.commit or None,
        "reviewed_commit": leading.reviewed_commit or None,
        "message": leading.words.what,
        "why": leading.words.why,
        "next": leading.words.next_step,
        "blockers": _blockers(decision),
        "uncovered": list(decision.uncovered),
        "refs": [_ref_entry(ref) for ref in decision.refs],
    }


def _blockers(decision: Decision) -> list[str]:
    """Every reason why the gate is closed: what reviewers found, else what the gate itself says."""
    found = [blocker for ref in decision.closed for blocker in (ref.words.blockers or (ref.words.what,))]
    return list(dict.fromkeys(found))


def _ref_entry(ref: RefDecision) -> dict[str, object]:
    return {
        "ref": ref.ref.local_ref if ref.ref else None,
        "remote_ref": ref.ref.remote_ref if ref.ref else None,
        "commit": ref.commit or None,
        "allowed": ref.allowed,
        "reason": ref.reason,
        "reviewed_commit": ref.reviewed_commit or None,
        "message": ref.words.what,
        "next": ref.words.next_step,
        "uncovered": list(ref.uncovered),
    }


def uncovered_text(decision: Decision, shown: int = 10) -> str:
    """The commits nobody reviewed, for a terminal."""
    if not decision.uncovered:
        return ""
    more = f", and {len(decision.uncovered) - shown} more" if len(decision.uncovered) > shown else ""
    return f"  not covered: {', '.join(short(commit) for commit in decision.uncovered[:shown])}{more}\n"
