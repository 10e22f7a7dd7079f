"""What the commit hooks found, for a terminal."""

from __future__ import annotations

from review_gate.safe_text import safe_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.reviewers.problem import Problem
    from review_gate.reviewers.result import HookResult

SHOWN = 50


def problems_text(result: HookResult) -> str:
    """All problems, worst first, and what to do; nothing when there is nothing to say."""
    shown = [problem for problem in result.problems if problem[1].severity != "info"]
    if not shown and not result.failures:
        return ""
    lines = [_line(place, problem) for place, problem in shown[:SHOWN]]
    if len(shown) > SHOWN:
        lines.append(f"  ... and {len(shown) - SHOWN} more")
    lines += [f"  could not run: {safe_line(failure)}" for failure in result.failures]
    if not result.is_blocking:
        return "\n".join([f"review-gate: {_count(len(shown), 'warning')} in {result.what}", *lines]) + "\n"
    count = len(result.blocking) + len(result.failures)
    return "\n".join([f"blocked: {_count(count, 'problem')} in {result.what}", *lines, _next(result)]) + "\n"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _next(result: HookResult) -> str:
    return f"  next:  {safe_line(result.next_step)}"


def _line(place: str, problem: Problem) -> str:
    where = f"{place}:{problem.line}" if problem.line else place
    return f"  {safe_line(where)}: {safe_line(problem.message)} [{problem.rule}]"
