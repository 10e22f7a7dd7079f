"""Where the reviews in rounds of the current folder are, and which of them is meant."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import NamedTuple

from review_gate.config.schema import Config
from review_gate.consensus.schema import ReviewState
from review_gate.errors import MisuseError
from review_gate.safe_text import written_out
from review_gate.shell.cache_folder import cache_folder
from review_gate.shell.repository import Repository
from review_gate.shell.rounds_store import ReviewFolder, RoundsStore
from review_gate.shell.settled_rounds import ROUNDS
from review_gate.workflows.configure import load_configuration, load_of_folder
from review_gate.workflows.scan_repository import repository_here

SESSION_VARIABLE = "CLAUDE_CODE_SESSION_ID"
PLANS, SESSIONS = ".claude/plans", ".claude/sessions"


class Place(NamedTuple):
    """Where reviews are kept, and by whose settings they go."""

    store: RoundsStore
    config: Config
    repository: Repository | None
    # The work tree, or the current folder where there is none.
    top: str
    environ: Mapping[str, str]

    @property
    def worktree(self) -> str:
        """The work tree as it is written down, whatever bytes its name is made of."""
        return written_out(self.top)


class FoundPlan(NamedTuple):
    """A plan of this user, and when it was written."""

    path: str
    written: float


def store_of(repository: Repository | None, environ: Mapping[str, str]) -> RoundsStore:
    """Where the reviews of a repository are kept; of a user where there is none."""
    if repository is not None:
        return RoundsStore(repository.shared_path(ROUNDS))
    return RoundsStore(os.path.join(cache_folder(environ, sys.platform) or os.path.abspath(".review-gate"), ROUNDS))


def place_here(environ: Mapping[str, str]) -> Place:
    """The store and settings of the repository around, or else of the user."""
    repository = repository_here()
    loaded = load_of_folder(os.getcwd()) if repository is None else load_configuration(repository)
    top = repository.top if repository is not None else os.getcwd()
    return Place(store_of(repository, environ), loaded.config, repository, top, environ)


def open_reviews(place: Place) -> list[tuple[ReviewFolder, ReviewState | None]]:
    """The reviews of this work tree that are not over, oldest first; then those of which nobody can say."""
    known: list[tuple[ReviewFolder, ReviewState | None]] = [
        (folder, state)
        for folder, state in place.store.reviews()
        if state.status != "resolved" and state.consensus.outcome != "closed" and state.worktree == place.worktree
    ]
    return [*known, *((folder, None) for folder in place.store.unreadable())]


def known_plans(environ: Mapping[str, str]) -> list[FoundPlan]:
    """The plans of this user, newest first."""
    home = environ.get("HOME") or environ.get("USERPROFILE") or os.path.expanduser("~")
    found = [FoundPlan(path, os.stat(path).st_mtime) for path in _paths(home) if os.path.isfile(path)]
    return sorted(found, key=lambda one: (-one.written, one.path))


def plan_of_session(environ: Mapping[str, str]) -> str | None:
    """The plan of the session that calls, None where there is none."""
    home, session = environ.get("HOME", ""), environ.get(SESSION_VARIABLE, "")
    if not home or not session or session != os.path.basename(session) or session.startswith("."):
        return None
    path = os.path.join(home, *SESSIONS.split("/"), session, "plan.md")
    return path if os.path.isfile(path) else None


def default_plan(environ: Mapping[str, str]) -> tuple[str, str]:
    """The plan that is meant by none, and a note where that is a guess."""
    own = plan_of_session(environ)
    if own is not None:
        return own, ""
    plans = known_plans(environ)
    if not plans:
        raise MisuseError(
            "there is no plan to review",
            why="neither this session nor ~/.claude/plans has one",
            next_step="review-gate spawn-plan-review PATH",
        )
    of = f"of {len(plans)}; --list shows them" if len(plans) > 1 else "the only one"
    return plans[0].path, f"no plan of this session is known, so the newest is reviewed ({of}): {plans[0].path}"


def _paths(home: str) -> list[str]:
    plans = os.path.join(home, *PLANS.split("/"))
    sessions = os.path.join(home, *SESSIONS.split("/"))
    found = [os.path.join(plans, name) for name in _names(plans) if name.endswith(".md")]
    return found + [os.path.join(sessions, name, "plan.md") for name in _names(sessions)]


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []
