"""Lines without the secrets on them: what is shown instead, and how far a secret reaches."""

from __future__ import annotations

import pytest

from review_gate.checks.rule import Hit, Rule
from review_gate.checks.withhold import withheld_lines, without_words, words_of_secrets

RULE, OTHER = Rule("some-key", "x", category="secrets"), Rule("other-key", "y", category="secrets")
LONG = "RLCNQGYwpskztfWPSKZTFhmbxdvjHMBXDVJtkqzwrvKQ"
KEY = "-----BEGIN RSA PRIVATE KEY-----\nabc\n\ndef\n-----END RSA PRIVATE KEY-----"


def hit(text: str, match: str, rule: Rule = RULE) -> Hit:
    start = text.index(match)
    return Hit(rule, line=1, column=1, start=start, end=start + len(match), text=match)


WITHHELD = {
    "a part of a line": ("key = 'K1' # mine\nb", ["K1"], {"key = 'K1' # mine": "key = '[withheld: some-key]' # mine"}),
    "more than was asked for": ("K1234/5=; b", ["K12"], {"K1234/5=; b": "[withheld: some-key]; b"}),
    "two on one line": ("K1 and K2", ["K1", "K2"], {"K1 and K2": "[withheld: some-key] and [withheld: some-key]"}),
    "two that touch": ("K1+K2", ["K1+", "K2"], {"K1+K2": "[withheld: some-key]"}),
    "several lines": (
        "a = [\n  K1\n]\nb",
        ["[\n  K1\n]"],
        {"a = [": "a = [withheld: some-key]", "  K1": "[withheld: some-key]"},
    ),
    "a key to its end": (
        f"k = '''{KEY}'''\nb",
        ["-----BEGIN RSA PRIVATE KEY-----\nabc"],
        {
            "k = '''-----BEGIN RSA PRIVATE KEY-----": "k = '''[withheld: some-key]",
            "abc": "[withheld: some-key]",
            "def": "[withheld: some-key]",
            "-----END RSA PRIVATE KEY-----'''": "[withheld: some-key]'''",
        },
    ),
    "a key without an end": (
        "-----BEGIN PRIVATE KEY-----\nabc\ndef",
        ["-----BEGIN PRIVATE KEY-----\nabc"],
        dict.fromkeys(["-----BEGIN PRIVATE KEY-----", "abc", "def"], "[withheld: some-key]"),
    ),
    "code behind a key that never ends": (
        f'k = """-----BEGIN PRIVATE KEY-----\n{LONG}\nabc=\n"""\nos.system(x)\nreboot\n',
        [f"-----BEGIN PRIVATE KEY-----\n{LONG}"],
        {
            'k = """-----BEGIN PRIVATE KEY-----': 'k = """[withheld: some-key]',
            LONG: "[withheld: some-key]",
        },
    ),
    "code within a key": (
        f"-----BEGIN PRIVATE KEY-----\n{LONG}\nos.system(x)\nreboot\n{LONG[::-1]}\n-----END PRIVATE KEY-----",
        [f"-----BEGIN PRIVATE KEY-----\n{LONG}"],
        dict.fromkeys(["-----BEGIN PRIVATE KEY-----", LONG, LONG[::-1]], "[withheld: some-key]"),
    ),
    "code on the last line of a key": (
        f"k = '-----BEGIN PRIVATE KEY-----\\n{LONG}'; os.system(x)\n{LONG}",
        [f"-----BEGIN PRIVATE KEY-----\\n{LONG}"],
        {
            f"k = '-----BEGIN PRIVATE KEY-----\\n{LONG}'; os.system(x)": "k = '[withheld: some-key]'; os.system(x)",
        },
    ),
    "a key in pieces": (
        f"'-----BEGIN PRIVATE KEY-----\\n' +\n'{LONG}\\n' +\n'{LONG[::-1]}\\n' +\n'-----END PRIVATE KEY-----'",
        [f"-----BEGIN PRIVATE KEY-----\\n' +\n'{LONG}"],
        {
            "'-----BEGIN PRIVATE KEY-----\\n' +": "'[withheld: some-key]",
            f"'{LONG}\\n' +": "[withheld: some-key]' +",
            f"'{LONG[::-1]}\\n' +": "[withheld: some-key]",
            "'-----END PRIVATE KEY-----'": "[withheld: some-key]'",
        },
    ),
    "a key on one line": (
        r"'-----BEGIN PRIVATE KEY-----\nabc\ndef\n-----END PRIVATE KEY-----', 1",
        [r"-----BEGIN PRIVATE KEY-----\nabc"],
        {
            r"'-----BEGIN PRIVATE KEY-----\nabc\ndef\n-----END PRIVATE KEY-----', 1": "'[withheld: some-key]', 1",
        },
    ),
}


@pytest.mark.parametrize(("text", "matches", "shown"), WITHHELD.values(), ids=WITHHELD)
def test_a_line_is_shown_without_its_secrets(text: str, matches: list[str], shown: dict[str, str]) -> None:
    assert withheld_lines(text, [hit(text, match) for match in matches]) == shown


def test_a_secret_within_another_is_told_once() -> None:
    text = "token=K123"
    assert withheld_lines(text, [hit(text, "K123", OTHER), hit(text, "token=K12")]) == {text: "[withheld: some-key]"}


def test_a_text_without_hits_has_no_such_lines() -> None:
    assert withheld_lines("a\nb", []) == {}


def test_hits_of_another_reading_are_told_from_those_of_this_text() -> None:
    assert withheld_lines("a\0b\0", [hit("ab", "ab")]) is None


SECRET = "password = 'tUtqUKJQ79ve6mL7'"
QUOTES = {
    "the whole": (SECRET, "password = '[withheld]'"),
    "a part": ("the value KJQ79ve6mL is known", "the value [withheld] is known"),
    "cut at its end": ("password = 'tUtqUKJQ7...", "password = '[withheld]..."),
    "twice": ("tUtqUKJQ79ve6mL7, tUtqUKJQ79ve6mL7", "[withheld], [withheld]"),
    "only the name": ("the password is in the source", "the password is in the source"),
    "nothing": ("", ""),
}


@pytest.mark.parametrize(("quote", "shown"), QUOTES.values(), ids=QUOTES)
def test_a_quote_of_a_secret_is_withheld_and_its_name_is_not(quote: str, shown: str) -> None:
    words = words_of_secrets(SECRET, [hit(SECRET, SECRET)])
    assert words is not None
    assert without_words(quote, words) == shown


def test_a_short_secret_is_known_as_a_whole_only() -> None:
    text = 'auth=("user", "hunter2")'
    words = words_of_secrets(text, [hit(text, text)])
    assert words is not None
    assert sorted(words) == ["hunter2"]
    assert without_words("hunter2 is no hunter", words) == "[withheld] is no hunter"
