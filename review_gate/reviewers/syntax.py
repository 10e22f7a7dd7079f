"""Does a changed file parse? Python, JSON and TOML here; YAML and long Python in the child process `syntax_answers`."""

from __future__ import annotations

from review_gate.reviewers import python_syntax
from review_gate.reviewers.file_kind import kind_of
from review_gate.reviewers.problem import Problem, ReviewedFile
from review_gate.reviewers.text import capped, decode_utf8, located, place_of, split_lines, visible
from review_gate.severity import RANKS
from review_gate.strict_json import StrictJsonError, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from review_gate.reviewers.text import Place

__all__ = [
    "belongs_in_child",
    "decode_yaml_answer",
    "encode_frames",
    "kind_of",
    "parsed_kind",
    "review",
]

# Compiling is quadratic in places (CPython 3.11: 5,000 one-line functions in 50 kB take 0.6 s, 20,000 take 10 s), and
# 80,000 `for` clauses in one comprehension crash the interpreter. Longer files can be left to a child with a deadline.
PYTHON_IN_PROCESS_BYTES = 65_536
# What is always left to the child, and what is where the child costs no start: importing the parser of TOML takes
# longer than all that a commit hook does to its files.
CHILD_KINDS = ("yaml",)
FORKED_KINDS = ("yaml", "toml")

ADVICE = {
    "json": "fix it, or list the file under `syntax.exclude` if its readers take more than JSON",
    "toml": "fix it, or list the file under `syntax.exclude` if it is meant to be broken",
}
TEXTS = ("rule", "severity", "message", "evidence", "recommendation")
FIELDS = (*TEXTS, "line", "column")
NOWHERE: Place = (None, None)
DUPLICATE = 'duplicate key "'


def parsed_kind(file: ReviewedFile, *, max_bytes: int) -> str | None:
    """The language of a file that can be parsed: not a link, nor unread, nor oversized (hygiene reports those)."""
    if file.data is None or file.is_link or max(file.size, len(file.data)) > max_bytes:
        return None
    return kind_of(file.path, file.data)


def belongs_in_child(file: ReviewedFile, *, max_bytes: int, kinds: Collection[str] = CHILD_KINDS) -> bool:
    """Whether a file is for the child process: all of some kinds, and Python long enough to exhaust the compiler."""
    kind = parsed_kind(file, max_bytes=max_bytes)
    return kind in kinds or (kind == "python" and len(file.data or b"") > PYTHON_IN_PROCESS_BYTES)


def review(file: ReviewedFile, *, max_bytes: int, child_kinds: Collection[str] = CHILD_KINDS) -> list[Problem]:
    """Why a Python, JSON or TOML file does not parse; what `belongs_in_child` is left to that process."""
    parser = PARSERS.get(parsed_kind(file, max_bytes=max_bytes) or "")
    if parser is None or file.data is None or belongs_in_child(file, max_bytes=max_bytes, kinds=child_kinds):
        return []
    return parser(file.data)


def _failed(kind: str, message: str, lines: Sequence[str] = (), place: Place = NOWHERE) -> Problem:
    return located(f"syntax-{kind}", "critical", message, lines, place, recommendation=ADVICE[kind])


def _json(data: bytes) -> list[Problem]:
    try:
        parse(data)
    except StrictJsonError:
        return _json_problems(data)
    # The usual file is fine, and the `json` module takes 10 ms to import.
    return []


def _json_problems(data: bytes) -> list[Problem]:
    import json

    text, problems = _unicode_text("json", data)
    if text is None:
        return problems
    odd: list[object] = []

    def note_duplicates(pairs: list[tuple[str, object]]) -> None:
        if len(dict(pairs)) != len(pairs):
            odd.append(pairs)

    try:
        # Numbers stay text: an integer of 5,000 digits is JSON, and int() refuses it.
        json.loads(text, object_pairs_hook=note_duplicates, parse_int=str, parse_float=str, parse_constant=odd.append)
    except json.JSONDecodeError as error:
        fault = "the file is empty" if not text.strip() else error.msg[:1].lower() + error.msg[1:].rstrip(": ")
        return [*problems, _failed("json", f"this is not JSON: {fault}", split_lines(text), place_of(text, error.pos))]
    except RecursionError:
        return [*problems, _failed("json", "this JSON is too deeply nested")]
    return problems + (capped(_json_oddities(text)) if odd else [])


def _json_oddities(text: str) -> Iterator[Problem]:
    """Where a text that Python's parser took has NaN, Infinity (these first) or a repeated key."""
    # Within a parsed text line ends stand between values only, so this moves no column.
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    for index, name, is_key in sorted(_json_words(text), key=lambda word: word[2]):
        place = place_of(text, index)
        if is_key:
            advice = "keep one of them: which one wins depends on the program that reads the file"
            message = f'{DUPLICATE}{name[:100]}"'
            yield located("json-duplicate-key", "warning", message, lines, place, recommendation=advice)
        else:
            yield _failed("json", f"this is not JSON: {name} is no JSON number", lines, place)


