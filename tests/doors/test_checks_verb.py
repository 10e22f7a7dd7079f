"""review-gate checks list: every check with its source, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Repo
from listing import CUT, RULES, TABLE, listed, origins, with_every_source


@pytest.fixture
def checked(repo: Repo) -> Repo:
    """A repository with checks from every kind of source but packs."""
    return with_every_source(repo)


# list


def test_the_list_shows_each_check_under_its_source_in_the_order_of_priority(checked: Repo) -> None:
    done = checked.gate("checks", "list")
    assert done.returncode == 0
    assert done.stdout == (
        "~/.claude/checks/global-checks.yaml\n"
        "  console                 info      literal         console\n"
        "\n"
        "checks/ours.yaml\n"
        "  no_eval                 critical  regex           \\beval\\(  eval runs whatever it is given\n"
        "\n"
        "rules/physics-antipatterns.md\n"
        "  physics_antipatterns_1  major     literal         G(p+q)    Loops: Two propagators. See 7\n"
        "\n"
        "CLAUDE.md\n"
        "  anti_pattern_1          major     literal         SELECT *  Name the columns\n"
        "\n"
        "4 checks from 4 sources, 2 shadowed (--shadowed shows them)\n"
    )
    assert done.stderr == f"warning: CLAUDE.md:6: {CUT}\nwarning: ~/.claude/CLAUDE.md:6: {CUT}\n"


def test_shadowed_checks_are_shown_with_who_won(checked: Repo) -> None:
    shown = checked.gate("checks", "list", "--shadowed").stdout.partition("Name the columns\n\n")[2]
    assert shown == (
        "shadowed: an earlier source has the same id\n"
        "  console                 console.log  checks/ours.yaml:16, by ~/.claude/checks/global-checks.yaml:1\n"
        "  anti_pattern_1          DROP TABLE   ~/.claude/CLAUDE.md:5, by CLAUDE.md:5\n"
        "\n"
        "4 checks from 4 sources, 2 shadowed\n"
    )


def test_it_works_outside_a_repository(checked: Repo, tmp_path: Path) -> None:
    place = Repo(tmp_path / "plain", checked.environ)
    place.write("checks/a.yaml", "checks: [{id: a, pattern: b}]\n")
    document = listed(place, "--no-packs")
    assert "a checks/a.yaml:1" in origins(document)
    nowhere = Repo(tmp_path / "empty", checked.environ | {"HOME": str(tmp_path / "nobody")})
    nowhere.path.mkdir()
    assert nowhere.gate("checks", "list", "--no-packs").stdout == "no checks are in force\n"


def test_named_files_stand_for_all_sources(checked: Repo) -> None:
    checked.write("other/mine.yaml", "checks: [{id: mine, pattern: x}]\n")
    checked.write("other/style.md", RULES)
    document = listed(checked, "--checks", "other/mine.yaml", "--checks", "other/style.md")
    assert origins(document) == ["mine other/mine.yaml:1", "style_1 other/style.md:5"]


def test_the_checks_of_a_plan_come_first_and_its_context_last(checked: Repo) -> None:
    plan = checked.path.parent / "sessions/1"
    last = "checks: [{id: last, pattern: z}, {id: console, pattern: z}]"
    for name, text in {
        "checks.yaml": "checks: [{id: no_eval, pattern: mine}]\n",
        "rules/style.md": RULES,
        "project-claude.md": TABLE.replace("SELECT *", "copied"),
        "context.yaml": f"project_root: {checked.path}\n{last}\n",
    }.items():
        (plan / name).parent.mkdir(parents=True, exist_ok=True)
        (plan / name).write_text(text)
    document = listed(checked, "--no-packs", "--plan", str(plan))
    assert origins(document) == [
        f"no_eval {plan}/checks.yaml:1",
        "console ~/.claude/checks/global-checks.yaml:1",
        f"style_1 {plan}/rules/style.md:5",
        f"anti_pattern_1 {plan}/project-claude.md:5",
        f"last {plan}/context.yaml:2",
    ]
    assert {lost["shadowed_by"] for lost in document["shadowed"]} == {
        f"{plan}/checks.yaml:1",
        "~/.claude/checks/global-checks.yaml:1",
        f"{plan}/project-claude.md:5",
    }


# What is refused


def test_what_does_not_exist_is_misuse(checked: Repo) -> None:
    told = {
        ("list", "--checks", "gone.yaml"): "error: gone.yaml: there is no such file\n",
        ("list", "--plan", "gone"): "error: gone: there is no such folder\n",
        ("list", "--pack", "gone"): "error: there is no pack gone; ",
        ("test", "gone"): "error: there is no pack gone; ",
        ("explain", "no_evl"): "error: there is no check no_evl; did you mean no_eval?\n",
        ("explain", "NO_EVAL"): "error: there is no check NO_EVAL; did you mean no_eval?\n",
        ("explain", "zzz\x1b[2J"): "error: there is no check zzz\\x1b[2J\n",
        ("explain",): "usage: review-gate checks explain ",
        ("list", "--checks", "a", "--plan", "b"): "usage: review-gate checks list ",
        ("show",): "usage: review-gate checks ",
    }
    for arguments, message in told.items():
        done = checked.gate("checks", *arguments)
        assert (done.returncode, done.stdout) == (2, ""), arguments
        assert done.stderr.startswith(message), done.stderr
