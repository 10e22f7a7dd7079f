"""Stories of pushes: each reason for which the gate refuses, and the way out of it."""

from __future__ import annotations

import json

from conftest import Repo
from journey import Journey

STATE = ".claude/skills/code-review/loop-state.json"
LINT = "commands: [{name: lint, loop: 1, run: [.git/lint]}]\n"


def test_push_of_a_missing_review(journey: Journey) -> None:
    journey.commit("Add tax", {"tax.py": "RATE = 0.2\n"})
    journey.type("git push")
    journey.json("review-gate verify --format json")
    journey.type("review-gate run --yes")
    journey.type("git push")
    journey.refs()
    journey.file(".claude/skills/code-review/loop-state.json")
    journey.json("review-gate verify --format json")


def test_push_of_a_stale_review(journey: Journey) -> None:
    journey.commit("Add tax", {"tax.py": "RATE = 0.2\n"})
    journey.type("review-gate run --yes")
    journey.note("An amended commit is another commit")
    journey.repo.git("commit", "--quiet", "--amend", "--no-verify", "-m", "Add sales tax")
    journey.type("git push")
    journey.json("review-gate verify --format json")
    journey.type("review-gate run --yes")
    journey.type("git push")
    journey.refs()


def test_push_of_the_first_commit_without_any_review(fresh_journey: Journey) -> None:
    journey = fresh_journey
    journey.type("review-gate install")
    refused = journey.type("git push --set-upstream origin main")
    journey.json("review-gate verify --format json")
    journey.file(STATE)
    journey.refs()
    journey.type_next(refused)
    journey.type("git push --set-upstream origin main")
    journey.refs()


def test_push_after_syntax_that_does_not_parse(journey: Journey) -> None:
    journey.commit("Add tax", {"tax.json": "{"})
    journey.type("review-gate run --yes")
    journey.file(STATE)
    refused = journey.type("git push")
    journey.json("review-gate verify --format json")
    journey.note("The file is repaired, then the printed step is typed")
    journey.commit("Repair tax", {"tax.json": "{}\n"})
    journey.type_next(refused)
    journey.type("git push")
    journey.refs()


def test_push_after_tests_that_fail(journey: Journey) -> None:
    journey.commit(
        "Add tests", {".review-gate.yaml": "test_command: [sh, test.sh]\n", "test.sh": "echo 1 of 2; exit 1\n"}
    )
    journey.type("review-gate run --yes")
    refused = journey.type("git push")
    journey.json("review-gate verify --format json")
    journey.commit("Repair tests", {"test.sh": "exit 0\n"})
    journey.type_next(refused)
    journey.json("review-gate status --format json")
    journey.type("git push")
    journey.refs()


def test_push_after_a_command_that_cannot_run(journey: Journey) -> None:
    journey.commit("Add lint", {".review-gate.yaml": LINT})
    journey.type("review-gate run --yes")
    refused = journey.type("git push")
    journey.json("review-gate verify --format json")
    journey.note("The program is put where the settings name it")
    journey.repo.write(".git/lint", "#!/bin/sh\nexit 0\n").chmod(0o755)
    journey.type_next(refused)
    journey.type("git push")
    journey.refs()


def test_push_without_a_model_where_models_are_required(journey: Journey) -> None:
    journey.commit("Add tax", {"tax.py": "RATE = 0.2\n", ".review-gate.yaml": "models: {use: required}\n"})
    journey.type("review-gate run --yes")
    journey.type("git push")
    journey.json("review-gate verify --format json")
    journey.note("The project gives up what it required")
    journey.commit("Ask no model", {".review-gate.yaml": "models: off\n"})
    journey.type_next(journey.type("git push"))
    journey.type("git push")
    journey.refs()


def test_push_with_a_state_file_that_cannot_be_read(journey: Journey) -> None:
    journey.commit("Add tax", {"tax.py": "RATE = 0.2\n"})
    journey.type("review-gate run --yes")
    journey.repo.write(STATE, "<<<<<<< HEAD\n")
    journey.type("git push")
    journey.json("review-gate verify --format json")
    journey.type("review-gate status")
    journey.type(f"rm {STATE}")
    journey.type("git push")
    journey.refs()


def test_push_of_commits_below_the_base_of_the_review(journey: Journey) -> None:
    journey.commit("Add tax", {"tax.py": "RATE = 0.2\n"})
    journey.commit("Add net", {"net.py": "NET = 1\n"})
    journey.type("review-gate run --yes --base HEAD~1")
    refused = journey.type("git push")
    journey.json("review-gate verify --format json")
    journey.type_next(refused)
    journey.type("git push")
    journey.refs()


