"""Bad surroundings: signals, limits, hostile repositories, odd machines. The gate works or stays closed."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import TIMEOUT, Repo, Result
from running import (
    BROKEN,
    configure,
    hide_state,
    nothing_recorded,
    refusal,
    report_of,
    state_not_written,
    wait_until_gone,
    written_numbers,
)

from review_gate.config.schema import Config
from review_gate.shell.changes import changed_between
from review_gate.shell.file_pass import FilePass, StoppedError
from review_gate.shell.repository import open_repository

ZERO = "0" * 40
STATE_MESSAGE = "blocked: Cannot read review state file. Check .claude/skills/code-review/loop-state.json.\n"


def sleeper(script: str = "", name: str = "slow") -> dict[str, Any]:
    """A command that notes its process and a child of it, and never ends."""
    run = f"{script} sleep 60 & echo $$ $! > $OUT/{name}; wait; sleep 61"
    return {"name": name, "run": ["sh", "-c", run]}


# A shell's background job, as the tests may be one, ignores interrupts, and so does what it starts.
START = """
import os, signal, sys
for name in ("SIGINT", "SIGTERM", "SIGHUP"):
    signal.signal(getattr(signal, name), signal.SIG_IGN if name == sys.argv[1] else signal.SIG_DFL)
os.execvp("review-gate", ["review-gate", "run", "--yes", *sys.argv[2:]])
"""


def start(repo: Repo, *options: str, ignored: str = "none", **environ: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", START, ignored, *options],
        cwd=repo.path,
        # TMPDIR: a checkout that an interrupted run leaves behind must not stay on the machine.
        env=repo.environ | {"OUT": str(repo.path.parent), "TMPDIR": str(repo.path.parent)} | environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def pre_push(repo: Repo, *wrapper: str) -> Result:
    """The installed hook, called as git calls it for a push of HEAD to main."""
    head = repo.head
    line = f"refs/heads/main {head} refs/heads/main {ZERO}\n"
    return repo.run(*wrapper, ".git/hooks/pre-push", "origin", repo.git("remote", "get-url", "origin"), stdin=line)


# Signals.


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
@pytest.mark.parametrize("options", [[], ["--isolate"]], ids=["here", "isolated"])
def test_a_signal_ends_the_run_its_commands_and_their_children(
    repo: Repo, number: signal.Signals, options: list[str]
) -> None:
    configure(repo, sleeper(), sleeper("trap '' TERM INT HUP;", "stubborn"))
    run = start(repo, *options)
    pids = [pid for name in ("slow", "stubborn") for pid in written_numbers(repo.path.parent / name, 2)]
    time.sleep(0.3)
    assert repo.gate("verify").returncode == 1, "a review that is not finished opens nothing"
    run.send_signal(number)
    _, errors = run.communicate(timeout=30)
    assert (run.returncode, errors.splitlines()[-1]) == (130, "interrupted: nothing was recorded")
    assert "Traceback" not in errors
    assert wait_until_gone(*pids) == []
    assert nothing_recorded(repo)
    assert repo.git("worktree", "list").count("\n") == 0
    assert repo.gate("verify").returncode == 1


@pytest.mark.parametrize("options", [[], ["--isolate"]], ids=["here", "isolated"])
def test_signals_without_end_stop_the_run_as_cleanly_as_one(repo: Repo, options: list[str]) -> None:
    configure(repo, sleeper())
    run = start(repo, *options)
    pids = written_numbers(repo.path.parent / "slow", 2)
    time.sleep(0.3)
    for _ in range(5_000):
        run.send_signal(signal.SIGTERM)
        time.sleep(0.002)
        if run.poll() is not None:
            break
    _, errors = run.communicate(timeout=30)
    assert wait_until_gone(*pids) == []
    assert run.returncode in (130, -signal.SIGTERM)
    assert nothing_recorded(repo)
    assert "Traceback" not in errors
    assert repo.git("worktree", "list").count("\n") == 0


def test_a_signal_in_the_moment_a_command_starts_ends_that_command_too(repo: Repo) -> None:
    """The command itself sends it, before the run can have noted that it exists."""
    configure(repo, {"name": "slow", "run": ["sh", "-c", "echo $$ > $OUT/pid; kill -TERM $PPID; exec sleep 60"]})
    for _ in range(5):
        run = start(repo)
        try:
            run.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            os.killpg(written_numbers(repo.path.parent / "pid", 1)[0], signal.SIGKILL)
            run.communicate(timeout=TIMEOUT)
            raise
        assert run.returncode == 130
        assert wait_until_gone(*written_numbers(repo.path.parent / "pid", 1)) == []
    assert nothing_recorded(repo)


def children_of(pid: int) -> list[int]:
    """The processes that a process has started."""
    return [int(word) for path in Path(f"/proc/{pid}/task").glob("*/children") for word in path.read_text().split()]


def wait_for_parser(pid: int) -> int:
    """The process that parses YAML for a run, once it is there."""
    end = time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        for child in children_of(pid):
            # A child that has ended since the list was made has no command line any more.
            with contextlib.suppress(OSError):
                if b"yaml_syntax" in Path(f"/proc/{child}/cmdline").read_bytes():
                    return child
        time.sleep(0.01)
    raise AssertionError("no parser was started")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_embedded_reviewers_too(repo: Repo, number: signal.Signals) -> None:
    """These files take a minute to parse, and twice as long as the run is waited for."""
    slow = "".join(f"k{line}: [{', '.join(['{a: [b, c]}'] * 40)}]\n" for line in range(3_000))
    configure(repo, limits={"yaml_seconds": 600}, files={f"f{count}.yaml": slow for count in range(60)})
    run = start(repo)
    parser = wait_for_parser(run.pid)
    time.sleep(1.0)
    run.send_signal(number)
    _, errors = run.communicate(timeout=30)
    assert (run.returncode, errors.splitlines()[-1]) == (130, "interrupted: nothing was recorded")
    assert wait_until_gone(parser) == []
    assert nothing_recorded(repo)


@pytest.mark.usefixtures("same_world")
def test_a_pass_over_files_that_is_told_to_stop_does_so_before_its_next_file(repo: Repo) -> None:
    repo.commit("three", {f"{name}.json": "{" for name in "abc"})
    git = open_repository(str(repo.path)).git
    files = FilePass(Config().model_dump(mode="json"))
    with pytest.raises(StoppedError, match="it was told to end"):
        files.review(git, changed_between(git, "HEAD~1", "HEAD"), progress=lambda done: files.stop())
    assert [path for path, _ in files.problems["syntax"]] == ["a.json"]


def test_a_run_that_was_started_to_ignore_hangups_does(repo: Repo) -> None:
    configure(
        repo, {"name": "slow", "run": ["sh", "-c", "echo $$ > $OUT/pid; until [ -e $OUT/go ]; do sleep 0.01; done"]}
    )
    run = start(repo, ignored="SIGHUP")
    written_numbers(repo.path.parent / "pid", 1)
    run.send_signal(signal.SIGHUP)
    (repo.path.parent / "go").touch()
    output, _ = run.communicate(timeout=TIMEOUT)
    assert (run.returncode, output.splitlines()[-1]) == (
        0,
        f"ship: approved (Commit {repo.head[:8]} passed its review.)",
    )


def test_a_signal_while_the_review_is_recorded_comes_too_late(repo: Repo) -> None:
    fake = repo.path.parent / "bin/git"
    fake.parent.mkdir()
    fake.write_text(
        "#!/bin/sh\n"
        'case "$*" in *update-ref*) for name in INT TERM HUP; do kill -$name $PPID; done; touch $OUT/sent;; esac\n'
        f'exec {shutil.which("git", path=repo.environ["PATH"])} "$@"\n'
    )
    fake.chmod(0o755)
    run = start(repo, PATH=f"{fake.parent}{os.pathsep}{repo.environ['PATH']}")
    output, _ = run.communicate(timeout=TIMEOUT)
    assert (repo.path.parent / "sent").exists()
    assert (run.returncode, output.splitlines()[-1]) == (
        0,
        f"ship: approved (Commit {repo.head[:8]} passed its review.)",
    )


def test_a_signal_after_the_review_was_recorded_does_not_deny_it(repo: Repo) -> None:
    """The result is longer than a pipe holds, and nobody reads it."""
    hide_state(repo)
    repo.commit("many", {"bad.txt": "\u200bx\n", **{f"bad{count}.json": "{" for count in range(1_000)}})
    run = start(repo, "--format", "json")
    end = time.monotonic() + TIMEOUT
    while not repo.state_file.exists() and time.monotonic() < end:
        time.sleep(0.01)
    # While it records it hears no signal.
    while run.poll() is None and time.monotonic() < end:
        run.send_signal(signal.SIGTERM)
        time.sleep(0.1)
    _, errors = run.communicate(timeout=30)
    said = "interrupted: the review itself was recorded; review-gate status shows it"
    assert (run.returncode, errors.splitlines()[-1]) == (130, said)
    assert repo.git("for-each-ref", "refs/review-gate") != ""


def test_a_killed_run_records_nothing_and_the_next_one_works(repo: Repo) -> None:
    configure(repo, {"name": "slow", "run": ["sh", "-c", "[ -e $OUT/open ] || { echo $$ > $OUT/pid; exec sleep 60; }"]})
    run = start(repo)
    (pid,) = written_numbers(repo.path.parent / "pid", 1)
    run.kill()
    run.communicate()
    os.killpg(pid, signal.SIGKILL)
    assert nothing_recorded(repo)
    assert repo.gate("verify").returncode == 1
    (repo.path.parent / "open").touch()
    assert report_of(repo, OUT=str(repo.path.parent))["decision"]["allowed"]


# Limits of the machine.


LIMITS = [f"--nofile={count}" for count in (3, 4, 8, 10, 11, 12, 13, 16)]
LIMITS += [f"--as={megabytes}000000" for megabytes in (1, 4, 8, 12, 14, 16, 20, 32)]


def test_a_hook_without_file_handles_or_memory_never_lets_go(gated: Repo) -> None:
    gated.write("bad.py", BROKEN)
    gated.git("add", "bad.py")
    codes = {limit: pre_push(gated, "prlimit", limit).returncode for limit in LIMITS}
    assert [limit for limit, code in codes.items() if code == 0] == []
    codes = {limit: gated.run("prlimit", limit, ".git/hooks/pre-commit").returncode for limit in LIMITS}
    assert [limit for limit, code in codes.items() if code == 0] == []


def test_a_run_without_file_handles_or_memory_is_no_pass_and_no_traceback(repo: Repo) -> None:
    repo.commit("bad", {"bad.py": BROKEN})
    for limit in ("--nofile=8", "--nofile=12", "--as=300000000"):
        done = repo.run("prlimit", limit, "review-gate", "run", "--yes")
        assert done.returncode != 0
        if done.returncode in (1, 3):
            assert "Traceback" not in done.stderr
    assert repo.gate("verify").returncode == 1


def _hundred_megabytes(path: Path) -> None:
    with open(path, "wb") as file:
        file.write(b'{"head_commit": "')
        file.truncate(100_000_000)


STATES: dict[str, Callable[[Path], object]] = {
    "100 MB": _hundred_megabytes,
    "FIFO": os.mkfifo,
    "a link to a valid state": lambda path: path.symlink_to("valid.json"),
    "a link to a device": lambda path: path.symlink_to("/dev/zero"),
    "a folder": lambda path: path.mkdir(),
    "a million brackets": lambda path: path.write_bytes(b"[" * 1_000_000),
    "zeros, as after a power cut": lambda path: path.write_bytes(b"\0" * 1_700),
    "nothing": lambda path: path.touch(),
}


def test_a_hostile_state_closes_the_gate_at_once(gated: Repo) -> None:
    gated.review()
    assert pre_push(gated).returncode == 0
    gated.state_file.rename(gated.state_file.with_name("valid.json"))
    for name, make in STATES.items():
        make(gated.state_file)
        done = pre_push(gated, "timeout", "5")
        assert (name, done.returncode) == (name, 1)
        assert done.stderr.startswith(STATE_MESSAGE)
        assert "Traceback" not in done.stderr
        gated.state_file.rmdir() if gated.state_file.is_dir() else gated.state_file.unlink()
    assert pre_push(gated).returncode == 0, "without a state file the ledger alone speaks"


@pytest.mark.parametrize("name", ["100 MB", "FIFO", "a link to a device", "a folder"])
def test_a_hostile_state_is_shown_by_status_and_mended_by_a_new_review(gated: Repo, name: str) -> None:
    gated.state_file.parent.mkdir(parents=True)
    STATES[name](gated.state_file)
    done = gated.run("timeout", "5", "review-gate", "status")
    assert done.returncode == 0
    assert "loop-state.json cannot be used: it is" in done.stdout
    done = gated.gate("run", "--yes")
    if name == "a folder":
        assert "warning: .claude/skills/code-review/loop-state.json cannot be written: Is a directory\n" in done.stderr
        assert "ship: BLOCKED (Cannot read review state file." in done.stdout
        steps = {line for line in (done.stdout + done.stderr).splitlines() if line.startswith("  next:  ")}
        assert steps == {"  next:  move .claude/skills/code-review/loop-state.json away"}
        assert pre_push(gated).returncode == 1
    else:
        assert done.returncode == 0
        assert pre_push(gated).returncode == 0


def test_a_state_folder_that_leads_out_of_the_repository_is_not_followed(repo: Repo) -> None:
    outside = repo.path.parent / "outside"
    outside.mkdir()
    (repo.path / ".claude").symlink_to(outside)
    repo.git("add", "--all")
    repo.git("commit", "--quiet", "-m", "link")
    done = repo.gate("run", "--yes")
    assert "Traceback" not in done.stderr
    assert list(outside.rglob("*")) == []


def test_an_occupied_place_for_the_state_is_said_and_the_review_stands(repo: Repo) -> None:
    repo.commit("occupied", {".claude": "a file\n"})
    done = repo.gate("run", "--yes")
    assert done.returncode == 0
    assert done.stderr.endswith(state_not_written("Not a directory"))
    assert repo.gate("verify").returncode == 0


STATE_FILES: dict[str, tuple[str, str]] = {
    "a tracked file": ("app.py", "a file is there that review-gate did not write"),
    "somebody's file": ("notes/mine.txt", "a file is there that review-gate did not write"),
    "a folder that leads out": ("out/state.json", "a folder on the way there is a link"),
}


@pytest.mark.parametrize(("name", "problem"), STATE_FILES.values(), ids=STATE_FILES.keys())
def test_a_state_file_never_overwrites_what_is_not_ours(repo: Repo, name: str, problem: str) -> None:
    (repo.path / "out").symlink_to(repo.path.parent)
    repo.commit("configured", {".review-gate.yaml": f"state_file: {name}\n"})
    repo.write("notes/mine.txt", "precious\n")
    code, text = refusal(repo.gate("run", "--yes"))
    assert code == 1
    assert text.startswith(f"blocked: state_file cannot be {name}: {problem}\n")
    assert (repo.path / "notes/mine.txt").read_text() == "precious\n"
    assert not (repo.path.parent / "state.json").exists()


def test_a_hundred_thousand_changed_files_are_reviewed(repo: Repo) -> None:
    """One of them is broken, and it is found; about 10 s here, most of it spent in asking git for each file."""
    importer = subprocess.Popen(
        ["git", "fast-import", "--quiet"], cwd=repo.path, stdin=subprocess.PIPE, env=repo.environ
    )
    assert importer.stdin is not None
    write = importer.stdin.write
    write(
        b"commit refs/heads/main\ncommitter A <a@example.org> 1700000000 +0000\ndata 4\nmany\nfrom refs/heads/main^0\n"
    )
    for number in range(100_000):
        text = b"%d\n" % number
        write(b"M 100644 inline d%d/f%d.txt\ndata %d\n%s\n" % (number // 1_000, number, len(text), text))
    write(b"M 100644 inline d50/bad.py\ndata %d\n%s\n" % (len(BROKEN), BROKEN.encode()))
    importer.stdin.close()
    assert importer.wait(TIMEOUT) == 0
    repo.git("read-tree", "HEAD")
    report = report_of(repo)
    assert [(one["file"], one["line"]) for one in report["findings"]] == [("d50/bad.py", 1)]
    assert repo.gate("verify").returncode == 1


# An odd machine.


def test_no_home_and_a_locale_without_utf8_make_no_difference(repo: Repo) -> None:
    repo.commit("umlaut", {"größe.py": BROKEN})
    normal = repo.gate("run", "--yes").stdout
    bare = {"PATH": repo.environ["PATH"], "GIT_CONFIG_GLOBAL": repo.environ["GIT_CONFIG_GLOBAL"]}
    for environ in (bare, bare | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "TZ": "Nowhere/Odd"}):
        done = Repo(repo.path, environ).gate("run", "--yes")
        assert (done.returncode, done.stdout) == (1, normal)
        assert "Traceback" not in done.stderr
    assert sorted(os.listdir(repo.path)) == [".claude", ".git", "app.py", "größe.py"]


CLOCK = """
import freezegun
freezegun.freeze_time({moment!r}, tick=True).start()
"""


@pytest.mark.parametrize("moment", ["1970-01-01 00:00:01", "2099-06-15 12:00:00"], ids=["past", "future"])
def test_the_clock_decides_nothing(gated: Repo, tmp_path: Path, moment: str) -> None:
    (tmp_path / "sitecustomize.py").write_text(CLOCK.format(moment=moment))
    gated.write(".git/open", "")
    configure(gated, {"name": "gate", "run": ["test", "-e", ".git/open"]})
    odd = {"PYTHONPATH": str(tmp_path)}
    report = report_of(gated, **odd)
    assert report["finished"].startswith(moment[:10])
    assert pre_push(gated).returncode == 0
    status = gated.gate("status")
    assert (status.returncode, "-" in status.stdout.split("review ")[1].split(",")[0]) == (0, False)
    (gated.path / ".git/open").unlink()
    assert not report_of(gated)["ship_allowed"]
    assert pre_push(gated).returncode == 1, "the later failure counts, whatever the clock said before"
    gated.write(".git/open", "")
    assert report_of(gated, **odd)["ship_allowed"]
    assert pre_push(gated).returncode == 0, "the later pass counts, whatever the clock says now"


def test_the_interpreter_s_own_variables_do_not_change_a_hook(gated: Repo, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import os; os._exit(0)\n")
    (tmp_path / "review_gate.py").write_text("import os; os._exit(0)\n")
    for environ in ({"PYTHONPATH": str(tmp_path)}, {"PYTHONHOME": str(tmp_path)}, {"PYTHONSTARTUP": str(tmp_path)}):
        done = Repo(gated.path, gated.environ | environ)
        assert pre_push(done).returncode == 1
