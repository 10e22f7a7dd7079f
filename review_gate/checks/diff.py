"""A unified diff that git can apply, made in bounded time for texts of any length."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

CONTEXT = 3
# A stretch without lines to hold on to is compared line by line up to this many pairs, else it is replaced as a whole.
MAX_PAIRS = 40_000
_ESCAPES = {7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r", 34: '"', 92: "\\"}
_NO_LINE_END = "\\ No newline at end of file\n"

# Old lines from, to; new lines from, to: counted from 0, the ends are not included.
Block = tuple[int, int, int, int]


def unified_diff(path: str, old: str, new: str) -> str:
    """What changes between two versions of a file; "" when nothing does."""
    if old == new:
        return ""
    before, after = _lines(old), _lines(new)
    names = [quoted_path(f"{side}/{path}") for side in "ab"]
    pieces = [f"diff --git {names[0]} {names[1]}\n", f"--- {_ended(names[0])}\n", f"+++ {_ended(names[1])}\n"]
    for group in _groups(changed_blocks(before, after)):
        pieces += _hunk(group, before, after)
    return "".join(pieces)


def quoted_path(path: str) -> str:
    """A path as git writes it: in quotes with escapes when a byte of it is not plain ASCII."""
    data = path.encode("utf-8", "surrogateescape")
    if all(32 <= byte < 127 and byte not in _ESCAPES for byte in data):
        return path
    return '"' + "".join(map(_escaped, data)) + '"'


def _escaped(byte: int) -> str:
    if byte in _ESCAPES:
        return "\\" + _ESCAPES[byte]
    return chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}"


def _ended(name: str) -> str:
    """A tab says where a name with blanks ends."""
    return name + "\t" if " " in name else name


def _lines(text: str) -> list[str]:
    """The lines as git counts them: only LF ends one."""
    lines = text.split("\n")
    last = lines.pop()
    return [line + "\n" for line in lines] + ([last] if last else [])


def changed_blocks(before: Sequence[str], after: Sequence[str]) -> Iterator[Block]:
    """The stretches of lines that differ, in order."""
    old, new = 0, 0
    for old_anchor, new_anchor in [*_anchors(before, after), (len(before), len(after))]:
        if old_anchor >= old and new_anchor >= new:
            yield from _between(before, after, (old, old_anchor, new, new_anchor))
            old, new = old_anchor + 1, new_anchor + 1


def _anchors(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int]]:
    """Lines that stand once in both versions, as many as keep their order."""
    once_before, once_after = _once(before), _once(after)
    pairs = [(place, once_after[line]) for line, place in once_before.items() if line in once_after]
    return _longest_rise(pairs)


def _once(lines: Sequence[str]) -> dict[str, int]:
    counts = Counter(lines)
    return {line: place for place, line in enumerate(lines) if counts[line] == 1}


def _longest_rise(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest run of pairs whose second numbers rise too."""
    tails: list[int] = []
    tops: list[int] = []
    below: list[int] = []
    for index, (_, new) in enumerate(pairs):
        height = bisect_left(tails, new)
        below.append(tops[height - 1] if height else -1)
        tails[height : height + 1] = [new]
        tops[height : height + 1] = [index]
    chain = []
    index = tops[-1] if tops else -1
    while index >= 0:
        chain.append(pairs[index])
        index = below[index]
    return chain[::-1]


def _between(before: Sequence[str], after: Sequence[str], block: Block) -> Iterator[Block]:
    """The differences in a stretch between two anchors."""
    old, old_end, new, new_end = block
    while old < old_end and new < new_end and before[old] == after[new]:
        old, new = old + 1, new + 1
    while old < old_end and new < new_end and before[old_end - 1] == after[new_end - 1]:
        old_end, new_end = old_end - 1, new_end - 1
    if old == old_end and new == new_end:
        return
    if old == old_end or new == new_end or (old_end - old) * (new_end - new) > MAX_PAIRS:
        yield old, old_end, new, new_end
        return
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(None, before[old:old_end], after[new:new_end], autojunk=False)
    for tag, first, last, other, end in matcher.get_opcodes():
        if tag != "equal":
            yield old + first, old + last, new + other, new + end


def _groups(blocks: Iterable[Block]) -> Iterator[list[Block]]:
    """Blocks that stand so near to each other that their context meets."""
    group: list[Block] = []
    for block in blocks:
        if group and block[0] - group[-1][1] > 2 * CONTEXT:
            yield group
            group = []
        group.append(block)
    if group:
        yield group


def _hunk(group: Sequence[Block], before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    old, new = group[0][0], group[0][2]
    lead = min(CONTEXT, old)
    old, new = old - lead, new - lead
    tail = min(CONTEXT, len(before) - group[-1][1])
    old_end, new_end = group[-1][1] + tail, group[-1][3] + tail
    yield f"@@ -{_range(old, old_end)} +{_range(new, new_end)} @@\n"
    for first, last, other, end in group:
        yield from (_shown(" ", line) for line in before[old:first])
        yield from (_shown("-", line) for line in before[first:last])
        yield from (_shown("+", line) for line in after[other:end])
        old = last
    yield from (_shown(" ", line) for line in before[old:old_end])


def _range(start: int, end: int) -> str:
    if end - start == 1:
        return str(start + 1)
    return f"{start + 1 if end > start else start},{end - start}"


def _shown(mark: str, line: str) -> str:
    return mark + line if line.endswith("\n") else f"{mark}{line}\n{_NO_LINE_END}"
