"""Which language a file is in, and that comments of every one are told and can suppress."""

from __future__ import annotations

import pytest
from alarming import rule

from review_gate.checks.applies import Page, applies
from review_gate.checks.languages import LANGUAGES, language_of, may_be_in
from review_gate.checks.structure import structure_of
from review_gate.checks.suppress import suppressions_in

COMMENTS = {
    **dict.fromkeys(LANGUAGES, "// HERE"),
    **dict.fromkeys(("python", "ruby", "shell", "powershell", "yaml", "toml", "dockerfile", "makefile"), "# HERE"),
    **dict.fromkeys(("perl", "r", "julia", "elixir", "graphql", "cmake", "nix", "ini", "terraform", "php"), "# HERE"),
    **dict.fromkeys(("sql", "lua", "haskell"), "-- HERE"),
    **dict.fromkeys(("html", "xml"), "<!-- HERE -->"),
    "css": "/* HERE */",
    "clojure": "; HERE",
    "erlang": "% HERE",
    "ocaml": "(* HERE *)",
    "vb": "' HERE",
}
BEFORE = {"php": "<?php\n", "html": "<p>a</p>\n", "xml": "<a/>\n"}


@pytest.mark.parametrize("language", [name for name in LANGUAGES if name not in ("markdown", "text", "json")])
def test_comments_of_every_language_are_told_and_can_suppress(language: str) -> None:
    before, comment = BEFORE.get(language, "\n"), COMMENTS[language]
    text = f"{before}{comment}\n"
    assert structure_of(text, language).part_at(text.index("HERE")) == "comments"
    (found,) = suppressions_in(text.replace("HERE", "review-gate: ignore[a] known"), language)
    assert (found.ids, found.problem) == (("a",), None)


PATHS = {
    "a.lua": "lua",
    "CMakeLists.txt": "cmake",
    "notes.txt": "text",
    ".env": "ini",
    ".bashrc": "shell",
    "a.h": "c",
    "a.unknown": "",
}


@pytest.mark.parametrize(("path", "language"), PATHS.items(), ids=PATHS)
def test_a_name_tells_the_language(path: str, language: str) -> None:
    assert language_of(path) == language


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("#!/usr/bin/env -S uv run --script", "python"),
        ("#!/usr/bin/perl -w", "perl"),
        ("#!/bin/false", ""),
    ],
)
def test_the_first_line_tells_the_language(line: str, language: str) -> None:
    assert language_of("tool", line.encode() + b"\n") == language


def test_a_header_may_be_of_both_languages() -> None:
    header = Page("a.h", b"")
    assert [applies(rule(languages=[one]), header) for one in ("c", "cpp", "go")] == [True, True, False]
    assert not may_be_in("a.h", [])


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("-- HERE", {"code", "comments", "prose"}),
        ("x = 1 # HERE", {"code", "comments", "prose"}),
        ("x = HERE", {"code"}),
        ("a--HERE", {"code"}),
        ("-- one\nHERE", {"code"}),
    ],
)
def test_in_an_unknown_language_what_may_be_a_comment_is_any_part(line: str, parts: set[str]) -> None:
    structure = structure_of(line, "")
    assert {part for part in ("code", "comments", "prose") if structure.is_in(line.index("HERE"), [part])} == parts
