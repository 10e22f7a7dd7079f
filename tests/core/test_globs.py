"""Path patterns as people write them in ignore files: what each matches, and what it leaves alone."""

from __future__ import annotations

from fnmatch import fnmatchcase

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from review_gate.globs import MOST_ALTERNATIVES, alternatives, matches_any


def matches(path: str, pattern: str) -> bool:
    return matches_any(path, [pattern])


MATCHES = [
    ("app.py", "app.py"),
    ("app.py", "*.py"),
    ("src/app.py", "*.py"),
    ("src/deep/app.py", "app.py"),
    ("src/app.py", "src/app.py"),
    ("src/app.py", "src/*.py"),
    ("src/app.py", "/src/*.py"),
    ("app.py", "/app.py"),
    ("src/app.py", "src/**"),
    ("src/deep/app.py", "src/**"),
    ("src/app.py", "src/**/*.py"),
    ("src/deep/down/app.py", "src/**/*.py"),
    ("src/deep/down/app.py", "**/down/*.py"),
    ("app.py", "**/app.py"),
    ("app.py", "**"),
    ("src/deep/app.py", "src"),
    ("src/deep/app.py", "src/"),
    ("src/deep/app.py", "deep"),
    ("src/deep/app.py", "src/deep"),
    ("src/deep/app.py", "src/*/app.py"),
    ("a1.py", "a?.py"),
    ("a1.py", "a[0-9].py"),
    ("ax.py", "a[!0-9].py"),
    (".github/workflows/ci.yml", ".github/**"),
    (".hidden", "*"),
    ("dir/.hidden", ".*"),
    ("naïve/ü.txt", "ü.*"),
    ("a b/c d.txt", "a b/*"),
    ("[x].py", "[[]x].py"),
    ("a\nb.py", "a*.py"),
    ("src/app.ts", "**/*.{ts,tsx}"),
    ("src/app.tsx", "*.{ts,tsx}"),
    ("lib/app.js", "{src,lib}/*.js"),
    ("lib/app.min.js", "{src,lib}/*{,.min}.js"),
    ("b/x", "{a,{b,c}}/x"),
    ("a{b}.py", "a{b}.py"),
    ("{a", "{a"),
    ("ax.py", "a[^0-9].py"),
    ("b.py", "[^a]*"),
    ("[.py", "[^]a]*"),
    ("^.py", "[a^].py"),
    ("^.py", "[[^].py"),
    ("x!.py", "x[!^]*"),
    ("x.py", "[^!a].py"),
    ("xay", "[^a][a^][^a]"),
    ("{a,b}.py", "[{]a,b[}].py"),
    ("a,b.js", "a{[,],;}b.js"),
    ("}", "{[}],a}"),
]
LEAVES_ALONE = [
    ("app.py", "app"),
    ("app.pyc", "*.py"),
    ("APP.PY", "*.py"),
    ("src/app.py", "/app.py"),
    ("src/deep/app.py", "src/*.py"),
    ("deep/src/app.py", "src/app.py"),
    ("deep/src/app.py", "/src"),
    ("lib/src/app.py", "src/**"),
    ("srcs/app.py", "src"),
    ("src", "src/**"),
    ("src/app.py", "src/?/app.py"),
    ("src/app.py", "src?app.py"),
    ("src/app.py", "src*py"),
    ("app.py", "app.py/**"),
    ("app.py", "app.py/x"),
    ("ab.py", "a[0-9].py"),
    ("a.py", "a?.py"),
    ("axpy", "*.py"),
    ("app.py", ""),
    ("app.py", "/"),
    ("app.py", "//"),
    ("src/app.py", "src/../src/app.py"),
    ("src/app.js", "*.{ts,tsx}"),
    ("src/app.{ts,tsx}x", "*.{ts,tsx}"),
    ("a1.py", "a[^0-9].py"),
    ("a.py", "[^a]*"),
    ("].py", "[^]a]*"),
    ("a.py", "[[^].py"),
    ("!.py", "[^!a].py"),
    ("a.py", "[{]a,b[}].py"),
]


@pytest.mark.parametrize(("path", "pattern"), MATCHES)
def test_a_pattern_matches(path: str, pattern: str) -> None:
    assert matches(path, pattern)


@pytest.mark.parametrize(("path", "pattern"), LEAVES_ALONE)
def test_a_pattern_leaves_alone(path: str, pattern: str) -> None:
    assert not matches(path, pattern)


def test_one_pattern_of_several_is_enough_and_none_matches_nothing() -> None:
    assert matches_any("app.py", ["*.md", "*.py"])
    assert not matches_any("app.py", ["*.md", "*.txt"])
    assert not matches_any("app.py", [])


names = st.text(alphabet="ab.", min_size=1, max_size=3)
paths = st.lists(names, min_size=1, max_size=5).map("/".join)


@given(paths)
@settings(deadline=None)
def test_every_path_matches_itself_everything_and_its_own_folders(path: str) -> None:
    assert matches(path, path)
    assert matches(path, "**")
    folders = path.split("/")
    for depth in range(1, len(folders)):
        assert matches(path, "/".join(folders[:depth]) + "/")
        assert matches(path, "/".join(folders[:depth]) + "/**")


@given(st.text(alphabet="ab.", min_size=1, max_size=8), st.text(alphabet="ab.*", min_size=1, max_size=6))
@settings(deadline=None)
def test_stars_match_what_they_match_in_the_standard_library(name: str, part: str) -> None:
    if part != "**":
        assert matches(f"folder/{name}", f"folder/{part}") is fnmatchcase(name, part)


def test_braces_made_to_explode_are_given_up() -> None:
    assert len(alternatives("{a,b}" * 40)) > MOST_ALTERNATIVES
    assert len(alternatives("{" + "a," * 300 + "}")) > MOST_ALTERNATIVES
    assert not matches("x", "{a,b}" * 40)
