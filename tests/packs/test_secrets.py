"""The pack about secrets: placeholders and names are left alone, generated keys are found."""

from __future__ import annotations

import random
import string

import pytest
from packing import checks_of, found_by

from review_gate.checks.engine import find

# What tokens begin with, and how long the rest is; in a placeholder that is one character repeated, or EXAMPLE.
PREFIXES_OF_TOKENS = {
    "AKIA": 16,
    "ghp_": 36,
    "sk_live_": 24,
    "AIza": 35,
    "hvs.": 95,
}


@pytest.mark.parametrize(("prefix", "length"), PREFIXES_OF_TOKENS.items(), ids=PREFIXES_OF_TOKENS)
@pytest.mark.parametrize("filler", ["x", "X", "0", "EXAMPLE"])
def test_a_placeholder_is_not_taken_for_a_secret_that_blocks(prefix: str, length: int, filler: str) -> None:
    text = f"token = '{prefix}{(filler * length)[:length]}'\n"
    milder = {check.rule.id for check in checks_of("secrets") if check.rule.severity in ("warning", "info")}
    assert set(found_by("secrets", text, "app/settings.py")) <= milder


LINE_OF_A_KEY = "RLCNQGYwpskztfWPSKZTFhmbxdvjHMBXDVJtkqzwrvKQZRTWBmhxbjldVHXMJLDq"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        pytest.param("deploy/id_rsa", ["secret-private-key"], id="anywhere"),
        pytest.param("deploy/test_key.pem", ["secret-private-key-in-tests"], id="a name like a test"),
        pytest.param("tests/server.key", ["secret-private-key-in-tests"], id="among tests"),
        pytest.param("tests/fixtures/server.key", ["secret-private-key-in-test-data"], id="test data"),
    ],
)
def test_a_private_key_is_found_once_wherever_it_lies(path: str, expected: list[str]) -> None:
    text = f"-----BEGIN PRIVATE KEY-----\n{LINE_OF_A_KEY}\n-----END PRIVATE KEY-----\n"
    assert found_by("secrets", text, path) == expected


@pytest.mark.parametrize(
    "kind", ["secret-private-key", "secret-private-key-in-tests", "secret-private-key-in-test-data"]
)
@pytest.mark.parametrize("end", ["\n", "\n    ", "\\n", '\\n"\n  "'], ids=["lines", "indented", "one line", "strings"])
def test_a_private_key_is_matched_to_its_end_since_keys_of_a_kind_begin_alike(kind: str, end: str) -> None:
    rule = next(check.rule for check in checks_of("secrets") if check.rule.id == kind)
    last = LINE_OF_A_KEY[::-1]
    text = f"-----BEGIN OPENSSH PRIVATE KEY-----{end}{LINE_OF_A_KEY}{end}{last}{end}-----END OPENSSH PRIVATE KEY-----"
    assert [hit.text.endswith(last) for hit in find(rule, text, "")] == [True]


LETTERS_AND_DIGITS = string.ascii_letters + string.digits
SIGNS_OF_DJANGO = "abcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*(-_=+)"


@pytest.mark.parametrize(
    ("path", "line", "alphabet", "length"),
    [
        pytest.param("app/settings.py", 'SECRET_KEY = "{}"', SIGNS_OF_DJANGO, 50, id="Django, in quotes"),
        pytest.param(".env", "SECRET_KEY={}", SIGNS_OF_DJANGO, 50, id="Django, without quotes"),
        pytest.param("app/client.ts", "clientSecret: '{}',", LETTERS_AND_DIGITS + "-_~.", 40, id="a secret in quotes"),
        pytest.param("app.yaml", "- name: API_KEY\n  value: {}", LETTERS_AND_DIGITS, 40, id="beside its name"),
    ],
)
def test_nearly_every_generated_key_is_found(path: str, line: str, alphabet: str, length: int) -> None:
    source = random.Random(7)
    keys = ["".join(source.choice(alphabet) for _ in range(length)) for _ in range(60)]
    missed = [key for key in keys if not found_by("secrets", line.format(key) + "\n", path)]
    assert len(missed) <= 1, missed


@pytest.mark.parametrize(
    "line",
    [
        "TOKEN=kubernetes.io/service-account-token-2024",
        "SECRET_KEY=web-tls-2024-01-31-rotated-by-cert-manager",
        "API_TOKEN=getUserByIdAndNameFromTheOtherRegion2",
        "CLIENT_SECRET=projects/1234/secrets/client/versions/7",
        "API_KEY=sig-network-k8s-e2e-v1beta1-pull-request-2024",
    ],
)
def test_a_long_name_is_not_taken_for_a_generated_key(line: str) -> None:
    assert found_by("secrets", line + "\n", ".env") == []


PASSWORD = "Xk29vLq8mm"
KEY = "9f8e7d6c5b4a39281706f5e4d3c2b1a0"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        pytest.param("app.yaml", "env:\n- name: {}\n  value: {}\n", id="Kubernetes"),
        pytest.param("app.yaml", "- {{name: {}, value: {}}}\n", id="YAML on one line"),
        pytest.param("task.json", '{{\n  "name": "{}",\n  "value": "{}"\n}}\n', id="JSON over lines"),
        pytest.param("parameters.json", '{{"ParameterKey": "{}", "ParameterValue": "{}"}}\n', id="CloudFormation"),
        pytest.param("main.tf", 'set {{\n  name  = "{}"\n  value = "{}"\n}}\n', id="Helm in Terraform"),
        pytest.param("app.config", '<add key="{}" value="{}" />\n', id="XML"),
        pytest.param("app.yaml", "- value: {1}\n  name: {0}\n", id="Kubernetes, the value first"),
    ],
)
def test_a_secret_beside_its_name_is_found(path: str, text: str) -> None:
    assert found_by("secrets", text.format("DB_PASSWORD", PASSWORD), path) == ["secret-named-password"]
    assert found_by("secrets", text.format("API_KEY", KEY), path) == ["secret-named-key"]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("- name: {}\n  valueFrom:\n    secretKeyRef: {{name: db1, key: b2}}\n", id="from a secret"),
        pytest.param("- name: {}\n  value: $(OTHER_1_OF_2024_01_31)\n", id="another variable"),
        pytest.param('- name: {}\n  value: "{{{{ .Values.db1.of.2024-01-31 }}}}"\n', id="a template"),
        pytest.param("- name: OTHER\n  value: Xk29vLq8mm\n- name: {}\n", id="the value of another entry"),
        pytest.param("- name: {}\n  value: your-own-1-of-0123456789abcdef\n", id="a placeholder"),
        pytest.param("- name: {}\n  value: example-1-of-0123456789abcdef\n", id="an example"),
    ],
)
@pytest.mark.parametrize("name", ["DB_PASSWORD", "API_KEY"])
def test_what_is_no_secret_beside_such_a_name_is_left_alone(name: str, text: str) -> None:
    assert found_by("secrets", text.format(name), "app.yaml") == []
