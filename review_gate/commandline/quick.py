"""The pre-filter: whether a command line can concern the gate at all, and its words if they are plain ones."""

from __future__ import annotations


def names(text: str) -> frozenset[str]:
    """The names in a text with blanks between them."""
    return frozenset(text.split())


# No line without one of these, or without one of the programs below, pushes or writes to a guarded file.
TELLING = (
    *("git", "push", "no-verify", "hook", "husky", "prek", "pre-commit", "commit-msg", "review-gate", "review_gate"),
    *(".claude", ".codex", ".gemini", ".cursor", ".copilot", ".approved", "state.yaml", "loop-state"),
    *("checks.yaml", "reviewers.yaml", "context.yaml"),
)
# Other programs that push or keep hooks; as whole words, because they are short.
SHORT = names("gh hub lab glab tea gt av arc repo spr jj sl hg got hk ghstack dulwich overcommit")
_ENDS = ("&&", ";", "\n")
_BETWEEN = str.maketrans(dict.fromkeys("/\\;&|()<>`'\"$={},:", " "))
# Whatever is more than words with blanks between them.
_MARKS = frozenset("'\"\\$`<>(){}[]*?#!&|\0")


def may_concern(text: str) -> bool:
    """Whether a line may do anything that the gate has to know of."""
    lower = text.lower()
    return any(word in lower for word in TELLING) or not SHORT.isdisjoint(lower.translate(_BETWEEN).split())


def plain_commands(text: str) -> list[list[str]] | None:
    """The commands of a line that has neither quotes nor any other mark of a shell, None for all other lines."""
    for end in _ENDS:
        text = text.replace(end, "\1")
    if not _MARKS.isdisjoint(text):
        return None
    return [words for part in text.split("\1") if (words := part.split())]


def program(word: str) -> str:
    """The name of a program without its folder and suffix, in small letters; of a module of Python with hyphens."""
    name = word.replace("\\", "/").rpartition("/")[2].lower().replace("_", "-")
    return name[:-4] if name.endswith((".exe", ".cmd", ".bat")) else name
