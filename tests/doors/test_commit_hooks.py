"""The doors of `git commit`: what is staged is judged and nothing else, and the message keeps its rules."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import MakeRepo, Repo, Result

from review_gate.shell.repository import open_repository
from review_gate.workflows.install import install

PYTHON = f"Python {sys.version_info.major}.{sys.version_info.minor} cannot compile this"
CONFLICT = "ours\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> topic\n"
SCISSORS = "# ------------------------ >8 ------------------------"


@pytest.fixture(autouse=True)
def _same_world(world: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Our functions, called in this process, see the settings that the programs see which a test starts."""
    for name in [name for name in os.environ if name.startswith(("GIT_", "REVIEW_GATE", "PRE_COMMIT"))]:
        monkeypatch.delenv(name)
    for name, value in world.items():
        monkeypatch.setenv(name, value)


def put_hooks(repo: Repo) -> Repo:
    """What `review-gate install` does, without 0.4 s for a new process."""
    install(open_repository(str(repo.path)), with_watcher=False)
    return repo


@pytest.fixture
def gated(repo: Repo) -> Repo:
    """One commit on main, and our hooks."""
    return put_hooks(repo)


def stage(repo: Repo, files: dict[str, str | bytes]) -> None:
    for name, content in files.items():
        repo.write(name, content)
    repo.git("add", "-A")


def commit(repo: Repo, *options: str, **environ: str) -> Result:
    return repo.run("git", "commit", "--quiet", *options, **environ)


def refused_files(*problems: str) -> str:
    count = f"{len(problems)} problem{'' if len(problems) == 1 else 's'}"
    lines = "".join(f"  {problem}\n" for problem in problems)
    return f"blocked: {count} in the staged files\n{lines}  next:  fix the files, git add them, git commit again\n"


def refused_message(problem: str, file: str = ".git/COMMIT_EDITMSG") -> str:
    return f"blocked: 1 problem in the commit message\n  {problem}\n  next:  git commit -e -F {file}\n"


def assert_refused(done: Result, text: str) -> None:
    assert (done.returncode, done.stderr) == (1, text)


def assert_silent(done: Result) -> None:
    assert (done.returncode, done.stderr) == (0, "")


OPEN_BRACKET = f"{PYTHON}: '(' was never closed [syntax-python]"

# Content


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("app.py", "x = 1\nprint((1)\n", f"app.py:2: {OPEN_BRACKET}"),
        ("tool", "#!/usr/bin/env python3\nx = (\n", f"tool:2: {OPEN_BRACKET}"),
        ("a/b.json", '{"a": 1,\n "b": }\n', "a/b.json:2: this is not JSON: expecting value [syntax-json]"),
        ("c.toml", "a = 1\nb = \n", "c.toml:2: this is not TOML: invalid value [syntax-toml]"),
        (
            "d.yaml",
            "a: [1\nb: 2\n",
            "d.yaml:2: this is not YAML: expected ',' or ']', but got ':', "
            "while parsing a flow sequence that begins in line 1 [syntax-yaml]",
        ),
        ("notes.txt", CONFLICT, "notes.txt:2: unresolved merge conflict, lines 2 to 6 [conflict-marker]"),
        (
            "e.c",
            "int a;\nint b; // \u202e",
            "e.c:2: hidden bidirectional control U+202E: machines read the line in another order than you "
            "[hidden-bidi]",
        ),
        ("f.js", b"a\x00b", "f.js: not reviewed: binary [not-reviewed-binary]"),
    ],
    ids=["python", "python by shebang", "json", "toml", "yaml", "conflict", "bidi", "source with a NUL"],
)
def test_a_commit_is_refused_with_the_place_of_the_fault(
    gated: Repo, name: str, content: str | bytes, problem: str
) -> None:
    head = gated.head
    stage(gated, {name: content})
    assert_refused(commit(gated, "-m", "A change"), refused_files(problem))
    assert gated.head == head


