"""Steps of the tests about pushes: reviews straight into the ledger, pushes that are let out or refused."""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from conftest import Repo, Result
from refusals import RUN

from review_gate.gate.record import EMPTY_TREES
from review_gate.shell.git import Git
from review_gate.shell.ledger import COMMITS, append
from review_gate.shell.sealed import unsealed

PASSED = ("passed", "nothing_to_run", "nothing_to_run", "nothing_to_run")
FAILED = ("failed", "not_run", "not_run", "not_run")
INCOMPLETE = ("incomplete", "not_run", "not_run", "not_run")
REFUSED_BY_HOOK = "error: failed to push some refs to "


def policy_of(repo: Repo) -> str:
    """The policy that the installed hooks judge by, if nothing changed since they were made ready."""
    files = ("policy.json", "checks-strictness.json")
    kept = [unsealed((repo.path / ".git/review-gate" / name).read_bytes()) for name in files]
    return "-".join(str(one["strictness"]) for one in kept if one)


def empty_tree_of(object_id: str) -> str:
    """The empty tree of the repository that an id comes from."""
    return next(tree for tree in EMPTY_TREES if len(tree) == len(object_id))


def record_review(
    repo: Repo, commit: str, base: str = "", loops: Iterable[str] = PASSED, *, ref: str = "", **changes: object
) -> str:
    """Write a review of a commit straight into the ledger, which is what a run does in the end; its id."""
    review = {
        "id": secrets.token_hex(16),
        "commit": commit,
        "tree": repo.git("rev-parse", f"{commit}^{{tree}}"),
        "base": base or empty_tree_of(commit),
        "policy": policy_of(repo),
        "finished": "2026-01-02T03:04:05.000Z",
        "loops": list(loops),
        "blockers": [] if "failed" not in loops else ["app.py:1: broken"],
    } | changes
    append(Git(str(repo.path), repo.environ), ref or COMMITS + commit, lambda _: review)
    return str(review["id"])


def record_pass(repo: Repo, commit: str, base: str = "") -> None:
    """A passing review of a commit, against the empty tree unless a base is named."""
    record_review(repo, commit, base)


def forget(repo: Repo, commit: str) -> None:
    """Take every review of a commit out of the ledger."""
    repo.git("update-ref", "-d", COMMITS + commit)


def publish(repo: Repo) -> str:
    """Push the reviewed main branch, without a state file; the commit the remote has then."""
    record_pass(repo, repo.head)
    done = repo.push("--quiet", "--set-upstream", "origin", "main")
    assert done.returncode == 0, done.stderr
    return repo.head


def refs_of_remote(repo: Repo, remote: str = "origin") -> str:
    """All refs of the remote repository, asked from that repository itself."""
    url = repo.url_of(remote)
    return repo.git("--git-dir", url, "for-each-ref", "--format=%(objectname) %(refname)")


def gate_words(done: Result) -> str:
    """What the gate said before git's own last word on a refused push."""
    assert done.returncode == 1, done.stdout + done.stderr
    words, refused, _ = done.stderr.partition(REFUSED_BY_HOOK)
    assert refused, done.stderr
    assert "Traceback" not in words, words
    return words


def refused(repo: Repo, *arguments: str, remote: str = "origin", **environ: str) -> str:
    """Push, see it refused and the remote unchanged; what the gate said."""
    before = refs_of_remote(repo, remote)
    words = gate_words(repo.push(*arguments, **environ))
    assert refs_of_remote(repo, remote) == before
    return words


def let_out(repo: Repo, *arguments: str, **environ: str) -> Result:
    """Push and see it go through."""
    done = repo.push(*arguments, **environ)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def move_remote_on(repo: Repo) -> str:
    """Let somebody else push a reviewed commit to main from a clone; that commit."""
    clone = Repo(repo.path.parent / "clone", repo.environ)
    repo.git("clone", "--quiet", repo.git("remote", "get-url", "origin"), str(clone.path))
    commit = clone.commit("somebody else's")
    let_out(clone, "origin", "main")
    return commit


def grow(repo: Repo, name: str, start: str = "main") -> str:
    """A new commit on top of `start`, on no branch; HEAD returns to main."""
    repo.git("checkout", "--quiet", "--detach", start)
    commit = repo.commit(name, {f"{name}.txt": f"{name}\n"})
    repo.git("checkout", "--quiet", "main")
    return commit


def commit_after_staged_review(repo: Repo) -> str:
    """A commit whose content was reviewed in the index."""
    repo.write("staged.txt", "staged\n")
    repo.git("add", "staged.txt")
    repo.review("--staged")
    repo.git("commit", "--quiet", "-m", "staged")
    return repo.head


def next_step(words: str) -> str:
    """The step that a refusal prints."""
    return words.rpartition("  next:  ")[2].partition("\n")[0]


def type_step(repo: Repo, step: str) -> None:
    """Do exactly what a refusal says; only the question before a run is answered ahead."""
    typed = step.replace(RUN, f"{RUN} --yes").replace(", then git push again", "").replace(", then ", " && ")
    done = repo.type(typed)
    assert done.returncode == 0, f"{step}: {done.stdout}{done.stderr}"


def opened_by_its_step(repo: Repo, *arguments: str, remote: str = "origin") -> str:
    """See a push refused, type the step that is printed, see the same push go through; the step."""
    step = next_step(refused(repo, *arguments, remote=remote))
    type_step(repo, step)
    let_out(repo, *arguments)
    return step


def seed(repo: Repo, remote: str, source: str) -> None:
    """Put commits on a remote past the gate."""
    repo.git("push", "--quiet", "--no-verify", remote, source)
