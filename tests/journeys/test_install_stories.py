"""Stories of `review-gate install` and `uninstall`: in plain repositories, and beside each hook manager."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

from journey import Journey

OURS = ".git/review-gate"
HOOKS = ("pre-commit", "commit-msg", "pre-push")
CALL = 'review-gate hook {} "$@"'
RECORDER = '#!/bin/sh\necho "the hook of the team ran"\n'
FRAMEWORK = """\
default_install_hook_types: [pre-commit, commit-msg, pre-push]
repos:
  - repo: local
    hooks:
      - {id: fine, name: fine, entry: "true", language: system, always_run: true, pass_filenames: false}
"""
GATE_IN_FRAMEWORK = """\
default_install_hook_types: [pre-push]
repos:
  - repo: local
    hooks:
      - id: review-gate-pre-push
        name: ship gate
        entry: review-gate hook pre-push
        language: system
        stages: [pre-push]
        always_run: true
        pass_filenames: false
"""
PREK = '[[repos]]\nrepo = "https://example.org/gate"\nhooks = [{ id = "review-gate-pre-push" }]\n'
LEFTHOOK = """\
#!/bin/sh

if [ "$LEFTHOOK" = "0" ]; then
  exit 0
fi

call_lefthook()
{
  if lefthook -h >/dev/null 2>&1
  then
    lefthook "$@"
  else
    echo "Can't find lefthook in PATH"
    echo "ERROR: Operation is aborted due to lefthook settings."
    exit 1
  fi
}

