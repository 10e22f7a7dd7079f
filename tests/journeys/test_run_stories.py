"""Stories of `review-gate run`: what it shows, in each form, what it records, and what one does with the result."""

from __future__ import annotations

import json
import re

from journey import Journey

STATE = ".claude/skills/code-review/loop-state.json"
KEY = "AKIA" + "IOSFODNN7REALKEY"
FORMS = ("text", "json", "sarif", "junit", "github", "markdown")
PLACES = re.compile(r"(?m)^::(\w+)(?: (?:file=([^,:]*))?(?:,line=(\d+))?)?")
LOUD = "findings: pattern, pattern: '^(?P<file>[^:]+):(?P<line>[0-9]+): (?P<severity>[a-z]+): (?P<message>.+)$'"


def shown_in_every_form(journey: Journey, command: str) -> None:
    """Let a command write each form; what a program reads of annotations and of a page is a fact too."""
    for form in FORMS:
        done = journey.type(f"{command} --format {form}")
        if form == "github":
            journey.fact("annotations", PLACES.findall(done.stdout))
    page = journey.repo.run(*f"{command} --format html".split())
    sections = len(re.findall("<h2>", page.stdout))
    journey.fact("page", {"exit": page.returncode, "is_html": page.stdout.startswith("<!"), "sections": sections})
    journey.fact("files on the page", sorted(set(re.findall(r"\w+\.(?:json|py)\b", page.stdout))))


def test_run_in_every_form_when_it_fails(journey: Journey) -> None:
    journey.commit("Add a table", {"new.json": "{", "app.py": "print('hello')\nprint(1)\n"})
    shown_in_every_form(journey, "review-gate run --yes")
    journey.type("review-gate status")
    journey.json("review-gate status --format json")


def test_run_in_every_form_when_it_passes_with_a_warning(journey: Journey) -> None:
    journey.commit("Add a picture", {"picture.bin": b"\0\1\2", "new.py": "X = 1\n"})
    shown_in_every_form(journey, "review-gate run --yes")
    journey.type("review-gate status")
    journey.json("review-gate status --format json")


def test_run_that_is_only_planned(journey: Journey) -> None:
    journey.commit("Add tax", {"tax.py": "RATE = 0.2\n", ".review-gate.yaml": "test_command: [sh, test.sh]\n"})
    journey.type("review-gate run --plan-only")
    journey.json("review-gate run --plan-only --format json")
    journey.type("review-gate run --plan-only --loops 2")
    journey.type("review-gate run --plan-only --format sarif")
    journey.refs()


def test_run_offers_the_tests_that_it_finds(journey: Journey) -> None:
    journey.commit("Add tests", {"package.json": '{"scripts": {"test": "true"}}\n', "app.js": "let a = 1;\n"})
    journey.type("review-gate run --plan-only")
    journey.json("review-gate run --plan-only --format json")
    journey.type("review-gate run --plan-only --tests")
    journey.type("review-gate run --plan-only", REVIEW_GATE_TEST_COMMAND="auto")
    journey.type("review-gate run --plan-only", REVIEW_GATE_TEST_COMMAND="off")
    journey.type("review-gate run --yes")
    journey.type("git push")


def test_run_without_a_terminal_and_without_yes(journey: Journey) -> None:
    journey.commit("Add tax", {"tax.py": "RATE = 0.2\n"})
    journey.type("review-gate run")
    journey.type("review-gate run --yes --loops 1,5")
    journey.type("review-gate run --yes --base no-such-branch")
    journey.type("review-gate run --yes --base HEAD")
    journey.type("review-gate run --yes --staged --scope all")
    journey.refs()


def test_run_of_what_is_staged_opens_the_gate_for_its_commit(journey: Journey) -> None:
    journey.repo.write("tax.py", "RATE = 0.2\n")
    journey.type("git add tax.py")
    journey.type("review-gate run --yes --staged")
    journey.type("review-gate status")
    journey.file(STATE)
    journey.type("git commit --quiet -m 'Add tax'")
    journey.type("review-gate status")
    journey.json("review-gate verify --format json")
    journey.type("git push")
    journey.refs()


