"""The strict readers: one JSON document, loop-state.json, and an entry of the ledger."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from builders import BASE, COMMIT, TREE, run_report
from hypothesis import given, settings
from hypothesis import strategies as st
from json_values import JSON_VALUES

import review_gate
from review_gate.gate.record import RecordError, read_document
from review_gate.gate.state_view import OUR_FIELDS, SEED_FIELDS, StateError, read_state
from review_gate.loops.state import ledger_review, loop_state
from review_gate.strict_json import StrictJsonError, parse, written

STATE = loop_state(run_report()).to_json()


@given(JSON_VALUES, st.sampled_from([None, 1, "\t"]), st.booleans())
@settings(max_examples=300, deadline=None)
def test_valid_documents_read_as_the_standard_library_reads_them(value: Any, indent: Any, is_ascii: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=is_ascii)
    assert parse(f" \r\n{text}\t\n".encode("utf-8", "surrogatepass") if is_ascii else text.encode()) == json.loads(text)


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(PLAIN)
@settings(max_examples=100, deadline=None)
def test_plain_values_are_written_as_the_standard_library_writes_them(value: Any) -> None:
    assert written(value) == json.dumps(value)


def test_what_has_no_form_in_json_is_not_written() -> None:
    with pytest.raises(TypeError, match="set has no form in JSON"):
        written({"a": {1}})


@given(st.binary(max_size=40) | st.text(alphabet='{}[]":,-+.0123456789eE truefalsn\\u\n\x00\ufeff', max_size=40))
@settings(max_examples=500, deadline=None)
def test_anything_else_is_refused_or_reads_as_the_standard_library_reads_it(soup: bytes | str) -> None:
    data = soup if isinstance(soup, bytes) else soup.encode()
    try:
        value = parse(data)
    except StrictJsonError:
        return
    assert value == json.loads(data.decode())


@given(JSON_VALUES, st.data())
@settings(max_examples=300, deadline=None)
def test_one_changed_byte_is_refused_or_reads_as_the_standard_library_reads_it(value: Any, data: st.DataObject) -> None:
    whole = bytearray(json.dumps({"k": value}).encode())
    whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    try:
        read = parse(bytes(whole))
    except StrictJsonError:
        return
    assert read == json.loads(whole.decode())


REFUSED = {
    "nothing": (b"", "not JSON at character 0"),
    "a key twice": (b'{"a": false, "a": true}', "not JSON: a key stands twice in one object"),
    "a key twice, once escaped": (b'{"a": 1, "\\u0061": 2}', "not JSON: a key stands twice in one object"),
    "NaN": (b"[NaN]", "not JSON: NaN is not JSON"),
    "negative Infinity": (b'{"a": -Infinity}', "not JSON: -Infinity is not JSON"),
    "a number beyond every float": (b"[1e999]", "not JSON: 1e999 is out of range"),
    "a byte order mark": (b"\xef\xbb\xbf{}", "not JSON at character 0"),
    "UTF-16": ("{}".encode("utf-16"), "not UTF-8 at byte 0"),
    "bytes that are no text": (b'{"a": "\xff"}', "not UTF-8 at byte 7"),
    "a surrogate in UTF-8": (b'"\xed\xa0\x80"', "not UTF-8 at byte 1"),
    "a NUL at the end": (b"{}\0", "something follows the document at character 2"),
    "two documents": (b"{} {}", "something follows the document at character 2"),
    "a no-break space": ("\u00a0{}".encode(), "not JSON at character 0"),
    "a comma too many": (b"[1,]", None),
    "a comment": (b"{} // fine", "something follows the document at character 2"),
    "a bare word": (b"yes", "not JSON at character 0"),
    "a leading zero": (b"01", "something follows the document at character 1"),
    "a raw line end in a text": (b'"a\nb"', None),
    "an unknown escape": (b'"\\x41"', None),
    "an open text": (b'"a', None),
    "a million open lists": (b"[" * 1_000_000, "nested too deeply"),
    "5,000 digits": (b"9" * 5_000, None),
}


@pytest.mark.parametrize(("data", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_one_plain_document_is_refused(data: bytes, message: str | None) -> None:
    with pytest.raises(StrictJsonError) as refusal:
        parse(data)
    assert message is None or str(refusal.value) == message
    assert len(str(refusal.value)) < 120


ACCEPTED = {
    "a lone surrogate as an escape": (b'"\\ud800"', "\ud800"),
    "the same key in two objects": (b'[{"a": 1}, {"a": 2}]', [{"a": 1}, {"a": 2}]),
    "a number that rounds to zero": (b"1e-999", 0.0),
    "4,000 digits": (b"9" * 4_000, int("9" * 4_000)),
    "an empty key": (b'{"": null}', {"": None}),
}


@pytest.mark.parametrize(("data", "value"), ACCEPTED.values(), ids=ACCEPTED.keys())
def test_odd_but_plain_documents_are_read(data: bytes, value: object) -> None:
    assert parse(data) == value


# The hook never imports `json`, and the scanner of CPython 3.11 then fails in another way: see strict_json.py. Newer
# scanners import it themselves to raise its error; that is slow, but only when a push is refused anyway.
IN_A_HOOK = """
import sys
sys.path.append(sys.argv[1])
from review_gate.gate.state_view import StateError, read_state
data = sys.stdin.buffer.read()
read_state(data)
if "json" in sys.modules:
    sys.exit("json was imported")
