"""The files of the pipeline: those that are shipped, and those of a project in its .review-gate/ folder."""

from __future__ import annotations

import os

from review_gate.config.display import printable
from review_gate.config.keys import nearest
from review_gate.errors import ConfigError
from review_gate.pipeline.config import KINDS, Layer
from review_gate.pipeline.prices import PRICES
from review_gate.shell.files import UnsafeFileError, read_plain_file
from review_gate.shell.pipeline_key import FOLDER, MAX_BYTES
from review_gate.shell.rule_ids import SHIPPED

PROJECT_FOLDER = FOLDER
BUILT_IN = "built-in"
MAX_PROMPT_BYTES = 100_000
ENDING = ".json"


def layers(top: str) -> list[Layer]:
    """What is shipped, and over it what the project at `top` says."""
    shipped = _layer(BUILT_IN, SHIPPED)._replace(is_shipped=True)
    folder = os.path.join(top, PROJECT_FOLDER)
    _refuse_others(folder)
    return [shipped, _layer(PROJECT_FOLDER, folder)]


def _refuse_others(folder: str) -> None:
    """A file that nobody reads was meant to be one of those that are read."""
    known = (*KINDS, PRICES)
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
        stem, ending = os.path.splitext(name)
        if ending == ENDING and stem not in known:
            near = nearest(stem, known)
            meant = f"did you mean {near}{ENDING}?" if near else f"those that are: {', '.join(known)}"
            raise _unusable(f"{PROJECT_FOLDER}/{printable(name)}", f"a file of that name is not read; {meant}")


def _layer(place: str, folder: str) -> Layer:
    found = {name: _read(place, folder, f"{name}{ENDING}", MAX_BYTES) for name in (*KINDS, PRICES)}
    return Layer(place, {name: data for name, data in found.items() if data is not None})


def prompt_text(top: str, name: str) -> str:
    """The prompt of that file name: the project's own, else the shipped one."""
    own = _read(PROJECT_FOLDER, os.path.join(top, PROJECT_FOLDER), f"prompts/{name}", MAX_PROMPT_BYTES)
    data = own if own is not None else _read(BUILT_IN, SHIPPED, f"prompts/{name}", MAX_PROMPT_BYTES)
    place = f"{PROJECT_FOLDER}/prompts/{name}"
    if data is None:
        raise _unusable(place, "it does not exist, and agents.json names it")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _unusable(place, f"not UTF-8 at byte {error.start}") from None
    if not text.strip():
        raise _unusable(place, "it says nothing")
    return text


def _read(place: str, folder: str, name: str, most: int) -> bytes | None:
    try:
        return read_plain_file(os.path.join(folder, *name.split("/")), most)
    except UnsafeFileError as error:
        raise _unusable(f"{place}/{name}", str(error)) from None


def _unusable(where: str, what: str) -> ConfigError:
    return ConfigError(
        f"{where}: {what}",
        why="who reviews what, and how, is decided by this file",
        next_step="mend the file, then the same command again",
    )
