"""The command line of the `git push` that started us, where the system shows it."""

from __future__ import annotations

MAX_GENERATIONS = 10


def pushing_command() -> list[str] | None:
    """The arguments after `push` of the nearest git push above this process; None where that cannot be seen."""
    pid = "self"
    for _ in range(MAX_GENERATIONS):
        try:
            with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as status:
                pid = next(line.split()[1] for line in status if line.startswith("PPid:"))
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                words = file.read().decode("utf-8", "surrogateescape").split("\0")[:-1]
        except (OSError, StopIteration, IndexError):
            return None
        if words and words[0].rsplit("/", 1)[-1] == "git" and "push" in words:
            return words[words.index("push") + 1 :]
    return None