def test_push_of_a_failed_review_whose_record_was_edited(journey: Journey) -> None:
    commit = journey.commit("Add tax", {"tax.json": "{"})
    journey.type("review-gate run --yes")
    state = json.loads(journey.repo.state_file.read_text())
    flags = {f"loop_{number}_passed": True for number in range(1, 5)}
    journey.repo.write(STATE, json.dumps(state | flags | {"ship_allowed": True, "blockers": []}))
    journey.note("The state file says passed, the record says failed")
    journey.type("git push")
    journey.json("review-gate verify --format json")
    journey.note("The record is put in the place of another commit's")
    journey.repo.git("update-ref", f"refs/review-gate/commits/{commit}", journey.repo.git("rev-parse", "HEAD:app.py"))
    refused = journey.type("git push")
    journey.json("review-gate verify --format json")
    journey.commit("Repair tax", {"tax.json": "{}\n"})
    journey.type_next(refused)
    journey.type("git push")
    journey.refs()


def test_push_of_a_failed_review_whose_record_was_written_anew(journey: Journey) -> None:
    commit = journey.commit("Add tax", {"tax.json": "{"})
    journey.type("review-gate run --yes")
    ref = f"refs/review-gate/commits/{commit}"
    record = journey.repo.git("cat-file", "-p", ref)
    for status in ("failed", "not_run"):
        record = record.replace(f'"{status}"', '"passed"')
    forged = journey.repo.run("git", "hash-object", "-w", "--stdin", stdin=record).stdout.strip()
    journey.repo.git("update-ref", ref, forged)
    journey.note("The record says passed, the state file says failed")
    refused = journey.type("git push")
    journey.json("review-gate verify --format json")
    journey.type_next(refused)
    journey.type("git push")
    journey.refs()


def test_push_of_a_review_under_other_settings(journey: Journey) -> None:
    journey.commit("Add tax", {"tax.py": "RATE = 0.2\n"})
    journey.type("review-gate run --yes")
    journey.repo.write(".review-gate.yaml", "hygiene: {binary: block}\n")
    refused = journey.type("git push")
    journey.json("review-gate verify --format json")
    journey.type_next(refused)
    journey.type("git push")
    journey.refs()


def test_push_of_a_review_with_other_checks(journey: Journey) -> None:
    journey.commit("Add tax", {"tax.py": "RATE = 0.2\n"})
    journey.type("review-gate run --yes")
    journey.repo.write("checks/own.yaml", "checks: [{id: no-eval, pattern: eval(}]\n")
    refused = journey.type("git push")
    journey.json("review-gate verify --format json")
    journey.type_next(refused)
    journey.type("git push")
    journey.refs()


def test_push_of_a_chain_of_reviews(journey: Journey) -> None:
    for name in ("one", "two", "three"):
        journey.commit(f"Add {name}", {f"{name}.py": "X = 1\n"})
        journey.type("review-gate run --yes --base HEAD~1")
    journey.json("review-gate verify --format json")
    journey.json("review-gate verify --range HEAD~1..HEAD --format json")
    journey.type("git push")
    journey.refs()


def test_push_of_a_chain_whose_middle_failed(journey: Journey) -> None:
    for name, text in (("one", "{}\n"), ("two", "{"), ("three", "{}\n")):
        journey.commit(f"Add {name}", {f"{name}.json": text})
        journey.type("review-gate run --yes --base HEAD~1")
    refused = journey.type("git push")
    journey.json("review-gate verify --format json")
    journey.commit("Repair two", {"two.json": "{}\n"})
    journey.type_next(refused)
    journey.type("git push")
    journey.refs()


def test_push_of_tags(journey: Journey) -> None:
    journey.commit("Add tax", {"tax.py": "RATE = 0.2\n"})
    journey.type("git tag light")
    journey.type("git tag --annotate --message Release v1")
    journey.type("git push origin light")
    refused = journey.type("git push origin v1")
    journey.type_next(refused)
    journey.type("git push origin light v1")
    journey.refs()


def test_push_of_a_tag_on_something_that_is_no_commit(journey: Journey) -> None:
    journey.type("git tag blob HEAD:app.py")
    journey.type("git push origin main blob")
    journey.refs()


def test_push_of_two_branches_of_which_one_was_not_reviewed(journey: Journey) -> None:
    journey.repo.branch_off("side", "Add side", {"side.py": "X = 1\n"})
    journey.commit("Add tax", {"tax.py": "RATE = 0.2\n"})
    journey.type("review-gate run --yes")
    refused = journey.type("git push origin main side")
    journey.refs()
    journey.type_next(refused)
    journey.type("git push origin main side")
    journey.refs()


def test_push_of_a_new_branch_which_is_deleted_later(journey: Journey) -> None:
    journey.type("git switch --quiet --create topic")
    journey.commit("Add topic", {"topic.py": "X = 1\n"})
    journey.type_next(journey.type("git push --set-upstream origin topic"))
    journey.type("git push --set-upstream origin topic")
    journey.refs()
    journey.type("git push origin --delete topic")
    journey.refs()