def test_a_commit_of_sound_files_is_silent(gated: Repo) -> None:
    files: dict[str, str | bytes] = {
        "app.py": "print((1))\n",
        "a/b.json": '{"a": 1}\n',
        "c.toml": "a = 1\n",
        "d.yaml": "a: [1]\nb: 2\n",
        "title.rst": "A title\n=======\n",
        "e.c": "int a; // עברית\n",
        "empty.py": "",
        "empty.yaml": "",
    }
    stage(gated, files)
    assert_silent(commit(gated, "-m", "A change"))
    assert gated.git("show", "--name-only", "--format=").split() == sorted(files)


def test_all_faults_are_shown_at_once_worst_first(gated: Repo) -> None:
    stage(gated, {"z.py": "(\n", "m.txt": CONFLICT, "a.bin": b"\0", "n.c": "int a\u200bb;\n"})
    done = commit(gated, "-m", "A change")
    lines = done.stderr.splitlines()
    assert (done.returncode, lines[0]) == (1, "blocked: 3 problems in the staged files")
    assert [line.split(":")[0] for line in lines[1:]] == ["  m.txt", "  z.py", "  n.c", "  a.bin", "  next"]


def test_many_faults_are_cut_and_counted(gated: Repo) -> None:
    stage(gated, {f"f{number:02}.py": "(" for number in range(60)})
    lines = commit(gated, "-m", "A change").stderr.splitlines()
    assert lines[0] == "blocked: 60 problems in the staged files"
    assert (len(lines), lines[51]) == (53, "  ... and 10 more")


def test_a_fault_that_was_there_before_is_not_news(repo: Repo) -> None:
    repo.commit("old sins", {"notes.txt": CONFLICT, "e.c": "// \u202e\n"})
    put_hooks(repo)
    stage(repo, {"notes.txt": CONFLICT + "more\n", "e.c": "// \u202e\nint a;\n"})
    assert_silent(commit(repo, "-m", "A change"))


def test_a_binary_file_is_a_warning_until_the_configuration_blocks_it(gated: Repo) -> None:
    stage(gated, {"logo.png": b"\x89PNG\0", "more.bin": b"\0"})
    gated.write(".review-gate.yaml", "hygiene: {binary: block}\n")
    problems = [f"{name}: not reviewed: binary [not-reviewed-binary]" for name in ("logo.png", "more.bin")]
    assert_refused(commit(gated, "-m", "A picture"), refused_files(*problems))
    (gated.path / ".review-gate.yaml").unlink()
    done = commit(gated, "-m", "A picture")
    lines = "".join(f"  {problem}\n" for problem in problems)
    assert (done.returncode, done.stderr) == (0, f"review-gate: 2 warnings in the staged files\n{lines}")


# The index, not the disk


def test_a_sound_file_in_the_index_passes_whatever_is_on_the_disk(gated: Repo) -> None:
    stage(gated, {"new.py": "x = 1\n"})
    gated.write("new.py", "(\n")
    gated.write("app.py", "(\n")
    gated.write("unknown.py", "(\n")
    assert_silent(commit(gated, "-m", "A change"))


def test_a_broken_file_in_the_index_is_refused_whatever_is_on_the_disk(gated: Repo) -> None:
    stage(gated, {"new.py": "(\n"})
    gated.write("new.py", "x = 1\n")
    assert_refused(commit(gated, "-m", "A change"), refused_files(f"new.py:1: {OPEN_BRACKET}"))


@pytest.mark.parametrize("options", [("-a",), ("app.py",), ("-i", "app.py")], ids=["-a", "path", "-i path"])
def test_what_commit_stages_by_itself_is_judged(gated: Repo, options: tuple[str, ...]) -> None:
    gated.write("app.py", "(\n")
    assert_refused(commit(gated, "-m", "A change", *options), refused_files(f"app.py:1: {OPEN_BRACKET}"))
    gated.write("app.py", "x = 2\n")
    assert_silent(commit(gated, "-m", "A change", *options))
    assert gated.git("show", "HEAD:app.py") == "x = 2"


def test_commit_of_a_path_leaves_other_staged_files_out_of_the_judgement(gated: Repo) -> None:
    stage(gated, {"broken.py": "(\n"})
    gated.write("app.py", "x = 2\n")
    assert_silent(commit(gated, "-m", "A change", "app.py"))
    assert gated.git("status", "--porcelain") == "A  broken.py"
    assert commit(gated, "-m", "A change", "-i", "app.py").returncode == 1


