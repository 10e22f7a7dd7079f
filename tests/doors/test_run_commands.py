"""Commands of the project in a review: what counts as a finding, what counts as no vote, and where they run."""

from __future__ import annotations

import json
import os
import shlex
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from conftest import Repo

MARK = "echo ran >> ../ran"


def sh(script: str, **fields: Any) -> dict[str, Any]:
    """A command that runs a script with sh."""
    return {"name": "check", "run": ["sh", "-c", script], **fields}


def python(code: str, **fields: Any) -> dict[str, Any]:
    return {"name": "check", "run": [sys.executable, "-c", code], **fields}


def configure(
    repo: Repo, *commands: dict[str, Any], files: dict[str, str | bytes] | None = None, **settings: Any
) -> None:
    """Commit a configuration with these commands; JSON is YAML."""
    repo.write(".git/info/exclude", ".claude\n")
    config = json.dumps({"commands": list(commands), **settings})
    repo.commit("configured", {".review-gate.yaml": config, **(files or {})})


def report_of(repo: Repo, *options: str, **environ: str) -> dict[str, Any]:
    done = repo.gate("run", "--yes", "--format", "json", *options, **environ)
    assert done.returncode in (0, 1), done.stderr
    assert "Traceback" not in done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    assert done.returncode == (0 if all(loop["passed"] for loop in report["loops"]) else 1)
    return report


def outcome(report: dict[str, Any], name: str = "check") -> tuple[str, str, str]:
    """Status and detail of a reviewer, and the status of its loop."""
    for loop in report["loops"]:
        for one in loop["reviewers"]:
            if one["id"] == name:
                return one["status"], one["detail"], loop["status"]
    raise AssertionError(f"{name} took no part")


def places(report: dict[str, Any]) -> list[tuple[object, ...]]:
    return [(one["severity"], one["file"], one["line"], one["rule"], one["message"]) for one in report["findings"]]


def times_run(repo: Repo) -> int:
    path = repo.path.parent / "ran"
    return len(path.read_text().split()) if path.exists() else 0


