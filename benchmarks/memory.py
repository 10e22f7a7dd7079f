"""How much memory a program and its children need at most."""

from __future__ import annotations

import json
import sys

from benchmarks.timing import Case
from benchmarks.world import FailedToRunError, run_checked

# A process begins with the size of the one that started it, so a small interpreter starts what is measured. While it
# runs, Linux is asked how much all of its processes hold together, pages that they share counted once. Other systems
# tell only the size of the largest process, when all is over.
OBSERVER = """
import json, os, sys, time

def held(group):
    total = 0
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.getpgid(int(pid)) == group:
                with open(f"/proc/{pid}/smaps_rollup") as lines:
                    total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
        except OSError:
            pass
    return total * 1024

with open(os.devnull, "w") as null:
    child = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, setpgroup=0,
                            file_actions=[(os.POSIX_SPAWN_DUP2, null.fileno(), 1)])
together = status = done = 0
while not done:
    if sys.platform == "linux":
        together = max(together, held(child))
    time.sleep(0.005)
    done, status, used = os.wait4(child, os.WNOHANG)
largest = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
print(json.dumps([os.waitstatus_to_exitcode(status), largest, max(largest, together)]))
"""


def peak_memory(case: Case) -> tuple[float, float]:
    """Megabytes of the largest process, and of all of them together."""
    argv = (sys.executable, "-I", "-S", "-c", OBSERVER, *case.argv)
    code, largest, together = json.loads(run_checked(argv, case.folder, case.environ))
    if code != case.expected:
        raise FailedToRunError(f"{case.name}: ended with code {code}")
    return largest / 1e6, together / 1e6
