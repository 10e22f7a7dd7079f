"""The rules that every program of the scan measures is given: fifty as teams write them, and more of the same kinds."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from benchmarks.rule_words import COMMON_WORDS, PREFIX_LETTERS, WORDS

SMALL, MEDIUM, LARGE = 50, 200, 1000
SEED = 20_260_101
LITERAL_SHARE = 0.7
LONG_WORDS = [word for word in WORDS if len(word) > 5]
REASON = "a rule of the benchmark"

LITERALS = (
    "TODO",
    "FIXME",
    "XXX",
    "HACK",
    "DO NOT MERGE",
    "<<<<<<< ",
    "console.log(",
    "debugger;",
    "import pdb",
    "pdb.set_trace()",
    "breakpoint()",
    "os.system(",
    "subprocess.call(",
    "shell=True",
    "verify=False",
    "hashlib.md5(",
    "pickle.loads(",
    "yaml.load(",
    "tempfile.mktemp(",
    "mark_safe(",
    "@csrf_exempt",
    ".innerHTML",
    "document.write(",
    "dangerouslySetInnerHTML",
    "-----BEGIN RSA PRIVATE KEY-----",
    "except:",
    "assert False",
    "time.sleep(",
    "datetime.utcnow()",
    "# type: ignore",
    "SELECT * FROM",
    "http://127.0.0.1",
    "lorem ipsum",
    "in order to",
    "utilize",
)
DOUBLED_WORD = r"\b(\w+)\s+\1\b"
REGEXES = (
    DOUBLED_WORD,
    r"\beval\s*\(",
    r"\bexec\s*\(",
    r"except\s+(?:Base)?Exception\s*:",
    r"\.execute\(\s*f?[\"'].*%s",
    r"for\s+\w+\s+in\s+range\(len\(",
    r"(?i)\bpassword\s*=\s*[\"'][^\"']{4,}[\"']",
    r"(?i)\bapi[_-]?key\b\s*[:=]",
    r"https?://[^\s/:@]+:[^\s/:@]+@",
    r"AKIA[0-9A-Z]{16}",
    r"\bgh[pousr]_[A-Za-z0-9]{36}\b",
    r"\bxox[baprs]-[0-9A-Za-z-]{10,}",
    r"(?i)\btodo\b(?!\s*\()",
    r"(?i)\b(?:obviously|basically|of course)\b",
    r"\bprint\([^)]*\)\s*#\s*debug",
)
# Look-around and back-references, which languages of patterns without backtracking refuse.
ONLY_BACKTRACKING = re.compile(r"\(\?<?[=!]|\\[1-9]")


@dataclass(frozen=True)
class BenchRule:
    """One rule: a text, or a regular expression in Python's language."""

    id: str
    pattern: str
    is_regex: bool

    @property
    def as_regex(self) -> str:
        """The rule for programs that know only regular expressions."""
        return self.pattern if self.is_regex else _escaped(self.pattern)


def _escaped(text: str) -> str:
    """The text as a regular expression, without the escapes of harmless characters that other programs refuse."""
    return re.sub(r"[.^$*+?{}\[\]\\|()]", r"\\\g<0>", text)


def literal_rules() -> list[BenchRule]:
    """The 35 literals of the fifty."""
    return [rule for rule in rules(SMALL) if not rule.is_regex]


def shared_rules(count: int) -> list[BenchRule]:
    """The rules without those that ripgrep's default engine refuses."""
    return [rule for rule in rules(count) if not ONLY_BACKTRACKING.search(rule.as_regex)]


def rules(count: int) -> list[BenchRule]:
    """The fifty rules and as many made ones as are asked for: the same in every run, none twice."""
    written = [(text, False) for text in LITERALS] + [(text, True) for text in REGEXES]
    patterns = [*written, *islice(_made(written), max(0, count - len(written)))]
    return [BenchRule(f"rule_{number:04d}", *pattern) for number, pattern in enumerate(patterns[:count], start=1)]


def _made(known: Iterable[tuple[str, bool]]) -> Iterator[tuple[str, bool]]:
    chance = random.Random(SEED)
    seen = set(known)
    while True:
        is_regex = chance.random() >= LITERAL_SHARE
        made = chance.choice(REGEX_KINDS if is_regex else LITERAL_KINDS)(chance), is_regex
        if made not in seen:
            seen.add(made)
            yield made


def _swapped(chance: random.Random) -> str:
    """A misspelt word: two letters have changed places."""
    word = chance.choice(LONG_WORDS)
    at = chance.choice([at for at in range(1, len(word) - 1) if word[at] != word[at + 1]])
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def _doubled(chance: random.Random) -> str:
    """A misspelt word: one letter too many."""
    word = chance.choice(LONG_WORDS)
    at = chance.randrange(2, len(word) - 1)
    return word[:at] + word[at] + word[at:]


