"""What git will do to a commit message after the commit-msg hook, as far as a hook can know."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    # Its name as it was typed, so perhaps cut short, and its value.
    Option = tuple[str, str]

MODES = ("strip", "whitespace", "verbatim", "scissors")
# What git sets GIT_EDITOR to for its hooks when it opens none; to a user it is an editor that changes nothing.
NO_EDITOR = ":"
GLOBAL_WITH_VALUE = (
    "-c", "-C", "--attr-source", "--config-env", "--git-dir", "--namespace", "--super-prefix", "--work-tree",
)  # fmt: skip
# The commands that start the hook, and their options that take the next word for a value.
WITH_VALUE = {
    "commit": (
        "mFCct",
        (
            "--author", "--cleanup", "--date", "--file", "--fixup", "--message", "--pathspec-from-file",
            "--reedit-message", "--reuse-message", "--squash", "--template", "--trailer",
        ),
    ),
    "merge": ("mFsX", ("--cleanup", "--file", "--into-name", "--message", "--strategy", "--strategy-option")),
}  # fmt: skip
# These take what follows in the same word, or nothing.
MAYBE_WITH_VALUE = "Su"
GIVES_MESSAGE = ("-m", "-F", "-C", "--message", "--file", "--reuse-message", "--fixup")


class Circumstances:
    """Where the hook runs: its GIT_EDITOR, the git command above it and its GIT_EDITOR, None where that is unseen."""

    __slots__ = ("command", "editor", "is_picking", "options", "outer_editor")

    def __init__(
        self, *, editor: str | None, command: list[str] | None, outer_editor: str | None, is_picking: bool
    ) -> None:
        self.editor = editor
        self.command, self.options = _taken_apart(command or [])
        self.outer_editor = outer_editor
        self.is_picking = is_picking

    @property
    def is_seen(self) -> bool:
        """Whether the options of the command are known; otherwise the clean-up mode is a guess."""
        return bool(self.command)

    @property
    def has_editor(self) -> bool:
        """Whether git opened an editor for the message."""
        if self.editor != NO_EDITOR:
            return True
        return self.outer_editor == NO_EDITOR and _opens_editor(self.command, self.options)


def cleanup_mode(configured: str | None, where: Circumstances) -> str:
    """The mode that git uses: comments go with an editor, and stay without one unless it was told otherwise."""
    if not where.is_seen and where.is_picking and not where.has_editor:
        # It may be `git cherry-pick --continue`, which starts `git commit --no-edit --cleanup=strip` (git 2.39).
        return "strip"
    mode = configured
    for name, value in where.options:
        if _means(name, "--cleanup"):
            mode = value
        elif _means(name, "--no-cleanup"):
            mode = None
    if mode in MODES and (where.has_editor or mode != "scissors"):
        return str(mode)
    return "strip" if where.has_editor else "whitespace"


def _opens_editor(command: str, options: list[Option]) -> bool:
    """Whether a command with these options opens one; a merge does so on a terminal only, which says nothing here."""
    # `git merge --continue` commits as `git commit` does.
    opens = command == "commit" or any(_means(name, "--continue") for name, _ in options)
    for name, value in options:
        if any(_means(name, option) for option in GIVES_MESSAGE):
            opens = opens and value.startswith(("amend:", "reword:")) and _means(name, "--fixup")
    # The last word about it counts for more than all others.
    said = [name for name, _ in options if name == "-e" or _means(name, "--edit") or _means(name, "--no-edit")]
    return not said[-1].startswith("--no") if said else opens


def _means(name: str, option: str) -> bool:
    """Whether a name stands for an option: git takes long ones cut short, too."""
    return name == option or (option.startswith(name) and len(name) > len("--"))


def _taken_apart(words: list[str]) -> tuple[str, list[Option]]:
    """The command that starts the hook and its options; nothing where another one is seen."""
    rest = iter(words[1:])
    for word in rest:
        if word in GLOBAL_WITH_VALUE:
            next(rest, None)
        elif word in WITH_VALUE:
            return word, list(_options(rest, *WITH_VALUE[word]))
        elif not word.startswith("-"):
            break
    return "", []


def _options(words: Iterator[str], letters: str, names: tuple[str, ...]) -> Iterator[Option]:
    for word in words:
        if word == "--":
            return
        if word.startswith("--"):
            name, equals, value = word.partition("=")
            takes_next = not equals and any(_means(name, option) for option in names)
            yield name, next(words, "") if takes_next else value
        elif word.startswith("-"):
            yield from _short_options(word[1:], words, letters)


def _short_options(cluster: str, words: Iterator[str], letters: str) -> Iterator[Option]:
    for at, letter in enumerate(cluster, 1):
        if letter in letters:
            yield f"-{letter}", cluster[at:] or next(words, "")
        else:
            yield f"-{letter}", ""
        if letter in letters or letter in MAYBE_WITH_VALUE:
            return
