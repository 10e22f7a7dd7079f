"""Which files a scan looks at: git is started ahead of time, and asked when the names are wanted."""

from __future__ import annotations

import errno
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
# A name that stands for those of the files in a folder.
ANY_NAME = "any"
# How git says on standard error that it leaves a folder out; the path starts at the top of the repository.
_UNOPENED = b"warning: could not open directory '"
_NEXT_WARNING = b"\nwarning: "
UNREADABLE = "it cannot be read: {}"
# What `stat` calls S_IFMT and S_IFREG.
KINDS_OF_FILE, PLAIN_FILE = 0o170000, 0o100000
# What was there a moment ago; then there is nothing to look at.
_GONE = (errno.ENOENT, errno.ENOTDIR)


class Listing:
    """The files that were named and those in folders that were; `inner` holds repositories inside this one.

    `unread` are the folders that could not be read, as reports call them, and why. Both are known when `others` has
    told the files that git does not track, for which it needs longest.
    """

    def __init__(self, git: Git | None, root: str, paths: Sequence[str]) -> None:
        self.inner: list[str] = []
        self.unread: dict[str, str] = {}
        self._root = root
        self._files: list[str] = []
        self._folders: list[str] = []
        self._tracked: list[tuple[str, Begun]] = []
        self._others: list[tuple[str, Begun]] = []
        for path in paths:
            if not os.path.isdir(path):
                see_that_it_exists(path)
                self._files.append(path)
            elif not os.access(path, os.R_OK | os.X_OK):
                # Git would not even start there.
                self._note(path, "", UNREADABLE.format(os.strerror(errno.EACCES)))
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
            yield self._in_folder(path, list(self._walked(path))), False

    def others(self) -> Iterator[Listed]:
        """The files that git neither tracks nor ignores."""
        for path, others in self._others:
            output, warnings = others.answer()
            names = _names(output)
            self.unread.update(unopened_folders(warnings))
            # A repository of its own ends with a slash.
            self.inner += [os.path.join(path, name.removesuffix("/")) for name in names if name.endswith("/")]
            yield self._in_folder(path, list(_plain_files(path, names))), False

    def _walked(self, folder: str) -> Iterator[str]:
        """The plain files below a folder, those of a folder before those in its folders, each by name."""
        waiting = [""]
        while waiting:
            inner = waiting.pop()
            try:
                with os.scandir(os.path.join(folder, inner)) as entries:
                    found = sorted(entries, key=lambda entry: entry.name)
            except OSError as error:
                if not inner or error.errno not in _GONE:
                    self._note(folder, inner, UNREADABLE.format(error.strerror))
                continue
            yield from _plain_files(folder, (inner + entry.name for entry in found if not _is_folder(entry)))
            folders = [entry.name for entry in found if _is_folder(entry) and entry.name != ".git"]
            waiting += [os.path.join(inner, name, "") for name in reversed(folders)]

    def _note(self, folder: str, inner: str, why: str) -> None:
        """Remember a folder that could not be read."""
        label = self._label(folder) + inner.replace(os.sep, "/")
        self.unread[label or "./"] = why

    def _label(self, folder: str) -> str:
        """What reports put before the names in a folder."""
        return label_of(os.path.join(folder, ANY_NAME), self._root).removesuffix(ANY_NAME)

    def _in_folder(self, folder: str, names: list[str]) -> dict[str, str]:
        label = self._label(folder)
        labels = names if os.sep == "/" else [name.replace(os.sep, "/") for name in names]
        # Short names are opened faster, and a repository has tens of thousands of files.
        place = "" if os.path.abspath(folder) == os.getcwd() else os.path.join(folder, "")
        return dict(zip(_behind(label, labels), _behind(place, names), strict=True))


def _behind(beginning: str, names: Iterable[str]) -> Iterable[str]:
    return map(beginning.__add__, names) if beginning else names


def _names(listed: bytes) -> list[str]:
    return os.fsdecode(listed).split("\0")[:-1]


def unopened_folders(warnings: bytes) -> Iterator[tuple[str, str]]:
    """The folders that git could not open, by what it says of them, and why it could not."""
    for told in (b"\n" + warnings).split(b"\n" + _UNOPENED)[1:]:
        name, quote, why = told.partition(_NEXT_WARNING)[0].rstrip(b"\n").rpartition(b"': ")
        # Git 2.39 cuts a message of more than 4,096 bytes, and only a path that is too long makes it so.
        why = why if quote else os.strerror(errno.ENAMETOOLONG).encode()
        yield os.fsdecode(name or told.strip(b"\n")), UNREADABLE.format(os.fsdecode(why))


def _plain_files(folder: str, names: Iterable[str]) -> Iterator[str]:
    """The names that are neither links nor folders; one of which that cannot be told is for the reader to name."""
    for name in names:
        try:
            kind = os.lstat(os.path.join(folder, name)).st_mode & KINDS_OF_FILE
        except OSError as error:
            kind = 0 if error.errno in _GONE else PLAIN_FILE
        if kind == PLAIN_FILE:
            yield name


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


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
