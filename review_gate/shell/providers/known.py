"""The providers that there are, and the order in which `auto` tries them."""

from __future__ import annotations

from collections.abc import Mapping

from review_gate.ports import ModelProvider
from review_gate.shell.process import Commands
from review_gate.shell.providers.anthropic_api import AnthropicApi
from review_gate.shell.providers.claude_cli import ClaudeCli
from review_gate.shell.providers.codex_cli import CodexCli
from review_gate.shell.providers.gemini_cli import GeminiCli

# The API first: it takes the schema of an answer, and keeps what reviewers share in its cache.
AUTO_ORDER = ("anthropic", "claude", "codex", "gemini")


def known_providers(
    environ: Mapping[str, str], commands: Commands, models: Mapping[str, str] | None = None
) -> tuple[ModelProvider, ...]:
    """All of them, each with the model that is named for it; making them asks nobody."""
    named = models or {}
    return (
        AnthropicApi(environ, commands, model=named.get("anthropic", "")),
        ClaudeCli(environ, commands, model=named.get("claude", "")),
        CodexCli(environ, commands, model=named.get("codex", "")),
        GeminiCli(environ, commands, model=named.get("gemini", "")),
    )
