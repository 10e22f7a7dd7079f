"""Installation: our hooks where git looks, what was there kept and running, everything restored by uninstall."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import MakeRepo, Repo, Result

from review_gate.shell.repository import open_repository
from review_gate.workflows import install as workflow
from review_gate.workflows.uninstall import uninstall as take_out

PROJECT = Path(__file__).resolve().parents[2]
HOOKS = ("pre-commit", "commit-msg", "pre-push")
RECORDER = '#!/bin/sh\n{ echo "$#"; printf "%s\\n" "$@"; echo --; cat; } >> "$RECORD"\n'
NO_REF_LIST = """\
blocked: git's list of pushed refs is missing
  why:   the pre-push hook reads it from standard input and never guesses
  next:  git push, or review-gate verify
"""


def refusal(commit: str) -> str:
    return (
        "blocked: No review state found. Run /review before shipping.\n"
        f"  why:   commit {commit[:8]} was never reviewed\n"
        "  next:  review-gate run\n"
    )


@pytest.fixture(autouse=True)
def _same_world(world: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Our functions, called in this process, see the settings that the programs see which a test starts."""
    for name in [name for name in os.environ if name.startswith(("GIT_", "REVIEW_GATE", "PRE_COMMIT"))]:
        monkeypatch.delenv(name)
    for name, value in world.items():
        monkeypatch.setenv(name, value)


def install(repo: Repo, *, with_watcher: bool = False) -> workflow.Installed:
    """What `review-gate install` does, without 0.4 s for a new process that imports the same modules."""
    return workflow.install(open_repository(str(repo.path)), with_watcher=with_watcher)


def uninstall(repo: Repo) -> list[str]:
    """What `review-gate uninstall` does."""
    return take_out(open_repository(str(repo.path)))


@pytest.fixture
def gated(repo: Repo) -> Repo:
    """One commit on main, and our hooks."""
    install(repo)
    return repo


def typed_install(repo: Repo) -> Result:
    """`review-gate install`, typed by a user."""
    done = repo.gate("install")
    assert done.returncode == 0, done.stderr
    return done


def assert_gated(repo: Repo) -> None:
    done = repo.push("origin", "HEAD:refs/heads/probe")
    assert (done.returncode, done.stderr.split("error: ")[0]) == (1, refusal(repo.head))
    assert repo.remote_ref("refs/heads/probe") is None


def assert_not_gated(repo: Repo) -> None:
    done = repo.push("--quiet", "origin", "HEAD:refs/heads/probe")
    assert done.returncode == 0, done.stderr
    assert repo.remote_ref("refs/heads/probe") == repo.head


def content_of(path: Path) -> bytes:
    if path.is_symlink():
        return os.fsencode(os.readlink(path))
    return b"" if path.is_dir() else path.read_bytes()


def snapshot(*folders: Path) -> dict[str, tuple[str, bytes]]:
    """Every path below some folders with its mode and its content; a link counts by where it points."""
    found = {}
    for path in sorted(path for folder in folders for path in folder.rglob("*")):
        found[str(path)] = (stat.filemode(path.lstat().st_mode), content_of(path))
    return found


def hook_file(repo: Repo, hook: str, text: str, mode: int = 0o755) -> Path:
    """A hook that somebody else put into the hooks directory."""
    path = repo.write(f".git/hooks/{hook}", text)
    path.chmod(mode)
    return path


def venv_at(path: Path) -> Path:
    """The interpreter of this test run under another path, which can be deleted."""
    path.symlink_to(Path(sys.executable).parent.parent)
    return path / "bin" / Path(sys.executable).name


# What install does


def test_a_fresh_install_adds_three_executable_hooks_and_says_so(repo: Repo) -> None:
    before = set(os.listdir(repo.path / ".git/hooks"))
    done = typed_install(repo)
    folder = repo.path / ".git/hooks"
    assert done.stdout == (
        f"installed in {folder}\n"
        "  pre-commit: installed\n  commit-msg: installed\n  pre-push: installed\nnext:  review-gate run\n"
    )
    assert done.stderr == ""
    assert set(os.listdir(folder)) == before | set(HOOKS)
    assert {stat.filemode((folder / hook).stat().st_mode) for hook in HOOKS} == {"-rwxr-xr-x"}


