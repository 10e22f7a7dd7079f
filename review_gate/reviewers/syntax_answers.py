"""The child process that parses YAML, TOML, and Python too long for the hook: frames in, one JSON answer out."""

from __future__ import annotations

import sys

from review_gate.errors import MISUSE, PASS
from review_gate.reviewers.file_kind import kind_of
from review_gate.reviewers.syntax import PARSERS, encode_answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from review_gate.reviewers.problem import Problem


def main() -> int:
    """Answer for every file on stdin; exit code 0 unless stdin is not what `encode_frames` writes."""
    try:
        answer = answer_for(sys.stdin.buffer.read())
    except ValueError as error:
        sys.stderr.write(f"{error}\n")
        return MISUSE
    sys.stdout.write(answer)
    return PASS


def get_ready(kinds: Collection[str]) -> None:
    """Import what parses these kinds, before the first file comes."""
    if "toml" in kinds:
        import tomllib  # noqa: F401 - it is kept by Python
    if "yaml" in kinds:
        from review_gate.reviewers import yaml_syntax  # noqa: F401 - it is kept by Python


def answer_for(stream: bytes) -> str:
    """What is wrong with each file of a stream; ValueError where that ends too early."""
    found = [(index, one) for index, frame in enumerate(frames_in(stream)) for one in _problems(*frame)]
    return encode_answer(found).decode() if found else "[]"


def frames_in(stream: bytes) -> Iterator[tuple[str, bytes]]:
    """The names and contents in a stream of frames; ValueError where it ends too early."""
    at = 0
    while at < len(stream):
        name, at = _part(stream, at)
        data, at = _part(stream, at)
        yield name.decode("utf-8", "surrogateescape"), data


def _part(stream: bytes, at: int) -> tuple[bytes, int]:
    start = at + 4
    end = start + int.from_bytes(stream[at:start], "big")
    if start > len(stream) or end > len(stream):
        raise ValueError("the input ends in the middle of a file")
    return stream[start:end], end


def _problems(name: str, data: bytes) -> list[Problem]:
    return PARSERS.get(kind_of(name, data) or "", _yaml)(data)


def _yaml(data: bytes) -> list[Problem]:
    from review_gate.reviewers.yaml_syntax import problems_in

    return problems_in(data)


if __name__ == "__main__":
    sys.exit(main())
