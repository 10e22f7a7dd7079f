"""The real Claude Code and a review-gate that does not answer: tools are blocked, prompts go on."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from claude_code import installed, talk
from conftest import Repo
from scripted import say, shell, use

BROKEN = {
    "missing": "",
    "killed": "#!/bin/sh\nkill -9 $$\n",
    "crashing": "#!/bin/sh\nexit 1\n",
    "hanging": "#!/bin/sh\nexec sleep 300\n",
}


def without_program(repo: Repo, folder: Path, text: str) -> Repo:
    """The repository of a user whose review-gate is another one, or none."""
    folder.mkdir()
    if text:
        (folder / "review-gate").write_text(text)
        (folder / "review-gate").chmod(0o755)
    # Those of the SHELL of whoever runs the tests are read before each command.
    return Repo(repo.path, repo.environ | {"PATH": f"{folder}:/usr/bin:/bin", "SHELL": "/bin/sh"})


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_no_tool_goes_on_without_an_answer(repo: Repo, tmp_path: Path, text: str) -> None:
    there = without_program(installed(repo), tmp_path / "bin", text)
    made = [shell("touch made"), use("Write", file_path=f"{repo.path}/made", content="x"), use("ExitPlanMode")]
    # A hook that hangs has 20 seconds, each time.
    steps = made[:1] if "sleep" in text else made
    done = talk(there, ["make it"], [*steps, say("It was blocked.")])
    assert not (repo.path / "made").exists()
    assert done.answers == ["It was blocked."]
    for result in done.results[:2]:
        assert "hook error: " in result or 'blocking because onFailure is "block"' in result, result


def test_an_agent_is_told_what_is_missing(repo: Repo, tmp_path: Path) -> None:
    there = without_program(installed(repo), tmp_path / "bin", "")
    done = talk(there, ["do it"], [shell("ls"), say("It was blocked.")])
    assert "review-gate is missing or broken, so this is blocked." in done.results[0]


def test_a_ship_that_cannot_be_answered_never_reaches_the_model(repo: Repo, tmp_path: Path) -> None:
    program = shutil.which("review-gate", path=repo.environ["PATH"])
    there = without_program(installed(repo), tmp_path / "bin", f'#!/bin/sh\nexec {program} "$@" >&-\n')
    done = talk(there, ["do it", "/ship"], [say("Done.")])
    assert done.answers[0] == "Done."
    assert len(done.script.requests) == 1
    assert "blocked: review-gate could not judge this" in json.dumps(done.messages)