def test_push_by_force_after_history_was_rewritten(journey: Journey) -> None:
    journey.commit("Add tax", {"tax.py": "RATE = 0.2\n"})
    journey.type("review-gate run --yes")
    journey.type("git push")
    journey.repo.git("reset", "--quiet", "--hard", "HEAD~1")
    journey.commit("Add VAT", {"vat.py": "RATE = 0.2\n"})
    refused = journey.type("git push --force")
    journey.type_next(refused)
    journey.type("git push --force")
    journey.refs()


def test_push_from_a_second_work_tree(journey: Journey) -> None:
    journey.type("git worktree add --quiet -b topic ../linked")
    linked = Repo(journey.repo.path.parent / "linked", journey.repo.environ)
    linked.commit("Add topic", {"topic.py": "X = 1\n"})
    refused = journey.type("git push origin topic", at=linked)
    journey.type_next(refused, at=linked)
    journey.type("git push origin topic", at=linked)
    journey.file(STATE, at=linked.path)
    journey.json("review-gate status --format json")
    journey.json("review-gate status --format json", at=linked)
    journey.refs()


def test_push_to_a_second_remote_that_has_nothing(journey: Journey) -> None:
    journey.type("git init --quiet --bare ../fork.git")
    journey.type("git remote add fork ../fork.git")
    journey.commit("Add tax", {"tax.py": "RATE = 0.2\n"})
    journey.type("review-gate run --yes")
    journey.type("git push fork main")
    journey.repo.git("update-ref", "-d", f"refs/review-gate/commits/{journey.repo.git('rev-parse', 'HEAD~1')}")
    journey.commit("Add net", {"net.py": "NET = 1\n"})
    journey.type("review-gate run --yes")
    journey.json("review-gate verify --remote fork --format json")
    journey.type("git push fork main")
    journey.refs(remote="fork")


def test_push_to_an_empty_remote_of_history_that_nobody_reviewed_here(journey: Journey) -> None:
    journey.repo.git("update-ref", "-d", f"refs/review-gate/commits/{journey.repo.head}")
    journey.type(f"rm {STATE}")
    journey.type("git init --quiet --bare ../fork.git")
    journey.type("git remote add fork ../fork.git")
    refused = journey.type("git push fork main")
    journey.json("review-gate verify --remote fork --format json")
    journey.type_next(refused)
    journey.type("git push fork main")
    journey.refs(remote="fork")


def test_push_that_goes_around_the_gate(journey: Journey) -> None:
    journey.type("review-gate install --watch")
    journey.commit("Add tax", {"tax.py": "RATE = 0.2\n"})
    journey.type("git push --no-verify")
    journey.refs()
    journey.json("review-gate status --format json")
    journey.type("review-gate doctor")
    journey.json("review-gate doctor --format json")
    journey.type("git push origin main:copy")


def test_push_with_nothing_to_send(journey: Journey) -> None:
    journey.type("git push")
    journey.type("git push --dry-run origin main:copy")
    journey.commit("Add tax", {"tax.py": "RATE = 0.2\n"})
    journey.type("git push --dry-run")
    journey.refs()


def test_push_of_an_empty_commit(journey: Journey) -> None:
    journey.type("git commit --quiet --allow-empty -m 'Build again'")
    refused = journey.type("git push")
    journey.type("review-gate run --yes")
    journey.type_next(refused)
    journey.type("git push")
    journey.refs()


def test_push_of_a_merge_whose_side_was_not_reviewed(journey: Journey) -> None:
    journey.repo.branch_off("side", "Add side", {"side.py": "X = 1\n"})
    journey.commit("Add tax", {"tax.py": "RATE = 0.2\n"})
    journey.type("review-gate run --yes")
    journey.type("git merge --quiet --no-ff -m 'Merge side' side")
    journey.type("review-gate run --yes --base side")
    refused = journey.type("git push")
    journey.json("review-gate verify --format json")
    journey.type_next(refused)
    journey.type("git push")
    journey.refs()


def test_push_of_two_branches_with_settings_of_their_own(journey: Journey) -> None:
    journey.repo.branch_off("strict", "Be strict", {".review-gate.yaml": "hygiene: {binary: block}\n"})
    journey.type("git switch --quiet strict")
    journey.type("review-gate run --yes")
    journey.type("git switch --quiet main")
    journey.commit("Add tax", {"tax.py": "RATE = 0.2\n"})
    journey.type("review-gate run --yes")
    refused = journey.type("git push origin main strict")
    journey.type_next(refused)
    journey.type_next(journey.type("git push origin main strict"))
    journey.refs()
