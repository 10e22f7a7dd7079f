"""Templates of drafts: a repository's own win over those shipped, and none is read that is not a plain small text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from review_gate.errors import MisuseError
from review_gate.shell.prompt_templates import MAX_BYTES, OWN, SHIPPED_WITH, Template, template_of, templates


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    own = tmp_path / "top" / OWN
    own.mkdir(parents=True)
    return own


def top_of(folder: Path) -> str:
    return str(folder.parents[1])


def refusal(folder: Path, name: str = "mine") -> str:
    with pytest.raises(MisuseError) as raised:
        template_of(top_of(folder), name)
    return raised.value.what


BROKEN: dict[str, tuple[Callable[[Path], object], str]] = {
    "a link": (lambda path: path.symlink_to("/etc/hostname"), "it is a symbolic link"),
    "a folder": (lambda path: path.mkdir(), "it is not a regular file"),
    "too large": (lambda path: path.write_bytes(b"x" * (MAX_BYTES + 1)), "it is 100001 bytes long, more than 100000"),
    "not UTF-8": (lambda path: path.write_bytes(b"ab\xff"), "it is not UTF-8 at byte 2"),
    "blank": (lambda path: path.write_bytes(b"\xef\xbb\xbf \n"), "it says nothing"),
}


@pytest.mark.parametrize(("make", "what"), BROKEN.values(), ids=BROKEN)
def test_a_template_that_is_no_plain_text_is_refused_and_listed_with_the_reason(
    folder: Path, make: Callable[[Path], object], what: str
) -> None:
    make(folder / "mine.md")
    assert refusal(folder) == f"{OWN}/mine.md: {what}"
    assert Template(name="mine", place=f"{OWN}/mine.md", problem=what) in templates(top_of(folder))


def test_a_broken_template_does_not_fall_back_to_the_shipped_one(folder: Path) -> None:
    (folder / "healthcheck.md").write_text("")
    assert refusal(folder, "healthcheck") == f"{OWN}/healthcheck.md: it says nothing"


def test_a_folder_that_is_a_link_is_not_followed(folder: Path, tmp_path: Path) -> None:
    (folder / "mine.md").write_text("x\n")
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    assert refusal(folder) == f"{OWN}/mine.md: its folder is a link, or lies behind one"


def test_the_shipped_ones_are_texts_without_a_form_for_the_draft(folder: Path) -> None:
    found = [(one.name, one.place) for one in templates(top_of(folder))]
    assert found == [("architecture-review", SHIPPED_WITH), ("healthcheck", SHIPPED_WITH)]
    for one in templates(top_of(folder)):
        assert "JSON" not in template_of(top_of(folder), one.name).text


@pytest.mark.parametrize("name", ["..", "a/b", "A", "a" * 65, "a\n"])
def test_a_name_that_could_lead_elsewhere_is_refused(folder: Path, name: str) -> None:
    assert refusal(folder, name).endswith(" is no type of draft")
    assert refusal(folder, name).isprintable()
