"""Temporary checkouts: whole, unchanged by what runs in them, and gone afterwards with nothing else."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest
from conftest import MakeRepo, Repo
from running import PATIENCE, configure, outcome, refusal, report_of, sh, statuses


def test_an_isolated_run_forgets_no_work_tree_that_is_away(repo: Repo, tmp_path: Path) -> None:
    configure(repo, sh("true"))
    repo.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "disk"))
    (tmp_path / "disk").rename(tmp_path / "away")
    repo.review("--isolate")
    (tmp_path / "away").rename(tmp_path / "disk")
    assert Repo(tmp_path / "disk", repo.environ).git("status", "--porcelain") == ""


def test_a_checkout_that_a_killed_run_left_is_cleared_away_by_the_next(repo: Repo, tmp_path: Path) -> None:
    configure(repo, sh('pwd > "$OUT"; echo $PPID >> "$OUT"; test -z "$WAIT" || sleep 60'))
    out, temporary = tmp_path / "out", tmp_path / "tmp"
    temporary.mkdir()
    environ = repo.environ | {"OUT": str(out), "WAIT": "yes", "TMPDIR": str(temporary)}
    argv = ["review-gate", "run", "--yes", "--isolate"]
    with subprocess.Popen(argv, cwd=repo.path, env=environ, stderr=subprocess.DEVNULL) as run:
        end = time.monotonic() + PATIENCE
        while not out.exists() or out.read_text().count("\n") < 2:
            assert time.monotonic() < end
            time.sleep(0.02)
        run.kill()
    left = Path(out.read_text().split("\n")[0])
    assert left.is_dir()
    assert repo.gate("run", "--yes", "--isolate", OUT=str(out), WAIT="", TMPDIR=str(temporary)).returncode == 0
    assert list(temporary.iterdir()) == []
    assert repo.git("worktree", "list").count("\n") == 0


def test_nothing_but_our_own_checkouts_is_ever_cleared_away(repo: Repo, tmp_path: Path) -> None:
    temporary = tmp_path / "tmp"
    shop = Repo(temporary / "review-gate-4000000-shop" / "checkout", repo.environ)
    shop.path.parent.mkdir(parents=True)
    repo.git("clone", "--quiet", str(repo.path), str(shop.path))
    configure(shop, sh("true"))
    linked = temporary / "review-gate-4000001-linked" / "checkout"
    shop.git("worktree", "add", "--quiet", "--detach", str(linked))
    (temporary / "review-gate-4000002-notes").mkdir()
    (temporary / "review-gate-4000003-other").mkdir()
    (temporary / "review-gate-4000003-other/.review-gate-owner").write_text("4000003 \n/another/repository/.git")
    before = sorted(temporary.rglob("*"))
    assert shop.gate("run", "--yes", "--isolate", TMPDIR=str(temporary)).returncode == 0
    left = set(before) - set(temporary.rglob("*"))
    assert left == set()
    assert linked.is_dir()


def test_a_link_among_the_leftovers_leads_nowhere(repo: Repo, tmp_path: Path) -> None:
    configure(repo, sh("true"))
    temporary, mine = tmp_path / "tmp", tmp_path / "mine"
    repo.git("worktree", "add", "--quiet", "-b", "feature", str(mine))
    (mine / "uncommitted").write_text("days of work\n")
    planted = temporary / "review-gate-planted"
    planted.mkdir(parents=True)
    (planted / "checkout").symlink_to(mine)
    marker = f"999999999 {os.readlink('/proc/self/ns/pid')}\n{repo.path / '.git'}"
    (planted / ".review-gate-owner").write_text(marker)
    assert repo.gate("run", "--yes", "--isolate", TMPDIR=str(temporary)).returncode == 0
    assert (mine / "uncommitted").read_text() == "days of work\n"
    assert repo.git("worktree", "list").count("\n") == 1


@pytest.mark.parametrize("option", ["--isolate", "--staged"])
def test_a_command_that_changes_files_of_the_checkout_has_not_tested_the_content(repo: Repo, option: str) -> None:
    configure(repo, sh("sed -i s/BAD/GOOD/ b.txt", loop=2), test_command=["grep", "GOOD", "b.txt"])
    repo.write("b.txt", "BAD\n")
    repo.git("add", "b.txt")
    if option == "--isolate":
        repo.git("commit", "--quiet", "-m", "bad")
    report = report_of(repo, option)
    assert outcome(report) == (
        "could_not_run",
        "1 file is no longer as committed, so it did not test what is reviewed",
        "incomplete",
    )
    assert not report["ship_allowed"]


def test_a_command_that_changes_files_of_a_submodule_has_not_tested_the_content(make_repo: MakeRepo) -> None:
    inner, outer = make_repo("inner"), make_repo("outer")
    inner.commit("inner", {"x/i.txt": "BAD\n", "s/deep.txt": "x\n"})
    outer.commit("first")
    outer.git("submodule", "--quiet", "add", str(inner.path), "part")
    configure(outer, sh("sed -i s/BAD/GOOD/ part/x/i.txt", loop=2), test_command=["grep", "GOOD", "part/x/i.txt"])
    assert outcome(report_of(outer, "--isolate"))[::2] == ("could_not_run", "incomplete")
    configure(outer, test_command=["grep", "BAD", "part/x/i.txt"])
    assert report_of(outer, "--isolate")["ship_allowed"]
    Repo(outer.path / "part", outer.environ).git("sparse-checkout", "set", "s")
    assert "blocked: 1 file is not on disk (a sparse checkout)" in outer.gate("run", "--yes").stderr


def test_a_link_in_the_place_of_a_folder_leads_no_submodule_out_of_the_checkout(make_repo: MakeRepo) -> None:
    victim, repo = make_repo("victim"), make_repo("repo")
    commit = victim.commit("old", {"notes.txt": "old\n"})
    victim.write("notes.txt", "precious\n")
    repo.commit("first")
    configure(repo, sh("true"))

    def tree(*lines: str) -> str:
        return repo.run("git", "mktree", "--missing", stdin="".join(f"{line}\n" for line in lines)).stdout.strip()

    link = repo.run("git", "hash-object", "-w", "--stdin", stdin=str(victim.path.parent)).stdout.strip()
    inside = tree(f"160000 commit {commit}\t{victim.path.name}")
    entries = repo.git("ls-tree", "HEAD").splitlines()
    both = tree(*entries, f"040000 tree {inside}\ta", f"120000 blob {link}\ta")
    evil = repo.git("commit-tree", both, "-p", "HEAD", "-m", "evil")
    repo.git("update-ref", "refs/heads/main", evil)
    repo.gate("run", "--yes", "--isolate")
    assert (victim.path / "notes.txt").read_text() == "precious\n"


@pytest.mark.parametrize("words", [["--all"], []], ids=["all", "plain"])
@pytest.mark.parametrize("is_linked", [False, True], ids=["here", "linked"])
def test_a_run_inside_a_hook_leaves_the_index_of_the_commit_alone(
    repo: Repo, words: list[str], is_linked: bool, tmp_path: Path
) -> None:
    configure(repo, sh("true"))
    if is_linked:
        repo.git("worktree", "add", "--quiet", "-b", "side", str(tmp_path / "side"))
        repo = Repo(tmp_path / "side", repo.environ)
    hook = Path(repo.git("rev-parse", "--git-common-dir"))
    hook = (repo.path / hook / "hooks/pre-commit").resolve()
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nreview-gate run --yes --isolate >../said 2>&1\nexit 0\n")
    hook.chmod(0o755)
    repo.write("new.py", "()\n")
    repo.git("add", "new.py")
    repo.write("app.py", "print('half')\n")
    done = repo.run("git", "commit", "--quiet", *words, "-m", "two")
    assert done.returncode == 0, done.stderr
    changed = repo.git("show", "--format=", "--name-only").split()
    assert changed == (["app.py", "new.py"] if words else ["new.py"])
    assert "ship: " in (repo.path.parent / "said").read_text()


def test_a_checkout_is_whole_although_the_work_tree_is_sparse(repo: Repo) -> None:
    configure(repo, test_command=["sh", "-c", "! grep -r BAD --include=*.txt ."], files={"a/a.txt": "", "b/b.txt": ""})
    repo.commit("bad", {"b/b.txt": "BAD\n"})
    repo.git("sparse-checkout", "set", "a")
    assert not (repo.path / "b").exists()
    assert refusal(repo.gate("run", "--yes")) == (
        1,
        "blocked: 1 file is not on disk (a sparse checkout), and the plan runs commands there\n"
        "  why:   the commands would not see all of the commit\n"
        "  next:  review-gate run --isolate (a temporary checkout of HEAD)",
    )
    assert statuses(report_of(repo, "--isolate"))[3] == "failed"
    assert not (repo.path / "b").exists()


def test_a_checkout_has_the_submodules_that_are_here_and_says_which_are_not(make_repo: MakeRepo) -> None:
    inner, middle, outer = make_repo("inner"), make_repo("middle"), make_repo("outer")
    inner.commit("inner", {"i.txt": "BAD\n"})
    middle.commit("middle", {"m.txt": "fine\n"})
    middle.git("submodule", "--quiet", "add", str(inner.path), "deep")
    middle.git("commit", "--quiet", "-m", "deep")
    outer.commit("first", {"o.txt": "fine\n"})
    outer.git("submodule", "--quiet", "add", str(middle.path), "part")
    outer.git("submodule", "--quiet", "update", "--init", "--recursive")
    configure(outer, test_command=["sh", "-c", "test -e part/m.txt && ! grep -r BAD --include=*.txt ."])
    report = report_of(outer, "--isolate")
    assert statuses(report)[3] == "failed"
    assert any("part/deep/i.txt:BAD" in blocker for blocker in report["blockers"])
    assert outer.git("status", "--porcelain") == ""
    outer.git("submodule", "--quiet", "deinit", "--force", "part")
    said = "note: submodule part is not here, so commands find it empty: git submodule update --init\n"
    for options in ([], ["--isolate"]):
        assert said in outer.gate("run", "--plan-only", *options).stdout
