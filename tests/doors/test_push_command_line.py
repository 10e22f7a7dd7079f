"""Behind a framework that shows one ref only, the command line of git push shows whether there are more."""

from __future__ import annotations

import pytest
from conftest import Repo

from review_gate.errors import ReviewGateError
from review_gate.shell.repository import open_repository
from review_gate.workflows.framework_push import refuse_hidden_refs

pytestmark = pytest.mark.usefixtures("same_world")

Settings = dict[str, str]


def judge(repo: Repo, arguments: str, settings: Settings) -> None:
    """Judge a `git push` with these arguments, in a repository with these settings."""
    for name, value in settings.items():
        repo.git("config", name, value)
    try:
        refuse_hidden_refs(open_repository(str(repo.path)), arguments.split())
    finally:
        for name in settings:
            repo.git("config", "--unset", name)


SEVERAL: list[tuple[str, Settings]] = [
    ("origin main side", {}),
    ("-u origin main HEAD:copy", {}),
    ("--all origin", {}),
    ("--al origin", {}),
    ("--mirror origin", {}),
    ("--mir origin", {}),
    ("--tags origin main", {}),
    ("--follow-tags origin main", {}),
    ("origin refs/heads/*:refs/heads/*", {}),
    ("origin :", {}),
    ("origin +:", {}),
    ("-o ci.skip origin main side", {}),
    ("origin", {"push.default": "matching"}),
    ("", {"push.default": "matching"}),
    ("origin", {"remote.origin.push": "refs/heads/*:refs/heads/*"}),
    ("", {"remote.origin.push": "refs/heads/*:refs/heads/*"}),
    ("origin", {"remote.origin.mirror": "true"}),
    ("", {"remote.origin.mirror": "true"}),
]
ONE: list[tuple[str, Settings]] = [
    ("", {}),
    ("origin", {}),
    ("origin main", {}),
    ("origin tag v1", {}),
    ("-o ci.skip origin main", {}),
    ("--push-option=ci.skip -u origin HEAD", {}),
    ("--quiet --force-with-lease origin main:refs/heads/copy", {}),
    ("--no-follow-tags origin main", {"push.followTags": "true"}),
    ("origin", {"push.default": "current"}),
    ("origin main", {"push.default": "matching"}),
    ("origin", {"remote.origin.push": "HEAD"}),
]


def test_a_command_line_that_sends_several_refs_is_seen(repo: Repo) -> None:
    for arguments, settings in SEVERAL:
        with pytest.raises(ReviewGateError) as refused:
            judge(repo, arguments, settings)
        what = "this push sends several refs, and the hook framework shows only the first of them"
        assert (arguments, refused.value.what) == (arguments, what)


def test_a_command_line_that_sends_one_ref_is_left_alone(repo: Repo) -> None:
    for arguments, settings in ONE:
        judge(repo, arguments, settings)
