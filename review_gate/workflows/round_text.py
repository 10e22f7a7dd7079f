"""One text file as reviewers of a round are shown it: all of it in numbered lines, or nothing, and no secret."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from review_gate.checks.applies import Page
from review_gate.checks.plan import plan_of
from review_gate.checks.withhold import withheld_lines
from review_gate.consensus.scope import Material, Scope, content_of_file
from review_gate.errors import MisuseError
from review_gate.pipeline.exhibit import FileText
from review_gate.plans.experts import MOST_CHARACTERS, PIECE
from review_gate.ports import Withheld
from review_gate.reviewers.text import visible
from review_gate.safe_text import written_out
from review_gate.shell.check_sources import plan_sources
from review_gate.shell.files import UnsafeFileError, lies_in, read_plain_file
from review_gate.workflows.check_compile import policy_of
from review_gate.workflows.checks import checks_of, project_root_of
from review_gate.workflows.configure import load_configuration, load_of_folder
from review_gate.workflows.plan_search import is_empty
from review_gate.workflows.secret_search import SecretSearch
from review_gate.workflows.withheld import NOT_SEARCHED, without_secret_names

if TYPE_CHECKING:
    from review_gate.checks.plan import CheckPlan
    from review_gate.checks.rule import Hit
    from review_gate.shell.repository import Repository

MOST_BYTES = 2_000_000
TOO_LONG = f"it has more than {MOST_CHARACTERS:,} characters, and whoever sees a part of it has not reviewed it"
_NEXT_STEPS = {
    "plan": "review-gate spawn-plan-review PATH, with a plain text file",
    "artifact": "the same command with a plain text file as its --artifact",
}


def material_of_file(scope: Scope, repository: Repository | None, environ: Mapping[str, str]) -> Material:
    """A plan or an artifact with stand-ins for its secrets."""
    path = os.path.abspath(scope.value)
    data = _read(scope, path)
    text = _text(scope, data)
    name = _name(path, repository)
    file, count = FileText(name, scope.kind, (), TOO_LONG), 0
    if len(text) <= MOST_CHARACTERS:
        file, count = _shown(FileText(name, scope.kind, ()), text, _search(scope, path, repository, environ))
    if file.why_not:
        raise _refused(scope, file.why_not)
    withheld = (Withheld(path=name, lines=count),) if count else ()
    return Material((file,), withheld, None, content_of_file(data))


def _read(scope: Scope, path: str) -> bytes:
    if not scope.value or "\0" in scope.value:
        raise _refused(scope, "no file has such a name")
    if written_out(path) != path:
        raise _refused(scope, "its path is not UTF-8, and could not be kept")
    try:
        data = read_plain_file(path, MOST_BYTES)
    except UnsafeFileError as error:
        raise _refused(scope, str(error)) from None
    if data is None:
        raise _refused(scope, "there is no such file")
    if is_empty(data):
        raise _refused(scope, "it is empty")
    return data


def _text(scope: Scope, data: bytes) -> str:
    if b"\0" in data:
        raise _refused(scope, "it is binary")
    try:
        # A mark of how it is written is nothing that it says.
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _refused(scope, f"it is not UTF-8 text (byte {error.start})") from None


def _refused(scope: Scope, what: str) -> MisuseError:
    return MisuseError(
        f"{scope.label}: {what}",
        why="reviewers are shown all of one text file, or they have not reviewed it",
        next_step=_NEXT_STEPS[scope.kind],
    )


def _name(path: str, repository: Repository | None) -> str:
    """What the file is called before reviewers: where it lies on this machine is nobody's business."""
    if repository is None or not lies_in(path, repository.top):
        return os.path.basename(path)
    return os.path.relpath(os.path.realpath(path), os.path.realpath(repository.top)).replace(os.sep, "/")


def _search(scope: Scope, path: str, repository: Repository | None, environ: Mapping[str, str]) -> SecretSearch:
    """The search with the checks in force: those of a plan are also in its folder."""
    folder = os.path.dirname(path)
    loaded = load_of_folder(folder) if repository is None else load_configuration(repository)
    if scope.kind == "plan":
        plan: CheckPlan | None = plan_of(
            checks_of(plan_sources(folder, project_root_of(folder, environ), environ)).rules
        )
    else:
        plan = None if repository is None else policy_of(repository, loaded)[1]
    return SecretSearch(plan, loaded.config.checks.seconds_per_file)


def _shown(file: FileText, text: str, search: SecretSearch) -> tuple[FileText, int]:
    """The file with its lines, and how many of them hold a stand-in."""
    (named,) = without_secret_names([file], search)
    hits = [] if named.why_not else _hits(text, file.path, search)
    secret = None if hits is None else withheld_lines(text, hits)
    if named.why_not or secret is None:
        return named if named.why_not else file._replace(why_not=NOT_SEARCHED), 0
    lines = text.removesuffix("\n").split("\n")
    # How a line ends is no part of what it says. Characters that are written out take many times their place.
    shown = [visible(secret.get(line, line).removesuffix("\r")) for line in lines]
    if sum(len(line) + 1 for line in shown) > MOST_CHARACTERS:
        return file._replace(why_not=TOO_LONG), 0
    return file._replace(lines=tuple(_numbered(shown))), sum(line in secret for line in lines)


def _hits(text: str, name: str, search: SecretSearch) -> list[Hit] | None:
    """What was found in any reading of a text; None where it was not looked at as a whole."""
    in_plan = search.in_plan(text)
    # By its name too: some files have secrets that look like nothing elsewhere.
    in_file = search.hits([Page(name, text.encode("utf-8"), is_change=True, is_new=True)])[name]
    return None if in_plan is None or in_file is None else [*in_plan, *in_file]


def _numbered(lines: Sequence[str]) -> Iterator[str]:
    """Lines in the shape that those of a change have, with the sign of one that is as it was."""
    for number, line in enumerate(lines, start=1):
        yield f"{number:>6}  {line[:PIECE]}"
        # A paragraph may be one line; in pieces all of it is shown.
        yield from (f"{'':>6}  {line[start : start + PIECE]}" for start in range(PIECE, len(line), PIECE))
