"""Steps of the tests about review-gate checks: a repository with checks from everywhere, and its list of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from conftest import Repo

PROJECT_YAML = """\
checks:
  - id: no_eval
    pattern: '\\beval\\('
    match_rule: regex
    severity: critical
    category: security
    scope: [added_lines, code]
    languages: [python]
    exclude: ["tests/**"]
    reason: eval runs whatever it is given
    fix: {action: replace, with: ast.literal_eval(}
    examples:
      bad: ["x = eval(text)"]
      good: ["x = literal_eval(text)", "x = evil(text)"]
    docs: https://docs.python.org/3/library/ast.html#ast.literal_eval
  - id: console
    pattern: console.log
    reject_if_persists: true
"""
TABLE = """\
# Rules

| If you write... | STOP because... |
|---|---|
| `SELECT *` | Name the columns |
| `a|b` | cut |
"""
OWN_TABLE = TABLE.replace("SELECT *", "DROP TABLE")
RULES = "## Loops\n\n| Code Pattern | Problem | Fix |\n|---|---|---|\n| `G(p+q)` | Two propagators | See 7 |\n"
CUT = "a | cuts the pattern in two, so this row is not a check; write \\| inside a cell"


def home_of(repo: Repo) -> Path:
    return Path(repo.environ["HOME"])


def with_every_source(repo: Repo) -> Repo:
    """A repository with checks from every kind of source but packs."""
    repo.write(".review-gate.yaml", "checks: {packs: []}\n")
    repo.write("checks/ours.yaml", PROJECT_YAML)
    repo.write("rules/physics-antipatterns.md", RULES)
    repo.write("CLAUDE.md", TABLE)
    own = home_of(repo) / ".claude"
    (own / "checks").mkdir(parents=True)
    (own / "CLAUDE.md").write_text(OWN_TABLE)
    (own / "checks/global-checks.yaml").write_text("checks: [{id: console, pattern: console, severity: info}]\n")
    return repo


def listed(repo: Repo, *options: str) -> dict[str, Any]:
    done = repo.gate("checks", "list", "--format", "json", *options)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def origins(document: dict[str, Any], key: str = "checks") -> list[str]:
    return [f"{check['id']} {check['source']}:{check['line']}" for check in document[key]]
