"""One request to the Messages API through Anthropic's SDK, with a bound on everything that comes back."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import cache
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple

from review_gate.ports import Question
from review_gate.shell.process import Commands
from review_gate.shell.providers.schema import strict_schema

if TYPE_CHECKING:
    import ssl

    from anthropic import Anthropic
    from anthropic.types import TextBlockParam

MOST_BYTES = 8_000_000
MOST_ERROR_BYTES = 20_000
_first_come = threading.Lock()


class Received(NamedTuple):
    """An answer of the service, whatever it says."""

    status: int
    content_type: str
    retry_after: str
    body: bytes

    @property
    def is_success(self) -> bool:
        """Whether the status says that this is a message."""
        return 200 <= self.status < 300


class TooLongError(Exception):
    """The answer has more bytes than any that was asked for."""


class InterruptedCallError(Exception):
    """The run that the call was for is being ended."""


class _ReceivedError(Exception):
    def __init__(self, received: Received) -> None:
        super().__init__(received.status)
        self.received = received


def get_ready() -> ssl.SSLContext:
    """Do once what takes long, as early as one likes: 1.2 s for the import, and 50 ms for the certificates."""
    with _first_come:
        return _certificates()


@cache
def _certificates() -> ssl.SSLContext:
    import anthropic  # noqa: F401 - whoever asks first would wait for it
    from httpx2 import create_ssl_context

    return create_ssl_context()


def call_within(seconds: float, call: Callable[[], Received], commands: Commands) -> Received:
    """What a call brings; a TimeoutError at its end, an InterruptedCallError when the run is ended before.

    The call has a thread of its own, which is abandoned then: nothing else ends the wait for a name server.
    """
    outcomes: SimpleQueue[Received | Exception] = SimpleQueue()

    def work() -> None:
        try:
            outcomes.put(call())
        except Exception as error:
            outcomes.put(error)

    with commands.ended_by_interrupt(lambda: outcomes.put(InterruptedCallError())):
        threading.Thread(target=work, daemon=True).start()
        try:
            outcome = outcomes.get(timeout=seconds)
        except Empty:
            raise TimeoutError from None
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


def send(question: Question, model: str, credentials: dict[str, str], base_url: str | None, seconds: float) -> Received:
    """Ask once; the SDK's own retries are off, as it obeys a Retry-After of 49 days."""
    from anthropic import Anthropic, APIConnectionError, DefaultHttpxClient

    # The API never redirects, a login page does; nobody else is to see the key or the code.
    http = DefaultHttpxClient(
        verify=get_ready(),
        follow_redirects=False,
        timeout=seconds,
        event_hooks={"response": [_refuse_what_is_no_answer]},
    )
    end = time.monotonic() + seconds
    with Anthropic(
        api_key=credentials.get("api_key"),
        auth_token=credentials.get("auth_token"),
        base_url=base_url,
        max_retries=0,
        timeout=seconds,
        http_client=http,
    ) as client:
        try:
            return _ask(client, question, model, end)
        except APIConnectionError as error:
            if isinstance(error.__cause__, _ReceivedError):
                return error.__cause__.received
            raise


def _ask(client: Anthropic, question: Question, model: str, end: float) -> Received:
    from anthropic import transform_schema

    with client.messages.with_streaming_response.create(
        model=model,
        max_tokens=question.max_output_tokens,
        messages=[{"role": "user", "content": _content(question)}],
        output_config={"format": {"type": "json_schema", "schema": transform_schema(strict_schema(question.answer))}},
        # A decompressed flood cannot be bounded from here.
        extra_headers={"Accept-Encoding": "identity"},
    ) as response:
        body = bytearray()
        for piece in response.iter_bytes():
            body += piece
            if len(body) > MOST_BYTES:
                raise TooLongError
            # The time-out of the HTTP library begins anew with every byte.
            if time.monotonic() > end:
                raise TimeoutError
        return Received(response.status_code, response.headers.get("content-type", ""), "", bytes(body))


def _content(question: Question) -> list[TextBlockParam]:
    """What all reviewers share first, kept in the cache; the service takes no empty text."""
    shared: TextBlockParam = {"type": "text", "text": _sound(question.shared), "cache_control": {"type": "ephemeral"}}
    task: TextBlockParam = {"type": "text", "text": _sound(question.task)}
    return [block for block in (shared, task) if block["text"].strip()]


def _sound(text: str) -> str:
    """The text without halves of characters, as a file name of git may have them."""
    return text.encode("utf-8", "replace").decode()


def _refuse_what_is_no_answer(response: Any) -> None:
    """Stop at an error before the SDK reads all of its body, however long, and at an encoding nobody asked for."""
    encoding = response.headers.get("content-encoding", "identity")
    if response.is_success and encoding == "identity":
        return
    body = bytearray()
    for piece in response.iter_raw():
        body += piece[: MOST_ERROR_BYTES - len(body)]
        if len(body) >= MOST_ERROR_BYTES:
            break
    headers = response.headers
    raise _ReceivedError(
        Received(response.status_code, headers.get("content-type", ""), headers.get("retry-after", ""), bytes(body))
    )
