"""Settings of Claude Code that cannot be used are left alone, with one message; what only looks so is used."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import Repo
from registering import CLAUDE, OWN, files_in, register, take_out

from review_gate.registration import agents
from review_gate.registration.standing import missing_from

pytestmark = pytest.mark.usefixtures("same_world")

UNUSABLE: dict[str, tuple[bytes, str]] = {
    "not JSON": (b"model: opus\n", "line 1: "),
    "not an object": (b"[]\n", "it is no object"),
    "an event of a wrong shape": (b'{"hooks": {"Stop": 1}}', "hooks.Stop is not a list"),
    "a key twice": (b'{"model": 1,\n"model": 2}', 'the key "model" occurs twice in one object'),
    "not UTF-8": (b'{"model": "\xff"}', "not UTF-8 at byte 11"),
    "a comment": (b"{\n// mine\n}", "line 2: a comment"),
    "too deep": (b"[" * 200_000, "nested too deeply"),
    "huge": (b" " * 1_000_001, "more than 1000000"),
}


@pytest.mark.parametrize(("data", "words"), UNUSABLE.values(), ids=UNUSABLE)
def test_settings_that_cannot_be_used_are_left_alone(repo: Repo, data: bytes, words: str) -> None:
    repo.write(CLAUDE, data)
    before = files_in(repo.path)
    done = repo.gate("install", "--claude")
    assert (done.returncode, done.stdout) == (1, "")
    first, why, step = done.stderr.splitlines()
    assert first.startswith("blocked: .claude/settings.json cannot be used: ")
    assert words in first
    assert why == "  why:   the hooks are added to what is there, and a file that cannot be understood is left as it is"
    assert step == "  next:  mend .claude/settings.json, then the same command again"
    assert files_in(repo.path) == before
    assert not (repo.path / ".git/review-gate/agents.json").exists()


def test_a_byte_order_mark_is_kept_because_claude_reads_over_it(repo: Repo) -> None:
    file = repo.write(CLAUDE, b"\xef\xbb\xbf" + OWN.encode())
    before = files_in(repo.path)
    register(repo, "--claude")
    merged = file.read_bytes()
    assert merged.startswith(b"\xef\xbb\xbf{")
    assert missing_from(json.loads(merged.decode("utf-8-sig")), agents.CLAUDE) == ()
    take_out(repo, "--claude")
    assert files_in(repo.path) == before


def test_a_link_out_of_the_project_is_not_followed(repo: Repo, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (repo.path / ".claude").symlink_to(outside)
    done = repo.gate("install", "--claude")
    assert done.returncode == 1
    assert done.stderr.startswith(
        "blocked: .claude/settings.json cannot be used: it is a link that leads out of the project, "
        f"to {outside.resolve()}/settings.json\n"
    )
    assert list(outside.iterdir()) == []


def test_a_read_only_file_is_left_alone(repo: Repo) -> None:
    file = repo.write(CLAUDE, OWN)
    file.chmod(0o444)
    before = files_in(repo.path)
    done = repo.gate("install", "--claude")
    assert done.returncode == 1
    assert done.stderr == (
        "blocked: .claude/settings.json is read-only\n"
        "  why:   somebody wants it to stay as it is\n"
        "  next:  chmod u+w .claude/settings.json, then the same command again\n"
    )
    assert files_in(repo.path) == before


def test_options_that_mean_nothing_together_are_refused(repo: Repo) -> None:
    for options in (["--user"], ["--project"], ["--user", "--agents-md"], ["--claude", "--user", "--project"]):
        for verb in ("install", "uninstall"):
            done = repo.gate(verb, *options)
            assert (done.returncode, done.stdout) == (2, ""), options
            assert done.stderr