def test_only_a_reviewed_commit_gets_out_after_install(repo: Repo) -> None:
    install(repo)
    assert_gated(repo)
    repo.review()
    assert_not_gated(repo)
    repo.commit("one more")
    assert repo.push("origin", "main").returncode == 1


def test_installing_twice_changes_nothing(repo: Repo) -> None:
    hook_file(repo, "pre-push", RECORDER)
    install(repo, with_watcher=True)
    before = snapshot(repo.path)
    install(repo)
    assert snapshot(repo.path) == before


def test_install_outside_a_repository_says_what_to_do(repo: Repo, tmp_path: Path) -> None:
    elsewhere = Repo(tmp_path, repo.environ)
    for verb in ("install", "uninstall"):
        done = elsewhere.gate(verb)
        assert done.returncode == 2
        assert done.stderr.startswith("error: this is not a git repository: ")
        assert done.stderr.endswith("  next:  cd into a repository, or git init\n")


def test_install_with_an_unusable_configuration_touches_no_hook(repo: Repo) -> None:
    repo.write(".review-gate.yaml", "commit_massage: {}\n")
    before = snapshot(repo.path / ".git/hooks", repo.path / ".git/info")
    done = repo.gate("install")
    assert done.returncode == 2
    assert done.stderr.startswith(
        'error: .review-gate.yaml:1: unknown key "commit_massage"; did you mean "commit_message"?\n'
    )
    assert snapshot(repo.path / ".git/hooks", repo.path / ".git/info") == before


def test_install_from_a_subdirectory_gates_the_repository(repo: Repo) -> None:
    (repo.path / "deep/down").mkdir(parents=True)
    done = typed_install(Repo(repo.path / "deep/down", repo.environ))
    assert done.stdout.startswith(f"installed in {repo.path / '.git/hooks'}\n")
    assert_gated(repo)


def test_hooks_that_were_switched_off_are_an_error_a_user_can_act_on(repo: Repo) -> None:
    repo.git("config", "core.hooksPath", os.devnull)
    done = repo.gate("install")
    assert done.returncode in (1, 2)
    assert "core.hooksPath" in done.stderr
    assert "a bug of ours" not in done.stderr


def test_an_outdated_shim_is_renewed(gated: Repo) -> None:
    shim = gated.path / ".git/hooks/pre-push"
    current = shim.read_bytes()
    shim.write_bytes(current.replace(b"python=/", b"python=/old/"))
    install(gated)
    assert shim.read_bytes() == current


def test_the_state_file_stays_out_of_git_status(gated: Repo) -> None:
    gated.git("worktree", "add", "--quiet", "../linked")
    for repo in (gated, Repo(gated.path.parent / "linked", gated.environ)):
        repo.review("--scope", "all")
        assert repo.state_file.is_file()
        assert repo.git("status", "--porcelain", "--untracked-files=all") == ""


@pytest.mark.parametrize("name", ["state [1].json", "#state"])
def test_a_state_file_with_pattern_characters_in_its_name_stays_out_of_git_status(repo: Repo, name: str) -> None:
    repo.commit("configure", {".review-gate.yaml": f"state_file: '{name}'\n"})
    install(repo)
    repo.write(name, "{}")
    assert repo.git("status", "--porcelain", "--untracked-files=all") == ""


# Where git looks


def test_a_hooks_path_in_the_repository_is_where_the_hooks_go(repo: Repo) -> None:
    folder = repo.path / ".git/own hooks"
    repo.git("config", "core.hooksPath", str(folder))
    done = typed_install(repo)
    assert done.stdout.startswith(f"installed in {folder}\n")
    assert done.stderr == ""
    assert set(os.listdir(folder)) == set(HOOKS)
    assert_gated(repo)


def test_a_relative_hooks_path_works_and_is_warned_about(repo: Repo) -> None:
    repo.git("config", "core.hooksPath", "team/hooks")
    done = typed_install(repo)
    assert done.stderr == (
        "warning: core.hooksPath is the relative path 'team/hooks': every work tree has its own such folder; "
        "run review-gate install in each\n"
    )
    assert_gated(repo)
    below = Repo(repo.path / "team", repo.environ)
    assert below.push("origin", "HEAD:refs/heads/probe").stderr.startswith(refusal(repo.head))


