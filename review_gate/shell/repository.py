"""Where a repository keeps its things: work tree, git directory, and the directory its worktrees share."""

from __future__ import annotations

import os

from review_gate.errors import GitError, MisuseError
from review_gate.shell.files import UnsafeFileError, read_plain_file
from review_gate.shell.git import Git, branch_name, first_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

OUR_FOLDER = "review-gate"
# What install did, below our folder; the hooks of a shared hooks folder act only where it is there.
RECORD_FILE = "install.json"
# Where the two ways to rebase keep the branch that gets the result, while HEAD is detached.
REBASED_BRANCH = ("rebase-merge/head-name", "rebase-apply/head-name")
MAX_REF_BYTES = 8192
# What is asked of git about a repository with a work tree; only in such a one it answers the last.
PLACES = ("--is-bare-repository", "--absolute-git-dir", "--git-common-dir", "--show-toplevel")


class Repository:
    """One work tree of a repository; `top` is the git directory itself when the repository is bare."""

    __slots__ = ("common_dir", "git", "git_dir", "is_bare", "top")

    def __init__(self, top: str, git_dir: str, common_dir: str, *, is_bare: bool = False) -> None:
        self.top = top
        self.git_dir = git_dir
        self.common_dir = common_dir
        self.is_bare = is_bare
        self.git = Git(top)
        # Both may be relative to where git was called, and a work tree elsewhere does not lead back to its repository.
        is_lost = not is_bare and not _leads_to(top, git_dir)
        places = {"GIT_DIR": git_dir, "GIT_WORK_TREE": top}
        self.git.environ |= {name: path for name, path in places.items() if is_lost or name in self.git.environ}

    def own_path(self, name: str) -> str:
        """A file of ours that belongs to this work tree."""
        return os.path.join(self.git_dir, OUR_FOLDER, name)

    def shared_path(self, name: str) -> str:
        """A file of ours that all work trees share."""
        return os.path.join(self.common_dir, OUR_FOLDER, name)

    @property
    def is_sparse(self) -> bool:
        """Whether files of the index may be left out of this work tree."""
        return os.path.lexists(os.path.join(self.git_dir, "info", "sparse-checkout"))

    @property
    def scratch(self) -> str:
        """Where temporary files and locks go."""
        return self.own_path("tmp")


def repository_of_hook(environ: Mapping[str, str]) -> Repository:
    """The repository a hook runs in, in the usual case without asking git: it starts hooks at the top."""
    here = os.getcwd()
    git_dir = environ.get("GIT_DIR") or _git_dir_at(here)
    if git_dir is None:
        return open_repository(".")
    git_dir = os.path.abspath(git_dir)
    common_dir = _common_dir(git_dir)
    top = _named_top(environ, git_dir, is_linked=common_dir != git_dir)
    if top is None and not _leads_to(here, git_dir):
        # `git --git-dir=X/.git push` from anywhere, or `git push` inside .git: the settings are in the work tree.
        top = _home_of(git_dir)
    _refuse_missing(top or here)
    return Repository(top or here, git_dir, common_dir, is_bare=git_dir == (top or here))


def _home_of(git_dir: str) -> str | None:
    """The work tree that a git directory belongs to by its name, or by what a linked one notes of itself."""
    if os.path.basename(git_dir) == ".git":
        return os.path.dirname(git_dir)
    try:
        with open(os.path.join(git_dir, "gitdir"), encoding="utf-8", errors="surrogateescape") as file:
            return os.path.dirname(os.path.join(git_dir, file.readline(8192).rstrip("\n"))) or None
    except OSError:
        return None


def _named_top(environ: Mapping[str, str], git_dir: str, *, is_linked: bool) -> str | None:
    """The work tree that the environment or core.worktree names; git 2.39 gives hooks GIT_DIR in both cases."""
    named = environ.get("GIT_WORK_TREE")
    if named:
        # It stays as it was typed in the folder that GIT_PREFIX names, from where git went to the top.
        return os.getcwd() if environ.get("GIT_PREFIX") else os.path.abspath(named)
    # Git ignores core.worktree in a linked work tree.
    if is_linked or not environ.get("GIT_DIR"):
        return None
    git = Git(git_dir)
    git.environ["GIT_DIR"] = git_dir
    setting = git.line("config", "--get", "core.worktree")
    return os.path.normpath(os.path.join(git_dir, setting)) if setting else None


def _leads_to(top: str, git_dir: str) -> bool:
    """Whether git, asked in a work tree, finds this git directory by itself."""
    found = _git_dir_at(top)
    return found is not None and os.path.realpath(found) == os.path.realpath(git_dir)


def _git_dir_at(top: str) -> str | None:
    dot_git = os.path.join(top, ".git")
    if os.path.isdir(dot_git):
        return dot_git
    try:
        with open(dot_git, encoding="utf-8", errors="surrogateescape") as file:
            line = file.readline(8192).rstrip("\n")
    except OSError:
        return None
    return os.path.join(top, line[8:]) if line.startswith("gitdir: ") else None


