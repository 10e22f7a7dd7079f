"""A project's folder is read within limits, whatever lies in it, and never left."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from review_gate.prompts.project.context import ExtraFile, ProjectContext
from review_gate.prompts.settings import ContextSettings
from review_gate.shell import folder_walk, project_files
from review_gate.shell.project_files import context_of


@pytest.fixture
def top(tmp_path: Path) -> Path:
    folder = tmp_path / "widget"
    folder.mkdir()
    return folder


def write(path: Path, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def known(top: Path, *extra_files: str, depth: int = 2) -> ProjectContext:
    return context_of(str(top), ContextSettings(extra_files=extra_files, structure_depth=depth))


def ticking(step: float) -> Callable[[], float]:
    """A clock that goes on by a step whenever it is looked at."""
    times = iter(range(1_000_000))
    return lambda: next(times) * step


# A project as it usually is


def test_a_project_is_read_from_its_own_files(top: Path) -> None:
    write(top / "package.json", json.dumps({"name": "w", "devDependencies": {"typescript": "5", "vitest": "1"}}))
    write(top / "tsconfig.json", '{"compilerOptions": {"target": "ES2022",}} // x')
    write(top / "CLAUDE.md", "# W\n## Rules\n- Named exports\n")
    write(top / "docs/flow.md", "# Flow\n")
    write(top / "src/lib/deep.ts")
    write(top / "src/a.ts")
    assert known(top, "docs/flow.md") == ProjectContext(
        project_name="w",
        stack=("typescript", "node", "es2022"),
        claude_md="# W\n## Rules\n- Named exports",
        structure="docs/\n  flow.md\nsrc/\n  lib/\n  a.ts\nCLAUDE.md\npackage.json\ntsconfig.json",
        conventions=("Named exports",),
        test_framework="vitest",
        files=(
            *("docs/", "docs/flow.md", "src/", "src/lib/", "src/a.ts"),
            *("CLAUDE.md", "package.json", "tsconfig.json"),
        ),
        extra_files=(ExtraFile(path="docs/flow.md", text="# Flow"),),
    )


@pytest.mark.parametrize("name", sorted(folder_walk.SKIPPED | {"Node_Modules", "widget.egg-info"}))
def test_what_tools_have_written_is_not_listed(top: Path, name: str) -> None:
    write(top / name / "inner/file.css")
    write(top / "kept/file.txt")
    assert known(top).files == ("kept/", "kept/file.txt")


def test_where_there_is_no_manifest_at_the_top_those_in_its_folders_are_read(top: Path) -> None:
    write(top / "api/pyproject.toml", '[project]\nname="api"\ndependencies=["fastapi"]\n')
    write(top / "web/package.json", '{"name": "web", "dependencies": {"react": "1"}}')
    found = known(top)
    assert (found.project_name, found.stack) == ("widget", ("python", "fastapi", "node", "react"))


def test_a_manifest_at_the_top_is_enough(top: Path) -> None:
    write(top / "go.mod", "module example.org/x\n")
    write(top / "web/package.json", '{"dependencies": {"react": "1"}}')
    assert known(top).stack == ("go",)


def test_the_parts_that_a_manifest_at_the_top_names_are_read_too(top: Path) -> None:
    write(top / "package.json", '{"name": "mono", "workspaces": ["packages/*"], "devDependencies": {"turbo": "2"}}')
    write(top / "packages/ui/package.json", '{"name": "ui", "dependencies": {"react": "18"}, "jest": {}}')
    write(top / "packages/api/pyproject.toml", '[project]\nname = "api"\ndependencies = ["fastapi"]\n')
    found = known(top)
    assert (found.project_name, found.stack) == ("mono", ("node", "python", "fastapi", "react", "turbo"))
    assert (found.test_framework, found.build_tool, found.notes) == ("jest", "turbo", ())


def test_the_other_place_of_claude_md(top: Path) -> None:
    write(top / ".claude/CLAUDE.md", "# Inner\n")
    assert known(top).claude_md == "# Inner"
    write(top / "CLAUDE.md", "# Outer\n")
    assert known(top).claude_md == "# Outer"


# Files that are none

REGULAR = "it is not a regular file"
MANIFESTS: dict[str, tuple[Callable[[Path], object], str]] = {
    "a folder": (lambda path: path.mkdir(), f"not read, as {REGULAR}"),
    "a FIFO": (os.mkfifo, f"not read, as {REGULAR}"),
    "a link to a device": (lambda path: path.symlink_to("/dev/zero"), "not read, as it is a symbolic link"),
    "100 MB": (
        lambda path: os.truncate(write(path), 100_000_000),
        "not read, as it is 100000000 bytes long, more than 262144",
    ),
    "invalid UTF-8": (lambda path: path.write_bytes(b'{"name": "\xff"}'), "not read, as it is not UTF-8 at byte 10"),
    "UTF-16": (lambda path: path.write_bytes("{}".encode("utf-16")), "not read, as it is not a text"),
}


@pytest.mark.parametrize(("make", "why"), MANIFESTS.values(), ids=MANIFESTS)
def test_a_manifest_that_is_none_is_a_note_and_the_others_count(
    top: Path, make: Callable[[Path], object], why: str
) -> None:
    make(top / "package.json")
    write(top / "go.mod", "module example.org/tool\n")
    found = known(top)
    assert (found.project_name, found.stack, found.notes) == ("tool", ("go",), (f"package.json: {why}",))


# Links of CLAUDE.md


def test_claude_md_may_be_a_link_to_another_markdown_file_of_the_project(top: Path) -> None:
    write(top / "docs/AGENTS.md", "# Agents\n")
    (top / "CLAUDE.md").symlink_to("docs/AGENTS.md")
    assert known(top).claude_md == "# Agents"


LINKED = {"out of the project": "../secret.md", "to no Markdown file": ".env", "to itself": "CLAUDE.md"}


@pytest.mark.parametrize("target", LINKED.values(), ids=LINKED)
def test_claude_md_is_no_link_to_anything_else(top: Path, target: str) -> None:
    write(top.parent / "secret.md", "secret")
    write(top / ".env", "secret")
    (top / "CLAUDE.md").symlink_to(target)
    found = known(top)
    assert (found.claude_md, found.notes) == (None, ("CLAUDE.md: not read, as it is a symbolic link",))


# Extra files

REFUSED = {
    "up and out": ("../../.ssh/id_rsa", "it leads out of the project"),
    "up within": ("docs/../README.md", "it leads out of the project"),
    "absolute": ("/etc/passwd", "it is not a path in the project"),
    "of a user": ("~/.ssh/id_rsa", "it is not a path in the project"),
    "of git": (".git/config", "it belongs to git"),
    "gone": ("docs/gone.md", "there is no such file"),
    "a folder": ("docs", REGULAR),
    "a link": ("link.md", "it is a symbolic link"),
    "behind a link": ("linked/secret.md", "its folder is a link, or lies behind one"),
    "a FIFO": ("fifo", REGULAR),
    "binary": ("image.png", "it is not a text"),
    "too large": ("large.md", "it is 1000001 bytes long, more than 1000000"),
    "no UTF-8": ("latin.md", "it is not UTF-8 at byte 1"),
}


@pytest.fixture
def full(top: Path) -> Path:
    """A project with all sorts of files, and something to hide beside it."""
    outside = write(top.parent / "else/secret.md", "withheld").parent
    write(top / "docs/a.md", "shown")
    write(top / ".git/config", "withheld")
    write(top / "sub/.GIT/config", "withheld")
    (top / "link.md").symlink_to(outside / "secret.md")
    (top / "inner.md").symlink_to("docs/a.md")
    (top / "linked").symlink_to(outside)
    (top / "loop").symlink_to("loop")
    os.mkfifo(top / "fifo")
    (top / "image.png").write_bytes(b"\x89PNG\0\0")
    os.truncate(write(top / "large.md"), 1_000_001)
    (top / "latin.md").write_bytes(b"a\xe4")
    return top


@pytest.mark.parametrize(("path", "why"), REFUSED.values(), ids=REFUSED)
def test_an_extra_file_is_refused(full: Path, path: str, why: str) -> None:
    found = known(full, path, "docs/a.md")
    shown = path.replace("\0", "<U+0000>")
    assert found.extra_files == (ExtraFile(path="docs/a.md", text="shown"),)
    assert found.notes == (f"{shown}: not read, as {why}",)
    assert "withheld" not in found.model_dump_json()


# Names


def test_links_are_listed_and_never_followed(full: Path) -> None:
    files = known(full, depth=6).files
    assert {"linked", "loop", "link.md"} <= {*files}
    assert not [path for path in files if path.startswith(("linked/", "loop/"))]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_hostile_names_are_made_safe(top: Path) -> None:
    for name in (b"a\nb.css", b"a\x1b[2Jb", "a\u202eb".encode(), b"a\xffb", b"a\tb", b"plain"):
        (top / os.fsdecode(name)).write_bytes(b"")
    found = known(top)
    assert {*found.files} == {
        *("a<U+000A>b.css", "a<U+001B>[2Jb", "a<U+202E>b", "a<U+DCFF>b", "a<U+0009>b", "plain"),
    }
    assert found.structure.split("\n") == sorted(found.files)


# Limits


def test_nothing_more_is_begun_when_the_time_is_over(top: Path) -> None:
    write(top / "CLAUDE.md", "# W\n")
    write(top / "package.json", '{"name": "w"}')
    write(top / "a.md", "a")
    found = context_of(str(top), ContextSettings(extra_files=("a.md",)), ticking(0.2))
    assert (found.claude_md, found.project_name) == ("# W", "w")
    assert found.files == ()
    late = project_files.OUT_OF_TIME
    assert found.notes == (f"tsconfig.json: {late}", f"a.md: {late}", folder_walk.OUT_OF_TIME)


def test_nothing_of_the_project_is_run(top: Path) -> None:
    write(top / "setup.py", f"open({str(top / 'ran')!r}, 'w').close()\n")
    write(top / "conftest.py", f"open({str(top / 'ran')!r}, 'w').close()\n")
    assert known(top).test_framework == "pytest"
    assert not (top / "ran").exists()
