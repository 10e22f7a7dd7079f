"""review-gate install --claude: everything the user has stays, and uninstall leaves every byte as it was."""

from __future__ import annotations

import json
import os
import shutil
import stat
from pathlib import Path

import pytest
from conftest import Repo
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from registering import CLAUDE, OWN, TEXTS, files_in, register, settings_in, take_out
from registering import PROJECT as ROOT

from review_gate.registration import agents
from review_gate.registration.agents import AGENTS, Agent, registered_hooks
from review_gate.registration.standing import missing_from
from review_gate.shell.agent_places import PROJECT, Place
from review_gate.shell.agent_record import RecordPlace, digest_of
from review_gate.shell.heartbeat import leave_heartbeat
from review_gate.shell.repository import open_repository
from review_gate.workflows.install_agent import install_agent
from review_gate.workflows.uninstall_agent import uninstall_agent

pytestmark = pytest.mark.usefixtures("same_world")

INSTALLED = """\
Claude Code: registered in .claude/settings.json
  hooks: UserPromptSubmit, PreToolUse, Stop, SessionStart, ConfigChange
  status line: review-gate statusline
  commands: /code-review, /expert-review, /healthcheck, /plan-review, /prompt-review, /review, /review-stats, /ship
  skills: review-orchestration
  agents: expert-review, git-agent, quality-checker
  yours to do: Claude Code runs the hooks of a project once you trust its folder: start claude there, and answer
note:  the project shares these files: commit them, and everyone who works on it needs review-gate
"""
BOUNDARY = "next:  review-gate install (the git hooks are missing here, and they are the boundary)\n"


def test_a_project_without_settings_gets_them(repo: Repo) -> None:
    done = register(repo, "--claude")
    assert (done.stdout, done.stderr) == (INSTALLED + BOUNDARY, "")
    assert settings_in(repo) == {
        "hooks": registered_hooks(agents.CLAUDE, "review-gate"),
        "statusLine": {"type": "command", "command": "review-gate statusline"},
    }
    for name in TEXTS:
        assert (repo.path / name).is_file()


def test_the_page_about_agents_shows_what_is_printed(repo: Repo) -> None:
    page = (ROOT / "docs/agents.md").read_text(encoding="utf-8")
    for verb in ("install", "uninstall"):
        done = repo.gate(verb, "--claude")
        assert f"```console\n$ review-gate {verb} --claude\n{done.stdout}```\n" in page


def test_everything_goes_again_with_the_folders_that_were_made(repo: Repo) -> None:
    before = files_in(repo.path)
    register(repo, "--claude")
    leave_heartbeat(open_repository(str(repo.path)), "claude", 1_700_000_000)
    done = take_out(repo, "--claude")
    assert done.stdout == (
        f".claude/settings.json: removed, it held nothing else\n"
        f".claude: {len(TEXTS)} texts removed (commands, skills, agents)\n"
    )
    assert files_in(repo.path) == before
    assert not (repo.path / ".git/review-gate").exists()
    assert take_out(repo, "--claude").stdout == "nothing of review-gate was registered with --claude\n"


def test_settings_of_the_user_are_kept_and_come_back_to_the_letter(repo: Repo) -> None:
    file = repo.write(CLAUDE, OWN)
    file.chmod(0o600)
    repo.write(".claude/commands/mine.md", "mine\n")
    before = files_in(repo.path)
    register(repo, "--claude")
    merged = file.read_text()
    assert merged.startswith(
        '{\n    "model": "opus",\n    "hooks": {\n        "PreToolUse": [\n            {"matcher": "Bash"'
    )
    assert '    "permissions": {"allow": ["Bash(ls *)"], "deny": []},\n    "statusLine": {\n' in merged
    assert settings_in(repo)["hooks"]["PreToolUse"][0] == json.loads(OWN)["hooks"]["PreToolUse"][0]
    assert missing_from(settings_in(repo), agents.CLAUDE) == ()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert take_out(repo, "--claude").stdout.startswith(".claude/settings.json: our part is out of it\n")
    assert files_in(repo.path) == before
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_what_is_kept_of_settings_is_nobody_elses(repo: Repo) -> None:
    repo.write(CLAUDE, '{"env": {"TOKEN": "x"}}').chmod(0o600)
    register(repo, "--claude")
    assert stat.S_IMODE((repo.path / ".git/review-gate/agents.json").stat().st_mode) == 0o600


