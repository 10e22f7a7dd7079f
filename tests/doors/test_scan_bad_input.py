"""review-gate scan with bad input: what cannot be looked at is named, nothing crashes, and it is never a pass."""

from __future__ import annotations

import json
import os

import pytest
from conftest import MakeRepo, Repo
from scanning import CHECKS, CONFIG, EVAL, TODO, check_file, put_checks, ready, refused, report, scan, seen, settings

from review_gate.shell.sealed import seal

pytestmark = pytest.mark.usefixtures("same_world")
BAD = 'x = eval("1")\n'
SLOW = {"id": "slow", "pattern": "(a|aa)+$", "match_rule": "regex", "reason": "slow"}
TRAP = "a" * 60 + "b\n"
# Ample for Python and its modules, and much less than the file.
MEMORY_KB = 400_000
SPARSE_BYTES = 1_000_000_000


@pytest.fixture
def checked(repo: Repo) -> Repo:
    return ready(repo, EVAL, TODO)


# Files


def test_odd_content_is_searched(checked: Repo) -> None:
    files: dict[str, str | bytes] = {
        "latin.py": b"# caf\xe9 \xff\xfe\n" + BAD.encode(),
        "nul.js": b"// \0\n" + BAD.encode(),
        "wide.py": ("\ufeff# 1\n" + BAD).encode("utf-16-le"),
        "late-nul.bin": b"x" * 9000 + b"\n" + BAD.encode() + b"\0",
        "cr.py": b"# 1\r" + BAD.encode(),
        "empty.py": b"",
        "separators.py": "# \u2028 \x0b \x0c \x85 \x1c\n".encode() + BAD.encode(),
        "surrogate.py": b"# \xed\xa0\x80\n" + BAD.encode(),
        "image.png": b"\x89PNG\0" + bytes(range(256)) * 4 + BAD.encode(),
    }
    for name, content in files.items():
        checked.write(name, content)
    expected = [f"{name}:2" for name in sorted(files) if name not in ("empty.py", "image.png")]
    found = report(checked)
    assert (found["failures"], found["notes"]) == ([], ["binary and not looked at: image.png"])
    assert seen(checked) == expected
    checked.git("add", "-A")
    assert seen(checked, "--staged") == expected
    for form in ("text", "sarif", "junit", "github"):
        assert scan(checked, "--format", form).returncode == 1


def test_scan_by_several_processes_stops_when_findings_would_fill_the_memory(checked: Repo) -> None:
    jobs = "3"
    for number in range(40):
        checked.write(f"src/{number}.py", "eval(\n" * 9_000)
    done = scan(checked, "--jobs", jobs)
    assert done.returncode == 1
    assert done.stderr == ""
    files = int(done.stdout.partition("could not look at ")[2].partition(" files: more than 100000 findings")[0])
    # Each process ends with the file that it is at.
    assert 40 - 12 - int(jobs) <= files <= 40 - 12 + int(jobs)
    assert f"; {43 - files} files, 2 checks; {files} could not be looked at\n" in done.stdout


def test_a_line_of_a_megabyte_is_searched_and_shown_in_part(checked: Repo) -> None:
    put_checks(checked, EVAL, {"id": "number", "pattern": r"\bnr\d+", "match_rule": "regex"})
    checked.write("long.js", "x" * 500_000 + " eval( nr17 " + "y" * 500_000 + "\n" + BAD)
    found = report(checked)
    assert [(one["line"], one["column"], one["match"]) for one in found["findings"]] == [
        (1, 500_002, "eval("),
        (1, 500_008, "nr17"),
        (2, 5, "eval("),
    ]
    done = scan(checked)
    assert len(done.stdout) < 3000


