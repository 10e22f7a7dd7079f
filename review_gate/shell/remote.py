"""What a remote has: as the remote itself says, or as the tracking refs here remember it."""

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

# Most reviews start at a commit that the remote got lately.
NEARBY = 500


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
    """What a remote has: the commits its refs name, and everything those reach; `present` tells what is here."""

    def __init__(self, git: Git, commits: Iterable[str], present: Present, *, may_walk_far: bool) -> None:
        self._git = git
        self._present = present
        self._named = set(commits)
        self._may_walk_far = may_walk_far
        self._near: set[str] | None = None
        self._outside: set[str] = set()

    def among(self, commits: set[str]) -> set[str]:
        """Those of `commits` that the remote is seen to have."""
        there = commits & self._named
        unclear = commits - there - self._outside
        if not unclear or not self._named:
            return there
        there |= self._nearby() & unclear
        unclear -= there
        if unclear and self._may_walk_far:
            self._outside |= self._unreached(unclear)
            there |= unclear - self._outside
        return there

    def _nearby(self) -> set[str]:
        """The newest commits of the remote's history: git lists these at once, however long the history is."""
        if self._near is None:
            request = "".join(f"{oid}\n" for oid in sorted(self._named))
            self._near = self._listed(request, f"--max-count={NEARBY}") or set()
        return self._near

    def _unreached(self, commits: set[str]) -> set[str]:
        """Those of `commits` that no commit of the remote is seen to reach."""
        here = self._present(commits)
        # Written with carets: git before 2.42 knows no `--not` on standard input.
        lines = [*sorted(here), *(f"^{oid}" for oid in sorted(self._named))]
        listed = self._listed("".join(f"{line}\n" for line in lines))
        # What is not here would not be listed either, which is no sign that the remote has it.
        return commits if listed is None else (commits - here) | (here & listed)

    def _listed(self, request: str, *options: str) -> set[str] | None:
        # The remote may name commits that never came here.
        arguments = ("rev-list", "--ignore-missing", *options, "--stdin")
        code, output, _ = self._git.try_run(*arguments, stdin=request.encode("ascii"))
        return set(output.decode("ascii").split()) if code == 0 else None


def tracked(git: Git, remote: str) -> tuple[str, ...]:
    """The object ids the tracking refs of a remote point at; anyone with this repository can move them."""
    output = git.run("for-each-ref", "--format=%(objectname)", "--", f"refs/remotes/{remote}/")
    return tuple(dict.fromkeys(output.decode("ascii").split()))


def names(git: Git) -> list[str]:
    """The configured remotes."""
    return git.run("remote").decode("utf-8", "surrogateescape").split("\n")[:-1]


def default(git: Git) -> str | None:
    """The remote that a plain `git push` would use."""
    return default_of(git, git.branch() or "")


def default_of(git: Git, branch: str) -> str | None:
    """The remote that a plain `git push` would use while this branch is checked out, or none."""
    known = names(git)
    if not known:
        return None
    # As git lists them: the name of the branch is as it was written, the rest is in lower case.
    keys = [f"branch.{branch}.pushremote"] if branch else []
    keys += ["remote.pushdefault"] + ([f"branch.{branch}.remote"] if branch else [])
    settings = _settings_about_remotes(git)
    for name in (*(settings.get(key) for key in keys), "origin"):
        if name in known:
            return name
    return known[0] if len(known) == 1 else None


def _settings_about_remotes(git: Git) -> dict[str, str]:
    """What is set about where branches come from and go to; of several values the last one counts."""
    pattern = r"^(remote\.pushdefault|branch\..*\.(push)?remote)$"
    listed = git.line("config", "--null", "--get-regexp", pattern) or ""
    settings = (setting.partition("\n") for setting in listed.split("\0"))
    return {name: value for name, _, value in settings}
