"""What is known about a project, read off the texts of its own files; nothing of it is run."""

from __future__ import annotations

from review_gate.models import Frozen


class ExtraFile(Frozen):
    """A further file that the settings name, as far as it is shown."""

    path: str
    text: str


class ProjectContext(Frozen):
    """What reviewers are told about the project that a prompt is for."""

    project_name: str = ""
    # In lower case, such as typescript, node, react, python, fastapi.
    stack: tuple[str, ...] = ()
    claude_md: str | None = None
    # The listing as reviewers see it.
    structure: str = ""
    conventions: tuple[str, ...] = ()
    test_framework: str | None = None
    build_tool: str | None = None
    # The paths behind the listing, with / between their parts; that of a folder ends with one.
    files: tuple[str, ...] = ()
    extra_files: tuple[ExtraFile, ...] = ()
    # What was cut, refused or not read, in words.
    notes: tuple[str, ...] = ()
