"""The baseline: findings that were there before, known by what they are about and not by line number or date.

An entry is rule, file, a digest of the line and how often it occurs. No text of a line is kept, so none leaks.
"""

from __future__ import annotations

from review_gate.errors import ConfigError
from review_gate.fingerprint import fingerprint_of
from review_gate.reviewers.text import visible
from review_gate.strict_json import StrictJsonError, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence

    from review_gate.checks.alarm import Alarm

    # File, rule and the digest of what the finding is about.
    Key = tuple[str, str, str]
    Content = tuple[str, str]
    IsSuch = Callable[[str], bool]

VERSION = 1
ENTRY_FIELDS = ("rule", "file", "digest", "count")
DIGEST_LENGTH = 20
_HEX = "0123456789abcdef"
_MOST = 1_000_000
_REWRITE = "review-gate scan --all --update-baseline"


class Comparison:
    """Alarms beside a baseline: those it does not know, how many it knows, and what of it did not occur."""

    __slots__ = ("known", "left", "new")

    def __init__(self, new: list[Alarm], known: int, left: dict[Key, int]) -> None:
        self.new = new
        self.known = known
        self.left = left


class Baseline:
    """How often each old finding was there."""

    __slots__ = ("counts",)

    def __init__(self, counts: dict[Key, int]) -> None:
        self.counts = counts

    def files(self) -> set[str]:
        """The files that it has something about."""
        return {file for file, _, _ in self.counts}

    def without_known(self, alarms: Iterable[Alarm]) -> Comparison:
        """What is new: an entry that says n hides at most n alarms."""
        left = dict(self.counts)
        new = [alarm for alarm, key in _keyed(alarms) if not _take(left, key)]
        return Comparison(new, sum(self.counts.values()) - sum(left.values()), left)

    def renamed(
        self, alarms: Sequence[Alarm], *, is_gone: IsSuch, is_new: IsSuch, moves: Mapping[str, str] | None = None
    ) -> Baseline:
        """The same, with the entries of every file that `is_gone` under the name that it has now.

        `moves` tells where files went as they were. Of any other it is the one file, of those that are new and have no
        entries, with most of the findings that are left.
        """
        files, moves = self.files(), moves or {}
        names = {old: new for old, new in moves.items() if old in files}
        taken = {*files, *moves.values()}
        found = [alarm for alarm in alarms if alarm.file not in taken]
        gone = {file for file in files - names.keys() if is_gone(file)} if found else set()
        # Whether a name is new is the dearest question.
        found = [alarm for alarm in found if is_new(alarm.file)] if gone else []
        if found:
            names |= _new_names(_by_file(self.counts, gone), _by_content(found))
        return self._under(names) if names else self

    def moved(self, moves: Mapping[str, str]) -> Baseline:
        """The same, with the entries of files that are known to be called otherwise now."""
        files = self.files()
        return self._under({old: new for old, new in moves.items() if old in files and new not in files})

    def _under(self, names: Mapping[str, str]) -> Baseline:
        """The same under other names of files."""
        counts: dict[Key, int] = {}
        for (file, rule, digest), count in self.counts.items():
            key = (names.get(file, file), rule, digest)
            counts[key] = counts.get(key, 0) + count
        return Baseline(counts)

    def stale(self, left: Mapping[Key, int], *, looked_at: IsSuch, is_gone: IsSuch) -> int:
        """How many entries name a file that is gone, or one that was looked at and has less than they say."""
        return sum(1 for key in self.counts if (left.get(key) and looked_at(key[0])) or is_gone(key[0]))

    def text(self) -> str:
        """The file: sorted, one entry a line, so that two branches merge."""
        from json import dumps

        entries = [
            dumps(dict(zip(ENTRY_FIELDS, (rule, file, digest, count), strict=True)))
            for (file, rule, digest), count in sorted(self.counts.items())
        ]
        listed = "\n" + ",\n".join(entries) + "\n" if entries else ""
        return f'{{"version": {VERSION}, "findings": [{listed}]}}\n'


def baseline_of(
    alarms: Iterable[Alarm], old: Baseline | None = None, *, looked_at: Callable[[str], bool] = lambda _: True
) -> Baseline:
    """The baseline that knows these alarms, and of an old one what it says on files that were not looked at."""
    counts = {key: count for key, count in old.counts.items() if not looked_at(key[0])} if old else {}
    for _, key in _keyed(alarms):
        if key is not None:
            counts[key] = counts.get(key, 0) + 1
    return Baseline(counts)


