"""Start `review-gate` without importing it again: a process that has all of it in memory forks for every command.

Each command is a process of its own, with its own session, folder, environment and standard streams, and git and all
other children are as real as ever; only the 0.3 s in which a new interpreter imports the same modules are not spent.
What an interpreter reads when it starts (PYTHON..., the locale) is that of the server, so whoever changes it needs a
new interpreter, and so does whoever has another `review-gate` on PATH, or none: `can_start` says so. Whoever starts a
second command before the first one has ended needs one too.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import select
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from spare import Spares, put_in_place

Result = subprocess.CompletedProcess[str]
# What an interpreter, or the loader before it, has read before our code runs.
READ_AT_START = ("PYTHON", "LC_", "LANG", "LD_", "TZ")
PROGRAM = str(Path(sys.executable).with_name("review-gate"))
MAX_REQUEST = 1_000_000
CHUNK = 65_536
NOT_STARTED = 70


class Call(NamedTuple):
    """A command: what is typed after `review-gate`, and where."""

    arguments: tuple[str, ...]
    cwd: Path
    environ: dict[str, str]
    stdin: str | None


class GateServer:
    """The process that forks, and the only one that talks to it; `modules` are kept in its memory beside ours."""

    def __init__(self, environ: Mapping[str, str], modules: Sequence[str] = ()) -> None:
        self._read_at_start = _read_at_start(environ)
        self._turn = threading.Lock()
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, __file__, str(theirs.fileno()), *modules],
                env=dict(environ),
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )

    def can_start(self, environ: Mapping[str, str]) -> bool:
        """Whether a new interpreter with this environment would be like the one that waits here."""
        is_alike = _read_at_start(environ) == self._read_at_start
        return is_alike and shutil.which("review-gate", path=environ.get("PATH", "")) == PROGRAM

    def run(self, call: Call, patience: float) -> Result | None:
        """A command and its output, None while another one runs; at the deadline it is ended with all it started."""
        if not self._turn.acquire(blocking=False):
            return None
        try:
            return self._run(call, patience)
        finally:
            self._turn.release()

    def _run(self, call: Call, patience: float) -> Result:
        output, their_output = os.pipe()
        errors, their_errors = os.pipe()
        their_input, given = os.pipe()
        if call.stdin is None:
            os.close(their_input)
            their_input = os.open(os.devnull, os.O_RDONLY)
        theirs = [their_input, their_output, their_errors]
        request = json.dumps([call.arguments, str(call.cwd), call.environ]).encode()
        socket.send_fds(self._socket, [request], theirs)
        for descriptor in theirs:
            os.close(descriptor)
        pid = int(self._socket.recv(CHUNK))
        try:
            said = _converse(given, (call.stdin or "").encode(errors="surrogateescape"), [output, errors], patience)
        except BaseException:
            # A grandchild that lives on would hold the pipes, and the test, for ever.
            os.killpg(pid, signal.SIGKILL)
            raise
        finally:
            code = int(self._socket.recv(CHUNK))
        return Result(("review-gate", *call.arguments), code, *said)

    def close(self) -> None:
        """End the server."""
        self._socket.close()
        self._process.wait()


def _read_at_start(environ: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environ.items() if name.startswith(READ_AT_START)}


def _converse(stdin: int, data: bytes, outputs: list[int], patience: float) -> list[str]:
    """Give a command its input and take all of its output, as subprocess does it."""
    taken: dict[int, list[bytes]] = {pipe: [] for pipe in outputs}
    end = time.monotonic() + patience
    with selectors.DefaultSelector() as selector:
        for pipe in outputs:
            selector.register(pipe, selectors.EVENT_READ)
        selector.register(stdin, selectors.EVENT_WRITE)
        while selector.get_map():
            if time.monotonic() > end:
                raise subprocess.TimeoutExpired("review-gate", patience)
            for key, _ in selector.select(timeout=1):
                if key.fd == stdin:
                    data = _left(stdin, data)
                    is_open = bool(data)
                else:
                    taken[key.fd].append(os.read(key.fd, CHUNK))
                    is_open = bool(taken[key.fd][-1])
                if not is_open:
                    selector.unregister(key.fd)
                    os.close(key.fd)
    texts = (b"".join(taken[pipe]).decode(errors="surrogateescape") for pipe in outputs)
    return [text.replace("\r\n", "\n").replace("\r", "\n") for text in texts]


def _left(pipe: int, data: bytes) -> bytes:
    """What is left of the input after some of it was given; nothing, when the command reads no more."""
    try:
        return data[os.write(pipe, data[: select.PIPE_BUF]) :] if data else b""
    except BrokenPipeError:
        return b""


# The server


def serve(talk: socket.socket, modules: Sequence[str]) -> None:
    """Fork for every request until the other side is gone."""
    _import_all(modules)
    gc.collect()
    gc.freeze()
    while True:
        request, streams, _, _ = socket.recv_fds(talk, MAX_REQUEST, 3)
        if not request:
            return
        pid = os.fork()
        if pid == 0:
            talk.close()
            try:
                _become(json.loads(request), streams)
            finally:
                os._exit(NOT_STARTED)
        for stream in streams:
            os.close(stream)
        talk.send(str(pid).encode())
        _, status = os.waitpid(pid, 0)
        talk.send(str(os.waitstatus_to_exitcode(status)).encode())


def _import_all(modules: Sequence[str]) -> None:
    import review_gate

    for module in pkgutil.walk_packages(review_gate.__path__, "review_gate."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    for name in modules:
        importlib.import_module(name)


def _become(request: tuple[list[str], str, dict[str, str]], streams: list[int]) -> None:
    """The command, in this process, which ends with it."""
    from review_gate.cli.main import main

    arguments, folder, environ = request
    os.setsid()
    put_in_place(Spares(arguments[0] if arguments else "", streams))
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environ)
    sys.argv = [PROGRAM, *arguments]
    main()


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as other_side:
        serve(other_side, sys.argv[2:])
