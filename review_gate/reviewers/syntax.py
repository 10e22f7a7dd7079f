"""Does a changed file parse? Python, JSON and TOML here; YAML and large Python in the child process `yaml_syntax`."""

from __future__ import annotations

import sys

from review_gate.reviewers.problem import Problem, ReviewedFile
from review_gate.reviewers.text import capped, decode_anyhow, decode_utf8, place_of, quoted_line, split_lines, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

# Compiling is quadratic in places (CPython 3.11: 5,000 one-line functions in 50 kB take 0.6 s, 20,000 take 10 s), and
# 80,000 `for` clauses in one comprehension crash the interpreter. Longer files can be left to a child with a deadline.
PYTHON_IN_PROCESS_BYTES = 65_536

KIND_OF_SUFFIX = {
    ".py": "python", ".pyi": "python", ".pyw": "python",
    ".json": "json", ".geojson": "json", ".webmanifest": "json", ".ipynb": "json",
    ".yaml": "yaml", ".yml": "yaml",
    ".toml": "toml",
}  # fmt: skip
KIND_OF_NAME = {
    "pipfile": "toml", "poetry.lock": "toml", "uv.lock": "toml", "cargo.lock": "toml", "pdm.lock": "toml",
    "pipfile.lock": "json", "composer.lock": "json",
}  # fmt: skip
# The programs that read these accept comments and trailing commas, so strict JSON is the wrong question.
LENIENT_JSON_FOLDERS = frozenset({".vscode", ".devcontainer", ".zed"})
LENIENT_JSON_PREFIXES = ("tsconfig", "jsconfig", "api-extractor", "appsettings")
LENIENT_JSON_NAMES = frozenset(
    ".babelrc.json .cspell.json .devcontainer.json .eslintrc.json .jshintrc.json .luarc.json .markdownlint.json"
    " .oxlintrc.json angular.json babel.config.json coc-settings.json cspell.json deno.json devcontainer.json"
    " global.json language-configuration.json launchsettings.json nx.json pyrightconfig.json rush.json tsdoc.json"
    " tslint.json turbo.json typedoc.json wrangler.json".split()  # noqa: SIM905 - 24 quoted names read worse
)

EXCLUDE = "or list the file under `syntax.exclude`"
ADVICE = {
    "python": f"fix it, {EXCLUDE} if it is not meant for this Python",
    "json": f"fix it, {EXCLUDE} if its readers take more than JSON",
    "toml": f"fix it, {EXCLUDE} if it is meant to be broken",
    "yaml": f"fix it, {EXCLUDE} if it is a template",
}
MESSAGE_CHARACTERS = 300


def kind_of(path: str, data: bytes | None) -> str | None:
    """The language that a file is checked as: python, json, yaml, toml, or None when it is not checked."""
    if "{{" in path:
        return None  # a folder or file name that a project template fills in later, and so its content
    folder, _, name = path.lower().rpartition("/")
    kind = KIND_OF_NAME.get(name) or KIND_OF_SUFFIX.get(_suffix(name))
    if kind is None and not _suffix(name):
        return "python" if _shebang(data).startswith("python") and not _is_python_2(data) else None
    skipped = (
        (kind == "python" and _is_python_2(data))
        or (kind == "json" and _is_lenient_json(folder, name))
        or (kind == "yaml" and _is_yaml_template(folder, data))
    )
    return None if skipped else kind


def parsed_kind(file: ReviewedFile, *, max_bytes: int) -> str | None:
    """The language of a file that is there to be parsed; links, unread and oversized files are not (hygiene reports them)."""
    if file.data is None or file.is_link or max(file.size, len(file.data)) > max_bytes:
        return None
    return kind_of(file.path, file.data)


def belongs_in_child(file: ReviewedFile, *, max_bytes: int) -> bool:
    """Whether a file is for the child process: all YAML, and Python that is long enough to be an attack on the parser."""
    kind = parsed_kind(file, max_bytes=max_bytes)
    return kind == "yaml" or (kind == "python" and len(file.data or b"") > PYTHON_IN_PROCESS_BYTES)


