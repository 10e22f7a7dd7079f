"""The git command that started us, where the system shows it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_GENERATIONS = 10


def pushing_command() -> list[str] | None:
    """The arguments after `push` of the nearest git push above this process; None where that cannot be seen."""
    for _, words in _git_commands():
        if "push" in words:
            return words[words.index("push") + 1 :]
    return None


def git_command() -> tuple[list[str] | None, str | None]:
    """The words of the nearest git above this process and the GIT_EDITOR it was given; None for what is not seen."""
    for pid, words in _git_commands():
        return words, _editor_of(pid)
    return None, None


def _git_commands() -> Iterator[tuple[str, list[str]]]:
    pid = "self"
    for _ in range(MAX_GENERATIONS):
        try:
            with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as status:
                pid = next(line.split()[1] for line in status if line.startswith("PPid:"))
            words = _read_list(f"/proc/{pid}/cmdline")
        except (OSError, StopIteration, IndexError):
            return
        if words and words[0].rsplit("/", 1)[-1] == "git":
            yield pid, words


def _editor_of(pid: str) -> str | None:
    try:
        settings = _read_list(f"/proc/{pid}/environ")
    except OSError:
        return None
    return next((line.partition("=")[2] for line in settings if line.startswith("GIT_EDITOR=")), None)


def _read_list(path: str) -> list[str]:
    with open(path, "rb") as file:
        return file.read().decode("utf-8", "surrogateescape").split("\0")[:-1]
