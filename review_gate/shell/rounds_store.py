"""The folders of reviews in rounds: a state, a numbered folder for each round, and a log with a line for each event."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from shlex import quote
from typing import TypeVar

from filelock import FileLock, Timeout
from pydantic import ValidationError

from review_gate.consensus.schema import Answer, Decision, Refutation, Request, ReviewState
from review_gate.errors import MisuseError, ReviewGateError
from review_gate.models import Frozen
from review_gate.shell.files import UnsafeFileError, append_line, read_plain_file, replace_file
from review_gate.shell.held_lock import is_held
from review_gate.shell.own_folder import is_own_folder, make_own_folder
from review_gate.shell.settled_rounds import STATE
from review_gate.strict_json import StrictJsonError, parse

REQUEST, DECISION = "request.json", "decision.json"
REFUTATIONS = "refutations.json"
LOG = "log.jsonl"
SAID = "asking.log"
MAX_BYTES = 40_000_000
MAX_LOG_BYTES = 5_000_000
LOCK_SECONDS = 20.0
# Whoever asked about the round before may be about to end, and who only looks holds the lock for a moment.
ASKING_SECONDS = 5.0
# The oldest ones that are over go first.
MOST_REVIEWS = 200
_ID = re.compile(r"[a-z0-9][a-z0-9-]{3,40}")
_NAME = re.compile(r"[A-Za-z0-9][\w.-]*", re.ASCII)
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
        self._asker = os.path.join(path, "asking.json")
        self._lock = FileLock(os.path.join(path, "lock"), timeout=LOCK_SECONDS, mode=0o600)
        # A request is written once, may be large, and is read every time a waiting check looks.
        self._requests: dict[int, Request] = {}

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Keep out whoever would change it too."""
        with _locked(self._lock, f"the review {self.id} is", f"review-gate check {self.id}"):
            yield

    @contextlib.contextmanager
    def asking_alone(self) -> Iterator[bool]:
        """Whether this is the only process that asks; it is as long as this lasts."""
        lock = FileLock(self.asking, timeout=ASKING_SECONDS, mode=0o600)
        try:
            lock.acquire()
        except Timeout:
            yield False
            return
        try:
            self.write_text(os.path.basename(self._asker), json.dumps({"pid": os.getpid()}))
            yield True
        finally:
            self.forget_asker()
            lock.release()

    @property
    def asker(self) -> int | None:
        """The process that asks, as far as it is known."""
        try:
            found = parse(read_plain_file(self._asker, 1_000) or b"{}")
        except (UnsafeFileError, StrictJsonError):
            return None
        pid = found.get("pid") if isinstance(found, dict) else None
        return pid if isinstance(pid, int) and pid > 1 and self.is_asking else None

    def forget_asker(self) -> None:
        """Before another one begins: a number that is in use again is somebody else's."""
        with contextlib.suppress(OSError):
            os.unlink(self._asker)

    @property
    def is_asking(self) -> bool:
        """Whether a process asks the reviewers right now."""
        return is_held(self.asking)

    def state(self) -> ReviewState:
        """How the review stands."""
        found = self._read(STATE, ReviewState)
        if found is None or found.id != self.id:
            raise self._damaged(f"{STATE} is missing or of another review")
        return found

    def write_state(self, state: ReviewState) -> None:
        """Replace the state."""
        self._write(STATE, state)

    def request(self, number: int) -> Request:
        """What was asked in a round."""
        found = self._requests.get(number) or self._read(_in_round(number, REQUEST), Request)
        if found is None or found.round != number:
            raise self._damaged(f"round {number} has no {REQUEST}")
        self._requests[number] = found
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
        self._write(self._answer_file(number, answer.member), answer)

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

    def has_text(self, name: str) -> bool:
        """Whether such a text was written."""
        return os.path.lexists(os.path.join(self.path, name))

    def log(self, event: str, when: str, **fields: object) -> None:
        """Add one line about what happened."""
        line = json.dumps({"time": when, "event": event, **fields}, default=str).encode("ascii") + b"\n"
        with contextlib.suppress(OSError):
            append_line(os.path.join(self.path, LOG), line, limit=MAX_LOG_BYTES, mode=0o600)

    def _answer(self, number: int, name: str) -> Answer | None:
        found = self._read(self._answer_file(number, name), Answer)
        return found if found is not None and found.member == name else None

    def _answer_file(self, number: int, name: str) -> str:
        """Where an answer is; a name that leads elsewhere was put there by somebody else."""
        if not _NAME.fullmatch(name):
            raise self._damaged(f"{name!r} is no name of a reviewer")
        return _in_round(number, f"{name}.answer.json")

    def _read(self, name: str, kind: type[Kept]) -> Kept | None:
        try:
            data = read_plain_file(os.path.join(self.path, name), MAX_BYTES)
            # As JSON, since only there a list may stand for a tuple; and read strictly before that.
            return None if data is None else kind.model_validate_json(json.dumps(parse(data)))
        except (UnsafeFileError, StrictJsonError, ValidationError, OSError) as error:
            raise self._damaged(f"{name}: {_first(error)}") from None

    def _write(self, name: str, document: Frozen) -> None:
        data = document.model_dump_json(indent=1).encode("utf-8", "surrogatepass") + b"\n"
        if len(data) > MAX_BYTES:
            raise ReviewGateError(
                f"{self.id}: {name} would have {len(data):,} bytes, more than {MAX_BYTES:,}",
                why="what cannot be read again cannot be decided on",
                next_step="review a part of it: review-gate spawn-code-review with a smaller scope",
            )
        replace_file(os.path.join(self.path, name), data, scratch=self.path, mode=0o600)

    def _damaged(self, what: str) -> ReviewGateError:
        return ReviewGateError(
            f"the review {self.id} cannot be read: {what}",
            why="a review that cannot be worked out again has not agreed",
            next_step=f"begin a new one; this one is gone with its folder: rm -r {quote(self.path)}",
        )


