"""The interpreter that `review-gate` starts for a program of its own, without importing all of it again.

It is forked before the command begins, so it knows nothing of what the command did since; it is a child of the command,
and gets its arguments, environment, folder, process group or session, and streams as a new interpreter would. Whoever
starts more of them than there are spares, or any other interpreter than `python -I -c`, gets a real one.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

LONGEST = 100_000
OF_OURS = [sys.executable, "-I", "-c"]
STREAMS = (0, 1, 2)
MOST_OPEN = 256
# How many a command starts as a rule; each that nobody needs costs 3 ms.
NEEDED = {
    "run": 1,
    "verify": 1,
    "status": 1,
    "hook": 1,
    **dict.fromkeys(("spawn-code-review", "spawn-plan-review", "check"), 2),
}
IN_BACKGROUND = {"cwd", "env", "stdin", "stdout", "stderr", "close_fds", "start_new_session", "creationflags"}


class Part(NamedTuple):
    """What the spare shall be; without a folder it works where its parent does, without a group it stays in ours."""

    argv: Sequence[str]
    environ: Mapping[str, str]
    folder: str = "."
    group: int | None = None
    has_session: bool = False


class Spare:
    """A process that waits to become an interpreter; it ends with the command if nobody needs it."""

    def __init__(self, unneeded: Sequence[int]) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._pid = os.fork()
        if self._pid == 0:
            try:
                self._socket.close()
                for descriptor in unneeded:
                    os.close(descriptor)
                _wait_and_become(theirs)
            finally:
                os._exit(1)
        theirs.close()

    def become(self, request: bytes, folder: str, streams: Sequence[int]) -> int:
        """Its process id; it is in its own group or session already."""
        opened = os.open(folder, os.O_RDONLY)
        try:
            socket.send_fds(self._socket, [request], [opened, *streams])
            self._socket.recv(1)
        finally:
            os.close(opened)
            self._socket.close()
        return self._pid


class Spares:
    """Those of one command."""

    def __init__(self, verb: str, unneeded: Sequence[int]) -> None:
        self._parent = os.getpid()
        self._left = [Spare(unneeded) for _ in range(NEEDED.get(verb, 0))]

    def play(self, part: Part, streams: Sequence[int]) -> int | None:
        """The process id of one that became this; None where only a new interpreter will do.

        A process that was forked from the parent later could not wait for its end.
        """
        request = json.dumps([list(part.argv[3:]), dict(part.environ), part.group, part.has_session]).encode()
        if list(part.argv[:3]) != OF_OURS or len(request) > LONGEST or os.getpid() != self._parent:
            return None
        try:
            # Of several threads one gets it.
            spare = self._left.pop()
        except IndexError:
            return None
        return spare.become(request, part.folder, streams)


class Running:
    """A spare that was started in the background."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._code: int | None = None

    def poll(self) -> int | None:
        """Its exit code, None while it goes on."""
        return self._waited(os.WNOHANG)

    def wait(self) -> int | None:
        """The same, once it has ended."""
        return self._waited(0)

    def kill(self) -> None:
        """End it."""
        os.kill(self.pid, signal.SIGKILL)

    def _waited(self, options: int) -> int | None:
        if self._code is None:
            pid, status = os.waitpid(self.pid, options)
            self._code = os.waitstatus_to_exitcode(status) if pid else None
        return self._code


def put_in_place(spares: Spares) -> None:
    """Let this process take the spares for programs of our own, in either way in which it starts them."""
    vars(os)["posix_spawnp"] = _spawn_with(spares, os.posix_spawnp)
    vars(subprocess)["Popen"] = _popen_with(spares, subprocess.Popen)


def _spawn_with(spares: Spares, spawn: Callable[..., int]) -> Callable[..., int]:
    def spawned(program: str, argv: list[str], environ: Mapping[str, str], **options: Any) -> int:
        actions = {action[2]: action[1] for action in options["file_actions"] if action[0] == os.POSIX_SPAWN_DUP2}
        pid = None
        if {"file_actions", "setpgroup"}.issuperset(options) and tuple(sorted(actions)) == STREAMS:
            part = Part(argv, environ, group=options.get("setpgroup"))
            pid = spares.play(part, [actions[number] for number in STREAMS])
        return pid or spawn(program, argv, environ, **options)

    return spawned


def _popen_with(spares: Spares, popen: type[subprocess.Popen[Any]]) -> Callable[..., object]:
    def started(argv: Sequence[str], **options: Any) -> object:
        streams = [options.get(name) for name in ("stdin", "stdout", "stderr")]
        pid = None
        if set(options) == IN_BACKGROUND and streams[:2] == [subprocess.DEVNULL] * 2:
            with open(os.devnull, "r+b") as nothing:
                part = Part(argv, options["env"], options["cwd"], has_session=options["start_new_session"])
                pid = spares.play(part, [nothing.fileno(), nothing.fileno(), options["stderr"]])
        return Running(pid) if pid else popen(argv, **options)

    return started


def _wait_and_become(talk: socket.socket) -> None:
    request, descriptors, _, _ = socket.recv_fds(talk, LONGEST, 1 + len(STREAMS))
    if not request:
        return
    arguments, environ, group, has_session = json.loads(request)
    if has_session:
        os.setsid()
    if group is not None:
        os.setpgid(0, group)
    talk.send(b"!")
    talk.close()
    folder, *streams = descriptors
    os.fchdir(folder)
    for number, stream in zip(STREAMS, streams, strict=True):
        os.dup2(stream, number)
    os.closerange(len(STREAMS), MOST_OPEN)
    os.environ.clear()
    os.environ.update(environ)
    sys.argv = ["-c", *arguments[1:]]
    os._exit(_result(arguments[0]))


def _result(program: str) -> int:
    """The exit code of a program, which says what went wrong as an interpreter does."""
    try:
        exec(program, {"__name__": "__main__"})
    except SystemExit as end:
        return _exit_code(end.code)
    except BaseException as error:
        # Not the line above, which an interpreter does not have.
        frames = error.__traceback__
        traceback.print_exception(error.with_traceback(frames and frames.tb_next))
        return 1
    finally:
        sys.stdout.flush()
    return 0


def _exit_code(said: str | int | None) -> int:
    if isinstance(said, str):
        print(said, file=sys.stderr)
        return 1
    return said or 0
