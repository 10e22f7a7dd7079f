"""The files of a project that decide who reviews what, by their digests; a push reads them, so it stays light."""

from __future__ import annotations

import os

from review_gate.shell.check_key import digest_of
from review_gate.shell.files import UnsafeFileError, read_plain_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from review_gate.shell.git import Git

FOLDER = ".review-gate"
PROMPTS = "prompts"
# The folders below the top of the project, and the ending of the files that count there.
_PLACES = ((FOLDER, ".json"), (f"{FOLDER}/{PROMPTS}", ".md"))
MAX_BYTES = 2_000_000
MOST_FILES = 500


def pipeline_files(top: str) -> dict[str, str]:
    """Path -> digest of each of the files; nothing where a project has none of them, as most."""
    if not os.path.isdir(os.path.join(top, FOLDER)):
        return {}
    found = {}
    for name in _names(top):
        try:
            data = read_plain_file(os.path.join(top, *name.split("/")), MAX_BYTES)
        except UnsafeFileError as error:
            raise UnsafeFileError(f"{name}: {error}") from None
        found[name] = digest_of(data or b"")
    return found


def _names(top: str) -> Iterator[str]:
    for folder, ending in _PLACES:
        try:
            names = sorted(os.listdir(os.path.join(top, *folder.split("/"))))
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            raise UnsafeFileError(f"{folder}: {error.strerror}") from None
        wanted = [name for name in names if name.endswith(ending)]
        if len(wanted) > MOST_FILES:
            raise UnsafeFileError(f"{folder} has more than {MOST_FILES} files")
        yield from (f"{folder}/{name}" for name in wanted)


def pipeline_files_of(git: Git, tree: str) -> dict[str, str]:
    """The same as a commit or tree has them."""
    listed = git.run("ls-tree", "-r", "-z", "--name-only", "--full-tree", tree, f"{FOLDER}/")
    names = [name for name in os.fsdecode(listed).split("\0") if _counts(name)]
    with git.objects() as objects:
        found = objects.read_all([f"{tree}:{name}" for name in names], limit=MAX_BYTES)
        return {name: digest_of(item.data if item else b"") for name, item in zip(names, found, strict=True)}


def _counts(name: str) -> bool:
    folder, _, last = name.rpartition("/")
    return any(folder == place and last.endswith(ending) for place, ending in _PLACES)


def pipeline_text(files: Mapping[str, str]) -> str:
    """The files as one text, the same whenever they are; nothing where there are none."""
    return "".join(f"{name}\0{digest}\n" for name, digest in sorted(files.items()))
