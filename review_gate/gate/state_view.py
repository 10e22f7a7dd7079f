"""loop-state.json as the gate reads it: a view of the latest run that must never contradict the ledger."""

from __future__ import annotations

from review_gate.gate.record import LOOP_COUNT, is_object_id
from review_gate.strict_json import StrictJsonError, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

STATE_VERSION = 1
MAX_STATE_BYTES = 4_000_000
SEED_FIELDS = (
    "head_commit",
    "timestamp",
    "loop_1_passed",
    "loop_2_passed",
    "loop_3_passed",
    "loop_4_passed",
    "ship_allowed",
    "blockers",
    "loop_details",
)
FOLDER_IS_LINK = "a folder on the way there is a link"
OUR_FIELDS = ("version", "base_commit", "tree", "policy", "reviewers", "decision")


class StateError(ValueError):
    """The state file is not a loop state; the message says what is wrong with it."""


class StateView:
    """The fields of loop-state.json that the gate compares with the ledger."""

    __slots__ = ("head_commit", "loops_passed", "record_id", "ship_allowed", "tree")

    def __init__(
        self,
        *,
        head_commit: str,
        tree: str,
        loops_passed: tuple[bool, ...],
        ship_allowed: bool,
        record_id: str,
    ) -> None:
        self.head_commit = head_commit
        self.tree = tree
        self.loops_passed = loops_passed
        self.ship_allowed = ship_allowed
        self.record_id = record_id

    @property
    def is_staged(self) -> bool:
        """Whether the state is about staged content, which is named by its tree."""
        return self.head_commit == self.tree


def read_state(data: bytes) -> StateView:
    """The state in `data`, or a StateError; `"true"`, 1 and a missing field are all refused."""
    if len(data) > MAX_STATE_BYTES:
        raise StateError(f"it is larger than {MAX_STATE_BYTES} bytes")
    try:
        state = parse(data)
    except StrictJsonError as error:
        raise StateError(str(error)) from None
    if not isinstance(state, dict):
        raise StateError("it is not a JSON object")
    _check_fields(state)
    return _view(state)


def _check_fields(state: Mapping[str, object]) -> None:
    missing = [field for field in SEED_FIELDS + OUR_FIELDS if field not in state]
    if missing:
        raise StateError(f"the field {missing[0]} is missing")
    unknown = [field for field in state if field not in SEED_FIELDS and field not in OUR_FIELDS]
    if unknown:
        raise StateError(f"the field {unknown[0]!r} is unknown")
    if type(state["version"]) is not int or state["version"] != STATE_VERSION:
        raise StateError(f"version {state['version']!r} is not one this program reads")
    for field in ("head_commit", "base_commit", "tree"):
        if not is_object_id(state[field]):
            raise StateError(f"{field} is not a full object id")
    for field in ("timestamp", "policy"):
        if not isinstance(state[field], str):
            raise StateError(f"{field} is not a text")
    _check_containers(state)


def _check_containers(state: Mapping[str, object]) -> None:
    for field in ("ship_allowed", *(f"loop_{number}_passed" for number in range(1, LOOP_COUNT + 1))):
        if type(state[field]) is not bool:
            raise StateError(f"{field} is not true or false")
    blockers = state["blockers"]
    if not isinstance(blockers, list) or not all(isinstance(blocker, str) for blocker in blockers):
        raise StateError("blockers is not a list of texts")
    if not isinstance(state["reviewers"], list):
        raise StateError("reviewers is not a list")
    _check_details(state["loop_details"])


def _check_details(details: object) -> None:
    if not isinstance(details, dict):
        raise StateError("loop_details is not an object")
    for name, detail in details.items():
        if not isinstance(detail, dict) or type(detail.get("passed")) is not bool:
            raise StateError(f"loop_details.{name} has no passed")
        if not isinstance(detail.get("issues"), list):
            raise StateError(f"loop_details.{name} has no list of issues")


def _view(state: Mapping[str, object]) -> StateView:
    decision = state["decision"]
    if not isinstance(decision, dict) or not isinstance(decision.get("record"), str):
        raise StateError("decision names no record")
    return StateView(
        head_commit=str(state["head_commit"]),
        tree=str(state["tree"]),
        loops_passed=tuple(state[f"loop_{number}_passed"] is True for number in range(1, LOOP_COUNT + 1)),
        ship_allowed=state["ship_allowed"] is True,
        record_id=decision["record"],
    )
