"""Stories of `review-gate doctor` and `status`: a protection that was broken, how it shows, and how it is healed."""

from __future__ import annotations

import sys
from pathlib import Path

from conftest import Repo
from journey import Journey

STATE = ".claude/skills/code-review/loop-state.json"


def looked_at(journey: Journey) -> None:
    """What the screens say."""
    journey.type("review-gate doctor")
    journey.json("review-gate doctor --format json")
    journey.type("review-gate status")
    journey.json("review-gate status --format json")


def healed_by(journey: Journey, line: str) -> None:
    """Type what heals the repository, and look again."""
    journey.type(line)
    journey.type("review-gate doctor")
    journey.type("git push")


def test_doctor_finds_nothing_wrong(journey: Journey) -> None:
    looked_at(journey)


def test_doctor_of_a_deleted_hook(journey: Journey) -> None:
    (journey.repo.path / ".git/hooks/pre-push").unlink()
    looked_at(journey)
    journey.commit("Add tax", {"tax.py": "RATE = 0.2\n"})
    healed_by(journey, "review-gate install")


def test_doctor_of_a_hook_that_is_not_executable(journey: Journey) -> None:
    (journey.repo.path / ".git/hooks/pre-push").chmod(0o644)
    looked_at(journey)
    journey.commit("Add tax", {"tax.py": "RATE = 0.2\n"})
    journey.type_next(journey.repo.gate("doctor"))
    journey.type("review-gate doctor")
    journey.type("git push")


def test_doctor_of_a_hook_that_was_replaced_or_edited(journey: Journey) -> None:
    hook = journey.repo.path / ".git/hooks/pre-push"
    hook.write_text(hook.read_text().replace("#!/bin/sh\n", "#!/bin/sh\nexit 0\n", 1))
    looked_at(journey)
    hook.write_text("#!/bin/sh\nexit 0\n")
    looked_at(journey)
    journey.commit("Add tax", {"tax.py": "RATE = 0.2\n"})
    healed_by(journey, "review-gate install")


def test_doctor_of_hooks_that_git_looks_for_elsewhere(journey: Journey) -> None:
    journey.repo.git("config", "core.hooksPath", ".git/other")
    looked_at(journey)
    journey.commit("Add tax", {"tax.py": "RATE = 0.2\n"})
    healed_by(journey, "git config --unset core.hooksPath")


def test_doctor_of_an_alias_that_goes_around_the_hooks(journey: Journey) -> None:
    journey.repo.git("config", "alias.yolo", "push --no-verify")
    looked_at(journey)
    journey.type_next(journey.repo.gate("doctor"))
    journey.type("review-gate doctor")


def test_doctor_of_an_interpreter_that_is_gone(fresh_journey: Journey) -> None:
    journey = fresh_journey
    place = journey.repo.path.parent / "env"
    place.symlink_to(sys.prefix)
    journey.repo.run(str(place / "bin" / Path(sys.executable).name), "-m", "review_gate", "install")
    journey.type("review-gate doctor")
    place.unlink()
    looked_at(journey)
    journey.type("git push origin main")
    journey.type("git commit --quiet --allow-empty -m 'Build again'")
    journey.type("review-gate install")
    journey.type("review-gate doctor")
    journey.refs()


def test_doctor_of_a_state_file_and_a_record_that_cannot_be_read(journey: Journey) -> None:
    journey.repo.write(STATE, "{}")
    ref = f"refs/review-gate/commits/{journey.repo.head}"
    journey.repo.git("update-ref", ref, journey.repo.git("rev-parse", "HEAD:app.py"))
    looked_at(journey)
    journey.type(f"rm {STATE}")
    journey.type(f"git update-ref --no-deref -d {ref}")
    looked_at(journey)


def test_doctor_of_a_state_file_that_was_committed(journey: Journey) -> None:
    journey.repo.git("add", "--force", STATE)
    journey.type("git commit --quiet -m 'Add the state'")
    looked_at(journey)
    healed_by(journey, f"git rm --quiet --cached {STATE}")


def test_doctor_of_settings_with_mistakes(journey: Journey) -> None:
    journey.repo.write(".review-gate.yaml", "version: 1\nsintax: {}\nlimits: {max_findings: 0}\n")
    journey.json("review-gate doctor --format json")
    journey.type("review-gate doctor")
    journey.type("review-gate status --format json")
    journey.repo.write(".review-gate.yaml", "version: 1\n")
    journey.type("review-gate doctor")


def test_doctor_of_a_second_work_tree_without_hooks(fresh_journey: Journey) -> None:
    journey = fresh_journey
    journey.repo.git("config", "core.hooksPath", "hooks")
    journey.type("review-gate install")
    journey.type("git worktree add --quiet -b topic ../linked")
    looked_at(journey)
    linked = Repo(journey.repo.path.parent / "linked", journey.repo.environ)
    journey.type("review-gate install", at=linked)
    journey.type("review-gate doctor")
    journey.type("review-gate doctor", at=linked)


def test_doctor_where_a_variable_leaves_our_hook_out(journey: Journey) -> None:
    journey.type("review-gate doctor", SKIP="review-gate-pre-push")
    journey.type("review-gate doctor --format json", SKIP="review-gate-pre-push")
    journey.type("review-gate doctor", SKIP="mypy")
