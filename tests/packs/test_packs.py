"""The shipped packs: every check is sound, finds its bad examples and leaves its good ones alone."""

from __future__ import annotations

import re

import pytest
from packing import FOLDER, checks_of, found_by, text_of
from ruamel.yaml import YAML

from review_gate.checks.engine import Engine, find
from review_gate.checks.examples import languages_of_examples, wrong_examples
from review_gate.checks.fix_rounds import fix_until_stable
from review_gate.checks.schema import CheckFile
from review_gate.checks.sought import sought_for
from review_gate.checks.yaml_source import SourcedCheck
from review_gate.embedded import DEFAULT_PACKS
from review_gate.shell.check_sources import ids_in_packs

PACKS = sorted(path.stem for path in FOLDER.glob("*.yaml"))
# What the ids of a pack begin with.
PREFIXES = {
    "commit-message": "message-",
    "dangerous-go": "go-",
    "dangerous-javascript": "javascript-",
    "dangerous-python": "python-",
    "dangerous-shell": "shell-",
    "dangerous-sql": "sql-",
    "error-handling": "error-",
    "injection": "injection-",
    "leftovers": "leftover-",
    "plan": "plan-",
    "secrets": "secret-",
    "unicode": "unicode-",
    "workflows": "workflow-",
}
CATEGORIES = ("security", "secrets", "performance", "errors", "leftovers", "prose", "message")


ALL = [(pack, check) for pack in PACKS for check in checks_of(pack)]
EACH_CHECK = [pytest.param(pack, check, id=check.rule.id) for pack, check in ALL]


def test_there_is_a_pack_for_each_theme() -> None:
    assert list(PREFIXES) == PACKS


def test_the_packs_of_the_default_set_are_shipped() -> None:
    assert set(DEFAULT_PACKS) <= set(PACKS)


@pytest.mark.parametrize("pack", PACKS)
def test_a_pack_fits_the_schema_and_says_what_it_is_about(pack: str) -> None:
    file = CheckFile.model_validate(YAML(typ="safe").load(text_of(pack)))
    assert file.title
    assert file.description
    assert len(file.checks) == len(checks_of(pack)) >= 10


@pytest.mark.parametrize("pack", PACKS)
def test_a_pack_is_plain_ascii_so_that_nothing_hides_in_it(pack: str) -> None:
    assert [line for line in text_of(pack).splitlines() if not line.isascii()] == []


def test_no_id_is_used_twice() -> None:
    ids = [check.rule.id for _, check in ALL]
    assert sorted(ids) == sorted(set(ids))


@pytest.mark.parametrize(("pack", "check"), EACH_CHECK)
def test_a_check_says_what_it_is_and_brings_two_examples_of_each_kind(pack: str, check: SourcedCheck) -> None:
    rule = check.rule
    assert rule.id.startswith(PREFIXES[pack])
    assert rule.category in CATEGORIES
    assert rule.reason.endswith(".")
    assert len(rule.reason) <= 200
    assert len(set(check.examples.bad)) >= 2
    assert len(set(check.examples.good)) >= 2


@pytest.mark.parametrize(("pack", "check"), EACH_CHECK)
def test_a_check_finds_its_bad_examples_and_leaves_the_good_ones_alone(pack: str, check: SourcedCheck) -> None:
    wrong = wrong_examples(check.rule, check.examples, find)
    assert [f"{one.kind} example {one.number}: {one.text!r} {one.what}" for one in wrong] == []


@pytest.mark.parametrize(
    "check", [pytest.param(check, id=check.rule.id) for _, check in ALL if check.rule.fix is not None]
)
def test_a_fixed_example_is_found_no_more(check: SourcedCheck) -> None:
    rule, language = check.rule, languages_of_examples(check.rule)[0]
    for text in check.examples.bad:
        mended = fix_until_stable(text, lambda new, _: find(rule, new, language), language=language).text
        assert mended != text
        assert find(rule, mended, language) == []


FIXED = {
    "sql-equals-null": ("SELECT 1 FROM a WHERE b = NULL;", "SELECT 1 FROM a WHERE b IS NULL;"),
    "sql-not-equals-null": ("select 1 from a where (b != null);", "select 1 from a where (b IS NOT NULL);"),
    "error-python-raise-not-implemented": ("raise NotImplemented('x')", "raise NotImplementedError('x')"),
    "plan-simply": ("We simply rename it.", "We rename it."),
    "workflow-persist-credentials": ("  persist-credentials: true", "  persist-credentials: false"),
}


