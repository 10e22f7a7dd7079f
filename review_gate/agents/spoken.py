"""What a user asks for with a prompt: one of our commands, or a review of the prompt itself."""

from __future__ import annotations

MARK = "!!!"
# Text that a program wrote, with words of a model in it.
NOT_OF_THE_USER = "<task-notification>"
REVIEW, SHIP, PROMPT_REVIEW = "review", "ship", "prompt-review"
PLUGIN = "review-gate:"
SCOPES = ("changed", "all", "staged")
ALL_LOOPS = (1, 2, 3, 4)
LOOPS = tuple(map(str, ALL_LOOPS))


class ReviewWish:
    """What stands behind /review."""

    __slots__ = ("base", "loops", "options", "scope", "strange")

    def __init__(
        self, scope: str, loops: tuple[int, ...], base: str, options: tuple[str, ...], strange: tuple[str, ...]
    ) -> None:
        self.scope = scope
        self.loops = loops
        self.base = base
        self.options = options
        # What was said of loops and is none.
        self.strange = strange


def command_in(prompt: str) -> tuple[str, str]:
    """The one of our commands that a prompt is, and what stands behind it; two empty texts where it is none."""
    # A command of Claude Code begins with the very first letter, and its name ends at white space.
    word = prompt.replace("\n", " ").partition(" ")[0]
    name = word.removeprefix("/").removeprefix(PLUGIN)
    is_ours = word.startswith("/") and name in (REVIEW, SHIP, PROMPT_REVIEW)
    return (name, prompt[len(word) :].strip()) if is_ours else ("", "")


def review_wish(rest: str) -> ReviewWish:
    """The scope, the loops and all else that was asked for; what is no loop leaves all four."""
    words = rest.split()
    scope = next((word for word in words if word in SCOPES), "changed")
    base = _value(words, "--base")
    taken = {scope, "--base", base, "--loops", _value(words, "--loops")}
    options = tuple(word for word in words if word not in taken and not word.startswith(("--loops=", "--base=")))
    named = _value(words, "--loops")
    strange = tuple(part for part in named.split(",") if part and part not in LOOPS)
    return ReviewWish(scope, _loops(named), base, options, strange)


def is_of_the_user(prompt: str) -> bool:
    """Whether a person wrote it, and not a program that tells of an end of background work."""
    return not prompt.lstrip().startswith(NOT_OF_THE_USER)


def prompt_to_review(prompt: str) -> str | None:
    """The prompt without its mark, None where no review is wanted."""
    if MARK not in prompt or not is_of_the_user(prompt) or _is_command(prompt):
        return None
    text = prompt.rstrip()
    wanted = text.rstrip("!").rstrip()
    return wanted if text.endswith(MARK) and wanted else None


def _is_command(prompt: str) -> bool:
    """Whether it is a command of the agent, such as /review, and not a path that a sentence begins with."""
    first = prompt.split(None, 1)[0] if prompt.strip() else ""
    return first.startswith("/") and "/" not in first[1:]


def _value(words: list[str], option: str) -> str:
    for number, word in enumerate(words):
        if word == option:
            return words[number + 1] if number + 1 < len(words) else ""
        if word.startswith(option + "="):
            return word[len(option) + 1 :]
    return ""


def _loops(text: str) -> tuple[int, ...]:
    numbers = {int(part) for part in text.split(",") if part in LOOPS}
    return tuple(sorted(numbers)) or ALL_LOOPS
