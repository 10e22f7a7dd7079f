"""review-gate scan --fix: what it changes on disk, what it leaves alone, and what it says about both."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import Repo
from scanning import ready, report, scan, seen

pytestmark = pytest.mark.usefixtures("same_world")
FIX = {
    "id": "no-eval",
    "pattern": r"\beval\((\w*)\)",
    "match_rule": "regex",
    "reason": "eval runs anything",
    "fix": {"action": "replace", "with": r"parse(\1)"},
}
SENTENCE = {"id": "no-hype", "pattern": "blazing", "reason": "hype", "fix": {"action": "remove_sentence"}}
BAD = "x = eval(y)\n"
OUTSIDE = "it is outside the repository, and fixes are made inside only"
FOLDER = "a folder on its way is a symbolic link; fix the file by its own name"
GOOD = "x = parse(y)\n"


@pytest.fixture
def fixable(repo: Repo) -> Repo:
    """A repository with two checks that have a fix, and one without."""
    return ready(repo, FIX, SENTENCE, {"id": "todo", "pattern": "TODO", "reason": "do it"})


def content(repo: Repo, name: str) -> bytes:
    return (repo.path / name).read_bytes()


def test_fixing_twice_changes_nothing_more(fixable: Repo) -> None:
    fixable.write("bad.py", "x = eval(eval(y))\n" + BAD)
    assert scan(fixable, "--fix").returncode == 0
    assert content(fixable, "bad.py") == b"x = eval(parse(y))\n" + GOOD.encode()
    before = (content(fixable, "bad.py"), os.stat(fixable.path / "bad.py").st_mtime_ns)
    done = scan(fixable, "--fix")
    assert done.stdout.endswith("4 files, 3 checks\n")
    assert (content(fixable, "bad.py"), os.stat(fixable.path / "bad.py").st_mtime_ns) == before


def test_a_dry_run_shows_a_diff_that_git_applies_and_changes_nothing(fixable: Repo) -> None:
    files: dict[str, bytes] = {
        "bad.py": BAD.encode(),
        "with blank.py": b"a\n" * 9 + BAD.encode() + b"b\n" * 9 + BAD.encode(),
        "crlf.py": b"a\r\n" + BAD.encode().replace(b"\n", b"\r\n"),
        "no-newline.py": b"a\n" + BAD.encode().rstrip(b"\n"),
        "bom.py": b"\xef\xbb\xbf" + BAD.encode(),
        "latin.py": b"# caf\xe9\n" + BAD.encode(),
        'quo"te\t.py': BAD.encode(),
        "doc.md": b"It works.\n\nIt is blazing fast.\n",
    }
    fixable.commit("files", dict(files))
    assert report(fixable, "app.py")["dry_run"] is False
    found = report(fixable, "--fix", "--dry-run")
    assert found["dry_run"] is True
    assert len(found["fixed"]) == len(found["findings"]) == 9
    assert fixable.git("status", "--porcelain") == ""
    text = scan(fixable, "--fix", "--dry-run", "bad.py")
    assert text.returncode == 1
    assert text.stdout.startswith("diff --git a/bad.py b/bad.py\n")
    assert "bad.py:1:5  major  no-eval  eval runs anything\n" in text.stdout
    assert fixable.run("git", "apply", "--check", "-", stdin=text.stdout).returncode == 0
    # JSON is ASCII; what is not UTF-8 can be written in no diff that goes through it.
    patch = report(fixable, "--fix", "--dry-run", *(name for name in files if name != "latin.py"))["diff"]
    fixable.git("add", "-A")
    (fixable.path.parent / "patch").write_bytes(patch.encode())
    fixable.git("apply", "../patch")
    by_patch = {name: content(fixable, name) for name in files if name != "latin.py"}
    fixable.git("checkout", "--quiet", ".")
    assert scan(fixable, "--fix").returncode == 0
    assert by_patch == {name: content(fixable, name) for name in files if name != "latin.py"}
    for name, old in files.items():
        if name != "doc.md":
            assert content(fixable, name) == old.replace(b"eval(y)", b"parse(y)")


def test_on_a_terminal_the_diff_of_a_dry_run_is_harmless(fixable: Repo) -> None:
    fixable.write("bad.py", b"# \x1b[31m\n" + BAD.encode())
    ours, theirs = os.openpty()
    with open(ours, "rb", buffering=0) as terminal:
        argv = ["review-gate", "scan", "--fix", "--dry-run", "bad.py"]
        subprocess.run(argv, check=False, cwd=fixable.path, env=fixable.environ | {"NO_COLOR": "1"}, stdout=theirs)
        os.close(theirs)
        shown = terminal.read(100_000)
    assert b"\r\n # \\x1b[31m\r\n" in shown
    assert b"\x1b" not in shown


def test_links_and_read_only_files_are_left_alone_and_said(fixable: Repo) -> None:
    read_only = fixable.write("read-only.py", BAD)
    read_only.chmod(0o444)
    hard = fixable.write("hard.py", BAD)
    os.link(hard, fixable.path.parent / "other-name.py")
    outside = fixable.path.parent / "outside.py"
    outside.write_text(BAD)
    (fixable.path / "link.py").symlink_to(outside)
    found = report(fixable, "--fix", "read-only.py", "hard.py", "link.py")
    assert found["not_fixed"] == [
        "hard.py: it has 2 names (hard links), and the others would keep the old text",
        "link.py: it is a symbolic link; fix the file that it leads to, by its own name",
        "read-only.py: it is read-only",
    ]
    assert (found["fixed"], found["failures"]) == ([], [])
    shown = report(fixable, "--fix", "--dry-run", "read-only.py", "hard.py", "link.py")
    assert (shown["not_fixed"], shown["fixed"], shown["diff"]) == (found["not_fixed"], [], "")
    assert [one["file"] for one in found["findings"]] == ["hard.py", "link.py", "read-only.py"]
    assert [one.read_text() for one in (read_only, hard, outside)] == [BAD] * 3
    assert (fixable.path / "link.py").is_symlink()


def test_a_folder_that_is_a_link_is_left_alone_and_said(fixable: Repo) -> None:
    outside = fixable.path.parent / "outside"
    outside.mkdir()
    (outside / "bad.py").write_text(BAD)
    (fixable.path / "out").symlink_to(outside)
    inside = fixable.write("real/bad.py", BAD)
    (fixable.path / "in").symlink_to("real")
    for names in (["out/bad.py", "in/bad.py", "../outside/bad.py"], ["out", "in", "../outside"]):
        found = report(fixable, "--fix", *names)
        assert found["not_fixed"] == [
            f"{one['file']}: {OUTSIDE if one['file'].startswith(('.', '/')) else FOLDER}" for one in found["findings"]
        ]
        assert (len(found["findings"]), found["fixed"]) == (3, [])
        assert [(outside / "bad.py").read_text(), inside.read_text()] == [BAD, BAD]


def test_utf_16_is_searched_and_not_touched(fixable: Repo) -> None:
    for encoding in ("utf-16-le", "utf-16-be"):
        data = "\ufeff".encode(encoding) + ("a = 1\n" + BAD).encode(encoding)
        fixable.write("wide.py", data)
        found = report(fixable, "--fix", "wide.py")
        assert found["not_fixed"] == [
            "wide.py: it is UTF-16 or holds NUL bytes, and fixes are made in plain UTF-8 only"
        ]
        assert [one["line"] for one in found["findings"]] == [2]
        assert content(fixable, "wide.py") == data


# Fixes in changes


@pytest.mark.parametrize("scope", [[], ["added_lines"]], ids=["everywhere", "added lines"])
def test_only_new_lines_are_fixed(fixable: Repo, scope: list[str]) -> None:
    ready(fixable, FIX | {"scope": scope})
    fixable.commit("old", {"old.py": BAD + "end\n", "cr.py": "a\rb\r\n" + BAD + "end\n"})
    fixable.write("old.py", BAD + "end\n" + BAD * 2)
    fixable.write("cr.py", "a\rb\r\n" + BAD + "end\n" + BAD)
    fixable.write("new.py", BAD)
    fixable.git("add", "-A")
    assert seen(fixable, "--staged") == ["cr.py:5", "new.py:1", "old.py:3", "old.py:4"]
    assert scan(fixable, "--staged", "--fix").returncode == 1
    assert content(fixable, "old.py").decode() == BAD + "end\n" + GOOD * 2
    assert content(fixable, "cr.py").decode() == "a\rb\r\n" + BAD + "end\n" + GOOD
    assert content(fixable, "new.py").decode() == GOOD
    assert len(seen(fixable, "--staged")) == 4
    fixable.git("add", "-A")
    assert scan(fixable, "--staged", "--fix").returncode == 0


def test_what_is_staged_stays_a_finding_until_the_fix_is_staged_too(fixable: Repo) -> None:
    fixable.write("bad.py", BAD)
    fixable.git("add", "-A")
    done = scan(fixable, "--staged", "--fix")
    assert (done.returncode, content(fixable, "bad.py")) == (1, GOOD.encode())
    assert done.stdout == (
        "fixed bad.py:1  no-eval\n"
        "\n"
        "bad.py:1:5  major  no-eval  eval runs anything\n"
        "    x = eval(y)\n"
        "        ^^^^^^^\n"
        "    fix: replace with parse(\\1)\n"
        "\n"
        "note: fixed on disk only: the findings are about the staged version\n"
        "1 problem in 1 file (1 major); 1 file, 3 checks; 1 fix made\n"
        "  next:  git add what was fixed, then the same scan again\n"
    )
    again = report(fixable, "--staged", "--fix")
    assert again["not_fixed"] == ["bad.py: it is fixed on disk already, and what was scanned is the staged version"]
    fixable.git("add", "-A")
    assert scan(fixable, "--staged", "--fix").returncode == 0


def test_what_a_commit_added_is_fixed_on_disk(fixable: Repo) -> None:
    fixable.commit("old", {"old.py": BAD})
    fixable.commit("more", {"old.py": BAD + "end\n" + BAD})
    done = scan(fixable, "--diff", "HEAD~1", "--fix")
    assert done.returncode == 1
    assert "note: fixed on disk only: the findings are about the committed version\n" in done.stdout
    assert done.stdout.endswith("  next:  git commit what was fixed, then the same scan again\n")
    assert content(fixable, "old.py").decode() == BAD + "end\n" + GOOD


def test_a_file_that_differs_on_disk_is_not_touched(fixable: Repo) -> None:
    for name in ("changed.py", "gone.py", "linked.py", "same.py"):
        fixable.write(name, BAD)
    fixable.git("add", "-A")
    fixable.write("changed.py", BAD + "more\n")
    (fixable.path / "gone.py").unlink()
    (fixable.path / "linked.py").unlink()
    (fixable.path / "linked.py").symlink_to("same.py")
    found = report(fixable, "--staged", "--fix")
    assert found["not_fixed"] == [
        "changed.py: it is not on disk as it was scanned",
        "gone.py: it is not on disk as it was scanned",
        "linked.py: it is a symbolic link; fix the file that it leads to, by its own name",
    ]
    assert [one["file"] for one in found["fixed"]] == ["same.py"]
    assert [one["file"] for one in found["findings"]] == ["changed.py", "gone.py", "linked.py", "same.py"]
    assert content(fixable, "changed.py").decode() == BAD + "more\n"
    assert not (fixable.path / "gone.py").exists()


def test_a_fix_that_cannot_be_made_says_why(fixable: Repo) -> None:
    circle = {"id": "circle", "pattern": "ab", "fix": {"action": "replace", "with": "aabb"}}
    ready(fixable, circle)
    fixable.write("bad.py", "x = 'ab'\n")
    found = report(fixable, "--fix")
    assert found["not_fixed"] == ["bad.py:1: circle: its fix brings the pattern back"]
    assert content(fixable, "bad.py") == b"x = 'ab'\n"
    for options in (["--fix"], ["--fix", "--dry-run"]):
        said = scan(fixable, *options).stdout
        assert said.startswith("not fixed: bad.py:1: circle: its fix brings the pattern back\n")
        assert said.endswith("\n  next:  review-gate checks explain circle\n")


def test_no_secret_is_in_what_json_says_of_fixes(fixable: Repo) -> None:
    secret = {
        "id": "key",
        "pattern": r"KEY(\w+)",
        "match_rule": "regex",
        "category": "secrets",
        "fix": {"action": "replace", "with": r"env(\1)"},
    }
    ready(fixable, secret, SENTENCE)
    text = "It is blazing fast with KEYabcdefgh123 in it. It ends.\nKEYabcdefgh123 is it.\n"
    for options in ([], ["--dry-run"]):
        fixable.write("doc.md", text)
        found = report(fixable, "--fix", *options, "doc.md")
        assert [(one["before"], one["after"]) for one in found["fixed"]] == [("It i…", "…"), ("KEYa…", "env(…")]
        assert ("abcdefgh123" in found["diff"]) is bool(options)


def test_an_interrupted_fix_says_what_it_did_and_leaves_nothing_behind(fixable: Repo) -> None:
    number = signal.SIGTERM
    for index in range(400):
        fixable.write(f"many/{index:03}.py", BAD * 40)
    # A shell's background job, as the tests may be one, ignores interrupts, and so does what it starts.
    reset = "import os, signal, sys; signal.signal(int(sys.argv[1]), signal.SIG_DFL); "
    reset += "os.execvp('review-gate', ['review-gate', 'scan', '--fix', 'many'])"
    child = subprocess.Popen(
        [sys.executable, "-c", reset, str(int(number))],
        cwd=fixable.path,
        env=fixable.environ,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    while child.poll() is None and content(fixable, "many/001.py") == (BAD * 40).encode():
        time.sleep(0.001)
    child.send_signal(number)
    _, errors = child.communicate(timeout=60)
    done = [index for index in range(400) if content(fixable, f"many/{index:03}.py") == (GOOD * 40).encode()]
    assert child.returncode == 130
    assert f"interrupted: {len(done)} of 400 files were fixed: many/000.py, " in errors
    assert done == list(range(len(done)))
    assert [one for one in os.listdir(fixable.path / "many") if not one.endswith(".py")] == []


def test_outside_a_repository_nothing_is_fixed_beside_the_current_folder(tmp_path: Path, world: dict[str, str]) -> None:
    place = Repo(tmp_path / "plain", world)
    place.write("other/bad.py", BAD)
    place.write("mine.yaml", '{"checks": [{"id": "e", "pattern": "eval", "fix": {"action": "replace", "with": "p"}}]}')
    place.write("sub/empty", "")
    inner = Repo(place.path / "sub", world)
    (inner.path / "out").symlink_to(place.path / "other")
    found = report(inner, "--checks", "../mine.yaml", "--fix", "../other/bad.py", "out/bad.py")
    assert found["not_fixed"] == [
        "../other/bad.py: it is outside the current folder, and fixes are made inside only",
        f"out/bad.py: {FOLDER}",
    ]
    assert content(place, "other/bad.py") == BAD.encode()


def test_the_next_step_is_the_same_scan_with_fixes_shown_and_then_made(repo: Repo) -> None:
    repo.write(".review-gate.yaml", "checks: {packs: []}\n")
    repo.write("checks/a.yaml", "checks:\n  - {id: a, pattern: old, fix: {action: replace, with: new}}\n")
    repo.write("my file.txt", "old\n")
    shown = repo.gate("scan", "my file.txt").stdout.splitlines()[-1]
    assert shown == "  next:  review-gate scan --fix --dry-run 'my file.txt' (shows how 1 problem can be fixed)"
    made = repo.gate("scan", "--dry-run", "my file.txt", "--fix").stdout.splitlines()[-1]
    assert made == "  next:  review-gate scan --fix 'my file.txt' (makes these changes)"
