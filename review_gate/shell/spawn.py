"""Starting git cheaply: `subprocess` costs 13 ms to import, a whole git call 2 ms."""

from __future__ import annotations

import os
import select
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

READ_SIZE = 1 << 16
# `signal.SIGKILL`, without the 4 ms that importing `signal` and its enums takes.
SIGKILL = 9
# More than a hook ever has open.
MOST_OPEN = 256


class Spawned:
    """A child with its standard input and output as pipes."""

    def __init__(self, pid: int, stdin: int, stdout: int) -> None:
        self.pid = pid
        self._stdin = stdin
        self._stdout = stdout

    def write(self, data: bytes) -> None:
        """Send all of `data`; a child that is gone shows when its output is read."""
        try:
            _write_all(self._stdin, data)
        except BrokenPipeError:
            return

    def read(self, seconds: float) -> bytes:
        """The next piece of output, empty at the end; a child that says nothing for so long is given up."""
        if not self._wait_for_output(seconds):
            raise TimeoutError
        return os.read(self._stdout, READ_SIZE)

    def _wait_for_output(self, seconds: float) -> bool:
        return bool(select.select([self._stdout], [], [], seconds)[0])

    def close(self) -> None:
        """Close the pipes and wait; cat-file ends with its input."""
        os.close(self._stdin)
        os.close(self._stdout)
        os.waitpid(self.pid, 0)


def spawn(argv: list[str], environ: dict[str, str]) -> Spawned:
    """Start a child for a conversation; its error output is dropped."""
    if not hasattr(os, "posix_spawnp"):
        return _spawn_with_subprocess(argv, environ)
    child_in, our_out = os.pipe()
    our_in, child_out = os.pipe()
    actions = [
        (os.POSIX_SPAWN_DUP2, child_in, 0),
        (os.POSIX_SPAWN_DUP2, child_out, 1),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    try:
        pid = os.posix_spawnp(argv[0], argv, environ, file_actions=actions)
    except BaseException:
        os.close(our_out)
        os.close(our_in)
        raise
    finally:
        os.close(child_in)
        os.close(child_out)
    return Spawned(pid, our_out, our_in)


class Started:
    """A child that was started ahead of time, and gets its input and its deadline later."""

    def __init__(self, pid: int, pipes: tuple[int, int, int], *, with_group: bool) -> None:
        self._pid = pid
        self._pipes = pipes
        self._with_group = with_group

    def finish(self, stdin: bytes, seconds: float) -> tuple[int, bytes, bytes]:
        """Exit code, output and error text; at the deadline the child is ended with its group."""
        try:
            output, errors = _converse(*self._pipes, stdin, time.monotonic() + seconds)
        except BaseException:
            self.end()
            os.waitpid(self._pid, 0)
            raise
        return os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1]), output, errors

    def end(self) -> None:
        """End the child, perhaps while another thread waits for its answer."""
        _end(self._pid, with_group=self._with_group)

    def abandon(self) -> None:
        """End a child whose answer nobody needs."""
        for end in self._pipes:
            os.close(end)
        self.end()
        os.waitpid(self._pid, 0)


def run_bounded(
    argv: list[str], environ: dict[str, str], *, stdin: bytes, seconds: float, may_ask_user: bool = False
) -> tuple[int, bytes, bytes]:
    """Exit code, output and error text of a child that is ended, with its group, at the deadline.

    A child that may ask for a password stays in our process group: a background group may not read the terminal.
    """
    return start(argv, environ, may_ask_user=may_ask_user).finish(stdin, seconds)


def start(argv: list[str], environ: dict[str, str], *, may_ask_user: bool = False) -> Started:
    """Start a child whose output will be wanted."""
    if not hasattr(os, "posix_spawnp"):
        return _StartedLater(argv, environ)
    child_in, our_out = os.pipe()
    our_in, child_out = os.pipe()
    our_err, child_err = os.pipe()
    actions = [
        (os.POSIX_SPAWN_DUP2, child_in, 0),
        (os.POSIX_SPAWN_DUP2, child_out, 1),
        (os.POSIX_SPAWN_DUP2, child_err, 2),
    ]
    try:
        if may_ask_user:
            pid = os.posix_spawnp(argv[0], argv, environ, file_actions=actions)
        else:
            pid = os.posix_spawnp(argv[0], argv, environ, file_actions=actions, setpgroup=0)
    except BaseException:
        for end in (our_out, our_in, our_err):
            os.close(end)
        raise
    finally:
        for end in (child_in, child_out, child_err):
            os.close(end)
    return Started(pid, (our_out, our_in, our_err), with_group=not may_ask_user)


