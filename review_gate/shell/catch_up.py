"""When the remote moved on: bring its newer commits here, so that it can be seen whether they contain older ones.

Objects only: no ref, no FETCH_HEAD and no setting changes. Tracking refs only tell which branches are worth asking for.
"""

from __future__ import annotations

from review_gate.errors import GitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from review_gate.shell.git import Git

BRANCHES = "refs/heads/"
QUIET_FETCH = (
    "fetch",
    "--quiet",
    "--no-tags",
    "--no-write-fetch-head",
    "--no-write-commit-graph",
    "--no-auto-gc",
    "--no-recurse-submodules",
    "--refmap=",
    "--upload-pack=git-upload-pack",
    "--end-of-options",
)


def likely_branches(git: Git, remote: str, advertised: Mapping[str, str], wanted: set[str]) -> set[str]:
    """The remote's branches that held a wanted commit when they were last seen, and its default branch."""
    likely = {ref for ref, oid in advertised.items() if oid == advertised.get("HEAD") and ref.startswith(BRANCHES)}
    folder = f"refs/remotes/{remote}/"
    for commit in sorted(wanted):
        _, output, _ = git.try_run("for-each-ref", f"--contains={commit}", "--format=%(refname)", "--", folder)
        names = output.decode("utf-8", "surrogateescape").splitlines()
        likely |= {BRANCHES + name.removeprefix(folder) for name in names}
    return likely & advertised.keys()


def fetched_branches(refspecs: Sequence[str], advertised: Mapping[str, str]) -> set[str]:
    """What those branches of the remote point at that a plain fetch by these refspecs brings here."""
    wanted = [refspec.lstrip("+").partition(":")[0] for refspec in refspecs if not refspec.startswith("^")]
    unwanted = [refspec[1:] for refspec in refspecs if refspec.startswith("^")]
    return {
        oid
        for ref, oid in advertised.items()
        if ref.startswith(BRANCHES)
        and any(_matches(ref, pattern) for pattern in wanted)
        and not any(_matches(ref, pattern) for pattern in unwanted)
    }


def _matches(ref: str, pattern: str) -> bool:
    start, star, end = pattern.partition("*")
    return ref == pattern if not star else len(ref) >= len(start + end) and ref.startswith(start) and ref.endswith(end)


def fetch_objects(git: Git, url: str, refs: set[str], seconds: float) -> bool:
    """Whether everything that these refs of the remote contain is here now."""
    try:
        code, _, _ = git.try_run(*QUIET_FETCH, url, *sorted(refs), seconds=seconds, may_ask_user=True)
    except GitError:
        return False
    return code == 0