def _filled(*shapes: str) -> Callable[[random.Random], str]:
    """A kind of rule: one of these shapes with words in the places `A`, `B` and `C`, and `K` for a prefix of keys."""

    def make(chance: random.Random) -> str:
        words = dict(zip("ABC", chance.sample(chance.choice((WORDS, COMMON_WORDS)), 3), strict=True))
        words["K"] = "".join(chance.choices(PREFIX_LETTERS, k=4))
        return re.sub(r"<([ABCK])>", lambda place: words[place[1]], chance.choice(shapes))

    return make


LITERAL_KINDS: Sequence[Callable[[random.Random], str]] = (
    _swapped,
    _doubled,
    # Names that are no longer to be used.
    _filled("get_<A>", "set_<A>", ".<A>_", "<A>_name", "<A>_id", "<A>_list", "_<A>_", "use_<A>", "max_<A>", "<A>able"),
    _filled("<A>.<B>(", "<A>_<B>", "<A>.<B>_<C>(", "<A>-<B>", "self.<A>(", "<A>=False", "<A>s[", "(<A>,", "<A>()."),
    # Phrases of a house style.
    _filled(
        "the <A> <B>", "<A> and <B>", "<A> of the", "your <A>", "<A> which", "this <A> is", "<A> to be", "<A>ed by"
    ),
)
REGEX_KINDS: Sequence[Callable[[random.Random], str]] = (
    # Prose: phrases whatever their case, weak words, the passive voice.
    _filled(
        r"(?i)\b<A>s?\s+<B>s?\b",
        r"(?i)\b(?:very|really|simply|just|quite)\s+<A>",
        r"(?i)\b<A>s?\s+(?:is|are|was|were|be)\s+\w+ed\b",
        r"(?i)\bplease\s+(?:<A>|<B>|<C>)\b",
        r"\b(?:<A>|<B>|<C>)s? (?:that|which)\b",
    ),
    # Calls and names.
    _filled(
        r"\b<A>_<B>\w*\(\s*[\"']",
        r"\b<A>\w*\(\s*[\"'][^\"']*<B>",
        r"\.<A>\w*\(\s*(?:None|True|False)\b",
        r"\bdef\s+<A>_\w+\(self\)",
        r"\b<A>\w*\s*=\s*(?:None|True|False)\b",
        r"^\s*(?:from|import)\s+[\w.]*<A>",
    ),
    # Keys: by the name that they are given, and by their shape.
    _filled(
        r"(?i)\b<A>[\w.-]{0,20}(?:key|secret|token|passw)\w*\s*[:=]\s*[\"'][0-9a-z]{16,}[\"']",
        r"\b<K>[_-][0-9A-Za-z]{32}\b",
    ),
    # With look-around, which not every language of patterns has.
    _filled(r"\b<A>\.<B>(?!\w|\()", r"(?<![\w.])<A>_\w+\["),
)


def checks_file(chosen: Sequence[BenchRule]) -> str:
    """The rules as review-gate reads them; JSON is YAML too."""
    checks = [
        {
            "id": rule.id,
            "pattern": rule.pattern,
            "match_rule": "regex" if rule.is_regex else "literal",
            "reason": REASON,
        }
        for rule in chosen
    ]
    return json.dumps({"checks": checks}, indent=1) + "\n"


def semgrep_file(chosen: Sequence[BenchRule]) -> str:
    """The rules as semgrep reads them."""
    about = {"languages": ["regex"], "severity": "WARNING", "message": REASON}
    return json.dumps({"rules": [{"id": rule.id, "pattern-regex": rule.as_regex} | about for rule in chosen]}, indent=1)


def pygrep_file(chosen: Sequence[BenchRule]) -> str:
    """The rules as one pygrep hook each, in a configuration for pre-commit."""
    hooks = [
        {"id": rule.id, "name": rule.id, "language": "pygrep", "entry": rule.as_regex, "types": ["text"]}
        for rule in chosen
    ]
    return json.dumps({"repos": [{"repo": "local", "hooks": hooks}]}, indent=1)


def literal_lines(chosen: Sequence[BenchRule]) -> str:
    """The literals as `rg -F --file` reads them."""
    return "".join(f"{rule.pattern}\n" for rule in chosen if not rule.is_regex)


def regex_lines(chosen: Sequence[BenchRule]) -> str:
    """All rules as `rg --file` reads them."""
    return "".join(f"{rule.as_regex}\n" for rule in chosen)