def test_a_relative_hooks_path_protects_each_work_tree_once_it_was_installed_there(repo: Repo) -> None:
    repo.git("config", "core.hooksPath", "hooks")
    install(repo)
    repo.git("worktree", "add", "--quiet", "../linked")
    linked = Repo(repo.path.parent / "linked", repo.environ)
    install(linked)
    assert_gated(repo)
    assert_gated(linked)
    uninstall(repo)
    assert not (repo.path / "hooks").exists()
    assert_gated(linked)
    uninstall(linked)
    assert not (linked.path / "hooks").exists()


def test_a_hooks_directory_that_is_a_link_out_of_the_repository_is_warned_about(repo: Repo, tmp_path: Path) -> None:
    (repo.path / ".git/hooks").rename(tmp_path / "elsewhere")
    (repo.path / ".git/hooks").symlink_to(tmp_path / "elsewhere")
    done = typed_install(repo)
    assert "points outside this repository" in done.stderr
    assert "core.hooksPath" not in done.stderr
    assert_gated(repo)


@pytest.fixture
def shared_folder(world: dict[str, str], tmp_path: Path) -> Path:
    """A hooks directory for all repositories of the user, with somebody's pre-push hook in it."""
    folder = tmp_path / "everywhere"
    folder.mkdir()
    (folder / "pre-push").write_text(RECORDER)
    (folder / "pre-push").chmod(0o755)
    subprocess.run(["git", "config", "--global", "core.hooksPath", str(folder)], env=world, check=True)
    return folder


def test_hooks_in_a_folder_for_all_repositories_act_only_where_they_were_asked_for(
    repo: Repo, make_repo: MakeRepo, shared_folder: Path, tmp_path: Path
) -> None:
    other = make_repo("other")
    other.commit("theirs")
    done = typed_install(repo)
    assert done.stderr == (
        "warning: core.hooksPath (global) points outside this repository; the hooks act only where "
        "review-gate is installed\n"
    )
    record = tmp_path / "record"
    repo.environ["RECORD"] = str(record)
    assert_gated(repo)
    assert not record.exists()
    assert_not_gated(other)
    url, zero = other.git("remote", "get-url", "origin"), "0" * 40
    assert record.read_text() == f"2\norigin\n{url}\n--\nHEAD {other.head} refs/heads/probe {zero}\n"
    other.write("broken.py", "(\n")
    other.git("add", "-A")
    other.git("commit", "--quiet", "-m", "fixup! not gated")


def test_the_hook_in_the_shared_folder_still_runs_in_a_gated_repository(
    repo: Repo, shared_folder: Path, tmp_path: Path
) -> None:
    install(repo)
    repo.review()
    repo.environ["RECORD"] = str(tmp_path / "record")
    assert_not_gated(repo)
    assert (tmp_path / "record").read_text().startswith("2\norigin\n")


def test_uninstall_restores_the_shared_folder(repo: Repo, shared_folder: Path) -> None:
    before = snapshot(shared_folder, repo.path)
    install(repo)
    uninstall(repo)
    assert snapshot(shared_folder, repo.path) == before


def test_uninstall_in_one_repository_leaves_the_others_gated(
    repo: Repo, make_repo: MakeRepo, shared_folder: Path
) -> None:
    other = make_repo("other")
    other.commit("theirs")
    install(repo)
    install(other)
    uninstall(repo)
    other.environ["RECORD"] = os.devnull
    assert_gated(other)


def test_install_in_a_linked_worktree_gates_every_work_tree(repo: Repo) -> None:
    repo.git("worktree", "add", "--quiet", "../linked")
    linked = Repo(repo.path.parent / "linked", repo.environ)
    done = typed_install(linked)
    assert done.stdout.startswith(f"installed in {repo.path / '.git/hooks'}\n")
    assert_gated(linked)
    assert_gated(repo)
    linked.review()
    assert_not_gated(linked)


def test_install_in_a_submodule_gates_its_own_pushes(repo: Repo, make_repo: MakeRepo) -> None:
    library = make_repo("library")
    library.commit("a library")
    library.git("push", "--quiet", "origin", "main")
    repo.git("submodule", "--quiet", "add", library.git("remote", "get-url", "origin"), "vendor/library")
    module = Repo(repo.path / "vendor/library", repo.environ)
    module.commit("patched")
    done = typed_install(module)
    assert done.stdout.startswith(f"installed in {repo.path / '.git/modules/vendor/library/hooks'}\n")
    assert_gated(module)
    module.review()
    assert_not_gated(module)
    module.write("new.py", "(\n")
    module.git("add", "-A")
    commit = module.run("git", "commit", "-m", "A change")
    assert (commit.returncode, commit.stderr.split("\n")[0]) == (1, "blocked: 1 problem in the staged files")
    assert not (repo.path / ".git/hooks/pre-push").exists()


