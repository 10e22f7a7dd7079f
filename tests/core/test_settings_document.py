"""Settings as text: what is put in and taken out, and everything else to the letter as it was."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_gate.registration.agents import AGENTS, CLAUDE, GEMINI, PROGRAM, Agent
from review_gate.registration.document import DocumentError, parse_document
from review_gate.registration.layout import with_part, without_part
from review_gate.registration.merge import settings_in, with_ours, without_ours
from review_gate.registration.standing import missing_from

EVERY_AGENT = pytest.mark.parametrize("agent", AGENTS.values(), ids=AGENTS)

BROKEN = {
    "a cut-off list": ('{"a": [1,', "line 1: "),
    "no comma": ('{\n"a": 1\n"b": 2}', "line 3: "),
    "a spare comma": ('{\n"a": 1,\n}', "line "),
    "no number": ("[NaN]", "NaN is no value of JSON"),
    "a key twice": ('{"a": {\n"b": 1, "b": 2}}', 'the key "b" occurs twice in one object'),
    "too deep": ("[" * 100_000, "it is nested too deeply"),
}


@pytest.mark.parametrize(("text", "words"), BROKEN.values(), ids=BROKEN)
def test_a_broken_document_says_where_it_breaks(text: str, words: str) -> None:
    with pytest.raises(DocumentError) as raised:
        parse_document(text)
    assert str(raised.value).startswith(words)


def test_comments_are_read_over() -> None:
    text = '// one\n{ /* two */ "a": /* three */ 1, // four\n "b": [ /* , */ ] } // five'
    assert parse_document(text).value == {"a": 1, "b": []}


LAYOUTS = {
    "empty": ("{}", '{\n  "k": 1\n}'),
    "on one line": ('{"a": 1}', '{"a": 1, "k": 1}'),
    "two blanks": ('{\n  "a": 1\n}\n', '{\n  "a": 1,\n  "k": 1\n}\n'),
    "tabs": ('{\n\t"a": 1\n}\n', '{\n\t"a": 1,\n\t"k": 1\n}\n'),
    "windows": ('{\r\n  "a": 1\r\n}\r\n', '{\r\n  "a": 1,\r\n  "k": 1\r\n}\r\n'),
    "a comment behind": ('{\n  "a": 1 // why\n}\n', '{\n  "a": 1, // why\n  "k": 1\n}\n'),
    "only a comment": ("{\n  // none\n}\n", '{\n  // none\n  "k": 1\n}\n'),
}


@pytest.mark.parametrize(("before", "after"), LAYOUTS.values(), ids=LAYOUTS)
def test_a_member_is_written_as_its_neighbours_are(before: str, after: str) -> None:
    assert with_part(before, (), 1, key="k") == after


CUTS = {
    "the only one": ('{"k": 1}', 0, "{}"),
    "the first on a line": ('{"k": 1, "a": 2}', 0, '{"a": 2}'),
    "the last on a line": ('{"a": 2, "k": 1}', 1, '{"a": 2}'),
    "the first line": ('{\n  "k": 1,\n  "a": 2\n}\n', 0, '{\n  "a": 2\n}\n'),
    "the last line": ('{\n  "a": 2,\n  "k": 1\n}\n', 1, '{\n  "a": 2\n}\n'),
    "windows": ('{\r\n  "a": 2,\r\n  "k": 1\r\n}\r\n', 1, '{\r\n  "a": 2\r\n}\r\n'),
    "a comment above": ('{\n  "a": 2, // two\n  "k": 1\n}\n', 1, '{\n  "a": 2 // two\n}\n'),
    "a comment behind": ('{\n  "k": 1, // one\n  "a": 2\n}\n', 0, '{\n  // one\n  "a": 2\n}\n'),
}


@pytest.mark.parametrize(("before", "index", "after"), CUTS.values(), ids=CUTS)
def test_a_member_goes_with_its_comma_and_its_line(before: str, index: int, after: str) -> None:
    assert without_part(before, (), index) == after


WRONG_SHAPES = {
    "hooks as a list": ('{"hooks": []}', "hooks is not an object"),
    "an event as an object": ('{"hooks": {"Stop": {}}}', "hooks.Stop is not a list"),
    "an event of others": ('{"hooks": {"a\\nb": 5}}', r"hooks.a\nb is not a list"),
    "a comment": ("{\n  // mine\n}", "line 2: a comment, and Claude Code ignores a file with comments as a whole"),
}


@pytest.mark.parametrize(("text", "words"), WRONG_SHAPES.values(), ids=WRONG_SHAPES)
def test_settings_of_a_strange_shape_are_refused(text: str, words: str) -> None:
    with pytest.raises(DocumentError) as raised:
        with_ours(text, CLAUDE, PROGRAM)
    assert str(raised.value) == words


def test_comments_stay_where_the_agent_reads_them() -> None:
    text = '{\n  // my theme\n  "theme": "x" // dark\n}\n'
    merged = with_ours(text, GEMINI, PROGRAM)
    assert merged.startswith('{\n  // my theme\n  "theme": "x", // dark\n  "hooks": {\n')
    assert without_ours(merged, GEMINI, {}) == text


def test_a_registration_of_another_version_is_replaced_where_it_stands() -> None:
    old = '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "review-gate hook claude", "timeout": 5}]}],'
    text = (
        old + ' "Notification": [{"hooks": [{"type": "command", "command": "/b/review-gate hook claude"}]}]}, "a": 1}'
    )
    merged = with_ours(text, CLAUDE, PROGRAM)
    settings = settings_in(merged, CLAUDE)
    assert missing_from(settings, CLAUDE) == ()
    assert list(settings) == ["hooks", "a", "statusLine"]
    hooks = settings["hooks"]
    assert isinstance(hooks, dict)
    assert "Notification" not in hooks
    assert len(hooks["Stop"]) == 1


def test_a_hook_of_others_in_a_group_of_ours_stays() -> None:
    settings = json.loads(with_ours("{}", CLAUDE, PROGRAM))
    other = {"type": "command", "command": "log"}
    settings["hooks"]["Stop"][0]["hooks"].append(other)
    left = json.loads(without_ours(json.dumps(settings), CLAUDE, {}))
    assert left == {"hooks": {"Stop": [{"hooks": [other]}]}}


def test_a_status_line_of_others_stays() -> None:
    text = '{"statusLine": {"type": "command", "command": "mine"}}'
    merged = with_ours(text, CLAUDE, PROGRAM)
    assert json.loads(merged)["statusLine"]["command"] == "mine"
    assert without_ours(merged, CLAUDE, {}) == text


# Laws


WORDS = st.text(max_size=6)
# What our own part goes by is drawn in a form that has a place for it.
NAMES = WORDS.filter(lambda word: word not in ("hooks", "version"))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=8,
)
EVENTS = st.sampled_from(["PreToolUse", "Stop", "BeforeTool", "preToolUse", "stop", "Other"])
GROUPS = st.fixed_dictionaries(
    {"hooks": st.lists(st.fixed_dictionaries({"type": st.just("command"), "command": WORDS}), max_size=2)},
    optional={"matcher": WORDS, "command": WORDS},
)
OBJECTS = st.dictionaries(WORDS, VALUES, max_size=3)
HOOKS = st.dictionaries(EVENTS, st.lists(GROUPS | OBJECTS, max_size=3), max_size=3)
STATUS_LINES = st.fixed_dictionaries({"type": st.just("command"), "command": WORDS | st.just("review-gate statusline")})


@st.composite
def settings_of_users(draw: st.DrawFn) -> dict[str, Any]:
    """Any settings in which there is a place for hooks."""
    found: dict[str, Any] = draw(st.dictionaries(NAMES, VALUES, max_size=4))
    found |= draw(st.fixed_dictionaries({}, optional={"hooks": HOOKS, "statusLine": STATUS_LINES, "version": VALUES}))
    names = draw(st.permutations(list(found)))
    return {name: found[name] for name in names}


@st.composite
def written(draw: st.DrawFn, settings: dict[str, Any]) -> str:
    """The same as a text, in one of the forms in which people and programs write it."""
    indent = draw(st.sampled_from([None, 2, 4, "\t", 0]))
    tight = draw(st.booleans())
    separators = (",", ":") if tight and indent is None else None
    text = json.dumps(settings, indent=indent, ensure_ascii=draw(st.booleans()), separators=separators)
    text += draw(st.sampled_from(["", "\n", "\n\n", "  \n"]))
    return text.replace("\n", "\r\n") if draw(st.booleans()) else text


@st.composite
def files(draw: st.DrawFn) -> tuple[str, Agent]:
    """Settings that their agent does not ignore, as a text."""
    agent = draw(st.sampled_from(list(AGENTS.values())))
    settings = draw(settings_of_users())
    if agent.name == "codex":
        settings = {name: value for name, value in settings.items() if name == "hooks"}
    return draw(written(settings)), agent


@given(files())
def test_what_is_put_in_is_whole_and_changes_nothing_else(file: tuple[str, Agent]) -> None:
    text, agent = file
    merged = with_ours(text, agent, PROGRAM)
    assert missing_from(settings_in(merged, agent), agent, PROGRAM) == tuple(
        words for words in missing_from(settings_in(text, agent), agent) if words.endswith("is true")
    )
    before, after = json.loads(text), json.loads(merged)
    for name in before:
        assert name == "hooks" or after[name] == before[name]
    for event, groups in before.get("hooks", {}).items():
        assert after["hooks"][event][: len(groups)] == groups
    assert [name for name in after if name in before] == list(before)


@given(files())
def test_a_second_time_changes_no_letter(file: tuple[str, Agent]) -> None:
    text, agent = file
    merged = with_ours(text, agent, PROGRAM)
    assert with_ours(merged, agent, PROGRAM) == merged


@given(files())
def test_what_is_taken_out_leaves_what_was_there(file: tuple[str, Agent]) -> None:
    text, agent = file
    before = json.loads(text)
    left = json.loads(without_ours(with_ours(text, agent, PROGRAM), agent, before))
    # Others may need the version of the format by now, so it goes only with the last of them.
    needed = {name: value for name, value in agent.first_keys.items() if name not in before and before}
    assert left == before | needed


@given(files(), st.dictionaries(NAMES, VALUES, max_size=3), st.lists(st.tuples(EVENTS, GROUPS), max_size=4))
def test_what_others_add_in_between_survives(
    file: tuple[str, Agent], added: dict[str, Any], groups: list[tuple[str, Any]]
) -> None:
    text, agent = file

    def changed(settings: dict[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(json.dumps(settings | added))
        hooks = found.get("hooks")
        for place, (event, group) in enumerate(groups):
            if hooks is None:
                hooks = found["hooks"] = {}
            hooks.setdefault(event, []).insert(0 if place % 2 else len(hooks[event]), group)
        return found

    merged = json.loads(with_ours(text, agent, PROGRAM))
    left = json.loads(without_ours(json.dumps(changed(merged), indent=1), agent, json.loads(text)))
    expected = changed(json.loads(text))
    needed = {name: value for name, value in agent.first_keys.items() if name not in expected and expected}
    assert left == expected | needed


@EVERY_AGENT
def test_empty_settings_become_what_our_documentation_shows(agent: Agent) -> None:
    merged = with_ours("", agent, PROGRAM)
    assert merged.endswith("}\n")
    assert merged == json.dumps(json.loads(merged), indent=2) + "\n"
