"""What reviewers are told about a project, read off the texts of its own files and their names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from review_gate.models import Frozen
from review_gate.pipeline.estimate import tokens_in
from review_gate.prompts.project.conventions import Shown, conventions, shown, title, written_out
from review_gate.prompts.project.listing import Listing, in_order, safe_path, tree
from review_gate.prompts.project.manifests import facts_of, plain_name
from review_gate.prompts.settings import ContextSettings

CUT = "{}: only the first {:,} of {:,} characters are shown"
NO_ROOM = "{}: not shown, as there is no room left for it in context.max_tokens"


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


class ProjectFiles(Frozen):
    """What was read of a project, as text; nothing of it is trusted."""

    # The name of its folder.
    folder: str = ""
    # By path.
    manifests: Mapping[str, str] = {}
    claude_md: str | None = None
    # By path, in the order of the settings.
    extra_files: Mapping[str, str] = {}
    # What was refused or not read.
    notes: tuple[str, ...] = ()


def project_context(files: ProjectFiles, listing: Listing, settings: ContextSettings) -> ProjectContext:
    """What reviewers are told about a project."""
    facts = facts_of(files.manifests if settings.include_package_json else {})
    is_read = files.claude_md is not None and settings.include_claude_md
    # Written out first and cut second; the rules are those of all of it, also where only its beginning is shown.
    written = written_out(files.claude_md or "") if is_read else ""
    claude_md = shown(written, settings.max_tokens)
    extras = list(_extras(files.extra_files, settings.max_tokens))
    structure = tree(listing.paths)
    notes = [*files.notes, *_cuts({"CLAUDE.md": claude_md}), *listing.notes]
    notes += [*(structure.notes if settings.include_structure else ()), *_cuts(dict(extras))]
    return ProjectContext(
        project_name=facts.name or title(written) or plain_name(files.folder),
        stack=facts.stack,
        claude_md=claude_md.text if is_read else None,
        structure=structure.text if settings.include_structure else "",
        conventions=conventions(written),
        test_framework=facts.test_framework or None,
        build_tool=facts.build_tool or None,
        files=in_order(listing.paths),
        extra_files=tuple(ExtraFile(path=path, text=part.text) for path, part in extras if part.text),
        notes=tuple(map(safe_path, notes)),
    )


def _extras(texts: Mapping[str, str], tokens: int) -> Iterator[tuple[str, Shown]]:
    """Further files as long as there is room: all of them together have as much as CLAUDE.md."""
    for path, text in texts.items():
        part = shown(written_out(text), tokens)
        tokens = max(0, tokens - tokens_in(part.text))
        yield safe_path(path), part


def _cuts(parts: Mapping[str, Shown]) -> Iterator[str]:
    for path, part in parts.items():
        if part.is_cut:
            yield (CUT if part.text else NO_ROOM).format(path, len(part.text), part.whole)
