"""Lines of a text without the secrets on them, for whoever is shown the text beyond this machine."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from review_gate.checks.rule import Hit

    # Start and end as offsets in characters of a text, and the check that matched there.
    Secret = tuple[int, int, str]

STAND_IN = "[withheld: {}]"
PRIVATE_KEY = "PRIVATE KEY"
KEY_BEGINS, KEY_ENDS = "-----BEGIN ", "-----END "
DASHES = "-----"
# A check knows how a secret begins and asks for so many characters; the secret itself may be longer.
REST = re.compile(r"[A-Za-z0-9+/=_~-]*")

# In a quote nobody knows where in the secret it begins and ends: so many characters of one in a row are a part of it.
GRAM = 8
SHORTEST = 6
LONG_WORD = 16
WORD = re.compile(r"""[^\s"'`=:,;()\[\]{}<>\\]{6,}""")
QUOTED = "[withheld]"


def withheld_lines(text: str, hits: Iterable[Hit]) -> dict[str, str] | None:
    """Each line that holds a part of a secret, and what is shown instead; None where the hits are not of this text."""
    found: list[Secret] = []
    for hit in hits:
        if text[hit.start : hit.end] != hit.text:
            # It was found in another reading of the same bytes.
            return None
        found.append((hit.start, _end_of(text, hit), hit.rule.id))
    return dict(_lines(text, _merged(found)))


def _end_of(text: str, hit: Hit) -> int:
    """Where a secret ends: a private key at its last line, or else where the next one begins."""
    if PRIVATE_KEY not in hit.text:
        rest = REST.match(text, hit.end)
        return rest.end() if rest else hit.end
    following = text.find(KEY_BEGINS, hit.end)
    limit = following if following >= 0 else len(text)
    last = text.find(KEY_ENDS, hit.end, limit)
    if last < 0:
        return limit
    dashes = text.find(DASHES, last + len(KEY_ENDS), limit)
    return dashes + len(DASHES) if dashes >= 0 else limit


def _merged(secrets: Sequence[Secret]) -> Iterator[Secret]:
    """The places in order; those that touch are one."""
    current: Secret | None = None
    for start, end, rule in sorted(secrets):
        if current is not None and start <= current[1]:
            current = (current[0], max(current[1], end), current[2])
            continue
        if current is not None:
            yield current
        current = (start, end, rule)
    if current is not None:
        yield current


def _lines(text: str, secrets: Iterable[Secret]) -> Iterator[tuple[str, str]]:
    """The lines with secrets, each with all of them: two can stand on one line."""
    by_line: dict[int, list[Secret]] = {}
    for start, end, rule in secrets:
        at = text.rfind("\n", 0, start) + 1
        while at < end:
            until = _line_end(text, at)
            by_line.setdefault(at, []).append((max(start, at), min(end, until), rule))
            at = until + 1
    for at, parts in by_line.items():
        line = text[at : _line_end(text, at)]
        # A blank or a bracket within a secret is none by itself, and may stand anywhere.
        if any(character.isalnum() for character in line):
            yield line, _without(text, at, parts)


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _without(text: str, at: int, parts: Sequence[Secret]) -> str:
    shown = []
    for start, end, rule in parts:
        shown += [text[at:start], STAND_IN.format(rule)]
        at = end
    return "".join([*shown, text[at : _line_end(text, at)]])


def words_of_secrets(text: str, hits: Iterable[Hit]) -> frozenset[str] | None:
    """The words by which quotes of secrets are known, without names such as `password`; None as above."""
    lines = withheld_lines(text, found := list(hits))
    if lines is None:
        return None
    secret = [text[start:end] for start, end, _ in _merged([(hit.start, _end_of(text, hit), "") for hit in found])]
    words = (word for one in secret for word in WORD.findall(one))
    return frozenset(word for word in words if len(word) >= LONG_WORD or any(map(str.isdigit, word)))


def without_words(text: str, words: Iterable[str]) -> str:
    """A text that may quote secrets, without whatever it quotes of them."""
    grams = {part for word in words for part in _grams(word)}
    spans = [(at, at + size) for size in range(SHORTEST, GRAM + 1) for at in _places(text, grams, size)]
    shown: list[str] = []
    end = 0
    for start, until, _ in _merged([(*span, "") for span in spans]):
        shown += [text[end:start], QUOTED]
        end = until
    return "".join([*shown, text[end:]])


def _grams(word: str) -> Iterator[str]:
    """All parts of a long word that have this length, or a short one as a whole."""
    yield from (word[at : at + GRAM] for at in range(max(len(word) - GRAM, 0) + 1))


def _places(text: str, grams: set[str], size: int) -> Iterator[int]:
    return (at for at in range(len(text) - size + 1) if text[at : at + size] in grams)