def test_a_file_over_the_limit_is_named_and_not_read(checked: Repo) -> None:
    with open(checked.path / "big.txt", "wb") as file:
        file.write(b"all of it may be text\n" * 1000)
        file.truncate(SPARSE_BYTES)
    checked.write("bad.py", BAD)
    done = checked.run("sh", "-c", f"ulimit -v {MEMORY_KB}; exec review-gate scan")
    assert (done.returncode, done.stderr) == (1, "")
    assert "bad.py:1:5  major  no-eval" in done.stdout
    why = f"it has {SPARSE_BYTES} bytes, more than checks.max_file_bytes (20000000)"
    assert f"\ncould not look at big.txt: {why}\n" in done.stdout
    assert "; 4 files, 2 checks; 1 could not be looked at\n" in done.stdout
    put_checks(checked, EVAL, exclude=["*.txt"])
    assert seen(checked) == ["bad.py:1"]


@pytest.mark.parametrize(
    "where",
    [
        (),
        ("--staged",),
    ],
    ids=str,
)
def test_a_binary_file_over_the_limit_is_one_like_the_others(checked: Repo, where: tuple[str, ...]) -> None:
    put_checks(checked, EVAL, max_file_bytes=1000)
    checked.write("image.raw", b"\x89PNG\0" + bytes(range(256)) * 100)
    checked.git("add", "-A")
    if "--diff" in where:
        checked.commit("An image")
        where = ("--diff", "HEAD~1..HEAD")
    found = report(checked, *where)
    assert (found["failures"], found["findings"]) == ([], [])
    assert found["notes"] == ["binary and not looked at: image.raw"]


def test_a_staged_file_over_the_limit_is_named(checked: Repo) -> None:
    put_checks(checked, EVAL, max_file_bytes=1000)
    checked.write("big.py", "#" * 1000 + BAD)
    checked.write("bad.py", BAD)
    checked.git("add", "-A")
    found = report(checked, "--staged")
    assert found["failures"] == ["big.py: it is larger than checks.max_file_bytes (1000)"]
    assert [one["file"] for one in found["findings"]] == ["bad.py"]


def test_what_is_no_plain_file_is_named_and_waits_for_nobody(checked: Repo) -> None:
    os.mkfifo(checked.path / "pipe")
    (checked.path / "loop").symlink_to("loop")
    (checked.path / "gone").symlink_to("nowhere")
    found = report(checked, "pipe", "loop", "gone", "/dev/null")
    assert found["failures"] == [
        "pipe: it is not a plain file",
        "loop: it cannot be read: Too many levels of symbolic links",
        "gone: it cannot be read: No such file or directory",
        "/dev/null: it is not a plain file",
    ]
    assert seen(checked) == []


# Checks


def test_a_check_that_takes_for_ever_is_stopped_and_named_and_the_others_report(checked: Repo) -> None:
    put_checks(checked, SLOW, EVAL, seconds_per_file=0.2)
    for number in range(5):
        checked.write(f"{number}.py", TRAP + BAD)
    found = report(checked)
    slow = "the check slow took longer than 0.2 seconds"
    assert found["failures"] == [
        f"0.py: {slow}",
        f"1.py: {slow}",
        f"2.py: {slow}, 3 times now, so it was not tried on any further file",
    ]
    assert [one["file"] for one in found["findings"]] == [f"{number}.py" for number in range(5)]
    assert found["not_looked_at"] == ["0.py", "1.py", "2.py"]
    assert (found["summary"]["not_looked_at"], found["summary"]["passed"]) == (3, False)
    assert scan(checked, "--fail-on", "critical", "0.py").returncode == 1


def test_a_suppression_of_a_check_that_could_not_run_is_not_called_unused(checked: Repo) -> None:
    put_checks(checked, SLOW, EVAL, seconds_per_file=0.2)
    for number in range(4):
        checked.write(f"{number}.py", TRAP.rstrip() + "  # review-gate: ignore[slow] known\n")
    found = report(checked)
    assert (len(found["failures"]), found["findings"]) == (3, [])
    checked.write("4.py", "x = 1  # review-gate: ignore[slow] known\n")
    assert seen(checked, "4.py") == ["4.py:1 suppression-unused"]


