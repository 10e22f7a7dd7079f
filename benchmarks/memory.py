"""How much memory a program and its children need at most."""

from __future__ import annotations

import json
import sys

from benchmarks.timing import Case
from benchmarks.world import FailedToRunError, run_checked

# A process begins with the size of the one that started it, so a small interpreter starts what is measured. It asks
# Linux, while they live, for the largest size that each process of the group ever had: pages that processes share are
# counted in each of them. Other systems tell only the size of the largest process, when all is over.
OBSERVER = """
import json, os, resource, sys, time

def sizes(group):
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.getpgid(int(pid)) == group:
                with open(f"/proc/{pid}/status") as status:
                    fields = dict(line.split(":", 1) for line in status)
                if "VmHWM" in fields:
                    yield pid, int(fields["VmHWM"].split()[0]) * 1024
        except (OSError, ValueError):
            pass

with open(os.devnull, "w") as null:
    child = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, setpgroup=0,
                            file_actions=[(os.POSIX_SPAWN_DUP2, null.fileno(), 1)])
peaks, status, done = {}, 0, 0
while not done:
    time.sleep(0.002)
    for pid, size in sizes(child) if sys.platform == "linux" else ():
        peaks[pid] = max(size, peaks.get(pid, 0))
    done, status, used = os.wait4(child, os.WNOHANG)
unit = 1 if sys.platform == "darwin" else 1024
largest = used.ru_maxrss * unit
print(json.dumps([os.waitstatus_to_exitcode(status), largest, max(largest, sum(peaks.values()))]))
"""


def peak_memory(case: Case) -> tuple[float, float]:
    """Megabytes of the largest process, and of all of them together, each at its own peak."""
    argv = (sys.executable, "-I", "-S", "-c", OBSERVER, *case.argv)
    code, largest, together = json.loads(run_checked(argv, case.folder, case.environ))
    if code != case.expected:
        raise FailedToRunError(f"{case.name}: ended with code {code}")
    return largest / 1e6, together / 1e6
