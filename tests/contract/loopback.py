"""A Messages API on loopback that does what its script says, well or badly."""

from __future__ import annotations

import contextlib
import json
import sys
import threading
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from steps import KEY, LOGIN_PAGE, REASON, Step

STATUS = {"overloaded": 529, "limited": 429, "unauthorized": 401, "tell_key": 400}
PIECE = b" " * 1_000_000
DRIP_SECONDS = 0.02


class Request(NamedTuple):
    """What the SDK sent."""

    headers: dict[str, str]
    body: dict[str, Any]


class Answer(NamedTuple):
    """A whole answer, written by hand."""

    status: int
    body: bytes
    headers: dict[str, str]


class Server(ThreadingHTTPServer):
    """One answer of the script for each request; the last one repeats."""

    daemon_threads = True

    def __init__(self, script: Sequence[Step | Answer]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script = list(script)
        self.requests: list[Request] = []
        self.over = threading.Event()
        self._turn = threading.Lock()

    @property
    def url(self) -> str:
        """Its base URL."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def next(self, request: Request) -> Step | Answer:
        """What to do with a request."""
        with self._turn:
            self.requests.append(request)
            return self.script[min(len(self.requests), len(self.script)) - 1]

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is what some tests are about."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]  # what came in goes on


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    server: Server

    def log_message(self, *_: object) -> None:
        """Nothing is logged."""

    def do_POST(self) -> None:
        """Play the next step."""
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        step = self.server.next(Request(headers, body))
        if isinstance(step, Answer):
            self._send(step)
        elif step.trouble in STATUS:
            self._send(error(STATUS[step.trouble], KEY if step.trouble == "tell_key" else REASON))
        elif step.trouble == "login_page":
            self._send(Answer(200, LOGIN_PAGE.encode(), {"content-type": "text/html; charset=utf-8"}))
        elif step.trouble == "nothing":
            self._send(Answer(200, b"", {}))
        elif step.trouble:
            self._misbehave(step)
        else:
            self._send(message(step.text, stop=step.ending or "end_turn"))

    def _send(self, answer: Answer) -> None:
        self._begin(answer, len(answer.body))
        self.wfile.write(answer.body)

    def _begin(self, answer: Answer, length: int) -> None:
        self.send_response(answer.status)
        usual = {"content-type": "application/json", "content-length": str(length)}
        for name, value in {**usual, **answer.headers}.items():
            self.send_header(name, value)
        self.end_headers()

    def _misbehave(self, step: Step) -> None:
        whole = message(step.text)
        if step.trouble == "hang_midway":
            self._begin(whole, len(whole.body))
            self.wfile.write(whole.body[:20])
        if step.trouble == "drip":
            # Even the headers come byte by byte: no byte is ever late, and the whole never comes.
            for byte in b"HTTP/1.1 200 OK\r\nx-slow: " + b"a" * 10_000:
                self.wfile.write(bytes([byte]))
                if self.server.over.wait(DRIP_SECONDS):
                    return
        elif step.trouble == "flood":
            self._begin(whole, 50 * len(PIECE))
            for _ in range(50):
                self.wfile.write(PIECE)
        else:
            self.server.over.wait()
        self.close_connection = True


def message(text: str, *, stop: str | None = "end_turn", **changes: Any) -> Answer:
    """A message as the API sends it."""
    usage = {"input_tokens": 10, "cache_creation_input_tokens": 3, "cache_read_input_tokens": 4, "output_tokens": 5}
    fields = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-test-1-20260101",
        "content": [{"type": "text", "text": text}],
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": usage,
        **changes,
    }
    return Answer(200, json.dumps(fields).encode(), {})


def error(status: int, words: str, **headers: str) -> Answer:
    """An error as the API sends it."""
    body = {"type": "error", "error": {"type": "some_error", "message": words}}
    return Answer(status, json.dumps(body).encode(), {name.replace("_", "-"): value for name, value in headers.items()})


@contextlib.contextmanager
def serving(*script: Step | Answer) -> Iterator[Server]:
    """A server for as long as this lasts."""
    with Server(script) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.over.set()
            server.shutdown()
            thread.join()
