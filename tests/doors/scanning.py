"""Steps of the tests about scans: a repository with checks of its own, and what a scan says of it."""

from __future__ import annotations

import json
from typing import Any

from conftest import Repo, Result

from review_gate.shell.repository import open_repository
from review_gate.workflows.check_compile import keep_plan
from review_gate.workflows.configure import load_configuration

EVAL = {"id": "no-eval", "pattern": "eval(", "reason": "eval runs anything"}
TODO = {"id": "todo", "pattern": "TODO", "severity": "warning", "reason": "do it or drop it"}
CONFIG = ".review-gate.yaml"
CHECKS = "checks/own.yaml"


def check_file(*checks: dict[str, Any]) -> str:
    """A file with checks; JSON is YAML."""
    return json.dumps({"checks": checks}) + "\n"


def settings(**checks: Any) -> str:
    """A configuration without shipped packs, and with these settings of the check engine."""
    return json.dumps({"checks": {"packs": [], **checks}}) + "\n"


def put_checks(repo: Repo, *checks: dict[str, Any], **chosen: Any) -> Repo:
    """Write the checks and the configuration of a repository, no-eval when none is given."""
    repo.write(CONFIG, settings(**chosen))
    repo.write(CHECKS, check_file(*(checks or (EVAL,))))
    return repo


def ready(repo: Repo, *checks: dict[str, Any], **chosen: Any) -> Repo:
    """The same, committed, and compiled in this process: a child would cost every test 0.4 s for its imports."""
    put_checks(repo, *checks, **chosen)
    repo.commit("checks", {"app.py": "print('hello')\n"})
    warm(repo)
    return repo


def warm(repo: Repo) -> None:
    """Compile configuration and checks; the test has to use the fixture same_world."""
    repository = open_repository(str(repo.path))
    keep_plan(repository, load_configuration(repository).config.checks.model_dump(mode="json"))


def set_config(repo: Repo, text: str) -> None:
    """Write the configuration of a gated repository and compile it; that hooks do so too, other tests show."""
    repo.write(CONFIG, text)
    warm(repo)


def scan(repo: Repo, *arguments: str, stdin: str | None = None, **environ: str) -> Result:
    """A scan, which must not fall over."""
    done = repo.run("review-gate", "scan", *arguments, stdin=stdin, **environ)
    assert "Traceback" not in done.stderr
    assert done.returncode in (0, 1, 2), done.stderr
    return done


def report(repo: Repo, *arguments: str, stdin: str | None = None, **environ: str) -> dict[str, Any]:
    """The result of a scan for programs."""
    done = scan(repo, "--format", "json", *arguments, stdin=stdin, **environ)
    assert done.returncode in (0, 1), done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def places(found: dict[str, Any]) -> list[str]:
    """File, line and check of every finding; no-eval is not named."""
    return [
        f"{one['file']}:{one['line']}" + ("" if one["rule"] == "no-eval" else f" {one['rule']}")
        for one in found["findings"]
    ]


def seen(repo: Repo, *arguments: str, stdin: str | None = None) -> list[str]:
    """The places of the findings of a scan that could look at everything."""
    found = report(repo, *arguments, stdin=stdin)
    assert found["failures"] == []
    return places(found)


def refused(done: Result) -> str:
    """What a scan said that was not made."""
    assert (done.returncode, done.stdout) == (2, "")
    return done.stderr