for length in range(len(data.rstrip())):
    try:
        read_state(data[:length])
    except StateError:
        continue
    sys.exit(f"{length} bytes were read as a state")
sys.exit("json was imported" if "json" in sys.modules and sys.version_info < (3, 12) else 0)
"""


def test_a_state_cut_at_any_length_is_refused_in_a_hook_where_json_is_not_imported() -> None:
    place = str(Path(review_gate.__file__).parents[1])
    argv = [sys.executable, "-I", "-S", "-c", IN_A_HOOK, place]
    done = subprocess.run(argv, input=STATE, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_state_cut_at_any_length_is_refused() -> None:
    for length in range(len(STATE.rstrip())):
        with pytest.raises(StateError):
            read_state(STATE[:length])


def test_a_state_lost_in_a_power_cut_is_refused() -> None:
    for data in (b"", b"\0" * len(STATE)):
        with pytest.raises(StateError):
            read_state(data)


def test_the_state_that_a_run_writes_is_read_back() -> None:
    view = read_state(STATE)
    assert (view.head_commit, view.tree, view.record_id) == (COMMIT, TREE, "1d" * 16)
    assert (view.loops_passed, view.ship_allowed) == ((True,) * 4, True)


def state_with(**changes: object) -> bytes:
    return json.dumps({**json.loads(STATE), **changes}).encode()


NO_BOOLEANS = {"a text": "true", "one": 1, "a float": 1.0, "null": None, "a list": [], "an object": {"a": True}}
BOOLEANS = ("ship_allowed", "loop_1_passed", "loop_2_passed", "loop_3_passed", "loop_4_passed")


@pytest.mark.parametrize("field", BOOLEANS)
def test_only_true_and_false_are_truth_values(field: str) -> None:
    for value in NO_BOOLEANS.values():
        with pytest.raises(StateError, match=f"^{field} is not true or false$"):
            read_state(state_with(**{field: value}))


NO_IDS = {
    "abbreviated": COMMIT[:12],
    "in capitals": COMMIT.upper(),
    "a ref": "refs/heads/main",
    "an option": "--output=evil",
    "with a line end": COMMIT + "\n",
    "one digit too many": COMMIT + "0",
    "not a text": 7,
    "null": None,
    "other digits": "٣" * 40,
}


@pytest.mark.parametrize("field", ["head_commit", "base_commit", "tree"])
def test_only_full_object_ids_name_objects(field: str) -> None:
    for value in NO_IDS.values():
        with pytest.raises(StateError, match=f"^{field} is not a full object id$"):
            read_state(state_with(**{field: value}))


def test_every_field_is_needed() -> None:
    for field in SEED_FIELDS + OUR_FIELDS:
        state = json.loads(STATE)
        del state[field]
        with pytest.raises(StateError, match=f"^the field {field} is missing$"):
            read_state(json.dumps(state).encode())


WRONG_STATES: dict[str, tuple[dict[str, object], str]] = {
    "an unknown field": ({"approved": True}, "the field 'approved' is unknown"),
    "an older version": ({"version": 0}, "version 0 is not one this program reads"),
    "a newer version": ({"version": 2}, "version 2 is not one this program reads"),
    "a version that only looks right": ({"version": True}, "version True is not one this program reads"),
    "a number as time": ({"timestamp": 0}, "timestamp is not a text"),
    "no policy": ({"policy": None}, "policy is not a text"),
    "blockers that are one text": ({"blockers": "none"}, "blockers is not a list of texts"),
    "reviewers that are no list": ({"reviewers": {}}, "reviewers is not a list"),
    "details that are no object": ({"loop_details": []}, "loop_details is not an object"),
    "a detail without passed": ({"loop_details": {"loop_1": {"issues": []}}}, "loop_details.loop_1 has no passed"),
    "a detail that says maybe": (
        {"loop_details": {"loop_1": {"passed": "yes", "issues": []}}},
        "loop_details.loop_1 has no passed",
    ),
    "a detail without issues": (
        {"loop_details": {"loop_1": {"passed": True}}},
        "loop_details.loop_1 has no list of issues",
    ),
    "a decision in one word": ({"decision": "approved"}, "decision names no record"),
}


@pytest.mark.parametrize(("changes", "message"), WRONG_STATES.values(), ids=WRONG_STATES.keys())
def test_a_wrongly_shaped_state_is_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(StateError) as refusal:
        read_state(state_with(**changes))
    assert str(refusal.value) == message


def test_a_state_that_is_no_object_or_too_large_is_refused() -> None:
    with pytest.raises(StateError, match=r"^it is not a JSON object$"):
        read_state(b"[]")
    with pytest.raises(StateError, match=r"^it is larger than 4000000 bytes$"):
        read_state(STATE + b" " * 4_000_000)


REVIEW = json.loads(json.dumps(ledger_review(run_report())))


def entry(document: object = None, **changes: object) -> bytes:
    """A ledger entry with one review; `changes` are made to that review."""
    whole = {"version": 1, "subject": COMMIT, "reviews": [{**REVIEW, **changes}]}
    return json.dumps(whole if document is None else document).encode()


def test_the_record_that_a_run_writes_is_read_back() -> None:
    (record,) = read_document(entry(), COMMIT)
    assert (record.id, record.commit, record.tree, record.base) == ("1d" * 16, COMMIT, TREE, BASE)
    assert record.loops == ("passed", "nothing_to_run", "nothing_to_run", "nothing_to_run")
    assert record.has_passed


def test_a_record_cut_at_any_length_is_refused() -> None:
    whole = entry()
    for length in range(len(whole)):
        with pytest.raises(RecordError):
            read_document(whole[:length], COMMIT)


WRONG_ENTRIES = {
    "a list": ([], "the document is not an object"),
    "an older version": (
        {"version": 0, "subject": COMMIT, "reviews": [REVIEW]},
        "version 0 is not one this program reads; upgrade review-gate",
    ),
    "a newer version": (
        {"version": 2, "subject": COMMIT, "reviews": [REVIEW]},
        "version 2 is not one this program reads; upgrade review-gate",
    ),
    "a version that only looks right": (
        {"version": True, "subject": COMMIT, "reviews": [REVIEW]},
        "version True is not one this program reads; upgrade review-gate",
    ),
    "another subject": (
        {"version": 1, "subject": TREE, "reviews": [REVIEW]},
        "the document belongs to another subject",
    ),
    "reviews that are no list": ({"version": 1, "subject": COMMIT, "reviews": {}}, "there is no list of reviews"),
    "a review that is no object": ({"version": 1, "subject": COMMIT, "reviews": [1]}, "a review is not an object"),
}


@pytest.mark.parametrize(("document", "message"), WRONG_ENTRIES.values(), ids=WRONG_ENTRIES.keys())
def test_a_wrongly_shaped_entry_is_refused(document: object, message: str) -> None:
    with pytest.raises(RecordError) as refusal:
        read_document(entry(document), COMMIT)
    assert str(refusal.value) == message


WRONG_REVIEWS: dict[str, tuple[dict[str, object], str]] = {
    "an abbreviated commit": ({"commit": COMMIT[:8]}, "commit is not an object id"),
    "no tree": ({"tree": None}, "tree is not an object id"),
    "a ref as base": ({"base": "refs/heads/main"}, "base is not an object id"),
    "no id": ({"id": ""}, "id is not a text"),
    "a number as policy": ({"policy": 1}, "policy is not a text"),
    "no end": ({"finished": None}, "finished is not a text"),
    "three loops": ({"loops": ["passed"] * 3}, "loops is not four known results"),
    "five loops": ({"loops": ["passed"] * 5}, "loops is not four known results"),
    "an unknown result": ({"loops": ["passed"] * 3 + ["approved"]}, "loops is not four known results"),
    "true as a result": ({"loops": [True] * 4}, "loops is not a list of texts"),
    "one text for all loops": ({"loops": "pass"}, "loops is not a list of texts"),
    "blockers that are no list": ({"blockers": None}, "blockers is not a list of texts"),
}


@pytest.mark.parametrize(("changes", "message"), WRONG_REVIEWS.values(), ids=WRONG_REVIEWS.keys())
def test_a_wrongly_shaped_review_is_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(RecordError) as refusal:
        read_document(entry(**changes), COMMIT)
    assert str(refusal.value) == message


def test_a_word_of_approval_in_a_record_opens_nothing() -> None:
    (record,) = read_document(
        entry(loops=["failed", *["not_run"] * 3], verdict="pass", approved=True, ship_allowed=True), COMMIT
    )
    assert record.has_failed
    assert not record.has_passed