def _common_dir(git_dir: str) -> str:
    try:
        with open(os.path.join(git_dir, "commondir"), encoding="utf-8", errors="surrogateescape") as file:
            return os.path.normpath(os.path.join(git_dir, file.readline(8192).rstrip("\n")))
    except OSError:
        return git_dir


def open_repository(directory: str) -> Repository:
    """The repository around a directory, as git itself finds it."""
    return begin_to_open(directory)()


def begin_to_open(directory: str) -> Callable[[], Repository]:
    """The same when the answer is wanted: until then git looks while we do something else."""
    git = Git(directory)
    begun = git.begin("rev-parse", *PLACES)

    def opened() -> Repository:
        code, output, _ = begun.ended()
        answers = output.decode("utf-8", "surrogateescape").split("\n")[:-1]
        # More lines than questions are a path with a newline in it, and then nobody knows which is which.
        if code == 0 and len(answers) == len(PLACES) and answers[0] == "false":
            _, git_dir, common_dir, top = answers
            _refuse_missing(top)
            return Repository(os.path.abspath(top), git_dir, os.path.abspath(os.path.join(directory, common_dir)))
        return _open_by_questions(git, directory)

    return opened


def repository_of_git_dir(directory: str) -> Repository | None:
    """The repository whose git directory a directory lies in, for what git does there without a work tree."""
    git_dir = Git(directory).line("rev-parse", "--absolute-git-dir")
    if not git_dir:
        return None
    top = _home_of(git_dir)
    if top is not None and os.path.isdir(top):
        return open_repository(top)
    return Repository(git_dir, git_dir, _common_dir(git_dir))


def _open_by_questions(git: Git, directory: str) -> Repository:
    """The same for a bare repository, for none at all, and for one in a folder with a strange name."""
    import shlex

    code, output, errors = git.try_run("rev-parse", "--is-bare-repository")
    if b"dubious ownership" in errors:
        raise MisuseError(
            "git does not trust this repository, because it belongs to somebody else",
            why="git runs nothing in a repository of another user until it is told to",
            next_step=f"git config --global --add safe.directory {shlex.quote(os.path.abspath(directory))}",
        )
    if code != 0:
        raise MisuseError(
            f"this is not a git repository: {first_line(errors)}",
            why="review-gate reviews commits of a repository",
            next_step="cd into a repository, or git init",
        )
    # One question at a time: a path may hold a newline.
    git_dir = git.line("rev-parse", "--absolute-git-dir") or ""
    common_dir = os.path.abspath(os.path.join(directory, git.line("rev-parse", "--git-common-dir") or ""))
    if output.strip() == b"true":
        return Repository(git_dir, git_dir, common_dir, is_bare=True)
    top = git.line("rev-parse", "--show-toplevel")
    if top is None:
        raise MisuseError(
            "this directory has no work tree",
            why="it lies inside a git directory",
            next_step="cd into the work tree of the repository",
        )
    _refuse_missing(top)
    return Repository(os.path.abspath(top), git_dir, common_dir)


def _refuse_missing(top: str) -> None:
    if not os.path.isdir(top):
        raise MisuseError(
            f"the work tree {top} does not exist",
            why="core.worktree or GIT_WORK_TREE names it, and nothing of this repository is anywhere else",
            next_step="make that folder, or: git config --unset core.worktree",
        )


def branch_being_changed(repository: Repository) -> str | None:
    """The branch that a commit made now is for: the one at HEAD, or the one that is being rebased."""
    branch = repository.git.branch()
    for name in REBASED_BRANCH if branch is None else ():
        path = os.path.join(repository.git_dir, name)
        try:
            ref = read_plain_file(path, MAX_REF_BYTES)
        except UnsafeFileError as error:
            raise GitError(
                f"{path} cannot be read: {error}",
                why="it names the branch that is being rebased, and other rules hold on a protected one",
                next_step="git rebase --abort",
            ) from None
        if ref is not None:
            return branch_name(ref.decode("utf-8", "surrogateescape").rstrip("\n"))
    return branch


def work_trees(repository: Repository) -> list[str]:
    """The work trees that exist on disk."""
    output = repository.git.run("worktree", "list", "--porcelain").decode("utf-8", "surrogateescape")
    paths = [line[9:] for line in output.split("\n") if line.startswith("worktree ")]
    return [path for path in paths if os.path.isdir(path)] or [repository.top]


def checked_out_branches(repository: Repository) -> frozenset[str]:
    """The branches that are the HEAD of a work tree, where there is more than one work tree."""
    if not os.path.isdir(os.path.join(repository.common_dir, "worktrees")):
        return frozenset()
    output = repository.git.run("worktree", "list", "--porcelain").decode("utf-8", "surrogateescape")
    return frozenset(line[7:] for line in output.split("\n") if line.startswith("branch refs/heads/"))
