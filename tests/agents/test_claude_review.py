"""The real Claude Code and /review: a preview, then loop by loop, with subagents whose answers are handed in."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from claude_code import PLUGIN, Talk, installed, talk
from conftest import Repo
from scripted import Block, Body, Part, Step, latest, say, shell, subagent, text_in, use

TOKEN = re.compile(r"^=== file (.*) \| [a-z ]+ \| token ([0-9a-f]{8})$", re.MULTILINE)
CHECKER = "Run the command that you were given, as it is"
FOUND = {
    "rule": "other",
    "severity": "major",
    "message": "Nobody is greeted by name.",
    "file": "app.py",
    "line": 1,
    "quote": "print('hello, you')",
    "recommendation": "Take a name.",
    "confidence": 0.9,
}


def asked(body: Body) -> list[Block]:
    """A subagent runs the command that is its prompt."""
    found = re.search(r"^review-gate run .*--questions \S+$", latest(body), re.MULTILINE)
    assert found
    return shell(found[0])


def answering(*findings: dict[str, Any]) -> list[Step]:
    """A subagent that reads its question to the end and answers it."""

    def answer(body: Body) -> list[Block]:
        read = [{"path": path, "token": token} for path, token in TOKEN.findall(latest(body))]
        assert read
        return say(json.dumps({"findings": list(findings), "files_read": read}))

    return [asked, answer]


class Orchestra:
    """The main agent, which does for one loop after the other what the command says."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.plan: dict[str, Any] = {}

    def loop(self, number: int) -> list[Step]:
        """The steps of a loop in which somebody is asked."""
        return [
            shell(f"review-gate run --loops {number} --plan-only --format json"),
            self.ask,
            lambda body: self.hand_in(number, body),
        ]

    def ask(self, body: Body) -> list[Block]:
        """All subagents of a loop at once."""
        said = latest(body)
        self.plan, _ = json.JSONDecoder().raw_decode(said[said.index('{\n  "subject"') :])
        return [call for one in self.plan["questions"] for call in subagent("quality-checker", one["command"])]

    def hand_in(self, number: int, body: Body) -> list[Block]:
        """What they answered, unchanged."""
        return self.hand_in_these(
            number, [line for line in latest(body).splitlines() if line.strip().startswith('{"findings"')]
        )

    def hand_in_these(self, number: int, said: list[str]) -> list[Block]:
        """Each under the name of its reviewer."""
        names = [one["reviewer"] for one in self.plan["questions"]]
        answers = [{"reviewer": name, **json.loads(one)} for name, one in zip(names, said, strict=True)]
        self.file.write_text(json.dumps({**self.plan["findings"], "answers": answers}))
        return shell(f"review-gate run --loops {number} --yes --findings {self.file}")


def reviewed(repo: Repo, folder: Path, *findings: dict[str, Any]) -> Talk:
    """A session in which the user types /review, is asked, and says yes."""
    orchestra = Orchestra(folder / "findings.json")
    steps: list[Step] = [
        shell("review-gate run --plan-only --format json"),
        say("Proceed with review? (yes/no)"),
        shell("review-gate run --loops 1 --yes"),
        *orchestra.loop(2),
        *([] if findings else [*orchestra.loop(3), shell("review-gate run --loops 4 --yes")]),
        shell("review-gate status"),
        say("This is the summary."),
    ]
    return talk(installed(repo), ["/review", "yes"], steps, Part(answering(*findings), CHECKER))


def test_a_review_by_the_session_opens_the_gate(repo: Repo, tmp_path: Path) -> None:
    done = reviewed(repo, tmp_path)
    assert done.script.told("Review command detected (nothing has been run yet):")
    assert done.answers == ["Proceed with review? (yes/no)", "This is the summary."]
    assert "loops     1 passed, 2 passed, 3 passed, 4 nothing to run" in done.results[-1]
    assert "via       session: " in done.results[-1]
    assert repo.gate("verify").returncode == 0
    assert repo.push("origin", "HEAD").returncode == 0


