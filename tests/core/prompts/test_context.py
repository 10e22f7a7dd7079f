"""CLAUDE.md, structure and all that is known of a project, put together to what reviewers are told."""

from __future__ import annotations

import pytest

from review_gate.pipeline.estimate import tokens_in
from review_gate.prompts.project.context import ExtraFile, ProjectContext, ProjectFiles, project_context
from review_gate.prompts.project.conventions import MOST_CONVENTIONS, conventions, shown, title
from review_gate.prompts.project.listing import MOST_IN_FOLDER, MOST_LINES, Listing, Tree, tree
from review_gate.prompts.settings import ContextSettings

USUAL = ContextSettings()

# CLAUDE.md

TITLES = {
    "plain": ("# Widget\n\ntext", "Widget"),
    "of a lower level": ("## Widget\n", ""),
    "the name of the file": ("# CLAUDE.md\n\n# Second\n", ""),
    "in a fence": ("```sh\n# comment\n```\n", ""),
}


@pytest.mark.parametrize(("text", "expected"), TITLES.values(), ids=TITLES)
def test_the_title(text: str, expected: str) -> None:
    assert title(text) == expected


CONVENTIONS = {
    "below a heading": ("## Code style\n- Pure functions\n* Named exports\n", ("Pure functions", "Named exports")),
    "below a deeper heading": ("## Conventions\n### Naming\n- camelCase\n", ("camelCase",)),
    "after the part": ("## Conventions\n- a\n## History\n- b\n", ("a",)),
    "numbers": ("## Gotchas\n1. First\n12. Second\n3.14 is no item\n", ("First", "Second")),
    "a label": ("**Guidelines:**\n- a\n", ("a",)),
    "by the first word": (
        "- Never commit keys\n- A list of things\n- **Always** run tests\n- Use tabs\n",
        ("Never commit keys", "**Always** run tests", "Use tabs"),
    ),
    "over several lines": ("## Rules\n- Write tests\n  for each\n  fix\n- b\n", ("Write tests for each fix", "b")),
    "twice": ("## Rules\n- a\n- a\n", ("a",)),
    "in a fence": ("## Rules\n```\n- a\n```\n- b\n~~~\n```\n- c\n~~~\n", ("b",)),
    "line ends of Windows": ("## Rules\r\n- a\r\n- b\r\n", ("a", "b")),
    "long": (f"## Rules\n- {'x' * 400}\n", (f"{'x' * 197}...",)),
    "many": ("## Rules\n" + "".join(f"- {number}\n" for number in range(99)), tuple(map(str, range(MOST_CONVENTIONS)))),
}


@pytest.mark.parametrize(("text", "expected"), CONVENTIONS.values(), ids=CONVENTIONS)
def test_the_conventions(text: str, expected: tuple[str, ...]) -> None:
    assert conventions(text) == expected


@pytest.mark.parametrize("text", ["word " * 9_000, "12345 " * 9_000, "漢字" * 9_000, "line\n" * 9_000], ids=ascii)
def test_what_is_shown_has_no_more_tokens_than_allowed_and_not_many_less(text: str) -> None:
    found = shown(text, 2_000)
    assert 1_950 < tokens_in(found.text) <= 2_000
    assert text.startswith(found.text)
    assert found.is_cut


# Structure


def test_a_tree_has_folders_first_and_each_level_further_to_the_right() -> None:
    paths = ("b.txt", "src/", "src/z.ts", "src/lib/", "src/lib/a.ts", "a/", "A.md")
    assert tree(paths) == Tree(text="a/\nsrc/\n  lib/\n    a.ts\n  z.ts\nA.md\nb.txt")


def test_of_a_folder_with_many_entries_the_first_are_shown() -> None:
    paths = ("docs/", *(f"docs/{number:03}.md" for number in range(100)), "z")
    lines = tree(paths).text.split("\n")
    assert len(lines) == MOST_IN_FOLDER + 3
    assert lines[-3:] == ["  039.md", "  ... 60 more", "z"]


def test_no_tree_is_longer_than_allowed() -> None:
    paths = tuple(f"{a:02}/{b:02}/{c}" for a in range(30) for b in range(30) for c in range(3))
    folders = {f"{path.rpartition('/')[0]}/" for path in paths} | {f"{path.partition('/')[0]}/" for path in paths}
    found = tree((*paths, *folders))
    assert len(found.text.split("\n")) == MOST_LINES
    assert found.notes == ("structure: only the first 200 of 3630 lines are shown",)


