"""Time limits that even a regular expression obeys."""

from __future__ import annotations

import contextlib
import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from review_gate.checks.watch import TextTooSlowError, TooSlowError
from review_gate.shell.deadline import MOST_BYTES, watch

ENDLESS = "import re; re.search(r'(a+)+$', 'a' * 40 + 'b')"


def endless() -> bytes:
    return b"found" if re.search(r"(a+)+$", "a" * 40 + "b") else b""


def test_a_search_without_end_is_interrupted() -> None:
    with pytest.raises(TooSlowError), watch(0.05):
        endless()


def test_a_search_that_needs_too_much_memory_is_interrupted_and_the_limit_is_gone_behind_it() -> None:
    before = resource.getrlimit(resource.RLIMIT_DATA)
    with pytest.raises(MemoryError), watch(60):
        re.search(r"(a|b)+c", "a" * 12_000_000)
    assert resource.getrlimit(resource.RLIMIT_DATA) == before


def test_a_search_in_time_is_left_alone_and_so_is_what_follows() -> None:
    with watch(0.05):
        pass
    begin = time.process_time()
    while time.process_time() - begin < 0.2:
        pass
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0, 0)


class FailingOnce:
    """Does what a function does, but for the first time after some others."""

    def __init__(self, function: Callable[..., object], error: Exception, after: int) -> None:
        self.function = function
        self.error = error
        self.after = after

    def __call__(self, *arguments: object) -> object:
        self.after -= 1
        if self.after == -1:
            raise self.error
        return self.function(*arguments)


@pytest.mark.parametrize("error", [MemoryError(), TooSlowError(60)], ids=["memory", "time"])
@pytest.mark.parametrize("call", ["_limit", "_set"])
@pytest.mark.parametrize("after", [0, 1], ids=["on entering", "on leaving"])
def test_the_limits_are_gone_behind_a_search_whatever_happens_to_them(call: str, after: int, error: Exception) -> None:
    before, limit = resource.getrlimit(resource.RLIMIT_DATA), watch(60)
    setattr(limit, call, FailingOnce(getattr(limit, call), error, after))
    with contextlib.suppress(type(error)), limit:
        pass
    assert resource.getrlimit(resource.RLIMIT_DATA) == before
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0, 0)


@pytest.mark.parametrize("search", ["with limit: more()", "limit.bounded(more)"], ids=["here", "in a child"])
def test_what_was_there_before_a_search_does_not_count_against_it(search: str) -> None:
    source = (
        "from review_gate.shell.deadline import MOST_BYTES, watch\n"
        "limit, kept = watch(60), bytearray(MOST_BYTES)\n"
        "def more():\n    bytearray(MOST_BYTES // 2)\n    return b''\n"
        f"{search}\n"
    )
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_work_that_heeds_no_signal_is_ended_too() -> None:
    limit = watch(0.05)
    cell = limit.cell()

    def deaf() -> bytes:
        cell[0] = 7
        while True:
            with contextlib.suppress(TooSlowError):
                while True:
                    pass

    with pytest.raises(TooSlowError):
        limit.bounded(deaf)
    assert cell[0] == 7
    assert limit.bounded(lambda: b"done") == b"done"


def test_each_part_of_work_has_its_time_and_all_of_them_some_more() -> None:
    limit = watch(0.1)
    cell = limit.cell()

    def parts(number: int) -> bytes:
        for part in range(number):
            cell[0] = part
            begin = time.process_time()
            while time.process_time() - begin < 0.05:
                pass
        return b"done"

    assert limit.bounded(lambda: parts(5)) == b"done"
    with pytest.raises(TextTooSlowError, match="took longer than 1 seconds"):
        limit.bounded(lambda: parts(100))


def test_the_time_of_work_that_was_ended_counts() -> None:
    limit = watch(0.2)
    before = limit.used()
    with pytest.raises(TooSlowError):
        limit.bounded(endless)
    assert limit.used() - before >= 0.15


def test_work_that_needs_too_much_memory_is_ended_and_takes_none_of_ours() -> None:
    with pytest.raises(MemoryError):
        watch(60).bounded(lambda: b"x" * 2 * MOST_BYTES)
    assert len(watch(60).bounded(lambda: b"x" * 3_000_000)) == 3_000_000


def test_an_error_of_the_work_itself_is_seen() -> None:
    with pytest.raises(ZeroDivisionError):
        watch(60).bounded(lambda: bytes(1 // 0))


def test_without_a_second_process_the_work_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused() -> int:
        raise BlockingIOError(11, "no more processes")

    monkeypatch.setattr(os, "fork", refused)
    here = os.getpid()
    assert watch(60).bounded(lambda: str(os.getpid()).encode()) == str(here).encode()
    with pytest.raises(TooSlowError):
        watch(0.05).bounded(endless)


def test_what_was_about_to_be_written_is_written_once() -> None:
    source = (
        "import sys\nfrom review_gate.shell.deadline import watch\n"
        "sys.stdout.write('once')\nwatch(60).bounded(lambda: b'')\n"
    )
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.stderr) == ("once", "")


SIGNALS = ["SIGINT", *(["SIGTERM", "SIGKILL"] if sys.platform == "linux" else [])]


@pytest.mark.parametrize("name", SIGNALS)
def test_an_interruption_ends_the_work_as_well(name: str) -> None:
    source = (
        "import os, signal, time\nfrom review_gate.shell.deadline import watch\n"
        # What a shell starts in its background ignores an interruption, and all that this starts in turn.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "def work():\n    print(os.getpid(), flush=True)\n    time.sleep(60)\n"
        "watch(60).bounded(work)\n"
    )
    with subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as parent:
        assert parent.stdout is not None
        assert int(parent.stdout.readline()) > 0
        parent.send_signal(signal.Signals[name])
        # The last of the two closes the pipe: a child that goes on keeps it for a minute.
        assert parent.communicate(timeout=30)[0] == b""


@pytest.mark.parametrize(("program", "code"), [(ENDLESS, 1), ("pass", 0)], ids=["endless", "in time"])
def test_without_a_timer_the_process_ends(program: str, code: int) -> None:
    source = f"from review_gate.shell.deadline import HardStop\nwith HardStop(0.5):\n    {program}\nprint('done')"
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (code, "" if code else "done\n", "")
