"""Limits of time that interrupt work in Python."""

from __future__ import annotations

import signal
import threading
import time

import pytest

from review_gate.checks.watch import TooSlowError, Watch
from review_gate.shell.deadline import watch


def busy(seconds: float) -> None:
    begin = time.process_time()
    while time.process_time() - begin < seconds:
        pass


def test_work_without_end_is_interrupted() -> None:
    with pytest.raises(TooSlowError, match=r"took longer than 0\.05 seconds"), watch(0.05):
        busy(60)


def test_work_in_time_is_left_alone_and_so_is_what_follows() -> None:
    with watch(0.05):
        pass
    busy(0.2)
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0, 0)


def test_another_thread_has_no_limit_but_that_of_each_regex() -> None:
    found: list[Watch] = []
    thread = threading.Thread(target=lambda: found.append(watch(0.05)))
    thread.start()
    thread.join()
    assert (type(found[0]), found[0].seconds) == (Watch, 0.05)
