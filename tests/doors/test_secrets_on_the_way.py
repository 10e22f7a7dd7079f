"""Secrets in versions of files that the commits under review replace again."""

from __future__ import annotations

import pytest
from conftest import Repo
from running import report_of, statuses, upload
from scan_runs import KEY, SECRET, TOKEN, begun, findings
from scanning import ready

from review_gate.shell.repository import open_repository
from review_gate.workflows.check_plan import plan_in_force
from review_gate.workflows.configure import load_configuration
from review_gate.workflows.passing_secrets import passing_secrets

ON_THE_WAY = (
    "a token opens the door; these commits replace it, but a push sends every version: "
    "rewrite them (git rebase -i), and revoke it"
)


@pytest.fixture
def checked(gated: Repo) -> Repo:
    """A gated repository whose configuration, with checks for both loops, is on the remote."""
    return begun(gated)


def test_a_secret_that_a_later_commit_removes_is_found(checked: Repo) -> None:
    checked.commit("add", {"app.py": KEY})
    checked.commit("remove", {"app.py": "KEY = None\n"})
    report = report_of(checked)
    assert statuses(report) == ["passed", "passed", "failed", "not_run"]
    assert findings(report) == [("app.py", 1, "token", "security-checks")]
    assert report["findings"][0]["message"] == ON_THE_WAY
    assert SECRET not in str(report)


def test_a_secret_on_the_way_is_found_wherever_it_was(checked: Repo) -> None:
    (checked.path / "link").symlink_to(SECRET)
    checked.commit("add", {"gone.py": KEY, "kept.py": KEY, "old name.py": KEY + "# 1\n"})
    (checked.path / "gone.py").unlink()
    (checked.path / "link").unlink()
    checked.git("mv", "old name.py", "new.py")
    checked.commit("change", {"kept.py": KEY + "# more\n", "new.py": "# nothing\n"})
    places = [(file, line) for file, line, _, _ in findings(report_of(checked))]
    # What is still there is found as it is, and once.
    assert places == [("gone.py", 1), ("kept.py", 1), ("link", 1), ("old name.py", 1)]


def test_a_secret_that_the_remote_has_already_is_no_news(checked: Repo) -> None:
    checked.commit("old", {"app.py": KEY})
    upload(checked)
    checked.commit("more", {"app.py": KEY + "# 1\n"})
    checked.commit("less", {"app.py": "# 1\n"})
    assert statuses(report_of(checked))[2] == "passed"


def test_scopes_suppressions_and_excluded_files_hold_on_the_way(gated: Repo) -> None:
    begun(gated, TOKEN | {"scope": ["added_lines"], "include": ["*.py"]}, exclude=["vendor/**"])
    reasoned = KEY.rstrip("\n") + "  # review-gate: ignore[token] made up\n"
    gated.commit("add", {"a.py": reasoned, "b.txt": KEY, "vendor/c.py": KEY, "d.py": KEY})
    gated.commit("remove", dict.fromkeys(("a.py", "b.txt", "vendor/c.py", "d.py"), "fine = 1\n"))
    assert findings(report_of(gated)) == [("d.py", 1, "token", "security-checks")]


def test_a_secret_that_a_later_commit_comments_out_closes_the_gate(gated: Repo) -> None:
    begun(gated, PASSWORD)
    gated.commit("add", {".env": HELD})
    gated.commit("comment it out", {".env": f"# {HELD}"})
    report = report_of(gated, "--scope", "all")
    assert (statuses(report)[2], report["ship_allowed"]) == ("failed", False)
    assert findings(report) == [(".env", 1, "password", "security-checks")]
    assert gated.push("origin", "main").returncode == 1


def test_what_the_baseline_knows_stays_known_however_often_its_file_is_renamed(checked: Repo) -> None:
    checked.commit("old", {"a.txt": KEY + REST})
    assert checked.gate("scan", "--all", "--update-baseline").returncode == 0
    checked.commit("known", {})
    upload(checked)
    for number, (old, new) in enumerate((("a.txt", "b.txt"), ("b.txt", "c.txt"))):
        checked.git("mv", old, new)
        checked.commit("rename", {new: f"{KEY}{REST}more {number}\n"})
    assert findings(report_of(checked)) == []


# Each commit of a history: the files that it writes, or deletes where there is None. The first is the base.
Commits = tuple[dict[str, str | bytes | None], ...]

PASSWORD = TOKEN | {"id": "password", "pattern": r"^PASSWORD=\w{8}$", "include": ["*.env"]}
PEM = TOKEN | {"id": "pem", "pattern": r"BEGIN KEY\n[A-Z]{4}"}
HELD = "PASSWORD=Xk29sLq8\n"
REST = "".join(f"line {number}\n" for number in range(5))
BARE = KEY.rstrip("\n")
ALLOWED = f"{BARE}  # review-gate: ignore[token] made up\n"
OTHER = KEY.replace("5f3a9c", "000000")


