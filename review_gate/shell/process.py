"""The one way to run a configured command: argument list, deadline, process group, capped output."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import IO

from review_gate.models import Frozen
from review_gate.shell.survivor import outlived

GRACE_SECONDS = 2.0
# How long an interrupt waits for what is just being started; that takes milliseconds, unless a disk hangs.
START_SECONDS = 5.0
INTERRUPTED = "the run was interrupted before it was started"
# The system counts milliseconds in 31 bits.
LONGEST_POLL = 2_000_000.0


class Finished(Frozen):
    """How a command ended; `problem` says why it could not run or had to be stopped."""

    exit_code: int | None
    output: bytes
    # What went to standard error, where that was kept apart.
    errors: bytes = b""
    is_cut: bool = False
    has_timed_out: bool = False
    problem: str = ""


class _Collector:
    """Reads a stream, keeps it up to a limit and drops the rest: a flood can neither fill memory nor block."""

    def __init__(self, stream: IO[bytes], limit: int) -> None:
        # A descriptor of its own, closed by the thread that reads it: a daemon may hold the other end for ever.
        self._descriptor = os.dup(stream.fileno())
        stream.close()
        self._limit = limit
        self._head = bytearray()
        self._tail = bytearray()
        self.is_cut = False
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def has_ended_within(self, seconds: float) -> bool:
        """Whether everybody who writes to the stream has closed it by then."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    @property
    def kept(self) -> bytes:
        """The beginning and the end: a test runner says what failed in its last lines."""
        return bytes(self._head + self._tail[-self._room :] if self._room else self._head)

    @property
    def _room(self) -> int:
        return self._limit - self._limit // 2

    def _read(self) -> None:
        with (
            contextlib.closing(os.fdopen(self._descriptor, "rb", buffering=0)),
            contextlib.suppress(OSError, ValueError),
        ):
            while piece := os.read(self._descriptor, 1 << 16):
                taken = max(self._limit // 2 - len(self._head), 0)
                self._head += piece[:taken]
                self._tail += piece[taken:]
                if len(self._tail) > self._room:
                    self.is_cut = True
                    del self._tail[: -self._room]


class Commands:
    """The commands of one run and what else is at work for it, which can be ended together."""

    def __init__(self) -> None:
        self._ends: set[Callable[[], None]] = set()
        self._stopping = threading.Event()
        self._under_way = 0
        self._settled = threading.Condition()

    def run(
        self,
        argv: Sequence[str] | str,
        *,
        directory: str,
        environ: Mapping[str, str],
        seconds: float,
        max_output: int,
        stdin: bytes | None = None,
        keeps_errors_apart: bool = False,
        grace: float = GRACE_SECONDS,
    ) -> Finished:
        """Run a command to its end or to its deadline; nothing it started in its group is left behind."""
        with contextlib.ExitStack() as ends:
            with self._starting() as may_start:
                if not may_start:
                    return Finished(exit_code=None, output=b"", problem=INTERRUPTED)
                try:
                    child = _started(argv, directory, environ, stdin, keeps_errors_apart=keeps_errors_apart)
                except (OSError, ValueError) as error:
                    return Finished(exit_code=None, output=b"", problem=_start_problem(argv, error))
                ends.enter_context(outlived(child.pid))
                ends.enter_context(self.ended_by_interrupt(lambda: _signal_group(child, "SIGKILL")))
            try:
                return _wait(child, seconds, max_output, grace)
            except BaseException:
                _end_group(child)
                raise

    @contextlib.contextmanager
    def _starting(self) -> Iterator[bool]:
        """While a command is being started nobody can end it yet; whether it may be started at all."""
        with self._settled:
            may_start = not self._stopping.is_set()
            self._under_way += may_start
        try:
            yield may_start
        finally:
            with self._settled:
                self._under_way -= may_start
                self._settled.notify_all()

    @contextlib.contextmanager
    def ended_by_interrupt(self, end: Callable[[], None]) -> Iterator[None]:
        """While this lasts, `end` is what an interrupt of the run calls; at once, when the interrupt came before."""
        self._ends.add(end)
        if self._stopping.is_set():
            end()
        try:
            yield
        finally:
            self._ends.discard(end)

    def end_all(self) -> None:
        """End everything that is at work, or is just about to be, for a run that is being interrupted."""
        with self._settled:
            self._stopping.set()
            # Whoever calls this ends next, and with that whoever would have ended what is only being started.
            self._settled.wait_for(lambda: not self._under_way, START_SECONDS)
        for end in tuple(self._ends):
            end()


def _started(
    argv: Sequence[str] | str,
    directory: str,
    environ: Mapping[str, str],
    stdin: bytes | None,
    *,
    keeps_errors_apart: bool,
) -> subprocess.Popen[bytes]:
    with _standing_input(stdin) as source:
        return subprocess.Popen(
            argv,
            # A string comes only from `shell: true` in the configuration.
            shell=isinstance(argv, str),
            cwd=directory,
            env=dict(environ),
            stdin=source,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if keeps_errors_apart else subprocess.STDOUT,
            start_new_session=True,
        )


@contextlib.contextmanager
def _standing_input(data: bytes | None) -> Iterator[int | IO[bytes]]:
    """An input that needs nobody to feed it: a daemon that holds a pipe and never reads would keep its writer."""
    if data is None:
        yield subprocess.DEVNULL
        return
    # Nameless, and readable by nobody else: a prompt holds code that is not ours to show.
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.seek(0)
        yield file


def _wait(child: subprocess.Popen[bytes], seconds: float, max_output: int, grace: float) -> Finished:
    if child.stdout is None:
        raise OSError("the child has no output pipe")
    output = _Collector(child.stdout, max_output)
    errors = _Collector(child.stderr, max_output) if child.stderr else None
    problem = ""
    try:
        _wait_for_end(child, seconds)
    except subprocess.TimeoutExpired:
        problem = f"it did not finish within {seconds:g} seconds and was stopped"
    has_timed_out = bool(problem)
    # A daemon that the command left in its group would hold the pipe, and the machine, for ever.
    _end_group(child, grace)
    until = time.monotonic() + grace
    # Both are waited for, so that both have all that was said.
    held = [one for one in (output, errors) if one and not one.has_ended_within(max(until - time.monotonic(), 0))]
    if held and not problem:
        problem = "it left a process behind that holds its output open"
    code = child.returncode
    return Finished(
        exit_code=None if problem else code,
        output=output.kept,
        errors=errors.kept if errors else b"",
        is_cut=output.is_cut,
        has_timed_out=has_timed_out,
        problem=problem or ("" if code is None or code >= 0 else f"it was ended by signal {-code}"),
    )


def _wait_for_end(child: subprocess.Popen[bytes], seconds: float) -> None:
    """Wait for the command, or raise TimeoutExpired."""
    try:
        end = os.pidfd_open(child.pid)
    except (AttributeError, OSError):
        child.wait(timeout=seconds)
        return
    # `Popen.wait` with a timeout looks only every 50 ms (CPython up to 3.14); Linux can tell at once.
    try:
        poll = select.poll()
        poll.register(end, select.POLLIN)
        poll.poll(min(seconds, LONGEST_POLL) * 1000)
    finally:
        os.close(end)
    child.wait(timeout=0 if seconds <= LONGEST_POLL else seconds - LONGEST_POLL)


def _end_group(child: subprocess.Popen[bytes], grace: float = GRACE_SECONDS) -> None:
    """Ask the group to end, then make it."""
    if child.poll() is None:
        _signal_group(child, "SIGTERM")
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(timeout=grace)
    _signal_group(child, "SIGKILL")
    child.wait()


def _signal_group(child: subprocess.Popen[bytes], name: str) -> None:
    """Send a signal to a command and to all it started in its group."""
    if not hasattr(os, "killpg"):
        # Windows has neither groups nor SIGKILL: the command itself is all that can be ended there.
        child.kill()
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.Signals[name])


def _start_problem(argv: Sequence[str] | str, error: Exception) -> str:
    name = argv if isinstance(argv, str) else argv[0]
    if isinstance(error, FileNotFoundError):
        return f"{name} was not found"
    if isinstance(error, PermissionError):
        return f"{name} may not be executed"
    return f"{name} could not be started: {error}"
