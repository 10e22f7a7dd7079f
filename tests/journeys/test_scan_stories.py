"""Stories of `review-gate scan` and `checks`: what is found, fixed, known, suppressed, and how checks are written."""

from __future__ import annotations

import json

from journey import Journey

FORMS = ("text", "json", "sarif", "junit", "github")
BASELINE = ".review-gate-baseline.json"
CHECKS = """\
checks:
  - id: no-eval
    pattern: '\\beval\\((\\w*)\\)'
    match_rule: regex
    severity: critical
    category: security
    languages: [python]
    reason: eval runs whatever it is given
    fix: {action: replace, with: 'parse(\\1)'}
    examples: {bad: ["x = eval(text)"], good: ["x = literal_eval(text)"]}

  - id: no-hype
    pattern: blazing
    severity: warning
    reason: say how fast it is
    fix: {action: remove_sentence}

  - id: todo
    pattern: TODO
    reject_if_persists: true
    reason: do it or drop it
"""
CONFIG = "checks: {packs: []}\n"
SUPPRESSED = """\
a = eval(x)  # review-gate: ignore[no-eval] x is a constant of this module
b = eval(x)  # review-gate: ignore[no-eval]
c = eval(x)  # review-gate: ignore
d = eval(x)  # review-gate: ignore[no-evil] x is a constant
e = 1  # review-gate: ignore[no-eval] left over
f = 2  # TODO review-gate: ignore[todo] later
"""


def with_own_checks(journey: Journey, **files: str) -> Journey:
    """A repository with checks of its own and no others."""
    added = {name.replace("__", "."): text for name, text in files.items()}
    journey.commit("Add checks", {".review-gate.yaml": CONFIG, "checks/own.yaml": CHECKS, **added})
    return journey


def test_scan_in_every_form(journey: Journey) -> None:
    with_own_checks(journey, bad__py="x = eval(y)\n# TODO\n", doc__md="It works. It is blazing fast.\n")
    for form in FORMS:
        journey.type(f"review-gate scan --format {form}")
    journey.type("review-gate scan --max-findings 1")
    journey.type("review-gate scan --fail-on critical bad.py")
    journey.type("review-gate scan --fail-on critical doc.md")


def test_scan_that_finds_nothing_in_every_form(journey: Journey) -> None:
    with_own_checks(journey)
    for form in FORMS:
        journey.type(f"review-gate scan app.py --format {form}")


def test_scan_of_added_lines_only(journey: Journey) -> None:
    with_own_checks(journey, old__py="x = eval(old)\n")
    journey.repo.write("old.py", "x = eval(old)\ny = eval(new)\n")
    journey.type("git add old.py")
    journey.repo.write("old.py", "x = eval(old)\ny = eval(new)\nz = eval(unstaged)\n")
    journey.json("review-gate scan --staged --format json")
    journey.type("review-gate scan --staged")
    journey.type("git commit --quiet --no-verify -m 'Use eval again'")
    journey.json("review-gate scan --diff HEAD~1..HEAD --format json")
    journey.type("review-gate scan --diff HEAD~1")
    journey.type("review-gate scan --all")
    journey.type("review-gate scan --staged")


def test_scan_of_text_that_is_handed_in(journey: Journey) -> None:
    with_own_checks(journey)
    journey.type("review-gate scan - --stdin-filename new.py", stdin="x = eval(y)\n")
    journey.type("review-gate scan - --stdin-filename new.js", stdin="x = eval(y)\n")
    journey.type("review-gate scan - --as commit-message --format json", stdin="TODO say what this does\n")
    journey.type("review-gate scan - --as plan --format json", stdin="TODO plan this\n")


def test_scan_that_fixes_what_can_be_fixed(journey: Journey) -> None:
    with_own_checks(journey, bad__py="x = eval(y)\n# TODO\n", doc__md="It works. It is blazing fast. It ends.\n")
    journey.type("review-gate scan --fix --dry-run")
    journey.json("review-gate scan --fix --dry-run --format json")
    journey.type("git status --short")
    journey.json("review-gate scan --fix --format json")
    journey.type("git diff --stat")
    for name in ("bad.py", "doc.md"):
        journey.fact(f"lines of {name}", [len(line) for line in (journey.repo.path / name).read_text().splitlines()])
        journey.file(name)
    journey.type("review-gate scan --fix")


def test_scan_with_a_baseline(journey: Journey) -> None:
    with_own_checks(journey, bad__py="x = eval(y)\n", doc__md="It is blazing fast.\n")
    journey.type("review-gate scan --all --update-baseline")
    journey.file(BASELINE)
    journey.type("review-gate scan --all")
    journey.repo.write("bad.py", "# moved\nx = eval(y)\nz = eval(x)\n")
    journey.json("review-gate scan --all --format json")
    journey.type("review-gate scan --all --no-baseline")
    journey.note("What was known is gone, so its entry is stale")
    journey.repo.write("bad.py", "x = parse(y)\n")
    journey.type("review-gate scan --all")
    journey.type("review-gate scan --all --update-baseline")
    journey.file(BASELINE)


