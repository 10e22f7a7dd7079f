"""What a remote has, as the remote itself says, and what its refs reach."""

from __future__ import annotations

from review_gate.errors import GitError
from review_gate.gate.record import is_object_id
from review_gate.shell.git import first_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from review_gate.shell.git import Git

    # Those of some commits that are in this repository.
    Present = Callable[[set[str]], set[str]]
    # Commits with their parents, newest first.
    Outgoing = dict[str, tuple[str, ...]]

# Most reviews start at a commit that the remote got lately.
NEARBY = 500
# A block names what is uncovered; beyond this many commits the count is enough.
MAX_OUTGOING = 10_000


def advertised(git: Git, url: str, seconds: float) -> tuple[dict[str, str], str]:
    """The remote's refs and what they point at, asked from the remote; on failure none, and the reason."""
    doubt = _doubt_whom_it_reaches(git, url)
    if doubt:
        return {}, doubt
    question = ("ls-remote", "--upload-pack=git-upload-pack", "--quiet", "--end-of-options", url)
    try:
        code, output, errors = git.try_run(*question, seconds=seconds, may_ask_user=True)
    except GitError as error:
        return {}, error.what
    if code != 0:
        return {}, first_line(errors)
    lines = (line.partition("\t") for line in output.decode("utf-8", "surrogateescape").split("\n"))
    return {ref: oid for oid, _, ref in lines if is_object_id(oid)}, ""


def _doubt_whom_it_reaches(git: Git, url: str) -> str:
    """Which settings would let some other repository answer for this address, or nothing."""
    listed = git.run("config", "--null", "--list").decode("utf-8", "surrogateescape").split("\0")
    settings = [setting.partition("\n") for setting in listed]
    if any(name.startswith(f"remote.{url}.") for name, _, _ in settings):
        # They can name another program, proxy or repository.
        return f"settings named remote.{url}.* change whom the question reaches"
    rules = [value for name, _, value in settings if name.startswith("url.") and name.endswith(".insteadof")]
    is_rewritten = any(url.startswith(rule) for rule in rules)
    if is_rewritten and git.line("ls-remote", "--get-url", "--end-of-options", url) != url:
        # The address was rewritten once already, before the hook got it.
        return f"url.<base>.insteadOf would rewrite {url} once more"
    return ""


class RemoteContents:
    """What a remote has: the commits its refs name, and everything those reach; `present` tells what is here.

    Where a single commit is to be sent, it is the `tip`: git's list of what would leave with it tells of most others.
    """

    def __init__(
        self, git: Git, commits: Iterable[str], present: Present, *, may_walk_far: bool, tip: str = ""
    ) -> None:
        self._git = git
        self._present = present
        self._named = set(commits)
        self._may_walk_far = may_walk_far
        self._tip = tip
        self._near: set[str] | None = None
        self._outside: set[str] = set()
        self._outgoing: dict[str, Outgoing | None] = {}
        self._edges: dict[str, frozenset[str]] = {}

    def among(self, commits: set[str]) -> set[str]:
        """Those of `commits` that the remote is seen to have."""
        there = commits & self._named
        unclear = commits - there - self._outside
        if not unclear or not self._named:
            return there
        # With nothing to send, the remote has the tip; where clocks went wrong git lists too much, never too little.
        if not self._may_walk_far or unclear != {self._tip} or self.outgoing(self._tip) != {}:
            there |= self._nearby() & unclear
            unclear -= there
        return there | self._far(unclear) if unclear and self._may_walk_far else there

    def outgoing(self, tip: str) -> Outgoing | None:
        """The commits that a push of `tip` would send, newest first, each with its parents; None where git cannot tell.

        There are at most MAX_OUTGOING of them.
        """
        if tip not in self._outgoing:
            options = ("--parents", "--topo-order", f"--max-count={MAX_OUTGOING}")
            # What is not here would not be listed either, which is no sign that the remote has it.
            lines = self._listed([tip], *options) if self._present({tip}) else None
            words = None if lines is None else [line.split(" ") for line in lines]
            self._outgoing[tip] = None if words is None else {commit: tuple(parents) for commit, *parents in words}
        return self._outgoing[tip]

    def edge(self, tip: str) -> frozenset[str]:
        """Those right below what a push of `tip` would send: they are missing there because the remote has them."""
        if tip not in self._edges:
            sent = self.outgoing(tip) or {}
            is_whole = len(sent) < MAX_OUTGOING
            below = {parent for parents in sent.values() for parent in parents} if is_whole else set()
            self._edges[tip] = frozenset(below - sent.keys())
        return self._edges[tip]

    def _nearby(self) -> set[str]:
        """The newest commits of the remote's history: git lists these at once, however long the history is."""
        if self._near is None:
            lines = self._listed(sorted(self._named), f"--max-count={NEARBY}", is_named=False)
            self._near = set(lines or ())
        return self._near

    def _far(self, commits: set[str]) -> set[str]:
        """Those of `commits` that the remote is seen to have, however long the way down to them is."""
        there = self._told_by_tip(commits) if self._tip else set()
        unclear = commits - there - self._outside
        if unclear:
            self._outside |= self._unreached(unclear)
        return there | (unclear - self._outside)

    def _told_by_tip(self, commits: set[str]) -> set[str]:
        sent = self.outgoing(self._tip)
        if sent is None:
            return set()
        self._outside |= commits & sent.keys()
        return commits & (self.edge(self._tip) if sent else {self._tip})

    def _unreached(self, commits: set[str]) -> set[str]:
        """Those of `commits` that no commit of the remote is seen to reach."""
        here = self._present(commits)
        listed = self._listed(sorted(here))
        # What is not here would not be listed either, which is no sign that the remote has it.
        return commits if listed is None else (commits - here) | (here & set(listed))

    def _listed(self, commits: list[str], *options: str, is_named: bool = True) -> list[str] | None:
        """What git lists below some commits; unless these are the remote's own, without what the remote has."""
        # Written with carets: git before 2.42 knows no `--not` on standard input.
        lines = [*commits, *(f"^{oid}" for oid in sorted(self._named) if is_named)]
        request = "".join(f"{line}\n" for line in lines)
        # The remote may name commits that never came here.
        arguments = ("rev-list", "--ignore-missing", *options, "--stdin")
        code, output, _ = self._git.try_run(*arguments, stdin=request.encode("ascii"))
        return output.decode("ascii").splitlines() if code == 0 else None
