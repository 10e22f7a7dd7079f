"""The folders of reviews in rounds: a state, a numbered folder for each round, and a log with a line for each event."""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Iterator
from typing import TypeVar

from filelock import FileLock, Timeout
from pydantic import ValidationError

from review_gate.consensus.schema import Answer, Decision, Refutation, Request, ReviewState
from review_gate.errors import MisuseError, ReviewGateError
from review_gate.models import Frozen
from review_gate.shell.files import UnsafeFileError, append_line, read_plain_file, replace_file
from review_gate.shell.held_lock import is_held
from review_gate.shell.own_folder import make_own_folder
from review_gate.shell.settled_rounds import STATE
from review_gate.strict_json import StrictJsonError, parse

REQUEST, DECISION = "request.json", "decision.json"
REFUTATIONS = "refutations.json"
LOG = "log.jsonl"
SAID = "asking.log"
MAX_BYTES = 40_000_000
MAX_LOG_BYTES = 5_000_000
LOCK_SECONDS = 20.0
MOST_REVIEWS = 1_000
_ID = re.compile(r"[a-z0-9][a-z0-9-]{3,40}")
AGAIN = "review-gate rounds list"
Kept = TypeVar("Kept", bound=Frozen)


class Refutations(Frozen):
    """All refutations of a review, the newest last."""

    refutations: tuple[Refutation, ...] = ()


class ReviewFolder:
    """One review; whoever changes it does so alone."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.id = os.path.basename(path)
        self.said = os.path.join(path, SAID)
        # Held by the process that asks, for as long as it does.
        self.asking = os.path.join(path, "asking.lock")
        self._lock = FileLock(os.path.join(path, "lock"), timeout=LOCK_SECONDS)

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Keep out whoever would change it too."""
        try:
            with self._lock:
                yield
        except Timeout:
            raise ReviewGateError(
                f"the review {self.id} is being looked at by somebody else",
                why=f"it was not let go within {LOCK_SECONDS:g} seconds",
                next_step=f"review-gate check {self.id}",
            ) from None

    @contextlib.contextmanager
    def asking_alone(self) -> Iterator[bool]:
        """Whether this is the only process that asks; it is as long as this lasts."""
        try:
            with FileLock(self.asking, timeout=0):
                yield True
        except Timeout:
            yield False

    @property
    def is_asking(self) -> bool:
        """Whether a process asks the reviewers right now."""
        return is_held(self.asking)

    def state(self) -> ReviewState:
        """How the review stands."""
        found = self._read(STATE, ReviewState)
        if found is None or found.id != self.id:
            raise _damaged(self.id, f"{STATE} is missing or of another review")
        return found

    def write_state(self, state: ReviewState) -> None:
        """Replace the state."""
        self._write(STATE, state)

    def request(self, number: int) -> Request:
        """What was asked in a round."""
        found = self._read(_in_round(number, REQUEST), Request)
        if found is None or found.round != number:
            raise _damaged(self.id, f"round {number} has no {REQUEST}")
        return found

    def write_request(self, request: Request) -> None:
        """Begin a round."""
        os.makedirs(os.path.join(self.path, _number(request.round)), mode=0o700, exist_ok=True)
        self._write(_in_round(request.round, REQUEST), request)

    def answers(self, request: Request) -> dict[str, Answer]:
        """What has come in so far, by reviewer."""
        read = {member.name: self._answer(request.round, member.name) for member in request.members}
        return {name: answer for name, answer in read.items() if answer is not None}

    def write_answer(self, number: int, answer: Answer) -> None:
        """Keep what came of asking a reviewer."""
        self._write(_in_round(number, f"{answer.member}.answer.json"), answer)

    def decision(self, number: int) -> Decision | None:
        """What a round came to, None before that."""
        return self._read(_in_round(number, DECISION), Decision)

    def write_decision(self, decision: Decision) -> None:
        """Keep what a round came to."""
        self._write(_in_round(decision.round, DECISION), decision)

    def refutations(self) -> tuple[Refutation, ...]:
        """Why findings were called wrong."""
        found = self._read(REFUTATIONS, Refutations)
        return found.refutations if found else ()

    def write_refutations(self, refutations: tuple[Refutation, ...]) -> None:
        """Replace the refutations."""
        self._write(REFUTATIONS, Refutations(refutations=refutations))

    def write_text(self, name: str, text: str) -> str:
        """Keep a text for people and agents; its path."""
        path = os.path.join(self.path, name)
        replace_file(path, text.encode("utf-8", "replace"), scratch=self.path, mode=0o600)
        return path

    def log(self, event: str, when: str, **fields: object) -> None:
        """Add one line about what happened."""
        line = json.dumps({"time": when, "event": event, **fields}, default=str).encode("ascii") + b"\n"
        with contextlib.suppress(OSError):
            append_line(os.path.join(self.path, LOG), line, limit=MAX_LOG_BYTES)

    def _answer(self, number: int, name: str) -> Answer | None:
        found = self._read(_in_round(number, f"{name}.answer.json"), Answer)
        return found if found is not None and found.member == name else None

    def _read(self, name: str, kind: type[Kept]) -> Kept | None:
        try:
            data = read_plain_file(os.path.join(self.path, name), MAX_BYTES)
            # As JSON, since only there a list may stand for a tuple; and read strictly before that.
            return None if data is None else kind.model_validate_json(json.dumps(parse(data)))
        except (UnsafeFileError, StrictJsonError, ValidationError, OSError) as error:
            raise _damaged(self.id, f"{name}: {_first(error)}") from None

    def _write(self, name: str, document: Frozen) -> None:
        data = document.model_dump_json(indent=1).encode("utf-8", "surrogatepass") + b"\n"
        replace_file(os.path.join(self.path, name), data, scratch=self.path, mode=0o600)


