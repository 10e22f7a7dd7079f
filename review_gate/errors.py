"""Errors a user can act on, and the exit code of each."""

PASS = 0
BLOCKED = 1
MISUSE = 2
OUR_BUG = 3
INTERRUPTED = 130


class ReviewGateError(Exception):
    """What happened, why it matters and what to type next; all three are compulsory."""

    exit_code = BLOCKED

    def __init__(self, what: str, *, why: str, next_step: str) -> None:
        super().__init__(what)
        self.what = what
        self.why = why
        self.next_step = next_step


class MisuseError(ReviewGateError):
    """The command or its surroundings are wrong, and nothing was judged."""

    exit_code = MISUSE


class ConfigError(MisuseError):
    """A configuration file cannot be used as it stands; `others` counts the mistakes beside the first."""

    def __init__(self, what: str, *, why: str, next_step: str, others: int = 0) -> None:
        super().__init__(what, why=why, next_step=next_step)
        self.others = others


class GitError(ReviewGateError):
    """Git could not answer a question the gate depends on."""


class SubjectMovedError(ReviewGateError):
    """What was under review changed while it was being reviewed."""
