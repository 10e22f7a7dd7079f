"""A prompt that an agent's hook has seen, kept until the session asks for its review."""

from __future__ import annotations

from collections.abc import Mapping

from review_gate.prompts.history.audit import Trigger
from review_gate.prompts.outcome import PromptRequest
from review_gate.shell.prompt_store import REQUESTED, PromptStore


def keep_request(name: str, prompt: str, trigger: Trigger, environ: Mapping[str, str]) -> None:
    """Let the prompt wait under an id."""
    PromptStore(environ).keep(REQUESTED, name, PromptRequest(id=name, prompt=prompt, trigger=trigger))


def taken_request(name: str, environ: Mapping[str, str]) -> PromptRequest:
    """The prompt that waits under an id; it does so once."""
    store = PromptStore(environ)
    request = store.read(REQUESTED, name, PromptRequest)
    store.take(REQUESTED, name)
    return request