class RoundsStore:
    """All reviews in rounds of a repository, or of a user where there is none."""

    def __init__(self, home: str) -> None:
        self.home = home

    def create(self, review_id: str) -> ReviewFolder:
        """A folder for a new review."""
        make_own_folder(self.home)
        path = os.path.join(self.home, review_id)
        os.mkdir(path, mode=0o700)
        return ReviewFolder(path)

    def find(self, review_id: str) -> ReviewFolder:
        """The review of that id, or the only one whose id begins so."""
        names = self.names()
        found = [name for name in names if name == review_id] or [name for name in names if name.startswith(review_id)]
        if len(found) != 1 or not review_id:
            raise MisuseError(
                f"there is no review {review_id!r} in rounds"
                if not found
                else f"{review_id!r} may be {', '.join(found)}",
                why="a review is named by its id, or by how it begins",
                next_step=AGAIN,
            )
        return ReviewFolder(os.path.join(self.home, found[0]))

    def names(self) -> list[str]:
        """The ids of all reviews."""
        try:
            entries = sorted(os.listdir(self.home))
        except (FileNotFoundError, NotADirectoryError):
            return []
        return [
            name for name in entries if _ID.fullmatch(name) and os.path.isfile(os.path.join(self.home, name, STATE))
        ]

    def reviews(self) -> list[tuple[ReviewFolder, ReviewState]]:
        """Every review that can be read, oldest first."""
        found = []
        for name in self.names():
            folder = ReviewFolder(os.path.join(self.home, name))
            with contextlib.suppress(ReviewGateError):
                found.append((folder, folder.state()))
        return sorted(found, key=lambda one: (one[1].created, one[1].id))


def _in_round(number: int, name: str) -> str:
    return os.path.join(_number(number), name)


def _number(number: int) -> str:
    return f"{number:02}"


def _damaged(review_id: str, what: str) -> ReviewGateError:
    return ReviewGateError(
        f"the review {review_id} cannot be read: {what}",
        why="a review that cannot be worked out again has not agreed",
        next_step="begin a new one: review-gate spawn-code-review (or spawn-plan-review)",
    )


def _first(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False)[0]
        return f"{'.'.join(map(str, first['loc'])) or 'the whole'}: {first['msg']}"
    return str(error)