def wide(text: str) -> bytes:
    return ("\ufeff" + text).encode("utf-16-le")


REPORTED: dict[str, tuple[Commits, list[str]]] = {
    "commented out": (({}, {"a.env": HELD}, {"a.env": "# " + HELD}), ["a.env:1 password"]),
    "a part of a longer word": (({}, {"a.env": HELD}, {"a.env": HELD.strip() + "ZZ\n"}), ["a.env:1 password"]),
    "renamed to where nobody looks": (({}, {"a.env": HELD}, {"a.env": None, "a": HELD}), ["a.env:1 password"]),
    "another on a line that is suppressed": (
        ({}, {"a.py": KEY}, {"a.py": OTHER.rstrip("\n") + "  # review-gate: ignore[token] made up\n"}),
        ["a.py:1 token"],
    ),
    "one in UTF-16": (({}, {"a.txt": wide(KEY)}, {"a.txt": wide("# nothing\n")}), ["a.txt:1 token"]),
    "suppressed, then gone": (({}, {"a.py": KEY}, {"a.py": ALLOWED}, {"a.py": "x = 1\n"}), ["a.py:1 token"]),
    "a key that begins like the one in the base": (
        (
            {"a.pem": "BEGIN KEY\nAAAAold\nold\n"},
            {"a.pem": "BEGIN KEY\nAAAAnew\nnew\n"},
            {"a.pem": "BEGIN KEY\nAAAAold\nold\n"},
        ),
        ["a.pem:1 pem"],
    ),
    "the same in another file": (({"a.py": KEY}, {"b.py": KEY + REST}, {"b.py": None}), ["b.py:1 token"]),
}
NO_NEWS: dict[str, Commits] = {
    "one that moves": ({}, {"a.py": KEY + REST}, {"a.py": REST + KEY}),
    "one that moves, of the base": ({"a.py": KEY + REST}, {"a.py": REST + KEY}, {"a.py": REST}),
    "suppressed behind it": ({}, {"a.py": KEY}, {"a.py": ALLOWED}),
    "suppressed in the base": ({"a.py": ALLOWED}, {"a.py": KEY}, {"a.py": ALLOWED}),
    "renamed": ({}, {"a.py": KEY + REST}, {"a.py": None, "b.py": KEY + REST}),
    "renamed and suppressed": ({}, {"a.py": KEY + REST}, {"a.py": None, "b.py": ALLOWED + REST}),
    "other line ends": ({"a.py": KEY}, {"a.py": f"{BARE}\r\n"}, {"a.py": "x = 1\n"}),
    "UTF-16": ({"a.txt": wide(KEY + "1\n")}, {"a.txt": wide(KEY + "2\n")}, {"a.txt": wide(KEY + "3\n")}),
    "UTF-16 that becomes UTF-8": ({}, {"a.txt": wide(KEY)}, {"a.txt": KEY}),
}


def found_on_the_way(repo: Repo, commits: Commits) -> list[str]:
    """Where secrets are in versions that all but the first of some commits replace."""
    ready(repo, TOKEN, PASSWORD, PEM)
    for files in commits:
        for name in [name for name, content in files.items() if content is None]:
            (repo.path / name).unlink()
        written = {name: content for name, content in files.items() if content is not None}
        repo.commit("next", written, "--allow-empty")
    ends = repo.git("rev-parse", f"HEAD~{len(commits) - 1}"), repo.head
    repository = open_repository(str(repo.path))
    chosen = load_configuration(repository).config.checks.model_dump(mode="json")
    result = passing_secrets(repository, chosen, plan_in_force(repository, chosen), ends)
    assert result.failures == []
    return [f"{alarm.file}:{alarm.line} {alarm.rule}" for alarm in result.alarms]


@pytest.mark.usefixtures("same_world")
@pytest.mark.parametrize(("commits", "expected"), REPORTED.values(), ids=REPORTED)
def test_a_finding_on_the_way_that_neither_end_has_is_reported(
    repo: Repo, commits: Commits, expected: list[str]
) -> None:
    assert found_on_the_way(repo, commits) == expected


@pytest.mark.usefixtures("same_world")
@pytest.mark.parametrize("commits", NO_NEWS.values(), ids=NO_NEWS)
def test_a_finding_on_the_way_that_the_base_or_the_result_has_is_no_news(repo: Repo, commits: Commits) -> None:
    assert found_on_the_way(repo, commits) == []
