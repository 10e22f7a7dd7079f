"""Anthropic's models through the API, with an answer by schema and the shared part in the cache."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import ClassVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from review_gate.pipeline.answers import Unusable, read_answer
from review_gate.ports import Failure, Family, NoReply, Question, Reply, Usage
from review_gate.shell.process import Commands
from review_gate.shell.providers.anthropic_wire import (
    MOST_BYTES,
    InterruptedCallError,
    Received,
    TooLongError,
    call_within,
    send,
)
from review_gate.shell.providers.complaints import Complaints, nested
from review_gate.shell.providers.deadline import Retries, Tried, ask_in_time
from review_gate.shell.providers.symptoms import ENDINGS, PASSING, kind_of_status
from review_gate.strict_json import StrictJsonError, parse

PACKAGE = "anthropic"
# The names that the SDK has for them, in its order.
CREDENTIALS = {"api_key": "ANTHROPIC_API_KEY", "auth_token": "ANTHROPIC_AUTH_TOKEN"}
BASE_URL = "ANTHROPIC_BASE_URL"
NEXT_STEPS: Mapping[Failure, str] = {
    "no_key": "set ANTHROPIC_API_KEY in the environment, or choose another provider",
    "not_installed": "pip install 'review-gate[anthropic]'",
    "not_logged_in": "check that ANTHROPIC_API_KEY is a valid key for this service",
    "crashed": "pip install --upgrade anthropic, then try again",
}
# How long a service asks to wait.
SECONDS = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,6})?")
LONGEST_HEADER = 64


class _Part(BaseModel):
    """A part of an answer; the service may have more fields tomorrow, but these have to be right."""

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="ignore", strict=True)


class _Block(_Part):
    type: str
    text: str = ""


class _Counts(_Part):
    input_tokens: int = Field(default=0, ge=0)
    cache_creation_input_tokens: int | None = Field(default=None, ge=0)
    cache_read_input_tokens: int | None = Field(default=None, ge=0)
    output_tokens: int = Field(default=0, ge=0)

    def usage(self) -> Usage:
        """Anthropic counts what comes from a cache, and what goes into one, beside the rest of the input."""
        cached = self.cache_read_input_tokens or 0
        whole = self.input_tokens + (self.cache_creation_input_tokens or 0) + cached
        return Usage(input_tokens=whole, cached_tokens=cached, output_tokens=self.output_tokens)


class Message(_Part):
    """One answer."""

    model: str
    stop_reason: str | None
    content: list[_Block]
    usage: _Counts

    @property
    def text(self) -> str:
        """What the model said."""
        return "".join(block.text for block in self.content if block.type == "text")


class AnthropicApi:
    """The Messages API, asked through Anthropic's SDK."""

    name = "anthropic"
    family: Family = "anthropic"

    def __init__(
        self, environ: Mapping[str, str], commands: Commands, *, model: str, retries: Retries | None = None
    ) -> None:
        self.model = model
        self._environ = dict(environ)
        self._commands = commands
        self._retries = retries or Retries()
        self._complaints = Complaints(environ, NEXT_STEPS)

    def unusable(self) -> NoReply | None:
        """Why it cannot be asked here."""
        if problem := nested(self._environ):
            return problem
        if importlib.util.find_spec(PACKAGE) is None:
            return self._complaints.about("not_installed", "the Python package anthropic is not installed")
        credentials = self._credentials()
        if not credentials:
            return self._complaints.about("no_key", "ANTHROPIC_API_KEY is not set")
        if not all(value.isascii() and value.isprintable() and " " not in value for value in credentials.values()):
            return self._complaints.about("no_key", "the key in the environment has characters that no key has")
        return None

    def ask(self, question: Question) -> Reply | NoReply:
        """The answer, by the deadline."""
        if problem := self.unusable():
            return problem
        return ask_in_time(question, lambda seconds: self._try(question, seconds), self._retries, self._commands)

    def _credentials(self) -> dict[str, str]:
        """The first of them that is set."""
        found = ((argument, self._environ.get(variable, "")) for argument, variable in CREDENTIALS.items())
        return dict([pair for pair in found if pair[1]][:1])

    def _try(self, question: Question, seconds: float) -> Tried:
        base_url = self._environ.get(BASE_URL) or None
        try:
            received = call_within(
                seconds, lambda: send(question, self.model, self._credentials(), base_url, seconds), self._commands
            )
        except Exception as error:
            # Whatever the network, the other side or another version of the SDK may raise, none of it is a vote.
            return self._broken(error, question)
        if not received.is_success:
            return self._refusal(received)
        return self._message(received, question)

    def _broken(self, error: Exception, question: Question) -> Tried:
        cause = error.__cause__ or error
        if isinstance(error, InterruptedCallError):
            return self._failed("crashed", "the run was interrupted")
        if isinstance(error, TooLongError):
            return self._failed("malformed", f"the service sent more than {MOST_BYTES:,} bytes")
        if isinstance(error, ImportError):
            return self._failed("not_installed", f"the Python package anthropic cannot be used: {error}")
        if isinstance(error, TimeoutError) or "Timeout" in type(cause).__name__:
            return self._failed("timeout", f"the service gave no answer within {question.seconds:g} seconds")
        words = f"{type(cause).__name__}: {cause}"
        if _is_of_the_network(error, cause):
            return self._failed("unreachable", f"the service cannot be reached: {words}")
        return self._failed("crashed", f"the Python package anthropic failed: {words}")

    def _refusal(self, received: Received) -> Tried:
        """What a status that is no success means; only a limit or an overload may pass."""
        text = received.body.decode("utf-8", "replace")
        said = _error_text(received.body)
        kind = kind_of_status(received.status, said)
        why = f"the service answered with status {received.status}" + (f": {said}" if said else "")
        may_pass = kind == "overloaded" or received.status == 429
        after = seconds_to_wait(received.retry_after, datetime.now(UTC))
        return Tried(self._complaints.about(kind, why, raw=text), may_pass=may_pass, after=after)

    def _message(self, received: Received, question: Question) -> Tried:
        text = received.body.decode("utf-8", "replace")
        try:
            message = Message.model_validate(parse(received.body))
        except (StrictJsonError, ValidationError):
            # Most likely a proxy with a page of its own: it would say the same again.
            what = received.content_type.partition(";")[0] or "nothing that it has a name for"
            return self._failed("malformed", f"the service sent no message but {what}", raw=text)
        usage = message.usage.usage()
        if ending := ENDINGS.get(message.stop_reason or ""):
            return Tried(self._complaints.about(*ending, raw=message.text, usage=usage))
        return self._answer(message, question, usage)

    def _answer(self, message: Message, question: Question, usage: Usage) -> Tried:
        read = read_answer(message.text, question.answer)
        if message.stop_reason != "end_turn":
            read = Unusable(f"the message ended with {message.stop_reason or 'no reason'}, which is no whole answer")
        if isinstance(read, Unusable):
            said = self._complaints.about("malformed", read.why, raw=message.text, usage=usage)
            return Tried(said, may_pass=True)
        return Tried(Reply(data=read, raw=message.text, model=message.model, usage=usage, attempts=1))

    def _failed(self, kind: Failure, why: str, *, raw: str = "") -> Tried:
        return Tried(self._complaints.about(kind, why, raw=raw), may_pass=kind in PASSING)


def _error_text(body: bytes) -> str:
    """The message in the body of an error, empty where it is no JSON of that form."""
    try:
        error = parse(body)
    except StrictJsonError:
        return ""
    inner = error.get("error") if isinstance(error, dict) else None
    message = inner.get("message") if isinstance(inner, dict) else None
    return message if isinstance(message, str) else ""


def _is_of_the_network(error: Exception, cause: BaseException) -> bool:
    """Whether the way to the service is at fault; the SDK may use one of several HTTP libraries."""
    origin = type(cause).__module__.partition(".")[0]
    return isinstance(cause, OSError) or type(error).__name__ == "APIConnectionError" or origin.startswith("http")


def seconds_to_wait(header: str, now: datetime) -> float | None:
    """The seconds that a Retry-After header asks for, by number or date; None where it makes no sense."""
    text = header.strip()[:LONGEST_HEADER]
    if SECONDS.fullmatch(text):
        return float(text)
    try:
        when = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max((when - now).total_seconds(), 0.0)
