"""The hooks for which Claude Code ignores a whole file of settings; hooks may ask it, so it stays free of imports.

A guard that it cannot read may be one that somebody relies on, so 2.1.325 follows nothing of what is beside it.
"""

from review_gate.registration.shapes import (
    FILLED,
    FLAG,
    TEXT,
    TEXTS,
    Shape,
    below,
    kinds_by,
    list_of,
    map_of,
    misfits,
    named,
    number,
    one_of,
    record,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

GUARDS = ("PreToolUse", "PermissionRequest")
EVENTS = frozenset(
    named(
        """
    PreToolUse PostToolUse PostToolUseFailure PostToolBatch Notification UserPromptSubmit UserPromptExpansion
    SessionStart SessionEnd Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact PreModelSwitch
    PostModelSwitch PermissionRequest PermissionDenied Setup TeammateIdle TaskCreated TaskCompleted Elicitation
    ElicitationResult ConfigChange WorktreeCreate WorktreeRemove InstructionsLoaded CwdChanged FileChanged
    DirectoryAdded MessageDisplay
    """
    )
)
# Settings in which such names mean something else.
NAMES = frozenset(
    named(
        """
    mcpServers managedMcpServers lspServers pluginConfigs enabledPlugins extraKnownMarketplaces env skillOverrides
    modelSettings
    """
    )
)
DEPTH = 3
# What a scheme may hold beside letters and digits.
MARKS = str.maketrans("", "", "+-.")
SECONDS = number("a number above 0", lambda value: 0 < value < float("inf"))


def _is_url(value: object) -> bool:
    scheme, colon, rest = value.partition(":") if isinstance(value, str) else ("", "", "")
    is_scheme = scheme[:1].isalpha() and scheme.isascii() and scheme.translate(MARKS).isalnum()
    return bool(colon) and is_scheme and (scheme not in ("http", "https") or bool(rest.strip("/")))


URL = Shape("a URL", _is_url)
ON_FAILURE = one_of("continue", "block")
SHARED = {"if": TEXT, "timeout": SECONDS, "statusMessage": TEXT, "once": FLAG}
GROUP = record(
    "hooks",
    matcher=TEXT,
    hooks=list_of(
        kinds_by(
            "type",
            command=record(
                "command",
                command=TEXT,
                args=TEXTS,
                shell=one_of("bash", "powershell"),
                onFailure=ON_FAILURE,
                rewakeMessage=FILLED,
                rewakeSummary=FILLED,
                **{"async": FLAG, "asyncRewake": FLAG},
                **SHARED,
            ),
            prompt=record("prompt", prompt=TEXT, model=TEXT, continueOnBlock=FLAG, **SHARED),
            agent=record("prompt", prompt=TEXT, model=TEXT, **SHARED),
            http=record("url", url=URL, onFailure=ON_FAILURE, headers=map_of(TEXT), allowedEnvVars=TEXTS, **SHARED),
            mcp_tool=record("server", "tool", server=TEXT, tool=TEXT, input=record(), **SHARED),
        )
    ),
)
GROUPS = list_of(GROUP)
STRAY = f"may not hold hooks of {' or '.join(GUARDS)}"


def strays(settings: "Mapping[str, object]") -> "Iterator[str]":
    """Guards that are not under hooks, where somebody may have put them out of the way."""
    for key, value in settings.items():
        if key in GUARDS and value not in (None, []):
            yield f"{key} may only be under hooks"
        elif key not in NAMES and key != "hooks" and holds_guard(value, has_groups=key not in EVENTS):
            yield f"{below('', key)} {STRAY}"


def broken_guards(hooks: object, *, any_word: bool) -> "Iterator[str]":
    """Guards under hooks that are not as they have to be."""
    if not isinstance(hooks, dict):
        return
    if _is_group(hooks):
        yield "hooks may not be a single group"
    for event, groups in hooks.items():
        path = below("hooks", event)
        if event in GUARDS and groups is not None:
            yield from misfits(groups, GROUPS, path, any_word=any_word)
        elif event not in EVENTS and holds_guard(groups, has_groups=not isinstance(groups, list)):
            yield f"{path} {STRAY}"
        if event in EVENTS and any(holds_guard(group) for group in (groups if isinstance(groups, list) else [groups])):
            yield f"{path} {STRAY}"


def holds_guard(value: object, depth: int = DEPTH, *, has_groups: bool = False, is_entry: bool = False) -> bool:
    """Whether a guard is somewhere in a value, or, if these count, a group that may belong to one."""
    if isinstance(value, dict) and any(value.get(event) not in (None, []) for event in GUARDS):
        return True
    if has_groups and _is_group(value):
        return True
    if depth == 0:
        return False
    if isinstance(value, list):
        return any(holds_guard(item, depth - 1, has_groups=has_groups, is_entry=is_entry) for item in value)
    if not isinstance(value, dict) or (is_entry and isinstance(value.get("type"), str)):
        return False
    return any(
        holds_guard(
            item,
            depth - 1,
            has_groups=has_groups and key not in EVENTS,
            is_entry=key == "hooks" and isinstance(item, list),
        )
        for key, item in value.items()
    )


def _is_group(value: object) -> bool:
    if not isinstance(value, dict) or ("matcher" not in value and not EVENTS.isdisjoint(value)):
        return False
    hooks = value.get("hooks")
    if isinstance(hooks, list):
        return bool(hooks)
    return isinstance(hooks, dict) and ("matcher" in value or isinstance(hooks.get("type"), str))
