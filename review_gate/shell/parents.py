"""The git command that started us, where the system shows it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_GENERATIONS = 10


def pushing_command() -> list[str] | None:
    """The arguments after `push` of the nearest git push above this process; None where that cannot be seen."""
    for words in _git_commands():
        if "push" in words:
            return words[words.index("push") + 1 :]
    return None


def git_command() -> list[str] | None:
    """The words of the nearest git above this process; None where that cannot be seen."""
    return next(_git_commands(), None)


def _git_commands() -> Iterator[list[str]]:
    pid = "self"
    for _ in range(MAX_GENERATIONS):
        try:
            with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as status:
                pid = next(line.split()[1] for line in status if line.startswith("PPid:"))
            words = _read_list(f"/proc/{pid}/cmdline")
        except (OSError, StopIteration, IndexError):
            return
        if words and words[0].rsplit("/", 1)[-1] == "git":
            yield words


def _read_list(path: str) -> list[str]:
    with open(path, "rb") as file:
        return file.read().decode("utf-8", "surrogateescape").split("\0")[:-1]