def test_what_was_changed_in_between_stays(repo: Repo) -> None:
    file = repo.write(CLAUDE, OWN)
    register(repo, "--claude")
    file.write_text(file.read_text().replace('"opus"', '"sonnet"').replace("./log.sh", "./other.sh"))
    take_out(repo, "--claude")
    assert file.read_text() == OWN.replace('"opus"', '"sonnet"').replace("./log.sh", "./other.sh")


def test_settings_that_others_committed_are_taken_out_without_a_record(repo: Repo) -> None:
    register(repo, "--claude")
    shutil.rmtree(repo.path / ".git/review-gate")
    (repo.path / ".claude/commands/ship.md").write_text("another\n")
    take_out(repo, "--claude")
    assert files_in(repo.path / ".claude") == {
        **dict.fromkeys(("agents", "commands", "skills", "skills/review-orchestration"), b""),
        "commands/ship.md": b"another\n",
    }


def test_a_linked_work_tree_has_settings_of_its_own(repo: Repo, tmp_path: Path) -> None:
    repo.git("worktree", "add", "--quiet", str(tmp_path / "linked"))
    linked = Repo(tmp_path / "linked", repo.environ)
    below = linked.write("below/file", "x\n").parent
    before = files_in(linked.path)
    register(Repo(below, repo.environ), "--claude")
    assert (linked.path / CLAUDE).is_file()
    assert not (repo.path / ".claude").exists()
    register(repo, "--git")
    take_out(repo, "--git")
    assert take_out(repo, "--claude").stdout == "nothing of review-gate was registered with --claude\n"
    take_out(linked, "--claude")
    assert files_in(linked.path) == before


def test_what_a_crash_left_behind_goes_too(repo: Repo) -> None:
    file = repo.write(CLAUDE, OWN)
    before = files_in(repo.path)
    register(repo, "--claude")
    # As after the note of what is to be done, and half of the texts.
    file.write_text(OWN)
    for name in TEXTS[::2]:
        (repo.path / name).unlink()
    take_out(repo, "--claude")
    assert files_in(repo.path) == before


# Things of the user in our way


def test_a_command_of_the_user_is_never_overwritten(repo: Repo) -> None:
    mine = repo.write(".claude/commands/review.md", "mine\n")
    repo.write(".claude/commands/ship.md/file", "a folder\n")
    done = register(repo, "--claude")
    assert done.stderr == (
        "warning: .claude/commands/review.md stays as it is, because it is not ours; "
        "to have ours, move it away, then review-gate install --claude --project\n"
        "warning: .claude/commands/ship.md is not written: it is not a regular file\n"
    )
    assert "/review," not in done.stdout
    take_out(repo, "--claude")
    assert mine.read_text() == "mine\n"


def test_texts_of_an_earlier_version_are_brought_up_to_date(repo: Repo) -> None:
    register(repo, "--claude")
    record_file = repo.path / ".git/review-gate/agents.json"
    record = json.loads(record_file.read_bytes())
    ship, gone = repo.path / ".claude/commands/ship.md", repo.path / ".claude/commands/gone.md"
    for file in (ship, gone):
        file.write_text("of an earlier version\n")
        record["registrations"][0]["texts"][f"commands/{file.name}"] = digest_of(file.read_bytes())
    record_file.write_text(json.dumps(record))
    assert register(repo, "--claude").stderr == ""
    assert "disable-model-invocation: true" in ship.read_text()
    assert not gone.exists()


# The user's own settings


# Many at once


# Laws


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
OWN_SETTINGS = st.none() | st.dictionaries(st.text(max_size=5).filter(lambda word: word != "hooks"), VALUES, max_size=4)


@given(
    OWN_SETTINGS,
    st.sampled_from([None, 2, 4, "\t"]),
    st.sampled_from(["", "\n", "\r\n"]),
    st.sampled_from(list(AGENTS.values())),
)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_installing_and_uninstalling_leaves_the_same_bytes(
    tmp_path: Path, own: dict[str, object] | None, indent: int | str | None, end: str, agent: Agent
) -> None:
    top = tmp_path / "work"
    shutil.rmtree(top, ignore_errors=True)
    top.mkdir()
    if own is not None:
        (top / agent.project_file).parent.mkdir(parents=True)
        (top / agent.project_file).write_bytes((json.dumps(own, indent=indent) + end).encode())
    before = files_in(top)
    place, record = Place(agent, PROJECT, str(top), agent.project_file), RecordPlace(str(tmp_path / "record"))
    install_agent(place, record, "review-gate")
    once = files_in(top)
    install_agent(place, record, "review-gate")
    assert files_in(top) == once
    assert once != before
    uninstall_agent(place, record)
    assert files_in(top) == before
    assert not os.path.exists(tmp_path / "record")