def test_an_amended_commit_is_judged_by_what_is_new(gated: Repo) -> None:
    gated.commit("past the hooks", {"old.py": "(\n"})
    assert_silent(commit(gated, "--amend", "-m", "Another message"))
    stage(gated, {"new.py": "(\n"})
    assert_refused(commit(gated, "--amend", "--no-edit"), refused_files(f"new.py:1: {OPEN_BRACKET}"))
    stage(gated, {"new.py": "()\n"})
    assert_silent(commit(gated, "--amend", "--no-edit"))


def test_an_interactive_patch_commit_is_judged_by_the_hunks_that_were_taken(gated: Repo) -> None:
    lines = "".join(f"x{number} = {number}\n" for number in range(30))
    gated.commit("long", {"long.py": lines})
    gated.write("long.py", "good = 1\n" + lines + "(\n")
    done = gated.run("git", "commit", "--quiet", "--patch", "-m", "A change", stdin="y\nn\n")
    assert done.returncode == 0, done.stderr
    assert gated.git("show", "HEAD:long.py").endswith("x29 = 29")


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_the_first_commit_of_a_repository_is_judged(make_repo: MakeRepo, object_format: str) -> None:
    repo = put_hooks(make_repo(object_format=object_format))
    stage(repo, {"app.py": "(\n", "a.yaml": "a: 1\n"})
    assert_refused(commit(repo, "-m", "First"), refused_files(f"app.py:1: {OPEN_BRACKET}"))
    stage(repo, {"app.py": "()\n"})
    assert_silent(commit(repo, "-m", "First"))
    stage(repo, {"app.py": "()\n(\n"})
    assert_refused(commit(repo, "-m", "Second"), refused_files(f"app.py:2: {OPEN_BRACKET}"))


def test_an_empty_first_commit_passes(make_repo: MakeRepo) -> None:
    assert_silent(commit(put_hooks(make_repo()), "--allow-empty", "-m", "First"))


def test_a_commit_in_a_linked_worktree_is_judged(gated: Repo) -> None:
    gated.git("worktree", "add", "--quiet", "../linked")
    linked = Repo(gated.path.parent / "linked", gated.environ)
    stage(linked, {"new.py": "(\n"})
    stage(gated, {"sound.py": "()\n"})
    assert_refused(commit(linked, "-m", "A change"), refused_files(f"new.py:1: {OPEN_BRACKET}"))
    linked.write("new.py", "()\n")
    assert_silent(commit(linked, "-a", "-m", "A change"))
    assert linked.git("show", "--name-only", "--format=") == "new.py"


def test_a_commit_from_a_subdirectory_is_judged(gated: Repo) -> None:
    stage(gated, {"deep/down/new.py": "(\n"})
    below = Repo(gated.path / "deep/down", gated.environ)
    assert_refused(commit(below, "-m", "A change"), refused_files(f"deep/down/new.py:1: {OPEN_BRACKET}"))


def diverge(repo: Repo, ours: str, theirs: str) -> None:
    """Two branches that added the same file with other content; HEAD is on main."""
    repo.git("switch", "--quiet", "-c", "topic")
    repo.commit("theirs", {"app.txt": theirs})
    repo.git("switch", "--quiet", "main")
    repo.commit("ours", {"app.txt": ours})


def test_a_merge_with_a_conflict_left_in_is_refused_and_a_resolved_one_passes(gated: Repo) -> None:
    diverge(gated, "ours\n", "theirs\n")
    assert gated.run("git", "merge", "topic").returncode == 1
    gated.git("add", "-A")
    problem = "app.txt:1: unresolved merge conflict, lines 1 to 5 [conflict-marker]"
    assert_refused(commit(gated, "--no-edit"), refused_files(problem))
    stage(gated, {"app.txt": "both\n"})
    assert_silent(commit(gated, "--no-edit"))
    assert gated.git("log", "-1", "--format=%s") == "Merge branch 'topic'"


