"""Whether our registration is still whole in an agent's settings; hooks ask it, so it stays free of imports."""

from __future__ import annotations

from review_gate.registration.agents import PROGRAM, Agent, Hook, entry_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

IS_OFF = "disableAllHooks is true"
# What a path may hold without quotes in the command line of any shell.
PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+@%=:,")
PLUGIN = f"{PROGRAM}@"
NO_PLUGIN = "the plugin of review-gate is not enabled"
LONGEST_KEY = 60


def shape_faults(settings: Mapping[str, object]) -> tuple[str, ...]:
    """Why an agent cannot read the hooks in these settings, whatever else it wants; the heartbeat tells the rest."""
    hooks = settings.get("hooks")
    if hooks is None:
        return ()
    if not isinstance(hooks, dict):
        return ("hooks is not an object",)
    # A key may hold anything; in a message it stays on one line.
    wrong = [repr(event)[1:-1][:LONGEST_KEY] for event, groups in hooks.items() if not isinstance(groups, list)]
    return tuple(f"hooks.{event} is not a list" for event in wrong)


def missing_from(settings: Mapping[str, object], agent: Agent, program: str | None = None) -> tuple[str, ...]:
    """What is missing from our registration in these settings, nothing where it is whole; `program` is as in them.

    The status line guards nothing, so it is never missed.
    """
    absent = (words for hook in agent.hooks if (words := _fault(settings, agent, hook, program)))
    return (*shape_faults(settings), *absent, *switched_off_in(settings, agent))


def switched_off_in(settings: Mapping[str, object], agent: Agent) -> tuple[str, ...]:
    """What in these settings keeps the agent from running hooks, ours among them."""
    if agent.name != "gemini":
        return (IS_OFF,) if settings.get("disableAllHooks") is True else ()
    switches = settings.get("hooksConfig")
    if not isinstance(switches, dict):
        return ()
    found = ["hooksConfig.enabled is false"] if switches.get("enabled") is False else []
    disabled = switches.get("disabled")
    for name in disabled if isinstance(disabled, list) else []:
        if name == PROGRAM or (isinstance(name, str) and program_in(name, agent)):
            found.append("hooksConfig.disabled names the hooks of review-gate")
    return tuple(found[:2])


def taken_away(before: Mapping[str, object], after: Mapping[str, object], agent: Agent) -> tuple[str, ...]:
    """What of our registration a change of the settings would take away."""
    whole = [program for program in programs_in(before, agent) if not missing_from(before, agent, program)]
    if whole:
        left = [missing_from(after, agent, program) for program in whole]
        return () if () in left else left[0]
    if turns_plugin_off(after) and not turns_plugin_off(before):
        return (NO_PLUGIN,)
    if comes_by_plugin(before):
        return () if comes_by_plugin(after) else (NO_PLUGIN,)
    # From a file in which nothing of ours is, nothing is lost but by a switch for all hooks.
    lost = missing_from(after, agent) if programs_in(before, agent) else switched_off_in(after, agent)
    known = missing_from(before, agent)
    return tuple(words for words in lost if words not in known)


def programs_in(settings: Mapping[str, object], agent: Agent) -> tuple[str, ...]:
    """The programs, as a shell is told them, that these settings call as hooks of ours."""
    found = [program_in(command, agent) for command in _commands(settings, agent)]
    return tuple(dict.fromkeys(program for program in found if program))


def comes_by_plugin(settings: Mapping[str, object]) -> bool:
    """Whether Claude Code has our hooks from our plugin, so that its settings need not hold them."""
    return any(value is True for value in _said_of_plugin(settings))


def turns_plugin_off(settings: Mapping[str, object]) -> bool:
    """Whether settings keep our plugin off, which those of the user may enable."""
    return any(value is False for value in _said_of_plugin(settings))


def _said_of_plugin(settings: Mapping[str, object]) -> list[object]:
    plugins = settings.get("enabledPlugins")
    named = plugins.items() if isinstance(plugins, dict) else ()
    return [value for name, value in named if str(name).startswith(PLUGIN)]


def program_in(command: object, agent: Agent) -> str:
    """The program of a command line of ours; nothing where the line is not ours."""
    if not isinstance(command, str):
        return ""
    program, found, rest = command.partition(f" hook {agent.name}")
    return program if found and rest[:1] in ("", " ") and is_program(program) else ""


def is_program(word: str) -> bool:
    """Whether a word of a shell is our program: its name, or a path to it."""
    is_quoted = len(word) > 1 and word[0] == word[-1] == "'"
    path = word[1:-1].replace("'\"'\"'", "") if is_quoted else word
    if is_quoted and "'" in path:
        return False
    folder, _, name = path.rpartition("/")
    if name not in (PROGRAM, f"{PROGRAM}.exe"):
        return False
    return is_quoted or (not folder and path == name) or (path[0] == "/" and PLAIN.issuperset(path))


def entries_in(group: object, agent: Agent) -> Iterator[object]:
    """The hooks in one item of an event's list."""
    if not isinstance(group, dict):
        return
    if not agent.is_nested:
        yield group
        return
    hooks = group.get("hooks")
    yield from hooks if isinstance(hooks, list) else ()


def is_ours(entry: object, agent: Agent) -> bool:
    """Whether a hook calls us, in this version's words or in those of another."""
    return isinstance(entry, dict) and bool(program_in(entry.get(agent.command_key), agent))


def _fault(settings: Mapping[str, object], agent: Agent, hook: Hook, program: str | None) -> str:
    """What is wrong with the registration for one event; nothing where it is as it has to be."""
    is_there = False
    for group in _groups(settings, hook.event):
        for entry in entries_in(group, agent):
            if is_ours(entry, agent):
                is_there = True
                if _is_exact(group, entry, agent, hook, program):
                    return ""
    words = "is not registered as this version does it" if is_there else "is not registered"
    return f"{hook.event} {words}"


def _is_exact(group: object, entry: object, agent: Agent, hook: Hook, program: str | None) -> bool:
    """Whether nothing is left out of a hook, and nothing added that could keep it from running."""
    if not isinstance(group, dict) or not isinstance(entry, dict):
        return False
    found = program_in(entry.get(agent.command_key), agent)
    if program is not None and found != program:
        return False
    matcher = group.get("matcher", "")
    own = entry if agent.is_nested else {key: value for key, value in entry.items() if key != "matcher"}
    others = set(group) - {"matcher", "hooks"} if agent.is_nested else set()
    return matcher == hook.matcher and not others and own == entry_of(agent, hook, found)


def _commands(settings: Mapping[str, object], agent: Agent) -> Iterator[object]:
    hooks = settings.get("hooks")
    for event in hooks if isinstance(hooks, dict) else ():
        for group in _groups(settings, event):
            for entry in entries_in(group, agent):
                if isinstance(entry, dict):
                    yield entry.get(agent.command_key)


def _groups(settings: Mapping[str, object], event: str) -> list[object]:
    hooks = settings.get("hooks")
    groups = hooks.get(event) if isinstance(hooks, dict) else None
    return groups if isinstance(groups, list) else []
