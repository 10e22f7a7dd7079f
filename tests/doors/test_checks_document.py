"""docs/checks.md: its fields are those of the schema, its files load, and its output is what the program prints."""

from __future__ import annotations

import re
from pathlib import Path

from conftest import Repo

from review_gate.checks.schema import CheckFile
from review_gate.config.fields import allowed_for
from review_gate.config.keys import setting_fields
from review_gate.render.config_text import value_text

PAGE = (Path(__file__).parents[2] / "docs/checks.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^`([^`\n]+)`:\n\n```\w+\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE))
CONSOLES = re.findall(r"^```console\n\$ review-gate ([^\n]+)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def write_files(repo: Repo) -> None:
    for name, content in FILES.items():
        place = Path(repo.environ["HOME"]) / name[2:] if name.startswith("~/") else repo.path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(content)
    repo.write(".review-gate.yaml", "checks: {packs: []}\n")


def test_the_document_lists_every_field_with_its_default() -> None:
    def default(field: object) -> str:
        value = field.get_default(call_default_factory=True)  # type: ignore[attr-defined]  # a field of pydantic
        return f"`{value_text(getattr(value, 'value', value))}`"

    rows = [
        (key, "required" if field.is_required() else default(field), allowed_for(field), field.description)
        for key, field in setting_fields(CheckFile)
    ]
    table = PAGE.partition("| key | default | allowed | meaning |\n| --- | --- | --- | --- |\n")[2].partition("\n\n")[0]
    assert table.splitlines() == [f"| `{key}` | {first} | {allowed} | {said} |" for key, first, allowed, said in rows]


def test_the_document_shows_what_the_program_prints(repo: Repo) -> None:
    write_files(repo)
    assert len(CONSOLES) == 3
    for command, shown in CONSOLES:
        done = repo.gate(*command.split())
        assert (done.returncode, done.stdout, done.stderr) == (0, shown, ""), command


def test_documented_mistakes_are_said_in_these_words(repo: Repo) -> None:
    write_files(repo)
    path = repo.path / "checks/project.yaml"
    path.write_text(path.read_text().replace("match_rule: regex", "match_rule: regx").replace("category", "categry"))
    done = repo.gate("checks", "list")
    (shown,) = re.findall(r"^```text\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    told = [line.strip().removeprefix("error: ") for line in done.stderr.splitlines() if "project.yaml:" in line]
    assert told[:-1] == shown.splitlines()
