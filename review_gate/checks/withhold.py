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
REST_OF_KEY = re.compile(r"(?:[A-Za-z0-9+/=]|\\[nr])*")
KEY_LINE, SHORT_LINE = re.compile(r"[A-Za-z0-9+/]{20,}={0,2}"), re.compile(r"[A-Za-z0-9+/]+={0,2}")
AROUND_KEY = " \t\r\n\"'`+,>|#*\\"

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
        found += [(start, end, hit.rule.id) for start, end in _spans_of(text, hit)]
    return dict(_lines(text, _merged(found)))


def redacted(text: str, hits: Sequence[Hit] | None) -> str | None:
    """A text with stand-ins for its secrets; None where it was not searched as a whole."""
    lines = None if hits is None else withheld_lines(text, hits)
    return None if lines is None else "\n".join(lines.get(line, line) for line in text.split("\n"))


def _spans_of(text: str, hit: Hit) -> Iterator[tuple[int, int]]:
    """The places of a secret: from where it was found to where it ends, and what else of a private key follows."""
    if PRIVATE_KEY in hit.text:
        yield from _spans_of_key(text, hit)
        return
    rest = REST.match(text, hit.end)
    yield hit.start, rest.end() if rest else hit.end


def _spans_of_key(text: str, hit: Hit) -> Iterator[tuple[int, int]]:
    """Only what looks like a key: where its end is missing or far away, code between must not be out of sight."""
    following = text.find(KEY_BEGINS, hit.end)
    limit = following if following >= 0 else len(text)
    end = _end_on_line(text, hit.end, limit)
    yield hit.start, end
    at = _line_end(text, end) + 1
    is_whole = not text[end : at - 1].strip(AROUND_KEY)
    last = text.find(KEY_ENDS, end, limit)
    while at < limit:
        until = min(_line_end(text, at), limit)
        body = _body(text[at:until])
        if body.startswith(KEY_ENDS):
            if is_whole:
                yield at, text.index(DASHES, at + text[at:until].index(KEY_ENDS) + len(KEY_ENDS)) + len(DASHES)
            return
        is_whole = is_whole and (not body or _is_of_key(body, text, until, last))
        if is_whole or (KEY_LINE.fullmatch(body) and at < last):
            yield at, until
        elif last < 0:
            return
        at = until + 1


def _end_on_line(text: str, at: int, limit: int) -> int:
    """Where a key ends on the line on which its match ends."""
    line = min(_line_end(text, at), limit)
    closing = text.find(KEY_ENDS, at, line)
    dashes = text.find(DASHES, closing + len(KEY_ENDS), line) if closing >= 0 else -1
    if dashes >= 0:
        return dashes + len(DASHES)
    rest = REST_OF_KEY.match(text, at, line)
    return rest.end() if rest else at


def _body(line: str) -> str:
    """A line of a key without the quotes, signs and ends of lines that code has around it."""
    return line.replace("\\n", " ").replace("\\r", " ").strip(AROUND_KEY)


def _is_of_key(body: str, text: str, until: int, last: int) -> bool:
    """Whether a line is one of a key; a short one is only where the key is over: one word may be a command, too."""
    if KEY_LINE.fullmatch(body):
        return True
    rest = text[until : last if last >= 0 else len(text)]
    return bool(SHORT_LINE.fullmatch(body)) and not rest.strip(AROUND_KEY)


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
    places = [(start, end, "") for hit in found for start, end in _spans_of(text, hit)]
    secret = [text[start:end] for start, end, _ in _merged(places)]
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