def test_run_of_what_is_staged_does_not_speak_for_other_content(journey: Journey) -> None:
    journey.repo.write("tax.py", "RATE = 0.2\n")
    journey.type("git add tax.py")
    journey.type("review-gate run --yes --staged")
    journey.repo.write("tax.py", "RATE = 0.25\n")
    journey.type("git commit --quiet --all -m 'Add tax'")
    refused = journey.type("git push")
    journey.json("review-gate verify --format json")
    journey.type_next(refused)
    journey.type("git push")
    journey.refs()


def test_run_of_what_is_staged_and_broken(journey: Journey) -> None:
    journey.repo.write("new.json", "{")
    journey.type("git add new.json")
    journey.type("review-gate run --yes --staged")
    journey.json("review-gate status --format json")
    journey.type("git commit --quiet --no-verify -m 'Add new'")
    journey.json("review-gate verify --format json")
    journey.type("git push")
    journey.type("git rm --quiet --cached new.json")
    journey.type("git commit --quiet -m 'Take new away'")
    journey.type("review-gate run --yes --staged")


def test_run_of_some_loops_and_of_the_others_later(journey: Journey) -> None:
    journey.commit("Add tax", {"tax.py": "RATE = 0.2\n"})
    journey.type("review-gate run --yes --loops 1,2")
    journey.type("review-gate status")
    journey.json("review-gate verify --format json")
    journey.type("git push")
    journey.type("review-gate run --yes --loops 3,4")
    journey.json("review-gate report --format json")
    journey.type("git push")
    journey.refs()


def test_run_over_the_whole_tree(journey: Journey) -> None:
    journey.commit("Add old trouble", {"old.json": "{"})
    journey.repo.git("push", "--quiet", "--no-verify")
    journey.commit("Add tax", {"tax.py": "RATE = 0.2\n"})
    journey.type("review-gate run --yes --scope all")
    journey.json("review-gate report --format json")
    journey.type("git push")


def test_run_of_a_command_while_files_are_changed(journey: Journey) -> None:
    config = "commands: [{name: rate, loop: 1, run: [grep, -q, '0.2$', tax.py]}]\n"
    journey.commit("Add tax", {"tax.py": "RATE = 0.2\n", ".review-gate.yaml": config})
    journey.repo.write("tax.py", "RATE = 0.9\n")
    journey.repo.write("untracked.py", "X = 1\n")
    journey.type("review-gate run --yes")
    journey.note("In a checkout of its own the command sees the commit")
    journey.type("review-gate run --yes --isolate")
    journey.json("review-gate status --format json")
    journey.type("git push")
    journey.type("git status --short")
    journey.type("git worktree list --porcelain")


def test_run_without_commands_while_files_are_changed(journey: Journey) -> None:
    journey.commit("Add tax", {"tax.json": "{}\n"})
    journey.repo.write("tax.json", "{")
    journey.type("review-gate run --yes")
    journey.type("git push")
    journey.type("git status --short")


def test_run_that_fails_twice_and_passes_once_the_cause_is_gone(journey: Journey) -> None:
    journey.commit("Add new", {"new.json": "{", "other.json": "["})
    journey.json("review-gate run --yes --format json")
    journey.json("review-gate run --yes --format json")
    journey.commit("Repair new", {"new.json": "{}\n"})
    journey.json("review-gate run --yes --format json")
    journey.commit("Repair other", {"other.json": "[]\n"})
    journey.json("review-gate run --yes --format json")
    journey.type("review-gate status")
    journey.type("git push")
    journey.refs()


def test_run_over_findings_that_the_baseline_knows(journey: Journey) -> None:
    journey.commit("Add a table", {"sql.py": "import os\nos.system(input())\neval(input())\n"})
    journey.type("review-gate run --yes")
    journey.type("review-gate scan --all --update-baseline")
    journey.commit("Keep what is known")
    journey.file(".review-gate-baseline.json")
    journey.type("review-gate run --yes")
    journey.type("git push")
    journey.refs()


def test_run_finds_a_secret_that_a_later_commit_took_away(journey: Journey) -> None:
    journey.commit("Add a key", {"key.py": f'KEY = "{KEY}"\n'})
    journey.commit("Take the key away", {"key.py": 'KEY = ""\n'})
    journey.json("review-gate run --yes --format json")
    journey.type("review-gate run --yes")
    journey.type("git push")
    journey.note("One commit without the key takes the place of both")
    journey.repo.git("reset", "--quiet", "--soft", "HEAD~2")
    journey.type("git commit --quiet -m 'Add an empty key'")
    journey.type("review-gate run --yes")
    journey.type("git push")
    journey.refs()


