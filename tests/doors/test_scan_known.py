"""review-gate scan with a baseline and with suppressions: what is known is not reported, and nothing else is hidden."""

from __future__ import annotations

import json

import pytest
from conftest import Repo
from scanning import CONFIG, EVAL, TODO, put_checks, ready, refused, report, scan, seen

from review_gate.errors import MisuseError
from review_gate.workflows import baseline_use
from review_gate.workflows.scan_options import ScanJob, ScanOptions
from review_gate.workflows.scan_repository import scan_here

pytestmark = pytest.mark.usefixtures("same_world")
BAD = 'x = eval("1")\n'
BASELINE = ".review-gate-baseline.json"
FIRM = {"id": "firm", "pattern": "secret", "reject_if_persists": True, "reason": "never"}


@pytest.fixture
def known(repo: Repo) -> Repo:
    """A repository whose findings are all known."""
    ready(repo, EVAL, TODO, FIRM)
    repo.write("old.py", BAD + "# TODO\n")
    repo.write("src/old.py", BAD)
    done = scan(repo, "--update-baseline")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (
        f"note: {BASELINE} now holds every finding of these files\nno problems; 5 files, 3 checks; 3 in the baseline\n"
    )
    return repo


def test_update_of_the_baseline_says_what_stays_reported_when_a_check_must_not_persist(known: Repo) -> None:
    known.write("old.py", BAD + "secret\n" * 2)
    done = scan(known, "--update-baseline")
    assert done.returncode == 1
    but = "but 2 of checks with reject_if_persists, which stay reported"
    assert f"note: {BASELINE} now holds every finding of these files {but}\n" in done.stdout
    assert seen(known) == ["old.py:2 firm", "old.py:3 firm"]


def test_a_known_finding_is_known_wherever_its_line_goes(known: Repo) -> None:
    known.write("old.py", "# one\n" * 3 + "  " + BAD + "# TODO\n")
    assert seen(known) == []
    (known.path / "old.py").rename(known.path / "new.py")
    assert seen(known) == []
    known.write("another.py", BAD)
    assert seen(known) == ["another.py:1"]


def test_a_file_that_is_known_and_renamed_within_the_commits_under_review_stays_known(known: Repo) -> None:
    known.commit("all of it", {})
    known.git("mv", "old.py", "renamed.py")
    known.commit("renamed", {})
    known.commit("another one", {"other.py": BAD})
    arguments = ("run", "--yes", "--loops", "1,2", "--scope", "all", "--format", "json")
    found = json.loads(known.gate(*arguments).stdout)["findings"]
    assert [(one["file"], one["line"]) for one in found] == [("other.py", 1)]


NEW_BESIDE_A_MOVE = {
    "a copy": (BAD + "# TODO\n", ["new.py:1", "new.py:2 todo"]),
}


@pytest.mark.parametrize(("content", "found"), NEW_BESIDE_A_MOVE.values(), ids=NEW_BESIDE_A_MOVE)
def test_a_file_that_moves_as_it_is_takes_its_entries_along(known: Repo, content: str, found: list[str]) -> None:
    known.commit("all of it", {})
    known.git("mv", "old.py", "moved.py")
    known.write("new.py", content)
    known.git("add", "-A")
    assert seen(known, "--staged") == found
    assert known.gate("hook", "pre-commit").returncode == 1
    known.commit("moved", {})
    assert seen(known, "--diff", "HEAD~1..HEAD") == found
    assert known.gate("run", "--yes", "--loops", "1,2", "--base", "HEAD~1").returncode == 1


def test_what_a_sparse_checkout_leaves_out_is_counted_and_stays_known(known: Repo) -> None:
    known.commit("all of it", {"here/a.py": "print(1)\n"})
    known.git("sparse-checkout", "set", "here", "checks")
    known.write("here/b.py", BAD)
    found = report(known, "--all")
    assert [one["file"] for one in found["findings"]] == ["here/b.py"]
    note = "1 file that a sparse checkout leaves out, src/old.py; git sparse-checkout disable brings all"
    assert found["notes"] == [f"not looked at: {note}"]
    (known.path / "here/b.py").unlink()
    assert scan(known, "--all", "--update-baseline").returncode == 0
    known.git("sparse-checkout", "disable")
    assert seen(known, "--all") == []


