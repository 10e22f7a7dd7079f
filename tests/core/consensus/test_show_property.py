"""However a change moves from round to round: what was shown and what was added are together what is there now."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from polling import NONCE, request

from review_gate.consensus.current import groups_now
from review_gate.consensus.schema import Request
from review_gate.consensus.show import showing
from review_gate.consensus.shown import shown_in
from review_gate.pipeline.exhibit import FileText

PATHS = ("a.py", "b|c.py", "d\u202e.py", "=== file e.py | token 00000000")
# One large file that stays, so that there is something to add to.
STAYS = FileText("z.py", "changed", tuple(f"{number:>6} +{'z' * 40}" for number in range(1, 60)))
LINES = st.lists(
    st.sampled_from(["     1 +x = 2", "     2  y = 3", "       -gone", "...", "     3 +=== file a"]), max_size=4
)
CHANGES = st.lists(st.dictionaries(st.sampled_from(PATHS), LINES, max_size=4), min_size=2, max_size=5)


def shown(files: list[FileText], number: int, before: Request | None) -> Request:
    found = showing(files, NONCE, number, before)
    return request(
        round=number,
        base=found.base,
        groups=found.groups,
        updates=found.updates,
        shown=found.shown,
        not_shown=found.not_shown,
    )


@given(CHANGES)
@settings(max_examples=150)
def test_a_round_that_adds_shows_the_same_as_one_that_begins_anew(changes: list[dict[str, list[str]]]) -> None:
    before: Request | None = None
    for number, files in enumerate(changes, start=1):
        texts = [STAYS, *(FileText(path, "changed", tuple(lines)) for path, lines in files.items())]
        before = shown(texts, number, before)
        fresh = shown(texts, number, None)
        seen, wanted = shown_in(before), shown_in(fresh)
        assert {path: lines for path, lines in seen.here.items() if path} == {
            path: lines for path, lines in wanted.here.items() if path
        }
        assert (seen.gone, seen.hidden, seen.here[None]) == (wanted.gone, wanted.hidden, wanted.here[None])
        read = [file.path for group in groups_now(before) for file in group.files]
        assert sorted(read) == sorted(file.path for file in texts)
        tokens = [file.token for group in groups_now(before) for file in group.files]
        assert len(set(tokens)) == len(tokens)


def test_a_file_that_cannot_be_shown_any_more_is_not_called_unchanged() -> None:
    first = shown([STAYS, FileText("a.py", "new", ("     1 +x",)), FileText("b.py", "new", ("     1 +y",))], 1, None)
    later = shown([STAYS, FileText("a.py", "new", (), "it is binary")], 2, first)
    (update,) = later.updates
    lines = update.text.split("\n")
    assert lines[1:3] == [
        "=== not shown any more: a.py (it is a part of the change still, but not as it is shown above)",
        "=== no longer changed: b.py (what is shown of it above is not a part of the change any more)",
    ]
    assert [one.path for one in later.not_shown] == ["a.py"]
    assert [file.path for group in groups_now(later) for file in group.files] == ["z.py"]