def test_a_bare_repository_is_warned_about(repo: Repo) -> None:
    bare = Repo(Path(repo.git("remote", "get-url", "origin")), repo.environ)
    done = typed_install(bare)
    assert done.stderr == (
        "warning: this is a bare repository: nobody pushes from here, so the hooks protect nothing\n"
    )
    assert done.stdout.startswith(f"installed in {bare.path / 'hooks'}\n")


def test_a_missing_hooks_directory_is_made(make_repo: MakeRepo) -> None:
    repo = make_repo()
    shutil.rmtree(repo.path / ".git/hooks")
    repo.commit("first")
    install(repo)
    assert_gated(repo)


@pytest.mark.parametrize("name", ["my repo's dir", '-n "$(touch pwned)" `touch pwned` a\\b ü'])
def test_a_repository_in_an_oddly_named_directory_is_gated(make_repo: MakeRepo, name: str, tmp_path: Path) -> None:
    repo = make_repo(name)
    repo.commit("first", {"a.yaml": "a: 1\n"})
    hook_file(repo, "pre-push", RECORDER)
    repo.environ["RECORD"] = str(tmp_path / "record")
    install(repo)
    assert repo.gate("doctor").returncode == 0
    assert_gated(repo)
    repo.review()
    assert_not_gated(repo)
    assert (tmp_path / "record").read_text().startswith("2\norigin\n")
    assert not list(tmp_path.rglob("pwned"))


# What was there before


def test_the_hook_that_was_there_gets_exactly_what_git_sends(repo: Repo, tmp_path: Path) -> None:
    hook_file(repo, "pre-push", RECORDER)
    repo.git("push", "--quiet", "origin", "main:old", RECORD=os.devnull)
    repo.commit("more")
    repo.git("branch", "other")
    repo.git("tag", "-a", "v1", "-m", "one")
    refs = ("main", "other", "v1", ":old", "main:refs/heads/odd;$(x)")
    repo.review()
    repo.push("--dry-run", "origin", *refs, RECORD=str(tmp_path / "alone"))
    done = typed_install(repo)
    assert "  pre-push: installed; the hook that was there runs too, as pre-push.before-review-gate\n" in done.stdout
    assert repo.push("--dry-run", "origin", *refs, RECORD=str(tmp_path / "kept")).returncode == 0
    assert (tmp_path / "kept").read_bytes() == (tmp_path / "alone").read_bytes()
    assert (tmp_path / "kept").read_bytes().count(b"\n") == 4 + len(refs)


def test_the_hook_that_was_there_also_runs_when_there_is_nothing_to_push(published: Repo, tmp_path: Path) -> None:
    uninstall(published)
    hook_file(published, "pre-push", RECORDER)
    install(published)
    assert published.push("origin", "main", RECORD=str(tmp_path / "record")).returncode == 0
    url = published.git("remote", "get-url", "origin")
    assert (tmp_path / "record").read_text() == f"2\norigin\n{url}\n--\n"


def test_the_hook_that_was_there_does_not_see_a_refused_push(repo: Repo, tmp_path: Path) -> None:
    hook_file(repo, "pre-push", RECORDER)
    repo.environ["RECORD"] = str(tmp_path / "record")
    install(repo)
    assert_gated(repo)
    assert not (tmp_path / "record").exists()


def test_a_kept_pre_push_hook_that_fails_blocks_a_reviewed_push(repo: Repo) -> None:
    hook_file(repo, "pre-push", "#!/bin/sh\necho not today >&2\nexit 3\n")
    install(repo)
    repo.review()
    done = repo.push("origin", "main")
    assert done.returncode == 1
    assert done.stderr.startswith("not today\nerror: failed to push some refs")
    assert repo.remote_ref("refs/heads/main") is None


@pytest.mark.parametrize("hook", ["pre-commit", "commit-msg"])
def test_a_kept_commit_hook_that_fails_blocks_the_commit(repo: Repo, hook: str) -> None:
    hook_file(repo, hook, "#!/bin/sh\necho not today >&2\nexit 3\n")
    install(repo)
    done = repo.run("git", "commit", "--allow-empty", "-m", "fine")
    assert (done.returncode, done.stderr) == (1, "not today\n")