def test_run_of_programs_that_report_in_their_own_words(journey: Journey) -> None:
    programs = [
        "{name: warns, loop: 1, run: [sh, -c, 'echo app.py:1: warning: odd'], " + LOUD + "}",
        "{name: optional, loop: 2, run: [./not-there], required: false}",
        "{name: never, loop: 2, run: [sh, -c, exit 1], when_changed: ['*.rs']}",
        "{name: errs, loop: 3, run: [sh, -c, 'echo app.py:1: error: bad; exit 1'], ok_exit_codes: [0, 1], "
        + LOUD
        + "}",
    ]
    config = "commands:\n" + "".join(f"  - {program}\n" for program in programs)
    journey.commit("Add programs", {".review-gate.yaml": config, "app.py": "print('hello, you')\n"})
    journey.type("review-gate run --yes")
    journey.json("review-gate report --format json")
    journey.type("git push")


def test_run_of_a_program_that_reports_in_sarif(journey: Journey) -> None:
    place = {"artifactLocation": {"uri": "app.py"}, "region": {"startLine": 1}}
    found = {"ruleId": "r1", "level": "error", "message": {"text": "wrong"}, "locations": [{"physicalLocation": place}]}
    log = {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "lint"}}, "results": [found]}]}
    config = "commands: [{name: lint, loop: 2, run: [cat, lint.json], findings: sarif}]\n"
    journey.commit("Add lint", {".review-gate.yaml": config, "lint.json": json.dumps(log), "app.py": "print(2)\n"})
    journey.type("review-gate run --yes")
    journey.json("review-gate run --yes --format json")
    journey.note("A log that tells of no run is no vote; one without results is")
    journey.commit("Run nothing", {"lint.json": json.dumps({**log, "runs": []})})
    journey.type("review-gate run --yes")
    journey.commit("Find nothing", {"lint.json": json.dumps(log).replace(json.dumps(found), "")})
    journey.type("review-gate run --yes")


def test_run_is_shown_again_later(journey: Journey) -> None:
    journey.type("review-gate report --format json")
    journey.commit("Add new", {"new.json": "{"})
    failed = journey.json("review-gate run --yes --format json")
    journey.commit("Repair new", {"new.json": "{}\n"})
    journey.type("review-gate run --yes")
    journey.type("review-gate report")
    journey.type("review-gate report --list")
    shown = journey.json(f"review-gate report {failed['id']} --format json")
    journey.fact("is the same", shown == failed)
    journey.type("review-gate report --format junit")
    journey.type("review-gate report --format markdown")
    journey.type("review-gate report 0123456789abcdef0123456789abcdef")


def test_run_in_a_repository_that_was_never_reviewed(fresh_journey: Journey) -> None:
    journey = fresh_journey
    journey.type("review-gate report")
    journey.type("review-gate report --list --format json")
    journey.type("review-gate status")
    journey.json("review-gate status --format json")
    journey.type("review-gate verify")
    journey.type("review-gate run --yes")
    journey.type("review-gate verify")
    journey.type("review-gate status")
    journey.refs()


def test_run_outside_a_repository(fresh_journey: Journey) -> None:
    journey = fresh_journey
    for verb in ("run --yes", "verify", "status", "report", "doctor", "install", "uninstall"):
        journey.type(f"sh -c 'cd .. && review-gate {verb}'")


def test_run_judges_messages_of_commits_that_went_around_the_hook(journey: Journey) -> None:
    check = "checks: [{id: no-todo, pattern: TODO, scope: commit_message, reason: say what the commit does}]\n"
    journey.commit("wip", {"checks/own.yaml": check})
    journey.type("review-gate run --yes")
    journey.commit("TODO write this", {"tax.py": "RATE = 0.2\n"})
    journey.type("review-gate run --yes")
    journey.json("review-gate report --format json")
    journey.type("git push")
    journey.type("git commit --quiet --amend -m 'Add tax'")
    journey.type("review-gate run --yes")
    journey.type("git push")
