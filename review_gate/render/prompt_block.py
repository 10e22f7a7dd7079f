"""The review block: who looked at a prompt, what would change, and the prompt as it would go on."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

from review_gate.prompts.outcome import PromptReview
from review_gate.prompts.schema import PromptFinding, Role
from review_gate.render import prompt_words as words
from review_gate.render.word_diff import shown_diff
from review_gate.safe_text import safe, safe_line

WIDTH = 78
QUESTION = "Proceed with the refined prompt? (yes / no / edit) "
AS_IT_IS = "prompt review: the prompt goes on as it is: {}"
NEXT = "next:  review-gate prompt-review decide {} yes (or no, or edit --text FILE)"
NO_CHANGES = "The reviewers propose no changes."
SAYS_SO = "The prompt says already what the reviewers propose."
NONE_APPLIED = "Nothing of what the reviewers propose was applied."


def block(review: PromptReview, *, is_colored: bool = False, shows_diff: bool = False) -> str:
    """The whole block; on a terminal with the words that change instead of the prompt alone."""
    lines = ["+-- Prompt Review ".ljust(WIDTH - 1, "-") + "+", *_boxed([""]), *_boxed(_heading(review))]
    for title, body in _sections(review, is_colored=is_colored, shows_diff=shows_diff):
        lines += [
            *_boxed(["", f"-- {title} ".ljust(WIDTH - 4, "-"), ""]),
            *(_boxed(body) if title not in _VERBATIM else _bare(body)),
        ]
    return "\n".join([*lines, *_boxed([""]), f"+{'-' * (WIDTH - 2)}+"])


_VERBATIM = ("Refined Prompt", "Diff")


def _heading(review: PromptReview) -> Iterator[str]:
    """Who looked, and what it took."""
    told = [f"{one.role.label} {words.standing_of(one)}" for one in review.reviewers]
    if told:
        yield from _wrapped("Reviewers: " + "  ".join(told), " " * 11)
        yield words.cost_of(review)
    for remark in words.remarks_of(review):
        yield from _wrapped(remark, "  ")


def _sections(review: PromptReview, *, is_colored: bool, shows_diff: bool) -> Iterator[tuple[str, list[str]]]:
    edited = review.edited
    if edited is None:
        if review.status == "editor_failed":
            yield f"Critiques ({review.findings_count})", list(_critiques(review))
        return
    changes = words.changes_of(edited)
    # What was proposed and did not come about is no silence.
    is_other = edited.conflicts or edited.unplaced
    why_none = NONE_APPLIED if is_other else SAYS_SO if edited.known else NO_CHANGES
    told = [line for one in changes for line in (*_item(f"{one.sign} [{one.who}] {one.verb}: {one.what}"), "")]
    yield f"Changes ({len(changes)})", told[:-1] or [why_none]
    if edited.conflicts:
        conflicts = [line for one in edited.conflicts for line in _item(f"- {words.resolution(one)}")]
        yield f"Conflicts ({len(edited.conflicts)})", conflicts
    if edited.unplaced:
        told = [f"- {words.said_of(one)}: {words.why_unplaced(one)}" for one in edited.unplaced]
        yield f"Not applied ({len(edited.unplaced)})", [line for one in told for line in _item(one)]
    if review.remarks:
        yield f"Without an edit ({len(review.remarks)})", [line for one in review.remarks for line in _remark(*one)]
    if edited.text != review.prompt and shows_diff:
        yield "Diff", shown_diff(review.prompt, edited.text, is_colored=is_colored).split("\n")
    elif edited.text != review.prompt:
        yield "Refined Prompt", safe(edited.text.replace("\r\n", "\n")).split("\n")


def _critiques(review: PromptReview) -> Iterator[str]:
    """What reviewers said, as it is: the editor could make nothing of it."""
    for one in review.critiques:
        for finding in one.findings:
            yield from _remark(one.role, finding)


def _remark(role: Role, finding: PromptFinding) -> list[str]:
    return _item(f"- [{role.label}] {finding.severity.value}: {finding.issue}")


def _item(text: str) -> list[str]:
    return _wrapped(text, "  ")


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(safe_line(text), WIDTH - 4, subsequent_indent=indent, break_on_hyphens=False) or [""]


def _boxed(lines: Iterable[str]) -> list[str]:
    return [f"| {line.ljust(WIDTH - 4)} |" for line in lines]


def _bare(lines: Iterable[str]) -> list[str]:
    """A prompt is not cut into the width of a box: whoever copies it gets its own lines."""
    return [f"| {line}".rstrip() for line in lines]