def test_a_merge_without_conflict_passes(gated: Repo) -> None:
    gated.git("switch", "--quiet", "-c", "topic")
    gated.commit("theirs", {"theirs.txt": "theirs\n"})
    gated.git("switch", "--quiet", "main")
    done = gated.run("git", "merge", "--quiet", "--no-ff", "topic")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_rebase_and_a_cherry_pick_work_with_the_hooks(gated: Repo) -> None:
    gated.git("switch", "--quiet", "-c", "topic")
    gated.commit("theirs", {"theirs.txt": "theirs\n"})
    gated.git("switch", "--quiet", "main")
    gated.commit("ours", {"ours.txt": "ours\n"})
    gated.git("cherry-pick", "topic")
    gated.git("switch", "--quiet", "topic")
    gated.git("rebase", "--quiet", "main~1")
    gated.git("revert", "--no-edit", "HEAD")


# Odd entries


def test_a_moved_submodule_is_a_warning(gated: Repo, make_repo: MakeRepo) -> None:
    library = make_repo("library")
    library.commit("a library")
    gated.git("submodule", "--quiet", "add", str(library.path), "lib")
    done = commit(gated, "-m", "A library")
    assert (done.returncode, done.stderr) == (
        0,
        "review-gate: 1 warning in the staged files\n"
        f"  lib: not reviewed: the submodule now points at {library.head[:8]} [not-reviewed-submodule]\n",
    )


def test_a_symbolic_link_is_not_followed(gated: Repo, tmp_path: Path) -> None:
    (tmp_path / "outside.py").write_text("(\n")
    (gated.path / "link.py").symlink_to("app.py")
    (gated.path / "away.py").symlink_to("../outside.py")
    gated.git("add", "-A")
    done = commit(gated, "-m", "Links")
    assert (done.returncode, done.stderr) == (
        0,
        "review-gate: 1 warning in the staged files\n"
        "  away.py:1: symbolic link to a place outside the repository [link-outside]\n",
    )


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a\nb.py", "a\\nb.py"),
        ("tab\t.py", "tab\\t.py"),
        ("q\"uo'te $(x) `y`.py", "q\"uo'te $(x) `y`.py"),
        ("\x1b[31mred.py", "\\x1b[31mred.py"),
        ("bidi\u202e.py", "bidi<U+202E>.py"),
        (os.fsdecode(b"invalid\xff.py"), "invalid\\xff.py"),
        ("-rf.py", "-rf.py"),
        (":(glob)*.py", ":(glob)*.py"),
        ("ünïcode.py", "ünïcode.py"),
    ],
    ids=["newline", "tab", "quotes", "escape", "bidi", "invalid utf-8", "dash", "pathspec magic", "unicode"],
)
def test_a_broken_file_with_an_odd_name_is_refused_and_its_name_cannot_harm(gated: Repo, name: str, shown: str) -> None:
    stage(gated, {name: "(\n"})
    assert_refused(commit(gated, "-m", "A change"), refused_files(f"{shown}:1: {OPEN_BRACKET}"))
    stage(gated, {name: "()\n"})
    assert_silent(commit(gated, "-m", "A change"))


def test_a_deletion_passes_even_of_a_broken_file(repo: Repo) -> None:
    repo.commit("old sins", {"old.py": "(\n", "other.py": "()\n"})
    put_hooks(repo)
    repo.git("rm", "--quiet", "old.py", "other.py")
    assert_silent(commit(repo, "-m", "Remove"))


def test_a_change_of_mode_alone_passes(gated: Repo) -> None:
    (gated.path / "app.py").chmod(0o755)
    assert_silent(commit(gated, "-a", "-m", "Make it a program"))
    assert gated.git("ls-files", "--stage", "app.py").startswith("100755")


def test_a_file_over_the_limit_is_refused_unread(gated: Repo) -> None:
    gated.write(".git/info/exclude", ".review-gate.yaml\n")
    gated.write(".review-gate.yaml", "limits: {max_file_bytes: 1000}\n")
    stage(gated, {"big.txt": "x" * 1001, "fits.txt": "x" * 1000})
    done = commit(gated, "-m", "Big")
    assert done.returncode == 1
    assert [line.split(": not reviewed: ")[0] for line in done.stderr.splitlines()[1:-1]] == ["  big.txt"]
    assert "1,001" in done.stderr