call_lefthook run "pre-push" "$@"
"""
LEFTHOOK_JOBS = "assert_lefthook_installed: true\npre-push: {scripts: {gate.sh: {use_stdin: true}}}\n"
HUSKY = """\
#!/usr/bin/env sh
n=$(basename "$0")
s=$(dirname "$(dirname "$0")")/$n
[ ! -f "$s" ] && exit 0
sh -e "$s" "$@"
c=$?
exit $c
"""


def contents(journey: Journey) -> dict[str, str]:
    """Every file that neither git nor review-gate keeps for itself, with its mode and a digest."""
    found = {}
    for path in sorted(journey.repo.path.rglob("*")):
        name = str(path.relative_to(journey.repo.path))
        if path.is_symlink():
            found[name] = os.readlink(path)
        elif path.is_file() and not name.startswith((".git/objects", ".git/logs", OURS)):
            found[name] = f"{stat.filemode(path.stat().st_mode)} {hashlib.sha256(path.read_bytes()).hexdigest()}"
    return found


def unchanged(journey: Journey, before: dict[str, str]) -> None:
    """Record whether every file is again what it was, byte for byte, with its mode."""
    journey.fact("unchanged", contents(journey) == before)
    journey.fact("has files of review-gate", (journey.repo.path / OURS).exists())


def hooks(journey: Journey, folder: str = ".git/hooks") -> None:
    """Record which hooks there are, and which of them start review-gate."""
    found = {}
    for path in sorted((journey.repo.path / folder).iterdir()):
        if path.suffix != ".sample":
            calls_us = b"review-gate" in path.read_bytes()
            found[path.name] = {"executable": os.access(path, os.X_OK), "ours": calls_us}
    journey.fact(f"hooks in {folder}", found)


def script(journey: Journey, name: str, text: str, mode: int = 0o755) -> Path:
    """A file that can be executed."""
    path = journey.repo.write(name, text)
    path.chmod(mode)
    return path


def guarded(journey: Journey) -> None:
    """See a push refused, review, and see it leave."""
    journey.commit("Add tax", {"tax.py": "RATE = 0.2\n"})
    journey.type("git push origin main")
    journey.type("review-gate run --yes")
    journey.type("git push origin main")
    journey.refs()


def looked_at(journey: Journey) -> None:
    """What the screens say of the hooks."""
    journey.type("review-gate doctor")
    journey.json("review-gate doctor --format json")
    journey.json("review-gate status --format json")


def test_install_in_a_plain_repository_twice_and_uninstall(fresh_journey: Journey) -> None:
    journey = fresh_journey
    before = contents(journey)
    journey.type("review-gate install")
    hooks(journey)
    installed = contents(journey)
    journey.type("review-gate install")
    unchanged(journey, installed)
    looked_at(journey)
    journey.type("review-gate uninstall")
    unchanged(journey, before)
    journey.type("review-gate uninstall")
    looked_at(journey)
    journey.type("git push origin main")


def test_install_with_the_watcher_and_uninstall(fresh_journey: Journey) -> None:
    journey = fresh_journey
    before = contents(journey)
    journey.type("review-gate install --watch")
    hooks(journey)
    journey.type("review-gate uninstall --git")
    unchanged(journey, before)


def test_install_beside_hooks_of_the_team(fresh_journey: Journey) -> None:
    journey = fresh_journey
    script(journey, ".git/hooks/pre-push", RECORDER)
    script(journey, ".git/hooks/commit-msg", "#!/bin/sh\nexit 1\n", 0o644)
    before = contents(journey)
    journey.type("review-gate install")
    hooks(journey)
    guarded(journey)
    journey.type("git push origin main:copy")
    journey.type("review-gate uninstall")
    changed = {name: text for name, text in contents(journey).items() if name in before}
    journey.fact(
        "unchanged", all(changed.get(name) == before[name] for name in before if name.startswith(".git/hooks"))
    )
    hooks(journey)


def test_install_where_a_kept_hook_would_be_lost(fresh_journey: Journey) -> None:
    journey = fresh_journey
    script(journey, ".git/hooks/pre-push", "#!/bin/sh\n# one\n")
    script(journey, ".git/hooks/pre-push.before-review-gate", "#!/bin/sh\n# another\n")
    before = contents(journey)
    journey.type("review-gate install")
    unchanged(journey, before)


def test_install_in_front_of_pre_commit(fresh_journey: Journey) -> None:
    journey = fresh_journey
    journey.commit("Set up pre-commit", {".pre-commit-config.yaml": FRAMEWORK})
    journey.type("pre-commit install")
    before = contents(journey)
    journey.type("review-gate install")
    hooks(journey)
    looked_at(journey)
    journey.type("git commit --quiet --allow-empty -m wip")
    guarded(journey)
    journey.type("review-gate uninstall")
    after = contents(journey)
    journey.fact("unchanged", all(after[name] == before[name] for name in before if name.startswith(".git/hooks")))
    hooks(journey)


def test_install_behind_pre_commit(fresh_journey: Journey) -> None:
    journey = fresh_journey
    journey.commit("Set up pre-commit", {".pre-commit-config.yaml": FRAMEWORK})
    journey.type("review-gate install")
    journey.type("pre-commit install")
    hooks(journey)
    looked_at(journey)
    guarded(journey)
    journey.note("pre-commit throws our hooks away, and install brings them back")
    journey.type("pre-commit install --overwrite")
    looked_at(journey)
    journey.type("review-gate install")
    hooks(journey)
    journey.type("review-gate doctor")


def test_install_is_not_needed_where_pre_commit_runs_the_gate(fresh_journey: Journey) -> None:
    journey = fresh_journey
    journey.commit("Set up pre-commit", {".pre-commit-config.yaml": GATE_IN_FRAMEWORK})
    journey.type("pre-commit install")
    looked_at(journey)
    refused = journey.repo.run("git", "push", "origin", "main")
    journey.fact("push", refused.returncode)
    journey.type("review-gate run --yes")
    passed = journey.repo.run("git", "push", "origin", "main")
    journey.fact("push", passed.returncode)
    journey.refs()


def test_install_beside_prek(fresh_journey: Journey) -> None:
    journey = fresh_journey
    journey.commit("Set up prek", {"prek.toml": PREK})
    script(journey, ".git/hooks/pre-push", "#!/bin/sh\n# File generated by prek\nexit 0\n")
    before = contents(journey)
    looked_at(journey)
    journey.type("review-gate install")
    hooks(journey)
    looked_at(journey)
    journey.type("git push origin main")
    journey.type("review-gate uninstall")
    unchanged(journey, before)


def test_install_beside_lefthook(fresh_journey: Journey) -> None:
    journey = fresh_journey
    script(journey, ".git/hooks/pre-push", LEFTHOOK)
    script(journey, ".lefthook/pre-push/gate.sh", f"#!/bin/sh\nexec {CALL.format('pre-push')}\n")
    journey.commit("Set up lefthook", {"lefthook.yml": LEFTHOOK_JOBS})
    before = contents(journey)
    looked_at(journey)
    journey.note("A job that lefthook may leave out is no guard")
    journey.repo.write("lefthook.yml", LEFTHOOK_JOBS.replace("true}", "true, skip: [merge]}"))
    looked_at(journey)
    journey.repo.write("lefthook.yml", LEFTHOOK_JOBS)
    journey.type("review-gate install")
    hooks(journey)
    looked_at(journey)
    journey.type("git push origin main", LEFTHOOK="0")
    journey.type("review-gate uninstall")
    unchanged(journey, before)


def test_install_beside_husky(fresh_journey: Journey) -> None:
    journey = fresh_journey
    journey.repo.git("config", "core.hooksPath", ".husky/_")
    script(journey, ".husky/_/h", HUSKY)
    script(journey, ".husky/_/pre-push", '#!/usr/bin/env sh\n. "$(dirname "$0")/h"')
    journey.repo.write(".husky/_/.gitignore", "*\n")
    journey.commit("Set up husky", {".husky/pre-push": f"{CALL.format('pre-push')}\nnpm test\n"})
    before = contents(journey)
    looked_at(journey)
    journey.note("Where npm loses the verdict, the script is no guard")
    journey.repo.write(".husky/pre-push", f"{CALL.format('pre-push')} || true\n")
    looked_at(journey)
    journey.repo.write(".husky/pre-push", f"{CALL.format('pre-push')}\nnpm test\n")
    journey.type("review-gate install")
    hooks(journey, ".husky/_")
    looked_at(journey)
    journey.type("git push origin main")
    journey.type("review-gate uninstall")
    unchanged(journey, before)


def test_install_where_hooks_are_in_another_folder(fresh_journey: Journey) -> None:
    journey = fresh_journey
    journey.repo.git("config", "core.hooksPath", ".git/team hooks")
    before = contents(journey)
    journey.type("review-gate install")
    hooks(journey, ".git/team hooks")
    looked_at(journey)
    guarded(journey)
    journey.note("The setting goes, and the hooks with it")
    journey.repo.git("config", "--unset", "core.hooksPath")
    looked_at(journey)
    journey.repo.git("config", "core.hooksPath", ".git/team hooks")
    journey.type("review-gate uninstall")
    journey.fact("gone", not any((journey.repo.path / ".git/team hooks").glob("*")))
    journey.fact("settings unchanged", contents(journey)[".git/info/exclude"] == before[".git/info/exclude"])


def test_install_writes_nothing_where_git_tracks_the_hooks(fresh_journey: Journey) -> None:
    journey = fresh_journey
    journey.repo.git("config", "core.hooksPath", ".githooks")
    script(journey, ".githooks/pre-push", RECORDER)
    journey.commit("Share hooks")
    before = contents(journey)
    journey.type("review-gate install")
    unchanged(journey, before)
    looked_at(journey)
    journey.note("The tracked hooks call the gate themselves")
    for hook in HOOKS:
        script(journey, f".githooks/{hook}", f"#!/bin/sh\n{CALL.format(hook)} || exit 1\n")
    journey.commit("Call the gate")
    looked_at(journey)
    guarded(journey)