BOMB = "a: &a [x, x]\n" + "".join(
    f"{new}: &{new} [*{old}, *{old}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)


BAD_FILES = (
    (b"checks: [\n", f"{CHECKS}:2: "),
    (b"checks:\n  - {id: a, pattern: x, fixx: 1}\n", f"{CHECKS}:2: "),
    (BOMB.encode(), f"{CHECKS}"),
    (b"checks: []\xff\n", f"{CHECKS}:1: "),
)


def test_a_bad_check_file_is_misuse_with_its_place(checked: Repo) -> None:
    for content, what in BAD_FILES:
        checked.write(CHECKS, content)
        said = refused(scan(checked))
        assert said.startswith(f"error: {what}"), content
        assert len(said) < 1000
        lines = said.splitlines()
        assert lines[-2].startswith("  why:   ")
        assert lines[-1].startswith("  next:  ")


def test_named_checks_are_the_only_ones(checked: Repo) -> None:
    checked.write("bad.py", BAD + "# TODO FIXME\n")
    checked.write("mine.yaml", check_file({"id": "fixme", "pattern": "FIXME"}))
    checked.write("rules.md", "| Code Pattern | Problem |\n|---|---|\n| `TODO` | later |\n")
    assert seen(checked, "--checks", "mine.yaml", "bad.py") == ["bad.py:2 fixme"]
    both = ["--checks", "mine.yaml", "--checks", "rules.md"]
    assert seen(checked, *both, "bad.py") == ["bad.py:2 rules_1", "bad.py:2 fixme"]
    checked.write(CHECKS, "not a check file")
    assert seen(checked, "--checks", "mine.yaml", "bad.py") == ["bad.py:2 fixme"]
    assert refused(scan(checked, "--checks", "nowhere.yaml")).startswith("error: nowhere.yaml: there is no such file\n")


# Settings


def test_settings_choose_checks_files_and_severities(checked: Repo) -> None:
    checked.write("bad.py", BAD + "# TODO\n")
    checked.write("vendor/bad.py", BAD)
    checked.write("CLAUDE.md", "| If you write... | STOP because... |\n|---|---|\n| `x = ` | no |\n")
    everything = ["bad.py:1 anti_pattern_1", "bad.py:1", "bad.py:2 todo"]
    put_checks(checked, EVAL, TODO, exclude=["vendor/**"])
    assert seen(checked) == everything
    put_checks(checked, EVAL, TODO, exclude=["vendor/**"], disable=["todo", "anti_pattern_1"])
    assert seen(checked) == ["bad.py:1"]
    put_checks(checked, EVAL, TODO, sources=["claude_md"], exclude=["vendor/**"])
    assert seen(checked) == ["bad.py:1 anti_pattern_1"]
    put_checks(checked, EVAL, TODO, severity={"no-eval": "info"}, disable=["anti_pattern_1"])
    assert [one["severity"] for one in report(checked, "bad.py")["findings"]] == ["info", "warning"]
    checked.write(CONFIG, settings(disable=["no-evil"]))
    assert refused(scan(checked)).startswith(
        "error: checks.disable names no-evil, and there is no such check; did you mean no-eval?\n"
    )
    checked.write(CONFIG, settings(packs=["secretz"]))
    assert refused(scan(checked)).startswith("error: checks.packs names secretz, and there is no such pack; ")


def test_checks_choose_parts_languages_and_paths(checked: Repo) -> None:
    word = {"pattern": "word", "reason": "a word"}
    put_checks(
        checked,
        word | {"id": "code", "scope": ["code"]},
        word | {"id": "comments", "scope": ["comments"]},
        word | {"id": "prose", "scope": ["prose"]},
        word | {"id": "python", "languages": ["python"]},
        word | {"id": "inside", "include": ["src/**"], "exclude": ["**/*.md"]},
    )
    checked.write("src/a.py", "word = 1\n# word\n")
    checked.write("b.md", "A word.\n\n```\nword\n```\n")
    checked.write("src/c.md", "Nothing.\n")
    assert seen(checked) == [
        "b.md:1 prose",
        "b.md:4 code",
        "src/a.py:1 code",
        "src/a.py:1 inside",
        "src/a.py:1 python",
        "src/a.py:2 comments",
        "src/a.py:2 inside",
        "src/a.py:2 python",
    ]


def test_switched_off_checks_are_still_there_for_who_asks(checked: Repo) -> None:
    put_checks(checked, EVAL, enabled=False)
    checked.write("bad.py", BAD)
    assert seen(checked) == ["bad.py:1"]


def test_a_scan_without_any_check_is_no_pass(checked: Repo) -> None:
    checked.write("empty.yaml", "checks: []\n")
    why = "  why:   a scan that looks for nothing finds nothing, whatever the files say\n"
    assert refused(scan(checked, "--checks", "empty.yaml")) == (
        f"error: empty.yaml: no check is in there\n{why}  next:  review-gate checks list --checks empty.yaml\n"
    )
    checked.write(CHECKS, "checks: []\n")
    assert refused(scan(checked)) == f"error: no check is in force\n{why}  next:  review-gate checks list\n"


def test_hooks_do_not_mind_that_there_is_no_check(checked: Repo) -> None:
    checked.write(CHECKS, "checks: []\n")
    checked.git("add", "-A")
    assert checked.run("review-gate", "hook", "pre-commit").returncode == 0


# Surroundings


def test_without_a_place_for_its_caches_a_scan_works(make_repo: MakeRepo) -> None:
    repo = put_checks(make_repo())
    repo.write(".git/review-gate", "in the way\n")
    repo.write("bad.py", BAD)
    repo.git("add", "-A")
    assert seen(repo) == ["bad.py:1"]
    assert seen(repo, "--staged") == ["bad.py:1"]
    assert seen(repo, "--checks", CHECKS, "bad.py") == ["bad.py:1"]


def test_damaged_and_foreign_caches_are_made_anew(checked: Repo) -> None:
    checked.write("bad.py", BAD)
    cache = checked.path / ".git/review-gate/checks.json"
    policy = checked.path / ".git/review-gate/policy.json"
    assert seen(checked) == ["bad.py:1"]
    good = cache.read_bytes()
    cache.write_bytes(good[: len(good) // 2])
    kept = policy.read_bytes()
    policy.write_bytes(b"{")
    assert seen(checked) == ["bad.py:1"]
    assert cache.read_bytes() == good
    assert policy.read_bytes() == kept
    policy.write_bytes(kept.replace(b'"exclude": []', b'"exclude": ["*.py"]'))
    assert seen(checked) == ["bad.py:1"]
    foreign = json.loads(good.split(b"\n")[1])
    foreign["plan"]["rules"], foreign["plan"]["sought"], foreign["key"], foreign["codes"] = [], [], "0" * 64, 0
    cache.write_bytes(seal(foreign))
    assert seen(checked) == ["bad.py:1"]
    cache.write_bytes(good.replace(b"eval(", b"evaL("))
    assert seen(checked) == ["bad.py:1"]


def test_a_scan_needs_no_home(checked: Repo) -> None:
    checked.write("bad.py", BAD)
    for script in ("unset HOME XDG_CONFIG_HOME", "HOME= XDG_CONFIG_HOME=", "HOME=here XDG_CONFIG_HOME=here"):
        done = checked.run("sh", "-c", f"{script}; export HOME XDG_CONFIG_HOME; exec review-gate scan")
        assert (done.returncode, done.stdout.splitlines()[0]) == (1, "bad.py:1:5  major  no-eval  eval runs anything")


def test_a_reader_that_goes_away_is_no_error(checked: Repo) -> None:
    checked.write("bad.py", BAD * 3000)
    done = checked.run("sh", "-c", "review-gate scan --max-findings 3000 | head -n 1")
    assert (done.returncode, done.stderr) == (0, "")
