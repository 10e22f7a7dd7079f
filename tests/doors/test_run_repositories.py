"""review-gate run where the repository is missing, odd, or out to run something."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from conftest import MakeRepo, Repo, make_world, place_repo
from running import BROKEN, configure, files_found, hide_state, nothing_recorded, refusal, report_of, said, sh


def test_an_empty_repository_a_bare_one_and_a_git_directory_are_said(make_repo: MakeRepo, tmp_path: Path) -> None:
    repo = make_repo("empty")
    assert said(repo.gate("run", "--yes")) == (
        2,
        "error: there is no commit yet\n"
        "  why:   a review is of a commit, and this branch has none\n"
        "  next:  git commit, then review-gate run (or review-gate run --staged before it)\n",
    )
    assert said(Repo(tmp_path / "empty.git", repo.environ).gate("run", "--yes")) == (
        2,
        "error: a bare repository has no HEAD to review\n"
        "  why:   reviews are made where the work is done\n"
        "  next:  review-gate verify REV\n",
    )
    assert said(Repo(repo.path / ".git", repo.environ).gate("run", "--yes")) == (
        2,
        "error: this directory has no work tree\n"
        "  why:   it lies inside a git directory\n"
        "  next:  cd into the work tree of the repository\n",
    )


def test_a_machine_without_git_is_said(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/review-gate").symlink_to(shutil.which("review-gate", path=repo.environ["PATH"]) or "")
    for verb in (["run", "--yes"], ["verify"], ["status"], ["doctor"]):
        assert said(repo.gate(*verb, PATH=str(tmp_path / "bin"))) == (
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
    hide_state(outer)
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
    assert (files_found(report), report["commit"]) == (["bad.py"], part.head)
    assert part.state_file.exists()


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
    assert (report["base"], files_found(report)) == (first, ["b/b.py"])


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
        ("not-reviewed-binary", "binary.bin"),
        ("link-outside", "device"),
        ("link-outside", "out"),
    ]
    assert report["not_reviewed"] == ["binary.bin", "large.iso"]


@pytest.fixture(scope="module")
def huge_object(tmp_path_factory: pytest.TempPathFactory, templates: Path) -> Path:
    """300 MB of zeros as git keeps them; packing them takes seconds, and the result is small."""
    folder = tmp_path_factory.mktemp("huge")
    repo = place_repo(folder, make_world(folder), templates)
    with open(repo.path / "zeros", "wb") as file:
        file.truncate(300_000_000)
    name = repo.git("hash-object", "-w", "zeros")
    (repo.path / "zeros").unlink()
    return repo.path / ".git/objects" / name[:2] / name[2:]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["huge.txt", "Makefile", ".review-gate.yaml"])
def test_a_file_too_large_to_review_is_said_and_never_read(repo: Repo, huge_object: Path, name: str) -> None:
    objects = repo.path / ".git/objects" / huge_object.parent.name
    objects.mkdir(exist_ok=True)
    shutil.copy(huge_object, objects)
    repo.git("update-index", "--add", "--cacheinfo", f"100644,{objects.name}{huge_object.name},{name}")
    repo.write("small.txt", "x\n")
    repo.git("add", "small.txt")
    repo.git("commit", "--quiet", "-m", "huge")
    repo.write(name, "")
    done = repo.run("prlimit", "--as=250000000", "review-gate", "run", "--yes", "--format", "json")
    assert done.returncode == 1, done.stderr
    assert [(one["rule"], one["file"], one["severity"]) for one in json.loads(done.stdout)["findings"]] == [
        ("not-reviewed-too-large", name, "major")
    ]


def test_files_and_branches_of_any_name_are_reviewed(repo: Repo) -> None:
    names = ["line\nend.py", "--output=x.py", "esc\x1b[2J.py", "quote'\".py", "$(touch x).py", "\udcff.py", "ü 漢.py"]
    hide_state(repo)
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


def test_a_new_name_that_hides_something_is_a_finding(repo: Repo) -> None:
    name = "photo\u202egpj.py"
    first = repo.commit("odd", {name: "x = 1\n"})
    (found,) = report_of(repo)["findings"]
    assert (found["rule"], found["severity"], found["file"]) == ("hidden-bidi", "critical", name)
    repo.commit("changed", {name: "x = '\u200b'\n"})
    assert [one["rule"] for one in report_of(repo, "--base", first)["findings"]] == ["hidden-zero-width"]
    second = repo.head
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{first},part\x1b")
    repo.git("commit", "--quiet", "-m", "a submodule")
    found = report_of(repo, "--base", second)["findings"]
    assert [(one["rule"], one["file"]) for one in found] == [
        ("control-character", "part\x1b"),
        ("not-reviewed-submodule", "part\x1b"),
    ]


def test_replaced_objects_and_grafts_do_not_change_what_is_reviewed(repo: Repo) -> None:
    good = repo.head
    repo.git("push", "--quiet", "--set-upstream", "origin", "main")
    bad = repo.commit("bad", {"bad.py": BROKEN})
    blob = repo.git("rev-parse", f"{bad}:bad.py")
    repo.git("replace", blob, repo.git("rev-parse", f"{good}:app.py"))
    repo.git("replace", repo.git("rev-parse", f"{bad}^{{tree}}"), repo.git("rev-parse", f"{good}^{{tree}}"))
    repo.write(".git/info/grafts", f"{bad}\n")
    report = report_of(repo)
    assert (files_found(report), report["base"]) == (["bad.py"], good)
    repo.git("replace", bad, good)
    report = report_of(repo)
    assert (files_found(report), report["commit"]) == (["bad.py"], bad)


def test_the_variables_of_another_repository_s_hook_do_not_mix_two_repositories(make_repo: MakeRepo) -> None:
    """With GIT_DIR set, git itself works on that repository; then so do we, and on no mixture of both."""
    here, there = make_repo("here"), make_repo("there")
    here.commit("here", {"here.py": "x = 1\n"})
    there.commit("there", {"there.py": BROKEN})
    git_dir = str(there.path / ".git")
    report = report_of(here, GIT_DIR=git_dir, GIT_WORK_TREE=str(there.path))
    assert (report["commit"], files_found(report)) == (there.head, ["there.py"])
    assert nothing_recorded(here)
    assert there.state_file.exists()


def work_tree_elsewhere(repo: Repo, place: Path) -> Repo:
    """The work tree of a repository, moved away from its git directory; commands are typed beside the latter."""
    place.mkdir(exist_ok=True)
    for name in ("app.py", ".review-gate.yaml"):
        (repo.path / name).rename(place / name)
    repo.git("config", "core.worktree", str(place))
    return repo


@pytest.mark.parametrize("place", ["plain", "other"], ids=["in no repository", "in another repository"])
def test_a_work_tree_elsewhere_is_reviewed_as_git_sees_it(make_repo: MakeRepo, tmp_path: Path, place: str) -> None:
    other = make_repo("other")
    other.commit("other", {"other.py": BROKEN})
    repo = make_repo()
    configure(repo, sh("ls > $OUT; exit 3"), files={"app.py": "x = 1\n"})
    work_tree_elsewhere(repo, tmp_path / place)
    report = report_of(repo, *(["--isolate"] if place == "other" else []), OUT=str(tmp_path / "seen"))
    assert (report["commit"], report["findings"][0]["message"]) == (repo.head, "exit code 3")
    assert "app.py" in (tmp_path / "seen").read_text().split()
    assert other.git("for-each-ref", "refs/review-gate") == ""
    assert (tmp_path / place / ".claude/skills/code-review/loop-state.json").exists()
    (tmp_path / place / "app.py").write_text("x = 2\n")
    code, text = refusal(repo.gate("run", "--yes"))
    assert (code, text.splitlines()[0]) == (
        1,
        "blocked: 1 file is modified in the work tree, and the plan runs commands there",
    )


def test_hooks_judge_a_work_tree_elsewhere_by_the_settings_that_are_there(make_repo: MakeRepo, tmp_path: Path) -> None:
    repo = make_repo()
    configure(repo, sh("true"), files={"app.py": "x = 1\n"}, commit_message={"max_subject": 9, "too_long": "block"})
    work_tree_elsewhere(repo, tmp_path / "tree")
    done = repo.gate("install")
    assert done.returncode == 0, done.stderr
    git_dir = {"GIT_DIR": str(repo.path / ".git")}
    for here in (repo, Repo(tmp_path / "tree", repo.environ | git_dir)):
        refused = here.run("git", "commit", "--allow-empty", "-m", "longer than nine")
        assert "the subject is 16 characters long, the limit is 9" in refused.stderr
        assert refused.returncode == 1
    assert repo.push("origin", "main").returncode == 1
    repo.review()
    (repo.path / "sub").mkdir()
    for number, place in enumerate((repo.path, repo.path / "sub", tmp_path / "tree")):
        done = Repo(place, repo.environ | git_dir).push("--quiet", "origin", f"HEAD:refs/heads/b{number}")
        assert (done.returncode, done.stderr) == (0, "")
    assert repo.gate("status").stdout.count(f"installed in {repo.path}/.git/hooks") == 1


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


def test_a_work_tree_that_is_gone_is_named(gated: Repo, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gated.git("config", "core.worktree", str(gone))
    said = (
        f"the work tree {gone} does not exist\n"
        "  why:   core.worktree or GIT_WORK_TREE names it, and nothing of this repository is anywhere else\n"
        "  next:  make that folder, or: git config --unset core.worktree\n"
    )
    for verb in ("run", "status", "doctor", "install"):
        done = gated.gate(verb)
        assert (done.returncode, done.stderr) == (2, f"error: {said}")
    push = gated.push("origin", "HEAD:refs/heads/main")
    assert (push.returncode, push.stderr.split("error: ")[0]) == (1, f"blocked: {said}")
