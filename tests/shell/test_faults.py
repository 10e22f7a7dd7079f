"""Bad surroundings: limits, hostile repositories, odd machines. The gate works or stays closed."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import TIMEOUT, Repo, Result
from running import (
    BROKEN,
    configure,
    refusal,
    report_of,
    state_not_written,
)

ZERO = "0" * 40
STATE_MESSAGE = "blocked: Cannot read review state file. Check .claude/skills/code-review/loop-state.json.\n"


def pre_push(repo: Repo, *wrapper: str) -> Result:
    """The installed hook, called as git calls it for a push of HEAD to main."""
    head = repo.head
    line = f"refs/heads/main {head} refs/heads/main {ZERO}\n"
    return repo.run(*wrapper, ".git/hooks/pre-push", "origin", repo.git("remote", "get-url", "origin"), stdin=line)


# Limits of the machine.


LIMITS = [f"--nofile={count}" for count in (3, 8, 11, 13)]
LIMITS += [f"--as={megabytes}000000" for megabytes in (1, 8, 14, 20)]


def test_a_hook_without_file_handles_or_memory_never_lets_go(gated: Repo) -> None:
    gated.write("bad.py", BROKEN)
    gated.git("add", "bad.py")
    codes = {limit: pre_push(gated, "prlimit", limit).returncode for limit in LIMITS}
    assert [limit for limit, code in codes.items() if code == 0] == []
    codes = {limit: gated.run("prlimit", limit, ".git/hooks/pre-commit").returncode for limit in LIMITS}
    assert [limit for limit, code in codes.items() if code == 0] == []


def test_a_run_without_file_handles_or_memory_is_no_pass_and_no_traceback(repo: Repo) -> None:
    repo.commit("bad", {"bad.py": BROKEN})
    for limit in ("--nofile=8", "--nofile=12", "--as=300000000"):
        done = repo.run("prlimit", limit, "review-gate", "run", "--yes")
        assert done.returncode != 0
        if done.returncode in (1, 3):
            assert "Traceback" not in done.stderr
    assert repo.gate("verify").returncode == 1


def _hundred_megabytes(path: Path) -> None:
    with open(path, "wb") as file:
        file.write(b'{"head_commit": "')
        file.truncate(100_000_000)


STATES: dict[str, Callable[[Path], object]] = {
    "100 MB": _hundred_megabytes,
    "FIFO": os.mkfifo,
    "a link to a valid state": lambda path: path.symlink_to("valid.json"),
    "a link to a device": lambda path: path.symlink_to("/dev/zero"),
    "a folder": lambda path: path.mkdir(),
    "a million brackets": lambda path: path.write_bytes(b"[" * 1_000_000),
    "zeros, as after a power cut": lambda path: path.write_bytes(b"\0" * 1_700),
    "nothing": lambda path: path.touch(),
}


def test_a_hostile_state_closes_the_gate_at_once(gated: Repo) -> None:
    gated.review()
    assert pre_push(gated).returncode == 0
    gated.state_file.rename(gated.state_file.with_name("valid.json"))
    for name, make in STATES.items():
        make(gated.state_file)
        done = pre_push(gated, "timeout", "5")
        assert (name, done.returncode) == (name, 1)
        assert done.stderr.startswith(STATE_MESSAGE)
        assert "Traceback" not in done.stderr
        gated.state_file.rmdir() if gated.state_file.is_dir() else gated.state_file.unlink()
    assert pre_push(gated).returncode == 0, "without a state file the ledger alone speaks"


@pytest.mark.parametrize("name", ["100 MB", "FIFO", "a link to a device", "a folder"])
def test_a_hostile_state_is_shown_by_status_and_mended_by_a_new_review(gated: Repo, name: str) -> None:
    gated.state_file.parent.mkdir(parents=True)
    STATES[name](gated.state_file)
    done = gated.run("timeout", "5", "review-gate", "status")
    assert done.returncode == 0
    assert "loop-state.json cannot be used: it is" in done.stdout
    done = gated.gate("run", "--yes")
    if name == "a folder":
        assert "warning: .claude/skills/code-review/loop-state.json cannot be written: Is a directory\n" in done.stderr
        assert "ship: BLOCKED (Cannot read review state file." in done.stdout
        steps = {line for line in (done.stdout + done.stderr).splitlines() if line.startswith("  next:  ")}
        assert steps == {"  next:  move .claude/skills/code-review/loop-state.json away"}
        assert pre_push(gated).returncode == 1
    else:
        assert done.returncode == 0
        assert pre_push(gated).returncode == 0


def test_a_state_folder_that_leads_out_of_the_repository_is_not_followed(repo: Repo) -> None:
    outside = repo.path.parent / "outside"
    outside.mkdir()
    (repo.path / ".claude").symlink_to(outside)
    repo.git("add", "--all")
    repo.git("commit", "--quiet", "-m", "link")
    done = repo.gate("run", "--yes")
    assert "Traceback" not in done.stderr
    assert list(outside.rglob("*")) == []


def test_an_occupied_place_for_the_state_is_said_and_the_review_stands(repo: Repo) -> None:
    repo.commit("occupied", {".claude": "a file\n"})
    done = repo.gate("run", "--yes")
    assert done.returncode == 0
    assert done.stderr.endswith(state_not_written("Not a directory"))
    assert repo.gate("verify").returncode == 0


STATE_FILES: dict[str, tuple[str, str]] = {
    "a tracked file": ("app.py", "a file is there that review-gate did not write"),
    "somebody's file": ("notes/mine.txt", "a file is there that review-gate did not write"),
    "a folder that leads out": ("out/state.json", "a folder on the way there is a link"),
}


@pytest.mark.parametrize(("name", "problem"), STATE_FILES.values(), ids=STATE_FILES.keys())
def test_a_state_file_never_overwrites_what_is_not_ours(repo: Repo, name: str, problem: str) -> None:
    (repo.path / "out").symlink_to(repo.path.parent)
    repo.commit("configured", {".review-gate.yaml": f"state_file: {name}\n"})
    repo.write("notes/mine.txt", "precious\n")
    code, text = refusal(repo.gate("run", "--yes"))
    assert code == 1
    assert text.startswith(f"blocked: state_file cannot be {name}: {problem}\n")
    assert (repo.path / "notes/mine.txt").read_text() == "precious\n"
    assert not (repo.path.parent / "state.json").exists()


@pytest.mark.slow
def test_a_hundred_thousand_changed_files_are_reviewed(repo: Repo) -> None:
    """One of them is broken, and it is found; about 10 s here, most of it spent in asking git for each file."""
    importer = subprocess.Popen(
        ["git", "fast-import", "--quiet"], cwd=repo.path, stdin=subprocess.PIPE, env=repo.environ
    )
    assert importer.stdin is not None
    write = importer.stdin.write
    write(
        b"commit refs/heads/main\ncommitter A <a@example.org> 1700000000 +0000\ndata 4\nmany\nfrom refs/heads/main^0\n"
    )
    for number in range(100_000):
        text = b"%d\n" % number
        write(b"M 100644 inline d%d/f%d.txt\ndata %d\n%s\n" % (number // 1_000, number, len(text), text))
    write(b"M 100644 inline d50/bad.py\ndata %d\n%s\n" % (len(BROKEN), BROKEN.encode()))
    importer.stdin.close()
    assert importer.wait(TIMEOUT) == 0
    repo.git("read-tree", "HEAD")
    report = report_of(repo)
    assert [(one["file"], one["line"]) for one in report["findings"]] == [("d50/bad.py", 1)]
    assert repo.gate("verify").returncode == 1


# An odd machine.


def test_no_home_and_a_locale_without_utf8_make_no_difference(repo: Repo) -> None:
    repo.commit("umlaut", {"größe.py": BROKEN})
    normal = repo.gate("run", "--yes").stdout
    bare = {"PATH": repo.environ["PATH"], "GIT_CONFIG_GLOBAL": repo.environ["GIT_CONFIG_GLOBAL"]}
    for environ in (bare, bare | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "TZ": "Nowhere/Odd"}):
        done = Repo(repo.path, environ).gate("run", "--yes")
        assert (done.returncode, done.stdout) == (1, normal)
        assert "Traceback" not in done.stderr
    assert sorted(os.listdir(repo.path)) == [".claude", ".git", "app.py", "größe.py"]


CLOCK = """
import freezegun
freezegun.freeze_time({moment!r}, tick=True).start()
"""


@pytest.mark.parametrize("moment", ["1970-01-01 00:00:01"], ids=["past"])
def test_the_clock_decides_nothing(gated: Repo, tmp_path: Path, moment: str) -> None:
    (tmp_path / "sitecustomize.py").write_text(CLOCK.format(moment=moment))
    gated.write(".git/open", "")
    configure(gated, {"name": "gate", "run": ["test", "-e", ".git/open"]})
    odd = {"PYTHONPATH": str(tmp_path)}
    report = report_of(gated, **odd)
    assert report["finished"].startswith(moment[:10])
    assert pre_push(gated).returncode == 0
    status = gated.gate("status")
    assert (status.returncode, "-" in status.stdout.split("review ")[1].split(",")[0]) == (0, False)
    (gated.path / ".git/open").unlink()
    assert not report_of(gated)["ship_allowed"]
    assert pre_push(gated).returncode == 1, "the later failure counts, whatever the clock said before"
    gated.write(".git/open", "")
    assert report_of(gated, **odd)["ship_allowed"]
    assert pre_push(gated).returncode == 0, "the later pass counts, whatever the clock says now"


def test_the_interpreter_s_own_variables_do_not_change_a_hook(gated: Repo, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import os; os._exit(0)\n")
    (tmp_path / "review_gate.py").write_text("import os; os._exit(0)\n")
    for environ in ({"PYTHONPATH": str(tmp_path)}, {"PYTHONHOME": str(tmp_path)}, {"PYTHONSTARTUP": str(tmp_path)}):
        done = Repo(gated.path, gated.environ | environ)
        assert pre_push(done).returncode == 1