def test_names_in_the_baseline_are_no_findings_and_anything_else_in_its_place_is_one(known: Repo) -> None:
    put_checks(known, EVAL | {"pattern": "eval"}, EVAL | {"id": "key", "pattern": "old", "category": "secrets"})
    assert [place for place in seen(known, "--no-baseline") if "key" not in place] == ["old.py:1", "src/old.py:1"]
    assert f"{BASELINE}:2 key" in seen(known)
    known.git("add", "-A")
    assert not any(place.startswith(BASELINE) and "key" not in place for place in seen(known, "--staged"))
    known.write("like-it.json", (known.path / BASELINE).read_text().replace("old.py", "eval.py"))
    assert "like-it.json:2" in seen(known)
    known.write(BASELINE, '{"version": 1, "findings": [], "more": "eval"}\n')
    assert f"{BASELINE}:1" in seen(known, "--no-baseline")


def stale(count: str, *, them: str = "them", before: str = "", options: str = "") -> str:
    return (
        f"note: {count} of the baseline: the finding, or the file of that name, is gone;"
        f" {before}review-gate scan --all{options} --update-baseline drops {them}\n"
    )


def test_only_a_scan_of_everything_calls_entries_stale(known: Repo) -> None:
    known.git("add", "-A")
    known.git("commit", "--quiet", "-m", "known")
    known.write("old.py", "# TODO\n")
    (known.path / "src/old.py").unlink()
    known.git("add", "-A")
    for options in (["src", "old.py"], ["--staged"], ["--diff", "HEAD"], ["--checks", "checks/own.yaml"]):
        found = report(known, *options)
        assert (found["summary"]["stale"], found["notes"]) == (0, []), options
    assert report(known)["summary"]["stale"] == 2


def test_what_must_not_persist_can_neither_be_known_nor_suppressed(known: Repo) -> None:
    known.write("app.py", "secret = 1  # review-gate: ignore[firm] please\n")
    done = scan(known, "--update-baseline")
    assert done.returncode == 1
    assert (
        "app.py:1:1  major  firm  never (ignore[firm] has no effect: this check cannot be suppressed)\n"
    ) in done.stdout
    assert seen(known) == ["app.py:1 firm"]


def test_a_baseline_of_another_name_and_place(known: Repo) -> None:
    known.write("app.py", BAD)
    assert scan(known, "--baseline", "../other.json", "--update-baseline").returncode == 0
    assert seen(known, "--baseline", "../other.json") == []
    assert seen(known) == ["app.py:1"]
    put_checks(known, EVAL, baseline="etc/known.json")
    assert seen(known, "--no-baseline") == seen(known) == ["app.py:1", "old.py:1", "src/old.py:1"]
    inner = Repo(known.path / "src", known.environ)
    assert scan(inner, "--all", "--update-baseline").stdout.startswith("note: ../etc/known.json now holds")
    assert seen(inner, "--all") == []


NOT_CHANGED = "error: the baseline was not changed: big.py: it has 1000 bytes, more than checks.max_file_bytes (999)\n"


def test_a_baseline_that_cannot_be_written_honestly_is_not(known: Repo) -> None:
    before = (known.path / BASELINE).read_bytes()
    put_checks(known, EVAL, TODO, FIRM, max_file_bytes=999)
    known.write("big.py", "#" * 1000)
    assert refused(scan(known, "--update-baseline")).startswith(NOT_CHANGED)
    for options in (["--staged"], ["--diff", "HEAD"], ["--no-baseline"]):
        assert refused(scan(known, "--update-baseline", *options)) == (
            "error: there is no baseline to update here\n"
            "  why:   it holds what whole files contain; checks.baseline names the file\n"
            "  next:  review-gate scan --all --update-baseline\n"
        )
    assert (known.path / BASELINE).read_bytes() == before


