"""Gemini CLI, which knows no schema: it stands in the prompt, and the answer is checked here."""

from __future__ import annotations

import json
from collections.abc import Mapping

from review_gate.pipeline.answers import read_answer
from review_gate.ports import Failure, Family, Question, Usage
from review_gate.shell.process import Commands
from review_gate.shell.providers.deadline import Retries, Tried
from review_gate.shell.providers.program import (
    Answered,
    ProgramProvider,
    one_object,
    text_in,
    tokens_in,
    usage_of,
    within,
)
from review_gate.shell.providers.schema import strict_schema
from review_gate.shell.providers.symptoms import kind_of_status, kind_of_words

# It is appended to what stands on standard input.
INSTRUCTION = "Do what the text above asks, use no tools, and answer with nothing but the JSON object."
# 41, 55 and 145 were seen with 0.61.0; 42 and 53 are from its documentation.
EXIT_CODES: dict[int, Failure] = {41: "not_logged_in", 42: "refused", 53: "truncated", 55: "refused"}
# 145 is 401 modulo 256; that other statuses come the same way is concluded from it.
STATUSES = (400, 401, 403, 404, 429, 500, 502, 503, 504)
MOST_STARTS = 20


class GeminiCli(ProgramProvider):
    """`gemini -p`, as Gemini CLI 0.61.0 takes it; that version has no flag for a limit of output tokens."""

    name = "gemini"
    family: Family = "google"
    login = "run gemini and sign in, or set GEMINI_API_KEY"
    package = "npm install -g @google/gemini-cli"

    def __init__(
        self, environ: Mapping[str, str], commands: Commands, *, model: str, retries: Retries | None = None
    ) -> None:
        # Without a model its router asks one first, and may hang on the answer.
        super().__init__(environ, commands, model=model, retries=retries)

    def arguments(self, question: Question, files: str) -> list[str]:
        """There is nothing to trust in the folder, which is empty and ours; without the flag a run ends with 55."""
        return ["-p", INSTRUCTION, "--output-format", "json", "--skip-trust", "-m", self.model]

    def prompt(self, question: Question) -> str:
        """The question, and the shape of the answer."""
        schema = json.dumps(strict_schema(question.answer), indent=1)
        shape = f"Answer with exactly one JSON object that fits this JSON Schema, without any other text:\n{schema}"
        return f"{super().prompt(question)}\n\n{shape}"

    def read(self, answered: Answered, question: Question) -> Tried:
        """The answer is the text in `response`."""
        if answered.has_failed:
            return self._failure(answered)
        result = one_object(answered.output)
        if result is None or not isinstance(result.get("response"), str | None):
            return self.no_result(answered.output)
        usage = _usage(result)
        if result.get("error") is not None:
            said = text_in(result, "error", "message")
            return self.failed(kind_of_words(said), f"gemini: {said or 'an error without a reason'}", usage=usage)
        text = text_in(result, "response")
        return self.answer(read_answer(text, question.answer), text, self.model, usage)

    def _failure(self, answered: Answered) -> Tried:
        code = answered.exit_code
        error = _error_in(answered.errors)
        said = text_in(error, "message") or answered.errors.strip() or "no reason given"
        told = within(error, "code")
        status = told if isinstance(told, int) and told >= 400 else _status_behind(code)
        if code in EXIT_CODES:
            kind = EXIT_CODES[code]
        else:
            kind = kind_of_status(status, said) if status else kind_of_words(said)
        return self.failed(kind, f"gemini ended with code {code}: {said}")


def _status_behind(code: int) -> int | None:
    return next((status for status in STATUSES if status % 256 == code), None)


def _error_in(errors: str) -> dict[str, object]:
    """The error that it prints as JSON on standard error, behind its warnings."""
    # Only where a line begins.
    starts = [
        number
        for number, letter in enumerate(errors)
        if letter == "{" and errors[max(number - 1, 0) : number] in ("", "\n")
    ]
    for start in starts[-MOST_STARTS:]:
        error = within(one_object(errors[start:].encode("utf-8", "replace")), "error")
        if isinstance(error, dict):
            return error
    return {}


def _usage(result: dict[str, object]) -> Usage:
    """Google counts what comes from a cache as part of the prompt, and thoughts beside the answer."""
    models = within(result, "stats", "models")
    tokens = [within(one, "tokens") for one in models.values()] if isinstance(models, dict) else []
    whole, cached, answer, thoughts = (
        sum(tokens_in(one, key) for one in tokens) for key in ("prompt", "cached", "candidates", "thoughts")
    )
    return usage_of(whole, cached, answer + thoughts)
