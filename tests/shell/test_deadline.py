"""Time limits that even a regular expression obeys."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from review_gate.checks.scan import TooSlowError
from review_gate.shell.deadline import watch

ENDLESS = "import re; re.search(r'(a+)+$', 'a' * 40 + 'b')"


def test_a_search_without_end_is_interrupted() -> None:
    import re

    with pytest.raises(TooSlowError), watch(0.05):
        re.search(r"(a+)+$", "a" * 40 + "b")


def test_a_search_that_needs_too_much_memory_is_interrupted_and_the_limit_is_gone_behind_it() -> None:
    import re
    import resource

    before = resource.getrlimit(resource.RLIMIT_DATA)
    with pytest.raises(MemoryError), watch(60):
        re.search(r"(a|b)+c", "a" * 12_000_000)
    assert resource.getrlimit(resource.RLIMIT_DATA) == before


def test_a_search_in_time_is_left_alone_and_so_is_what_follows() -> None:
    with watch(0.05):
        pass
    time.sleep(0.1)


@pytest.mark.parametrize(("program", "code"), [(ENDLESS, 1), ("pass", 0)], ids=["endless", "in time"])
def test_without_a_timer_the_process_ends(program: str, code: int) -> None:
    source = f"from review_gate.shell.deadline import HardStop\nwith HardStop(0.5):\n    {program}\nprint('done')"
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (code, "" if code else "done\n", "")
