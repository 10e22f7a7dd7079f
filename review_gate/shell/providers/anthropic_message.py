"""What Anthropic's service answers, as far as it is read."""

from __future__ import annotations

from typing import ClassVar

from pydantic import BaseModel, ConfigDict, Field

from review_gate.ports import Usage


class _Part(BaseModel):
    """What comes from the service may have more fields tomorrow, but these have to be right."""

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="ignore", strict=True)


class _Block(_Part):
    type: str
    text: str = ""


class _Counts(_Part):
    input_tokens: int = Field(default=0, ge=0)
    cache_creation_input_tokens: int | None = Field(default=None, ge=0)
    cache_read_input_tokens: int | None = Field(default=None, ge=0)
    output_tokens: int = Field(default=0, ge=0)

    def usage(self) -> Usage:
        """Anthropic counts what comes from a cache, and what goes into one, beside the rest of the input."""
        cached = self.cache_read_input_tokens or 0
        whole = self.input_tokens + (self.cache_creation_input_tokens or 0) + cached
        return Usage(input_tokens=whole, cached_tokens=cached, output_tokens=self.output_tokens)


class Message(_Part):
    """One answer."""

    model: str
    stop_reason: str | None
    content: list[_Block]
    usage: _Counts

    @property
    def text(self) -> str:
        """What the model said."""
        return "".join(block.text for block in self.content if block.type == "text")
