"""Review records for repositories that were never really reviewed: copies of a real one, about other commits."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterator

from benchmarks.repositories import Repo
from review_gate.gate.record import DOCUMENT_VERSION
from review_gate.shell.git import Git
from review_gate.shell.ledger import COMMITS, append, whole_reviews

Review = dict[str, object]


def real_review(repo: Repo) -> Review:
    """Review HEAD for real; the record that this leaves in the ledger."""
    repo.gate("run", "--yes")
    return whole_reviews(_git(repo), COMMITS + repo.resolve("HEAD"))[-1]


def add_review(repo: Repo, model: Review, branch: str) -> None:
    """Record that the last commit of a branch passed, as the model says, against the commit below it."""
    commit, tree, base = (repo.resolve(f"{branch}{suffix}") for suffix in ("", "^{tree}", "~1"))
    review = model | {"id": uuid.uuid4().hex, "commit": commit, "tree": tree, "base": base}
    append(_git(repo), COMMITS + commit, lambda _: review)


def add_old_records(repo: Repo, model: Review, count: int) -> None:
    """Fill the ledger with records of commits that are long gone."""
    blobs = dict(_old_records(model, count))
    stream = b"".join(b"blob\ndata %d\n%s\n" % (len(data), data) for data in blobs.values())
    repo.git("fast-import", "--quiet", stdin=stream)
    updates = "".join(f"create {COMMITS}{commit} {_blob_id(data)}\n" for commit, data in blobs.items())
    repo.git("update-ref", "--stdin", stdin=updates.encode())


def _old_records(model: Review, count: int) -> Iterator[tuple[str, bytes]]:
    for number in range(count):
        commit = hashlib.sha1(f"old commit {number}".encode()).hexdigest()
        document = {"version": DOCUMENT_VERSION, "subject": commit, "reviews": [model | {"commit": commit}]}
        yield commit, json.dumps(document, indent=1).encode("ascii")


def _blob_id(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0%s" % (len(data), data)).hexdigest()


def _git(repo: Repo) -> Git:
    return Git(str(repo.path), repo.environ)
