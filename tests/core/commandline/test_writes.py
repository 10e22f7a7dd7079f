"""The paths that a line would change, and lines that change none."""

from __future__ import annotations

import pytest

from review_gate.commandline.acts import UNCLEAR, UNKNOWN, WRITE
from review_gate.commandline.programs import acts_in


def paths(line: str) -> list[str]:
    # A word of git's lets it through the pre-filter.
    return [word for act in acts_in(f"{line} # git", lambda _: {}) if act.kind == WRITE for word in act.words]


WRITES = {
    "echo x > a": ["a"],
    "echo x >>a": ["a"],
    "echo x >| a": ["a"],
    "ls &> a": ["a"],
    "ls 2>a": ["a"],
    "{ ls; } > a": ["a"],
    "> a": ["a"],
    "bash -c 'ls > a'": ["a"],
    "echo x > ~/a": ["~/a"],
    'echo x > "$HOME/a b"': ["~/a b"],
    "ls | tee -a a b": ["a", "b"],
    "rm -rf a -- -b": ["a"],
    "rm .git/hooks/*": [f".git/hooks/{UNKNOWN}"],
    "rm a/{b,c}": [f"a/{UNKNOWN}"],
    "mv a b": ["a", "b"],
    "cp -r x/a b": ["b", "b/a"],
    "cp x/a b/": ["b/a"],
    "ln -sf x/a .": [".", "./a"],
    "dd if=x of=a bs=1": ["x", "a", "1"],
    "chmod -x a": ["a"],
    "sed -i.bak -e s/x/y/ a": ["s/x/y/", "a"],
    "perl -pi -e s/x/y/ a": ["s/x/y/", "a"],
    "sudo rm a": ["a"],
    "find x -exec rm a {} +": ["a", "+"],
    "curl -so a http://x": ["a", "http://x"],
    "git checkout HEAD~1 -- a b": ["HEAD~1", "a", "b"],
    "git restore -s HEAD a": ["HEAD", "a"],
    "git rm -r a": ["a"],
    "git mv a b": ["a", "b"],
    "apply_patch '*** Update File: a\n*** Move to: b/c\n'": ["a", "b/c"],
    "apply_patch <<'E'\n*** Begin Patch\n*** Add File: a\n+*** Add File: b\n*** End Patch\nE\nls": ["a"],
    "cd b && apply_patch <<'E'\n*** Add File: a\nE\n": ["a"],
}
WRITES_NOTHING = (
    *("ls > /dev/null", "ls 2>&1", "ls >&2", "cat < a", "cat a", "sed -n 1,5p a", "sed s/x/y/ a", "find a -name x"),
    *("cp --help", "mkdir -p a", "sort a", "perl -ne print a", "git rm --cached a", "git diff a", "echo 'x > a'"),
    *("grep -e '->' a", "[[ a > b ]]", "(( 1 > 0 ))", "python3 a.py"),
)


@pytest.mark.parametrize(("line", "expected"), WRITES.items(), ids=WRITES)
def test_path_that_would_change_is_found(line: str, expected: list[str]) -> None:
    assert paths(line) == expected


def test_line_that_changes_no_path_has_none() -> None:
    assert [line for line in WRITES_NOTHING if paths(line)] == []


def test_path_is_told_with_the_folder_it_is_meant_in() -> None:
    acts = acts_in("cd .git && rm config; (cd hooks; rm x)", lambda _: {})
    assert [(act.words, act.folder) for act in acts] == [(("config",), ".git"), (("x",), ".git/hooks")]


def test_path_that_only_the_shell_knows_is_unclear_where_the_line_names_a_git_directory() -> None:
    assert [act.kind for act in acts_in('for x in .git/hooks/*; do rm "$x"; done', lambda _: {})] == [UNCLEAR]
    assert acts_in('for x in git/*; do rm "$x"; done', lambda _: {}) == []
