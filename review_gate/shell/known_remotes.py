"""What is known here about remotes without asking them: settings, tracking refs and upstreams."""

from __future__ import annotations

from review_gate.errors import GitError
from review_gate.shell.git import branch_name, first_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.shell.git import Begun, Git

HEAD = ("symbolic-ref", "--quiet", "HEAD")
# All that is asked of the settings, by one process; git has the first and the last part of each name in small letters.
SETTINGS = ("config", "--null", "--get-regexp", r"^(push\.default$|remote\.|branch\..*\.(push)?remote$)")
NONE_SET = 1
BRANCHES, TRACKING = "refs/heads/", "refs/remotes/"
REFS = ("for-each-ref", "--format=%(refname) %(objectname) %(symref) %(upstream)", "--")


class TrackingRef:
    """What a remote's ref was seen at, and which other ref it stands for."""

    __slots__ = ("oid", "symbolic")

    def __init__(self, oid: str, symbolic: str) -> None:
        self.oid = oid
        self.symbolic = symbolic


class KnownRemotes:
    """For one decision: what git has said is not asked again, and a later change is not seen."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._begun: tuple[Begun, Begun] | None = None
        self._branch: str | None = None
        self._settings: list[tuple[str, str]] | None = None
        self._tracking: dict[str, dict[str, TrackingRef]] = {}
        self._upstreams: dict[str, str] = {}

    def begin(self) -> None:
        """Ask for the branch and for the settings at once, while we do something else."""
        self._begun = self._git.begin(*HEAD), self._git.begin(*SETTINGS)

    def end(self) -> None:
        """Nobody wants to know any more."""
        for begun in self._begun or ():
            begun.abandon()
        self._begun = None

    @property
    def branch(self) -> str:
        """The branch at HEAD, nothing where HEAD is detached."""
        self._take()
        if self._branch is None:
            self._branch = self._git.branch() or ""
        return self._branch

    def values(self, key: str) -> list[str]:
        """All values of a setting, the last one in force at the end."""
        return [value for name, value in self._set() if name == key]

    def names(self) -> list[str]:
        """The configured remotes, as `git remote` finds them."""
        parts = [name.partition(".")[2].rpartition(".")[0] for name, _ in self._set() if name.startswith("remote.")]
        return sorted({part for part in parts if part and not part.startswith("/")})

    def default(self) -> str | None:
        """The remote that a plain `git push` would use."""
        return self.default_of(self.branch)

    def default_of(self, branch: str) -> str | None:
        """The remote that a plain `git push` would use while this branch is checked out, or none."""
        known = self.names()
        # The name of the branch is as it was written.
        keys = [f"branch.{branch}.pushremote"] if branch else []
        keys += ["remote.pushdefault"] + ([f"branch.{branch}.remote"] if branch else [])
        for name in (*(value for key in keys for value in self.values(key)[-1:]), "origin"):
            if name in known:
                return name
        return known[0] if len(known) == 1 else None

    def tracked(self, remote: str) -> tuple[str, ...]:
        """The object ids that the tracking refs of a remote point at; anyone with this repository can move them."""
        return tuple(dict.fromkeys(ref.oid for ref in self.tracking(remote).values()))

    def tracking(self, remote: str, branch: str = "") -> dict[str, TrackingRef]:
        """The tracking refs of a remote, by their full names; the same answer tells what a branch follows."""
        if remote not in self._tracking:
            branches = self._wanted(branch or self._branch or "")
            self._tracking[remote] = self._listed(*branches, f"{TRACKING}{remote}/")
        return self._tracking[remote]

    def upstream(self, branch: str) -> str:
        """The full name of what a branch follows, or nothing."""
        if branch and branch not in self._upstreams:
            self._listed(*self._wanted(branch))
        return self._upstreams.get(branch, "")

    def _wanted(self, branch: str) -> list[str]:
        if not branch or branch in self._upstreams:
            return []
        self._upstreams[branch] = ""
        return [BRANCHES + branch]

    def _listed(self, *places: str) -> dict[str, TrackingRef]:
        """The tracking refs at some places; what the branches among them follow is remembered."""
        refs = {}
        for line in self._git.run(*REFS, *places).decode("utf-8", "surrogateescape").split("\n")[:-1]:
            name, oid, symbolic, upstream = line.split(" ")
            branch = branch_name(name)
            if branch is None:
                refs[name] = TrackingRef(oid, symbolic)
            else:
                self._upstreams[branch] = upstream
        return refs

    def _set(self) -> list[tuple[str, str]]:
        """What is set about remotes and about pushes, in the order in which git reads it."""
        self._take()
        if self._settings is None:
            self._settings = _read_settings(*self._git.try_run(*SETTINGS))
        return self._settings

    def _take(self) -> None:
        """The answers to what was asked ahead of time."""
        if self._begun is None:
            return
        (head, settings), self._begun = self._begun, None
        code, output, _ = head.ended()
        self._branch = (branch_name(output.decode("utf-8", "surrogateescape").rstrip("\n")) or "") if code == 0 else ""
        self._settings = _read_settings(*settings.ended())


def _read_settings(code: int, output: bytes, errors: bytes) -> list[tuple[str, str]]:
    if code not in (0, NONE_SET):
        raise GitError(
            f"git config failed: {first_line(errors)}",
            why=f"it ended with code {code}",
            next_step="review-gate doctor",
        )
    listed = (setting.partition("\n") for setting in output.decode("utf-8", "surrogateescape").split("\0") if setting)
    return [(name, value) for name, _, value in listed]
