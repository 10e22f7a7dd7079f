"""A model behind a program: found on PATH, run in an empty folder without an end later than the deadline."""

from __future__ import annotations

import os
import shutil
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import NamedTuple

from review_gate.config.places import REVIEWING_VARIABLE
from review_gate.models import Frozen
from review_gate.pipeline.answers import Unusable
from review_gate.ports import Failure, Family, NoReply, Question, Reply, Usage
from review_gate.shell.git import clean_environment
from review_gate.shell.process import Commands, Finished
from review_gate.shell.providers.complaints import Complaints, nested
from review_gate.shell.providers.deadline import Retries, Tried, ask_in_time
from review_gate.shell.providers.symptoms import PASSING
from review_gate.strict_json import StrictJsonError, parse

MOST_OUTPUT = 4_000_000
# What a program that is stopped gets to tidy up, and its output to arrive.
GRACE = 0.5
MOST_TOKENS = 1 << 53
CALLED_FROM = ("PWD", "OLDPWD")


class Answered(NamedTuple):
    """A program that came to its end, and the files that it was given besides its prompt."""

    exit_code: int
    output: bytes
    errors: str
    files: str

    @property
    def has_failed(self) -> bool:
        """Whether its exit code takes back whatever it printed."""
        return self.exit_code != 0