def test_subagents_in_the_background_are_waited_for(repo: Repo, tmp_path: Path) -> None:
    orchestra = Orchestra(tmp_path / "findings.json")

    def start(body: Body) -> list[Block]:
        return [{**call, "input": {**call["input"], "run_in_background": True}} for call in orchestra.ask(body)]

    def go_on(body: Body) -> list[Block]:
        if "loop 2  pass" in latest(body):
            return say("Handed in.")
        said = re.findall(r"<result>(.*)</result>", text_in(body["messages"]))
        if len(said) < len(orchestra.plan["questions"]):
            return say("I wait for the others.")
        return orchestra.hand_in_these(2, said)

    steps: list[Step] = [shell("review-gate run --loops 2 --plan-only --format json"), start, *[go_on] * 8]
    done = talk(installed(repo), ["review it"], steps, Part(answering(), CHECKER), until="Handed in.")
    assert done.answers[-1] == "Handed in."
    state = json.loads(repo.state_file.read_text())
    assert state["loop_2_passed"] is True


def test_what_a_subagent_finds_ends_the_review_and_keeps_the_gate_closed(repo: Repo, tmp_path: Path) -> None:
    done = reviewed(repo, tmp_path, FOUND)
    failed, status = done.results[-2:]
    assert "loop 2  FAIL" in failed
    assert "major: app.py:1: Nobody is greeted by name." in failed
    assert "blocker   app.py:1: Nobody is greeted by name." in status
    assert repo.gate("verify").returncode == 1


def test_a_question_that_is_too_long_to_be_shown_is_read_from_its_file(repo: Repo) -> None:
    def read(body: Body) -> list[Block]:
        found = re.search(r"Full output saved to: (\S+)", latest(body))
        assert found
        return use("Read", file_path=found[1], limit=40)

    def tell(body: Body) -> list[Block]:
        return say("Read." if "You are one of several independent reviewers" in latest(body) else latest(body))

    installed(repo)
    repo.commit("much", {"much.py": "".join(f"line_{number} = 'some words'\n" for number in range(3000))})
    starts: list[Step] = [subagent("quality-checker", "review-gate run --questions build-reviewer"), say("Done.")]
    done = talk(repo, ["ask them"], starts, Part([asked, read, tell], CHECKER))
    assert "\n  Read.\n" in done.results[0]


def test_findings_that_do_not_fit_are_refused_and_nothing_is_recorded(repo: Repo, tmp_path: Path) -> None:
    def spoil(body: Body) -> list[Block]:
        plan = json.JSONDecoder().raw_decode(latest(body)[latest(body).index('{\n  "subject"') :])[0]
        answer = {"reviewer": plan["questions"][0]["reviewer"], "findings": [FOUND]}
        (tmp_path / "findings.json").write_text(json.dumps({**plan["findings"], "answers": [answer]}))
        return shell(f"review-gate run --loops 2 --yes --findings {tmp_path}/findings.json")

    steps: list[Step] = [shell("review-gate run --loops 2 --plan-only --format json"), spoil, say("It was refused.")]
    done = talk(installed(repo), ["review it"], steps)
    assert "error: " in done.results[1]
    assert "the answer has the wrong shape: files_read" in done.results[1]
    assert not repo.state_file.exists()


@pytest.mark.parametrize("name", [path.stem for path in (PLUGIN / "commands").glob("*.md")])
def test_every_command_is_the_projects_own(repo: Repo, name: str) -> None:
    done = talk(installed(repo), [f"/{name} --uncommitted"], [say("Read.")])
    text = (PLUGIN / "commands" / f"{name}.md").read_text().rpartition("---\n")[2].strip()
    for line in text.splitlines():
        assert done.script.told(line.replace("$ARGUMENTS", "--uncommitted").strip())
