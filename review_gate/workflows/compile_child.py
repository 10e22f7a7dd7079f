"""What a hook cannot afford to import is done by a child: it parses YAML, and hands back what hooks read."""

from __future__ import annotations

import sys

from review_gate.errors import ConfigError
from review_gate.safe_text import safe_line
from review_gate.shell.worker import start_worker
from review_gate.strict_json import StrictJsonError, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.errors import ReviewGateError
    from review_gate.shell.repository import Repository

COMPILE_SECONDS = 60.0


def done_by_child(task: str, repository: Repository, *arguments: str, unread: tuple[str, str, str]) -> bytes:
    """What a task prints in a process of its own.

    Its error is raised here; `unread` says what happened, why that matters and what to type where it says nothing.
    """
    places = (repository.top, repository.git_dir, repository.common_dir)
    what, why, next_step = unread
    try:
        code, output, errors = start_worker(task, *places, *arguments).finish(b"", COMPILE_SECONDS)
    except TimeoutError:
        raise ConfigError(f"{what} within {COMPILE_SECONDS:g} seconds", why=why, next_step=next_step) from None
    except OSError as error:
        raise ConfigError(f"{what}: {error}", why=why, next_step=next_step) from None
    if code != 0:
        what, why, next_step = _complaint_in(errors) or _missing_in(errors, what, why) or unread
        raise ConfigError(what, why=why, next_step=next_step)
    return output


def _complaint_in(errors: bytes) -> tuple[str, str, str] | None:
    """What `complain` wrote; anything else is the noise of a child that broke down."""
    try:
        said = parse(errors)
    except StrictJsonError:
        return None
    if isinstance(said, list) and len(said) == 3 and all(isinstance(part, str) and part for part in said):
        return said[0], said[1], said[2]
    return None


def _missing_in(errors: bytes, what: str, why: str) -> tuple[str, str, str] | None:
    """The words for a child that lacks a package, which Python names in its last line."""
    last = errors.decode("utf-8", "replace").strip().rpartition("\n")[2]
    if not last.startswith(("ModuleNotFoundError: ", "ImportError: ")):
        return None
    return f"{what}: {safe_line(last)}", why, "install review-gate again, with all that it needs (pip check names it)"


def complain(error: ReviewGateError) -> None:
    """In the child: say what is wrong, and end."""
    import json

    sys.stderr.write(json.dumps([error.what, error.why, error.next_step]))
    sys.exit(error.exit_code)
