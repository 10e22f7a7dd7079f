"""The file with the commit message that git hands its hook, and what git will make of it."""

from __future__ import annotations

import os

from review_gate.errors import MisuseError
from review_gate.reviewers import commit_message
from review_gate.shell.files import UnsafeFileError, overwrite_file, read_plain_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from review_gate.shell.git import Git
    from review_gate.shell.repository import Repository

MAX_MESSAGE_BYTES = 10_000_000
# Encodings that switch between alphabets write nothing but ASCII.
ESCAPE = b"\x1b"
PICKING = ("CHERRY_PICK_HEAD", "REVERT_HEAD")
CLEANUP_MODES = ("strip", "whitespace", "verbatim", "scissors")
# What git sets GIT_EDITOR to for its hooks when it opens no editor.
NO_EDITOR = ":"


class MessageFile:
    """The message, `text` as it is meant and `raw` as its bytes are; nothing below its end is left in the file.

    `is_mode_known` and `is_sign_known` tell whether git is sure to drop what looks like a comment; where that is a
    guess, comments are looked at too.
    """

    def __init__(self, repository: Repository, path: str) -> None:
        self.repository = repository
        self.path = path
        self.cleanup, self.comment_char = "strip", "#"
        self.is_mode_known = self.is_sign_known = True
        self.data = _read(path)
        if commit_message.needs_cleanup_mode(self.data.decode("utf-8", "replace")):
            self._foresee_clean_up()
            self._cut()
        self.text, self.raw = _meant_and_raw(repository.git, self.data)

    def readings(self) -> list[bytes]:
        """All that git may keep, in each way to read it; every line has its number."""
        texts = dict.fromkeys((self.text, self.raw))
        if self.is_mode_known and self.is_sign_known:
            texts = dict.fromkeys(commit_message.kept_text(one, self.cleanup, self.comment_char) for one in texts)
        return [text.encode() for text in texts]

    def tidy_up(self) -> None:
        """Leave a refused message without its comments: the next try may choose another sign for its own."""
        if self.cleanup == "strip" and self.is_mode_known:
            try:
                self._keep(commit_message.without_comments(self.data, self.comment_char))
            except MisuseError:
                # What is wrong with the message matters more, and is said.
                return

    def _foresee_clean_up(self) -> None:
        # Few messages need to know, so the others do not pay for the import.
        from review_gate.shell.parents import git_command

        git, words = self.repository.git, git_command()
        has_editor = os.environ.get("GIT_EDITOR") != NO_EDITOR
        self.is_mode_known = words is not None and ("commit" in words or "merge" in words)
        if not self.is_mode_known and not has_editor and _is_picking(self.repository):
            # It may be `git cherry-pick --continue`, which starts `git commit --no-edit --cleanup=strip` (git 2.39).
            self.cleanup = "strip"
        else:
            wanted = _cleanup_option(words or ()) or git.line("config", "--get", "commit.cleanup")
            self.cleanup = cleanup_mode(wanted, has_editor=has_editor)
        # Git 2.45 knows the setting as commentString too; an older one does not care for it.
        string = git.line("config", "--get", "core.commentString")
        sign = string or git.line("config", "--get", "core.commentChar") or "#"
        self.is_sign_known = not string and sign != "auto"
        self.comment_char = self._chosen_sign(has_editor) if sign == "auto" else sign

    def _chosen_sign(self, has_editor: bool) -> str:
        """For "auto" git takes a sign with which no line begins, so without an editor there are no comments at all."""
        return commit_message.chosen_comment_char(self.data.decode("utf-8", "replace")) if has_editor else ""

    def _cut(self) -> None:
        """End the message where it is believed to end: git does the same under -v, and this hook cannot see that."""
        end = commit_message.end_of_message(self.data, self.cleanup, self.comment_char)
        self._keep(self.data[:end])

    def _keep(self, data: bytes) -> None:
        """Write what is left of the message; somebody's own file stays as it is, and all of it is judged."""
        if data != self.data and is_gits_own(self.repository, self.path):
            try:
                overwrite_file(self.path, data)
            except OSError as error:
                raise _unusable(f"{self.path} cannot be written: {error.strerror}") from None
            self.data = data


def is_gits_own(repository: Repository, path: str) -> bool:
    """Whether a message file lies where git writes its own."""
    return os.path.realpath(os.path.dirname(path)) == os.path.realpath(repository.git_dir)


def _read(path: str) -> bytes:
    try:
        data = read_plain_file(path, MAX_MESSAGE_BYTES)
    except UnsafeFileError as error:
        raise _unusable(f"{path} cannot be read: {error}") from None
    if data is None:
        raise _unusable(f"{path} does not exist")
    return data


def _unusable(what: str) -> MisuseError:
    return MisuseError(what, why="it should hold the commit message", next_step="git commit")


def _meant_and_raw(git: Git, data: bytes) -> tuple[str, str]:
    """The message as it is meant, and as its bytes are."""
    raw = data.decode("utf-8", "replace")
    # Git writes the bytes into the commit as they are, with the name of their encoding; few are not plainly UTF-8.
    is_plain = raw.encode() == data and ESCAPE not in data
    encoding = None if is_plain else git.line("config", "--get", "i18n.commitEncoding")
    if not encoding:
        return raw, raw
    from review_gate.checks.commit_text import readings

    return readings(data, encoding)[0].decode("utf-8", "replace"), raw


def cleanup_mode(wanted: str | None, *, has_editor: bool) -> str:
    """The mode that git uses: comments go with an editor, and stay without one unless the user wants another mode."""
    if wanted in CLEANUP_MODES and (has_editor or wanted != "scissors"):
        return str(wanted)
    return "strip" if has_editor else "whitespace"


def _cleanup_option(words: Sequence[str]) -> str:
    """The last `--cleanup=MODE` of a git command; a message that looks like it is judged again before a push."""
    modes = [word.partition("=")[2] for word in words if word.startswith("--cleanup=")]
    return modes[-1] if modes else ""


def _is_picking(repository: Repository) -> bool:
    return any(os.path.exists(os.path.join(repository.git_dir, name)) for name in PICKING)
