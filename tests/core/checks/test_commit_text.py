"""What the header of a commit holds that people wrote."""

from __future__ import annotations

import pytest

from review_gate.checks.commit_text import header_texts

TREE = b"tree 5f3a\nparent 9c5f\n"
AUTHOR = b"author A B <a@b> 1700000000 +0100\n"
TAG = b"mergetag object 5f\n type commit\n tag v1\n tagger T <t@u> 1 +0000\n \n Words\n  indented\n"
HEADERS = {
    "one person": (AUTHOR + AUTHOR.replace(b"author", b"committer"), [("the author", b"A B <a@b>")]),
    "two people": (
        AUTHOR + b"committer C <> 1 +0000\n",
        [("the author", b"A B <a@b>"), ("the committer", b"C <>")],
    ),
    "a merged tag": (
        AUTHOR + TAG,
        [
            ("the author", b"A B <a@b>"),
            ("a merged tag", b"object 5f\ntype commit\ntag v1\ntagger T <t@u> 1 +0000\n\nWords\n indented"),
        ],
    ),
    "a signature and an encoding": (
        AUTHOR + b"encoding x\ngpgsig -----BEGIN\n author N <n> 1 +0000\n -----END\n",
        [("the author", b"A B <a@b>")],
    ),
    "nobody": (b"", []),
}


@pytest.mark.parametrize(("header", "texts"), HEADERS.values(), ids=HEADERS)
def test_names_and_merged_tags_are_read_from_the_header_only(header: bytes, texts: list[tuple[str, bytes]]) -> None:
    assert header_texts(TREE + header + b"\nauthor of nothing\n") == texts
