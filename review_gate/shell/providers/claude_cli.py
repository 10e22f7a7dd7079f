"""Claude Code without tools, settings, hooks or memory, asked for one structured answer."""

from __future__ import annotations

import json

from review_gate.pipeline.answers import fitting
from review_gate.ports import Family, Question, Usage
from review_gate.shell.providers.deadline import Tried
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
from review_gate.shell.providers.symptoms import ENDINGS, kind_of_status, kind_of_words

# What 2.1.325 says after five answers that its own check did not take: no reason to start it for five more.
GAVE_UP = "structured_output_retry_exhausted"


class ClaudeCli(ProgramProvider):
    """`claude -p`, as Claude Code 2.1.325 takes it."""

    name = "claude"
    family: Family = "anthropic"
    login = "run claude and type /login, or set ANTHROPIC_API_KEY"
    package = "npm install -g @anthropic-ai/claude-code"

    def arguments(self, question: Question, files: str) -> list[str]:
        """All that could act, remember or recurse is off: without `--setting-sources ""` it runs a project's hooks."""
        schema = json.dumps(strict_schema(question.answer), separators=(",", ":"))
        return [
            *("-p", "--output-format", "json", "--json-schema", schema, "--tools", "", "--setting-sources", ""),
            *("--strict-mcp-config", "--disable-slash-commands", "--no-session-persistence"),
            *(("--model", self.model) if self.model else ()),
        ]

    def settings(self, question: Question) -> dict[str, str]:
        """Few tries of its own: 2.1.325 was still repeating a 401 after 60 seconds."""
        return {"CLAUDE_CODE_MAX_RETRIES": "1", "CLAUDE_CODE_MAX_OUTPUT_TOKENS": str(question.max_output_tokens)}

    def read(self, answered: Answered, question: Question) -> Tried:
        """Exit code, `is_error` and `structured_output` decide; `subtype` says success even for errors of the API."""
        result = one_object(answered.output)
        if result is None:
            return self._without_result(answered)
        usage, cost = _usage(result), _cost(result)
        if answered.has_failed or result.get("is_error") is not False:
            return self._with_cost(self._error(result, answered, usage), cost)
        value = result.get("structured_output")
        if value is None:
            return self._with_cost(self._no_structure(result, usage), cost)
        raw = json.dumps(value, ensure_ascii=False)
        return self.answer(fitting(value, question.answer), raw, self._told_model(result), usage, cost)

    def _without_result(self, answered: Answered) -> Tried:
        if not answered.has_failed:
            return self.no_result(answered.output)
        output = answered.output.decode("utf-8", "replace")
        said = answered.errors.strip() or output.strip()
        return self.failed(kind_of_words(said), f"claude ended with code {answered.exit_code}: {said}", raw=output)

    def _error(self, result: dict[str, object], answered: Answered, usage: Usage) -> Tried:
        said = text_in(result, "result") or "; ".join(_texts(result.get("errors")))
        if result.get("terminal_reason") == GAVE_UP:
            return self.failed("malformed", f"claude: {said}", usage=usage)
        status = result.get("api_error_status")
        # A result that is no error, from a program that failed after it, is not to be trusted in any part.
        words = said if result.get("is_error") else answered.errors
        kind = kind_of_status(status, said) if isinstance(status, int) else kind_of_words(words)
        why = words.strip() or "no reason given"
        return self.failed(kind, f"claude ended with code {answered.exit_code}: {why}", raw=said, usage=usage)

    def _no_structure(self, result: dict[str, object], usage: Usage) -> Tried:
        """A model that never gave the structured answer: exit code 0, subtype success, and only words."""
        said = text_in(result, "result")
        if ending := ENDINGS.get(text_in(result, "stop_reason")):
            return self.failed(ending[0], f"claude: {ending[1]}", raw=said, usage=usage)
        return self.malformed("the model gave no structured answer", raw=said, usage=usage)

    def _with_cost(self, tried: Tried, cost: float | None) -> Tried:
        return tried._replace(said=tried.said.model_copy(update={"usd": cost}))

    def _told_model(self, result: dict[str, object]) -> str:
        models = result.get("modelUsage")
        return next(iter(models), self.model) if isinstance(models, dict) else self.model


def _usage(result: dict[str, object]) -> Usage:
    """Anthropic counts what comes from a cache, and what goes into one, beside the rest of the input."""
    cached = tokens_in(result, "usage", "cache_read_input_tokens")
    stored = tokens_in(result, "usage", "cache_creation_input_tokens")
    fresh = tokens_in(result, "usage", "input_tokens")
    return usage_of(fresh + stored + cached, cached, tokens_in(result, "usage", "output_tokens"))


def _cost(result: dict[str, object]) -> float | None:
    cost = within(result, "total_cost_usd")
    return float(cost) if isinstance(cost, int | float) and not isinstance(cost, bool) and cost >= 0 else None


def _texts(value: object) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []
