"""Programs that start another program, whose words they are given after their own."""

from __future__ import annotations

from review_gate.commandline.acts import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# By name: options that take the next word as their value, and how many words stand before the command.
WRAPPERS: dict[str, tuple[frozenset[str], int]] = {
    name: (frozenset(options.split()), count)
    for name, options, count in (
        ("builtin", "", 0),
        ("exec", "-a", 0),
        ("sudo", "-u -g -h -p -C -r -t -T -U -R -D --user --group --host --prompt --chdir --chroot --role --type", 0),
        ("doas", "-u -C -a", 0),
        ("pkexec", "--user", 0),
        ("run0", "-u --user -D --chdir", 0),
        ("nice", "-n --adjustment", 0),
        ("ionice", "-c -n -p -P -u --class --classdata", 0),
        ("chrt", "-p -T -P -D", 1),
        ("taskset", "-p -c --cpu-list", 1),
        ("numactl", "-i -m -N -C", 0),
        ("nohup", "", 0),
        ("setsid", "", 0),
        ("timeout", "-s -k --signal --kill-after", 1),
        ("gtimeout", "-s -k --signal --kill-after", 1),
        ("time", "-f -o --format --output", 0),
        ("stdbuf", "-i -o -e --input --output --error", 0),
        ("unbuffer", "", 0),
        ("caffeinate", "-t -w", 0),
        ("chronic", "", 0),
        ("ifne", "", 0),
        ("strace", "-e -o -p -s -u -E -P -O -S -a -b -I -U -X", 0),
        ("ltrace", "-e -o -p -s -u -n -l -a -A -D -F -x", 0),
        ("valgrind", "", 0),
        ("setpriv", "--reuid --regid --groups --inh-caps --ambient-caps --bounding-set", 0),
        ("prlimit", "-p --pid -o --output", 0),
        ("unshare", "-S -G -R -w --setuid --setgid --root --wd", 0),
        ("nsenter", "-t --target -S -G -w", 0),
        ("chroot", "--userspec --groups", 1),
        ("setarch", "", 0),
        ("linux64", "", 0),
        ("dbus-run-session", "--config-file --dbus-daemon", 0),
        ("xvfb-run", "-n -s -e -f -w --server-num --server-args", 0),
        ("firejail", "", 0),
        ("bwrap", "--bind --dev-bind --ro-bind --chdir --proc --dev --tmpfs --setenv", 0),
        ("busybox", "", 0),
        ("toybox", "", 0),
        ("winpty", "", 0),
        ("noglob", "", 0),
        ("nocorrect", "", 0),
        ("rtk", "", 0),
        ("errno", "", 0),
    )
}
# More of them in a row than anybody writes.
MOST_WRAPPERS = 40


class Wrapped:
    """The words of the inner command, the variables set for it, and a folder it is started in."""

    __slots__ = ("assigned", "doubts", "folder", "words")

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.assigned: list[tuple[str, str]] = []
        self.folder: str | None = None
        # Whether an unknown word stands where it could itself be the command.
        self.doubts = False


def unwrapped(name: str, words: Sequence[str]) -> Wrapped:
    """What a program of the table starts."""
    valued, count = WRAPPERS[name]
    inner = Wrapped([])
    at = _past_options(words, 1, valued, inner)
    while at < len(words) and _is_assignment(words[at]):
        variable, _, value = words[at].partition("=")
        inner.assigned.append((variable, value))
        at += 1
    inner.words = list(words[at + count :])
    return inner


def _past_options(words: Sequence[str], at: int, valued: frozenset[str], inner: Wrapped) -> int:
    while at < len(words):
        word = words[at]
        if word == "--":
            return at + 1
        if word.startswith(UNKNOWN):
            inner.doubts = True
        elif not word.startswith(("-", "+")) or word == "-":
            return at
        elif word in ("-D", "--chdir", "-C") and word in valued and at + 1 < len(words):
            inner.folder = words[at + 1]
        elif word.startswith("--chdir="):
            inner.folder = word.partition("=")[2]
        at += 2 if word in valued else 1
    return at


def _is_assignment(word: str) -> bool:
    name, found, _ = word.partition("=")
    return bool(found) and name.isidentifier()


class Environment(Wrapped):
    """What `env` starts; `split` is the text of its option -S, which is cut into words first."""

    __slots__ = ("split",)

    def __init__(self) -> None:
        super().__init__([])
        self.split: str | None = None


_ENV_VALUED = frozenset({"-u", "--unset", "-C", "--chdir", "-P", "-a", "--argv0"})


def environment(words: Sequence[str]) -> Environment:
    """What `env` does with its words."""
    inner = Environment()
    at = 1
    while at < len(words):
        word = words[at]
        split = _split_text(words, at)
        if split is not None:
            inner.split, at = split
            break
        if word == "--":
            at += 1
            break
        if word.startswith(UNKNOWN):
            inner.doubts = True
        elif not word.startswith("-"):
            break
        elif word in ("-C", "--chdir"):
            inner.folder = "".join(words[at + 1 : at + 2])
        elif word.startswith("--chdir="):
            inner.folder = word.partition("=")[2]
        at += 2 if word in _ENV_VALUED else 1
    while at < len(words) and "=" in words[at] and not words[at].startswith("="):
        name, _, value = words[at].partition("=")
        inner.assigned.append((name, value))
        at += 1
    inner.words = list(words[at:])
    return inner


def _split_text(words: Sequence[str], at: int) -> tuple[str, int] | None:
    word = words[at]
    if word.startswith("--split-string="):
        return word.partition("=")[2], at + 1
    if word == "--split-string" and at + 1 < len(words):
        return words[at + 1], at + 2
    if word.startswith("-") and not word.startswith("--") and "S" in word and UNKNOWN not in word:
        # Also the last of a bundle: `env -iS 'git push'`.
        flags, _, rest = word[1:].partition("S")
        if not set(flags) <= set("i0v"):
            return None
        return (rest, at + 1) if rest else ("".join(words[at + 1 : at + 2]), at + 2)
    return None
