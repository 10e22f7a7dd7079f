"""Who reviews a prompt: every row of the choice between session, program and API."""

from __future__ import annotations

import pytest

from review_gate.prompts.settings import PromptSettings
from review_gate.workflows.prompt_ways import Route, route_of

NO_CLI, NO_KEY = "claude is not on PATH", "ANTHROPIC_API_KEY is not set"
BACK = f"the API cannot be asked ({NO_KEY}), so the subscription is"
FORWARD = f"the subscription cannot be used (claude: {NO_CLI}), so the API is asked"
NOBODY = f"no model can be asked: claude: {NO_CLI}; anthropic: {NO_KEY}"

ROWS: dict[str, tuple[PromptSettings, tuple[bool, str, str], Route]] = {
    "a session asks its own subagents": (
        PromptSettings(),
        (True, "", ""),
        Route("session", "subscription"),
    ),
    "outside of one the program is asked": (PromptSettings(), (False, "", ""), Route("claude", "subscription")),
    "without it the API": (PromptSettings(), (False, NO_CLI, ""), Route("anthropic", "api", FORWARD)),
    "unless that is not wanted": (
        PromptSettings(api_fallback=False),
        (False, NO_CLI, ""),
        Route(None, "subscription", why_none=NOBODY.replace(NO_KEY, "it is not asked instead (api_fallback is false)")),
    ),
    "nobody": (PromptSettings(), (False, NO_CLI, NO_KEY), Route(None, "subscription", why_none=NOBODY)),
    "the API where it is wanted": (PromptSettings(mode="api"), (True, "", ""), Route("anthropic", "api")),
    "without a key the session": (
        PromptSettings(mode="api"),
        (True, NO_CLI, NO_KEY),
        Route("session", "subscription", BACK),
    ),
    "without a key the program": (
        PromptSettings(mode="api"),
        (False, "", NO_KEY),
        Route("claude", "subscription", BACK),
    ),
    "without a key nobody": (
        PromptSettings(mode="api"),
        (False, NO_CLI, NO_KEY),
        Route(None, "api", why_none=NOBODY),
    ),
}


@pytest.mark.parametrize(("settings", "reach", "route"), ROWS.values(), ids=ROWS)
def test_the_way_to_the_reviewers(settings: PromptSettings, reach: tuple[bool, str, str], route: Route) -> None:
    is_in_session, no_claude, no_api = reach
    assert route_of(settings, no_claude, no_api, is_in_session=is_in_session) == route