# Nothing is touched


def state_of(repo: Repo) -> dict[str, object]:
    """Every file of the work tree with content and times, the index, the stashes and the refs."""
    paths = [path for path in sorted(repo.path.rglob("*")) if ".git" not in path.relative_to(repo.path).parts]
    files = {str(path): (path.lstat().st_mtime_ns, path.lstat().st_ino, path.lstat().st_mode) for path in paths}
    contents = {str(path): path.read_bytes() for path in paths if path.is_file()}
    index = repo.git("ls-files", "--stage"), repo.git("status", "--porcelain", "--untracked-files=all")
    return {"files": files, "contents": contents, "index": index, "refs": repo.git("for-each-ref"), "head": repo.head}


@pytest.mark.parametrize("broken", ["staged.py", "message"])
def test_a_refused_commit_leaves_the_work_tree_and_the_index_as_they_were(gated: Repo, broken: str) -> None:
    stage(gated, {"staged.py": "(\n" if broken == "staged.py" else "()\n", "partly.py": "x = 1\n"})
    gated.write("partly.py", "x = 2\n")
    gated.write("app.py", "unstaged (\n")
    gated.write("untracked/file.txt", "mine\n")
    before = state_of(gated)
    assert commit(gated, "-m", "wip").returncode == 1
    assert state_of(gated) == before


def test_a_commit_that_passes_leaves_unstaged_and_untracked_files_as_they_were(gated: Repo) -> None:
    stage(gated, {"staged.py": "()\n", "partly.py": "x = 1\n"})
    gated.write("partly.py", "x = 2\n")
    gated.write("app.py", "unstaged (\n")
    gated.write("untracked/file.txt", "mine\n")
    before = state_of(gated)
    assert_silent(commit(gated, "-m", "A change"))
    after = state_of(gated)
    assert (after["files"], after["contents"]) == (before["files"], before["contents"])
    assert gated.git("status", "--porcelain", "--untracked-files=all").split("\n") == [
        "M app.py",
        " M partly.py",
        "?? untracked/file.txt",
    ]
    assert gated.git("stash", "list") == ""


# Configuration


def test_an_edited_configuration_counts_from_the_next_commit_on(gated: Repo) -> None:
    stage(gated, {"template.json": "{{ not json }}\n"})
    problem = "template.json:1: this is not JSON: expecting property name enclosed in double quotes [syntax-json]"
    assert_refused(commit(gated, "-m", "A template"), refused_files(problem))
    gated.write(".review-gate.yaml", "syntax: {exclude: ['template.*']}\n")
    assert_silent(commit(gated, "-m", "A template"))
    gated.write(".review-gate.yaml", "syntax: {exclude: []}\n")
    stage(gated, {"template.json": "{{ still not json }}\n"})
    assert_refused(commit(gated, "-m", "A template"), refused_files(problem))
    gated.write(".review-gate.yaml", "syntax: {enabled: false}\n")
    assert_silent(commit(gated, "-m", "A template"))


@pytest.mark.parametrize(
    ("section", "files"),
    [
        ("syntax", {"a.py": "(\n", "b.yaml": "a: [\n"}),
        ("conflict_markers", {"a.txt": CONFLICT}),
        ("hygiene", {"a.c": "// \u202e", "b.bin": b"\0"}),
    ],
    ids=["syntax", "conflict_markers", "hygiene"],
)
def test_a_reviewer_that_is_switched_off_is_silent(gated: Repo, section: str, files: dict[str, str | bytes]) -> None:
    stage(gated, files)
    assert commit(gated, "-m", "A change").returncode == 1
    gated.write(".review-gate.yaml", f"{section}: {{enabled: false}}\n")
    assert_silent(commit(gated, "-m", "A change"))


