"""The pre-push hook alone, fed with the lines that git really sends, in repositories small and large."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from benchmarks.bench import Bench
from benchmarks.ledger import add_old_records, add_review, real_review
from benchmarks.repositories import Repo, add_branches, imported_repository
from benchmarks.results import Comparison, Measured
from benchmarks.timing import Case

FEW, BRANCHES, RECORDS, MANY = 10, 100, 10_000, 100_000
LIMIT = 1.5

INTERPRETER = "`python -I -S -c pass`"
SMALL = "10 commits, 10 files, 10 records"
SMALL_PACKED = "the same, records packed"
LONG = "100,000 commits"
WIDE = "100,000 files"
LOOSE = "10,000 records"
PACKED = "10,000 records, packed"
ONE_REF, ALL_REFS = "1 ref", "100 refs"
ONE_NEW_REF, ALL_NEW_REFS = "1 new branch", "100 new branches"
SMALL_BEHIND, LONG_BEHIND = "10 commits, remote branch at the first", "100,000 commits, remote branch at the first"
PAIRS = (
    (ALL_REFS, ONE_REF),
    (ALL_NEW_REFS, ONE_NEW_REF),
    (LONG, SMALL),
    (LONG_BEHIND, SMALL_BEHIND),
    (WIDE, SMALL),
    (LOOSE, SMALL),
    (PACKED, SMALL_PACKED),
)
BEHIND = "refs/heads/behind"
CAPTURE_HOOK = "#!/bin/sh\ncat > '{file}'\nexit 1\n"


def measure(bench: Bench) -> Measured:
    """The hook's cost should follow the size of nothing."""
    bench.say("gate: making repositories")
    cases = [_interpreter(bench), *_ref_cases(bench), *_history_cases(bench), *_size_cases(bench)]
    targets = tuple(Comparison(large, small, LIMIT) for large, small in PAIRS)
    return Measured("The pre-push hook alone", bench.time("gate", cases), INTERPRETER, targets)


def _interpreter(bench: Bench) -> Case:
    return Case(INTERPRETER, (sys.executable, "-I", "-S", "-c", "pass"), bench.world.work, bench.world.environ)


def _ref_cases(bench: Bench) -> Iterator[Case]:
    """One or all of a hundred branches with a reviewed commit each, sent to themselves or to new branches."""
    repo = imported_repository(bench.world, "gate-refs", commits=FEW, files=FEW)
    repo.gate("install")
    model = real_review(repo)
    branches = add_branches(repo, BRANCHES)
    for branch in branches:
        add_review(repo, model, branch)
    for one, many, prefix in ((ONE_REF, ALL_REFS, ""), (ONE_NEW_REF, ALL_NEW_REFS, "new-")):
        specs = [f"{branch}:refs/heads/{prefix}{branch}" for branch in branches]
        yield hook_case(repo, one, *specs[:1])
        yield hook_case(repo, many, *specs)


def _history_cases(bench: Bench) -> Iterator[Case]:
    """A reviewed commit on a short and on a long history, sent to its own branch and to one that is far behind."""
    for name, behind, commits in ((SMALL, SMALL_BEHIND, FEW), (LONG, LONG_BEHIND, MANY)):
        repo = imported_repository(bench.world, f"gate-{commits}-commits", commits=commits, files=FEW)
        repo.gate("install")
        add_old_records(repo, real_review(repo), FEW - 1)
        repo.set_remote_ref(BEHIND, f"HEAD~{commits - 1}")
        yield hook_case(repo, name, "main:main")
        yield hook_case(repo, behind, f"main:{BEHIND}")


def _size_cases(bench: Bench) -> Iterator[Case]:
    """A large tree, and a ledger of years, as loose refs and packed."""
    sizes = ((WIDE, MANY, FEW), (LOOSE, FEW, RECORDS), (SMALL_PACKED, FEW, FEW), (PACKED, FEW, RECORDS))
    for name, files, records in sizes:
        repo = imported_repository(bench.world, f"gate-{name.replace(' ', '-')}", commits=FEW, files=files)
        repo.gate("install")
        add_old_records(repo, real_review(repo), records - 1)
        if name in (SMALL_PACKED, PACKED):
            repo.git("pack-refs", "--all")
        yield hook_case(repo, name, "main:main")


def hook_case(repo: Repo, name: str, *refspecs: str) -> Case:
    """The installed hook as git starts it for this push."""
    lines = _push_lines(repo, *refspecs)
    return Case(name, (str(repo.hooks / "pre-push"), "origin", str(repo.remote)), repo.path, repo.environ, lines)


def _push_lines(repo: Repo, *refspecs: str) -> bytes:
    """What git sends to a pre-push hook for this push, caught by a hook that stops it."""
    folder = repo.path / ".git" / "capture"
    folder.mkdir(exist_ok=True)
    hook = folder / "pre-push"
    hook.write_text(CAPTURE_HOOK.format(file=folder / "lines"))
    hook.chmod(0o755)
    repo.git("-c", f"core.hooksPath={folder}", "push", "--force", "origin", *refspecs, expected=1)
    return (folder / "lines").read_bytes()