@pytest.mark.parametrize("is_first", [False], ids=["second"])
def test_a_baseline_that_no_scan_would_read_again_is_not_written(
    known: Repo, monkeypatch: pytest.MonkeyPatch, is_first: bool
) -> None:
    path, length = known.path / BASELINE, len((known.path / BASELINE).read_bytes())
    monkeypatch.chdir(known.path)
    job = ScanJob(ScanOptions(paths=["."]), updates_baseline=True)
    monkeypatch.setattr(baseline_use, "MAX_BASELINE_BYTES", length)
    scan_here(job)
    if is_first:
        path.unlink()
    before = path.read_bytes() if path.exists() else None
    monkeypatch.setattr(baseline_use, "MAX_BASELINE_BYTES", length - 1)
    with pytest.raises(MisuseError) as caught:
        scan_here(job)
    assert caught.value.what == (
        f"the baseline was not changed: {BASELINE} would be {length} bytes long, more than {length - 1}"
    )
    assert (path.read_bytes() if path.exists() else None) == before


DAMAGED = (
    ('{"version": 2, "findings": []}', f"{BASELINE} cannot be used: its version is not 1"),
    ("<<<<<<< HEAD\n", f"{BASELINE} cannot be used: "),
)


def test_a_baseline_that_cannot_be_understood_hides_nothing(known: Repo) -> None:
    for content, what in DAMAGED:
        known.write(BASELINE, content)
        said = refused(scan(known))
        assert said.startswith(f"error: {what}"), content
        assert said.endswith(
            "  why:   without it nobody can tell old findings from new ones\n"
            "  next:  mend the file, or review-gate scan --all --update-baseline to take every present finding"
            " for known\n"
        )
    assert len(seen(known, "--no-baseline")) == 3


def test_a_baseline_that_is_damaged_can_be_written_anew(known: Repo) -> None:
    known.write(BASELINE, "{")
    assert scan(known, "--update-baseline", "src").returncode == 2
    assert scan(known, "--update-baseline", "--all").returncode == 0
    assert seen(known) == []


def test_a_baseline_that_cannot_be_written_is_left_as_it_is(known: Repo) -> None:
    before = (known.path / BASELINE).read_bytes()
    (known.path / BASELINE).chmod(0o400)
    known.write("app.py", BAD)
    done = scan(known, "--update-baseline")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"blocked: {known.path}/{BASELINE} cannot be written: it is read-only\n"
        "  why:   the findings are not known yet\n"
        "  next:  make it writable (chmod u+w), then the same command again\n"
    )
    assert (known.path / BASELINE).read_bytes() == before


def test_a_full_disk_leaves_no_half_of_a_first_baseline(repo: Repo) -> None:
    ready(repo, EVAL).write("old.py", BAD)
    # To the program it is the same: no byte more can be written to a file.
    done = repo.run("sh", "-c", "ulimit -f 0; exec review-gate scan --update-baseline")
    assert (done.returncode, done.stderr.splitlines()[0]) == (
        1,
        f"blocked: {repo.path}/{BASELINE} cannot be written: File too large",
    )
    assert sorted(path.name for path in repo.path.iterdir() if path.name.startswith(".review-gate")) == [CONFIG]
    assert scan(repo, "--update-baseline").returncode == 0
    assert seen(repo) == []


def test_a_baseline_that_is_no_plain_file_is_refused(known: Repo) -> None:
    (known.path / BASELINE).rename(known.path / "real.json")
    (known.path / BASELINE).symlink_to("real.json")
    said = refused(scan(known))
    assert said.startswith(f"error: {known.path}/{BASELINE} cannot be read: it is a symbolic link\n")
    missing = refused(scan(known, "--baseline", "nowhere.json"))
    assert missing.startswith("error: nowhere.json cannot be read: there is no such file\n")
    assert missing.endswith("  next:  mend the file, or review-gate scan --no-baseline\n")
