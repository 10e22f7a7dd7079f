"""Which files a scan looks at: git is started ahead of time, and asked when the names are wanted."""

from __future__ import annotations

import os

from review_gate.errors import MisuseError
from review_gate.shell.files import lies_in
from review_gate.shell.git import Git

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from review_gate.shell.git import Begun

    # Path in reports -> name on disk; and whether these files were named themselves.
    Listed = tuple[dict[str, str], bool]

# Links and submodules are among them: what really stands on disk shows when it is opened.
TRACKED = ("ls-files", "-z")
OTHERS = ("ls-files", "-z", "--others", "--exclude-standard")
# A name to ask with how reports call the files of a folder.
_ANY = "any"


class Listing:
    """The files that were named and those in folders that were; `inner` holds repositories inside this one.

    Those are known when `others` has told the files that git does not track, for which it needs longest.
    """

    def __init__(self, git: Git | None, root: str, paths: Sequence[str]) -> None:
        self.inner: list[str] = []
        self._root = root
        self._files: list[str] = []
        self._folders: list[str] = []
        self._tracked: list[tuple[str, Begun]] = []
        self._others: list[tuple[str, Begun]] = []
        for path in paths:
            if not os.path.isdir(path):
                see_that_it_exists(path)
                self._files.append(path)
            elif git is not None and lies_in(path, root):
                here = Git(path, git.environ)
                self._tracked.append((path, here.begin(*TRACKED)))
                self._others.append((path, here.begin(*OTHERS)))
            else:
                self._folders.append(path)

    def known(self) -> Iterator[Listed]:
        """The files that need no search."""
        for path in self._files:
            yield {label_of(path, self._root): path}, True
        for path, tracked in self._tracked:
            yield self._in_folder(path, _names(tracked.output())), False
        for path in self._folders:
            yield self._in_folder(path, list(_walked(path))), False

    def others(self) -> Iterator[Listed]:
        """The files that git neither tracks nor ignores."""
        for path, others in self._others:
            names = _names(others.output())
            # A repository of its own ends with a slash.
            self.inner += [os.path.join(path, name.removesuffix("/")) for name in names if name.endswith("/")]
            yield self._in_folder(path, list(_plain_files(path, names))), False

    def _in_folder(self, folder: str, names: list[str]) -> dict[str, str]:
        label = label_of(os.path.join(folder, _ANY), self._root).removesuffix(_ANY)
        labels = names if os.sep == "/" else [name.replace(os.sep, "/") for name in names]
        # Short names are opened faster, and a repository has tens of thousands of files.
        place = "" if os.path.abspath(folder) == os.getcwd() else os.path.join(folder, "")
        return dict(zip(_behind(label, labels), _behind(place, names), strict=True))


def _behind(beginning: str, names: Iterable[str]) -> Iterable[str]:
    return map(beginning.__add__, names) if beginning else names


def _names(listed: bytes) -> list[str]:
    return os.fsdecode(listed).split("\0")[:-1]


def _plain_files(folder: str, names: Iterable[str]) -> Iterator[str]:
    for name in names:
        path = os.path.join(folder, name)
        if os.path.isfile(path) and not os.path.islink(path):
            yield name


def _walked(folder: str) -> Iterator[str]:
    for top, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != ".git")
        inner = os.path.relpath(top, folder)
        yield from _plain_files(folder, (os.path.normpath(os.path.join(inner, name)) for name in sorted(names)))


def see_that_it_exists(path: str) -> None:
    """Refuse a path that was named and is not there."""
    if not os.path.lexists(path):
        raise MisuseError(
            f"{path}: there is no such file or folder",
            why="a scan of nothing would look like a passed one",
            next_step="review-gate scan PATH, with a path that exists",
        )


def label_of(name: str, root: str) -> str:
    """A path as reports show it: from the top of the repository, with slashes, and by its own name.

    Checks are for files of certain names, so a folder that is reached through a link must not give them others.
    """
    absolute = os.path.abspath(name)
    own = os.path.join(os.path.realpath(os.path.dirname(absolute)), os.path.basename(absolute))
    for path, top in ((own, os.path.realpath(root)), (absolute, root)):
        if path.startswith(top + os.sep):
            return path[len(top) :].strip(os.sep).replace(os.sep, "/")
    return name.replace(os.sep, "/")