def test_scan_with_a_baseline_of_an_earlier_version(journey: Journey) -> None:
    with_own_checks(journey, bad__py="x = eval(y)\n")
    known = {"rule": "no-eval", "file": "bad.py", "digest": "7ad4645e9c51fe3783ba", "count": 1}
    journey.repo.write(BASELINE, json.dumps({"version": 1, "findings": [known]}))
    journey.json("review-gate scan bad.py --format json")
    journey.repo.write("other.json", json.dumps({"version": 1, "findings": []}))
    journey.type("review-gate scan bad.py --baseline other.json")
    journey.repo.write(BASELINE, "<<<<<<< HEAD\n")
    journey.type("review-gate scan bad.py")
    journey.type("review-gate scan bad.py --baseline no-such.json")


def test_scan_of_suppressions_with_and_without_a_reason(journey: Journey) -> None:
    with_own_checks(journey, app__py=SUPPRESSED)
    journey.type("review-gate scan app.py")
    journey.json("review-gate scan app.py --format json")
    journey.type("review-gate scan app.py --format sarif")
    journey.type("review-gate checks explain suppression-unused")


def test_scan_by_a_table_in_the_project_s_instructions(journey: Journey) -> None:
    table = (
        "| If you write... | STOP because... |\n|---|---|\n| `SELECT *` | name the columns |\n| `a \\|\\| true` | |\n"
    )
    rules = "## Renamed\n\n| Old | New |\n|---|---|\n| `trace()` | `trace_norm()` |\n"
    journey.commit("Add rules", {".review-gate.yaml": CONFIG, "CLAUDE.md": table, ".claude/rules/names.md": rules})
    journey.repo.write("query.sql", "SELECT * FROM t;\n")
    journey.repo.write("matrix.py", "print(m.trace())\n")
    journey.type("review-gate checks list")
    journey.json("review-gate checks list --format json")
    journey.type("review-gate scan")
    journey.json("review-gate scan --format json")


def test_scan_by_checks_whose_file_has_mistakes(journey: Journey) -> None:
    broken = (
        "checks:\n  - id: one\n    pattern: x\n    match_rule: regx\n    categry: y\n  - id: two\n    pattern: '('\n"
    )
    with_own_checks(journey)
    journey.repo.write("checks/own.yaml", broken + "    match_rule: regex\n")
    for command in ("scan app.py", "checks list", "checks test", "run --yes --base HEAD~1", "doctor"):
        journey.type(f"review-gate {command}")
    journey.type("git commit --quiet --all -m 'Change checks'")
    journey.type("git push")
    journey.type("review-gate scan app.py --checks no-such.yaml")


def test_scan_that_is_called_wrongly(journey: Journey) -> None:
    with_own_checks(journey)
    journey.type("review-gate scan no-such-file.py")
    journey.type("review-gate scan --staged --all")
    journey.type("review-gate scan --diff no-such-branch")
    journey.type("review-gate scan --fail-on loud")
    journey.type("review-gate scan --format html")
    journey.type("review-gate scan --dry-run")


def test_scan_says_what_it_could_not_look_at(journey: Journey) -> None:
    with_own_checks(journey, large__txt="0123456789\n" * 20, picture__bin="\0\1")
    journey.commit("Look at small files only", {".review-gate.yaml": "checks: {packs: [], max_file_bytes: 100}\n"})
    journey.type("review-gate scan")
    journey.json("review-gate scan --format json")


def test_scan_of_sentences_that_say_not_to_do_it(journey: Journey) -> None:
    rules = [
        {"id": "no-globals", "pattern": "global state", "match_rule": "prescriptive", "reason": "hard to test"},
        {"id": "no-cloud", "pattern": "uses the cloud", "match_rule": "negation_aware", "reason": "works offline"},
    ]
    text = (
        "Keep the counter in global state.\n\nDo not keep the counter in global state.\n\n"
        "It uses the cloud.\n\nIt is not true that it uses the cloud.\n\nPass it on instead of using global state.\n"
    )
    journey.commit("Add rules", {".review-gate.yaml": CONFIG, "checks/own.yaml": json.dumps({"checks": rules})})
    journey.repo.write("plan.md", text)
    journey.json("review-gate scan plan.md --format json")
    journey.type("review-gate scan --as plan plan.md")


def test_checks_are_listed_explained_and_tried(journey: Journey) -> None:
    with_own_checks(journey)
    journey.type("review-gate checks list")
    journey.json("review-gate checks list --format json")
    journey.type("review-gate checks explain no-eval")
    journey.type("review-gate checks explain no-evil")
    journey.type("review-gate checks explain python-eval")
    journey.type("review-gate checks test")
    journey.json("review-gate checks test --format json")
    journey.note("A check that does not find its own bad example is told")
    journey.repo.write("checks/own.yaml", CHECKS.replace("x = eval(text)", "x = evil(text)"))
    journey.type("review-gate checks test")
    journey.type("review-gate checks test --format json")


def test_checks_of_a_shipped_pack(journey: Journey) -> None:
    journey.type("review-gate checks test --pack secrets")
    journey.type("review-gate checks explain secret-aws-access-key")
    journey.type("review-gate checks list --pack no-such-pack")


def test_checks_that_are_switched_off_are_told_by_the_run(journey: Journey) -> None:
    settings = "checks: {disable: [python-eval], severity: {python-os-system: warning}}\n"
    journey.commit("Weaken checks", {".review-gate.yaml": settings, "run.py": "import os\nos.system(x)\neval(x)\n"})
    journey.type("review-gate scan run.py")
    journey.type("review-gate run --yes")
    journey.json("review-gate report --format json")
    journey.type("review-gate checks explain python-eval")
