"""Steps of the tests about the check engine in `review-gate run`."""

from __future__ import annotations

from typing import Any

from conftest import Repo
from running import hide_state, upload
from scanning import CHECKS, CONFIG, EVAL, TODO, check_file, settings, warm

SECRET = "tok_" + "5f3a9c" * 6
TOKEN = {
    "id": "token",
    "pattern": r"tok_[0-9a-f]{36}",
    "match_rule": "regex",
    "category": "secrets",
    "severity": "critical",
    "reason": "a token opens the door.",
}
KEY = f'KEY = "{SECRET}"\n'


def begun(repo: Repo, *checks: dict[str, Any], **chosen: Any) -> Repo:
    """A gated repository whose configuration, with checks for both loops, is on the remote."""
    hide_state(repo)
    repo.commit("checks", {CONFIG: settings(**chosen), CHECKS: check_file(*(checks or (EVAL, TODO, TOKEN)))})
    upload(repo)
    warm(repo)
    return repo


def findings(report: dict[str, Any]) -> list[tuple[str, int, str, str]]:
    """File, line, check and reviewer of every finding."""
    return [(one["file"], one["line"], one["rule"], one["reviewer"]) for one in report["findings"]]
