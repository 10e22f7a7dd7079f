"""docs/stats.md shows what the program prints, and its picture is small enough to be looked at."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from auditing import log
from conftest import Repo
from stats_history import write_month

from review_gate.prompts.history.audit import AuditEntry

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "stats.md").read_text(encoding="utf-8")


def console(command: str) -> str:
    found = re.search(rf"```console\n\$ {re.escape(command)}\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return found[1]


@pytest.fixture
def month(tmp_path: Path, world: dict[str, str]) -> Repo:
    (tmp_path / "outside").mkdir()
    write_month(Path(world["HOME"]))
    return Repo(tmp_path / "outside", world | {"GIT_CEILING_DIRECTORIES": str(tmp_path)})


@pytest.mark.parametrize(
    "command",
    [
        "review-gate stats",
        "review-gate stats --project shop-api --since 2026-02-16",
        "review-gate stats --since last-week",
        "review-gate stats --format html --output history.html",
    ],
)
def test_what_the_page_shows_is_what_is_printed(month: Repo, command: str) -> None:
    done = month.run(*command.split())
    assert done.stdout + done.stderr == console(command)


def test_the_beginning_of_a_history_of_the_page(tmp_path: Path, month: Repo) -> None:
    done = month.gate("stats", HOME=str(tmp_path / "nobody"))
    assert f"$ review-gate stats\n{done.stdout}" in PAGE


def test_the_entry_of_the_page_is_one(tmp_path: Path) -> None:
    (example,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    made = AuditEntry.model_validate_json(example)
    assert {*json.loads(example)} == {*AuditEntry.model_fields}
    log(tmp_path, made)


def test_the_picture_is_there_and_small() -> None:
    (name,) = re.findall(r"!\[.+\]\((images/\S+)\)", PAGE)
    picture = (DOCS / name).read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert len(picture) < 150_000
