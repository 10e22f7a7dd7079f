"""The process that knows sentences and Markdown: its libraries are too slow to import for every commit."""

from __future__ import annotations

import os
import sys

from review_gate.checks.scan import Undecided
from review_gate.shell.spawn import package_place, run_bounded
from review_gate.strict_json import StrictJsonError, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from review_gate.checks.rule import Hit
    from review_gate.checks.scan import Question

SECONDS = 60.0
PROGRAM = "import sys; sys.path.append(sys.argv[1]); from review_gate.checks.judge import main; main()"


def judged_by_child(questions: Sequence[Question]) -> list[list[Hit]]:
    """The hits that count, for each question."""
    import json

    asked = [
        {
            "text": text,
            "language": language,
            "hits": [[hit.start, hit.end, hit.rule.match_rule, list(hit.rule.parts)] for hit in hits],
        }
        for hits, text, language in questions
    ]
    argv = [sys.executable, "-I", "-c", PROGRAM, package_place()]
    try:
        code, output, errors = run_bounded(
            argv, dict(os.environ), stdin=json.dumps(asked).encode("ascii"), seconds=SECONDS
        )
        answers = parse(output) if code == 0 else None
    except (OSError, TimeoutError, StrictJsonError) as error:
        code, answers, errors = 1, None, str(error).encode()
    if not _fits(answers, questions):
        raise Undecided(errors.decode("utf-8", "replace").strip()[-200:] or f"exit code {code}")
    return [
        [hit for hit, counts in zip(hits, answer, strict=True) if counts]
        for (hits, _, _), answer in zip(questions, answers, strict=True)  # type: ignore[call-overload]  # `_fits` saw it
    ]


def _fits(answers: object, questions: Sequence[Question]) -> bool:
    return (
        isinstance(answers, list)
        and len(answers) == len(questions)
        and all(
            isinstance(answer, list) and len(answer) == len(hits)
            for answer, (hits, _, _) in zip(answers, questions, strict=True)
        )
    )
