"""Whole-file sanity: hidden and control characters in new lines and names, and files that no reviewer could read."""

from __future__ import annotations

from review_gate.reviewers.problem import Problem, ReviewedFile
from review_gate.reviewers.text import (
    UNSEEN_UNASSIGNED,
    capped,
    code_point,
    decode_anyhow,
    decode_utf8,
    is_binary,
    quote,
    split_lines,
    unseen,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    # Rule, index in the line, character.
    Hit = tuple[str, int, str]


def _characters(*spans: tuple[int, int]) -> frozenset[str]:
    return frozenset(chr(point) for first, last in spans for point in range(first, last + 1))


PLAIN_ASCII = bytes(range(0x20, 0x7F)) + b"\t\n\r\f\v"
BIDI = _characters((0x202A, 0x202E), (0x2066, 0x2069))
TAGS = _characters((0xE0000, 0xE007F))
# U+3164 and U+FFA0 are Hangul fillers: letters to a compiler, nothing to the eye, so they make invisible names.
ZERO_WIDTH = _characters((0x2060, 0x2064), (0x206A, 0x206F), (0xFFF9, 0xFFFB)) | frozenset("\u200b\u180e\u3164\uffa0")
DIRECTION_MARKS = frozenset("\u200e\u200f\u061c")
# Ordinary in a text, never in a name.
SPACE_CONTROLS = frozenset("\t\n\r\f\v")
# Terminals obey U+009B (of C1) like ESC [, and JavaScript ends a line at U+2028 and U+2029, which editors hardly show.
CONTROLS = _characters((0x00, 0x1F), (0x7F, 0x9F), (0x2028, 0x2029)) - SPACE_CONTROLS
VARIATIONS = _characters((0xFE00, 0xFE0F), (0xE0100, 0xE01EF))
ZERO_WIDTH |= _characters(*UNSEEN_UNASSIGNED) - TAGS - VARIATIONS
JOINERS = frozenset("\u200c\u200d")
SOFT_HYPHEN, ORDER_MARK, BLACK_FLAG, END_OF_FLAG = "\u00ad", "\ufeff", "\U0001f3f4", "\U000e007f"

ALWAYS = {
    character: rule
    for rule, characters in (
        ("hidden-bidi", BIDI),
        ("hidden-tag", TAGS),
        ("hidden-zero-width", ZERO_WIDTH),
        ("hidden-direction-mark", DIRECTION_MARKS),
        ("control-character", CONTROLS),
    )
    for character in characters
}
SUSPICIOUS = frozenset(ALWAYS) | VARIATIONS | JOINERS | {SOFT_HYPHEN, ORDER_MARK}

# Rule -> severity, what it is called, why it matters.
RULES = {
    "hidden-bidi": ("critical", "hidden bidirectional control", "machines read the line in another order than you"),
    "hidden-tag": ("critical", "hidden tag character", "a model reads this text, a person does not see it"),
    "hidden-variation": ("critical", "run of variation selectors", "such runs carry hidden data"),
    "hidden-zero-width": ("major", "invisible character", "words that look the same are not"),
    "hidden-direction-mark": ("warning", "hidden direction mark", "it can change the order in which the line is shown"),
    "control-character": ("major", "control character", "terminals and parsers obey it, readers do not see it"),
}
RENAME = "rename the file (git mv), or list it under `hygiene.exclude`"
REMOVE = "remove the character, write it as an escape, or list the file under `hygiene.exclude`"

# Files that machines or models act on: what hides in one of these behind a stray byte must not pass as a warning.
SOURCE_NAMES = (
    ".asm .astro .awk .bash .bat .bicep .c .cc .cfg .cjs .clj .cmake .cmd .conf .cpp .cs .css .cts .cu .cxx"
    " .dart .ex .exs .f90 .fish .fs .go .gradle .graphql .groovy .h .hcl .hh .hpp .hs .htm .html .hxx .ini"
    " .ipynb .java .jl .js .json .jsonc .jsx .kt .kts .less .lua .m .md .mdc .mdx .mjs .ml .mm .mts .nim .nix"
    " .php .pl .pm .proto .ps1 .psm1 .py .pyi .pyw .pyx .r .rb .rs .rst .s .sass .scala .scss .sh .sol .sql"
    " .svelte .swift .tcl .tf .tfvars .toml .ts .tsx .v .vb .vue .xml .yaml .yml .zig .zsh makefile dockerfile"
    " containerfile jenkinsfile rakefile gemfile justfile vagrantfile"
)
SOURCE = frozenset(SOURCE_NAMES.split())
BINARY_SEVERITY = {"block": "major", "warn": "warning", "allow": "info"}
LFS_HEADER = b"version https://git-lfs.github.com/spec/v1\n"
LFS_POINTER_BYTES = 1024


def review(file: ReviewedFile, *, max_bytes: int, binary: str) -> list[Problem]:
    """What is hidden in the name of a new file and in new lines, or why nobody could look at it."""
    named = review_name(file.path) if file.old is None else []
    return named + _review_content(file, max_bytes=max_bytes, binary=binary)


def review_name(path: str) -> list[Problem]:
    """What is hidden in the name of a file."""
    if path.isprintable() and path.isascii():
        return []
    found: dict[str, list[str]] = {}
    for rule, character in _hidden_in_name(path):
        found.setdefault(rule, []).append(character)
    return [_odd_name(path, rule, dict.fromkeys(characters)) for rule, characters in found.items()]


def _hidden_in_name(path: str) -> Iterator[tuple[str, str]]:
    yield from ((rule, character) for rule, _, character in _hits(path, is_first=False))
    yield from (("control-character", character) for character in path if character in SPACE_CONTROLS)


def _odd_name(path: str, rule: str, characters: Iterable[str]) -> Problem:
    severity, name, _ = RULES[rule]
    message = f"{name} {_names(characters)} in the file's name: what you see is not its name"
    return Problem(rule, severity, message, evidence=quote(path), recommendation=RENAME)


def _review_content(file: ReviewedFile, *, max_bytes: int, binary: str) -> list[Problem]:
    if file.size > max_bytes:
        return [_too_large(file.size, max_bytes)]
    if file.data is None:
        return [_unreadable(file.unread)]
    if file.is_link:
        return capped(_in_link(file.path, decode_anyhow(file.data)))
    if _is_plain(file.data):
        return _in_pointer(file.data)
    text = None if is_binary(file.data) else decode_utf8(file.data)
    if text is None:
        return [_not_text(file.path, file.data, BINARY_SEVERITY[binary])]
    return capped(_in_text(text, decode_anyhow(file.old)))


def _is_plain(data: bytes) -> bool:
    """Most files end here, so nothing in this test runs slower than C."""
    return (
        data.isascii()
        and not data.translate(None, PLAIN_ASCII)
        and (b"\r" not in data or data.count(b"\r") == data.count(b"\r\n"))
    )


def _in_text(text: str, old: str) -> Iterator[Problem]:
    """Worst first, so that a flood of lesser problems cannot push a worse one out of the report."""
    lines = enumerate(split_lines(text), 1) if not SUSPICIOUS.isdisjoint(text) else ()
    fresh = unseen([numbered for numbered in lines if not SUSPICIOUS.isdisjoint(numbered[1])], split_lines(old))
    yield from _in_lines(fresh, "critical", BIDI | TAGS | VARIATIONS)
    yield from _overwritten(text, old)
    yield from _in_lines(fresh, "major", SUSPICIOUS)
    yield from _in_lines(fresh, "warning", DIRECTION_MARKS)


def _in_lines(numbered: list[tuple[int, str]], severity: str, characters: frozenset[str]) -> Iterator[Problem]:
    for number, line in numbered:
        if not characters.isdisjoint(line):
            yield from (problem for problem in _in_line(line, number) if problem.severity == severity)


def _in_line(line: str, number: int) -> Iterator[Problem]:
    """One problem per rule that a line breaks, at the first place where it does."""
    found: dict[str, dict[str, int]] = {}
    for rule, index, character in _hits(line, is_first=number == 1):
        found.setdefault(rule, {}).setdefault(character, index)
    for rule, places in found.items():
        severity, name, why = RULES[rule]
        column = min(places.values()) + 1
        yield Problem(
            rule,
            severity,
            f"{name} {_names(places)}: {why}",
            line=number,
            column=column,
            evidence=quote(line, column),
            recommendation=REMOVE,
        )


def _names(characters: Iterable[str]) -> str:
    points = [code_point(character) for character in characters]
    more = f" and {len(points) - 5} others" if len(points) > 5 else ""
    return ", ".join(points[:5]) + more


def _hits(line: str, *, is_first: bool) -> Iterator[Hit]:
    index = 0
    while index < len(line):
        length = 1
        if line[index] in SUSPICIOUS:
            length = _flag_length(line, index) or _variations(line, index) or 1
            rule = _rule_at(line, index, length, is_first=is_first)
            if rule:
                yield rule, index, line[index]
        index += length


def _variations(line: str, index: int) -> int:
    end = index
    while end < len(line) and line[end] in VARIATIONS:
        end += 1
    return end - index


def _flag_length(line: str, index: int) -> int:
    """How many tags at an index belong to an emoji flag: after a black flag, a region of at most six and an end tag."""
    if line[index - 1 : index] != BLACK_FLAG:
        return 0
    end = line.find(END_OF_FLAG, index, index + 7)
    return end + 1 - index if end > index and all(_is_flag_tag(tag) for tag in line[index:end]) else 0


def _is_flag_tag(tag: str) -> bool:
    return "\U000e0030" <= tag <= "\U000e0039" or "\U000e0061" <= tag <= "\U000e007a"


def _rule_at(line: str, index: int, length: int, *, is_first: bool) -> str | None:
    character = line[index]
    if character in VARIATIONS:
        return "hidden-variation" if length >= 3 else None
    if character in ALWAYS:
        return ALWAYS[character] if length == 1 else None
    before, after = line[index - 1 : index], line[index + 1 : index + 2]
    if character == ORDER_MARK:
        is_hidden = not (is_first and index == 0)
    elif character == SOFT_HYPHEN:
        is_hidden = _is_ascii_letter(before) and _is_ascii_letter(after)
    else:
        is_hidden = _hides_joiner(before, after)
    return "hidden-zero-width" if is_hidden else None


def _hides_joiner(before: str, after: str) -> bool:
    """Emoji, Persian and Indic text join rightly, also where a Latin word takes a Persian ending after a non-joiner."""
    if _is_joining_script(before) or _is_joining_script(after):
        return False
    return _is_ascii_word(before) or _is_ascii_word(after)


def _is_joining_script(character: str) -> bool:
    return "\u0600" <= character <= "\u0fff"


def _is_ascii_letter(character: str) -> bool:
    return character.isascii() and character.isalpha()


def _is_ascii_word(character: str) -> bool:
    return character.isascii() and (character.isalnum() or character == "_")


def _overwritten(text: str, old: str) -> Iterator[Problem]:
    """Carriage returns inside what LF calls one line; Python and JavaScript still see two lines there."""
    numbered = list(_lines_with_returns(text)) if "\r" in text else []
    for number, line in unseen(numbered, (line for _, line in _lines_with_returns(old))):
        column = line.index("\r") + 1
        yield Problem(
            "control-character",
            "major",
            "bare carriage return U+000D: a terminal writes what follows over the text before it",
            line=number,
            column=column,
            evidence=quote(line, column),
            recommendation="end lines with LF or CRLF only",
        )


def _lines_with_returns(text: str) -> Iterator[tuple[int, str]]:
    number = 1
    for segment in text.replace("\r\n", "\n").split("\n"):
        line = segment.rstrip("\r")
        if "\r" in line:
            yield number, line
        number += 1 + segment.count("\r")


def _not_text(path: str, data: bytes, severity: str) -> Problem:
    if _is_source(path, data):
        severity = "major"
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _wrong_encoding(severity, "UTF-16 text", "UTF-16")
    if not is_binary(data):
        return _wrong_encoding(severity, "not UTF-8 text", "ISO-8859-1")
    advice = "look at it yourself; `hygiene.binary` sets how binary files count, and source code may hold no NUL"
    return Problem("not-reviewed-binary", severity, "not reviewed: binary", recommendation=advice)


def _wrong_encoding(severity: str, what: str, charset: str) -> Problem:
    advice = f"save it as UTF-8 (for example: iconv -f {charset} -t UTF-8 FILE), or list it under `hygiene.exclude`"
    return Problem("not-reviewed-encoding", severity, f"not reviewed: {what}", recommendation=advice)


def _is_source(path: str, data: bytes) -> bool:
    name = path.rpartition("/")[2].lower()
    return name in SOURCE or "." + name.rpartition(".")[2] in SOURCE or data.startswith(b"#!")


def _too_large(size: int, max_bytes: int) -> Problem:
    return Problem(
        "not-reviewed-too-large",
        "major",
        f"not reviewed: its {size:,} bytes are more than `limits.max_file_bytes` allows ({max_bytes:,})",
        recommendation="raise that limit in .review-gate.yaml, or keep the file out of the repository",
    )


def _unreadable(reason: str) -> Problem:
    return Problem(
        "not-reviewed-unreadable",
        "major",
        f"not reviewed: {reason or 'the content could not be read'}",
        recommendation="make the object readable for git (git fsck, git fetch) and review again",
    )


def _in_pointer(data: bytes) -> list[Problem]:
    if len(data) > LFS_POINTER_BYTES or not data.startswith(LFS_HEADER):
        return []
    message = "not reviewed: the content is kept by Git LFS, only its pointer is here"
    return [Problem("not-reviewed-lfs", "info", message, line=1, recommendation="review the content where it is made")]


def _in_link(path: str, target: str) -> Iterable[Problem]:
    if _leaves_repository(path, target):
        yield Problem(
            "link-outside",
            "warning",
            "symbolic link to a place outside the repository",
            line=1,
            evidence=quote(target),
            recommendation="link to a file inside the repository by a relative path",
        )
    yield from _in_text(target, "")


def _leaves_repository(path: str, target: str) -> bool:
    if target.startswith(("/", "\\")) or target[1:2] == ":":
        return True
    depth = path.count("/")
    for part in target.replace("\\", "/").split("/"):
        depth += {"..": -1, ".": 0, "": 0}.get(part, 1)
        if depth < 0:
            return True
    return False