def test_the_staged_content_is_judged_after_the_hook_that_was_there_changed_it(repo: Repo) -> None:
    hook_file(repo, "pre-commit", "#!/bin/sh\necho '(' > generated.py && git add generated.py\n")
    install(repo)
    done = repo.run("git", "commit", "--allow-empty", "-m", "generate")
    assert done.returncode == 1
    assert done.stderr.startswith("blocked: 1 problem in the staged files\n  generated.py:1: ")


def test_the_message_is_judged_after_the_hook_that_was_there_changed_it(repo: Repo) -> None:
    hook_file(repo, "commit-msg", "#!/bin/sh\necho 'A finished thing' > \"$1\"\n")
    install(repo)
    repo.git("commit", "--quiet", "--allow-empty", "-m", "wip")
    assert repo.git("log", "-1", "--format=%s") == "A finished thing"


def test_a_hook_that_was_not_executable_stays_silent_as_before(repo: Repo, tmp_path: Path) -> None:
    hook_file(repo, "pre-push", RECORDER, mode=0o644)
    repo.environ["RECORD"] = str(tmp_path / "record")
    install(repo)
    repo.review()
    assert_not_gated(repo)
    assert not (tmp_path / "record").exists()


def test_a_symlinked_hook_still_runs_and_its_target_is_untouched(repo: Repo, tmp_path: Path) -> None:
    target = repo.write("tools/push-hook.sh", RECORDER)
    target.chmod(0o755)
    (repo.path / ".git/hooks/pre-push").symlink_to("../../tools/push-hook.sh")
    install(repo)
    assert target.read_text() == RECORDER
    repo.review()
    repo.environ["RECORD"] = str(tmp_path / "record")
    assert_not_gated(repo)
    assert (tmp_path / "record").read_text().startswith("2\norigin\n")


def test_a_hook_that_goes_by_its_own_file_name_still_runs(repo: Repo) -> None:
    # husky 9 does this: each hook reads which one it is from $0, and does nothing when it does not know itself.
    dispatcher = '#!/usr/bin/env sh\nscript="${0%/*}/team-$(basename "$0")"\n[ -f "$script" ] || exit 0\nsh "$script"\n'
    hook_file(repo, "pre-push", dispatcher)
    hook_file(repo, "team-pre-push", "echo the team says no >&2\nexit 1\n")
    install(repo)
    repo.review()
    done = repo.push("origin", "main")
    assert (done.returncode, done.stderr.split("error: ")[0]) == (1, "the team says no\n")


def test_a_second_foreign_hook_is_not_lost_to_the_first(repo: Repo) -> None:
    hook_file(repo, "pre-push", "#!/bin/sh\n# first\n")
    install(repo)
    target = repo.path / ".git/hooks/pre-push"
    target.unlink()
    hook_file(repo, "pre-push", "#!/bin/sh\n# second\n")
    kept = repo.path / ".git/hooks/pre-push.before-review-gate"
    done = repo.gate("install")
    assert (done.returncode, done.stderr) == (
        1,
        f"blocked: {kept} already exists\n"
        f"  why:   the hook at {target} would have to be kept under that name\n"
        "  next:  look at both files, remove one, then review-gate install (pre-push)\n",
    )
    assert (target.read_text(), kept.read_text()) == ("#!/bin/sh\n# second\n", "#!/bin/sh\n# first\n")


# A crash on the way


def test_install_goes_on_after_a_crash_between_keeping_and_writing(repo: Repo, tmp_path: Path) -> None:
    old = hook_file(repo, "pre-push", RECORDER)
    before = snapshot(repo.path / ".git/hooks")
    os.link(old, f"{old}.before-review-gate")
    install(repo)
    repo.review()
    repo.environ["RECORD"] = str(tmp_path / "record")
    assert_not_gated(repo)
    assert (tmp_path / "record").read_text().startswith("2\norigin\n")
    uninstall(repo)
    assert snapshot(repo.path / ".git/hooks") == before


def test_uninstall_cleans_up_after_a_crash_between_keeping_and_writing(repo: Repo) -> None:
    old = hook_file(repo, "pre-push", RECORDER)
    before = snapshot(repo.path / ".git/hooks")
    install(repo)
    shim = repo.path / ".git/hooks/pre-push"
    kept = repo.path / ".git/hooks/pre-push.before-review-gate"
    shim.unlink()
    os.link(kept, old)
    uninstall(repo)
    assert snapshot(repo.path / ".git/hooks") == before


