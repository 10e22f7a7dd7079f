"""The gate behind pre-commit or prek, which show one ref of a push in the environment and nothing on stdin."""

from __future__ import annotations

from review_gate.errors import ReviewGateError
from review_gate.gate.push import RefUpdate
from review_gate.shell.hooks_folder import hooks_folder
from review_gate.shell.known_remotes import KnownRemotes
from review_gate.shell.shims import acting_hook_file
from review_gate.workflows.judge import judge
from review_gate.workflows.policy import policy_in_force
from review_gate.workflows.push import push_evidence
from review_gate.workflows.verify import judge_commit, resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from review_gate.gate.decision import Decision
    from review_gate.shell.repository import Repository

SENDS_MANY = ("--all", "--branches", "--mirror", "--tags", "--follow-tags")
TAKES_VALUE = ("-o", "--push-option", "--repo", "--receive-pack", "--exec")
NOTICE = """\
review-gate: the hook framework shows this hook only the first ref of a push, and some pushes not at all.
  next:  review-gate install (a native hook beside the framework, which judges every ref)
"""


def judge_framework_push(repository: Repository, environ: Mapping[str, str]) -> Decision:
    """The decision on the one ref that the framework names; HEAD only when it names none."""
    named = {name: environ.get(f"PRE_COMMIT_{name}", "") for name in ("TO_REF", "LOCAL_BRANCH", "REMOTE_BRANCH")}
    compiled = policy_in_force(repository)
    commits = {resolve(repository, named[name]) for name in ("TO_REF", "LOCAL_BRANCH") if named[name]}
    if len(commits) > 1:
        raise ReviewGateError(
            f"PRE_COMMIT_TO_REF and PRE_COMMIT_LOCAL_BRANCH ({named['LOCAL_BRANCH']}) name different commits",
            why="one of them was left over in the environment, so nobody knows what is being pushed",
            next_step="unset PRE_COMMIT_TO_REF, then git push",
        )
    if not commits:
        return judge_commit(repository, resolve(repository, "HEAD"), compiled)
    local = named["LOCAL_BRANCH"] or named["TO_REF"]
    # PRE_COMMIT_FROM_REF may be anything the caller exported, so what the remote has is asked from the remote.
    ref = RefUpdate(local, commits.pop(), named["REMOTE_BRANCH"] or local, None)
    remote, url = environ.get("PRE_COMMIT_REMOTE_NAME", ""), environ.get("PRE_COMMIT_REMOTE_URL", "")
    if not url:
        return judge_commit(repository, ref.local_oid, compiled, name=local)
    return judge(
        repository, (ref,), compiled, lambda: push_evidence(repository, compiled, remote, url), remote=remote or url
    )


def refuse_hidden_refs(repository: Repository, arguments: list[str] | None) -> None:
    """Refuse a push that sends more than the one ref we are shown, as far as its command line tells."""
    if arguments is None or not _sends_several(repository, arguments):
        return
    raise ReviewGateError(
        "this push sends several refs, and the hook framework shows only the first of them",
        why="the others would leave without being judged",
        next_step="review-gate install (a native hook that judges every ref), or push one ref at a time",
    )


def _sends_several(repository: Repository, arguments: list[str]) -> bool:
    if any(_is_many(argument) for argument in arguments):
        return True
    words = positional(arguments)
    refspecs = [word.lstrip("+") for word in words[1:] if word != "tag"]
    if refspecs:
        return len(refspecs) > 1 or any("*" in refspec or refspec == ":" for refspec in refspecs)
    remote = words[0] if words else KnownRemotes(repository.git).default() or ""
    keys = ("push.default", "push.followTags", f"remote.{remote}.push", f"remote.{remote}.mirror")
    configured = [repository.git.line("config", "--get-all", key) or "" for key in keys]
    return any(value in ("matching", "true") or "\n" in value or "*" in value for value in configured)


def _is_many(argument: str) -> bool:
    """Whether an option sends many refs; git takes any unambiguous beginning of its name."""
    return len(argument) > 3 and argument.startswith("--") and any(name.startswith(argument) for name in SENDS_MANY)


def positional(arguments: list[str]) -> list[str]:
    """The repository and the refspecs, without options and the values of options."""
    words, is_value = [], False
    for argument in arguments:
        if not is_value and not argument.startswith("-"):
            words.append(argument)
        is_value = not is_value and argument in TAKES_VALUE
    return words


def is_gated_natively(repository: Repository) -> bool:
    """Whether git also runs our own hook, which sees every ref."""
    return acting_hook_file(hooks_folder(repository), "pre-push") is not None
