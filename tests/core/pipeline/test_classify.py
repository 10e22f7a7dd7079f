"""Stages 1 and 2: facts of a change, and what kind of change that is."""

from __future__ import annotations

import random

import pytest
from composing import config, domain, facts

from review_gate.globs import matches_any
from review_gate.pipeline.classify import classify
from review_gate.pipeline.config_schema import DomainMapping
from review_gate.pipeline.domains import DomainIndex
from review_gate.pipeline.schema import FileFact

DOMAINS = config().domains
GLOBS = [
    *("**/billing/**", "billing/**", "src/**", "*.md", "*.d.ts", "Dockerfile", "Dockerfile*", "*_test.py", "test_*.py"),
    *(
        "test",
        "*.{yml,yaml}",
        "[Mm]akefile",
        "docs/*.md",
        "a?c",
        "src/*/x.py",
        ".github/**",
        "*price*",
        "*",
        "[!a]*.py",
        "a[bc]c",
        "[]]x",
        "x[a-c]*",
    ),
]
PARTS = ["billing", "src", "docs", "test", ".github", "a", "abc", "deep", "price-list", "x.md"]
NAMES = ["x.py", "x.md", "a.d.ts", "Dockerfile", "Dockerfile.dev", "a_test.py", "test_a.py", "makefile", "a.yml", "abc"]


def test_the_index_of_domains_says_what_the_globs_say() -> None:
    chance = random.Random(5)
    for _ in range(300):
        chosen = [chance.sample(GLOBS, k=chance.randint(1, 5)) for _ in range(3)]
        mappings = [DomainMapping(**domain(f"d{number}", *globs)) for number, globs in enumerate(chosen)]
        index = DomainIndex(mappings)
        for _ in range(20):
            path = "/".join([*chance.choices(PARTS, k=chance.randint(0, 3)), chance.choice(NAMES)])
            expected = tuple(mapping.domain for mapping in mappings if matches_any(path, mapping.globs))
            assert index.domains_of(path) == expected, (path, chosen)


def test_facts_have_status_lines_and_domains_of_each_file() -> None:
    found = facts(("src/billing/a.py", "A", 10, 0), ("logo.png", "M", None, None), ("tests/test_a.py", "D", 0, 7))
    assert found.files == (
        FileFact("src/billing/a.py", "A", 10, 0, ("money",)),
        FileFact("logo.png", "M", None, None, ()),
        FileFact("tests/test_a.py", "D", 0, 7, ("tests",)),
    )
    assert (found.added, found.deleted) == (10, 7)


def test_risk_comes_with_its_reasons() -> None:
    found = classify(
        facts(
            ("src/billing/a.py", "M", 300, 250),
            (".github/workflows/ci.yml", "M", 1, 1),
            ("tests/test_a.py", "D", 0, 7),
            ("logo.png", "A", None, None),
        ),
        DOMAINS,
    )
    assert [(reason.points, reason.because) for reason in found.risk_reasons] == [
        (20, "559 lines changed"),
        (30, "1 file in money"),
        (5, "1 file in ci"),
        (15, "1 file with tests deleted"),
        (10, "1 binary file, which nobody can read"),
    ]
    assert (found.risk, found.risk_level, found.scope) == (80, "high", "large")
    assert found.domains == {"money": 1, "tests": 1, "ci": 1}


def test_a_change_too_large_to_count_is_risky_for_that() -> None:
    found = classify(facts(*[(f"f{number}.py", "M", None, None) for number in range(300)], counted=False), DOMAINS)
    assert [reason.because for reason in found.risk_reasons] == [
        "300 files are too many to count their lines",
        "300 files changed",
    ]
    assert (found.risk, found.scope) == (60, "huge")


TYPES = {
    "documents": ([("README.md", "M", 3, 1)], "docs"),
    "tests": ([("tests/a.py", "A", 30, 0)], "tests"),
    "workflows": ([(".github/a.yml", "M", 3, 1)], "configuration"),
    "tests and documents": ([("tests/a.py", "M", 3, 1), ("README.md", "M", 3, 1)], "mixed"),
    "new code": ([("src/a.py", "A", 30, 0), ("tests/a.py", "A", 30, 0)], "feature"),
    "much more code": ([("src/a.py", "M", 90, 3)], "feature"),
    "as much code as before": ([("src/a.py", "M", 90, 80)], "refactor"),
    "a little code": ([("src/a.py", "M", 9, 1)], "fix"),
    "code with documents": ([("src/a.py", "M", 9, 1), ("README.md", "M", 30, 1)], "fix"),
}


@pytest.mark.parametrize(("changes", "expected"), TYPES.values(), ids=TYPES)
def test_the_type_of_a_change_follows_from_its_content(
    changes: list[tuple[str, str, int | None, int | None]], expected: str
) -> None:
    assert classify(facts(*changes), DOMAINS).change_type == expected
