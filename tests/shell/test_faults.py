"""Bad surroundings: signals, limits, hostile repositories, odd machines. The gate works or stays closed."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import TIMEOUT, MakeRepo, Repo, Result
from test_process import wait_until_gone, written_numbers

BROKEN = "def broken(:\n"
ZERO = "0" * 40
STATE_MESSAGE = "blocked: Cannot read review state file. Check .claude/skills/code-review/loop-state.json.\n"


def configure(repo: Repo, *commands: dict[str, Any], **files: str) -> None:
    """Commit a configuration with these commands; JSON is YAML."""
    repo.commit("configured", {".review-gate.yaml": json.dumps({"commands": list(commands)}), **files})


def sleeper(script: str = "", name: str = "slow") -> dict[str, Any]:
    """A command that notes its process and a child of it, and never ends."""
    run = f"{script} sleep 60 & echo $$ $! > $OUT/{name}; wait; sleep 61"
    return {"name": name, "run": ["sh", "-c", run]}


def start(repo: Repo, *options: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        ["review-gate", "run", "--yes", *options],
        cwd=repo.path,
        env=repo.environ | {"OUT": str(repo.path.parent)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def report_of(repo: Repo, *options: str, **environ: str) -> dict[str, Any]:
    done = repo.gate("run", "--yes", "--format", "json", *options, **environ)
    assert done.returncode in (0, 1), done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def refusal(done: Result) -> tuple[int, str]:
    """Exit code and standard error of a command that ended with three lines and nothing else."""
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    return done.returncode, done.stderr


def nothing_recorded(repo: Repo) -> bool:
    return repo.git("for-each-ref", "refs/review-gate") == "" and not repo.state_file.exists()


def pre_push(repo: Repo, *wrapper: str) -> Result:
    """The installed hook, called as git calls it for a push of HEAD to main."""
    head = repo.head
    line = f"refs/heads/main {head} refs/heads/main {ZERO}\n"
    return repo.run(*wrapper, ".git/hooks/pre-push", "origin", repo.git("remote", "get-url", "origin"), stdin=line)


# Signals.


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
@pytest.mark.parametrize("options", [[], ["--isolate"]], ids=["here", "isolated"])
def test_a_signal_ends_the_run_its_commands_and_their_children(
    repo: Repo, number: signal.Signals, options: list[str]
) -> None:
    configure(repo, sleeper(), sleeper("trap '' TERM INT HUP;", "stubborn"))
    run = start(repo, *options)
    pids = [pid for name in ("slow", "stubborn") for pid in written_numbers(repo.path.parent / name, 2)]
    time.sleep(0.3)
    assert repo.gate("verify").returncode == 1, "a review that is not finished opens nothing"
    run.send_signal(number)
    _, errors = run.communicate(timeout=30)
    assert (run.returncode, errors.splitlines()[-1]) == (130, "interrupted: nothing was recorded")
    assert "Traceback" not in errors
    assert wait_until_gone(*pids) == []
    assert nothing_recorded(repo)
    assert repo.git("worktree", "list").count("\n") == 0
    assert repo.gate("verify").returncode == 1


@pytest.mark.parametrize("options", [[], ["--isolate"]], ids=["here", "isolated"])
def test_signals_without_end_stop_the_run_as_cleanly_as_one(repo: Repo, options: list[str]) -> None:
    configure(repo, sleeper())
    run = start(repo, *options)
    pids = written_numbers(repo.path.parent / "slow", 2)
    time.sleep(0.3)
    for _ in range(5_000):
        run.send_signal(signal.SIGTERM)
        time.sleep(0.002)
        if run.poll() is not None:
            break
    _, errors = run.communicate(timeout=30)
    assert wait_until_gone(*pids) == []
    assert run.returncode in (130, -signal.SIGTERM)
    assert nothing_recorded(repo)
    assert "Traceback" not in errors
    assert repo.git("worktree", "list").count("\n") == 0


def test_a_signal_in_the_moment_a_command_starts_ends_that_command_too(repo: Repo) -> None:
    """The command itself sends it, before the run can have noted that it exists."""
    configure(repo, {"name": "slow", "run": ["sh", "-c", "echo $$ > $OUT/pid; kill -TERM $PPID; exec sleep 60"]})
    for _ in range(5):
        run = start(repo)
        try:
            run.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            os.killpg(written_numbers(repo.path.parent / "pid", 1)[0], signal.SIGKILL)
            run.communicate(timeout=TIMEOUT)
            raise
        assert run.returncode == 130
        assert wait_until_gone(*written_numbers(repo.path.parent / "pid", 1)) == []
    assert nothing_recorded(repo)


def test_a_killed_run_records_nothing_and_the_next_one_works(repo: Repo) -> None:
    configure(repo, {"name": "slow", "run": ["sh", "-c", "[ -e $OUT/open ] || { echo $$ > $OUT/pid; exec sleep 60; }"]})
    run = start(repo)
    (pid,) = written_numbers(repo.path.parent / "pid", 1)
    run.kill()
    run.communicate()
    os.killpg(pid, signal.SIGKILL)
    assert nothing_recorded(repo)
    assert repo.gate("verify").returncode == 1
    (repo.path.parent / "open").touch()
    assert report_of(repo, OUT=str(repo.path.parent))["decision"]["allowed"]


# Limits of the machine.


LIMITS = [f"--nofile={count}" for count in (3, 4, 8, 10, 11, 12, 13, 16)]
LIMITS += [f"--as={megabytes}000000" for megabytes in (1, 4, 8, 12, 14, 16, 20, 32)]


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
        assert done.returncode == 1
        assert "loop-state.json cannot be written: Is a directory\n" in done.stderr
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


def test_a_read_only_or_occupied_place_for_the_state_is_said(repo: Repo) -> None:
    repo.commit("occupied", {".claude": "a file\n"})
    code, text = refusal(repo.gate("run", "--yes"))
    assert code == 1
    assert text.endswith(
        "blocked: .claude/skills/code-review/loop-state.json cannot be written: Not a directory\n"
        "  why:   the review itself is in the ledger; the view of it is the old one\n"
        "  next:  free disk space or mend the permissions, then review-gate run\n"
    )


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


# No repository, or an odd one.


def test_what_is_no_repository_is_said(tmp_path: Path, world: dict[str, str]) -> None:
    code, text = refusal(Repo(tmp_path, world).gate("run", "--yes", GIT_CEILING_DIRECTORIES=str(tmp_path.parent)))
    assert code == 2
    assert text.startswith("error: this is not a git repository: fatal: not a git repository")
    assert text.endswith(
        "  why:   review-gate reviews commits of a repository\n  next:  cd into a repository, or git init\n"
    )


def test_an_empty_repository_a_bare_one_and_a_git_directory_are_said(make_repo: MakeRepo, tmp_path: Path) -> None:
    repo = make_repo("empty")
    assert refusal(repo.gate("run", "--yes")) == (
        2,
        "error: there is no commit yet\n"
        "  why:   a review is of a commit, and this branch has none\n"
        "  next:  git commit, then review-gate run (or review-gate run --staged before it)\n",
    )
    assert refusal(Repo(tmp_path / "empty.git", repo.environ).gate("run", "--yes")) == (
        2,
        "error: a bare repository has no HEAD to review\n"
        "  why:   reviews are made where the work is done\n"
        "  next:  review-gate verify REV\n",
    )
    assert refusal(Repo(repo.path / ".git", repo.environ).gate("run", "--yes")) == (
        2,
        "error: this directory has no work tree\n"
        "  why:   it lies inside a git directory\n"
        "  next:  cd into the work tree of the repository\n",
    )


def test_a_machine_without_git_is_said(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/review-gate").symlink_to(shutil.which("review-gate", path=repo.environ["PATH"]) or "")
    for verb in (["run", "--yes"], ["verify"], ["status"], ["doctor"]):
        assert refusal(repo.gate(*verb, PATH=str(tmp_path / "bin"))) == (
            1,
            "blocked: git was not found on PATH\n"
            "  why:   review-gate asks git about every commit\n"
            "  next:  install git\n",
        )


def test_a_sha256_repository_a_linked_worktree_and_a_subfolder_are_reviewed(
    make_repo: MakeRepo, tmp_path: Path
) -> None:
    repo = make_repo("long", object_format="sha256")
    repo.commit("first", {"deep/down/app.py": "x = 1\n"})
    report = report_of(Repo(repo.path / "deep/down", repo.environ))
    assert (len(report["commit"]), report["decision"]["allowed"]) == (64, True)
    assert report["base"] == repo.git("hash-object", "-t", "tree", "/dev/null")
    assert repo.state_file.exists()
    repo.git("worktree", "add", "--quiet", "-b", "side", str(tmp_path / "linked"))
    linked = Repo(tmp_path / "linked", repo.environ)
    linked.commit("side", {"bad.py": BROKEN})
    assert not report_of(linked)["ship_allowed"]
    assert linked.gate("verify").returncode == 1
    assert repo.gate("verify").returncode == 0


def test_a_submodule_is_reviewed_inside_and_only_pointed_at_from_outside(make_repo: MakeRepo) -> None:
    inner, outer = make_repo("inner"), make_repo("outer")
    inner.commit("first")
    inner.git("push", "--quiet", "origin", "HEAD:refs/heads/main")
    outer.git("submodule", "--quiet", "add", inner.git("remote", "get-url", "origin"), "part")
    outer.commit("with a part")
    (warning,) = report_of(outer)["findings"]
    assert (warning["rule"], warning["file"], warning["severity"]) == ("not-reviewed-submodule", "part", "warning")
    outer.git("push", "--quiet", "--set-upstream", "origin", "main")
    part = Repo(outer.path / "part", outer.environ)
    part.commit("inside", {"bad.py": BROKEN})
    outer.commit("bumped")
    (warning,) = report_of(outer)["findings"]
    assert warning["message"] == f"not reviewed: the submodule now points at {part.head[:8]}"
    report = report_of(part)
    assert ([one["file"] for one in report["findings"]], report["commit"]) == (["bad.py"], part.head)
    assert part.state_file.exists()


def test_a_repository_in_the_middle_of_something_is_reviewed_as_its_head_is(repo: Repo) -> None:
    repo.git("switch", "--quiet", "--create", "other")
    repo.commit("theirs", {"app.py": "theirs = 1\n"})
    repo.git("switch", "--quiet", "main")
    repo.commit("ours", {"app.py": "ours = 1\n"})
    begin = {"merge": ["merge", "other"], "cherry-pick": ["cherry-pick", "other"], "rebase": ["rebase", "other"]}
    for name, command in begin.items():
        assert repo.run("git", *command).returncode != 0
        report = report_of(repo)
        assert (name, report["commit"], report["ship_allowed"]) == (name, repo.head, True)
        repo.git(name, "--abort")
    repo.git("bisect", "start", "HEAD", "HEAD~1")
    assert report_of(repo)["ship_allowed"]


def test_a_git_directory_elsewhere_an_octopus_and_a_sparse_checkout_are_reviewed(repo: Repo, tmp_path: Path) -> None:
    repo.git("init", "--quiet", "--separate-git-dir", str(tmp_path / "elsewhere"))
    first = repo.head
    repo.git("push", "--quiet", "--set-upstream", "origin", "main")
    for name in ("a", "b", "c"):
        repo.git("switch", "--quiet", "--create", name, first)
        repo.commit(name, {f"{name}/{name}.py": BROKEN if name == "b" else "x = 1\n"})
    repo.git("switch", "--quiet", "main")
    repo.git("merge", "--quiet", "--no-edit", "a", "b", "c")
    repo.git("sparse-checkout", "set", "a")
    assert not (repo.path / "b").exists()
    report = report_of(repo)
    assert (report["base"], [one["file"] for one in report["findings"]]) == (first, ["b/b.py"])


def test_every_kind_of_change_has_its_policy(repo: Repo) -> None:
    repo.commit("before", {"gone.txt": "x\n", "mode.sh": "x\n", "old name.txt": "x\n"})
    repo.git("push", "--quiet", "--set-upstream", "origin", "main")
    repo.git("rm", "--quiet", "gone.txt")
    repo.git("mv", "old name.txt", "new name.txt")
    (repo.path / "mode.sh").chmod(0o755)
    for name, target in {"out": "/etc/passwd", "device": "/dev/zero", "ring": "ring", "nowhere.py": "("}.items():
        (repo.path / name).symlink_to(target)
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "0" * 64 + "\nsize 12\n"
    repo.commit("kinds", {"empty.py": "", "binary.bin": b"\0\1", "large.iso": pointer})
    report = report_of(repo)
    assert report["ship_allowed"]
    assert [(one["rule"], one["file"]) for one in report["findings"] if one["severity"] == "warning"] == [
        ("not-reviewed-binary", "binary.bin")
    ]
    assert report["not_reviewed"] == ["binary.bin"]


def test_a_file_too_large_to_review_is_said_and_never_read(repo: Repo) -> None:
    with open(repo.path / "huge.txt", "wb") as file:
        file.truncate(300_000_000)
    repo.commit("huge", {"small.txt": "x\n"})
    done = repo.run("prlimit", "--as=250000000", "review-gate", "run", "--yes", "--format", "json")
    assert done.returncode == 1, done.stderr
    (finding,) = json.loads(done.stdout)["findings"]
    assert (finding["rule"], finding["file"], finding["severity"]) == ("not-reviewed-too-large", "huge.txt", "major")


def test_files_and_branches_of_any_name_are_reviewed(repo: Repo) -> None:
    names = ["line\nend.py", "--output=x.py", "esc\x1b[2J.py", "quote'\".py", "$(touch x).py", "\udcff.py", "ü 漢.py"]
    for name in names:
        (repo.path / os.fsdecode(os.fsencode(name))).write_text(BROKEN)
    for branch in ("-x", "feat/$(touch;x)'\"ü", "b" * 200, repo.head, "HEAD"):
        repo.git("symbolic-ref", "HEAD", f"refs/heads/{branch}")
        repo.git("add", "--all")
        repo.git("commit", "--quiet", "-m", "odd")
        done = repo.gate("run", "--yes")
        assert done.returncode == 1
        assert all(letter.isprintable() or letter == "\n" for letter in done.stdout + done.stderr)
        assert done.stdout.count("\ncritical: ") == len(names)
    assert not (repo.path / "x").exists()


def test_replaced_objects_and_grafts_do_not_change_what_is_reviewed(repo: Repo) -> None:
    good = repo.head
    repo.git("push", "--quiet", "--set-upstream", "origin", "main")
    bad = repo.commit("bad", {"bad.py": BROKEN})
    blob = repo.git("rev-parse", f"{bad}:bad.py")
    repo.git("replace", blob, repo.git("rev-parse", f"{good}:app.py"))
    repo.git("replace", repo.git("rev-parse", f"{bad}^{{tree}}"), repo.git("rev-parse", f"{good}^{{tree}}"))
    repo.write(".git/info/grafts", f"{bad}\n")
    report = report_of(repo)
    assert ([one["file"] for one in report["findings"]], report["base"]) == (["bad.py"], good)
    repo.git("replace", bad, good)
    report = report_of(repo)
    assert ([one["file"] for one in report["findings"]], report["commit"]) == (["bad.py"], bad)


def test_the_variables_of_another_repository_s_hook_do_not_mix_two_repositories(make_repo: MakeRepo) -> None:
    """With GIT_DIR set, git itself works on that repository; then so do we, and on no mixture of both."""
    here, there = make_repo("here"), make_repo("there")
    here.commit("here", {"here.py": "x = 1\n"})
    there.commit("there", {"there.py": BROKEN})
    git_dir = str(there.path / ".git")
    report = report_of(here, GIT_DIR=git_dir, GIT_WORK_TREE=str(there.path))
    assert (report["commit"], [one["file"] for one in report["findings"]]) == (there.head, ["there.py"])
    assert nothing_recorded(here)
    assert there.state_file.exists()


def test_relative_variables_of_git_are_taken_as_git_takes_them(repo: Repo) -> None:
    deeper = Repo(repo.path / "deep", repo.environ)
    deeper.path.mkdir()
    assert report_of(repo, GIT_DIR=".git")["commit"] == repo.head
    assert report_of(deeper, GIT_DIR="../.git", GIT_WORK_TREE="..")["commit"] == repo.head


PROGRAMS = [
    "core.fsmonitor", "diff.external", "diff.evil.command", "diff.evil.textconv", "filter.evil.clean",
    "filter.evil.smudge", "filter.evil.process", "core.pager", "pager.status", "core.editor", "core.sshCommand",
    "core.askPass", "credential.helper", "gpg.program", "core.alternateRefsCommand", "uploadpack.packObjectsHook",
    "remote.origin.uploadpack", "alias.status", "trailer.x.command", "interactive.diffFilter",
]  # fmt: skip
HOOKS = [
    "post-checkout",
    "post-index-change",
    "reference-transaction",
    "pre-commit",
    "post-commit",
    "fsmonitor-watchman",
]


def test_no_program_named_by_the_repository_s_settings_runs_in_a_review_without_commands(repo: Repo) -> None:
    canary = repo.path.parent / "canary"
    repo.commit("attributes", {".gitattributes": "* diff=evil filter=evil\n"})
    base = repo.head
    repo.commit("change", {"app.py": "print('changed')\n"})
    for setting in PROGRAMS:
        repo.git("config", setting, f"echo {setting} >> {canary}; cat")
    for name in HOOKS:
        repo.write(f".git/hooks/{name}", f"#!/bin/sh\necho {name} >> {canary}\n").chmod(0o755)
    repo.write("app.py", "print('on the disk')\n")
    for options in (["--plan-only"], ["--yes", "--base", base], ["--yes", "--scope", "all", "--isolate"]):
        repo.gate("run", *options, GIT_EXTERNAL_DIFF=f"touch {canary};", GIT_PAGER=f"touch {canary};")
    repo.gate("run", "--yes", "--staged")
    assert not canary.exists(), canary.read_text()


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


@pytest.mark.parametrize("moment", ["1970-01-01 00:00:01", "2099-06-15 12:00:00"], ids=["past", "future"])
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
