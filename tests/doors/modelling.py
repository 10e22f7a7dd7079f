"""A model on loopback that reads what it is shown, and answers for a real run of the program."""

from __future__ import annotations

import contextlib
import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BufferedIOBase
from typing import Any, NamedTuple

from conftest import Repo, Result

HEADING = re.compile(r"^=== file (?P<path>.*) \| (?P<about>[a-z ]+) \| token (?P<token>[0-9a-f]{8})$", re.MULTILINE)
AGENT = re.compile(r"^# (?P<title>.*)$", re.MULTILINE)


class Asked(NamedTuple):
    """One question as the model sees it."""

    shared: str
    task: str
    body: Mapping[str, Any]

    @property
    def model(self) -> str:
        """Who is asked."""
        return str(self.body["model"])

    @property
    def reviewer(self) -> str:
        """The first heading of the prompt."""
        found = AGENT.search(self.task)
        return found["title"] if found else ""

    @property
    def files(self) -> dict[str, str]:
        """Path -> token of each file that is shown."""
        return {found["path"]: found["token"] for found in HEADING.finditer(self.shared)}

    @property
    def is_about_gaps(self) -> bool:
        """Whether it asks for reviewers that are missing."""
        return "You look for gaps in who reviews a change." in self.task

    @property
    def is_second(self) -> bool:
        """Whether it is the look with the commit messages."""
        return "<<<messages " in self.task


Answer = dict[str, Any]


class Raw(NamedTuple):
    """A whole answer of the service, written by hand."""

    status: int
    body: bytes
    headers: Mapping[str, str] = {}


# Writes what it likes, as long as it likes; the event is set when the test is over.
Misbehaviour = Callable[[BufferedIOBase, threading.Event], None]
Says = Callable[[Asked], Answer | str | int | Raw | Misbehaviour]


def nothing_found(asked: Asked) -> Answer:
    """Everything was read, and all is well."""
    read = [{"path": path, "token": token} for path, token in asked.files.items()]
    return {"findings": [], "files_read": read}


def nobody_missing(_: Asked) -> Answer:
    """Every reviewer that is needed was chosen."""
    return {"amendments": []}


def missing(agent: str, concern: str, *files: str) -> Says:
    """A reviewer that nobody chose."""
    return lambda _: {"amendments": [{"agent": agent, "concern": concern, "files": list(files)}]}


def found(asked: Asked, **fields: Any) -> Answer:
    """One finding, and everything was read."""
    usual = {
        "rule": "other",
        "severity": "major",
        "message": "this is wrong",
        "file": next(iter(asked.files)),
        "line": 1,
        "quote": "x",
        "recommendation": "do it right",
        "confidence": 0.9,
    }
    return {**nothing_found(asked), "findings": [{**usual, **fields}]}


class Model(ThreadingHTTPServer):
    """Answers as a function says: an object, a text as it is, or the number of an HTTP error."""

    daemon_threads = True

    def __init__(self, says: Says, gaps: Says, seconds: float) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.says = says
        self.gaps = gaps
        self.seconds = seconds
        self.asked: list[Asked] = []
        self.asked_about_gaps: list[Asked] = []
        self.over = threading.Event()

    @property
    def environ(self) -> Mapping[str, str]:
        """What makes the program ask this model."""
        url = f"http://127.0.0.1:{self.server_address[1]}"
        return {"ANTHROPIC_API_KEY": "sk-ant-test-0123456789abcdef", "ANTHROPIC_BASE_URL": url}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Model

    def log_message(self, *_: object) -> None:
        """Nothing is logged."""

    def do_POST(self) -> None:
        """Answer one question."""
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        blocks = [block["text"] for block in body["messages"][0]["content"]]
        asked = Asked(_system(body) + "".join(blocks[:-1]), blocks[-1], body)
        is_about_gaps = asked.is_about_gaps
        (self.server.asked_about_gaps if is_about_gaps else self.server.asked).append(asked)
        self.server.over.wait(self.server.seconds)
        said = (self.server.gaps if is_about_gaps else self.server.says)(asked)
        with contextlib.suppress(ConnectionError):
            if callable(said):
                self.close_connection = True
                said(self.wfile, self.server.over)
            else:
                self._send(_raw(said, body["model"]))

    def _send(self, answer: Raw) -> None:
        self.send_response(answer.status)
        usual = {"content-type": "application/json", "content-length": str(len(answer.body))}
        for name, value in {**usual, **answer.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(answer.body)


def _raw(said: Answer | str | int | Raw, model: str) -> Raw:
    if isinstance(said, Raw):
        return said
    if isinstance(said, int):
        return problem(said)
    return message(said if isinstance(said, str) else json.dumps(said), model)


def problem(status: int, words: str = "no", **headers: str) -> Raw:
    """An error as the service sends it."""
    body = {"type": "error", "error": {"type": "some_error", "message": words}}
    return Raw(status, json.dumps(body).encode(), {name.replace("_", "-"): value for name, value in headers.items()})


def _system(body: Mapping[str, Any]) -> str:
    system = body.get("system") or ""
    return system if isinstance(system, str) else "".join(block["text"] for block in system)


def message(text: str, model: str = "claude-test-1", **changes: Any) -> Raw:
    """A message as the service sends it."""
    fields = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [{"type": "text", "text": text}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1000, "output_tokens": 100},
        **changes,
    }
    return Raw(200, json.dumps(fields).encode())


@contextlib.contextmanager
def model(says: Says = nothing_found, *, gaps: Says = nobody_missing, seconds: float = 0.0) -> Iterator[Model]:
    """A model for as long as this lasts."""
    with Model(says, gaps, seconds) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.over.set()
            server.shutdown()
            thread.join()


def run(repo: Repo, server: Model, *options: str, **environ: str) -> Result:
    """A review of the last commit by this model."""
    return repo.gate("run", "--base", "HEAD~1", "--yes", *options, **server.environ, **environ)


def reviewers(result: Result) -> dict[str, dict[str, Any]]:
    """What a report in JSON says of each reviewer."""
    report = json.loads(result.stdout)
    return {one["id"]: one for loop in report["loops"] for one in loop["reviewers"]}
