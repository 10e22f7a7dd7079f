"""SQL that is put together from text: values are found whatever they are called, placeholders are left alone."""

from __future__ import annotations

import pytest
from packing import found_by

PACKS = {"py": "dangerous-python", "js": "dangerous-javascript", "ts": "dangerous-javascript", "go": "dangerous-go"}


def found_in(language: str, text: str) -> list[str]:
    return found_by(PACKS[language], text, f"app/db.{language}")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        pytest.param(
            "js", "db.query(`SELECT * FROM users WHERE id = ${req.params.id}`)\n", id="a parameter of a route"
        ),
        pytest.param("js", "db.query(`SELECT * FROM offers WHERE id = ${quoteId}`)\n", id="a quote that is an offer"),
        pytest.param("py", "cursor.execute(f\"SELECT * FROM t WHERE id = {params['id']}\")\n", id="f-string"),
        pytest.param("py", 'cursor.execute("SELECT * FROM t WHERE id = %s" % params["id"])\n', id="percent"),
        pytest.param("py", "sql = \"SELECT * FROM t WHERE name = '{}'\".format(params['name'])\n", id="format"),
        pytest.param("py", 'sql = f"""\n  SELECT * FROM t\n  WHERE id = {params.id}\n"""\n', id="f-string, a block"),
        pytest.param(
            "go", 'db.Query(fmt.Sprintf("SELECT * FROM t WHERE id IN (%s)", params.IDs))\n', id="Go, a field of params"
        ),
    ],
)
def test_a_value_in_a_statement_is_found_once_whatever_it_is_called(language: str, text: str) -> None:
    assert len(found_in(language, text)) == 1


@pytest.mark.parametrize(
    ("language", "text"),
    [
        pytest.param("js", "db.query(`SELECT a FROM b WHERE c = ${placeholder}`, [c])\n", id="a placeholder"),
        pytest.param("js", "db.query(`SELECT a FROM b WHERE c = ${param}`, [c])\n", id="a value behind it"),
        pytest.param("js", "db.query(`INSERT INTO b VALUES (${params})`, row)\n", id="a list of placeholders"),
        pytest.param("py", 'cursor.execute(f"SELECT a FROM b WHERE c = {self.param}", [c])\n', id="f-string, a value"),
        pytest.param("py", 'cursor.execute("SELECT a FROM b WHERE c IN (%s)" % marks, ids)\n', id="percent, a list"),
        pytest.param("py", 'sql = "SELECT a FROM b WHERE c IN ({})".format(params)\n', id="format, a list"),
        pytest.param(
            "go", 'db.Query(fmt.Sprintf("SELECT a FROM b WHERE c IN (%s)", params), ids...)\n', id="Go, a list"
        ),
    ],
)
def test_a_placeholder_in_a_statement_is_left_alone(language: str, text: str) -> None:
    assert found_in(language, text) == []
