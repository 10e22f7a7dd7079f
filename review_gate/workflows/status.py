"""review-gate status: where this commit stands, in one screen."""

from __future__ import annotations

import shlex

from review_gate.gate.state_view import StateError, StateView, read_state
from review_gate.render.status import Status
from review_gate.shell import ledger
from review_gate.shell import remote as remotes
from review_gate.shell.files import UnsafeFileError, read_plain_file
from review_gate.shell.hooks_folder import hooks_folder
from review_gate.shell.push_log import unseen_pushes
from review_gate.shell.repository import Repository
from review_gate.shell.shims import HOOKS, is_sound
from review_gate.workflows.configure import compiled_configuration, differs_from_tree, load_configuration
from review_gate.workflows.verify import judge_commit

MAX_STATE_BYTES = 4_000_000


def status(repository: Repository) -> Status:
    """Gather the facts; nothing is changed."""
    loaded = load_configuration(repository)
    git = repository.git
    commit = git.line("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    folder = hooks_folder(repository)
    state, error = _state(repository, loaded.config.state_file)
    review = _newest_review(repository, commit) if commit else None
    return Status(
        commit=commit,
        branch=git.line("symbolic-ref", "--quiet", "--short", "HEAD"),
        subject=(git.line("log", "-1", "--no-show-signature", "--format=%s", commit) or "") if commit else "",
        decision=judge_commit(repository, commit, compiled_configuration(loaded)) if commit else None,
        review=review,
        is_current=bool(review and review.get("policy") == loaded.policy),
        state=state,
        state_error=error,
        state_file=loaded.config.state_file,
        config_differs=bool(commit and differs_from_tree(repository, commit)),
        push_command=_push_command(repository, commit) if commit else "",
        hooks=tuple(hook for hook in HOOKS if is_sound(folder.path, hook, is_shared=folder.is_shared)),
        hooks_folder=folder.path,
        unseen=tuple(unseen_pushes(repository)),
    )


def _state(repository: Repository, state_file: str) -> tuple[StateView | None, str]:
    try:
        data = read_plain_file(f"{repository.top}/{state_file}", MAX_STATE_BYTES)
        return (read_state(data) if data is not None else None), ""
    except (UnsafeFileError, StateError) as error:
        return None, str(error)


def _newest_review(repository: Repository, commit: str) -> dict[str, object] | None:
    """The latest review that speaks for HEAD: its own, or one of the staged tree it was committed from."""
    with repository.git.objects() as objects:
        known = ledger.Ledger(repository, objects).reviews_of([commit]).get(commit)
    if known is None or not known.records:
        return None
    newest = known.records[-1]
    ref = ledger.COMMITS + commit if newest.commit else ledger.TREES + known.tree
    return next((one for one in ledger.whole_reviews(repository.git, ref) if one.get("id") == newest.id), None)


def _push_command(repository: Repository, commit: str) -> str:
    """What sends HEAD out from here; nothing when the upstream already has it."""
    git = repository.git
    upstream = git.line("rev-parse", "--symbolic-full-name", "--verify", "--quiet", "@{upstream}")
    if upstream:
        return "" if git.line("rev-parse", "--verify", "--quiet", upstream) == commit else "git push"
    remote, branch = remotes.default(git), git.line("symbolic-ref", "--quiet", "--short", "HEAD")
    if remote is None:
        return "git remote add origin URL, then git push -u origin HEAD"
    return (
        f"git push -u {shlex.quote(remote)} {shlex.quote(branch)}"
        if branch
        else f"git push {shlex.quote(remote)} HEAD:BRANCH"
    )
