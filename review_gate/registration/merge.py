"""Our registration put into the text of an agent's settings, and taken out of it; whatever else is there stays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from review_gate.registration.agents import Agent, group_of, registered_hooks, status_line_of
from review_gate.registration.document import DocumentError, comment_in, parse_document
from review_gate.registration.layout import at, collapsed, with_part, without_part
from review_gate.registration.standing import (
    entries_in,
    is_ours,
    is_program,
    missing_from,
    programs_in,
    shape_faults,
    switched_off_in,
)

EMPTY = "{}\n"
STATUS_LINE = "statusLine"


def with_ours(text: str, agent: Agent, program: str) -> str:
    """The text with our registration, unchanged where it is whole; a DocumentError where there is no place for it."""
    text = text if text.strip() else EMPTY
    settings = settings_in(text, agent)
    if faults := shape_faults(settings):
        raise DocumentError("; ".join(faults))
    if missing_from(settings, agent, program) != switched_off_in(settings, agent):
        # What takes the place of an earlier version's stands where that stood.
        text = without_ours(text, agent, {**settings, "hooks": {hook.event: [] for hook in agent.hooks}})
        text = _with_hooks(_with_first_keys(text, agent), agent, program)
    return _with_status_line(text, agent, program)


def without_ours(text: str, agent: Agent, before: Mapping[str, object]) -> str:
    """The text without anything of ours; lists and objects that it leaves empty go, unless they were there before."""
    settings = _plain(text) if text.strip() else {}
    # From the end on, so that the numbers of those before stay what they are.
    for path in reversed(list(_paths_of_ours(settings, agent))):
        text = _without(text, path, before)
    if programs_in(settings, agent):
        text = _without_first_keys(text, agent, before)
    if agent.has_texts and _is_our_status_line(settings.get(STATUS_LINE)) and STATUS_LINE not in before:
        text = _without(text, (STATUS_LINE,), before)
    return text


def settings_in(text: str, agent: Agent) -> dict[str, object]:
    """What a text of settings says; a DocumentError where that is no object, or where the agent would not read it."""
    text = text if text.strip() else EMPTY
    plain = _plain(text)
    if not agent.reads_comments and (comment := comment_in(text)):
        raise DocumentError(f"{comment}, and {agent.title} ignores a file with comments as a whole")
    return plain


def _plain(text: str) -> dict[str, object]:
    plain = parse_document(text).value
    if not isinstance(plain, dict):
        raise DocumentError("it is no object")
    return plain


def holds_nothing(text: str) -> bool:
    """Whether a text holds no setting, and no comment either."""
    return text.strip() in ("", "{}")


def has_status_line_of_others(settings: Mapping[str, object]) -> bool:
    """Whether the status line is somebody else's."""
    own = settings.get(STATUS_LINE)
    return own is not None and not _is_our_status_line(own)


def _with_first_keys(text: str, agent: Agent) -> str:
    for key, value in agent.first_keys.items():
        if at(text, ()).member(key) is None:
            text = with_part(text, (), value, key=key)
    return text


def _with_hooks(text: str, agent: Agent, program: str) -> str:
    if at(text, ()).member("hooks") is None:
        return with_part(text, (), registered_hooks(agent, program), key="hooks")
    for hook in agent.hooks:
        group = group_of(agent, hook, program)
        if at(text, ("hooks",)).member(hook.event) is None:
            text = with_part(text, ("hooks",), [group], key=hook.event)
        else:
            text = with_part(text, ("hooks", hook.event), group)
    return text


def _with_status_line(text: str, agent: Agent, program: str) -> str:
    if not agent.has_texts:
        return text
    own = at(text, ()).member(STATUS_LINE)
    if own is not None and (own.value == status_line_of(program) or not _is_our_status_line(own.value)):
        return text
    text = text if own is None else _without(text, (STATUS_LINE,), {})
    return with_part(text, (), status_line_of(program), key=STATUS_LINE)


def _is_our_status_line(value: object) -> bool:
    command = value.get("command") if isinstance(value, dict) else None
    program = command.removesuffix(" statusline") if isinstance(command, str) else ""
    return value == status_line_of(program) and is_program(program)


def _paths_of_ours(settings: Mapping[str, object], agent: Agent) -> Iterator[tuple[str, ...]]:
    """Where our hooks are: the whole item of an event's list, or some hooks of it."""
    for event, groups in _events(settings).items():
        for number, group in enumerate(groups if isinstance(groups, list) else ()):
            path = ("hooks", event, str(number))
            entries = list(entries_in(group, agent))
            ours = [place for place, entry in enumerate(entries) if is_ours(entry, agent)]
            if ours and len(ours) == len(entries):
                yield path
            else:
                yield from ((*path, "hooks", str(place)) for place in ours)


def _without(text: str, path: tuple[str, ...], before: Mapping[str, object]) -> str:
    """The text without one part, and without the containers that this leaves empty and that were not there before."""
    while path:
        above, last = path[:-1], path[-1]
        node = at(text, above)
        text = without_part(text, above, int(last) if isinstance(node.value, list) else [*node.members()].index(last))
        if at(text, above).parts:
            return text
        was_there = not above or (above[0] in before and (len(above) == 1 or above[1] in _events(before)))
        if was_there:
            return collapsed(text, above)
        path = above
    return text


def _without_first_keys(text: str, agent: Agent, before: Mapping[str, object]) -> str:
    """What the file needed for us goes when nothing else is left that may need it."""
    left = parse_document(text).members()
    mine = [key for key in agent.first_keys if key not in before]
    if set(left).issubset(mine):
        for key in left:
            text = _without(text, (key,), before)
    return text


def _events(before: Mapping[str, object]) -> Mapping[str, object]:
    hooks = before.get("hooks")
    return hooks if isinstance(hooks, dict) else {}
