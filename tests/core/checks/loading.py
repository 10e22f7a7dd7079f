"""Steps of the tests about check files: the checks of a text, or why it is refused."""

from __future__ import annotations

import pytest

from review_gate.checks.rule import Rule
from review_gate.checks.yaml_source import checks_from_yaml
from review_gate.errors import ConfigError

FILE = "checks/a.yaml"
WHY = "a check that cannot be read would find nothing, and nobody would notice"
LOOKS_LIKE = (
    "a check file is a mapping with the key checks, such as "
    "checks: [{id: no_eval, pattern: eval(, reason: eval runs whatever it is given}]"
)


def rules(text: str) -> list[Rule]:
    return [check.rule for check in checks_from_yaml(FILE, text)]


def refusal(text: str) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        checks_from_yaml(FILE, text)
    return caught.value


def regex(pattern: str, fix: str = "") -> str:
    """A file with one regex in its second line."""
    return f"checks:\n- {{id: a, match_rule: regex, pattern: '{pattern}'{fix}}}\n"
