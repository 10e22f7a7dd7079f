"""Many texts sought at once in one pass over the bytes."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    # Index of the text, start and end of one occurrence, in bytes.
    Occurrence = tuple[int, int, int]
    Finder = Callable[[bytes], Sequence[Occurrence]]


def finder(needles: Sequence[bytes], *, is_large: bool) -> Finder:
    """A function that finds every occurrence, overlapping ones too; for much input it is built to be faster."""
    if not needles:
        return lambda _: ()
    try:
        _see_installed_packages()
        from ahocorasick_rs import BytesAhoCorasick, Implementation, MatchKind
    except ImportError:
        return lambda data: list(one_by_one(needles, data))
    # Building the faster one takes seven times as long, which pays from some hundred kilobytes on.
    kind = Implementation.DFA if is_large else Implementation.ContiguousNFA
    automaton = BytesAhoCorasick(needles, matchkind=MatchKind.Standard, implementation=kind)
    return lambda data: automaton.find_matches_as_indexes(data, overlapping=True)


def _see_installed_packages() -> None:
    """Hooks start Python without the folder of installed packages; this is the one package that is worth it."""
    import os
    import sys

    home = os.path.dirname(os.path.dirname(sys.executable))
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    parts = ("Lib",) if os.name == "nt" else ("lib", version)
    folder = os.path.join(home, *parts, "site-packages")
    if folder not in sys.path and os.path.isdir(os.path.join(folder, "ahocorasick_rs")):
        sys.path.append(folder)


def one_by_one(needles: Sequence[bytes], data: bytes) -> Iterator[Occurrence]:
    """The same without the automaton, which has no build for musl and for Windows on ARM."""
    for index, needle in enumerate(needles):
        at = data.find(needle)
        while at >= 0:
            yield index, at, at + len(needle)
            at = data.find(needle, at + 1)
