"""Why an agent ignores a whole file of settings, our hooks in it too; hooks may ask it, so it stays light."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from review_gate.registration.agents import Agent

# A file of which everything is wrong is no more ignored than one with these.
TOLD = 3


def faults_in(settings: "Mapping[str, object]", agent: "Agent") -> tuple[str, ...]:
    """The first of what in a file has to be repaired before its agent reads it; nothing where that reads it."""
    return every_fault(settings, agent)[:TOLD]


def sure_faults_in(settings: "Mapping[str, object]", agent: "Agent") -> tuple[str, ...]:
    """Those that no later version takes, but for what is none to this one: it may have learnt a word."""
    return every_fault(settings, agent, any_word=True)[:TOLD]


def every_fault(settings: "Mapping[str, object]", agent: "Agent", *, any_word: bool = False) -> tuple[str, ...]:
    """All of it.

    Gemini CLI runs the hooks of such a file and tells its user; what Cursor and Copilot CLI do is not known.
    """
    found = dict.fromkeys(_OF.get(agent.name, _nothing)(settings, any_word))
    return tuple(f"{words}, or {agent.title} ignores the whole file" for words in found)


def _nothing(_: "Mapping[str, object]", _any_word: bool) -> "Iterator[str]":
    return iter(())


def _of_claude(settings: "Mapping[str, object]", any_word: bool) -> "Iterator[str]":
    from review_gate.registration.claude_hooks import broken_guards, strays
    from review_gate.registration.claude_shapes import SETTINGS
    from review_gate.registration.shapes import misfits

    yield from misfits(settings, SETTINGS, any_word=any_word)
    yield from broken_guards(settings.get("hooks"), any_word=any_word)
    yield from strays(settings)


def _of_codex(settings: "Mapping[str, object]", any_word: bool) -> "Iterator[str]":
    from review_gate.registration.codex_shapes import FILE
    from review_gate.registration.shapes import misfits

    yield from misfits(settings, FILE, any_word=any_word)


_OF = {"claude": _of_claude, "codex": _of_codex}
