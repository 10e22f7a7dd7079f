"""The templates of prompts for drafts: those that are shipped, and a repository's own, which win."""

from __future__ import annotations

import os
import re

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
    """What a type of draft is about, and where that is written; `problem` says why it cannot be used."""

    name: str
    place: str
    text: str = ""
    problem: str = ""


def template_of(top: str, name: str) -> Template:
    """The template of a type: the repository's own, else the shipped one."""
    if not NAME.fullmatch(name):
        raise MisuseError(
            f"{quoted(name[:80])} is no type of draft",
            why='type names use a-z, 0-9 and "-", at most 64 characters',
            next_step=LIST,
        )
    known = {one.name: one for one in templates(top)}
    found = known.get(name)
    if found is None:
        raise _unknown(name, [one.name for one in known.values() if not one.problem])
    if found.problem:
        raise MisuseError(
            f"{found.place}: {found.problem}",
            why="what the drafts are about is written there",
            next_step=f"mend or remove the file, then the same command again; {LIST}",
        )
    return found


def templates(top: str) -> tuple[Template, ...]:
    """All types, by name; a file among them that cannot be used is listed with the reason."""
    folder = os.path.join(top, *OWN.split("/"))
    is_linked = os.path.lexists(folder) and not is_plainly_below(top, f"{OWN}/x{ENDING}")
    own = [_read(folder, name, f"{OWN}/{name}{ENDING}", LINKED if is_linked else "") for name in _names(folder)]
    shipped = [_read(SHIPPED, name, SHIPPED_WITH) for name in _names(SHIPPED)]
    found = {one.name: one for one in (*shipped, *own)}
    return tuple(one for _, one in sorted(found.items()))


def _names(folder: str) -> list[str]:
    try:
        return [name.removesuffix(ENDING) for name in os.listdir(folder) if name.endswith(ENDING)]
    except (FileNotFoundError, NotADirectoryError):
        return []


def _read(folder: str, name: str, place: str, problem: str = "") -> Template:
    problem = problem or ("" if NAME.fullmatch(name) else NO_NAME)
    if problem:
        return Template(name=name, place=place, problem=problem)
    try:
        text = (read_plain_file(os.path.join(folder, f"{name}{ENDING}"), MAX_BYTES) or b"").decode("utf-8-sig")
    except UnsafeFileError as error:
        return Template(name=name, place=place, problem=str(error))
    except UnicodeDecodeError as error:
        return Template(name=name, place=place, problem=f"it is not UTF-8 at byte {error.start}")
    if not text.strip():
        return Template(name=name, place=place, problem="it says nothing")
    return Template(name=name, place=place, text=text)


def _unknown(name: str, known: list[str]) -> MisuseError:
    near = nearest(name, known)
    meant = f"did you mean {near}?" if near else f"those that there are: {', '.join(known)}"
    return MisuseError(
        f"there is no type of draft called {name}; {meant}",
        why=f"a type is a template: one of those shipped, or {OWN}/{name}{ENDING}",
        next_step=f"review-gate generate --type {near}" if near else LIST,
    )
