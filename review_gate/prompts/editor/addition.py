"""What is put into a prompt: one item each, at the end of the part that it is for."""

from __future__ import annotations

from collections.abc import Sequence

from review_gate.prompts.editor.layout import ITEM, bullet_after, heading_for, lines_of, newline_of, part_for
from review_gate.prompts.editor.proposal import Proposal, folded
from review_gate.prompts.schema import Target


def missing(text: str, additions: Sequence[Proposal]) -> tuple[Proposal, ...]:
    """The additions that a prompt does not hold yet, word for word."""
    known = " ".join(text.split()).casefold()
    return tuple(one for one in additions if folded(one.new) not in known)


def with_additions(text: str, additions: Sequence[Proposal]) -> str:
    """The prompt with all of some additions, part by part; nothing that was there is touched."""
    for target in Target:
        values = [one.new for one in additions if one.target is target]
        if values:
            text = _with_items(text, target, values)
    return text


def _with_items(text: str, target: Target, values: Sequence[str]) -> str:
    newline = newline_of(text)
    lines = lines_of(text)
    part = part_for(target, lines)
    if part is None:
        begun = f"{_gap(text, newline)}{heading_for(target, lines)}"
        items = "".join(f"{newline}{_item('- ', value, newline)}" for value in values)
        return f"{text}{begun}{items}{newline if text.endswith(newline) else ''}"
    last, added = part.last, ""
    for value in values:
        item = _item(bullet_after(last), value, newline)
        added += f"{newline}{item}"
        last = last._replace(text=item.split(newline)[0], is_fenced=False)
    return f"{text[: part.end]}{added}{text[part.end :]}"


def _item(bullet: str, value: str, newline: str) -> str:
    """A value as an item of a list, its further lines below its first one; a list of its own stays as it is."""
    first, *more = value.split("\n")
    if _is_list(value):
        return newline.join([first, *more])
    return newline.join([f"{bullet}{first}", *(f"{' ' * len(bullet)}{line}" if line.strip() else "" for line in more)])


def _is_list(value: str) -> bool:
    return all(line.is_inner or not line.text or ITEM.match(line.text) for line in lines_of(value))


def _gap(text: str, newline: str) -> str:
    """What keeps a new part apart from the text before it."""
    if not text.strip():
        return ""
    return newline if text.endswith(newline) else newline * 2
