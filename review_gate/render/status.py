"""The status screen."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime

from review_gate.gate.decision import Decision
from review_gate.gate.record import short
from review_gate.gate.state_view import StateView
from review_gate.models import Frozen
from review_gate.render.decision import decision_document
from review_gate.safe_text import safe, safe_line

UNSEEN_SHOWN = 3
BLOCKERS_SHOWN = 10
MEND_HOOKS = "review-gate install"
# What each hook refuses when it cannot judge.
REFUSALS = {"pre-commit": "commit", "commit-msg": "commit", "pre-push": "push"}
REVIEW_KEYS = (
    "id", "commit", "tree", "base", "policy", "started", "finished", "loops", "verdict", "blockers", "blocker_count",
    "via_session",
)  # fmt: skip


class Status(Frozen, arbitrary_types_allowed=True):
    """The facts of the status screen."""

    commit: str | None
    branch: str | None
    subject: str
    decision: Decision | None
    review: dict[str, object] | None
    is_current: bool = False
    state: StateView | None
    state_error: str = ""
    state_file: str
    index_tree: str = ""
    head_tree: str = ""
    config_differs: bool = False
    push_command: str = ""
    hooks: tuple[str, ...]
    dead_hooks: tuple[str, ...] = ()
    changed_hooks: tuple[str, ...] = ()
    hooks_folder: str
    hooks_are_tracked: bool = False
    managers: tuple[str, ...] = ()
    # False where a hook manager calls our hooks: its files cannot show what else may leave them out.
    is_verified: bool = True
    lost: tuple[str, ...] = ()
    unseen: tuple[dict[str, object], ...]


def status_text(status: Status, now: datetime) -> str:
    """Commit, loops, blockers, age, whether it is current, what to do next."""
    rows = [("commit", _commit(status)), *_review_rows(status, now), *_gate_rows(status), *_staged_rows(status)]
    if status.state_error:
        rows.append(("state", f"{status.state_file} cannot be used: {status.state_error}"))
    if status.config_differs:
        rows.append(("config", ".review-gate.yaml on disk, which is in force, is not the one in this commit"))
    rows.append(("hooks", _hooks(status)))
    for push in status.unseen[-UNSEEN_SHOWN:]:
        rows.append(("WARNING", f"a push went round the gate: {push.get('ref')} got {short(str(push.get('id')))}"))
    return "\n".join(f"{name:<9} {safe(value)}" for name, value in rows) + "\n"


def _commit(status: Status) -> str:
    if status.commit is None:
        return "none yet"
    return f"{short(status.commit)} ({safe_line(status.branch or 'detached HEAD')}) {safe_line(status.subject)}"


def _review_rows(status: Status, now: datetime) -> list[tuple[str, str]]:
    review = status.review
    if review is None:
        other = f"; the last review here is of {short(status.state.head_commit)}" if status.state else ""
        return [("review", f"none of this commit{other}"), ("current", "no")]
    rows = [("review", f"finished {age(str(review.get('finished')), now)}, against {short(str(review.get('base')))}")]
    rows.append(("current", "yes" if status.is_current else "no: it was made under another policy"))
    loops = review.get("loops")
    words = [str(word).replace("_", " ") for word in loops] if isinstance(loops, list) else []
    rows.append(("loops", ", ".join(f"{number} {word}" for number, word in enumerate(words, start=1))))
    session = review.get("via_session")
    if isinstance(session, list) and session:
        rows.append(("via", f"session: {safe_line(', '.join(map(str, session)))}"))
    blockers = review.get("blockers")
    if isinstance(blockers, list):
        rows += [("blocker", safe_line(str(blocker))) for blocker in blockers[:BLOCKERS_SHOWN]]
        left = int(str(review.get("blocker_count") or len(blockers))) - BLOCKERS_SHOWN
        if left > 0:
            rows.append(("blocker", f"and {left} more (review-gate run lists them all)"))
    return rows


def _gate_rows(status: Status) -> list[tuple[str, str]]:
    decision = status.decision
    if decision is None:
        return [("gate", "nothing to judge"), ("next", _once_hooks_work(status, "git commit, then review-gate run"))]
    words = decision.leading.words
    if not decision.allowed:
        step = _once_hooks_work(status, words.next_step)
        return [("gate", f"closed ({decision.reason}): {words.what}"), ("why", words.why), ("next", step)]
    step = status.push_command or "nothing: the upstream already has this commit"
    return [("gate", f"open: {words.what}"), ("next", _once_hooks_work(status, step))]


def _once_hooks_work(status: Status, step: str) -> str:
    """The next step, behind the one without which dead hooks would refuse it."""
    if not status.dead_hooks:
        return step
    return MEND_HOOKS if step.startswith("nothing") else f"{MEND_HOOKS}, then {step}"


def _staged_rows(status: Status) -> list[tuple[str, str]]:
    """The latest run, when it was of the index."""
    state = status.state
    if state is None or not state.is_staged or status.head_tree == state.tree:
        return []
    word = "passed its review" if state.ship_allowed else "did not pass its review"
    if status.index_tree != state.tree:
        return [("staged", f"the tree {short(state.tree)} {word}; the index has changed since")]
    after = (
        "commit it, and the commit inherits that" if state.ship_allowed else "fix, git add, review-gate run --staged"
    )
    return [("staged", f"the index (tree {short(state.tree)}) {word}: {after}")]


def _hooks(status: Status) -> str:
    problems = "; ".join(_hook_problems(status))
    if problems:
        # Where git tracks the hooks folder install refuses; the doctor tells what to do instead.
        return f"{problems} ({'review-gate doctor' if status.hooks_are_tracked else MEND_HOOKS})"
    by_way = f", by way of {', '.join(status.managers)}" if status.managers else ""
    return f"installed in {status.hooks_folder}{by_way}{'' if status.is_verified else ' (not verified)'}"


def _hook_problems(status: Status) -> Iterator[str]:
    dead, changed = status.dead_hooks, status.changed_hooks
    if dead:
        refused = " and ".join(dict.fromkeys(REFUSALS[hook] for hook in dead))
        which = ", ".join(dead)
        yield f"installed, but their interpreter or package is gone: {which}; every {refused} is refused"
    if changed:
        yield f"edited, or another review-gate's: {', '.join(changed)}"
    missing = [hook for hook in REFUSALS if hook not in (*status.hooks, *dead, *changed)]
    if missing:
        yield f"not installed: {', '.join(missing)}" + ("; nothing stops a push" if "pre-push" in missing else "")
    if missing and status.lost:
        yield f"the call in {', '.join(status.lost)} may be in vain (why: review-gate doctor)"


def age(timestamp: str, now: datetime) -> str:
    """How long ago, in words; a clock that was set back never makes a negative age."""
    try:
        then = datetime.fromisoformat(timestamp)
    except ValueError:
        return "at an unknown time"
    if then.tzinfo is None:
        then = then.replace(tzinfo=UTC)
    seconds = (now - then).total_seconds()
    if seconds < -60:
        return "in the future (check the clock)"
    for size, noun in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= size:
            count = int(seconds // size)
            return f"{count} {noun}{'' if count == 1 else 's'} ago"
    return "just now"


def status_json(status: Status) -> str:
    """The status for programs."""
    review = status.review
    return json.dumps(
        {
            "commit": status.commit,
            "branch": status.branch,
            "review": {key: review.get(key) for key in REVIEW_KEYS} if review else None,
            "current": status.is_current,
            "decision": decision_document(status.decision) if status.decision else None,
            "config_differs": status.config_differs,
            "state_file": status.state_file,
            "state_error": status.state_error or None,
            "hooks": list(status.hooks),
            "dead_hooks": list(status.dead_hooks),
            "changed_hooks": list(status.changed_hooks),
            "managers": list(status.managers),
            "unseen_pushes": list(status.unseen),
        },
        indent=2,
    )