# All of it

CLAUDE_MD = "# Widget\n## Rules\n- Run tests\n"
FILES = ProjectFiles(
    folder="clone",
    manifests={"package.json": '{"name": "widget", "devDependencies": {"vitest": "1", "vite": "1"}}'},
    claude_md=CLAUDE_MD,
    extra_files={"docs/flow.md": "# Flow\n", "docs/b.md": "b\n"},
    notes=("docs/c.md: not read, as there is no such file",),
)
LISTING = Listing(paths=("src/", "src/a.ts", "README.md"), notes=("deep/: it cannot be listed: Permission denied",))


def test_a_project_is_told_in_full() -> None:
    assert project_context(FILES, LISTING, USUAL) == ProjectContext(
        project_name="widget",
        stack=("node", "vite"),
        claude_md=CLAUDE_MD.rstrip(),
        structure="src/\n  a.ts\nREADME.md",
        conventions=("Run tests",),
        test_framework="vitest",
        build_tool="vite",
        files=("src/", "src/a.ts", "README.md"),
        extra_files=(ExtraFile(path="docs/flow.md", text="# Flow"), ExtraFile(path="docs/b.md", text="b")),
        notes=(
            "docs/c.md: not read, as there is no such file",
            "deep/: it cannot be listed: Permission denied",
        ),
    )


def test_an_empty_folder_has_a_name_and_nothing_else() -> None:
    found = project_context(ProjectFiles(folder="clone"), Listing(), USUAL)
    assert found == ProjectContext(project_name="clone")


NAMED = {
    "package.json": (FILES, "widget"),
    "another manifest": (
        FILES.model_copy(update={"manifests": {"package.json": "{}", "Cargo.toml": '[package]\nname="core"'}}),
        "core",
    ),
    "the title of CLAUDE.md": (FILES.model_copy(update={"manifests": {}}), "Widget"),
    "the folder": (FILES.model_copy(update={"manifests": {}, "claude_md": "text"}), "clone"),
    "a folder with a bad name": (ProjectFiles(folder="a\nb\u202e"), "a b<U+202E>"),
}


@pytest.mark.parametrize(("files", "name"), NAMED.values(), ids=NAMED)
def test_the_name_of_the_project(files: ProjectFiles, name: str) -> None:
    assert project_context(files, LISTING, USUAL).project_name == name


def test_what_the_settings_leave_out_is_not_told() -> None:
    settings = ContextSettings(include_claude_md=False, include_package_json=False, include_structure=False)
    found = project_context(FILES, LISTING, settings)
    # The names of files are still there for the triggers.
    assert found == ProjectContext(
        project_name="clone",
        files=("src/", "src/a.ts", "README.md"),
        extra_files=(ExtraFile(path="docs/flow.md", text="# Flow"), ExtraFile(path="docs/b.md", text="b")),
        notes=(
            "docs/c.md: not read, as there is no such file",
            "deep/: it cannot be listed: Permission denied",
        ),
    )


def test_what_is_cut_is_noted_and_the_extra_files_share_their_room() -> None:
    long = "word " * 1_000
    files = ProjectFiles(claude_md=long, extra_files={"a.md": long, "b.md": "text"})
    found = project_context(files, Listing(), ContextSettings(max_tokens=100))
    assert found.claude_md == ("word " * 50).rstrip()
    assert found.extra_files == (ExtraFile(path="a.md", text=("word " * 50).rstrip()),)
    assert found.notes == (
        "CLAUDE.md: only the first 249 of 4,999 characters are shown",
        "a.md: only the first 249 of 4,999 characters are shown",
        "b.md: not shown, as there is no room left for it in context.max_tokens",
    )


def test_conventions_are_those_of_the_whole_file_with_hidden_characters_written_out() -> None:
    text = "## Rules\n- Obey\u202e me\n" + "x" * 9_000 + "\n- Far below\n"
    found = project_context(ProjectFiles(claude_md=text), Listing(), ContextSettings(max_tokens=100))
    assert found.conventions == ("Obey<U+202E> me", "Far below")
