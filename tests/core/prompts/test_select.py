"""Who reviews a prompt: the triggers are those of the settings, word by word and file by file."""

from __future__ import annotations

import pytest

from review_gate.prompts.project.context import ProjectContext
from review_gate.prompts.schema import Role
from review_gate.prompts.select import NO_TRIGGER, SWITCHED_OFF, Selected, selected
from review_gate.prompts.settings import DOCUMENTATION, FRONTEND, PromptSettings

USUAL = PromptSettings()
DOCUMENTED = ProjectContext(files=("docs/", "docs/guide.md", "README.md", "main.go"))
NOTHING = ProjectContext()


def one(role: Role, prompt: str, context: ProjectContext = NOTHING, settings: PromptSettings = USUAL) -> Selected:
    (found,) = [one for one in selected(settings, prompt, context) if one.role is role]
    return found


def yes(role: Role, because: str) -> Selected:
    return Selected(role=role, is_active=True, because=because)


def no(role: Role, because: str) -> Selected:
    return Selected(role=role, is_active=False, because=because)


def test_a_plain_prompt_goes_to_the_four_that_always_look_by_priority() -> None:
    assert selected(USUAL, "explain this", NOTHING) == (
        Selected(role=Role.SECURITY, is_active=True),
        Selected(role=Role.TESTING, is_active=True),
        Selected(role=Role.DOMAIN_SME, is_active=True),
        no(Role.DOCUMENTATION, "the project has none of docs/, screenshots/, CHANGELOG, README"),
        no(Role.FRONTEND_UX, NO_TRIGGER),
        Selected(role=Role.CLARITY, is_active=True),
    )


# Frontend: words


def test_each_word_of_the_settings_asks_for_frontend() -> None:
    for word in FRONTEND.triggers.prompt_keywords:
        assert one(Role.FRONTEND_UX, f"mend the {word}.") == yes(Role.FRONTEND_UX, f'the prompt says "{word}"')


ASKS = {
    "small letters": ("tidy the ui", "UI"),
    "in brackets": ("(form)", "form"),
    "two words on two lines": ("in the settings\n  tab", "settings tab"),
    "later, as a word": ("informed by the form", "form"),
}


@pytest.mark.parametrize(("prompt", "word"), ASKS.values(), ids=ASKS)
def test_a_word_by_itself_asks(prompt: str, word: str) -> None:
    assert one(Role.FRONTEND_UX, prompt) == yes(Role.FRONTEND_UX, f'the prompt says "{word}"')


DOES_NOT_ASK = {
    "inside of another": "this platform performs",
    "with an underscore": "my_form form_data",
    "one of two words": "the settings and the tab",
    "empty": "",
}


@pytest.mark.parametrize("prompt", DOES_NOT_ASK.values(), ids=DOES_NOT_ASK)
def test_a_part_of_a_word_does_not_ask(prompt: str) -> None:
    assert one(Role.FRONTEND_UX, prompt) == no(Role.FRONTEND_UX, NO_TRIGGER)


# Frontend: files and stack

NAMED = {
    "a style sheet": ("look at app.scss", "app.scss"),
    "at the end of a sentence": ("Look at src/app.scss.", "src/app.scss"),
    "with a backslash": (r"src\views\Main.vue", r"src\views\Main.vue"),
    "by its name": ("in settings.ts we", "settings.ts"),
    "in capitals": ("MAIN.SCSS", "MAIN.SCSS"),
}


@pytest.mark.parametrize(("prompt", "name"), NAMED.values(), ids=NAMED)
def test_a_file_that_the_prompt_names_asks(prompt: str, name: str) -> None:
    assert one(Role.FRONTEND_UX, prompt) == yes(Role.FRONTEND_UX, f"there is {name}")


@pytest.mark.parametrize("prompt", ["my-settings.ts", "app.scss.map", "scss", "settings.tsv", "tsx", "a . scss"])
def test_a_file_of_another_name_does_not_ask(prompt: str) -> None:
    assert one(Role.FRONTEND_UX, prompt) == no(Role.FRONTEND_UX, NO_TRIGGER)


# Documentation


def test_each_word_asks_for_documentation_in_a_documented_project() -> None:
    for word in DOCUMENTATION.triggers.prompt_keywords:
        assert one(Role.DOCUMENTATION, f"{word} it", DOCUMENTED) == yes(Role.DOCUMENTATION, f'the prompt says "{word}"')


MARKED = ("docs/", "docs/a.md", "screenshots/x.png", "CHANGELOG", "CHANGELOG.md", "README", "README.rst", "readme.md")
UNMARKED = ("main.go", "docs", "src/docs/a.md", "sub/README.md", "READMEFIRST", "documents/")


@pytest.mark.parametrize("path", MARKED)
def test_documentation_is_looked_after_where_there_is_some(path: str) -> None:
    context = ProjectContext(files=(path,))
    assert one(Role.DOCUMENTATION, "add it", context) == yes(Role.DOCUMENTATION, 'the prompt says "add"')


@pytest.mark.parametrize("path", UNMARKED)
def test_no_documentation_no_reviewer(path: str) -> None:
    because = "the project has none of docs/, screenshots/, CHANGELOG, README"
    assert one(Role.DOCUMENTATION, "add it", ProjectContext(files=(path,))) == no(Role.DOCUMENTATION, because)


def test_each_skip_word_keeps_it_away_whatever_else_is_said() -> None:
    for word in DOCUMENTATION.triggers.skip_keywords:
        found = one(Role.DOCUMENTATION, f"add a new feature; {word.upper()} too", DOCUMENTED)
        assert found == no(Role.DOCUMENTATION, f'the prompt says "{word}"')


# Switches and the budget


def test_a_reviewer_that_is_switched_off_is_not_asked() -> None:
    for role in Role:
        settings = PromptSettings.model_validate({"reviewers": {role.value: {"enabled": False}}})
        assert one(role, "add a button", DOCUMENTED, settings) == no(role, SWITCHED_OFF)


@pytest.mark.parametrize("most", [1, 2, 3, 4, 5, 6])
def test_the_budget_leaves_out_those_of_lower_priority(most: int) -> None:
    settings = PromptSettings.model_validate({"budget": {"max_reviewers_per_call": most}})
    found = selected(settings, "add a button", DOCUMENTED)
    order = list(settings.editor.priority_order)
    assert [one.role for one in found if one.is_active] == order[:most]
    because = {one.because for one in found if not one.is_active}
    assert because == ({f"budget.max_reviewers_per_call is {most}"} if most < 6 else set())


def test_security_comes_first_in_any_order_and_nobody_is_forgotten() -> None:
    settings = PromptSettings.model_validate({"editor": {"priority_order": ["clarity", "security"]}})
    roles = [one.role for one in selected(settings, "x", NOTHING)]
    assert roles[:2] == [Role.SECURITY, Role.CLARITY]
    assert {*roles} == {*Role}
