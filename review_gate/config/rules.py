"""Settings that must fit each other, judged as they were written: a wrong value elsewhere hides no mistake."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from review_gate.config.display import quoted
from review_gate.config.fields import switch_value
from review_gate.config.keys import Path
from review_gate.embedded import BUILT_IN_REVIEWERS

Refusal = tuple[Path, str]
Written = Mapping[str, object]


def refusals(data: Written) -> Iterator[Refusal]:
    """The key of each mistake, and a reason that continues a sentence which starts with the key."""
    commands = data.get("commands")
    written = dict(enumerate(commands)) if isinstance(commands, list) else {}
    mappings = {index: command for index, command in written.items() if isinstance(command, Mapping)}
    yield from _names(mappings)
    for index, command in mappings.items():
        yield from (_below(("commands", index), refusal) for refusal in _misfits(command))
    tests = data.get("test_command")
    if isinstance(tests, Mapping):
        yield from (_below(("test_command",), refusal) for refusal in _misfits(tests))


def _below(path: Path, refusal: Refusal) -> Refusal:
    return path + refusal[0], refusal[1]


def _names(commands: Mapping[int, Written]) -> Iterator[Refusal]:
    seen: dict[str, int] = {}
    for index, command in commands.items():
        name = command.get("name")
        if not isinstance(name, str):
            continue
        if name in BUILT_IN_REVIEWERS:
            yield ("commands", index, "name"), f"is {quoted(name)}, which is a built-in reviewer"
        elif name in seen:
            yield ("commands", index, "name"), f"is {quoted(name)}, as in commands[{seen[name]}]"
        else:
            seen[name] = index


def _misfits(command: Written) -> Iterator[Refusal]:
    run, has_shell = command.get("run"), switch_value(command.get("shell", False))
    if has_shell is True and isinstance(run, list):
        yield ("run",), "is a list; with shell: true write one text"
    if has_shell is False and isinstance(run, str):
        yield ("run",), "is one text; write a list such as [mypy, src], or add shell: true"
    source = command.get("findings", "exit_code")
    if source == "pattern" and command.get("pattern") is None:
        yield ("findings",), "is pattern, so the key pattern must be given too"
    if source in ("exit_code", "sarif") and command.get("pattern") is not None:
        yield ("pattern",), "is used only with findings: pattern"
    if source in ("exit_code", "pattern") and command.get("sarif_file") is not None:
        yield ("sarif_file",), "is used only with findings: sarif"
