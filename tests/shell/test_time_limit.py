"""An end to work that never ends by itself."""

from __future__ import annotations

import re
import signal
import threading

import pytest

from review_gate.shell.time_limit import time_limit


def test_a_regex_that_tries_every_way_is_stopped() -> None:
    with pytest.raises(TimeoutError), time_limit(0.05):
        re.search("(a+)+$", "a" * 60 + "b")


def test_work_that_ends_in_time_is_left_alone_and_so_is_what_comes_after() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with time_limit(30):
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 0
    assert (signal.getitimer(signal.ITIMER_REAL)[0], signal.getsignal(signal.SIGALRM)) == (0.0, before)


def test_another_thread_works_without_a_limit() -> None:
    done: list[int] = []

    def work() -> None:
        with time_limit(0.01):
            done.append(1)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [1]
