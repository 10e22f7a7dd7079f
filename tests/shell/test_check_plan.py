"""The kept plan of the checks: used only when it is exactly the one for these files and settings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Repo
from opening import repository_at

from review_gate.checks.plan import CheckPlan
from review_gate.checks.rule import Rule
from review_gate.checks.sought import sought_for
from review_gate.errors import ConfigError
from review_gate.shell.check_key import plan_key, sources_in_force, written_sources
from review_gate.shell.check_plan import MESSAGES, plan_bytes, read_plan, write_plan
from review_gate.shell.sealed import seal
from review_gate.workflows.check_compile import adjusted, compiled
from review_gate.workflows.check_plan import needles_of_messages

CHECK = {"id": "no-eval", "pattern": "eval(", "fix": {"action": "replace", "with": "parse("}, "scope": ["code"]}
SETTINGS: dict[str, object] = {"packs": [], "sources": ["project"], "disable": [], "severity": {}}


@pytest.fixture
def checked(repo: Repo) -> Repo:
    repo.write(
        "checks/own.yaml", json.dumps({"checks": [CHECK, {"id": "re", "pattern": r"a\d", "match_rule": "regex"}]})
    )
    return repo


def cache_of(repo: Repo) -> Path:
    return repo.path / ".git/review-gate/checks.json"


def key_here(repo: Repo, settings: dict[str, object] = SETTINGS) -> str:
    return plan_key(written_sources(str(repo.path), settings, repo.environ), settings)


def keep(repo: Repo) -> CheckPlan:
    plan = compiled(sources_in_force(str(repo.path), SETTINGS, repo.environ), SETTINGS)
    write_plan(repository_at(repo), key_here(repo), plan)
    return plan


def kept(repo: Repo, settings: dict[str, object] = SETTINGS) -> CheckPlan | None:
    return read_plan(repository_at(repo), key_here(repo, settings))


def test_a_plan_comes_back_as_it_was(checked: Repo) -> None:
    assert kept(checked) is None
    made = keep(checked)
    found = kept(checked)
    assert found is not None
    assert plan_bytes("key", found) == plan_bytes("key", made)
    assert [rule.origin for rule in found.rules] == [rule.origin for rule in made.rules]


def test_a_plan_for_other_files_or_settings_is_not_used(checked: Repo) -> None:
    keep(checked)
    for name, value in (("disable", ["re"]), ("severity", {"re": "info"}), ("sources", []), ("packs", [])):
        other = SETTINGS | {name: value}
        assert (kept(checked, other) is None) is (other != SETTINGS)
    checked.write("checks/more.yaml", "checks: []\n")
    assert kept(checked) is None
    (checked.path / "checks/more.yaml").unlink()
    assert kept(checked) is not None
    (checked.path / "checks/own.yaml").rename(checked.path / "checks/new.yaml")
    assert kept(checked) is None


def forged(plan: Any) -> Any:
    """A plan that no program of this version writes, though key and digest are right."""

    def change(repo: Repo) -> bytes:
        return seal({"key": key_here(repo), "plan": plan})

    return change


RULE = {"id": "x", "pattern": "x"}
SOUGHT = list(sought_for(Rule("x", "x")))
WORDS: dict[str, Any] = {"warnings": [], "weakened": [], "globs": {}}


DAMAGED = [
    b"",
    b"{",
    b"[" * 100_000,
    forged(None),
    forged({"rules": [], "sought": [], "warnings": [], "weakened": "no"}),
    forged({"rules": [RULE], "sought": [[]], **WORDS}),
    forged({"rules": [RULE | {"odd": 1}], "sought": [SOUGHT], **WORDS}),
]


def test_a_damaged_plan_is_made_anew(checked: Repo) -> None:
    keep(checked)
    cache_of(checked).write_bytes(forged({"rules": [RULE], "sought": [SOUGHT], **WORDS})(checked))
    assert kept(checked) is not None
    for content in DAMAGED:
        cache_of(checked).write_bytes(content(checked) if callable(content) else content)
        assert kept(checked) is None, content


def test_a_plan_with_one_other_letter_is_made_anew(checked: Repo) -> None:
    keep(checked)
    sound = cache_of(checked).read_bytes()
    letters = ((b"eval(", b"evaL("), (b'"id": "no-eval"', b'"id": []'), (b"major", b"minor"))
    for old, new in letters:
        assert old in sound
        cache_of(checked).write_bytes(sound.replace(old, new))
        assert kept(checked) is None, new
    cache_of(checked).write_bytes(sound)
    assert kept(checked) is not None


def test_what_checks_for_messages_look_for_is_kept_by_itself(checked: Repo) -> None:
    text = {"id": "said", "pattern": "Said", "scope": ["commit_message"]}
    checked.write("checks/own.yaml", json.dumps({"checks": [CHECK, text]}))
    keep(checked)
    # One that is not there, or damaged, is made from the whole.
    for content in (b"", b"{"):
        (cache_of(checked).parent / MESSAGES).write_bytes(content)
        for _ in range(2):
            assert needles_of_messages(repository_at(checked), SETTINGS) == ["said"]


def test_a_plan_that_is_no_plain_file_is_not_read(checked: Repo, tmp_path: Path) -> None:
    keep(checked)
    cache_of(checked).rename(tmp_path / "elsewhere.json")
    cache_of(checked).symlink_to(tmp_path / "elsewhere.json")
    assert kept(checked) is None


def test_where_nothing_can_be_kept_nothing_is(checked: Repo) -> None:
    checked.write(".git/review-gate", "in the way\n")
    keep(checked)
    assert kept(checked) is None


def test_the_configuration_takes_checks_out_and_gives_them_severities(checked: Repo) -> None:
    plan = keep(checked)
    changed = adjusted(plan.rules, {"disable": ["re"], "severity": {"no-eval": "info"}})
    assert [(rule.id, rule.severity) for rule in changed] == [("no-eval", "info")]


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ({"disable": ["no-evil"]}, "checks.disable names no-evil, and there is no such check; did you mean no-eval?"),
        ({"severity": {"zzz": "info"}}, "checks.severity names zzz, and there is no such check"),
    ],
)
def test_a_setting_for_a_check_that_does_not_exist_is_refused(
    checked: Repo, settings: dict[str, object], what: str
) -> None:
    with pytest.raises(ConfigError) as refused:
        adjusted(keep(checked).rules, settings)
    assert refused.value.what == what
    (key,) = settings
    step = f"correct checks.{key} (review-gate config show), then: review-gate checks list"
    assert refused.value.next_step == step
