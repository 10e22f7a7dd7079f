"""A model on loopback that speaks the Messages API, reads what it is shown, finds nothing, and takes its time."""

from __future__ import annotations

import contextlib
import json
import re
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

# What stands above each file that a reviewer is shown; who has read it can name the token.
HEADING = re.compile(r"^=== file (?P<path>.*) \| [a-z ]+ \| token (?P<token>[0-9a-f]{8})$", re.MULTILINE)
# How the question begins whether a reviewer is missing.
GAPS = "You look for gaps in who reviews a change."
# What only reviewers in rounds are asked for.
VERDICT = "`verdict`: "
NO_ISSUES: Mapping[str, object] = {"severity_max": None, "confidence": 1, "findings": [], "no_issues": True}
# What only reviewers of a prompt are told.
PROMPT_ROLE = re.compile(r"^- `reviewer_role`: \"(?P<role>\w+)\"", re.MULTILINE)
USAGE = {"input_tokens": 1000, "output_tokens": 100}
PERSONAL = "ANTHROPIC"


@dataclass
class Hearing:
    """The questions of one run: how many, and when the first came and the last was answered."""

    seconds: float
    questions: int = 0
    began: float = 0.0
    ended: float = 0.0


class ModelServer(ThreadingHTTPServer):
    """Answers every question after some seconds."""

    daemon_threads = True
    # All questions of a run come at the same moment.
    request_queue_size = 64

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.hearings = [Hearing(0.0)]
        self._lock = threading.Lock()

    def expect(self, seconds: float) -> None:
        """What comes now is a run of its own, whose answers take so long."""
        self.hearings.append(Hearing(seconds))

    def question_came(self) -> Hearing:
        """Count a question."""
        with self._lock:
            hearing = self.hearings[-1]
            hearing.began = hearing.began or time.perf_counter()
            hearing.questions += 1
            return hearing

    def environ(self, environ: Mapping[str, str]) -> dict[str, str]:
        """An environment in which this model is asked, and no other can be."""
        kept = {name: value for name, value in environ.items() if not name.startswith(PERSONAL)}
        return kept | {
            "ANTHROPIC_API_KEY": "sk-ant-benchmark-0123456789",
            "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{self.server_address[1]}",
            "REVIEW_GATE_MODELS__PROVIDERS": "[anthropic]",
        }


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ModelServer

    def log_message(self, *_: object) -> None:
        """Nothing is logged."""

    def do_POST(self) -> None:
        """Answer one question."""
        hearing, came = self.server.question_came(), time.perf_counter()
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        data = json.dumps(_message(json.dumps(_answer(body)), body["model"])).encode()
        time.sleep(max(0.0, came + hearing.seconds - time.perf_counter()))
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
        hearing.ended = time.perf_counter()


def _blocks(body: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    system = body.get("system") or ""
    return [*([{"text": system}] if isinstance(system, str) else system), *body["messages"][0]["content"]]


def _answer(body: Mapping[str, Any]) -> dict[str, object]:
    """Nothing is wrong, everything was read, and nobody is missing."""
    text = "\n".join(block["text"] for block in _blocks(body))
    if GAPS in body["messages"][0]["content"][-1]["text"]:
        return {"amendments": []}
    if role := PROMPT_ROLE.search(text):
        return {"reviewer_role": role["role"], **NO_ISSUES}
    read = [{"path": one["path"], "token": one["token"]} for one in HEADING.finditer(text)]
    answer: dict[str, object] = {"findings": [], "files_read": read}
    if VERDICT not in text:
        return answer
    return {**answer, "verdict": "pass", "summary": "All of it."}


def _message(text: str, model: str) -> dict[str, object]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [{"type": "text", "text": text}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": USAGE,
    }


@contextlib.contextmanager
def model_server() -> Iterator[ModelServer]:
    """A model for as long as this lasts."""
    with ModelServer() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