def review(file: ReviewedFile, *, max_bytes: int, child: bool = False) -> list[Problem]:
    """Why a Python, JSON or TOML file does not parse; with `child`, what `belongs_in_child` is left to that process."""
    kind = parsed_kind(file, max_bytes=max_bytes)
    parser = PARSERS.get(kind or "")
    if parser is None or file.data is None or (child and belongs_in_child(file, max_bytes=max_bytes)):
        return []
    return parser(file.data)


def _suffix(name: str) -> str:
    stem, dot, suffix = name.rpartition(".")
    return dot + suffix if stem else ""


def _shebang(data: bytes | None) -> str:
    """The name of the program that a script asks for in its first line."""
    if not data or not data.startswith(b"#!"):
        return ""
    words = data[2:200].split(b"\n", 1)[0].decode("latin-1").split()
    if words and words[0].endswith("/env"):
        words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
    return words[0].rpartition("/")[2] if words else ""


def _is_python_2(data: bytes | None) -> bool:
    return _shebang(data).startswith("python2")


def _is_lenient_json(folder: str, name: str) -> bool:
    return (
        name in LENIENT_JSON_NAMES
        or name.startswith(LENIENT_JSON_PREFIXES)
        or not LENIENT_JSON_FOLDERS.isdisjoint(folder.split("/"))
    )


def _is_yaml_template(folder: str, data: bytes | None) -> bool:
    """Helm keeps templates below `templates`; a line that begins with {% is Jinja and can never be YAML."""
    if not data:
        return False
    if b"{{" in data and "templates" in folder.split("/"):
        return True
    return b"{%" in data and any(line.lstrip().startswith(b"{%") for line in data.split(b"\n"))


def _failed(kind: str, message: str, lines: Sequence[str] = (), place: tuple[int | None, int | None] = (None, None)) -> Problem:
    line, column = place
    return Problem(
        f"syntax-{kind}",
        "critical",
        visible(message[:MESSAGE_CHARACTERS]),
        line=line,
        column=column,
        evidence=quoted_line(list(lines), line or 0, column or 1),
        recommendation=ADVICE[kind],
    )


def _python(data: bytes) -> list[Problem]:
    version = f"Python {sys.version_info[0]}.{sys.version_info[1]} cannot compile this"
    lines = split_lines(decode_anyhow(data))
    if b"\0" in data:
        # Versions disagree on the exception for this one, and none gives the place.
        return [_failed("python", f"{version}: it holds a NUL byte", lines, place_of(decode_anyhow(data), data.index(b"\0")))]
    cookie = _misleading_encoding(data)
    if cookie:
        return [_failed("python", f"{version} safely: {cookie[1]}", lines, (cookie[0], None))]
    try:
        _compile(data)
    except SyntaxError as error:
        line = min(error.lineno, len(lines)) if error.lineno and error.lineno > 0 else None
        column = error.offset if line and error.offset and error.offset > 0 else None
        return [_failed("python", f"{version}: {error.msg}", lines, (line, column))]
    except (RecursionError, MemoryError):
        return [_failed("python", f"{version}: too deeply nested")]
    except Exception as error:  # the compiler has raised ValueError, OverflowError and SystemError over the years
        return [_failed("python", f"{version}: {error}")]
    return []


def _compile(data: bytes) -> None:
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # No real file name: to show the bad line CPython opens the named file on disk, which is not the reviewed content
        # and, where it is a FIFO, never answers (3.11).
        compile(data, "", "exec", dont_inherit=True)


# Every printable character but the backslash, then the escape forms of the codecs that read ASCII as something else.
ENCODING_PROBE = bytes(range(32, 92)) + bytes(range(93, 127)) + rb" \x41\u0041 +AGE- ~{VPND~} .xn--bcher-kva."


