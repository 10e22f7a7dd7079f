"""review-gate config show: the merged configuration, where each value came from, and mistakes with their line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Repo

from review_gate.config.load import Source, load


def shown(repo: Repo, **environ: str) -> dict[str, Any]:
    done = repo.gate("config", "show", "--format", "json", **environ)
    assert done.returncode == 0, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def user_file(repo: Repo) -> Path:
    path = Path(repo.environ["XDG_CONFIG_HOME"]) / "review-gate/config.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def test_the_other_spelling_of_the_name_is_refused_and_not_ignored(gated: Repo) -> None:
    gated.write(".review-gate.yml", "test_command: [pytest]\n")
    what = "a configuration file cannot be read: .review-gate.yml is not read, rename it to .review-gate.yaml"
    assert gated.gate("config", "show").stderr.startswith(f"error: {what}\n")
    assert gated.push("origin", "main").stderr.startswith(f"blocked: {what}\n")


def test_every_setting_has_a_built_in_value_that_can_be_loaded_again(repo: Repo) -> None:
    done = repo.gate("config", "show")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("version: 1 ")
    again = load([Source("shown", done.stdout)], {})
    settings, _, checks = done.stdout.splitlines()[-1].removeprefix("# policy ").partition("-")
    assert (again.config, again.strictness) == (load([], {}).config, settings)
    assert len(checks) == 64
    assert set(shown(repo)["origins"].values()) == {"built-in default"}


def test_later_places_win_and_each_value_names_its_place(repo: Repo) -> None:
    user = user_file(repo)
    user.write_text("limits:\n  max_file_bytes: 1000\n  max_output_bytes: 2000\nhygiene: {binary: block}\n")
    repo.write(".review-gate.yaml", "limits:\n  max_output_bytes: 3000\n\ncommands:\n  - name: lint\n    run: [ruff]\n")
    result = shown(repo, REVIEW_GATE_HYGIENE__BINARY="allow")
    config, origins = result["config"], result["origins"]
    assert (config["limits"]["max_file_bytes"], config["limits"]["max_output_bytes"]) == (1_000, 3_000)
    assert (config["hygiene"]["binary"], config["commands"][0]["name"]) == ("allow", "lint")
    assert origins["limits.max_file_bytes"] == f"user file {user}:2"
    assert origins["limits.max_output_bytes"] == ".review-gate.yaml:2"
    assert origins["commands.0.run"] == ".review-gate.yaml:6"
    assert origins["commands.0.timeout"] == origins["limits.command_seconds"] == "built-in default"
    assert origins["hygiene.binary"] == "environment REVIEW_GATE_HYGIENE__BINARY"
    lines = repo.gate("config", "show").stdout.splitlines()
    (line,) = [line for line in lines if line.startswith("  max_file_bytes: 1000 ")]
    assert line.endswith(f"  # user file {user}:2")


def test_a_named_file_replaces_the_one_of_the_repository(repo: Repo) -> None:
    repo.write(".review-gate.yaml", "base: HEAD~9\n")
    repo.write("other.yaml", "limits: {max_findings: 7}\n")
    result = shown(repo, REVIEW_GATE_CONFIG="other.yaml")
    assert (result["config"]["base"], result["config"]["limits"]["max_findings"]) == (None, 7)
    assert result["origins"]["limits.max_findings"] == "other.yaml:1"
    done = repo.gate("config", "show", REVIEW_GATE_CONFIG="absent.yaml")
    assert (done.returncode, "absent.yaml does not exist" in done.stderr) == (2, True)


def test_the_repository_s_file_is_found_from_a_subfolder(repo: Repo) -> None:
    repo.write(".review-gate.yaml", "base: HEAD~9\n")
    repo.write("deep/down/file", "")
    assert shown(Repo(repo.path / "deep/down", repo.environ))["config"]["base"] == "HEAD~9"


MISTAKES = {
    "an unknown key": (
        "limits:\n  max_file_byte: 1\n",
        '.review-gate.yaml:2: unknown key "limits.max_file_byte"; did you mean "limits.max_file_bytes"?',
    ),
    "a wrong type": (
        "commands:\n  - name: x\n    loop: '1'\n    run: [a]\n",
        '.review-gate.yaml:3: commands[0].loop is the text "1"; allowed: a whole number from 1 to 4'
        " (write it without quotes)",
    ),
    "a key twice": ("base: a\nbase: b\n", None),
    "a tag": ("base: !!python/object/apply:os.system [touch canary]\n", None),
    "not YAML": ("a: [\n", None),
    "a list": ("- a\n", None),
}


def test_a_mistake_is_refused_with_file_and_line(repo: Repo) -> None:
    for number, (text, message) in enumerate(MISTAKES.values()):
        repo.write(".review-gate.yaml", text)
        done = repo.gate(*(["run", "--yes"] if number == 0 else ["config", "show"]))
        assert (done.returncode, done.stdout) == (2, "")
        first = done.stderr.splitlines()[0]
        assert first.startswith("error: .review-gate.yaml:")
        assert message is None or first == f"error: {message}"
        assert "Traceback" not in done.stderr
    assert repo.git("for-each-ref", "refs/review-gate") == ""
    assert not (repo.path / "canary").exists()


def test_all_mistakes_are_listed_at_once_and_the_doctor_says_how_many(repo: Repo) -> None:
    commands = "".join(f"  - {{name: {name}, run: [x]}}\n" for name in ("tests", "a", "a"))
    repo.write(".review-gate.yaml", f"commands:\n{commands}limits: {{max_findings: 0}}\n")
    first = '.review-gate.yaml:2: commands[0].name is "tests", which is a built-in reviewer'
    done = repo.gate("config", "show", REVIEW_GATE_BAES="x")
    assert done.returncode == 2
    lines = [line.strip() for line in done.stderr.splitlines()]
    assert lines[0] == f"error: {first}"
    assert lines[2:5] == [
        '.review-gate.yaml:4: commands[2].name is "a", as in commands[1]',
        ".review-gate.yaml:5: limits.max_findings is the number 0; allowed: a whole number from 1 to 100000",
        "environment REVIEW_GATE_BAES: no setting has this name; did you mean REVIEW_GATE_BASE?",
    ]
    doctor = repo.gate("doctor", REVIEW_GATE_BAES="x").stdout
    assert f"PROBLEM  {first} (and 3 more: review-gate config show)\n" in doctor


def test_the_policy_changes_with_strictness_and_with_nothing_else(repo: Repo) -> None:
    before = shown(repo)["policy"]
    repo.write(".review-gate.yaml", "base: HEAD~1\nlimits: {max_findings: 9}\n")
    assert shown(repo)["policy"] == before
    repo.write(".review-gate.yaml", "hygiene: {binary: block}\n")
    assert shown(repo)["policy"] != before


def test_show_is_what_config_does_by_itself(repo: Repo) -> None:
    assert repo.gate("config").stdout == repo.gate("config", "show").stdout


def test_misuse_is_exit_2(repo: Repo) -> None:
    for arguments in (["config", "set"], ["config", "show", "show"], ["config", "show", "--format", "sarif"]):
        done = repo.gate(*arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("usage: review-gate config ")


@pytest.mark.parametrize("kind", ["FIFO", "folder", "300 kB", "no UTF-8"])
def test_a_file_that_is_no_plain_small_text_is_refused(repo: Repo, kind: str) -> None:
    path = repo.path / ".review-gate.yaml"
    if kind == "FIFO":
        assert repo.run("mkfifo", str(path)).returncode == 0
    elif kind == "folder":
        path.mkdir()
    else:
        path.write_bytes(b"# " + b"x\n# " * 75_000 if kind == "300 kB" else b"base: \xff\n")
    done = repo.run("timeout", "10", "review-gate", "config", "show")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: ")
    assert ".review-gate.yaml" in done.stderr.split("\n")[0]
    assert "Traceback" not in done.stderr
