"""The folder of a plan: the plan, its context, the state of its review and the marker of its approval."""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping

from filelock import FileLock, Timeout
from pydantic import ValidationError

from review_gate.checks.yaml_source import LIMITS
from review_gate.config.places import PLAN_CONTEXT, USER_REVIEWERS
from review_gate.config.yaml_reader import read_yaml
from review_gate.config.yaml_tree import UnreadableError, plain_data
from review_gate.errors import MisuseError, ReviewGateError
from review_gate.plans.marker import SUFFIX
from review_gate.plans.schema import PlanState
from review_gate.plans.target import PLAN, Target
from review_gate.shell.cache_folder import cache_folder
from review_gate.shell.edit import replace_content, write_whole
from review_gate.shell.files import UnsafeFileError, read_plain_file
from review_gate.shell.held_lock import is_held

SESSIONS = ".claude/sessions"
LOCKS = "plan-locks"
REVIEWS = "plan-reviews"
STATE = "state.yaml"
MAX_PLAN_BYTES = 20_000_000
MAX_FILE_BYTES = 2_000_000
LOCK_SECONDS = 2.0


class PlanFolder:
    """One plan and what belongs to it; of several plans in a folder each has a state of its own.

    `locks` is a folder outside of it: a lock file that is taken away while somebody waits for it keeps nobody out, and
    one that stays would be clutter beside the plan.
    """

    def __init__(self, plan: str, locks: str, home: str) -> None:
        self.plan = plan
        self.reviewers = os.path.join(home, *USER_REVIEWERS.split("/"))
        self.path = os.path.dirname(plan)
        # Of another kind of file all of its name: plans that only end otherwise share nothing.
        stem = os.path.basename(plan).removesuffix(".md")
        self.context = os.path.join(self.path, PLAN_CONTEXT)
        self.state = os.path.join(self.path, STATE if os.path.basename(plan) == PLAN else f"{stem}.{STATE}")
        self.marker = os.path.join(self.path, stem + SUFFIX)
        name = digest_of(os.fsencode(os.path.realpath(plan)))[:32]
        self.lock = os.path.join(locks, f"{name}.lock")
        self.records = os.path.join(os.path.dirname(locks), REVIEWS)
        self.record = os.path.join(self.records, f"{name}.json")
        self.log = os.path.join(self.records, f"{name}.log")
        # Of one lock a second hold by the same caller does not wait for the first.
        self._lock = FileLock(self.lock, timeout=LOCK_SECONDS)

    def read_plan(self) -> bytes | None:
        """The plan, None where there is none."""
        return _read(self.plan, MAX_PLAN_BYTES)

    def read(self, path: str) -> bytes | None:
        """One of the other files, None where there is none."""
        return _read(path, MAX_FILE_BYTES)

    def write(self, path: str, data: bytes) -> None:
        """Make one of the other files hold these bytes, whole or not at all."""
        write_whole(path, data)

    def change(self, path: str, old: bytes, new: bytes) -> None:
        """Edit the plan or one of the other files; what somebody else wrote meanwhile stays, and is an error."""
        replace_content(path, old, new)

    def forget_approval(self) -> None:
        """Take the marker away, if there is one."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.marker)

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Keep a second review of the same plan out."""
        os.makedirs(os.path.dirname(self.lock), mode=0o700, exist_ok=True)
        try:
            with self._lock:
                yield
        except Timeout:
            raise ReviewGateError(
                f"another review of {self.plan} is going on",
                why="two of them would edit the same text",
                next_step="wait for it, then the same command again",
            ) from None

    def is_under_way(self) -> bool:
        """Whether somebody reviews the plan right now; asking writes nothing."""
        return is_held(self.lock)


def folder_of(target: Target, environ: Mapping[str, str]) -> PlanFolder:
    """The plan that was named; a folder stands for the plan in it."""
    locks = os.path.join(cache_folder(environ, sys.platform) or tempfile.gettempdir(), LOCKS)
    home = environ.get("HOME") or environ.get("USERPROFILE") or os.path.expanduser("~")
    if target.session:
        folder = os.path.join(home, *SESSIONS.split("/"), target.session)
        # A link in the place of a session would lead out of the sessions.
        if os.path.islink(folder):
            raise MisuseError(
                f"{folder} is a link",
                why="a session is a folder of its own among the sessions",
                next_step=f"review-gate expert-review {os.path.realpath(folder)}",
            )
        return PlanFolder(os.path.join(folder, PLAN), locks, home)
    if "\0" in target.path:
        raise MisuseError("a path cannot hold a NUL", why="no file has such a name", next_step="name a plan")
    # No shell expands what stands behind `Review: `.
    named = os.path.join(home, target.path[2:]) if target.path.startswith("~/") else target.path
    path = os.path.abspath(named)
    return PlanFolder(os.path.join(path, PLAN) if os.path.isdir(path) else path, locks, home)


def digest_of(data: bytes) -> str:
    """What stands for a text in a marker and in the state."""
    return hashlib.sha256(data).hexdigest()


def _read(path: str, limit: int) -> bytes | None:
    try:
        return read_plain_file(path, limit)
    except UnsafeFileError as error:
        raise MisuseError(
            f"{path}: {error}", why="a review has to read all of it", next_step="put a plain file there"
        ) from None


def yaml_in(data: bytes, label: str) -> object:
    """The document in a YAML file, None if it is empty; an UnreadableError names the line."""
    try:
        found = read_yaml(data.decode("utf-8"), lambda line: f"{label}:{line}", LIMITS)
    except UnicodeDecodeError as error:
        raise UnreadableError(label, f"not UTF-8 at byte {error.start}") from None
    return None if found is None else plain_data(found)


def state_from(data: bytes | None, label: str) -> tuple[PlanState, str]:
    """The state in a file, or the first one with a warning where the file holds none."""
    try:
        return PlanState.model_validate(yaml_in(data or b"", label) or {}), ""
    except UnreadableError as error:
        what = f"{error.origin}: {error.text}"
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        what = f"{label}: {'.'.join(map(str, first['loc'])) or 'the whole'}: {first['msg']}"
    return PlanState(), f"{what}; the state was malformed, so the review begins anew"


def state_to_yaml(state: PlanState) -> bytes:
    """The file of a state."""
    from ruamel.yaml import YAML

    yaml = YAML(typ="safe", pure=True)
    yaml.default_flow_style = False
    yaml.allow_unicode = True
    document = state.model_dump(mode="json", exclude_none=True)
    out = io.BytesIO()
    yaml.dump({name: document[name] for name in PlanState.model_fields if name in document}, out)
    return out.getvalue()