def test_an_invalid_configuration_closes_both_doors_with_its_line_and_the_nearest_key(gated: Repo) -> None:
    gated.write(".review-gate.yaml", "syntax:\n  enabeld: true\n")
    expected = (
        'blocked: .review-gate.yaml:2: unknown key "syntax.enabeld"; did you mean "syntax.enabled"?\n'
        "  why:   a setting that is not understood could be one that was meant to keep the gate closed\n"
        "  next:  review-gate config show\n"
    )
    done = commit(gated, "--allow-empty", "-m", "A change")
    assert_refused(done, expected)
    push = gated.push("origin", "main")
    assert (push.returncode, push.stderr.split("error: ")[0]) == (1, expected)


# The message


LONG = "A subject that goes on and on and on, well past the seventy-two characters which"
TOO_LONG = f"message:1: the subject is {len(LONG)} characters long, the limit is 72 [subject-too-long]"
FIXUP = 'message:1: "fixup!" commit on the protected branch {} [fixup-subject]'
WIP = "message:1: work in progress on the protected branch {} [wip-subject]"
EMPTY = "message: the commit message has no subject [empty-subject]"


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        ("fixup! A change", FIXUP),
        ("squash! A change", FIXUP.replace("fixup!", "squash!", 1)),
        ("amend! A change", FIXUP.replace("fixup!", "amend!", 1)),
        ("WIP", WIP),
        ("wip: half of it", WIP),
        ("[WIP] half of it", WIP),
        ("Draft: half of it", WIP),
    ],
)
@pytest.mark.parametrize("branch", ["main", "release/1.x"])
def test_unfinished_work_is_refused_on_a_protected_branch_only(
    gated: Repo, message: str, problem: str, branch: str
) -> None:
    gated.git("switch", "--quiet", "-C", branch)
    assert_refused(commit(gated, "--allow-empty", "-m", message), refused_message(problem.format(branch)))
    gated.git("switch", "--quiet", "-c", "topic")
    assert_silent(commit(gated, "--allow-empty", "-m", message))
    gated.git("switch", "--quiet", "--detach")
    assert_silent(commit(gated, "--allow-empty", "-m", message))


@pytest.mark.parametrize("message", ["Wiper blades", "Fix fixup! handling", "board: WIP limits", "Redraft the text"])
def test_a_finished_subject_that_only_looks_like_work_in_progress_passes(gated: Repo, message: str) -> None:
    assert_silent(commit(gated, "--allow-empty", "-m", message))


@pytest.mark.parametrize("message", ["", "\n\n", "Signed-off-by: A Developer <dev@example.org>", "\u200b"])
def test_a_message_without_a_subject_is_refused(gated: Repo, message: str) -> None:
    done = commit(gated, "--allow-empty", "--allow-empty-message", "-m", message)
    assert done.returncode == 1
    assert "the commit message has no subject [empty-subject]" in done.stderr


def test_a_long_subject_is_a_warning(gated: Repo) -> None:
    done = commit(gated, "--allow-empty", "-m", LONG)
    assert (done.returncode, done.stderr) == (0, f"review-gate: 1 warning in the commit message\n  {TOO_LONG}\n")
    assert_silent(commit(gated, "--allow-empty", "-m", LONG[:72]))
    assert_silent(commit(gated, "--allow-empty", "-m", f"Short\n\n{LONG}"))


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        (f"Merge\n\n{CONFLICT}", "message:4: conflict marker in the commit message [leftover-text]"),
        (
            f"Subject\n\n{SCISSORS}\ndiff --git a b",
            "message:3: scissors line that git will not cut at: what follows stays in the commit message "
            "[leftover-text]",
        ),
    ],
    ids=["conflict", "scissors"],
)
def test_text_that_was_not_meant_to_stay_is_refused(gated: Repo, message: str, problem: str) -> None:
    assert_refused(commit(gated, "--allow-empty", "-m", message), refused_message(problem))


