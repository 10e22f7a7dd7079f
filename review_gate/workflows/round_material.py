"""What the reviewers of a round are sent: the scope as it is now, what the checks find in it, no secret."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from review_gate.config.schema import Config
from review_gate.consensus.schema import Issue
from review_gate.consensus.scope import Material, Scope, content_of_change, fixup_advice
from review_gate.embedded import CHECK_REVIEWERS
from review_gate.errors import MisuseError, ReviewGateError
from review_gate.gate.record import EMPTY_TREES
from review_gate.models import Finding, Subject
from review_gate.pipeline.exhibit import LONGEST_LINE, FileText
from review_gate.safe_text import written_out
from review_gate.shell.change_text import changed_texts
from review_gate.shell.changes import Change, changed_between
from review_gate.shell.check_reviewers import CheckReviewer, ScanProcess, SharedScan
from review_gate.shell.git import Git
from review_gate.shell.named_subject import SPAWN, base_subject, range_subject, single_commit_subject
from review_gate.shell.process import Commands
from review_gate.shell.repository import Repository
from review_gate.shell.uncommitted import uncommitted_subject
from review_gate.workflows.check_compile import policy_of
from review_gate.workflows.configure import load_configuration
from review_gate.workflows.round_place import Place
from review_gate.workflows.round_text import material_of_file
from review_gate.workflows.secret_search import SecretSearch
from review_gate.workflows.withheld import ToSearch, without_secrets

SCOPES = f"{SPAWN} (--uncommitted | --base B | --commit SHA | A..B)"
TOOL = "checks"


class NothingToReviewError(ReviewGateError):
    """A scope without any change in it."""


class ToolFindings(NamedTuple):
    """What the checks found, or why they could not look."""

    issues: tuple[Issue, ...] = ()
    problem: str = ""


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
    # What is uncommitted goes along to another branch.
    branch = "" if scope.kind == "uncommitted" else written_out(git.branch() or "")
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


def refuse_undecodable(what: str, words: str) -> None:
    """Refuse words, or a name, that are not UTF-8: JSON cannot hold them."""
    if any("\ud800" <= one <= "\udfff" for one in words):
        raise MisuseError(
            f"{what} is not UTF-8: {words!a}",
            why="it could neither be kept nor be shown to reviewers",
            next_step="name it otherwise, then the same command again",
        )


def refuse_unfit(option: str, words: str, place: Place) -> None:
    """Refuse words of the user that hold a secret, or would be cut on the way."""
    if len(words) > LONGEST_LINE:
        raise MisuseError(
            f"{option} has {len(words):,} characters, more than {LONGEST_LINE:,}",
            why="reviewers are shown the beginning of what is longer",
            next_step="say it in fewer words, with the same command",
        )
    if words and is_secret(words, place):
        raise MisuseError(
            f"{option} holds a secret, or could not be searched for one",
            why="it would be sent to every reviewer, and kept",
            next_step="take the secret out, then the same command again",
        )


def is_secret(words: str, place: Place) -> bool:
    """Whether words hold a secret, or could not be searched for one."""
    plan = None
    if place.repository is not None:
        plan = policy_of(place.repository, load_configuration(place.repository))[1]
    ((_, hits),) = SecretSearch(plan, place.config.checks.seconds_per_file).in_words([words])
    return hits is None or bool(hits)


def tool_findings(repository: Repository | None, subject: Subject | None, config: Config) -> ToolFindings:
    """What the checks in force find in the lines that a change adds: facts beside the votes."""
    if repository is None or subject is None or not config.checks.enabled:
        return ToolFindings()
    policy, _ = policy_of(repository, load_configuration(repository))
    process, commands = ScanProcess(repository), Commands()
    scan = SharedScan(process, subject, policy.policy, config.limits.command_seconds, commands)
    try:
        outcomes = [CheckReviewer(name, scan).review() for name in CHECK_REVIEWERS]
    finally:
        commands.end_all()
        process.close()
    problem = next((one.could_not_run for one in outcomes if one.could_not_run), "")
    return ToolFindings(tuple(_issue(one) for outcome in outcomes for one in outcome.findings), problem)


def _issue(finding: Finding) -> Issue:
    return Issue(
        fingerprint=finding.fingerprint,
        severity=finding.severity,
        message=f"{finding.rule}: {finding.message}",
        file=finding.file,
        line=finding.line,
        quote=finding.evidence,
        recommendation=finding.recommendation,
        reviewers=(TOOL,),
        source="tool",
    )