def test_install_goes_on_after_a_crash_where_the_old_hook_was_moved(repo: Repo) -> None:
    old = hook_file(repo, "pre-push", RECORDER)
    before = snapshot(repo.path / ".git/hooks")
    old.rename(f"{old}.before-review-gate")
    install(repo)
    assert_gated(repo)
    uninstall(repo)
    assert snapshot(repo.path / ".git/hooks") == before


def test_a_record_of_the_installation_that_cannot_be_read_does_not_stop_uninstall(gated: Repo) -> None:
    (gated.path / ".git/review-gate/install.json").write_text("{")
    uninstall(gated)
    assert not set(HOOKS) & set(os.listdir(gated.path / ".git/hooks"))


# Uninstall


def _hooks_of_every_kind(repo: Repo) -> None:
    hook_file(repo, "pre-push", RECORDER, mode=0o700)
    hook_file(repo, "commit-msg", "not executable", mode=0o640)
    (repo.path / ".git/hooks/pre-commit").symlink_to("/usr/bin/true")
    hook_file(repo, "reference-transaction", "#!/bin/sh\nexit 0\n", mode=0o555)


def _dangling_links(repo: Repo) -> None:
    (repo.path / ".git/hooks/pre-push").symlink_to("../../nowhere")


def _directory_in_place_of_a_hook(repo: Repo) -> None:
    repo.write(".git/hooks/pre-push/README", "why not")


def _no_hooks_directory(repo: Repo) -> None:
    shutil.rmtree(repo.path / ".git/hooks")


def _no_info_directory(repo: Repo) -> None:
    shutil.rmtree(repo.path / ".git/info")


def _no_exclude_file(repo: Repo) -> None:
    (repo.path / ".git/info/exclude").unlink()


def _empty_exclude_file(repo: Repo) -> None:
    repo.write(".git/info/exclude", "")


def _exclude_without_final_newline(repo: Repo) -> None:
    repo.write(".git/info/exclude", "*.bak")


def _private_exclude_file(repo: Repo) -> None:
    repo.write(".git/info/exclude", "*.bak\n").chmod(0o600)


def _linked_exclude_file(repo: Repo) -> None:
    repo.write(".git/my-exclude", "*.bak\n")
    (repo.path / ".git/info/exclude").unlink()
    (repo.path / ".git/info/exclude").symlink_to("../my-exclude")


def _state_file_ignored_already(repo: Repo) -> None:
    repo.write(".gitignore", ".claude/\n")


def _relative_hooks_path(repo: Repo) -> None:
    repo.git("config", "core.hooksPath", "team/git/hooks")


@pytest.mark.parametrize(
    "prepare",
    [
        lambda _: None,
        _hooks_of_every_kind,
        _dangling_links,
        _directory_in_place_of_a_hook,
        _no_hooks_directory,
        _no_info_directory,
        _no_exclude_file,
        _empty_exclude_file,
        _exclude_without_final_newline,
        _private_exclude_file,
        _linked_exclude_file,
        _state_file_ignored_already,
        _relative_hooks_path,
    ],
    ids=lambda prepare: prepare.__name__.strip("_<>").replace("lambda", "plain repository").replace("_", " "),
)
def test_uninstall_restores_every_byte_and_mode(repo: Repo, prepare: Callable[[Repo], None]) -> None:
    prepare(repo)
    before = snapshot(repo.path)
    install(repo, with_watcher=True)
    install(repo)
    assert snapshot(repo.path) != before
    uninstall(repo)
    assert snapshot(repo.path) == before


def test_uninstall_says_what_it_did_and_the_second_time_that_there_was_nothing(repo: Repo) -> None:
    hook_file(repo, "pre-push", RECORDER)
    install(repo)
    assert repo.gate("uninstall").stdout == (
        "pre-commit: removed\ncommit-msg: removed\npre-push: removed, the hook that was there before is back\n"
    )
    before = snapshot(repo.path)
    again = repo.gate("uninstall")
    assert (again.returncode, again.stdout, again.stderr) == (0, "nothing of review-gate was installed\n", "")
    assert snapshot(repo.path) == before