@pytest.mark.parametrize(
    ("rule", "message", "problem"),
    [
        ("fixup", "fixup! A change", FIXUP.format("main")),
        ("wip", "wip", WIP.format("main")),
        ("too_long", LONG, TOO_LONG),
        ("empty", "", EMPTY),
        ("leftover", f"S\n\n{CONFLICT}", "message:4: conflict marker in the commit message [leftover-text]"),
    ],
    ids=["fixup", "wip", "too_long", "empty", "leftover"],
)
def test_each_rule_can_block_warn_or_be_off(gated: Repo, rule: str, message: str, problem: str) -> None:
    options = ("--allow-empty", "--allow-empty-message", "-m", message)
    gated.write(".review-gate.yaml", f"commit_message: {{{rule}: block}}\n")
    assert_refused(commit(gated, *options), refused_message(problem))
    gated.write(".review-gate.yaml", f"commit_message: {{{rule}: warn}}\n")
    warned = commit(gated, *options)
    assert (warned.returncode, warned.stderr) == (0, f"review-gate: 1 warning in the commit message\n  {problem}\n")
    gated.write(".review-gate.yaml", f"commit_message: {{{rule}: off}}\n")
    assert_silent(commit(gated, *options))


def test_the_protected_branches_and_the_length_come_from_the_configuration(gated: Repo) -> None:
    gated.write(".review-gate.yaml", "commit_message: {protected_branches: ['hot*'], max_subject: 0}\n")
    assert_silent(commit(gated, "--allow-empty", "-m", f"wip {LONG}"))
    gated.git("switch", "--quiet", "-c", "hot/fix")
    assert_refused(commit(gated, "--allow-empty", "-m", "wip"), refused_message(WIP.format("hot/fix")))


def test_the_message_rules_hold_in_a_linked_worktree(gated: Repo) -> None:
    gated.git("switch", "--quiet", "-c", "topic")
    gated.git("worktree", "add", "--quiet", "../linked", "main")
    linked = Repo(gated.path.parent / "linked", gated.environ)
    file = str(gated.path / ".git/worktrees/linked/COMMIT_EDITMSG")
    assert_refused(commit(linked, "--allow-empty", "-m", "wip"), refused_message(WIP.format("main"), file))
    assert_silent(commit(gated, "--allow-empty", "-m", "wip"))


def test_the_next_step_of_a_refused_message_works(gated: Repo) -> None:
    stage(gated, {"new.py": "()\n"})
    done = commit(gated, "-m", "wip: the right thing", "-m", "A long explanation.")
    editor = f"{shlex.quote(sys.executable)} -c " + shlex.quote(
        "import sys; p = sys.argv[1]; t = open(p).read(); open(p, 'w').write(t.replace('wip: the', 'The'))"
    )
    retry = gated.run("sh", "-c", done.stderr.split("next:  ")[1], GIT_EDITOR=editor)
    assert retry.returncode == 0, retry.stderr
    assert gated.git("log", "-1", "--format=%B") == "The right thing\n\nA long explanation."


# The message in an editor


@pytest.fixture
def editor(tmp_path: Path) -> Callable[[str], str]:
    """Make a GIT_EDITOR that puts text before what git offers."""

    def make(text: str) -> str:
        typed, script = tmp_path / "typed", tmp_path / "editor.sh"
        typed.write_text(text)
        script.write_text(f'cat {shlex.quote(str(typed))} "$1" > "$1.new" && mv "$1.new" "$1"\n')
        return f"sh {shlex.quote(str(script))}"

    return make


Editor = Callable[[str], str]


def edited(repo: Repo, typed: str, editor: Editor, *options: str, settings: tuple[str, ...] = ()) -> Result:
    stage(repo, {"new.py": "()\n"})
    return repo.run("git", *settings, "commit", "--quiet", *options, GIT_EDITOR=editor(typed))


def test_a_message_from_the_editor_is_judged_without_its_comments(gated: Repo, editor: Editor) -> None:
    refused = edited(gated, "# fixup! in a comment\nwip\n# a comment\n", editor)
    assert refused.returncode == 1
    assert refused.stderr.endswith(refused_message(WIP.format("main").replace("message:1", "message:2")))
    passed = edited(gated, "# wip\nA change\n", editor)
    assert passed.returncode == 0, passed.stderr
    assert gated.git("log", "-1", "--format=%B") == "A change"


