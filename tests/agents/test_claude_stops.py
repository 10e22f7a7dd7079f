"""The real Claude Code at the end of a turn: kept while a review in rounds says fix, and let go in the end."""

from __future__ import annotations

from claude_code import Talk, installed, talk
from conftest import Repo
from scripted import say, shell
from voting import PASS, Voters, finding, says


def begun(repo: Repo, *votes: str, limit: int = 5) -> Repo:
    """A change that is under review in rounds by three programs, which vote so."""
    voters = Voters(repo)
    for name in voters.names:
        voters.play(name, *votes)
    installed(repo)
    settings = f"models: {{names: {{codex: a-1, gemini: b-1, claude: c-1}}}}\nagents: {{stop_limit: {limit}}}\n"
    repo.commit("settings", {".review-gate.yaml": settings})
    repo.write("app.py", "x = 2\n")
    return Repo(repo.path, repo.environ | {"PATH": voters.path})


def kept(done: Talk) -> list[str]:
    """With which reasons the session was kept."""
    return [said["reason"] for said in done.hooks("Stop") if said.get("decision") == "block"]


def test_a_session_is_kept_until_the_findings_are_settled(repo: Repo) -> None:
    repo = begun(repo, says(finding()), PASS)
    steps = [
        shell("review-gate spawn-code-review --uncommitted --wait"),
        say("I am done."),
        shell("printf 'x = 3\\n' > app.py"),
        shell("review-gate check --wait"),
        say("Now it is agreed."),
    ]
    done = talk(repo, ["review it"], steps)
    (reason,) = kept(done)
    assert reason.startswith("code-") and "round 1: 1 finding to be settled in the code." in reason
    assert done.script.told(f"Stop hook feedback:\n{reason}")
    assert "agreed" in done.results[-1]
    assert done.answers == ["Now it is agreed."]


def test_a_session_is_let_go_after_as_many_times_as_the_settings_say(repo: Repo) -> None:
    repo = begun(repo, says(finding()), limit=2)
    steps = [shell("review-gate spawn-code-review --uncommitted --wait"), *[say(f"Done {one}.") for one in range(5)]]
    done = talk(repo, ["review it"], steps)
    assert len(kept(done)) == 2
    assert done.answers == ["Done 2."]
    assert "kept from stopping 2 times, so it may stop now" in done.hooks("Stop")[-1]["systemMessage"]


def test_two_registrations_keep_a_session_as_often_as_one(repo: Repo) -> None:
    repo = begun(repo, says(finding()), limit=2)
    assert repo.gate("install", "--claude", "--user").returncode == 0
    steps = [shell("review-gate spawn-code-review --uncommitted --wait"), *[say(f"Done {one}.") for one in range(5)]]
    done = talk(repo, ["review it"], steps)
    assert done.answers == ["Done 2."]
    # Each of them is asked about each stop.
    assert [len(kept(done)), len(done.hooks("Stop"))] == [4, 6]


def test_a_new_prompt_counts_anew(repo: Repo) -> None:
    repo = begun(repo, says(finding()), limit=1)
    steps = [shell("review-gate spawn-code-review --uncommitted --wait"), *[say(f"Done {one}.") for one in range(6)]]
    done = talk(repo, ["review it", "and now?"], steps)
    assert len(kept(done)) == 2
    assert done.answers == ["Done 1.", "Done 3."]