def _misleading_encoding(data: bytes) -> tuple[int, str] | None:
    """The line and fault of a PEP 263 declaration under which plain ASCII is not what it looks like, as with unicode_escape."""
    if b"coding" not in data:
        return None
    head = b"\n".join(data.split(b"\n", 2)[:2])
    for number, line in enumerate(split_lines(head.decode("latin-1"))[:2], 1):
        name = _declared_encoding(line)
        if name:
            fault = _encoding_fault(name)
            return (number, fault) if fault else None
    return None


def _declared_encoding(line: str) -> str:
    if not line.lstrip(" \t\f\xef\xbb\xbf").startswith("#"):
        return ""
    at = line.find("coding")
    while at >= 0:
        at += len("coding")
        if line[at : at + 1] in (":", "="):
            words = line[at + 1 : at + 100].split(None, 1)
            name = "".join(c if c.isascii() and (c.isalnum() or c in "-_.") else " " for c in words[0] if words)
            if name and name[0] != " ":
                return name.split()[0]
        at = line.find("coding", at)
    return ""


def _encoding_fault(name: str) -> str:
    try:
        reads_ascii = ENCODING_PROBE.decode(name) == ENCODING_PROBE.decode("ascii")
    except LookupError:
        return f"unknown encoding {name}"
    except Exception:  # codecs are free to raise anything, and one that fails on ASCII misleads too
        reads_ascii = False
    return "" if reads_ascii else f"with the encoding {name} its ASCII text is not what it looks like"


def _json(data: bytes) -> list[Problem]:
    import json

    text, problems = _unicode_text("json", data)
    if text is None:
        return problems
    oddities: list[object] = []

    def note_duplicates(pairs: list[tuple[str, object]]) -> None:
        if len(dict(pairs)) != len(pairs):
            oddities.append(pairs)

    try:
        # Numbers stay text: an integer of 5,000 digits is JSON, and int() refuses it.
        json.loads(text, object_pairs_hook=note_duplicates, parse_int=str, parse_float=str, parse_constant=oddities.append)
    except json.JSONDecodeError as error:
        fault = "the file is empty" if not text.strip() else error.msg[:1].lower() + error.msg[1:].rstrip(": ")
        problems.append(_failed("json", f"this is not JSON: {fault}", split_lines(text), place_of(text, error.pos)))
    except RecursionError:
        problems.append(_failed("json", "this JSON is too deeply nested"))
    else:
        problems += capped(_json_oddities(text)) if oddities else []
    return problems


def _json_oddities(text: str) -> Iterator[Problem]:
    """Where a text that Python's parser took has NaN, Infinity or a repeated key."""
    lines = split_lines(text)
    for index, name, is_key in _json_words(text):
        place = place_of(text, index)
        if not is_key:
            yield _failed("json", f"this is not JSON: {name} is no JSON number", lines, place)
        else:
            yield Problem(
                "json-duplicate-key",
                "warning",
                f'duplicate key "{visible(name[:100])}"',
                line=place[0],
                column=place[1],
                evidence=quoted_line(lines, *place),
                recommendation="keep one of them: which one wins depends on the program that reads it",
            )


def _json_words(text: str) -> Iterator[tuple[int, str, bool]]:
    """Index, name and whether it is a key, of each repeated key and each NaN or Infinity of a parsed text."""
    from json.decoder import scanstring

    seen: list[set[str]] = []
    index = 0
    while index < len(text):
        start, character = index, text[index]
        index += 1
        if character == '"':
            name, index = scanstring(text, index)
            if _is_before_colon(text, index):
                if name in seen[-1]:
                    yield start, name, True
                seen[-1].add(name)
        elif character == "{":
            seen.append(set())
        elif character == "}":
            seen.pop()
        elif character in "NI":
            name = "NaN" if character == "N" else "Infinity"
            yield start, name, False
            index = start + len(name)


def _is_before_colon(text: str, index: int) -> bool:
    while text[index : index + 1] in (" ", "\t", "\n", "\r"):
        index += 1
    return text[index : index + 1] == ":"


