"""Small faults at random places of the parts that must not break, and the share of them that the tests catch.

    python tests/faults.py choose --seed 24 --number 160 OLD_TREE NEW_TREE > faults.json
    python tests/faults.py run TREE faults.json > caught.json

A fault is described by its function and the expression that it changes, so that it can be put into any version that
still has both: choose takes only those. Faults of the shell shim are put in by hand.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import random
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

# Area -> names of its modules in any version (globs of paths), and its tests, fast ones first.
AREAS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "gate": (
        ("gate/coverage", "gate/decide", "gate/push", "gate/decision", "workflows/judge", "workflows/push"),
        ("core/**/test_gate*", "gate/test_*", "**/test_push_*", "**/test_verify*", "journeys/test_push*"),
    ),
    "ledger": (
        ("gate/record", "gate/state_view", "shell/ledger", "shell/ledger_entry", "shell/remote", "shell/exact_ref"),
        (
            "core/**/test_gate*",
            "**/test_ledger*",
            "**/test_exact*",
            "**/test_remote*",
            "**/test_push_hostile*",
            "**/test_push_reasons*",
            "journeys/test_push*",
            "**/test_status*",
        ),
    ),
    "policy": (
        (
            "workflows/policy",
            "shell/policy_cache",
            "shell/check_key",
            "shell/pipeline_key",
            "config/policy",
            "checks/strictness",
            "checks/weakened",
            "shell/sealed",
        ),
        (
            "**/test_strictness*",
            "**/test_weakened*",
            "**/test_policy*",
            "**/test_config*",
            "**/test_push_reasons*",
            "**/test_push_checks*",
            "**/test_checks_settings*",
            "journeys/test_push*",
            "journeys/test_config*",
        ),
    ),
    "plans": (
        ("plans/machine", "plans/verdict", "plans/panel", "plans/marker"),
        ("core/plans/test_*", "plans/test_*", "**/test_plan_*", "**/test_expert_review*", "journeys/test_plan*"),
    ),
    "prompts": (
        (
            "prompts/editor/edit",
            "prompts/editor/place",
            "prompts/editor/outline",
            "prompts/editor/proposal",
            "prompts/editor/layout",
            "prompts/outcome",
            "prompts/critique",
            "prompts/edit",
            "prompts/place",
        ),
        ("core/prompts/**/test_*", "prompts/test_*", "**/test_prompt_*", "journeys/test_prompt*"),
    ),
    "rounds": (
        ("consensus/tally", "consensus/ballot", "consensus/tracking", "consensus/engine", "consensus/agreement"),
        ("core/consensus/test_*", "rounds/test_*", "**/test_rounds*", "journeys/test_rounds*"),
    ),
    "verdict": (
        ("pipeline/aggregate", "pipeline/vote", "pipeline/judged", "loops/report", "loops/run", "loops/earlier"),
        (
            "core/pipeline/test_*",
            "core/**/test_loops*",
            "core/**/test_earlier*",
            "**/test_run_memory*",
            "**/test_run_models*",
            "**/test_run*",
            "journeys/test_run*",
        ),
    ),
}
SWAPS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}


class Fault(NamedTuple):
    """One small change: in a function, the n-th expression that reads `before` becomes `after`."""

    area: str
    function: str
    before: str
    after: str
    number: int


def changed(node: ast.AST) -> Iterator[ast.expr]:
    """What a fault makes of an expression."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in SWAPS:
        made = copy.deepcopy(node)
        made.ops = [SWAPS[type(node.ops[0])]()]
        yield made
    if isinstance(node, ast.BoolOp):
        made_bool = copy.deepcopy(node)
        made_bool.op = ast.And() if isinstance(node.op, ast.Or) else ast.Or()
        yield made_bool
        yield copy.deepcopy(node.values[0])
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield copy.deepcopy(node.operand)
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    if isinstance(node, ast.IfExp):
        yield copy.deepcopy(node.orelse)
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.BitOr)):
        yield copy.deepcopy(node.left)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("any", "all"):
        made_call = copy.deepcopy(node)
        made_call.func = ast.Name("all" if node.func.id == "any" else "any")
        yield made_call


def functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    """The functions of a module with their names, methods behind their class."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        if isinstance(node, ast.ClassDef):
            for one in node.body:
                if isinstance(one, ast.FunctionDef):
                    yield f"{node.name}.{one.name}", one


def expressions(function: ast.FunctionDef) -> Iterator[tuple[ast.expr, str, int]]:
    """The expressions of a function's body, each with its text and how many of the same text came before."""
    seen: Counter[str] = Counter()
    for statement in function.body:
        for node in ast.walk(statement):
            if isinstance(node, ast.expr):
                text = ast.unparse(node)
                yield node, text, seen[text]
                seen[text] += 1


def faults_of(tree: Path, area: str) -> list[Fault]:
    """Every fault that can be put into an area."""
    found = []
    for name in AREAS[area][0]:
        for path in sorted((tree / "review_gate").glob(f"{name}.py")):
            for function, node in functions(ast.parse(path.read_text())):
                for expression, text, number in expressions(node):
                    found += [Fault(area, function, text, ast.unparse(one), number) for one in changed(expression)]
    return [one for one in found if one.before != one.after]


def sources(tree: Path) -> dict[Path, str]:
    """The modules of a version."""
    paths = [*(tree / "review_gate").rglob("*.py"), *(tree / "git_hooks").rglob("*.py")]
    return {path: path.read_text() for path in sorted(paths)}


def place(texts: dict[Path, str], fault: Fault) -> tuple[Path, ast.expr] | None:
    """Where a fault goes in a version; None if no function, or more than one, has what it changes."""
    short = fault.function.split(".")[-1]
    found = []
    for path, text in texts.items():
        if f"def {short}(" in text:
            for name, node in functions(ast.parse(text)):
                if name == fault.function:
                    found += [
                        (path, expression)
                        for expression, shown, number in expressions(node)
                        if (shown, number) == (fault.before, fault.number)
                    ]
    return found[0] if len(found) == 1 else None


def with_fault(text: str, node: ast.expr, after: str) -> str:
    """The text of a module with a fault in it."""
    lines = text.encode().splitlines(keepends=True)
    first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
    head, tail = lines[first][: node.col_offset], lines[last][node.end_col_offset :]
    return b"".join([*lines[:first], head + f"({after})".encode() + tail, *lines[last + 1 :]]).decode()


def choose(old: Path, new: Path, seed: int, number: int) -> list[Fault]:
    """Random faults that both versions can have, about as many in each area."""
    random.seed(seed)
    texts = sources(old), sources(new)
    chosen: list[Fault] = []
    per_area = number // len(AREAS) + 1
    for area in AREAS:
        candidates = faults_of(old, area)
        random.shuffle(candidates)
        fitting = (one for one in candidates if all(place(each, one) for each in texts))
        chosen += [one for one, _ in zip(fitting, range(per_area), strict=False)]
    return chosen


def run(tree: Path, faults: list[Fault], workers: str) -> Iterator[dict[str, Any]]:
    """Put each fault into a version and run the tests of its area until one fails."""
    texts = sources(tree)
    for fault in faults:
        found = place(texts, fault)
        if found is None:
            yield {**fault._asdict(), "caught": None}
            continue
        path, node = found
        started = time.monotonic()
        try:
            path.write_text(with_fault(texts[path], node, fault.after))
            caught = not tests_pass(tree, fault.area, workers)
        finally:
            path.write_text(texts[path])
        yield {**fault._asdict(), "caught": caught, "seconds": round(time.monotonic() - started, 1)}


def tests_pass(tree: Path, area: str, workers: str) -> bool:
    """Do all tests of an area pass?"""
    paths = [path for name in AREAS[area][1] for path in sorted((tree / "tests").glob(f"{name}.py"))]
    argv = [str(tree / ".venv/bin/pytest"), "-x", "-q", "-n", workers, *map(str, dict.fromkeys(paths))]
    return subprocess.run(argv, cwd=tree, capture_output=True, stdin=subprocess.DEVNULL, check=False).returncode == 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    chooser = commands.add_parser("choose")
    chooser.add_argument("trees", type=Path, nargs=2)
    chooser.add_argument("--seed", type=int, default=24)
    chooser.add_argument("--number", type=int, default=160)
    runner = commands.add_parser("run")
    runner.add_argument("tree", type=Path)
    runner.add_argument("faults", type=Path)
    runner.add_argument("--workers", default="2")
    options = parser.parse_args()
    if options.command == "choose":
        print(
            json.dumps(
                [one._asdict() for one in choose(options.trees[0], options.trees[1], options.seed, options.number)],
                indent=1,
            )
        )
        return
    for row in run(
        options.tree.resolve(), [Fault(**one) for one in json.loads(options.faults.read_text())], options.workers
    ):
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
