"""State and ledger that were damaged or forged: the gate stays closed and says why."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Repo
from installing import complaints, install
from pushing import (
    commit_after_staged_review,
    forget,
    let_out,
    record_pass,
    record_review,
    refused,
)
from refusals import (
    RUN,
    STATE,
    block,
    corrupt_state,
    missing,
    tampered,
)

from review_gate.shell.ledger import COMMITS, LEDGER

NO_JSON = "not JSON at character 0"
SPOILT_ENTRIES: dict[str, tuple[str, str, str]] = {
    "a file": ("commits/{commit}", "HEAD:app.py", NO_JSON),
    "another commit's reviews": (
        "commits/{commit}",
        "refs/review-gate/commits/{first}",
        "the document belongs to another subject",
    ),
    "a commit": ("commits/{commit}", "HEAD", "it is a commit, not a record"),
}


@pytest.mark.parametrize("kind", SPOILT_ENTRIES)
def test_entry_that_is_no_review_closes_the_gate_until_the_next_run(opened: Repo, kind: str) -> None:
    first = opened.head
    record_pass(opened, opened.commit("second"))
    ids = {"commit": opened.head, "tree": opened.git("rev-parse", "HEAD^{tree}"), "first": first}
    place, content, why = SPOILT_ENTRIES[kind]
    ref = LEDGER + place.format_map(ids)
    opened.git("update-ref", ref, opened.git("rev-parse", content.format_map(ids)))
    what = f"Cannot read the review record of commit {opened.head[:8]}."
    assert refused(opened, "origin", "main") == block(what, f"{ref}: {why}")
    opened.review()
    let_out(opened, "origin", "main")


def test_unreadable_entry_of_the_tree_may_have_held_a_failure_and_closes_the_gate_until_the_next_review(
    opened: Repo,
) -> None:
    commit = commit_after_staged_review(opened)
    tree = opened.git("rev-parse", "HEAD^{tree}")
    opened.git("update-ref", f"{LEDGER}trees/{tree}", opened.git("rev-parse", "HEAD:app.py"))
    record_pass(opened, commit)
    words = refused(opened, "origin", "main")
    assert words.startswith(f"blocked: Cannot read the review record of commit {commit[:8]}.\n")
    assert f"the entry of its tree, {LEDGER}trees/{tree}, cannot be read: not JSON" in words
    opened.review()
    let_out(opened, "origin", "main")


def test_review_of_another_commit_does_not_speak_for_this_one(opened: Repo) -> None:
    other = opened.head
    commit = opened.commit("second")
    tree = opened.git("rev-parse", f"{other}^{{tree}}")
    identity = record_review(opened, other, tree=tree, ref=COMMITS + commit)
    why = f"the record {identity[:8]} is about other content than commit {commit[:8]}"
    assert refused(opened, "origin", "main") == tampered(commit, why)


def test_record_is_found_nowhere_but_in_the_ledger(opened: Repo) -> None:
    """Git looks for a ref that does not exist below refs/tags/ too, where a `git fetch --tags` can put one."""
    commit = opened.commit("second")
    record_pass(opened, commit)
    opened.git("tag", COMMITS + commit, COMMITS + commit)
    forget(opened, commit)
    assert refused(opened, "origin", "main") == missing(commit)


def test_state_that_contradicts_the_ledger_closes_the_gate(published: Repo) -> None:
    commit = published.commit("second", {"app.py": "def broken(:\n"})
    assert published.gate("run", "--yes").returncode == 1
    state = json.loads(published.state_file.read_text())
    flags = {f"loop_{number}_passed": True for number in range(1, 5)}
    other = f"{STATE} says something else than the review it names"
    unknown = f"{STATE} names a review that the ledger does not have"
    edits = {
        "flipped to a pass": (state | flags | {"ship_allowed": True, "blockers": []}, other),
        "one flag flipped": (state | {"loop_1_passed": True}, other),
        "invented review": (state | flags | {"ship_allowed": True, "decision": {"record": "f" * 32}}, unknown),
    }
    told = {}
    for name, (lie, _) in edits.items():
        published.state_file.write_text(json.dumps(lie))
        told[name] = refused(published, "origin", "main")
    assert told == {name: tampered(commit, why) for name, (_, why) in edits.items()}
    forget(published, commit)
    published.state_file.write_text(json.dumps(state))
    assert refused(published, "origin", "main") == tampered(commit, unknown)


def hostile_texts(text: str) -> dict[str, tuple[bytes, str]]:
    """Spoilt versions of a good state, each with what is wrong with it."""
    good = text.encode()
    many = "a key stands twice in one object"
    spoilt = {
        "empty": (b"", "not JSON at character 0"),
        "zero bytes": (bytes(100), "not JSON at character 0"),
        "duplicate key": (good.replace(b"{", b'{"ship_allowed": false,', 1), f"not JSON: {many}"),
        "BOM": (b"\xef\xbb\xbf" + good, "not JSON at character 0"),
        "UTF-16": (text.encode("utf-16"), "not UTF-8 at byte 0"),
        "NaN": (good.replace(b'"version": 1', b'"version": NaN'), "not JSON: NaN is not JSON"),
        "infinity": (good.replace(b'"version": 1', b'"version": 1e999'), "not JSON: 1e999 is out of range"),
        "two documents": (good + good, f"something follows the document at character {len(text) - 1}"),
        "list": (b"[]", "it is not a JSON object"),
        "deep": (b"[" * 1_000_000, "nested too deeply"),
        "newer version": (good.replace(b'"version": 1', b'"version": 2'), "version 2 is not one this program reads"),
        "extra field": (good.replace(b"{", b'{"approved": true,', 1), "the field 'approved' is unknown"),
    }
    wrong = {"text": b'"true"', "number": b"1", "null": b"null", "list": b"[true]"}
    for name, value in wrong.items():
        lie = good.replace(b'"ship_allowed": true', b'"ship_allowed": ' + value)
        spoilt[f"{name} for a truth value"] = (lie, "ship_allowed is not true or false")
    return spoilt


def test_state_that_cannot_be_believed_closes_the_gate(published: Repo) -> None:
    published.commit("second")
    published.review()
    text = published.state_file.read_text()
    hostile = hostile_texts(text)
    told = {}
    for name, (content, _) in hostile.items():
        published.state_file.write_bytes(content)
        told[name] = refused(published, "origin", "main")
    assert told == {name: corrupt_state(why) for name, (_, why) in hostile.items()}
    for length in range(1, len(text) - 1, len(text) // 12):
        published.state_file.write_text(text[:length])
        words = refused(published, "origin", "main")
        assert words.startswith(f"blocked: Cannot read review state file. Check {STATE}.\n  why:   not JSON"), length
    published.state_file.write_text(text)
    let_out(published, "origin", "main")


def sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(100_000_000)


def test_state_below_a_linked_folder_closes_the_gate_and_every_verb_says_what_helps(gated: Repo) -> None:
    (gated.path.parent / "elsewhere").mkdir()
    (gated.path / ".claude").symlink_to("../elsewhere")
    link = "a folder on the way there is a link"
    what = f"Cannot read review state file. Check {STATE}."
    step = "name a state_file below no link in .review-gate.yaml"
    why = f"{link}; a state that cannot be read is no review"
    assert refused(gated, "origin", "main") == block(what, why, f"{step}, then {RUN}")
    assert (f"{STATE} cannot be used: {link}", f"{step}, then {RUN}") in complaints(gated)
    assert f"state     {STATE} cannot be used: {link}" in gated.gate("status").stdout
    warned = f"every push is refused: {link} ({STATE}); name another state_file in .review-gate.yaml"
    assert warned in install(gated).warnings
    gated.commit("elsewhere", {".review-gate.yaml": "state_file: .review-state.json\n"})
    gated.review()
    let_out(gated, "origin", "main")


def test_state_that_is_no_plain_file_closes_the_gate(published: Repo) -> None:
    published.commit("second")
    published.review()
    path = published.state_file
    kept = path.rename(path.with_name("kept.json"))
    odd: dict[str, tuple[Callable[[Path], object], str]] = {
        "sparse": (sparse, "it is 100000000 bytes long, more than 4000000"),
        "FIFO": (os.mkfifo, "it is not a regular file"),
        "link": (lambda path: path.symlink_to(kept), "it is a symbolic link"),
        "broken link": (lambda path: path.symlink_to("nowhere"), "it is a symbolic link"),
        "folder": (Path.mkdir, "it is not a regular file"),
    }
    told = {}
    for name, (make, _) in odd.items():
        make(path)
        told[name] = refused(published, "origin", "main")
        path.rmdir() if name == "folder" else path.unlink()
    assert told == {name: corrupt_state(why) for name, (_, why) in odd.items()}
    let_out(published, "origin", "main")