def _unicode_text(kind: str, data: bytes) -> tuple[str | None, list[Problem]]:
    text = decode_utf8(data)
    if text is None:
        return None, [_failed(kind, f"this is not {kind.upper()}: it is not UTF-8 text")]
    if not text.startswith("\ufeff"):
        return text, []
    # Go, Rust and JSON.parse refuse the mark; .NET and many editors write it. So it is said, and does not block.
    warning = Problem(
        f"{kind}-byte-order-mark",
        "warning",
        "it begins with a byte order mark, which strict readers refuse",
        line=1,
        column=1,
        recommendation="save it as UTF-8 without a byte order mark",
    )
    return text[1:], [warning]


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
    except Exception as error:  # besides TOMLDecodeError, int() and datetime raise ValueError and OverflowError through it
        lines = split_lines(text)
        fault, place = _toml_place(str(error), len(lines))
        problems.append(_failed("toml", f"this is not TOML: {fault[:1].lower()}{fault[1:]}", lines, place))
    return problems


def _has_key_bomb(text: str) -> bool:
    """tomllib 3.11 keeps every prefix of a dotted key: 200 kB of `a.a.a…` take gigabytes. Cost is the square of the dots."""
    dots = (line.count(".") for line in text.split("\n"))
    return sum(count * count for count in dots if count > 20) > 4_000_000


def _toml_place(message: str, last_line: int) -> tuple[str, tuple[int | None, int | None]]:
    fault, _, place = message.rpartition(" (at ")
    if place == "end of document)":
        return fault, (last_line, None)
    line, _, column = place.removeprefix("line ").removesuffix(")").partition(", column ")
    if line.isdecimal() and column.isdecimal():
        return fault, (int(line), int(column))
    return message, (None, None)


PARSERS: dict[str, Callable[[bytes], list[Problem]]] = {"python": _python, "json": _json, "toml": _toml}


def encode_frames(files: Sequence[ReviewedFile]) -> bytes:
    """What the child reads on stdin: for each file its name and its content, each behind its length."""
    parts: list[bytes] = []
    for file in files:
        if file.data is None:
            raise ValueError(f"{file.path} was not read and cannot be parsed")
        for part in (file.path.encode("utf-8", "surrogateescape"), file.data):
            parts += (len(part).to_bytes(4, "big"), part)
    return b"".join(parts)


def decode_yaml_answer(text: bytes, files: Sequence[ReviewedFile]) -> list[tuple[int, Problem]]:
    """The problems in the child's answer, each with the index of its file; ValueError when the answer is not one."""
    import json

    try:
        answers = json.loads(text)
    except RecursionError:
        raise ValueError("the answer is too deeply nested") from None
    if not isinstance(answers, list):
        raise ValueError("the answer is not a list")
    return [_answered(answer, files) for answer in answers]


def _answered(answer: object, files: Sequence[ReviewedFile]) -> tuple[int, Problem]:
    if not isinstance(answer, dict) or set(answer) != {"file", "line", "column", "message", "evidence"}:
        raise ValueError("an entry of the answer has the wrong fields")
    index, place = answer["file"], (answer["line"], answer["column"])
    message, evidence = answer["message"], answer["evidence"]
    if type(index) is not int or not 0 <= index < len(files):
        raise ValueError("an entry of the answer is about no file that was asked about")
    if any(number is not None and (type(number) is not int or number < 1) for number in place):
        raise ValueError("an entry of the answer has no valid place")
    if not isinstance(message, str) or not isinstance(evidence, str):
        raise ValueError("an entry of the answer has no text")
    kind = "python" if kind_of(files[index].path, files[index].data) == "python" else "yaml"
    problem = _failed(kind, message, (), place)
    problem.evidence = visible(evidence)
    if kind == "yaml" and message.startswith('duplicate key "'):
        problem.rule, problem.severity = "yaml-duplicate-key", "major"
        problem.recommendation = "keep one of them: readers disagree on which one wins, and some refuse the file"
    return index, problem
