"""review-gate install --claude: everything the user has stays, and uninstall leaves every byte as it was."""

from __future__ import annotations

import json
import os
import shutil
import stat
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from conftest import Repo
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from registering import CLAUDE, OWN, TEXTS, files_in, register, settings_in, take_out
from registering import PROJECT as ROOT

from review_gate.errors import ReviewGateError
from review_gate.registration import agents
from review_gate.registration.agents import AGENTS, Agent, registered_hooks
from review_gate.registration.standing import missing_from
from review_gate.shell.agent_places import PROJECT, Place
from review_gate.shell.agent_record import RecordPlace, digest_of
from review_gate.shell.heartbeat import leave_heartbeat
from review_gate.shell.repository import open_repository
from review_gate.workflows.agent_settings import replace_settings
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


def test_the_git_hooks_are_not_missed_where_they_are(gated: Repo) -> None:
    assert register(gated, "--claude", "--project").stdout == INSTALLED


def test_git_hooks_and_an_agent_are_installed_at_once(repo: Repo) -> None:
    done = register(repo, "--git", "--claude")
    assert done.stdout == (
        f"installed in {repo.path}/.git/hooks\n"
        "  pre-commit: installed\n  commit-msg: installed\n  pre-push: installed\n"
        "next:  work as usual, and before git push: review-gate run\n" + INSTALLED
    )


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


def test_a_second_time_changes_no_byte(repo: Repo) -> None:
    repo.write(CLAUDE, OWN)
    register(repo, "--claude")
    before, record = files_in(repo.path), (repo.path / ".git/review-gate/agents.json").read_bytes()
    assert register(repo, "--claude").stdout == INSTALLED + BOUNDARY
    assert files_in(repo.path) == before
    assert (repo.path / ".git/review-gate/agents.json").read_bytes() == record


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


def test_the_hooks_survive_when_the_git_hooks_go(repo: Repo) -> None:
    before = files_in(repo.path)
    register(repo, "--git", "--claude")
    done = take_out(repo)
    assert done.stdout.endswith("kept: what is registered with agents (review-gate uninstall --claude)\n")
    take_out(repo, "--claude")
    assert files_in(repo.path) == before


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


def test_without_room_on_the_disk_nothing_is_half_written(repo: Repo) -> None:
    repo.write(CLAUDE, OWN)
    before = files_in(repo.path)
    # Blocks of 512 bytes: the note of what is done, which comes first, has more of them.
    for blocks in (1, 4):
        done = repo.run("sh", "-c", f"ulimit -f {blocks}; exec review-gate install --claude")
        assert done.returncode == 1, f"{blocks}: {done.stdout}{done.stderr}"
        assert done.stderr.startswith("blocked: ")
        assert files_in(repo.path) == before, blocks
        assert not (repo.path / ".git/review-gate/agents.json").exists(), blocks
    register(repo, "--claude")


# Things of the user in our way


def test_a_status_line_of_the_user_is_kept_and_told(repo: Repo) -> None:
    repo.write(CLAUDE, '{"statusLine": {"type": "command", "command": "mine"}}\n')
    done = register(repo, "--claude")
    assert done.stderr == (
        "warning: the status line stays yours; to have ours too, "
        "let its command print what `review-gate statusline` prints\n"
    )
    assert "status line" not in done.stdout
    assert settings_in(repo)["statusLine"]["command"] == "mine"


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


def test_all_hooks_switched_off_is_told(repo: Repo) -> None:
    repo.write(CLAUDE, '{"disableAllHooks": true}')
    assert register(repo, "--claude").stderr == (
        "warning: .claude/settings.json: disableAllHooks is true, so no hook runs; take that out\n"
    )


# The user's own settings


def home_of(repo: Repo) -> Path:
    return Path(repo.environ["HOME"])


def test_the_user_is_registered_with_the_path_of_the_program(repo: Repo) -> None:
    before = files_in(home_of(repo))
    done = register(repo, "--claude", "--user")
    file = home_of(repo) / ".claude/settings.json"
    program = str(Path(sys.executable).parent / "review-gate")
    assert done.stdout.startswith(f"Claude Code: registered in {file}\n")
    assert done.stdout.endswith("next:  in each repository: review-gate install (the git hooks are the boundary)\n")
    assert json.loads(file.read_bytes())["hooks"] == registered_hooks(agents.CLAUDE, program)
    assert (home_of(repo) / ".claude/commands/ship.md").is_file()
    assert not (repo.path / ".claude").exists()
    take_out(repo, "--claude", "--user")
    assert files_in(home_of(repo)) == before


def test_claudes_own_variable_names_another_folder(repo: Repo, tmp_path: Path) -> None:
    elsewhere = str(tmp_path / "elsewhere")
    register(repo, "--claude", "--user", CLAUDE_CONFIG_DIR=elsewhere)
    assert (Path(elsewhere) / "settings.json").is_file()
    assert not (home_of(repo) / ".claude").exists()
    take_out(repo, "--claude", "--user", CLAUDE_CONFIG_DIR=elsewhere)
    assert not Path(elsewhere).exists()


def test_the_user_needs_no_repository(repo: Repo, tmp_path: Path) -> None:
    nowhere = Repo(tmp_path, repo.environ)
    register(nowhere, "--claude", "--user")
    assert (home_of(repo) / ".claude/settings.json").is_file()
    take_out(nowhere, "--claude", "--user")
    assert not (home_of(repo) / ".claude").exists()


def test_without_a_home_the_user_is_asked_for_one(repo: Repo) -> None:
    done = repo.gate("install", "--claude", "--user", HOME="", XDG_CONFIG_HOME="")
    assert done.returncode == 2
    assert done.stderr.startswith("error: there is no home folder\n")


# Many at once


def test_many_installations_at_once_are_one(repo: Repo, tmp_path: Path) -> None:
    repo.write(CLAUDE, OWN)
    before = files_in(repo.path)
    record = RecordPlace(str(tmp_path / "record"))
    every = [Place(agent, PROJECT, str(repo.path), agent.project_file) for agent in AGENTS.values()] * 4
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda place: install_agent(place, record, "review-gate"), every))
    assert len(record.read().registrations) == len(AGENTS)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda place: uninstall_agent(place, record), every))
    assert files_in(repo.path) == before


def test_somebody_else_who_writes_in_this_moment_loses_nothing(repo: Repo, tmp_path: Path) -> None:
    file = repo.write(CLAUDE, OWN)
    place = Place(agents.CLAUDE, PROJECT, str(repo.path), CLAUDE)
    with pytest.raises(ReviewGateError) as raised:
        replace_settings(place, b"what was read", b"what is to be written", str(tmp_path))
    assert raised.value.what == ".claude/settings.json was changed in this moment"
    assert file.read_text() == OWN


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
