"""Codex in a sandbox that may only read, asked for one answer by schema."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator

from review_gate.pipeline.answers import LONGEST_ANSWER, read_answer
from review_gate.ports import Family, Question, Usage
from review_gate.shell.files import UnsafeFileError, read_plain_file
from review_gate.shell.providers.deadline import Tried
from review_gate.shell.providers.program import Answered, ProgramProvider, one_object, text_in, tokens_in, usage_of
from review_gate.shell.providers.schema import strict_schema
from review_gate.shell.providers.symptoms import kind_of_words

SCHEMA = "schema.json"
ANSWER = "answer.txt"


class CodexCli(ProgramProvider):
    """`codex exec`, as Codex CLI 0.166.0 takes it; that version has no flag for a limit of output tokens."""

    name = "codex"
    family: Family = "openai"
    login = "run codex login"
    package = "npm install -g @openai/codex"

    def arguments(self, question: Question, files: str) -> list[str]:
        """Plugins are off, as Codex would look for them on the network at each start."""
        schema = os.path.join(files, SCHEMA)
        with open(schema, "w", encoding="utf-8") as file:
            json.dump(strict_schema(question.answer), file)
        return [
            *("exec", "--json", "-s", "read-only", "--ephemeral", "--disable", "plugins", "--skip-git-repo-check"),
            *("--output-schema", schema, "-o", os.path.join(files, ANSWER)),
            *(("-m", self.model) if self.model else ()),
            "-",
        ]

    def read(self, answered: Answered, question: Question) -> Tried:
        """The turn has to be completed and the exit code 0; Codex itself does not check the answer."""
        events = list(_events(answered.output))
        completed = [event for event in events if event.get("type") == "turn.completed"]
        complaint = _complaint(events)
        if answered.has_failed or complaint is not None:
            said = complaint or answered.errors.strip() or "no reason given"
            return self.failed(kind_of_words(said), f"codex ended with code {answered.exit_code}: {said}")
        if not completed:
            return self.no_result(answered.output)
        text = _answer_in(answered.files)
        # Which model a default stands for is not told in the events of 0.166.0.
        return self.answer(read_answer(text, question.answer), text, self.model or "default", _usage(completed[-1]))


def _events(output: bytes) -> Iterator[dict[str, object]]:
    for line in output.splitlines():
        if event := one_object(line):
            yield event


def _complaint(events: list[dict[str, object]]) -> str | None:
    """Why the turn failed; an `error` before a completed turn was a connection that came back."""
    failed = [text_in(event, "error", "message") for event in events if event.get("type") == "turn.failed"]
    if failed:
        return failed[-1] or "the turn failed"
    if any(event.get("type") == "turn.completed" for event in events):
        return None
    errors = [text_in(event, "message") for event in events if event.get("type") == "error"]
    return errors[-1] or "it met an error" if errors else None


def _answer_in(files: str) -> str:
    try:
        data = read_plain_file(os.path.join(files, ANSWER), 4 * LONGEST_ANSWER)
    except UnsafeFileError:
        return ""
    return (data or b"").decode("utf-8", "surrogateescape")


def _usage(event: dict[str, object]) -> Usage:
    """OpenAI counts what comes from a cache as part of the input."""
    counts = (tokens_in(event, "usage", key) for key in ("input_tokens", "cached_input_tokens", "output_tokens"))
    return usage_of(*counts)
