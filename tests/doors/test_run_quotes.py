"""Reviewers that quote secrets, in every form in which a run is told or kept: none of them has one."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import Repo
from modelling import Asked, found, model
from running import configure, sh
from test_run_secrets import TOKEN

FORMS = ("text", "json", "markdown", "html", "sarif", "junit", "github")
BROKEN_JSON = f'{{\n  "token": "{TOKEN}" "more": 1\n}}\n'


def printed(repo: Repo, form: str, **environ: str) -> str:
    done = repo.gate("run", "--base", "HEAD~1", "--yes", "--format", form, **environ)
    assert done.returncode == 1, done.stderr
    return done.stdout + done.stderr


def kept(repo: Repo) -> str:
    """All that was written: the state file, and every blob of a record."""
    texts = [path.read_text(errors="replace") for path in repo.path.glob(".claude/**/*.json")]
    refs = repo.git("for-each-ref", "--format=%(refname)", "refs/review-gate").split()
    texts += [repo.git("cat-file", "-p", ref) for ref in refs]
    assert texts
    folder = repo.path / ".git/review-gate"
    texts += [path.read_text(errors="replace") for path in folder.rglob("*") if path.is_file()]
    return "\n".join(texts)


def parser(repo: Repo) -> None:
    """A file that does not parse, on the line with the secret."""
    repo.commit("c", {"settings.json": BROKEN_JSON})


def command(repo: Repo) -> None:
    """A command that prints the line with the secret."""
    line = {"findings": "pattern", "pattern": r"(?P<file>[^:]+):(?P<line>\d+): (?P<message>.*)"}
    configure(repo, sh('echo "src/new.py:1: $(cat src/new.py)"; exit 1', **line))
    repo.commit("c", {"src/new.py": f"token = '{TOKEN}'\n"})


QUOTING = {"a parser": parser, "a command": command}


def assert_in_no_form(repo: Repo) -> None:
    """One run, told in each form, now and later."""
    assert TOKEN[8:] not in printed(repo, "text") + kept(repo)
    for form in FORMS:
        again = repo.gate("report", "--format", form).stdout
        assert (form, TOKEN[8:] in again, again != "") == (form, False, True)


@pytest.mark.parametrize("change", QUOTING.values(), ids=QUOTING)
def test_no_form_of_a_report_and_no_record_has_a_quoted_secret(gated: Repo, change: Any) -> None:
    change(gated)
    assert_in_no_form(gated)


def test_a_check_shows_only_how_a_secret_begins(gated: Repo) -> None:
    gated.commit("c", {"src/new.py": f"token = '{TOKEN}'\n"})
    assert_in_no_form(gated)
    assert TOKEN[8:] not in gated.gate("scan", "--diff", "HEAD~1..HEAD").stdout


def test_a_model_that_knows_a_secret_from_elsewhere_does_not_publish_it(gated: Repo) -> None:
    gated.commit("c", {"src/new.py": f"token = '{TOKEN}'\n"})

    def says(asked: Asked) -> dict[str, Any]:
        texts = {"message": f"{TOKEN} is in it", "quote": f"token = '{TOKEN}'", "recommendation": f"revoke {TOKEN[4:]}"}
        return found(asked, file="src/new.py", **texts)

    with model(says) as server:
        # What a model answered is kept as it is, for the next run to read.
        text = printed(gated, "json", **server.environ, REVIEW_GATE_MODELS__CACHE="false")
    assert TOKEN[8:] not in text + kept(gated)
    assert '"message": "[withheld: secret-github-token] is in it"' in text
    assert '"recommendation": "revoke [withheld]"' in text


def test_what_quotes_no_secret_is_told_as_it_is(gated: Repo) -> None:
    configure(gated, sh("echo 'the token in src/new.py is not read'; exit 1"))
    gated.commit("c", {"src/new.py": "token = read()\n"})
    assert "the token in src/new.py is not read" in printed(gated, "text")


def test_a_page_quotes_no_secret_where_the_checks_are_switched_off(gated: Repo) -> None:
    line = {"findings": "pattern", "pattern": r"(?P<file>[^:]+):(?P<line>\d+): (?P<message>.*)"}
    configure(gated, sh("echo 'src/new.py:2: bad'; exit 1", **line), checks={"enabled": False})
    gated.commit("c", {"src/new.py": f"token = '{TOKEN}'\nx = 1\n"})
    assert TOKEN[8:] not in printed(gated, "html")
