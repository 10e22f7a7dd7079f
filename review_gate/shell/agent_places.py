"""Where an agent keeps the settings of a project and those of its user; hooks ask it, so it stays light."""

from __future__ import annotations

import os

from review_gate.registration.agents import PROGRAM, Agent
from review_gate.shell.files import UnsafeFileError, lies_in, read_plain_file
from review_gate.strict_json import StrictJsonError, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

PROJECT = "project"
USER = "user"
MAX_SETTINGS_BYTES = 1_000_000
MARK = b"\xef\xbb\xbf"


class Place:
    """One settings file of an agent: nothing of ours is written outside of `base`."""

    __slots__ = ("agent", "base", "file", "folder", "scope")

    def __init__(self, agent: Agent, scope: str, base: str, file: str) -> None:
        self.agent = agent
        self.scope = scope
        self.base = base
        self.file = os.path.join(base, file)
        # Commands, skills and subagents lie beside the settings.
        self.folder = os.path.dirname(self.file)

    @property
    def shown(self) -> str:
        """The file as messages name it."""
        return os.path.relpath(self.file, self.base) if self.scope == PROJECT else self.file

    @property
    def lock(self) -> str:
        """The folder in which only one may be at work: what is above a folder of the user that may have to be made."""
        return self.base if self.scope == PROJECT else os.path.dirname(self.base)

    def real(self, path: str) -> str:
        """Where a path leads; an UnsafeFileError where that is out of the project or into its git directory."""
        real = os.path.realpath(path)
        if self.scope == PROJECT:
            inside = os.path.relpath(real, os.path.realpath(self.base)).split(os.sep)
            if not lies_in(real, self.base) or ".git" in inside:
                raise UnsafeFileError(f"it is a link that leads out of the project, to {real}")
        return real

    def read(self) -> bytes | None:
        """The settings as they are; None where there are none."""
        return read_plain_file(self.real(self.file), MAX_SETTINGS_BYTES)


def project_place(agent: Agent, top: str) -> Place:
    """The settings that a project shares with everyone who works on it."""
    return Place(agent, PROJECT, top, agent.project_file)


def user_place(agent: Agent, environ: Mapping[str, str]) -> Place | None:
    """The settings of the user; None where there is no home."""
    home = environ.get("HOME") or environ.get("USERPROFILE") or ""
    named = environ.get(agent.home_variable, "") if agent.home_variable else ""
    if not named and not os.path.isabs(home):
        return None
    return Place(agent, USER, os.path.abspath(named or os.path.join(home, agent.home)), agent.home_file)


def places_of(agent: Agent, top: str | None, environ: Mapping[str, str]) -> list[Place]:
    """Every settings file in which we may be registered."""
    own = user_place(agent, environ)
    return [*([project_place(agent, top)] if top else []), *([own] if own else [])]


def settings_of(data: bytes | None, agent: Agent) -> Mapping[str, object]:
    """What the bytes of a settings file say to an agent; a ValueError where it reads none of it."""
    if data is None or not data.strip():
        return {}
    try:
        settings = parse(data.removeprefix(MARK) if agent.reads_mark else data)
    except StrictJsonError:
        if not agent.reads_comments:
            raise
        # Only what is not plain JSON pays for the import of a parser that allows comments.
        from review_gate.registration.merge import settings_in

        settings = settings_in(text_of(data, agent), agent)
    if not isinstance(settings, dict):
        raise StrictJsonError("it is no object")
    return settings


def text_of(data: bytes, agent: Agent) -> str:
    """The text of a settings file without its byte order mark; a ValueError where the agent cannot read it."""
    if data.startswith(MARK) and not agent.reads_mark:
        raise StrictJsonError(f"it begins with a byte order mark, and {agent.title} reads no such file")
    try:
        return data.removeprefix(MARK).decode("utf-8")
    except UnicodeDecodeError as error:
        raise StrictJsonError(f"it is not UTF-8 at byte {error.start}") from None


def bytes_of(text: str, like: bytes | None) -> bytes:
    """The bytes of a text, with a byte order mark where what it takes the place of has one."""
    mark = MARK if like is not None and like.startswith(MARK) else b""
    return mark + text.encode("utf-8")


def program_of(scope: str, executable: str) -> str | None:
    """The program as the settings name it: what others read too names no path of this machine."""
    if scope == PROJECT:
        return PROGRAM
    for name in (PROGRAM, f"{PROGRAM}.exe"):
        path = os.path.join(os.path.dirname(os.path.abspath(executable)), name)
        if os.path.isfile(path):
            from shlex import quote

            return quote(path)
    return None
