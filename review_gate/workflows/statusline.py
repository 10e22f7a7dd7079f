"""review-gate statusline: one line about a project for the status line of Claude Code."""

from __future__ import annotations

import os
from time import time

from review_gate.errors import ReviewGateError
from review_gate.safe_text import safe_line
from review_gate.shell.files import UnsafeFileError, read_plain_file
from review_gate.shell.heartbeat import last_heartbeat, shown_age
from review_gate.shell.policy_cache import read_compiled
from review_gate.shell.prompt_status import REVIEWED, REVIEWING, standing
from review_gate.shell.repository import RECORD_FILE, Repository, repository_of_hook
from review_gate.shell.settled_rounds import open_count
from review_gate.strict_json import StrictJsonError, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_BYTES = 8_192
CLAUDE = "claude"
# What install keeps of agents, and how Claude Code is named in it; reading it as JSON would cost more than the line.
AGENTS_FILE = "agents.json"
REGISTERED = b'"agent": "claude"'
MAX_RECORD_BYTES = 64_000_000
REFS = "ref: refs/heads/"
SHORT = 8
# A session calls a moment after it has begun to count its time, or before.
SLACK = 60


def status_line(payload: bytes, environ: Mapping[str, str]) -> str:
    """The line: of a review of a prompt that goes on or has just ended, else of the project."""
    said = _said(payload)
    folder = _folder(said) or os.getcwd()
    repository = _repository(folder, environ)
    top = repository.top if repository is not None else folder
    now = standing(environ, top)
    if now is not None and now[0] == REVIEWING:
        return f"... Reviewing prompt ({_counted(now[1], 'reviewer')})..."
    if now is not None and now[0] == REVIEWED:
        return f"ok Review complete | {_counted(now[1], 'finding')}"
    return safe_line(" | ".join(["ok " + os.path.basename(top), *_of_repository(repository, said)]))


def _of_repository(repository: Repository | None, said: Mapping[str, object]) -> list[str]:
    if repository is None:
        return []
    waiting = open_count(repository.common_dir)
    waits = _counted(waiting, "open review") if waiting else ""
    words = (_branch(repository), _review(repository), waits, _last_call(repository, said))
    return [word for word in words if word]


def _review(repository: Repository) -> str:
    """How the latest run speaks of what is checked out, where git asks us at a push and there is something to push."""
    if not os.path.isfile(repository.shared_path(RECORD_FILE)):
        return ""
    commit = repository.git.line("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    if commit is None or repository.git.line("rev-parse", "--verify", "--quiet", "@{upstream}^{commit}") == commit:
        return ""
    from review_gate.workflows.judge import look_at_state

    compiled = read_compiled(repository, os.environ)
    if compiled is None:
        # The settings have just changed; the next commit, push or command reads them.
        return ""
    state, error = look_at_state(repository, str(compiled.config.get("state_file")))
    if state is None:
        return "review state unreadable" if error else "not reviewed"
    if state.head_commit != commit:
        return "not reviewed"
    return "reviewed" if state.ship_allowed else "review failed"


def _last_call(repository: Repository, said: Mapping[str, object]) -> str:
    """When the hooks of Claude Code last called here; nothing where they were never installed for the project."""
    heard = last_heartbeat(repository, CLAUDE)
    if heard is not None:
        now, cost = time(), said.get("cost")
        duration = cost.get("total_duration_ms") if isinstance(cost, dict) else None
        begun = now - duration / 1000 - SLACK if isinstance(duration, int | float) else 0
        return f"hooks {shown_age(heard, now, since=begun)}"
    try:
        record = read_plain_file(repository.own_path(AGENTS_FILE), MAX_RECORD_BYTES) or b""
    except UnsafeFileError:
        return ""
    return "hooks never heard of" if REGISTERED in record else ""


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _said(payload: bytes) -> Mapping[str, object]:
    """What Claude Code says of the session; nothing where that cannot be read."""
    try:
        document = parse(payload)
    except StrictJsonError:
        return {}
    return document if isinstance(document, dict) else {}


def _folder(said: Mapping[str, object]) -> str:
    """Where the session works."""
    workspace = said.get("workspace")
    named = workspace.get("current_dir") if isinstance(workspace, dict) else None
    folder = named or said.get("cwd")
    return folder if isinstance(folder, str) and "\0" not in folder and os.path.isdir(folder) else ""


def _repository(folder: str, environ: Mapping[str, str]) -> Repository | None:
    try:
        os.chdir(_top_around(folder))
        return repository_of_hook(environ)
    except (ReviewGateError, OSError):
        return None


def _top_around(folder: str) -> str:
    """The nearest folder above with a git directory, found without starting git."""
    here = os.path.abspath(folder)
    while not os.path.lexists(os.path.join(here, ".git")):
        above = os.path.dirname(here)
        if above == here:
            raise FileNotFoundError(folder)
        here = above
    return here


def _branch(repository: Repository) -> str:
    """The branch, or the beginning of the commit."""
    try:
        head = (
            (read_plain_file(os.path.join(repository.git_dir, "HEAD"), MAX_BYTES) or b"")
            .decode("utf-8", "replace")
            .strip()
        )
    except UnsafeFileError:
        return ""
    return head.removeprefix(REFS) if head.startswith(REFS) else head[:SHORT]
