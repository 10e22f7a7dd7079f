"""The hooks for whose wrong values Codex ignores a whole file, as seen in 0.166.0; it stays free of imports."""

from review_gate.registration.shapes import FLAG, TEXT, Shape, closed, kinds_by, list_of, named, or_null, record

# Which is not the same to it as 5.0.
SECONDS = Shape("a whole number", lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= 0)
HANDLERS = list_of(
    kinds_by(
        "type",
        command=record(
            "command",
            command=TEXT,
            timeout=or_null(SECONDS),
            statusMessage=or_null(TEXT),
            commandWindows=or_null(TEXT),
            command_windows=or_null(TEXT),
            **{"async": FLAG},
        ),
        mcp_tool=record("server", "tool", server=TEXT, tool=TEXT),
        prompt=record(),
        agent=record(),
    )
)
# It reads a list as a group too, by the order of what is in it.
GROUP = Shape(
    "an object",
    lambda value: isinstance(value, dict | list),
    members={"matcher": or_null(TEXT), "hooks": HANDLERS},
)
EVENTS = named(
    """
    PreToolUse PostToolUse PermissionRequest UserPromptSubmit SessionStart SessionEnd Stop PreCompact PostCompact
    SubagentStart SubagentStop
    """
)
HOOKS = Shape("", lambda _: True, members=dict.fromkeys(EVENTS, list_of(GROUP)))
FILE = closed(description=or_null(TEXT), hooks=HOOKS)