def test_every_fix_is_shown_below() -> None:
    assert {check.rule.id for _, check in ALL if check.rule.fix} == set(FIXED)


@pytest.mark.parametrize(("name", "before", "after"), [(name, *texts) for name, texts in FIXED.items()], ids=FIXED)
def test_a_fix_writes_what_was_meant(name: str, before: str, after: str) -> None:
    rule = next(check.rule for _, check in ALL if check.rule.id == name)
    language = languages_of_examples(rule)[0]
    assert fix_until_stable(before, lambda new, _: find(rule, new, language), language=language).text == after


def test_a_check_of_a_pack_is_known_without_reading_yaml() -> None:
    assert ids_in_packs() == {check.rule.id for _, check in ALL}


@pytest.mark.parametrize("pack", PACKS)
def test_no_pack_holds_what_looks_like_a_secret(pack: str) -> None:
    rules = [check.rule for check in checks_of("secrets")]
    engine = Engine(rules, [sought_for(rule) for rule in rules])
    assert [hit.rule.id for hit in engine.hits(text_of(pack).encode())] == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466 \u2764\ufe0f\u200d\U0001f525", id="emoji"
        ),
        pytest.param("\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", id="flag of England"),
        pytest.param("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", id="Persian with a non-joiner"),
        pytest.param(
            "\u0633\u0644\u0627\u0645\u200f, \u05e9\u05dc\u05d5\u05dd\u200e", id="Arabic and Hebrew with marks"
        ),
        pytest.param("\u03b1\u03b2\u03b3 \u0394x = \u03c0r\u00b2", id="Greek and formulas"),
        pytest.param("\ufeff# BOM at the start", id="byte order mark at the start"),
    ],
)
@pytest.mark.parametrize("language", ["python", "markdown", ""])
def test_text_that_people_write_hides_nothing(text: str, language: str) -> None:
    found = [check.rule.id for check in checks_of("unicode") if find(check.rule, text, language)]
    assert found == []


@pytest.mark.parametrize(
    ("pack", "path", "text", "expected"),
    [
        pytest.param(
            "dangerous-python",
            "app/db.py",
            "cursor.execute(\n    f\"SELECT * FROM users WHERE name = '{name}'\"\n)\n",
            ["python-sql-built-from-text"],
            id="Python, a call over several lines",
        ),
        pytest.param(
            "dangerous-go",
            "app/db.go",
            'rows, err := db.Query(fmt.Sprintf("SELECT name FROM users WHERE id = %s", id))\n',
            ["go-sql-built-from-text"],
            id="Go, in the call",
        ),
        pytest.param(
            "dangerous-javascript",
            "app/db.ts",
            "await db.query(\n  `SELECT * FROM users WHERE id = ${id}`,\n);\n",
            ["javascript-sql-built-from-text"],
            id="TypeScript, a call over several lines",
        ),
        pytest.param(
            "secrets",
            "app/settings.py",
            'PASSWORD = "q8Zr2LmX0vTb6NwK4yHs"\n',
            ["secret-assigned-password"],
            id="a long password",
        ),
        pytest.param(
            "secrets",
            "app/settings.py",
            'PASSWORD = os.getenv("DB_PASSWORD", "Tr0ub4dor&3")\n',
            ["secret-fallback"],
            id="a password for when none is set",
        ),
        pytest.param(
            "workflows",
            ".github/workflows/label.yml",
            "on: pull_request_target\njobs:\n  a:\n    steps:\n    - run: gh pr checkout ${{ github.event.number }}\n",
            ["workflow-target-checkout"],
            id="a stranger's change is checked out",
        ),
    ],
)
def test_one_fault_raises_one_alarm(pack: str, path: str, text: str, expected: list[str]) -> None:
    assert found_by(pack, text, path) == expected


def test_the_page_about_the_packs_counts_their_checks_right() -> None:
    page = (FOLDER.parent / "docs" / "packs.md").read_text(encoding="utf-8")
    told = dict(re.findall(r"^\| `([a-z-]+)` \| .+ \| (\d+) \| (?:yes|no) \|$", page, re.MULTILINE))
    assert told == {pack: str(len(checks_of(pack))) for pack in PACKS}
