"""A Messages service on loopback that plays a script, in one piece or as a stream; nothing leaves the machine."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

Body = Mapping[str, Any]
Block = dict[str, Any]
Step = list[Block] | Callable[[Body], list[Block]]
USAGE = {"input_tokens": 10, "output_tokens": 5, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}


def say(text: str) -> list[Block]:
    """The model says something, and its turn ends."""
    return [{"type": "text", "text": text}]


def use(tool: str, **given: Any) -> list[Block]:
    """The model uses a tool."""
    return [{"type": "tool_use", "name": tool, "input": given}]


def shell(command: str) -> list[Block]:
    """The model runs a command."""
    return use("Bash", command=command, description="a command")


def subagent(name: str, prompt: str) -> list[Block]:
    """The model has one of our subagents work, and waits for it."""
    return use("Agent", subagent_type=name, description="a part", prompt=prompt, run_in_background=False)


class Part(NamedTuple):
    """What one agent plays: the main one, or a subagent whose instructions hold certain words."""

    steps: Sequence[Step]
    words: str = ""


def text_in(value: object) -> str:
    """Every text in a part of a request, one below the other."""
    if isinstance(value, str):
        return value + "\n"
    values = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return "".join(map(text_in, values))


def latest(body: Body) -> str:
    """What the model was shown since it last spoke."""
    messages = body["messages"]
    spoke = [place for place, one in enumerate(messages) if one["role"] == "assistant"]
    return text_in(messages[spoke[-1] + 1 if spoke else 0 :])


class Script(ThreadingHTTPServer):
    """The service. Which step comes next is told by the request itself, so that a repeated one is answered the same."""

    daemon_threads = True

    def __init__(self, parts: Sequence[Part]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.parts = parts
        self.requests: list[Body] = []
        # What a step could not do with what it was shown; the program would ask again and again, were it told.
        self.broken: list[str] = []

    @property
    def url(self) -> str:
        """Its base URL."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def next(self, body: Body) -> list[Block]:
        """What the model does now."""
        self.requests.append(body)
        if not body.get("tools"):
            # A title for the session, and the like.
            return say("ok")
        system = text_in(body.get("system"))
        part = next(part for part in reversed(self.parts) if part.words in system)
        turn = sum(one["role"] == "assistant" for one in body["messages"])
        step = part.steps[turn] if turn < len(part.steps) else say("That is all.")
        try:
            return step(body) if callable(step) else step
        except Exception as error:
            self.broken.append(f"{error!r}, after: {latest(body)}")
            return say("The script is broken.")

    def told(self, words: str) -> bool:
        """Whether the model was ever shown certain words."""
        return any(words in text_in(body.get("messages")) for body in self.requests)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # One packet for each answer: two small ones would wait for each other.
    wbufsize = -1
    disable_nagle_algorithm = True
    server: Script

    def log_message(self, *_: object) -> None:
        """Nothing is logged."""

    def do_HEAD(self) -> None:
        """Somebody asks whether anybody is there."""
        self._send(b"", "text/plain")

    def do_POST(self) -> None:
        """Play a step."""
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        with contextlib.suppress(ConnectionError):
            if "count_tokens" in self.path:
                self._send(json.dumps({"input_tokens": 10}).encode(), "application/json")
                return
            message = _message(self.server.next(body), str(body.get("model")), len(self.server.requests))
            if body.get("stream"):
                self._send(b"".join(_events(message)), "text/event-stream")
            else:
                self._send(json.dumps(message).encode(), "application/json")

    def _send(self, data: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
        self.wfile.flush()


def _message(blocks: Sequence[Block], model: str, number: int) -> dict[str, Any]:
    content = [
        {**block, "id": f"toolu_{number:04}{place:02}"} if block["type"] == "tool_use" else block
        for place, block in enumerate(blocks)
    ]
    is_to_go_on = any(block["type"] == "tool_use" for block in blocks)
    return {
        "id": f"msg_{number:04}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": "tool_use" if is_to_go_on else "end_turn",
        "stop_sequence": None,
        "usage": USAGE,
    }


def _events(message: dict[str, Any]) -> Iterator[bytes]:
    begun = {**message, "content": [], "stop_reason": None}
    yield _event("message_start", message=begun)
    for index, block in enumerate(message["content"]):
        if block["type"] == "text":
            empty, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            empty = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        yield _event("content_block_start", index=index, content_block=empty)
        yield _event("content_block_delta", index=index, delta=delta)
        yield _event("content_block_stop", index=index)
    ending = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield _event("message_delta", delta=ending, usage=USAGE)
    yield _event("message_stop")


def _event(kind: str, **fields: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n".encode()


@contextlib.contextmanager
def playing(*parts: Part) -> Iterator[Script]:
    """The service for as long as this lasts."""
    with Script(parts) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
