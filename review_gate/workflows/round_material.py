"""What a round of reviewers is shown: its scope as it is now, by object ids or bytes, without secrets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from review_gate.consensus.material import Material, content_of_change, fixup_advice
from review_gate.consensus.scope import Scope
from review_gate.errors import MisuseError, ReviewGateError
from review_gate.gate.record import EMPTY_TREES
from review_gate.models import Subject
from review_gate.pipeline.exhibit import FileText
from review_gate.safe_text import written_out
from review_gate.shell.change_text import changed_texts
from review_gate.shell.changes import Change, changed_between
from review_gate.shell.git import Git
from review_gate.shell.named_subject import SPAWN, base_subject, range_subject, single_commit_subject
from review_gate.shell.repository import Repository
from review_gate.shell.uncommitted import uncommitted_subject
from review_gate.workflows.check_compile import policy_of
from review_gate.workflows.configure import load_configuration
from review_gate.workflows.round_text import material_of_file
from review_gate.workflows.round_words import refuse_undecodable
from review_gate.workflows.withheld import ToSearch, without_secrets

SCOPES = f"{SPAWN} (--uncommitted | --base B | --commit SHA | A..B)"


class NothingToReviewError(ReviewGateError):
    """A scope without any change in it."""


def material_of(scope: Scope, repository: Repository | None, environ: Mapping[str, str]) -> Material:
    """The content of a scope; what cannot be reviewed honestly is refused."""
    if not scope.is_code:
        return material_of_file(scope, repository, environ)
    refuse_undecodable("the name of what is reviewed", scope.value)
    return _of_change(scope, _with_work_tree(scope, repository))


def _with_work_tree(scope: Scope, repository: Repository | None) -> Repository:
    if repository is None:
        raise MisuseError(
            "this is not a git repository",
            why=f"a review of {scope.label} asks git what changed",
            next_step=f"cd into a repository, then {SPAWN} {scope.diff_args}",
        )
    if repository.is_bare:
        raise MisuseError(
            "a bare repository has no work tree",
            why="rounds are made where what they find can be fixed",
            next_step=f"in a clone of it: {SPAWN} {scope.diff_args}",
        )
    return repository


def _of_change(scope: Scope, repository: Repository) -> Material:
    git = repository.git
    # A partial clone has to ask for what it lacks; a review may take the time.
    git.allow_fetching()
    subject = _subject(scope, repository)
    changes = changed_between(git, subject.base, subject.tree)
    _refuse_empty(scope, changes)
    files = changed_texts(git, subject, changes)
    _refuse_unseen(scope, files)
    loaded = load_configuration(repository)
    checks = policy_of(repository, loaded)[1]
    shown = without_secrets(ToSearch(git, changes, checks, loaded.config.checks), files)
    _refuse_unseen(scope, shown.files)
    content = content_of_change(subject.base, subject.tree)
    branch = written_out(git.branch() or "") if scope.follows_branch else ""
    named = tuple(file._replace(path=written_out(file.path)) for file in shown.files)
    withheld = tuple(one.model_copy(update={"path": written_out(one.path or "")}) for one in shown.withheld)
    return Material(named, withheld, subject, content, _suggestion(scope, git, subject), branch)


def _subject(scope: Scope, repository: Repository) -> Subject:
    """The object ids under review; from here on no name is asked for again."""
    if scope.kind == "uncommitted":
        return uncommitted_subject(repository)
    find = {"base": base_subject, "commit": single_commit_subject, "range": range_subject}[scope.kind]
    return find(repository.git, scope.value)


def _refuse_empty(scope: Scope, changes: Sequence[Change]) -> None:
    if changes:
        return
    where = ": nothing is uncommitted" if scope.kind == "uncommitted" else f" in {scope.label}"
    raise NothingToReviewError(
        f"nothing to review{where}",
        why="an empty change is not a passed review",
        next_step=f"change something first, or name another scope: {SCOPES}",
    )


def _refuse_unseen(scope: Scope, files: Sequence[FileText]) -> None:
    """A reviewer that saw nothing has not voted."""
    if not all(file.why_not for file in files):
        return
    more = f", nor of {len(files) - 1} more" if len(files) > 1 else ""
    raise ReviewGateError(
        f"nothing of {scope.label} can be shown: not of {files[0].path} ({files[0].why_not}){more}",
        why="a reviewer that saw nothing has not voted",
        next_step=f"look at it yourself, or name a scope with text in it: {SCOPES}",
    )


def _suggestion(scope: Scope, git: Git, subject: Subject) -> str:
    """How fixes are best made; nothing to say where they go on top of what was reviewed."""
    if scope.kind != "commit" or subject.commit is None:
        return ""
    head = git.commit_named("HEAD")
    if head in (None, subject.commit):
        return ""
    is_in_history = git.try_run("merge-base", "--is-ancestor", subject.commit, str(head))[0] == 0
    return fixup_advice(subject.commit, is_first=subject.base in EMPTY_TREES, is_in_history=is_in_history)
