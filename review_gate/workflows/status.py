"""review-gate status: where this commit stands, in one screen."""

from __future__ import annotations

import os
import shlex

from review_gate.config.load import Loaded
from review_gate.gate.coverage import passing_reviews
from review_gate.gate.decision import Decision
from review_gate.render.status import Status
from review_gate.shell import ledger
from review_gate.shell.git import Git
from review_gate.shell.hooks_folder import HooksFolder, hooks_folder, tracked_in
from review_gate.shell.install_record import was_installed_in
from review_gate.shell.known_remotes import KnownRemotes
from review_gate.shell.managers import NOT_VERIFIED, Way, way_to_us
from review_gate.shell.policy_cache import Policy
from review_gate.shell.push_log import unseen_pushes
from review_gate.shell.repository import Repository
from review_gate.shell.shims import CHANGED, DEAD, HOOKS, SOUND, condition_of, our_hook_file
from review_gate.workflows.check_compile import policy_of
from review_gate.workflows.configure import differs_from_tree, load_configuration
from review_gate.workflows.judge import look_at_state
from review_gate.workflows.verify import judge_commit

Rules = tuple[Loaded, Policy]


def status(repository: Repository, rules: Rules | None = None) -> Status:
    """Gather the facts; nothing is changed. Who has read the rules in force already hands them over."""
    loaded, policy = rules or _rules_in_force(repository)
    git = repository.git
    commit, branch = git.line("rev-parse", "--verify", "--quiet", "HEAD^{commit}"), git.branch()
    tree, subject = _tree_and_subject(git, commit) if commit else ("", "")
    folder = hooks_folder(repository)
    ways = {hook: _way_to_us(repository, folder, hook) for hook in HOOKS}
    conditions = {hook: _condition(folder, hook, way) for hook, way in ways.items()}
    state, error = look_at_state(repository, loaded.config.state_file)
    decision = judge_commit(repository, commit, policy) if commit else None
    review = _telling_review(repository, decision, commit, policy.policy) if commit and decision else None
    return Status(
        commit=commit,
        branch=branch,
        subject=subject,
        decision=decision,
        review=review,
        is_current=bool(review and review.get("policy") == policy.policy),
        state=state,
        state_error=error,
        state_file=loaded.config.state_file,
        head_tree=tree,
        index_tree=(git.line("write-tree") or "") if state is not None and state.is_staged else "",
        config_differs=bool(commit and _has_other_config(repository, commit)),
        push_command=_push_command(git, branch, commit) if commit else "",
        hooks=tuple(hook for hook in HOOKS if conditions[hook] in (SOUND, NOT_VERIFIED)),
        dead_hooks=tuple(hook for hook in HOOKS if conditions[hook] == DEAD),
        changed_hooks=tuple(hook for hook in HOOKS if conditions[hook] == CHANGED),
        is_verified=NOT_VERIFIED not in conditions.values(),
        managers=_files(repository, [way for way in ways.values() if way and (way.manager or not way.doubt)]),
        lost=_files(repository, [way for way in ways.values() if way and way.doubt and not way.manager]),
        hooks_folder=folder.path,
        hooks_are_tracked=bool(tracked_in(folder)),
        unseen=tuple(unseen_pushes(repository)),
    )


def _rules_in_force(repository: Repository) -> Rules:
    """The configuration, and the policy that it makes with the checks as they are now."""
    loaded = load_configuration(repository)
    return loaded, policy_of(repository, loaded)[0]


def _tree_and_subject(git: Git, commit: str) -> tuple[str, str]:
    """The tree of a commit, and the first line of its message."""
    tree, _, subject = (git.line("log", "-1", "--no-show-signature", "--format=%T %s", commit) or "").partition(" ")
    return tree, subject


def _has_other_config(repository: Repository, commit: str) -> bool:
    with repository.git.objects() as objects:
        return differs_from_tree(repository, commit, objects)


def _way_to_us(repository: Repository, folder: HooksFolder, hook: str) -> Way | None:
    """How somebody else's hook calls ours, where our own was never installed."""
    if was_installed_in(repository, folder.path) or our_hook_file(folder.path, hook):
        return None
    return way_to_us(repository.top, folder.path, hook)


def _condition(folder: HooksFolder, hook: str, way: Way | None) -> str:
    if way is not None and not way.doubt:
        return SOUND
    return NOT_VERIFIED if way is not None and way.manager else condition_of(folder, hook)


def _files(repository: Repository, ways: list[Way]) -> tuple[str, ...]:
    return tuple(sorted({os.path.relpath(way.file, repository.top) for way in ways}))


def _telling_review(repository: Repository, decision: Decision, commit: str, policy: str) -> dict[str, object] | None:
    """The review that opens the gate for HEAD, else the latest that speaks for it; perhaps one of its staged tree."""
    with repository.git.objects() as objects:
        known = ledger.Ledger(repository, objects).reviews_of([commit]).get(commit)
    if known is None or not known.known:
        return None
    passing = passing_reviews(known, policy) if decision.allowed else ()
    telling = passing[-1] if passing else known.known[-1]
    ref = ledger.COMMITS + commit if telling.commit else ledger.TREES + known.tree
    return next((one for one in ledger.whole_reviews(repository.git, ref) if one.get("id") == telling.id), None)


def _push_to(git: Git, upstream: str, commit: str) -> str:
    if git.line("rev-parse", "--verify", "--quiet", upstream) == commit:
        return ""
    if git.try_run("merge-base", "--is-ancestor", upstream, commit)[0] == 0:
        return "git push"
    there = upstream.removeprefix("refs/remotes/").removeprefix("refs/heads/")
    return f"git push --force-with-lease, if you rewrote what {there} has; git pull --rebase, if others added to it"


def _push_command(git: Git, branch: str | None, commit: str) -> str:
    """What sends HEAD out from here; nothing when the upstream already has it."""
    upstream = git.line("rev-parse", "--symbolic-full-name", "--verify", "--quiet", "@{upstream}")
    if upstream:
        return _push_to(git, upstream, commit)
    remote = KnownRemotes(git).default_of(branch or "")
    if remote is None:
        return "git remote add origin URL, then git push -u origin HEAD"
    # HEAD and not the branch: git refuses a name that a tag has too, and takes one like `-x` for an option.
    return f"git push -u {shlex.quote(remote)} HEAD" if branch else f"git push {shlex.quote(remote)} HEAD:BRANCH"