def test_uninstall_removes_only_our_line_from_an_exclude_file_that_was_edited_since(gated: Repo) -> None:
    exclude = gated.path / ".git/info/exclude"
    line = "/.claude/skills/code-review/loop-state.json\n"
    before, _, after = exclude.read_text().partition(line)
    exclude.write_text(f"{before}{line}{after}*.mine\n")
    uninstall(gated)
    assert exclude.read_text() == f"{before}{after}*.mine\n"


def test_uninstall_removes_every_line_it_ever_added_to_the_exclude_file(repo: Repo) -> None:
    before = (repo.path / ".git/info/exclude").read_bytes()
    install(repo)
    repo.write(".review-gate.yaml", "state_file: elsewhere.json\n")
    install(repo)
    uninstall(repo)
    assert (repo.path / ".git/info/exclude").read_bytes() == before


def test_uninstall_finds_the_hooks_of_an_earlier_hooks_path_too(repo: Repo) -> None:
    before = snapshot(repo.path / ".git/hooks")
    install(repo)
    repo.git("config", "core.hooksPath", str(repo.path / ".git/newer"))
    install(repo)
    uninstall(repo)
    assert snapshot(repo.path / ".git/hooks") == before
    assert not (repo.path / ".git/newer").exists()


def test_uninstall_leaves_nothing_of_ours_but_the_records(published: Repo) -> None:
    published.git("worktree", "add", "--quiet", "../linked")
    Repo(published.path.parent / "linked", published.environ).review("--scope", "all")
    record = f"refs/review-gate/commits/{published.head}"
    uninstall(published)
    ours = [path for path in (published.path / ".git").rglob("review-gate") if "refs" not in path.parts]
    assert ours == []
    assert published.git("for-each-ref", "--format=%(refname)", "refs/review-gate") == record


def test_a_review_from_before_uninstall_still_counts_after_installing_again(gated: Repo) -> None:
    gated.review()
    uninstall(gated)
    install(gated)
    assert_not_gated(gated)


def test_uninstall_leaves_a_hook_that_took_our_place(gated: Repo) -> None:
    foreign = hook_file(gated, "pre-push", "#!/bin/sh\nexit 0\n")
    done = gated.gate("uninstall")
    assert done.stdout == "pre-commit: removed\ncommit-msg: removed\n"
    assert foreign.read_text() == "#!/bin/sh\nexit 0\n"


def test_uninstall_says_that_a_kept_hook_stays_where_our_own_is_gone(repo: Repo) -> None:
    hook_file(repo, "pre-push", RECORDER)
    install(repo)
    hook_file(repo, "pre-push", "#!/bin/sh\nexit 0\n")
    done = repo.gate("uninstall")
    kept = "pre-push: not ours any more; the hook kept as pre-push.before-review-gate is left there\n"
    assert done.stdout == f"pre-commit: removed\ncommit-msg: removed\n{kept}"
    assert (repo.path / ".git/hooks/pre-push.before-review-gate").read_text() == RECORDER


@pytest.mark.parametrize("existing", [None, RECORDER], ids=["no hook before", "a hook before"])
def test_uninstall_works_after_pre_commit_moved_our_hooks_to_legacy(repo: Repo, existing: str | None) -> None:
    if existing:
        hook_file(repo, "pre-push", existing)
    shutil.copy(PROJECT / ".pre-commit-config.yaml", repo.path)
    repo.environ["PRE_COMMIT_HOME"] = str(repo.path.parent / "pre-commit-home")
    install(repo)
    assert repo.run("pre-commit", "install").returncode == 0
    assert (repo.path / ".git/hooks/pre-push.legacy").read_bytes().startswith(b"#!/bin/sh\n# review-gate shim")
    uninstall(repo)
    left = {path.name for path in (repo.path / ".git/hooks").iterdir() if not path.name.endswith(".sample")}
    assert left == set(HOOKS) | ({"pre-push.legacy"} if existing else set())
    if existing:
        assert (repo.path / ".git/hooks/pre-push.legacy").read_text() == existing
    assert b"generated by pre-commit" in (repo.path / ".git/hooks/pre-push").read_bytes()


# When the installation is gone


def gone(python: Path | str, hook: str) -> str:
    return (
        "blocked: review-gate is no longer where it was installed\n"
        f"  why:   {python} or its review-gate package is gone, so nobody can judge this {hook}\n"
        "  next:  install review-gate again and run: review-gate install\n"
    )