def _json_words(text: str) -> Iterator[tuple[int, str, bool]]:
    """Index, name and whether it is a key, of each repeated key and each NaN or Infinity of a parsed text."""
    import json

    read_string = json.JSONDecoder().raw_decode
    keys: list[set[str]] = []
    index = 0
    while index < len(text):
        start, character = index, text[index]
        index += 1
        if character == '"':
            name, index = read_string(text, start)
            if _is_before_colon(text, index):
                if name in keys[-1]:
                    yield start, name, True
                keys[-1].add(name)
        elif character == "{":
            keys.append(set())
        elif character == "}":
            keys.pop()
        elif character in "NI":
            name = "NaN" if character == "N" else "Infinity"
            yield start, name, False
            index = start + len(name)


def _is_before_colon(text: str, index: int) -> bool:
    while text[index : index + 1] in (" ", "\t", "\n"):
        index += 1
    return text[index : index + 1] == ":"


def _unicode_text(kind: str, data: bytes) -> tuple[str | None, list[Problem]]:
    text = decode_utf8(data)
    if text is None:
        return None, [_failed(kind, f"this is not {kind.upper()}: it is not UTF-8 text")]
    if not text.startswith("\ufeff"):
        return text, []
    # Go, Rust and JSON.parse refuse the mark, .NET and some editors write it: it is said, and does not block.
    message = "it begins with a byte order mark, which strict readers refuse"
    advice = "save it as UTF-8 without a byte order mark"
    return text[1:], [located(f"{kind}-byte-order-mark", "warning", message, (), (1, 1), recommendation=advice)]


def _toml(data: bytes) -> list[Problem]:
    text, problems = _unicode_text("toml", data)
    if text is None:
        return problems
    if _has_key_bomb(text):
        return [*problems, _failed("toml", "this TOML is too deeply nested")]
    import tomllib

    try:
        tomllib.loads(text)
    except RecursionError:
        problems.append(_failed("toml", "this TOML is too deeply nested"))
    except Exception as error:  # besides TOMLDecodeError, int() and datetime raise ValueError and OverflowError here
        lines = split_lines(text)
        fault, place = _toml_place(str(error), last_line=len(split_lines(text.rstrip())))
        problems.append(_failed("toml", f"this is not TOML: {fault[:1].lower()}{fault[1:]}", lines, place))
    return problems


def _has_key_bomb(text: str) -> bool:
    """The parser of Python 3.11 keeps every prefix of a dotted key: 200 kB of `a.a.a.` take gigabytes of memory."""
    dots = (line.count(".") for line in text.split("\n"))
    return sum(count * count for count in dots if count > 12) > 4_000_000


def _toml_place(message: str, *, last_line: int) -> tuple[str, Place]:
    fault, _, place = message.rpartition(" (at ")
    if place == "end of document)":
        return fault, (last_line, None)
    line, _, column = place.removeprefix("line ").removesuffix(")").partition(", column ")
    if line.isdecimal() and column.isdecimal():
        return fault, (int(line), int(column))
    return message, NOWHERE


PARSERS: dict[str, Callable[[bytes], list[Problem]]] = {
    "python": python_syntax.problems_in,
    "json": _json,
    "toml": _toml,
}


def encode_frames(files: Sequence[ReviewedFile]) -> bytes:
    """What the child reads on stdin: for each file its name and its content, each behind its length."""
    parts: list[bytes] = []
    for file in files:
        if file.data is None:
            raise ValueError(f"{visible(file.path)} was not read and cannot be parsed")
        for part in (file.path.encode("utf-8", "surrogateescape"), file.data):
            parts += (len(part).to_bytes(4, "big"), part)
    return b"".join(parts)


def encode_answer(found: Iterable[tuple[int, Problem]]) -> bytes:
    """What the child writes on stdout: each problem with the index of its file."""
    import json

    answers = [{"file": index} | {name: getattr(problem, name) for name in FIELDS} for index, problem in found]
    return json.dumps(answers).encode()


def decode_yaml_answer(text: bytes, files: Sequence[ReviewedFile]) -> list[tuple[int, Problem]]:
    """The problems in the child's answer, each with the index of its file; ValueError when it is no such answer."""
    answers = parse(text)
    if not isinstance(answers, list):
        raise ValueError("the answer is not a list")
    return [_answered(answer, len(files)) for answer in answers]


def _answered(answer: object, count: int) -> tuple[int, Problem]:
    if not isinstance(answer, dict) or set(answer) != {"file", *FIELDS}:
        raise ValueError("an entry of the answer has the wrong fields")
    index, line, column = answer["file"], answer["line"], answer["column"]
    if type(index) is not int or not 0 <= index < count:
        raise ValueError("an entry of the answer is about no file that was asked about")
    if any(number is not None and (type(number) is not int or number < 1) for number in (line, column)):
        raise ValueError("an entry of the answer has no valid place")
    rule, severity, message, evidence, advice = texts = [answer[name] for name in TEXTS]
    if not all(isinstance(one, str) for one in texts) or severity not in RANKS:
        raise ValueError("an entry of the answer has no text")
    message, evidence = visible(message), visible(evidence)
    return index, Problem(rule, severity, message, line=line, column=column, evidence=evidence, recommendation=advice)