class RoundsStore:
    """All reviews in rounds of a repository, or of a user where there is none."""

    def __init__(self, home: str, most: int = MOST_REVIEWS) -> None:
        self.home = home
        self._most = most

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Keep out whoever would begin a review too."""
        make_own_folder(self.home)
        lock = FileLock(os.path.join(self.home, "lock"), timeout=LOCK_SECONDS, mode=0o600)
        with _locked(lock, "another review is", "the same command again"):
            yield

    def create(self, review_id: str) -> ReviewFolder:
        """A folder for a new review; the oldest ones that are over make room for it."""
        make_own_folder(self.home)
        self._make_room()
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
        return [name for name in self._folders() if os.path.lexists(os.path.join(self.home, name, STATE))]

    def unreadable(self) -> list[ReviewFolder]:
        """Every review that cannot be read; nobody may take it for one that is over."""
        readable = {folder.id for folder, _ in self.reviews()}
        return [ReviewFolder(os.path.join(self.home, name)) for name in self.names() if name not in readable]

    def reviews(self) -> list[tuple[ReviewFolder, ReviewState]]:
        """Every review that can be read, oldest first."""
        found = []
        for name in self.names():
            folder = ReviewFolder(os.path.join(self.home, name))
            with contextlib.suppress(ReviewGateError):
                found.append((folder, folder.state()))
        return sorted(found, key=lambda one: (one[1].created, one[1].id))

    def _folders(self) -> list[str]:
        try:
            entries = sorted(os.listdir(self.home))
        except (FileNotFoundError, NotADirectoryError):
            return []
        if not is_own_folder(self.home):
            raise ReviewGateError(
                f"{self.home} is no folder of ours",
                why="what others can put there is no review: it is a link, it belongs to somebody else, "
                "or others may write to it",
                next_step=f"ls -ld {quote(self.home)}, and move it away",
            )
        return [name for name in entries if _ID.fullmatch(name) and is_own_folder(os.path.join(self.home, name))]

    def _make_room(self) -> None:
        """Remove the oldest reviews that are over."""
        over = [folder.path for folder, state in self.reviews() if state.status == "resolved"]
        for path in over[: max(len(self.names()) + 1 - self._most, 0)]:
            # Without a state it is no review any more, however far the rest gets.
            os.unlink(os.path.join(path, STATE))
            shutil.rmtree(path, ignore_errors=True)


@contextlib.contextmanager
def _locked(lock: FileLock, what: str, next_step: str) -> Iterator[None]:
    try:
        lock.acquire()
    except Timeout:
        raise ReviewGateError(
            f"{what} being looked at by somebody else",
            why=f"it was not let go within {LOCK_SECONDS:g} seconds",
            next_step=next_step,
        ) from None
    try:
        yield
    finally:
        lock.release()


def _in_round(number: int, name: str) -> str:
    return os.path.join(_number(number), name)


def _number(number: int) -> str:
    return f"{number:02}"


def _first(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False)[0]
        return f"{'.'.join(map(str, first['loc'])) or 'the whole'}: {first['msg']}"
    return str(error)


def now_text(moment: datetime) -> str:
    """A moment as it is written down."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def later(moment: datetime, seconds: float) -> str:
    """So many seconds after a moment."""
    return now_text(moment + timedelta(seconds=seconds))


def seconds_until(text: str) -> float:
    """How long it is until a moment that was written down; below 0 when it is over."""
    return (datetime.fromisoformat(text) - datetime.now(UTC)).total_seconds()