@pytest.mark.parametrize("name", ["a venv with spaces", 'it\'s "quoted" $(x)'])
def test_a_push_is_refused_when_the_virtual_environment_was_deleted(repo: Repo, tmp_path: Path, name: str) -> None:
    python = venv_at(tmp_path / name)
    assert repo.run(str(python), "-m", "review_gate", "install").returncode == 0
    assert_gated(repo)
    repo.review()
    (tmp_path / name).unlink()
    push = repo.push("origin", "main")
    assert (push.returncode, push.stderr.split("error: ")[0]) == (1, gone(python, "pre-push"))
    assert repo.remote_ref("refs/heads/main") is None
    commit = repo.run("git", "commit", "--allow-empty", "-m", "more")
    assert (commit.returncode, commit.stderr) == (1, gone(python, "pre-commit"))


def test_a_push_is_refused_when_the_package_was_uninstalled(repo: Repo, tmp_path: Path) -> None:
    site = tmp_path / "site packages"
    for package in ("review_gate", "git_hooks"):
        shutil.copytree(PROJECT / package, site / package, ignore=shutil.ignore_patterns("__pycache__"))
    done = repo.run(sys.executable, "-m", "review_gate", "install", PYTHONPATH=str(site))
    assert done.returncode == 0, done.stderr
    assert_gated(repo)
    repo.review()
    shutil.rmtree(site)
    push = repo.push("origin", "main")
    assert (push.returncode, push.stderr.split("error: ")[0]) == (1, gone(sys.executable, "pre-push"))
    assert repo.remote_ref("refs/heads/main") is None


def test_a_push_is_refused_when_the_package_is_damaged(repo: Repo, tmp_path: Path) -> None:
    site = tmp_path / "site"
    for package in ("review_gate", "git_hooks"):
        shutil.copytree(PROJECT / package, site / package, ignore=shutil.ignore_patterns("__pycache__"))
    assert repo.run(sys.executable, "-m", "review_gate", "install", PYTHONPATH=str(site)).returncode == 0
    repo.review()
    (site / "git_hooks/boundary.py").write_text("(")
    assert repo.push("origin", "main").returncode == 1
    assert repo.remote_ref("refs/heads/main") is None


def test_an_interpreter_that_dies_refuses_the_push(gated: Repo, tmp_path: Path) -> None:
    killed = tmp_path / "python"
    killed.write_text("#!/bin/sh\nkill -9 $$\n")
    killed.chmod(0o755)
    gated.review()
    shim = gated.path / ".git/hooks/pre-push"
    lines = [f"python={killed}" if line.startswith("python=") else line for line in shim.read_text().split("\n")]
    shim.write_text("\n".join(lines))
    assert gated.push("origin", "main").returncode == 1
    assert gated.remote_ref("refs/heads/main") is None


@pytest.mark.parametrize("existing", [None, "#!/bin/sh\nexit 0\n"], ids=["alone", "with a kept hook"])
def test_a_pre_push_hook_without_standard_input_refuses(repo: Repo, existing: str | None) -> None:
    if existing:
        hook_file(repo, "pre-push", existing)
    install(repo)
    done = repo.run("sh", "-c", "exec .git/hooks/pre-push origin ../repo.git <&-")
    assert done.returncode == 1
    assert done.stderr.endswith(NO_REF_LIST)


def test_a_pre_push_hook_without_its_arguments_refuses(gated: Repo) -> None:
    done = gated.run(".git/hooks/pre-push", stdin="")
    assert (done.returncode, done.stderr) == (1, NO_REF_LIST)


@pytest.mark.parametrize("closed", ["<&-", "<&- >&- 2>&-"])
def test_the_gate_holds_whatever_streams_are_closed(gated: Repo, closed: str) -> None:
    assert gated.run("sh", "-c", f"git push origin main {closed}").returncode == 1
    assert gated.remote_ref("refs/heads/main") is None
    gated.git("switch", "--quiet", "-c", "topic")
    gated.write("broken.py", "(\n")
    gated.git("add", "-A")
    assert gated.run("sh", "-c", f"git commit -m x {closed}").returncode == 1
    gated.write("broken.py", "()\n")
    gated.git("add", "-A")
    assert gated.run("sh", "-c", f"git commit -m x {closed}").returncode == 0
