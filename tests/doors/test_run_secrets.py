"""Secrets in a change that models review: they stay on this machine, and the report tells where they are."""

from __future__ import annotations

import json
from typing import Any

import pytest
from conftest import Repo, Result
from modelling import Model, found, model, reviewers

# Put together here, so that no line of this file is a secret by itself.
TOKEN = "ghp_" + "q8Zr2LmX0vTb6NwK4yHsJPd1uCfGk3RaE5Wx"
OLD_TOKEN = "ghp_" + "Xx7WaR5kGfCu1dPJsHy4KwN6bTv0XmL2rZ8q"
PASSWORD_LINE = "API_KEY=" + "tUtqUKJQ79ve6mL7fLltLcwDwXSBU37e1"
BODY = [f"{start}LCNQGYwpskztfWPSKZTFhmbxdvjHMBXDVJtkqzwrvKQZRTWBmhxbjldVHXMJLD{start}" for start in "RSTUVWXYZ"]
KEY = "\n".join(["-----BEGIN RSA PRIVATE " + "KEY-----", *BODY, "-----END RSA PRIVATE " + "KEY-----", ""])
IGNORED = "  # review-gate: ignore[secret-github-token] it is revoked"


def run(repo: Repo, server: Model, *options: str, **environ: str) -> Result:
    options = ("--base", "HEAD~1", "--yes", "--loops", "2", *options)
    return repo.gate("run", *options, **server.environ, **environ)


def shown(server: Model) -> str:
    return "\n".join(asked.shared + asked.task for asked in (*server.asked, *server.asked_about_gaps))


def withheld(result: Result) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = reviewers(result)["build-reviewer"]["model"]["withheld"]
    return listed


@pytest.fixture
def leaking(gated: Repo) -> Repo:
    """A change with secrets in all that a model is shown."""
    gated.commit("before", {"src/old.py": f"token = '{OLD_TOKEN}'\nx = 1\n", "key.txt": KEY + "\nend\n"})
    gated.commit(
        f"Use {TOKEN} now",
        {
            "src/new.py": f"a = 1\ntoken = '{TOKEN}'{IGNORED}\nb = 2\n",
            "src/old.py": "token = ''\nx = 1\n",
            # Of this one only the end is shown, and not as something new.
            "key.txt": KEY + "\nthe end\n",
            ".env": f"{PASSWORD_LINE}\n",
            f"notes/{TOKEN}.md": "about a token\n",
        },
    )
    return gated


def test_no_secret_leaves_this_machine_and_the_report_tells_where_they_are(leaking: Repo) -> None:
    with model() as server:
        result = run(leaking, server, "--format", "json")
    told = shown(server)
    for secret in (TOKEN, OLD_TOKEN, PASSWORD_LINE.partition("=")[2], *BODY):
        assert secret not in told
    assert "     2 +token = '[withheld: secret-github-token]'  # review-gate: ignore" in told
    assert "       -token = '[withheld: secret-github-token]'" in told
    assert "Use [withheld: secret-github-token] now" in told
    assert withheld(result) == [
        {"path": ".env", "lines": 1},
        {"path": "key.txt", "lines": 11},
        {"path": "src/new.py", "lines": 1},
        {"path": "src/old.py", "lines": 1},
        {"path": None, "lines": 1},
    ]
    assert reviewers(result)["build-reviewer"]["model"]["not_shown"] == [
        {"path": f"notes/{TOKEN}.md", "because": "its name holds what looks like a secret (secret-github-token)"}
    ]


def test_the_text_of_a_report_names_the_files_with_withheld_lines(leaking: Repo) -> None:
    with model() as server:
        text = run(leaking, server).stdout
    assert (
        "  withheld as secrets: .env (1 line), key.txt (11 lines), src/new.py (1 line), src/old.py (1 line), "
        "commit messages (1 line)\n"
    ) in text


SWITCHED_OFF = {
    "all checks": {"checks": {"enabled": False}},
    "the pack": {"checks": {"packs": ["leftovers"]}},
    "the file": {"checks": {"exclude": ["src/**"]}},
    "the check": {"checks": {"disable": ["secret-github-token"]}},
}


@pytest.mark.parametrize("settings", SWITCHED_OFF.values(), ids=SWITCHED_OFF)
def test_who_switches_checks_off_does_not_send_secrets(gated: Repo, settings: dict[str, Any]) -> None:
    gated.commit("settings", {".review-gate.yaml": json.dumps(settings)})
    gated.commit("c", {"src/new.py": f"token = '{TOKEN}'\n"})
    with model() as server:
        result = run(gated, server, "--format", "json")
    assert withheld(result) == [{"path": "src/new.py", "lines": 1}]
    assert TOKEN not in shown(server)


def test_a_key_among_tests_stays_here_too(gated: Repo) -> None:
    gated.commit("c", {"tests/fixtures/key.pem": f"{KEY}\n", "src/new.py": "x = 1\n"})
    with model() as server:
        result = run(gated, server, "--format", "json")
    assert withheld(result) == [{"path": "tests/fixtures/key.pem", "lines": 11}]
    assert BODY[0] not in shown(server)


def test_a_file_that_cannot_be_searched_is_not_shown(gated: Repo) -> None:
    gated.commit("settings", {".review-gate.yaml": json.dumps({"checks": {"max_file_bytes": 2000}})})
    gated.commit("c", {"src/new.py": "x = 1\n", "src/large.py": f"# {'x' * 3000}\ntoken = '{TOKEN}'\n"})
    with model() as server:
        result = run(gated, server, "--format", "json")
    assert reviewers(result)["build-reviewer"]["model"]["not_shown"] == [
        {"path": "src/large.py", "because": "it could not be searched for secrets, which must not leave this machine"}
    ]
    assert TOKEN not in shown(server)
    assert "x = 1" in shown(server)


def test_an_answer_is_kept_for_the_text_without_the_secret(gated: Repo) -> None:
    gated.commit("c", {"src/new.py": f"token = '{TOKEN}'\n"})
    with model() as server:
        run(gated, server)
        first = len(server.asked)
        gated.write("src/new.py", f"token = '{OLD_TOKEN}'\n")
        gated.git("commit", "-q", "--no-verify", "-a", "--amend", "-m", "c")
        run(gated, server)
    assert (first > 0, len(server.asked)) == (True, first)


def test_a_model_that_guesses_cannot_quote_what_it_was_not_shown(gated: Repo) -> None:
    gated.commit("c", {"src/new.py": f"token = '{TOKEN}'\n"})
    with model(lambda asked: found(asked, quote="token = '[withheld: secret-github-token]'")) as server:
        result = run(gated, server, "--format", "json")
    assert TOKEN not in result.stdout
    assert "withheld: secret-github-token" in result.stdout


def test_a_page_tells_what_was_withheld(leaking: Repo) -> None:
    with model() as server:
        run(leaking, server)
    for form in ("markdown", "html"):
        page = leaking.gate("report", "--format", form).stdout
        for words in ("11 lines withheld from the model", "commit messages", "its name holds what looks like a secret"):
            assert words in page