def is_running(pid: int) -> bool:
    """Whether a process is alive; a zombie that nobody reaps is not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def still_running(path: Path) -> list[int]:
    """Those of the processes named in a file that do not end within some patience."""
    pids = [int(word) for word in path.read_text().split()]
    end = time.monotonic() + 20
    while (alive := [pid for pid in pids if is_running(pid)]) and time.monotonic() < end:
        time.sleep(0.01)
    return alive


# What a command says.


def test_the_exit_code_decides_and_the_end_of_the_output_is_shown(repo: Repo) -> None:
    configure(repo, sh("echo looking; echo 'two errors' >&2; exit 3"))
    done = repo.gate("run", "--yes")
    assert done.returncode == 1
    assert (
        "major: check: exit code 3: two errors [command-failed]\n    | looking\n    | two errors\n"
        "2 files reviewed; 1 major; verdict: needs_fixes\n"
        "ship: BLOCKED (Loop 1 failed: check: exit code 3: two errors. Fix issues and re-run /review.)\n"
    ) in done.stdout
    configure(repo, sh("echo 'two errors'"))
    assert outcome(report_of(repo)) == ("passed", "", "passed")


@pytest.mark.parametrize(
    ("severity", "status"), [("critical", "failed"), ("major", "failed"), ("warning", "passed"), ("info", "passed")]
)
def test_the_configured_severity_decides_whether_a_failure_blocks(repo: Repo, severity: str, status: str) -> None:
    configure(repo, sh("exit 1", severity=severity))
    report = report_of(repo)
    assert (outcome(report)[2], places(report)) == (status, [(severity, None, None, "command-failed", "exit code 1")])


def test_lines_that_match_the_pattern_are_findings(repo: Repo) -> None:
    pattern = r"^(?P<file>[^:]+):(?P<line>\d+): (?P<severity>\w+): (?P<message>.*)$"
    configure(
        repo, sh("echo 'b.py:2: note: n'; echo 'a.py:9: error: e'; echo done", findings="pattern", pattern=pattern)
    )
    assert places(report_of(repo)) == [("major", "a.py", 9, "check", "e"), ("info", "b.py", 2, "check", "n")]


def test_a_pattern_made_to_explode_is_no_vote(repo: Repo) -> None:
    pattern = "(?P<message>(?:a|aa)+$)"
    configure(repo, python("print('a' * 100 + '!')", findings="pattern", pattern=pattern))
    status, detail, loop = outcome(report_of(repo))
    assert (status, loop) == ("could_not_run", "incomplete")
    assert detail.startswith("its pattern took more than ")


def sarif(*results: dict[str, Any]) -> str:
    return json.dumps({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "t"}}, "results": list(results)}]})


RESULT = {
    "ruleId": "r1",
    "level": "warning",
    "message": {"text": "look"},
    "locations": [{"physicalLocation": {"artifactLocation": {"uri": "app.py"}, "region": {"startLine": 1}}}],
}


def test_sarif_is_read_from_the_output_or_from_the_file_the_command_writes(repo: Repo) -> None:
    configure(
        repo,
        sh(f"cat <<'END'\n{sarif(RESULT)}\nEND\n", findings="sarif"),
        sh(
            f"cat > out.sarif <<'END'\n{sarif(RESULT, RESULT)}\nEND\n",
            name="file",
            findings="sarif",
            sarif_file="out.sarif",
        ),
    )
    report = report_of(repo)
    assert outcome(report)[0] == outcome(report, "file")[0] == "passed"
    assert places(report) == [("warning", "app.py", 1, "r1", "look")] * 3


def test_the_file_of_an_earlier_run_does_not_speak_for_this_one(repo: Repo) -> None:
    configure(repo, sh("exit 0", findings="sarif", sarif_file="old.sarif"), files={"old.sarif": sarif()})
    assert outcome(report_of(repo)) == ("could_not_run", "it did not write old.sarif", "incomplete")
    assert outcome(report_of(repo, "--isolate"))[:2] == ("could_not_run", "it did not write old.sarif")


NO_SARIF: dict[str, tuple[dict[str, Any], str]] = {
    "prose": (sh("echo fine", findings="sarif"), "its output is not SARIF: "),
    "nothing": (sh("true", findings="sarif"), "its output is not SARIF: "),
    "half a log": (sh(f"printf %s {shlex.quote(sarif(RESULT)[:80])}", findings="sarif"), "its output is not SARIF: "),
    "more than is kept": (
        python(f"print({sarif()!r} + ' ' * 2_000)", findings="sarif"), "its SARIF is longer than 1000 bytes",
    ),
    "no file": (sh("true", findings="sarif", sarif_file="x.sarif"), "it did not write x.sarif"),
    "a file that is too long": (
        python("open('x.sarif', 'w').truncate(10**10)", findings="sarif", sarif_file="x.sarif"),
        "its SARIF file cannot be read: it is 10000000000 bytes long, more than 1000",
    ),
    "a link": (
        sh("ln -s app.py x.sarif", findings="sarif", sarif_file="x.sarif"),
        "its SARIF file cannot be read: it is a symbolic link",
    ),
    "a FIFO": (
        sh("mkfifo x.sarif", findings="sarif", sarif_file="x.sarif"),
        "its SARIF file cannot be read: it is not a regular file",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("command", "detail"), NO_SARIF.values(), ids=NO_SARIF.keys())
def test_sarif_that_cannot_be_used_is_no_vote(repo: Repo, command: dict[str, Any], detail: str) -> None:
    configure(repo, command, limits={"max_output_bytes": 1_000})
    status, said, loop = outcome(report_of(repo))
    assert (status, loop) == ("could_not_run", "incomplete")
    assert said.startswith(detail)


def test_a_failing_command_with_an_empty_log_is_a_finding(repo: Repo) -> None:
    configure(repo, sh(f"echo '{sarif()}'; exit 2", findings="sarif"))
    assert places(report_of(repo)) == [
        ("major", None, None, "command-failed", "exit code 2, and its SARIF reports nothing")
    ]


# What keeps a command from voting.

NO_VOTE: dict[str, tuple[dict[str, Any], str]] = {
    "not found": ({"name": "check", "run": ["no-such-program"]}, "no-such-program was not found"),
    "not executable": ({"name": "check", "run": ["./app.py"]}, "./app.py may not be executed"),
    "a folder": ({"name": "check", "run": ["."]}, ". may not be executed"),
    "killed": (sh("kill -KILL $$"), "it was ended by signal 9"),
    "too slow": (sh("sleep 60", timeout=0.5), "it did not finish within 0.5 seconds and was stopped"),
    "too long for its pattern": (
        python("print('x' * 5_000)", findings="pattern", pattern="(?P<message>y)"), "it printed more than 1000 bytes",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("command", "detail"), NO_VOTE.values(), ids=NO_VOTE.keys())
def test_a_command_that_could_not_run_leaves_its_loop_incomplete_unless_it_is_optional(
    repo: Repo, command: dict[str, Any], detail: str
) -> None:
    configure(repo, command, limits={"max_output_bytes": 1_000})
    report = report_of(repo)
    assert outcome(report) == ("could_not_run", detail, "incomplete")
    assert report["blockers"] == [f"check could not run: {detail}"]
    assert report["decision"]["reason"] == "incomplete"
    configure(repo, {**command, "required": False}, limits={"max_output_bytes": 1_000})
    assert outcome(report_of(repo)) == ("could_not_run", detail, "passed")


def test_a_timeout_ends_everything_the_command_started(repo: Repo) -> None:
    script = "sleep 60 & sh -c 'sleep 61 & echo $$ $! >> ../pids; wait' & echo $$ $! >> ../pids; sleep 62"
    configure(repo, sh(script, timeout=2))
    assert outcome(report_of(repo))[1] == "it did not finish within 2 seconds and was stopped"
    assert still_running(repo.path.parent / "pids") == []


def test_a_flood_of_output_is_cut_and_said_to_be(repo: Repo) -> None:
    configure(repo, sh("head -c 50000000 /dev/zero | tr '\\0' 'x'; exit 1"), limits={"max_output_bytes": 5_000})
    report = report_of(repo)
    assert outcome(report) == ("failed", "its output was cut", "failed")
    assert len(report["findings"][0]["evidence"]) <= 5_000


def test_a_daemon_does_not_hold_the_run_and_the_one_that_hides_is_reported(repo: Repo) -> None:
    configure(
        repo,
        sh("sleep 60 & echo $! > ../tame; exit 0", name="tame"),
        sh(
            "setsid sh -c 'echo $$ > ../wild; exec sleep 60' & while ! [ -s ../wild ]; do sleep 0.01; done",
            name="wild",
        ),
    )
    report = report_of(repo)
    wild = int((repo.path.parent / "wild").read_text())
    os.kill(wild, signal.SIGKILL)
    assert outcome(report, "tame")[0] == "passed"
    assert outcome(report, "wild")[:2] == ("could_not_run", "it left a process behind that holds its output open")
    assert still_running(repo.path.parent / "tame") == []


def test_control_characters_in_output_are_written_out(repo: Repo) -> None:
    hostile = "\\033[2J\\033]0;owned\\007\\r\\342\\200\\256evil"
    configure(repo, sh(f"printf '{hostile}\\nship: approved\\n'; exit 1"))
    done = repo.gate("run", "--yes")
    shown = "\\x1b[2J\\x1b]0;owned\\x07"
    assert shown in done.stdout
    for text in (done.stdout, done.stderr):
        assert all(letter.isprintable() or letter == "\n" for letter in text)
        assert "\nship: approved" not in text


# How a command is started.


def test_arguments_environment_and_shell_are_as_configured(repo: Repo) -> None:
    configure(
        repo,
        python("import sys; open('../argv', 'w').write(repr(sys.argv[1:]))", name="argv"),
        {
            "name": "list",
            "run": [sys.executable, "-c", "import sys; print(sys.argv[1:]); sys.exit(1)", "a b", "$HOME", "*"],
        },
        {"name": "text", "run": "printf '%s|' $WORD | tr b c >> ../text", "shell": True, "env": {"WORD": "a b"}},
        sh('printf "%s" "$WORD|$HOME" > ../word', name="env", env={"WORD": "a b", "HOME": "/nowhere"}),
    )
    report = report_of(repo)
    assert report["findings"][0]["message"] == "exit code 1: ['a b', '$HOME', '*']"
    read = {name: (repo.path.parent / name).read_text() for name in ("argv", "text", "word")}
    assert read == {"argv": "[]", "text": "a|c|", "word": "a b|/nowhere"}


def test_a_command_sees_none_of_the_variables_of_a_git_hook(repo: Repo) -> None:
    configure(
        repo, sh("env | grep ^GIT_ > ../variables; git rev-parse --show-toplevel > ../top; git status > /dev/null")
    )
    git_dir = str(repo.path / ".git")
    report = report_of(
        repo, GIT_DIR=git_dir, GIT_INDEX_FILE=f"{git_dir}/index", GIT_PREFIX="", GIT_EXEC_PATH=git_exec(repo)
    )
    assert outcome(report)[0] == "passed"
    assert (repo.path.parent / "variables").read_text() == ""
    assert (repo.path.parent / "top").read_text() == f"{repo.path}\n"


def git_exec(repo: Repo) -> str:
    return repo.git("--exec-path")


def test_a_command_runs_only_when_a_changed_file_concerns_it(repo: Repo) -> None:
    repo.git("push", "--quiet", "--set-upstream", "origin", "main")
    configure(repo, sh(MARK, loop=2, when_changed=["web/**"]))
    report = report_of(repo)
    assert (report["loops"][1]["status"], times_run(repo)) == ("nothing_to_run", 0)
    assert report["loops"][1]["note"] == "nothing to run; check left out: no changed file concerns it"
    repo.commit("web", {"web/x.js": "x\n"})
    assert (outcome(report_of(repo))[0], times_run(repo)) == ("passed", 1)


def test_the_commands_of_a_loop_run_side_by_side(repo: Repo) -> None:
    """Each waits for all the others: one after the other they would never end."""
    wait = "touch ../here-%d; while [ $(ls ../here-* | wc -l) -lt 6 ]; do sleep 0.01; done"
    commands = [sh(wait % number, name=f"c{number}", timeout=60) for number in range(6)]
    configure(repo, *commands)
    report = report_of(repo)
    assert [outcome(report, command["name"])[0] for command in commands] == ["passed"] * 6


def test_the_loops_run_one_after_the_other_and_stop_at_the_first_failure(repo: Repo) -> None:
    configure(
        repo,
        sh("echo 1 >> ../order", name="one"),
        sh("echo 2 >> ../order", name="two", loop=2),
        sh("echo 3 >> ../order; exit 1", name="three", loop=3),
        sh("sleep 0.2; echo 3 >> ../order", name="beside", loop=3),
        sh("echo 4 >> ../order", name="four", loop=4),
    )
    report = report_of(repo)
    assert (repo.path.parent / "order").read_text().split() == ["1", "2", "3", "3"]
    assert [loop["status"] for loop in report["loops"]] == ["passed", "passed", "failed", "not_run"]
    assert report["loops"][3]["note"] == "not run: loop 3 did not pass"
    assert outcome(report, "beside")[0] == "passed"


# Found tests.

TRAPS: dict[str, str | bytes] = {
    "conftest.py": "open('../canary-conftest', 'w')\n",
    "pytest.ini": "[pytest]\n",
    "Makefile": "$(shell touch ../canary-make)\ntest:\n\ttouch ../canary-target\n",
    "package.json": '{"scripts": {"test": "touch ../canary-npm", "pretest": "touch ../canary-npm"}}\n',
    "setup.py": "open('../canary-setup', 'w')\n",
    "sitecustomize.py": "open('../canary-site', 'w')\n",
    "review_gate.py": "open('../canary-shadow', 'w')\n",
    "json.py": "open('../canary-json', 'w')\n",
    "sh": "#!/bin/sh\ntouch ../canary-sh\n",
    "git": "#!/bin/sh\ntouch ../canary-git\n",
}


def canaries(repo: Repo) -> list[str]:
    return sorted(name for name in os.listdir(repo.path.parent) if name.startswith("canary"))


def test_a_plain_run_executes_nothing_of_the_repository(repo: Repo) -> None:
    repo.commit("traps", TRAPS)
    for name in ("sh", "git"):
        (repo.path / name).chmod(0o755)
    for options in (["--plan-only"], ["--yes"], ["--yes", "--isolate"], ["--yes", "--scope", "all"]):
        done = repo.gate("run", *options)
        assert done.returncode == 0, done.stderr
        assert "found pytest (pytest.ini), not run: accept it with --tests, or set test_command" in done.stdout
    assert canaries(repo) == []


def test_found_tests_run_when_the_option_or_the_configuration_accepts_them(repo: Repo) -> None:
    makefile = {"Makefile": f"test:\n\t@{MARK}\n"}
    repo.commit("tests", dict(makefile))
    report = report_of(repo, "--tests")
    assert (outcome(report, "tests")[0], times_run(repo)) == ("passed", 1)
    assert report["loops"][3]["note"] == "tests found in Makefile: make test"
    configure(repo, test_command="auto")
    assert (outcome(report_of(repo), "tests")[0], times_run(repo)) == ("passed", 2)
    configure(repo, test_command="off")
    assert report_of(repo, "--tests")["loops"][3]["note"] == "nothing to run"
    configure(repo, test_command=["sh", "-c", f"{MARK}; exit 1"])
    report = report_of(repo)
    assert (outcome(report, "tests")[0], report["loops"][3]["note"]) == (
        "failed",
        "test command from the configuration",
    )
    assert times_run(repo) == 3


# The disk and the commit.


def test_a_modified_file_is_refused_where_commands_run_and_only_there(repo: Repo) -> None:
    configure(repo, sh(MARK, loop=2))
    repo.write("app.py", "print('changed')\n")
    done = repo.gate("run", "--yes")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "blocked: 1 file is modified in the work tree, and the plan runs commands there\n"
        "  why:   the commands would test the disk, and the result would be recorded for the commit\n"
        "  next:  review-gate run --isolate (a temporary checkout of HEAD), or --staged, or commit first\n"
    )
    assert times_run(repo) == 0
    done = repo.gate("run", "--yes", "--loops", "1")
    assert done.returncode == 0
    assert done.stderr.endswith(
        "note: 1 file is modified in the work tree; the review is of the commit, not of the disk\n"
    )


def test_files_git_does_not_know_are_mentioned_where_commands_can_see_them(repo: Repo) -> None:
    configure(repo, sh("test -e stray"))
    repo.write("stray", "x")
    done = repo.gate("run", "--yes")
    assert "note: 1 file is not known to git; commands can see them, the commit does not have them\n" in done.stderr
    assert done.returncode == 0
    assert repo.gate("run", "--yes", "--isolate").returncode == 1


def test_isolated_commands_see_the_commit_and_the_checkout_is_gone_afterwards(repo: Repo) -> None:
    configure(repo, sh('pwd > "$OUT"; git rev-parse HEAD >> "$OUT"; cat app.py >> "$OUT"; touch junk; exit $CODE'))
    out = repo.path.parent / "out"
    committed = (repo.path / "app.py").read_text()
    repo.write("app.py", "dirty\n")
    for code in ("0", "1"):
        done = repo.gate("run", "--yes", "--isolate", OUT=str(out), CODE=code)
        assert done.returncode == int(code)
        assert "[temporary checkout]" in done.stderr
        folder, head, content = out.read_text().split("\n", 2)
        assert (head, content) == (repo.head, committed)
        assert folder != str(repo.path)
        assert not os.path.exists(os.path.dirname(folder))
        assert repo.git("worktree", "list").count("\n") == 0
    assert (repo.path / "app.py").read_text() == "dirty\n"
    assert not (repo.path / "junk").exists()


def test_staged_commands_see_the_index_and_not_the_disk(repo: Repo) -> None:
    configure(repo, sh("grep staged app.py"))
    repo.write("app.py", "staged = 1\n")
    repo.git("add", "app.py")
    repo.write("app.py", "disk = 1\n")
    assert outcome(report_of(repo, "--staged"))[0] == "passed"
    assert repo.git("worktree", "list").count("\n") == 0


SLOW = 'touch "$PLACE/begun"; while ! [ -e "$PLACE/go" ]; do sleep 0.01; done'


def report_while_committing(repo: Repo, *options: str) -> dict[str, Any]:
    """The report of a run during which somebody makes a commit: the command waits until that has happened."""
    place = repo.path.parent
    with ThreadPoolExecutor() as pool:
        running = pool.submit(report_of, repo, *options, PLACE=str(place))
        end = time.monotonic() + 60
        while not (place / "begun").exists() and time.monotonic() < end:
            time.sleep(0.01)
        repo.commit("meanwhile", {"meanwhile.py": "x = 1\n"})
        (place / "go").touch()
        return running.result()


def test_a_commit_made_while_a_command_runs_takes_no_part_in_the_result(repo: Repo) -> None:
    configure(repo, sh(SLOW))
    reviewed = repo.head
    report = report_while_committing(repo)
    moved = f"HEAD moved to {repo.head[:8]} while it ran, so it did not test what is reviewed"
    assert outcome(report) == ("could_not_run", moved, "incomplete")
    assert report["commit"] == reviewed != repo.head
    assert json.loads(repo.state_file.read_text())["head_commit"] == reviewed
    assert repo.git("for-each-ref", "--format=%(refname)", "refs/review-gate") == f"refs/review-gate/commits/{reviewed}"
    assert repo.gate("verify").returncode == 1


def test_an_isolated_command_does_not_mind_a_commit_made_meanwhile(repo: Repo) -> None:
    configure(repo, sh(SLOW))
    reviewed = repo.head
    report = report_while_committing(repo, "--isolate")
    assert (outcome(report)[0], report["commit"]) == ("passed", reviewed)
    assert repo.head != reviewed
    assert repo.gate("verify", reviewed).returncode == 0
    assert repo.gate("verify").returncode == 1


def test_a_command_that_changes_tracked_files_has_not_tested_the_commit(repo: Repo) -> None:
    configure(repo, sh("echo '# formatted' >> app.py"))
    assert outcome(report_of(repo)) == (
        "could_not_run",
        "1 file is modified since it started, so it did not test what is reviewed",
        "incomplete",
    )