def fork(work: Callable[[bytes], bytes], get_ready: Callable[[], object]) -> Started:
    """The same for a function that gets all its input at once, in a copy of this process, which has one thread."""
    child_in, our_out = os.pipe()
    our_in, child_out = os.pipe()
    our_err, child_err = os.pipe()
    pid = os.fork()
    if pid:
        for end in (child_in, child_out, child_err):
            os.close(end)
        return Started(pid, (our_out, our_in, our_err), with_group=False)
    code = 1
    try:
        _close_all_but(child_in, child_out, child_err)
        get_ready()
        _write_all(child_out, work(_read_all(child_in)))
        code = 0
    except BaseException as error:
        _write_all(child_err, f"{type(error).__name__}: {error}".encode("utf-8", "replace"))
    finally:
        # No clean-up of the parent's things in the child.
        os._exit(code)


def _close_all_but(*kept: int) -> None:
    """Close what else is open: git waits for the end of its input as long as anybody could write to it."""
    first = 3
    for end in sorted(kept):
        os.closerange(first, end)
        first = max(first, end + 1)
    os.closerange(first, MOST_OPEN)


def _read_all(end: int) -> bytes:
    pieces = []
    while piece := os.read(end, READ_SIZE):
        pieces.append(piece)
    return b"".join(pieces)


def _converse(stdin: int, stdout: int, stderr: int, data: bytes, deadline: float) -> tuple[bytes, bytes]:
    """Feed the child and drain both its outputs at once, so that neither side ever waits for the other."""
    pieces: dict[int, list[bytes]] = {stdout: [], stderr: []}
    poll = select.poll()
    waiting = {stdout, stderr}
    for end in waiting:
        poll.register(end, select.POLLIN)
    if data:
        os.set_blocking(stdin, False)
        poll.register(stdin, select.POLLOUT)
        waiting.add(stdin)
    else:
        os.close(stdin)
    try:
        while waiting:
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            for end, _ in poll.poll(left * 1000):
                if end == stdin:
                    data = _write_some(stdin, data)
                    if data:
                        continue
                elif piece := os.read(end, READ_SIZE):
                    pieces[end].append(piece)
                    continue
                poll.unregister(end)
                os.close(end)
                waiting.discard(end)
    finally:
        for end in waiting:
            os.close(end)
    return b"".join(pieces[stdout]), b"".join(pieces[stderr])


def _write_some(end: int, data: bytes) -> bytes:
    """Write what fits; nothing is left to write when the reader is gone."""
    try:
        return data[os.write(end, data) :]
    except BrokenPipeError:
        return b""


def _write_all(end: int, data: bytes) -> None:
    while data:
        data = data[os.write(end, data) :]


def _end(pid: int, *, with_group: bool) -> None:
    try:
        (os.killpg if with_group else os.kill)(pid, SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


class _SubprocessSpawned(Spawned):
    def __init__(self, stdin: int, stdout: int, wait: Callable[[], object]) -> None:
        super().__init__(0, stdin, stdout)
        self._wait = wait

    def _wait_for_output(self, seconds: float) -> bool:
        # Windows can wait for sockets only.
        return True

    def close(self) -> None:
        os.close(self._stdin)
        os.close(self._stdout)
        self._wait()


def _spawn_with_subprocess(argv: list[str], environ: dict[str, str]) -> Spawned:
    """The same where the system has no posix_spawn, as on Windows."""
    import subprocess

    child = subprocess.Popen(
        argv, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
    )
    if child.stdin is None or child.stdout is None:
        raise OSError("the child has no pipes")
    return _SubprocessSpawned(os.dup(child.stdin.fileno()), os.dup(child.stdout.fileno()), _closer(child))


def _closer(child: object) -> Callable[[], object]:
    def close() -> None:
        for stream in (child.stdin, child.stdout):  # type: ignore[attr-defined]  # Popen is imported lazily
            stream.close()
        child.wait()  # type: ignore[attr-defined]  # Popen is imported lazily

    return close


class _StartedLater(Started):
    """The same where the system has no posix_spawn, as on Windows: the child starts when its answer is wanted."""

    def __init__(self, argv: list[str], environ: dict[str, str]) -> None:
        super().__init__(0, (-1, -1, -1), with_group=False)
        self._argv = argv
        self._environ = environ

    def finish(self, stdin: bytes, seconds: float) -> tuple[int, bytes, bytes]:
        import subprocess

        try:
            done = subprocess.run(
                self._argv, env=self._environ, input=stdin, capture_output=True, timeout=seconds, check=False
            )
        except subprocess.TimeoutExpired:
            raise TimeoutError from None
        return done.returncode, done.stdout, done.stderr

    def end(self) -> None:
        return

    def abandon(self) -> None:
        return


def package_place() -> str:
    """The directory that holds the package, for children that are started isolated."""
    return os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
