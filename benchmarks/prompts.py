"""Prompt review: what a prompt without a trigger costs, the editor on a large prompt, and six reviewers at once."""

from __future__ import annotations

import importlib.util
import itertools
import json
import random
import statistics
import sys
import time
from pathlib import Path

from benchmarks.bench import Bench
from benchmarks.model_server import ModelServer, model_server
from benchmarks.repositories import Repo, published_repository
from benchmarks.results import Comparison, Figure, Measured
from benchmarks.startup import ISOLATED
from benchmarks.timing import Case
from benchmarks.world import FailedToRunError, run_checked
from review_gate.prompts.editor.edit import edit
from review_gate.prompts.schema import Critique, Op, Operation, PromptFinding, Role, Target, Weight

HOOK = "the hook, a prompt without a trigger"
LINE = "review-gate statusline"
MOST_HOOK = 2.5
MOST_EDITOR_MS = 100
MOST_REVIEW = 1.3
EDITOR_RUNS, REVIEWS = 7, 5
PROMPT_BYTES, OPERATIONS = 100_000, 50
PAYLOAD = {
    "session_id": "00000000-0000-4000-8000-000000000000",
    "transcript_path": "/tmp/transcript.jsonl",
    "cwd": "/",
    "permission_mode": "default",
    "hook_event_name": "UserPromptSubmit",
    "prompt": "Rename the function total to sum_of, and mend its callers.",
}
API = {"PROMPT_REVIEW_MODE": "api", "PROMPT_REVIEW_TIMEOUT": "60000", "PROMPT_REVIEW_PRESET": "all"}
GATE = str(Path(sys.executable).with_name("review-gate"))
_numbers = itertools.count(1)


def measure(bench: Bench) -> Measured:
    """Against an interpreter that does nothing; the figures in this process, and against a model on loopback."""
    if importlib.util.find_spec("anthropic") is None:
        raise FailedToRunError("the Python package anthropic is not installed: pip install 'review-gate[anthropic]'")
    repo = published_repository(bench.world, "prompts")
    data = json.dumps(PAYLOAD).encode()
    cases = [
        Case(ISOLATED, (sys.executable, "-I", "-c", "pass"), repo.path, repo.environ),
        Case(HOOK, (GATE, "hook", "claude"), repo.path, repo.environ, stdin=data),
        Case(LINE, (GATE, "statusline"), repo.path, repo.environ, stdin=b"{}"),
    ]
    series = bench.time("prompts", cases)
    with model_server() as server:
        reviewed = _reviewed(repo, server)
    figures = (
        Figure(
            f"ms of processor time: the editor, 6 critiques of {OPERATIONS} operations, 100 kB",
            _edited(),
            MOST_EDITOR_MS,
        ),
        Figure("s from the first question to the last answer: six reviewers of 1 s", reviewed, MOST_REVIEW),
    )
    targets = (Comparison(HOOK, ISOLATED, MOST_HOOK), Comparison(LINE, ISOLATED))
    return Measured("Prompt review", series, ISOLATED, targets, figures=figures)


def _reviewed(repo: Repo, server: ModelServer) -> float:
    """How long six reviewers take together, each on a prompt that nobody has seen before."""
    taken = []
    for _ in range(REVIEWS):
        server.expect(1.0)
        command = (GATE, "prompt-review", "--format", "json", f"Change number {next(_numbers)}")
        found = json.loads(run_checked(command, repo.path, server.environ(repo.environ) | API))
        hearing = server.hearings[-1]
        if [one["standing"] for one in found["reviewers"]] != ["ok"] * 6 or hearing.questions != 6:
            raise FailedToRunError(f"not all six have spoken: {found['reviewers']}")
        taken.append(hearing.ended - hearing.began)
    server.expect(0.0)
    return statistics.median(taken)


def _edited() -> float:
    """The processor's milliseconds for one merge."""
    numbers = random.Random(7)
    lines = _lines(numbers)
    prompt, critiques = "\n".join(lines), [_critique(role, lines, numbers) for role in Role]
    taken = []
    for _ in range(EDITOR_RUNS):
        began = time.process_time()
        edited = edit(prompt, critiques)
        taken.append((time.process_time() - began) * 1000)
    if len(edited.applied) < OPERATIONS:
        raise FailedToRunError(f"only {len(edited.applied)} operations were carried out")
    return statistics.median(taken)


def _lines(numbers: random.Random) -> list[str]:
    lines: list[str] = []
    while sum(map(len, lines)) < PROMPT_BYTES:
        lines.append(" ".join(_sentence(numbers, numbers.randint(6, 14)) for _ in range(3)))
    return lines


def _sentence(numbers: random.Random, words: int) -> str:
    return " ".join(f"word{numbers.randrange(3_000)}" for _ in range(words)).capitalize() + "."


def _critique(role: Role, lines: list[str], numbers: random.Random) -> Critique:
    operations = [_operation(lines, numbers) for _ in range(OPERATIONS)]
    findings = tuple(
        PromptFinding(
            id=f"F-{number}",
            severity=Weight.MAJOR,
            confidence=0.9,
            issue="It says too little.",
            evidence=evidence,
            suggested_ops=(operation,),
        )
        for number, (operation, evidence) in enumerate(operations)
    )
    return Critique(role=role, findings=findings)


def _operation(lines: list[str], numbers: random.Random) -> tuple[Operation, str]:
    """Six of ten add, three replace, one removes."""
    kind, line = numbers.random(), numbers.choice(lines)
    if kind < 0.6:
        op = numbers.choice([one for one in Op if one.is_addition])
        words = f"{numbers.choice(('Always', 'Never'))} {_sentence(numbers, 12)}"
        return Operation(op=op, target=numbers.choice(list(Target)), value=words), ""
    if kind < 0.9:
        start = numbers.randrange(12)
        evidence = " ".join(line.split()[start : start + 4])
        return Operation(op=Op.REPLACE_VAGUE, target=Target.STRUCTURE, value=_sentence(numbers, 9)), evidence
    sentence = line.split(". ")[0] + "."
    return Operation(op=Op.REMOVE_CONSTRAINT, target=Target.CONSTRAINTS, value=sentence), sentence
