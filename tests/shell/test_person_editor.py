"""The editor of the person at the terminal: where it cannot be opened, nothing is decided and nothing breaks."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import pytest

from review_gate.shell.editor import edited_by_person

# The file is the last argument.
EDITOR = f"{sys.executable} -c \"import sys; open(sys.argv[1], 'a').write(' More.')\""


def test_what_the_person_makes_of_a_text_comes_back() -> None:
    assert edited_by_person("One.\r\nTwo.", {"EDITOR": EDITOR}) == "One.\r\nTwo. More."


def test_without_room_for_the_file_nothing_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    assert edited_by_person("One.", {"EDITOR": EDITOR}) is None
