"""The other agents: each file in its own dialect, each with the step that only its user can do."""

from __future__ import annotations

import pytest
from conftest import Repo
from registering import SETTINGS, files_in, register, settings_in, take_out

from review_gate.registration.agents import AGENTS, registered_hooks
from review_gate.registration.marked_block import BEGIN, END
from review_gate.workflows.agents_md import agents_block

pytestmark = pytest.mark.usefixtures("same_world")

OTHERS = pytest.mark.parametrize("name", [name for name in AGENTS if name != "claude"])
SHARED = "note:  the project shares these files: commit them, and everyone who works on it needs review-gate\n"


@OTHERS
def test_an_agent_is_registered_and_taken_out_again(gated: Repo, name: str) -> None:
    before = files_in(gated.path)
    agent = AGENTS[name]
    done = register(gated, f"--{name}")
    events = ", ".join(hook.event for hook in agent.hooks)
    assert (done.stdout, done.stderr) == (
        f"{agent.title}: registered in {SETTINGS[name]}\n  hooks: {events}\n  yours to do: {agent.trust}\n{SHARED}",
        "",
    )
    assert settings_in(gated, SETTINGS[name]) == {**agent.first_keys, "hooks": registered_hooks(agent, "review-gate")}
    take_out(gated, f"--{name}")
    assert files_in(gated.path) == before


def test_comments_of_gemini_settings_stay(repo: Repo) -> None:
    text = '{\n  // dark as the night\n  "ui": {"theme": "x"} // here\n}\n'
    file = repo.write(SETTINGS["gemini"], text)
    register(repo, "--gemini")
    assert file.read_text().startswith('{\n  // dark as the night\n  "ui": {"theme": "x"}, // here\n  "hooks": {')
    file.write_text(file.read_text().replace("dark as", "darker than"))
    take_out(repo, "--gemini")
    assert file.read_text() == text.replace("dark as", "darker than")


def test_hooks_of_others_in_cursors_list_stay(repo: Repo) -> None:
    text = '{"version": 1, "hooks": {"stop": [{"command": "./audit.sh"}]}}\n'
    file = repo.write(SETTINGS["cursor"], text)
    register(repo, "--cursor")
    assert [hook["command"] for hook in settings_in(repo, SETTINGS["cursor"])["hooks"]["stop"]] == [
        "./audit.sh",
        "review-gate hook cursor || exit 1",
    ]
    take_out(repo, "--cursor")
    assert file.read_text() == text


# AGENTS.md


OWN_TEXTS = {
    "no line end": b"# Rules\n\nBe kind.",
    "windows": b"# Rules\r\nBe kind.\r\n\r\n",
    "not UTF-8": b"Be k\xfcnd.\n",
    "nothing": b"",
}


@pytest.mark.parametrize("text", OWN_TEXTS.values(), ids=OWN_TEXTS)
def test_the_text_of_the_user_comes_back_to_the_letter(repo: Repo, text: bytes) -> None:
    file = repo.write("AGENTS.md", text)
    register(repo, "--agents-md")
    once = file.read_bytes()
    assert once.startswith(text)
    assert once.count(BEGIN.encode()) == 1
    register(repo, "--agents-md")
    assert file.read_bytes() == once
    take_out(repo, "--agents-md")
    assert file.read_bytes() == text


def test_what_was_written_around_the_block_stays(repo: Repo) -> None:
    file = repo.write("AGENTS.md", "# Rules\n")
    register(repo, "--agents-md")
    file.write_text("# New rules\n" + file.read_text() + "\nMore.\n")
    take_out(repo, "--agents-md")
    assert file.read_text() == "# New rules\n# Rules\n\nMore.\n"


def test_a_block_of_an_earlier_version_is_replaced_in_its_place(repo: Repo) -> None:
    file = repo.write("AGENTS.md", f"# Rules\n\n{BEGIN}\nold words\n{END}\n\nMore.\n")
    register(repo, "--agents-md")
    assert file.read_text() == f"# Rules\n\n{BEGIN}\n{agents_block()}{END}\n\nMore.\n"
    take_out(repo, "--agents-md")
    assert file.read_text() == "# Rules\n\nMore.\n"
