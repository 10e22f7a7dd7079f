"""The templates of prompts for drafts: those that are shipped, and a repository's own, which win."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from review_gate.config.display import quoted
from review_gate.config.keys import nearest
from review_gate.errors import MisuseError
from review_gate.models import Frozen
from review_gate.shell.files import UnsafeFileError, is_plainly_below, read_plain_file

SHIPPED = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "consensus", "templates")
OWN = ".claude/generator-prompts"
SHIPPED_WITH = "shipped with review-gate"
ENDING = ".md"
MAX_BYTES = 100_000
NAME = re.compile(r"[a-z0-9-]{1,64}")
NO_NAME = "its name is not of a-z, 0-9 and -"
LINKED = "its folder is a link, or lies behind one"
LIST = "review-gate generate --list"


class Template(Frozen):
    """What a type of draft is about, and where that is written."""

    name: str
    place: str
    text: str


class Listed(Frozen):
    """One type by its name; `problem` says why it cannot be used."""

    name: str
    place: str
    problem: str = ""


def template_of(top: str, name: str) -> Template:
    """The template of a type: the repository's own, else the shipped one."""
    if not NAME.fullmatch(name):
        raise MisuseError(
            f"{quoted(name[:80])} is no type of draft",
            why="a type is called by a-z, 0-9 and -, up to 64 of them, as its file is",
            next_step=LIST,
        )
    for folder, place in ((os.path.join(top, *OWN.split("/")), f"{OWN}/{name}{ENDING}"), (SHIPPED, SHIPPED_WITH)):
        try:
            text = _text(top, folder, name)
        except UnsafeFileError as error:
            raise _unusable(place, str(error)) from None
        if text is not None:
            return Template(name=name, place=place, text=text)
    raise _unknown(top, name)


def templates(top: str) -> tuple[Listed, ...]:
    """All types, by name; what lies among the templates and is none is listed with the reason."""
    own = {one.name: one for one in _own(top)}
    shipped = {name: Listed(name=name, place=SHIPPED_WITH) for name in _names(SHIPPED)}
    return tuple(one for _, one in sorted((shipped | own).items()))


def _own(top: str) -> Iterator[Listed]:
    folder = os.path.join(top, *OWN.split("/"))
    for name in _names(folder):
        yield Listed(name=name, place=f"{OWN}/{name}{ENDING}", problem=_problem(top, folder, name))


def _problem(top: str, folder: str, name: str) -> str:
    if not NAME.fullmatch(name):
        return NO_NAME
    try:
        _text(top, folder, name)
    except UnsafeFileError as error:
        return str(error)
    return ""


def _names(folder: str) -> list[str]:
    try:
        return sorted(name.removesuffix(ENDING) for name in os.listdir(folder) if name.endswith(ENDING))
    except (FileNotFoundError, NotADirectoryError):
        return []


def _text(top: str, folder: str, name: str) -> str | None:
    """What a template says, None where there is no such file."""
    if folder != SHIPPED and os.path.lexists(folder) and not is_plainly_below(top, f"{OWN}/{name}"):
        raise UnsafeFileError(LINKED)
    data = read_plain_file(os.path.join(folder, f"{name}{ENDING}"), MAX_BYTES)
    if data is None:
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnsafeFileError(f"it is not UTF-8 at byte {error.start}") from None
    if not text.strip():
        raise UnsafeFileError("it says nothing")
    return text


def _unusable(place: str, what: str) -> MisuseError:
    return MisuseError(
        f"{place}: {what}",
        why="what the drafts are about is written there",
        next_step=f"mend or remove the file, then the same command again; {LIST}",
    )


def _unknown(top: str, name: str) -> MisuseError:
    known = [one.name for one in templates(top) if not one.problem]
    near = nearest(name, known)
    meant = f"did you mean {near}?" if near else f"those that there are: {', '.join(known)}"
    return MisuseError(
        f"there is no type of draft called {name}; {meant}",
        why=f"a type is a template: one of those shipped, or {OWN}/{name}{ENDING}",
        next_step=f"review-gate generate --type {near}" if near else LIST,
    )