class ProgramProvider(ABC):
    """What the programs have in common; each has its own arguments and its own way to answer."""

    name: str
    family: Family
    login: str
    package: str

    def __init__(
        self, environ: Mapping[str, str], commands: Commands, *, model: str = "", retries: Retries | None = None
    ) -> None:
        self.model = model
        self._environ = dict(environ)
        self._commands = commands
        self._retries = retries or Retries()
        steps: dict[Failure, str] = {
            "not_installed": f"install {self.name} ({self.package}), or choose another provider",
            "not_logged_in": self.login,
            "crashed": f"run {self.name} by hand to see what is wrong with it",
        }
        self._complaints = Complaints(environ, steps)

    @abstractmethod
    def arguments(self, question: Question, files: str) -> list[str]:
        """The arguments; what stands in files goes into the folder `files`."""

    @abstractmethod
    def read(self, answered: Answered, question: Question) -> Tried:
        """What the program said."""

    def prompt(self, question: Question) -> str:
        """What the program reads; what all reviewers share comes first, where caches look for it."""
        return "\n\n".join(part for part in (question.shared, question.task) if part)

    def settings(self, question: Question) -> dict[str, str]:
        """Variables for the program."""
        return {}

    def unusable(self) -> NoReply | None:
        """Why it cannot be asked here."""
        if problem := nested(self._environ):
            return problem
        if self._path() is None:
            return self._complaints.about("not_installed", f"{self.name} is not on PATH")
        return None

    def ask(self, question: Question) -> Reply | NoReply:
        """The answer, by the deadline."""
        path = self._path()
        problem = self.unusable()
        if problem or path is None:
            return problem or self._complaints.about("not_installed", f"{self.name} is not on PATH")
        return ask_in_time(question, lambda seconds: self._try(path, question, seconds), self._retries, self._commands)

    def failed(self, kind: Failure, why: str, *, raw: str = "", usage: Usage | None = None) -> Tried:
        """No answer; the program is started again only for what can pass."""
        said = self._complaints.about(kind, why, raw=raw, usage=usage)
        return Tried(said, may_pass=kind in PASSING)

    def malformed(self, why: str, *, raw: str = "", usage: Usage | None = None) -> Tried:
        """An answer of the model that is none; it may do better the second time."""
        said = self._complaints.about("malformed", f"{self.name}: {why}", raw=raw, usage=usage)
        return Tried(said, may_pass=True)

    def no_result(self, output: bytes) -> Tried:
        """An output that is not the program's usual one, whatever the model said: it would be the same again."""
        why = f"{self.name} printed no result of the form that it should"
        return self.failed("malformed", why, raw=output.decode("utf-8", "replace"))

    def answer(self, read: Frozen | Unusable, raw: str, model: str, usage: Usage, usd: float | None = None) -> Tried:
        """The answer, if it has the shape that was asked for."""
        if isinstance(read, Unusable):
            tried = self.malformed(read.why, raw=raw, usage=usage)
            return tried._replace(said=tried.said.model_copy(update={"usd": usd}))
        return Tried(Reply(data=read, raw=raw, model=model, usage=usage, attempts=1, usd=usd))

    def _path(self) -> str | None:
        """Where the program is; a relative entry of PATH would find one in the repository that is reviewed."""
        folders = self._environ.get("PATH", "").split(os.pathsep)
        return shutil.which(self.name, path=os.pathsep.join(folder for folder in folders if os.path.isabs(folder)))

    def _try(self, path: str, question: Question, seconds: float) -> Tried:
        if seconds <= 0:
            # One that is quick enough could still answer, and whether it does would be chance.
            return self._too_late(question)
        try:
            with tempfile.TemporaryDirectory(prefix="review-gate-", ignore_cleanup_errors=True) as files:
                # Neither settings nor instructions of any project are found in it.
                empty = os.path.join(files, "empty")
                os.mkdir(empty)
                finished = self._commands.run(
                    [path, *self.arguments(question, files)],
                    directory=empty,
                    environ=self._environment(question),
                    seconds=seconds,
                    max_output=MOST_OUTPUT,
                    stdin=self.prompt(question).encode("utf-8", "replace"),
                    keeps_errors_apart=True,
                    grace=GRACE,
                )
                return self._judge(finished, question, files)
        except OSError as error:
            return self.failed("crashed", f"{self.name} could not be started: {error.strerror or error}")

    def _too_late(self, question: Question, errors: str = "") -> Tried:
        why = f"{self.name} gave no answer within {question.seconds:g} seconds and was stopped"
        return self.failed("timeout", why, raw=errors)

    def _environment(self, question: Question) -> dict[str, str]:
        # Whence it was called is where the reviewed files are.
        kept = {name: value for name, value in clean_environment(self._environ).items() if name not in CALLED_FROM}
        return kept | {REVIEWING_VARIABLE: "1", "NO_COLOR": "1"} | self.settings(question)

    def _judge(self, finished: Finished, question: Question, files: str) -> Tried:
        errors = finished.errors.decode("utf-8", "replace")
        if finished.has_timed_out:
            return self._too_late(question, errors)
        if finished.problem or finished.exit_code is None:
            why = f"{self.name}: {finished.problem or 'it did not end'}"
            return self.failed("crashed", why, raw=errors)
        if finished.is_cut:
            return self.failed("malformed", f"{self.name} printed more than {MOST_OUTPUT:,} bytes")
        return self.read(Answered(finished.exit_code, finished.output, errors, files), question)


def one_object(data: bytes) -> dict[str, object] | None:
    """The one JSON object in an output, None if it is anything else."""
    try:
        value = parse(data)
    except StrictJsonError:
        return None
    return value if isinstance(value, dict) else None


def within(value: object, *keys: str) -> object:
    """What stands at the end of a path of keys, None where the path breaks off."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def text_in(value: object, *keys: str) -> str:
    """The text at the end of a path of keys, empty where there is none."""
    found = within(value, *keys)
    return found if isinstance(found, str) else ""


def tokens_in(value: object, *keys: str) -> int:
    """The count at the end of a path of keys, 0 where there is none that makes sense."""
    found = within(value, *keys)
    return found if isinstance(found, int) and not isinstance(found, bool) and 0 <= found < MOST_TOKENS else 0


def usage_of(whole_input: int, cached: int, output: int) -> Usage:
    """What was used; no more can come from a cache than went in."""
    return Usage(input_tokens=whole_input, cached_tokens=min(cached, whole_input), output_tokens=output)
