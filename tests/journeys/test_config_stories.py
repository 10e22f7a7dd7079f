"""Stories of settings: what `config show` says, how mistakes are told, and what `gaps` and `providers` say."""

from __future__ import annotations

import json

from journey import Journey

CONFIG = """\
limits:
  max_findings: 7

hygiene: {binary: block}
commands:
  - name: lint
    run: [ruff, check]
"""
MISTAKES = """\
limits:
  max_file_byte: 1
  max_findings: 0
commands:
  - {name: x, loop: '1', run: [a]}
  - {name: tests, run: [a]}
hygiene: {binary: maybe}
"""


def test_config_shows_each_value_and_its_origin(journey: Journey) -> None:
    journey.repo.write(".review-gate.yaml", CONFIG)
    user = journey.repo.path.parent / "home/config/review-gate/config.yaml"
    user.parent.mkdir(parents=True)
    user.write_text("limits: {max_findings: 3, max_output_bytes: 5000}\n")
    journey.type("review-gate config show", REVIEW_GATE_BASE="HEAD~1")
    shown = journey.json("review-gate config show --format json", REVIEW_GATE_BASE="HEAD~1")
    journey.fact("origins", sorted(set(shown["origins"].values())))


def test_config_from_a_file_that_a_variable_names(journey: Journey) -> None:
    journey.repo.write(".review-gate.yaml", CONFIG)
    journey.repo.write("other.yaml", "limits: {max_findings: 9}\n")
    shown = journey.repo.gate("config", "show", "--format", "json", REVIEW_GATE_CONFIG="other.yaml")
    found = json.loads(shown.stdout)
    journey.fact("limits", found["config"]["limits"])
    journey.fact("origin", found["origins"]["limits.max_findings"])
    journey.type("review-gate config show", REVIEW_GATE_CONFIG="no-such.yaml")


def test_config_with_mistakes_is_refused_by_every_verb(journey: Journey) -> None:
    journey.repo.write(".review-gate.yaml", MISTAKES)
    for verb in ("config show", "config show --format json", "run --yes", "verify", "verify --format json", "scan"):
        journey.type(f"review-gate {verb}")
    journey.type("review-gate status")
    journey.type("review-gate doctor")
    journey.commit("Add tax", {"tax.py": "RATE = 0.2\n"})
    journey.type("git push")
    journey.refs()


def test_config_that_is_no_mapping_of_settings(journey: Journey) -> None:
    for text in ("a: [\n", "- a\n", "base: a\nbase: b\n", "base: !!python/object/apply:os.system [id]\n"):
        journey.repo.write(".review-gate.yaml", text)
        journey.fact("text", text.splitlines())
        journey.type("review-gate config show")
    journey.repo.write(".review-gate.yaml", "base: a\n")
    (journey.repo.path / ".review-gate.yaml").rename(journey.repo.path / ".review-gate.yml")
    journey.type("review-gate config show")


def test_config_by_variables(journey: Journey) -> None:
    journey.type("review-gate config show", REVIEW_GATE_BAES="main")
    journey.type("review-gate config show", REVIEW_GATE_LIMITS__MAX_FINDINGS="many")
    journey.type("review-gate verify", REVIEW_GATE_HYGIENE__BINARY="maybe")
    journey.commit("Add tax", {"tax.py": "RATE = 0.2\n"})
    journey.type("git push", REVIEW_GATE_HYGIENE__BINARY="maybe")
    done = journey.repo.gate("config", "show", "--format", "json", REVIEW_GATE_TEST_COMMAND="[make, test]")
    journey.fact("test command", json.loads(done.stdout)["config"]["test_command"])


def test_config_changes_the_policy_where_it_decides_how_strict_a_review_is(journey: Journey) -> None:
    def policy() -> str:
        return str(json.loads(journey.repo.gate("config", "show", "--format", "json").stdout)["policy"])

    first = policy()
    journey.repo.write(".review-gate.yaml", "base: HEAD~1\nlimits: {max_findings: 9}\n")
    journey.fact("same policy with another base", policy() == first)
    journey.repo.write(".review-gate.yaml", "hygiene: {binary: block}\n")
    journey.fact("same policy with stricter hygiene", policy() == first)
    journey.repo.write(".review-gate.yaml", "")
    journey.repo.write("checks/own.yaml", "checks: [{id: no-eval, pattern: eval(}]\n")
    journey.fact("same policy with another check", policy() == first)


def test_config_of_verbs_and_options_that_are_not_there(journey: Journey) -> None:
    journey.type("review-gate")
    journey.type("review-gate statsu")
    journey.type("review-gate run --lops 1")
    journey.type("review-gate run --format yaml")
    journey.type("review-gate config set")
    journey.type("review-gate verify no-such-commit")
    journey.type("review-gate --version")


def test_gaps_that_somebody_added_to_a_run(journey: Journey) -> None:
    journey.type("review-gate gaps")
    journey.json("review-gate gaps --format json")
    journey.commit("Add split", {"lib/ledger/split.py": "X = 1\n"})
    added = {"agent": "performance-reviewer", "concern": "Sums are made twice", "files": ["lib/ledger/split.py"]}
    journey.repo.write(".git/gaps.json", json.dumps({"amendments": [added]}))
    journey.type("review-gate run --yes --manifest .git/gaps.json")
    journey.json("review-gate report --format json")
    journey.type("review-gate gaps")
    journey.json("review-gate gaps --format json")
    journey.type("review-gate gaps --clear")
    journey.type("review-gate gaps")


def test_gaps_in_a_file_that_cannot_be_used(journey: Journey) -> None:
    journey.commit("Add split", {"lib/ledger/split.py": "X = 1\n"})
    for text in ("{", '{"amendments": [{"agent": "no-such"}]}', '{"amendmends": []}'):
        journey.repo.write(".git/gaps.json", text)
        journey.type("review-gate run --yes --manifest .git/gaps.json")
    journey.type("review-gate run --yes --manifest no-such.json")
    journey.refs()


def test_providers_where_no_model_is_to_be_reached(journey: Journey) -> None:
    journey.type("review-gate providers")
    journey.json("review-gate providers --format json")
    journey.repo.write(".review-gate.yaml", "models: {providers: [gemini, claude], names: {gemini: gemini-test-1}}\n")
    journey.type("review-gate providers")
    journey.repo.write(".review-gate.yaml", "models: off\n")
    journey.json("review-gate providers --format json")
    journey.type("review-gate providers")


def test_cache_of_answers_is_empty_without_models(journey: Journey) -> None:
    journey.type("review-gate cache")
