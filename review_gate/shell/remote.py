"""What a remote has: as the remote itself says, or as the tracking refs here remember it."""

from __future__ import annotations

from review_gate.errors import GitError
from review_gate.gate.record import is_object_id
from review_gate.shell.git import first_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.shell.git import Git


def advertised(git: Git, url: str, seconds: float) -> tuple[tuple[str, ...], str]:
    """The object ids the remote's refs point at, asked from the remote; on failure none, and the reason."""
    if git.line("ls-remote", "--get-url", "--end-of-options", url) != url:
        # The address was rewritten once already; git would rewrite it again and ask some other repository.
        return (), f"url.<base>.insteadOf would rewrite {url} once more"
    if _is_redirected(git, url):
        # `remote.<url>.*` can name another program, proxy or repository to answer for this address.
        return (), f"settings named remote.{url}.* change whom the question reaches"
    question = ("ls-remote", "--upload-pack=git-upload-pack", "--quiet", "--end-of-options", url)
    try:
        code, output, errors = git.try_run(*question, seconds=seconds, may_ask_user=True)
    except GitError as error:
        return (), error.what
    if code != 0:
        return (), first_line(errors)
    lines = output.decode("utf-8", "surrogateescape").splitlines()
    return tuple(dict.fromkeys(line.split("\t")[0] for line in lines if is_object_id(line.split("\t")[0]))), ""


def _is_redirected(git: Git, url: str) -> bool:
    settings = git.run("config", "--null", "--name-only", "--list").decode("utf-8", "surrogateescape").split("\0")
    return any(name.startswith(f"remote.{url}.") for name in settings)


def tracked(git: Git, remote: str) -> tuple[str, ...]:
    """The object ids the tracking refs of a remote point at; anyone with this repository can move them."""
    output = git.run("for-each-ref", "--format=%(objectname)", "--", f"refs/remotes/{remote}/")
    return tuple(dict.fromkeys(output.decode("ascii").split()))


def names(git: Git) -> list[str]:
    """The configured remotes."""
    return git.run("remote").decode("utf-8", "surrogateescape").split("\n")[:-1]


def default(git: Git) -> str | None:
    """The remote that a plain `git push` would use."""
    known = names(git)
    branch = git.line("symbolic-ref", "--quiet", "--short", "HEAD")
    keys = [f"branch.{branch}.pushRemote"] if branch else []
    keys += ["remote.pushDefault"] + ([f"branch.{branch}.remote"] if branch else [])
    configured = [git.line("config", "--get", key) for key in keys]
    for name in (*configured, "origin"):
        if name in known:
            return name
    return known[0] if len(known) == 1 else None
