"""review-gate checks list: every check with its source, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import Repo
from listing import CUT, RULES, TABLE, listed, origins, with_every_source


@pytest.fixture
def checked(repo: Repo) -> Repo:
    """A repository with checks from every kind of source but packs."""
    return with_every_source(repo)


IN_FORCE = [
    "console ~/.claude/checks/global-checks.yaml:1",
    "no_eval checks/ours.yaml:2",
    "physics_antipatterns_1 rules/physics-antipatterns.md:5",
    "anti_pattern_1 CLAUDE.md:5",
]


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


def test_programs_get_every_field(checked: Repo) -> None:
    document = listed(checked)
    assert (document["version"], origins(document)) == (1, IN_FORCE)
    assert document["checks"][1] == {
        "id": "no_eval",
        "pattern": "\\beval\\(",
        "match_rule": "regex",
        "reason": "eval runs whatever it is given",
        "severity": "critical",
        "category": "security",
        "scope": ["added_lines", "code"],
        "include": [],
        "exclude": ["tests/**"],
        "languages": ["python"],
        "reject_if_persists": False,
        "docs": "https://docs.python.org/3/library/ast.html#ast.literal_eval",
        "source": "checks/ours.yaml",
        "line": 2,
        "fix": {"action": "replace", "with": "ast.literal_eval("},
        "examples": {"bad": ["x = eval(text)"], "good": ["x = literal_eval(text)", "x = evil(text)"]},
    }
    assert document["checks"][3]["examples"] == {"bad": [], "good": []}
    assert document["checks"][3]["fix"] is None
    assert [(lost["id"], lost["shadowed_by"]) for lost in document["shadowed"]] == [
        ("console", "~/.claude/checks/global-checks.yaml:1"),
        ("anti_pattern_1", "CLAUDE.md:5"),
    ]
    assert document["warnings"] == [f"CLAUDE.md:6: {CUT}", f"~/.claude/CLAUDE.md:6: {CUT}"]


def test_the_list_is_what_checks_does_by_itself_and_from_a_folder_below(checked: Repo) -> None:
    below = Repo(checked.path / "rules", checked.environ)
    assert checked.gate("checks").stdout == below.gate("checks", "list").stdout != ""


def test_outside_a_repository_the_settings_of_the_user_hold_as_in_a_scan(repo: Repo, tmp_path: Path) -> None:
    place = Repo(tmp_path / "plain", repo.environ)
    place.write("plan.md", "plan\n")
    place.write("checks.yaml", "checks: [{id: a, pattern: b}]\n")
    own = Path(repo.environ["XDG_CONFIG_HOME"]) / "review-gate/config.yaml"
    own.parent.mkdir(parents=True)
    own.write_text("checks: {packs: [plan], disable: [plan-somehow]}\n")
    for options, packs in ((["--plan", "."], {"plan"}), ([], {"plan"}), (["--pack", "secrets"], {"secrets"})):
        sources = {one["source"].split(":")[1] for one in listed(place, *options)["checks"] if "pack:" in one["source"]}
        assert sources == packs, options
    counted = len(listed(place, "--plan", ".")["checks"])
    assert f"no problems; 1 file, {counted} checks\n" in place.gate("scan", "--plan", ".").stdout
    listed_ids = {one["id"] for one in listed(place)["checks"]}
    assert "plan-somehow" not in listed_ids
    assert f", {len(listed_ids)} checks\n" in place.gate("scan", "plan.md").stdout


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


def test_the_project_of_a_plan_is_around_its_folder_or_above_it(checked: Repo, tmp_path: Path) -> None:
    checked.write("plans/1/plan.md", "plan\n")
    assert origins(listed(checked, "--no-packs", "--plan", "plans/1"))[1] == "no_eval checks/ours.yaml:2"
    plain = Repo(tmp_path / "plain", checked.environ)
    plain.write("checks/a.yaml", "checks: [{id: a, pattern: b}]\n")
    plain.write("plan/plan.md", "plan\n")
    assert origins(listed(plain, "--no-packs", "--plan", "plan"))[1] == "a checks/a.yaml:1"


def test_the_files_of_a_project_elsewhere_can_be_opened_by_what_they_are_called(tmp_path: Path, checked: Repo) -> None:
    place = Repo(tmp_path / "place", checked.environ)
    place.write("proj/checks/a.yaml", "checks: [{id: a, pattern: b}]\n")
    place.write("proj/CLAUDE.md", TABLE)
    place.write("sess/context.yaml", "project_root: ../proj\n")
    place.write("sess/checks.yaml", "checks: [{id: c, pattern: d}]\n")
    place.write("sess/plan.md", "b\n")
    for folder, plan in (("", "sess"), ("sess", "."), ("proj", "../sess")):
        here = Repo(place.path / folder, checked.environ)
        named = [one["source"] for one in listed(here, "--no-packs", "--plan", plan)["checks"]]
        files = [(here.path / one).resolve() for one in named if not one.startswith("~")]
        wanted = ("sess/checks.yaml", "proj/checks/a.yaml", "proj/CLAUDE.md")
        assert list(dict.fromkeys(files)) == [(place.path / one).resolve() for one in wanted], folder
    explained = place.gate("checks", "explain", "a", "--plan", "sess").stdout
    assert "\n  source    proj/checks/a.yaml:1\n" in explained
    found = json.loads(place.gate("scan", "--plan", "sess", "--format", "json").stdout)
    assert [one["source"] for one in found["findings"] if one["rule"] == "a"] == ["proj/checks/a.yaml:1"]


def test_the_configuration_chooses_sources_and_changes_checks(checked: Repo) -> None:
    settings = "checks: {packs: [], sources: [project, claude_md], disable: [console], severity: {no_eval: info}}\n"
    checked.write(".review-gate.yaml", settings)
    document = listed(checked)
    assert origins(document) == ["no_eval checks/ours.yaml:2", "anti_pattern_1 CLAUDE.md:5"]
    assert document["checks"][0]["severity"] == "info"
    checked.write(".review-gate.yaml", "checks: {packs: [], disable: [consol]}\n")
    done = checked.gate("checks", "list")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(
        "error: checks.disable names consol, and there is no such check; did you mean console?"
    )
    checked.write(".review-gate.yaml", "checks: {packs: [], enabled: false}\n")
    off = "checks.enabled is false in the configuration, so nothing uses these checks"
    assert listed(checked)["warnings"][-1] == off


def test_files_of_rules_with_the_same_ids_are_told_by_the_list_and_by_a_scan(repo: Repo) -> None:
    repo.write(".review-gate.yaml", "checks: {packs: []}\n")
    for name in (
        ".claude/rules/same.md",
        "rules/same.md",
        "rules/a-b.md",
        "rules/a_b.md",
        "rules/é.md",
        "rules/日本.md",
    ):
        repo.write(name, RULES)
    repo.write("rules/b.md", "| Pattern |\n|---|\n| a |\n| `b`, `c` |\n")
    repo.write("rules/b_2.md", "| Pattern |\n|---|\n| a |\n| b |\n")
    told = [
        "rules/a_b.md: 1 check is not in force, because rules/a-b.md has the same id",
        "rules/b_2.md: 1 check is not in force, because rules/b.md has the same id",
        "rules/same.md: 1 check is not in force, because .claude/rules/same.md has the same id",
    ]
    document = listed(repo)
    assert document["warnings"] == told
    assert [check["source"] for check in document["checks"]] == [
        ".claude/rules/same.md",
        "rules/a-b.md",
        *["rules/b.md"] * 3,
        "rules/b_2.md",
        "rules/é.md",
        "rules/日本.md",
    ]
    notes = json.loads(repo.gate("scan", "--format", "json").stdout)["notes"]
    assert [note for note in notes if note in told] == told


# What is refused

BROKEN = {
    "yaml": (
        "checks/x.yaml",
        "checks: [{id: a, pattern: '('",
        "checks/x.yaml:1: not YAML: expected ',' or '}', but got ",
    ),
    "regex": (
        "checks/x.yaml",
        "checks:\n- {id: a, pattern: '(', match_rule: regex}\n",
        "checks/x.yaml:2: checks[0].pattern is not a regular expression: missing ), unterminated subpattern",
    ),
    "encoding": ("CLAUDE.md", b"a\n\xff", "CLAUDE.md:2: not UTF-8: the byte 0xff cannot be read"),
}


@pytest.mark.parametrize(("name", "content", "message"), BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_an_error_that_names_its_line(
    repo: Repo, name: str, content: str | bytes, message: str
) -> None:
    repo.write(name, content)
    done = repo.gate("checks", "list", "--no-packs")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"error: {message}")
    assert "\n  why:   a check that cannot be read would find nothing, and nobody would notice\n" in done.stderr
    assert done.stderr.endswith("then: review-gate checks list\n")


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


def test_a_plan_without_any_check_is_an_error(repo: Repo) -> None:
    repo.write(".review-gate.yaml", "checks: {packs: []}\n")
    repo.write("plans/1/plan.md", "plan\n")
    for name, text in {"checks.yaml": "checks:\n", "context.yaml": "checks: []\n"}.items():
        repo.write(f"plans/1/{name}", text)
        done = repo.gate("checks", "list", "--plan", "plans/1")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == (
            "error: No checks found (no checks.yaml, no CLAUDE.md Anti-Patterns Table, no context.yaml checks)\n"
            "  why:   a plan that nobody wrote a check for would pass, whatever it says\n"
            "  next:  write plans/1/checks.yaml, or choose packs in .review-gate.yaml: checks: {packs: [plan]}\n"
        )


def test_a_project_of_a_plan_that_is_no_folder_is_refused_with_its_line(repo: Repo) -> None:
    repo.write("plans/1/checks.yaml", "checks: [{id: a, pattern: b}]\n")
    repo.write("file", "")
    for named in ("gone", "../../file", "~/gone"):
        repo.write("plans/1/context.yaml", f"reviewer_persona: x\nproject_root: {named}\n")
        done = repo.gate("checks", "list", "--plan", "plans/1")
        assert (done.returncode, done.stdout) == (2, "")
        said = f'project_root is the text "{named}", which is no folder; allowed: a folder'
        assert done.stderr.startswith(f"error: plans/1/context.yaml:2: {said}\n")