def read_baseline(data: bytes, name: str = "the baseline") -> Baseline:
    """The baseline in a file; one that cannot be understood is an error, for it must not hide anything."""
    try:
        document = parse(data)
    except StrictJsonError as error:
        raise _unusable(name, str(error)) from None
    if not isinstance(document, dict) or document.keys() != {"version", "findings"}:
        raise _unusable(name, "it is not an object with exactly version and findings")
    if document["version"] != VERSION or isinstance(document["version"], bool):
        raise _unusable(name, f"its version is not {VERSION}, the only one this review-gate knows")
    if not isinstance(document["findings"], list):
        raise _unusable(name, "findings is not a list")
    counts: dict[Key, int] = {}
    for number, entry in enumerate(document["findings"], 1):
        key, count = _entry(entry, number, name)
        # A merge may have left an entry twice; the finding is still only there as often as one of them says.
        counts[key] = max(count, counts.get(key, 0))
    return Baseline(counts)


def is_baseline(data: bytes) -> bool:
    """Whether a text is a baseline and nothing else."""
    try:
        read_baseline(data)
    except ConfigError:
        return False
    return True


def _entry(entry: object, number: int, name: str) -> tuple[Key, int]:
    if not isinstance(entry, dict) or entry.keys() != set(ENTRY_FIELDS):
        raise _unusable(name, f"entry {number} is not an object with exactly {', '.join(ENTRY_FIELDS)}")
    rule, file, digest, count = (entry[field] for field in ENTRY_FIELDS)
    if not (isinstance(rule, str) and rule and isinstance(file, str) and file):
        raise _unusable(name, f"rule and file of entry {number} are not both texts")
    if not (isinstance(digest, str) and len(digest) == DIGEST_LENGTH and set(digest) <= set(_HEX)):
        raise _unusable(name, f"the digest of entry {number} is not {DIGEST_LENGTH} digits of 0-9 a-f")
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= _MOST:
        raise _unusable(name, f"the count of entry {number} is not a number from 1 to {_MOST}")
    return (file, rule, digest), count


def _unusable(name: str, why: str) -> ConfigError:
    return ConfigError(
        f"{visible(name)} cannot be used: {why}",
        why="without it nobody can tell old findings from new ones",
        next_step=f"mend the file, or {_REWRITE} to take every present finding for known",
    )


def may_not_persist(alarm: Alarm) -> bool:
    """Whether nobody may wave the alarm through, by a baseline as little as by a comment."""
    return alarm.hit is not None and alarm.hit.rule.reject_if_persists


def _keyed(alarms: Iterable[Alarm]) -> Iterator[tuple[Alarm, Key | None]]:
    """Alarms with what the baseline knows them by, which is nothing for those that may not persist."""
    for alarm in alarms:
        # The file is beside the digest and not in it: so a renamed file's findings can be known again.
        digest = "" if may_not_persist(alarm) else fingerprint_of(alarm.rule, None, alarm.content())
        yield alarm, (alarm.file, alarm.rule, digest) if digest else None


def _take(left: dict[Key, int], key: Key | None) -> bool:
    """Use up one occurrence of an entry, if there is one left."""
    if key is None or not left.get(key):
        return False
    left[key] -= 1
    return True


def _by_file(counts: Mapping[Key, int], files: Container[str]) -> dict[str, list[tuple[Content, int]]]:
    """The entries of some files."""
    found: dict[str, list[tuple[Content, int]]] = {}
    for key, count in counts.items():
        if key[0] in files:
            found.setdefault(key[0], []).append((key[1:], count))
    return found


def _by_content(alarms: Iterable[Alarm]) -> dict[Content, dict[str, int]]:
    """Which files have a finding, and how often."""
    found: dict[Content, dict[str, int]] = {}
    for _, key in _keyed(alarms):
        if key is not None:
            files = found.setdefault(key[1:], {})
            files[key[0]] = files.get(key[0], 0) + 1
    return found


def _new_names(gone: dict[str, list[tuple[Content, int]]], wanted: dict[Content, dict[str, int]]) -> dict[str, str]:
    """What each file that is gone is called now; the one with most entries chooses first, and uses findings up."""
    names: dict[str, str] = {}
    for old, entries in sorted(gone.items(), key=lambda item: (-len(item[1]), item[0])):
        fits: dict[str, int] = {}
        for content, count in entries:
            for file, number in wanted.get(content, {}).items():
                fits[file] = fits.get(file, 0) + min(count, number)
        if not fits:
            continue
        names[old] = new = min(fits, key=lambda file: (-fits[file], file))
        for content, count in entries:
            _use_up(wanted.get(content, {}), new, count)
    return names


def _use_up(files: dict[str, int], file: str, count: int) -> None:
    if files.get(file, 0) > count:
        files[file] -= count
    else:
        files.pop(file, None)
