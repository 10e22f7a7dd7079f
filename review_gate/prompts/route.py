"""Who reviews a prompt: subagents of the session, the claude program or the API, and why not another."""

from __future__ import annotations

from typing import Literal, NamedTuple

from review_gate.prompts.history.audit import Mode
from review_gate.prompts.settings import PromptSettings

Way = Literal["session", "claude", "anthropic"]
FALLS_BACK = "the API cannot be asked ({}), so the subscription is"
NOT_WANTED = "it is not asked instead (api_fallback is false)"
FALLS_FORWARD = "the subscription cannot be used ({}), so the API is asked"


class Reach(NamedTuple):
    """What can be asked from here: why not, empty where it can."""

    is_in_session: bool
    claude: str
    anthropic: str


class Route(NamedTuple):
    """The way that is taken, None where there is none; `note` tells a choice that is not the configured one."""

    way: Way | None
    mode: Mode
    note: str = ""
    why_none: str = ""


def route_of(settings: PromptSettings, reach: Reach) -> Route:
    """The way of the configured mode, else that of the other one."""
    if settings.mode == "api":
        if not reach.anthropic:
            return Route("anthropic", "api")
        way = _subscription(reach)
        note = FALLS_BACK.format(reach.anthropic)
        return Route(way, "subscription", note) if way else _nobody("api", reach)
    way = _subscription(reach)
    if way:
        return Route(way, "subscription")
    if settings.api_fallback and not reach.anthropic:
        return Route("anthropic", "api", FALLS_FORWARD.format(f"claude: {reach.claude}"))
    return _nobody("subscription", reach if reach.anthropic else reach._replace(anthropic=NOT_WANTED))


def _subscription(reach: Reach) -> Way | None:
    return "session" if reach.is_in_session else None if reach.claude else "claude"


def _nobody(mode: Mode, reach: Reach) -> Route:
    whys = [f"claude: {reach.claude}", f"anthropic: {reach.anthropic}"]
    # One reason may keep all of them away.
    told = reach.claude if reach.claude == reach.anthropic else "; ".join(whys)
    return Route(None, mode, why_none=f"no model can be asked: {told}")