def test_a_number_sign_is_a_comment_in_the_editor_and_a_subject_after_m(gated: Repo, editor: Editor) -> None:
    refused = edited(gated, "#12 Fix it\n", editor)
    assert refused.returncode == 1
    assert "the commit message has no subject [empty-subject]" in refused.stderr
    assert_silent(commit(gated, "-m", "#12 Fix it"))
    assert gated.git("log", "-1", "--format=%s") == "#12 Fix it"


@pytest.mark.parametrize(
    ("options", "settings"),
    [
        ((), ()),
        (("-v",), ()),
        (("-v",), ("-c", "commit.cleanup=scissors")),
        ((), ("-c", "commit.cleanup=scissors")),
        ((), ("-c", "commit.verbose=true")),
        (("-v",), ("-c", "core.commentChar=;")),
    ],
    ids=["plain", "-v", "-v scissors", "scissors", "commit.verbose", "-v commentChar"],
)
def test_what_git_cuts_off_is_not_judged(
    gated: Repo, editor: Editor, options: tuple[str, ...], settings: tuple[str, ...]
) -> None:
    gated.write("notes.md", f"{CONFLICT}wip\nfixup! x\n{SCISSORS}\n")
    gated.write(".review-gate.yaml", "conflict_markers: {enabled: false}\n")
    done = edited(gated, "A change\n\nBecause.\n", editor, *options, settings=settings)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert gated.git("log", "-1", "--format=%B") == "A change\n\nBecause."


@pytest.mark.parametrize(
    ("options", "settings"),
    [((), ()), (("-v",), ()), (("-v",), ("-c", "commit.cleanup=scissors"))],
    ids=["plain", "-v", "-v scissors"],
)
def test_what_git_keeps_is_judged(
    gated: Repo, editor: Editor, options: tuple[str, ...], settings: tuple[str, ...]
) -> None:
    done = edited(gated, f"A change\n\n{CONFLICT}", editor, *options, settings=settings)
    assert done.returncode == 1
    assert "message:4: conflict marker in the commit message [leftover-text]" in done.stderr


@pytest.mark.parametrize("mode", ["verbatim", "whitespace"])
def test_instructions_of_git_that_a_cleanup_mode_would_keep_are_refused(gated: Repo, editor: Editor, mode: str) -> None:
    done = edited(gated, "A change\n", editor, settings=("-c", f"commit.cleanup={mode}"))
    assert done.returncode == 1
    assert "git's own instructions, which this clean-up mode keeps in the commit message [leftover-text]" in done.stderr


# The review of what is staged


def review_staged(repo: Repo) -> str:
    """A passing review of the index; what commit-msg says of it."""
    done = repo.gate("run", "--staged", "--yes")
    assert done.returncode == 0, done.stderr
    tree, head = repo.git("write-tree")[:8], repo.head[:8]
    return f"review-gate: the staged tree {tree} passed its review; a commit of it on {head} inherits the result\n"


def test_a_commit_of_a_reviewed_index_is_told_so_and_may_be_pushed(gated: Repo) -> None:
    gated.review()
    gated.git("push", "--quiet", "origin", "main")
    stage(gated, {"new.py": "()\n"})
    notice = review_staged(gated)
    done = commit(gated, "-m", "A reviewed change")
    assert (done.returncode, done.stderr) == (0, notice)
    assert gated.push("--quiet", "origin", "main").returncode == 0


def test_a_commit_of_something_else_than_the_reviewed_index_is_told_nothing(gated: Repo) -> None:
    stage(gated, {"new.py": "()\n"})
    review_staged(gated)
    gated.write("new.py", "((), ())\n")
    assert_silent(commit(gated, "-a", "-m", "Another change"))


def test_a_review_of_the_index_is_not_promised_to_an_amended_commit(gated: Repo) -> None:
    # Git does not tell a hook about --amend, so the notice names the parent that the review was made against.
    gated.commit("second")
    stage(gated, {"new.py": "()\n"})
    notice = review_staged(gated)
    done = commit(gated, "--amend", "-m", "Amended")
    assert (done.returncode, done.stderr) in [(0, ""), (0, notice)]
    assert gated.gate("verify").returncode == 1
