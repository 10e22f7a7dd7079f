"""Running a configured command: its end, its deadline, its group, its output; and the light way to run git."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from pathlib import Path

import pytest
from running import PATIENCE, wait_until_gone, written_numbers

from review_gate.shell.process import INTERRUPTED, Commands, Finished
from review_gate.shell.spawn import run_bounded, start

PYTHON = sys.executable


def run(
    argv: list[str] | str,
    folder: Path,
    *,
    seconds: float = PATIENCE,
    limit: int = 10_000,
    commands: Commands | None = None,
    **environ: str,
) -> Finished:
    return (commands or Commands()).run(
        argv, directory=str(folder), environ={**os.environ, **environ}, seconds=seconds, max_output=limit
    )


def test_a_command_gives_its_exit_code_and_both_outputs_in_order(tmp_path: Path) -> None:
    done = run(["sh", "-c", "echo one; echo two >&2; echo three; exit 3"], tmp_path)
    assert (done.exit_code, done.output, done.problem, done.is_cut) == (3, b"one\ntwo\nthree\n", "", False)


def test_a_text_is_run_by_the_shell(tmp_path: Path) -> None:
    assert run("echo a | tr a b; echo $WHO", tmp_path, WHO="me").output == b"b\nme\n"


def test_a_command_runs_in_its_folder_without_an_input(tmp_path: Path) -> None:
    assert run(["sh", "-c", "pwd; cat; echo end"], tmp_path).output == f"{tmp_path.resolve()}\nend\n".encode()


def test_an_input_reaches_the_command_whole_and_ends(tmp_path: Path) -> None:
    data = os.urandom(3_000_000)
    done = Commands().run(
        ["cat"], directory=str(tmp_path), environ=os.environ, seconds=PATIENCE, max_output=4_000_000, stdin=data
    )
    assert (done.exit_code, done.output == data, done.is_cut) == (0, True, False)


def test_an_input_that_nobody_reads_holds_nobody_up(tmp_path: Path) -> None:
    done = Commands().run(
        ["sh", "-c", "exit 7"],
        directory=str(tmp_path),
        environ=os.environ,
        seconds=PATIENCE,
        max_output=9,
        stdin=b"x" * 3_000_000,
    )
    assert (done.exit_code, done.problem) == (7, "")


def test_a_deadline_is_told_from_every_other_end(tmp_path: Path) -> None:
    assert run(["sleep", "60"], tmp_path, seconds=0.2).has_timed_out
    assert not run(["sh", "-c", "kill -9 $$"], tmp_path).has_timed_out


def test_what_cannot_be_started_is_said(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.write_text("#!/bin/sh\n")
    broken = tmp_path / "broken"
    broken.write_text("\x7fELF but not really")
    broken.chmod(0o755)
    assert run(["no-such-program-anywhere"], tmp_path).problem == "no-such-program-anywhere was not found"
    assert run([str(plain)], tmp_path).problem == f"{plain} may not be executed"
    assert run([str(broken)], tmp_path).problem.startswith(f"{broken} could not be started: ")
    assert run(["echo", "a\0b"], tmp_path).problem.startswith("echo could not be started: ")
    assert run([str(tmp_path)], tmp_path).problem == f"{tmp_path} may not be executed"
    assert run(["echo", "x" * 200_000], tmp_path).problem.startswith("echo could not be started: ")


def test_a_command_that_dies_of_a_signal_has_not_voted(tmp_path: Path) -> None:
    done = run(["sh", "-c", "echo before; kill -SEGV $$"], tmp_path)
    assert (done.problem, done.output) == ("it was ended by signal 11", b"before\n")


def test_a_flood_of_output_is_cut_and_does_not_stop_the_command(tmp_path: Path) -> None:
    code = "print('first'); [print('x' * 99_999) for _ in range(400)]; print('last'); open('done', 'w')"
    done = run([PYTHON, "-c", code], tmp_path, limit=1_000)
    assert (done.exit_code, len(done.output), done.is_cut) == (0, 1_000, True)
    assert (done.output[:8], done.output[-8:]) == (b"first\nxx", b"xx\nlast\n")
    assert (tmp_path / "done").exists()


@pytest.mark.parametrize("trap", ["", "trap '' TERM INT HUP;"], ids=["willing", "stubborn"])
def test_a_deadline_ends_the_command_and_everything_it_started(tmp_path: Path, trap: str) -> None:
    script = f"{trap} sleep 60 & sh -c 'sleep 61 & echo $$ $! >> pids; wait' & echo $$ $! >> pids; echo begun; wait"
    finished: list[Finished] = []
    worker = threading.Thread(target=lambda: finished.append(run(["sh", "-c", script], tmp_path, seconds=2.0)))
    worker.start()
    pids = written_numbers(tmp_path / "pids", 4)
    worker.join(PATIENCE)
    assert finished[0].problem == "it did not finish within 2 seconds and was stopped"
    assert (finished[0].exit_code, finished[0].output) == (None, b"begun\n")
    assert wait_until_gone(*pids) == []


def test_a_daemon_left_in_the_group_is_ended_with_its_command(tmp_path: Path) -> None:
    done = run(["sh", "-c", "sleep 60 & echo $! > pid; echo fine"], tmp_path)
    assert (done.exit_code, done.output, done.problem) == (0, b"fine\n", "")
    assert wait_until_gone(*written_numbers(tmp_path / "pid", 1)) == []


def test_a_daemon_in_a_session_of_its_own_that_holds_the_output_is_reported(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    done = run(
        [
            "sh",
            "-c",
            "setsid sh -c 'echo $$ > pid; exec sleep 60' & while ! [ -s pid ]; do sleep 0.01; done; echo fine",
        ],
        tmp_path,
    )
    (daemon,) = written_numbers(tmp_path / "pid", 1)
    try:
        assert (done.exit_code, done.output) == (None, b"fine\n")
        assert done.problem == "it left a process behind that holds its output open"
    finally:
        os.kill(daemon, signal.SIGKILL)
    for thread in set(threading.enumerate()) - before:
        thread.join(PATIENCE)
    gc.collect()  # shows here, and not in some later test, that the pipe was not closed


def test_all_running_commands_can_be_ended_at_once(tmp_path: Path) -> None:
    commands = Commands()
    finished: list[Finished] = []
    script = "sleep 60 & echo $$ $! > pids$0; wait"
    workers = [
        threading.Thread(
            target=lambda name=name: finished.append(run(["sh", "-c", script, name], tmp_path, commands=commands))
        )
        for name in "abc"
    ]
    for worker in workers:
        worker.start()
    pids = [pid for name in "abc" for pid in written_numbers(tmp_path / f"pids{name}", 2)]
    commands.end_all()
    for worker in workers:
        worker.join(PATIENCE)
    assert [done.problem for done in finished] == ["it was ended by signal 9"] * 3
    assert wait_until_gone(*pids) == []


def test_a_run_that_was_interrupted_starts_nothing_more_and_another_run_does(tmp_path: Path) -> None:
    interrupted, later = Commands(), Commands()
    interrupted.end_all()
    assert run(["touch", "started"], tmp_path, commands=interrupted).problem == INTERRUPTED
    assert not (tmp_path / "started").exists()
    assert run(["echo", "fine"], tmp_path, commands=later).output == b"fine\n"


def test_commands_leave_no_open_files_behind(tmp_path: Path) -> None:
    run(["true"], tmp_path)
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(10):
        run(["echo", "x"], tmp_path)
    assert len(os.listdir("/proc/self/fd")) == before


def bounded(code: str, *, stdin: bytes = b"", seconds: float = PATIENCE) -> tuple[int, bytes, bytes]:
    return run_bounded([PYTHON, "-I", "-S", "-c", code], dict(os.environ), stdin=stdin, seconds=seconds)


def test_the_light_way_feeds_and_drains_more_than_any_pipe_holds() -> None:
    code = "import sys; data = sys.stdin.buffer.read(); sys.stderr.write('e' * 500_000); sys.stdout.buffer.write(data)"
    data = os.urandom(3_000_000)
    assert bounded(code, stdin=data) == (0, data, b"e" * 500_000)


def test_the_light_way_takes_a_reader_that_goes_away_in_its_stride() -> None:
    assert bounded("import sys; sys.exit(7)", stdin=b"x" * 3_000_000) == (7, b"", b"")


def test_the_light_way_ends_a_child_and_its_children_at_the_deadline(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    script = f"sleep 60 & echo $$ $! > {pids}; wait"
    with pytest.raises(TimeoutError):
        run_bounded(["sh", "-c", script], dict(os.environ), stdin=b"", seconds=2.0)
    assert wait_until_gone(*written_numbers(pids, 2)) == []


def test_a_child_started_ahead_waits_for_its_input_or_is_ended(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    assert start(["cat"], dict(os.environ)).finish(b"late", PATIENCE) == (0, b"late", b"")
    pids = tmp_path / "pids"
    unwanted = start(["sh", "-c", f"sleep 60 & echo $$ $! > {pids}; wait"], dict(os.environ))
    numbers = written_numbers(pids, 2)
    unwanted.abandon()
    assert wait_until_gone(*numbers) == []
    assert len(os.listdir("/proc/self/fd")) == before
