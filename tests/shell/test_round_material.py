"""What a round of reviewers is shown of each scope, and what is refused."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Repo

from review_gate.consensus.scope import Kind, Material, Scope, content_of_file
from review_gate.errors import MisuseError, ReviewGateError
from review_gate.gate.record import EMPTY_TREES
from review_gate.shell.repository import open_repository
from review_gate.workflows.round_material import material_of

pytestmark = pytest.mark.usefixtures("same_world")

# Put together here, so that no line of this file is a secret by itself.
TOKEN = "ghp_" + "q8Zr2LmX0vTb6NwK4yHsJPd1uCfGk3RaE5Wx"
STAND_IN = "[withheld: secret-github-token]"
SPAWN = "review-gate spawn-code-review"
EMPTY = "an empty change is not a passed review"
ALL = f"{SPAWN} (--uncommitted | --base B | --commit SHA | A..B)"


def shown(repo: Repo, kind: Kind, value: str = "") -> Material:
    return material_of(Scope(kind=kind, value=value), open_repository(str(repo.path)), repo.environ)


def refusal(call: Callable[[], Material]) -> tuple[str, str, str]:
    with pytest.raises(ReviewGateError) as caught:
        call()
    return caught.value.what, caught.value.why, caught.value.next_step


def lines(material: Material) -> dict[str, tuple[str, ...]]:
    return {file.path: file.lines for file in material.files}


@pytest.fixture
def forked(repo: Repo) -> Repo:
    """Two branches that parted at the first commit; HEAD is on topic, two commits on."""
    repo.branch_off("topic", "one", {"one.py": "1\n"})
    repo.commit("main goes on", {"main.py": "1\n"})
    repo.git("switch", "--quiet", "topic")
    repo.commit("two", {"two.py": "2\n"})
    return repo


# Scope, changed paths, commit and base, and the name of the base.
SCOPES: dict[str, tuple[Kind, str, list[str], tuple[str | None, str, str]]] = {
    "base": ("base", "main", ["one.py", "two.py"], ("topic", "topic~2", "main")),
    "commit in history": ("commit", "topic~1", ["one.py"], ("topic~1", "topic~2", "{}^")),
    "two dots": ("range", "main..topic", ["main.py", "one.py", "two.py"], ("topic", "main", "main")),
    "three dots": ("range", "main...topic", ["one.py", "two.py"], ("topic", "topic~2", "main")),
    "uncommitted": ("uncommitted", "", ["loose.py"], (None, "topic", "HEAD")),
}


@pytest.mark.parametrize(("kind", "value", "paths", "ids"), SCOPES.values(), ids=SCOPES.keys())
def test_a_scope_becomes_object_ids_and_the_text_between_them(
    forked: Repo, kind: Kind, value: str, paths: list[str], ids: tuple[str | None, str, str]
) -> None:
    forked.write("loose.py", "loose\n")
    found = shown(forked, kind, value)
    assert [file.path for file in found.files] == paths
    assert found.subject is not None
    commit = forked.git("rev-parse", ids[0]) if ids[0] else None
    assert (found.subject.commit, found.subject.base) == (commit, forked.git("rev-parse", ids[1]))
    assert found.subject.base_label == ids[2].format((commit or "")[:8])
    if commit:
        assert found.subject.tree == forked.git("rev-parse", f"{commit}^{{tree}}")


def test_the_first_commit_is_shown_against_nothing_and_a_merge_against_its_first_parent(forked: Repo) -> None:
    first = shown(forked, "commit", "main~1")
    assert first.subject is not None
    assert (first.subject.base in EMPTY_TREES, first.subject.base_label) == (True, "the empty tree")
    assert list(lines(first)) == ["app.py"]
    forked.git("merge", "--quiet", "--no-edit", "main")
    assert list(lines(shown(forked, "commit", "HEAD"))) == ["main.py"]


def test_only_of_an_older_commit_it_is_said_how_to_fix_it(forked: Repo) -> None:
    short = forked.git("rev-parse", "--short=8", "topic~1")
    assert shown(forked, "commit", "HEAD").suggestion == ""
    assert shown(forked, "base", "main").suggestion == ""
    assert shown(forked, "commit", "topic~1").suggestion == (
        f"put fixes into fixup commits: git commit --fixup={short}, later git rebase -i --autosquash {short}~1"
    )
    assert shown(forked, "commit", "topic~2").suggestion.endswith("--autosquash --root")
    assert shown(forked, "commit", "main").suggestion.startswith("switch to a branch that has this commit")


def test_the_content_is_the_same_exactly_as_long_as_base_and_tree_are(repo: Repo) -> None:
    path = repo.write("app.py", "1\n")
    one = shown(repo, "uncommitted")
    os.utime(path, (1, 1))
    repo.git("add", "app.py")
    assert shown(repo, "uncommitted").content == one.content
    path.chmod(0o755)
    two = shown(repo, "uncommitted").content
    repo.write("app.py", "2\n")
    three = shown(repo, "uncommitted").content
    repo.commit("three", {"app.py": "2\n"})
    repo.git("commit", "--quiet", "--amend", "--no-verify", "-m", "in other words")
    four = shown(repo, "commit", "HEAD").content
    assert len({one.content, two, three}) == 3
    assert four == three
    assert all(len(content) == 64 for content in (two, three))


def test_no_secret_of_a_change_is_shown_and_no_commit_message(repo: Repo) -> None:
    repo.commit("before", {"old.py": f"token = '{TOKEN}'\n"})
    repo.write("old.py", "token = ''\n")
    repo.write(".env", f"TOKEN={TOKEN}\nother=1\n")
    repo.write(f"{TOKEN}.md", "about it\n")
    repo.write("image", b"\0binary")
    found = shown(repo, "uncommitted")
    assert TOKEN not in str(lines(found).values())
    assert f"       -token = '{STAND_IN}'" in lines(found)["old.py"]
    assert {(one.path, one.lines) for one in found.withheld} == {("old.py", 1), (".env", 1)}
    assert {file.path: file.why_not for file in found.files if file.why_not} == {
        f"{TOKEN}.md": "its name holds what looks like a secret (secret-github-token)",
        "image": "it is binary",
    }
    repo.commit("A claim that is not to be seen", {"old.py": "token = ''\n"})
    assert "claim" not in str(shown(repo, "commit", "HEAD"))


REFUSED: dict[str, tuple[Kind, str, tuple[str, str, str]]] = {
    "nothing uncommitted": (
        "uncommitted",
        "",
        (
            "nothing to review: nothing is uncommitted",
            EMPTY,
            f"change something first, or name another scope: {ALL}",
        ),
    ),
    "an unrelated base": (
        "base",
        "lone",
        (
            "HEAD and 'lone' have no common history",
            "a review covers the commits between a base and HEAD",
            f"{SPAWN} lone..HEAD",
        ),
    ),
    "unrelated ends": (
        "range",
        "lone...HEAD",
        (
            "the two commits have no common history",
            "three dots mean: since they parted",
            f"{SPAWN} A..B, with two dots",
        ),
    ),
}


@pytest.mark.parametrize(("kind", "value", "told"), REFUSED.values(), ids=REFUSED.keys())
def test_what_names_no_change_is_refused(repo: Repo, kind: Kind, value: str, told: tuple[str, str, str]) -> None:
    tree = repo.git("rev-parse", "HEAD^{tree}")
    repo.git("branch", "lone", repo.git("commit-tree", "-m", "lone", tree))
    assert refusal(lambda: shown(repo, kind, value)) == told
    assert not (repo.path / "pwned").exists()


def test_what_lies_beyond_the_edge_of_a_shallow_clone_is_not_taken_for_nothing(forked: Repo, tmp_path: Path) -> None:
    forked.git("clone", "--quiet", "--depth=1", "--no-single-branch", f"file://{forked.path}", "../shallow")
    clone = Repo(tmp_path / "shallow", forked.environ)
    edge = (
        "this is a shallow clone, and the base lies beyond its edge",
        "without the base nobody can say what changed",
        "git fetch --unshallow",
    )
    for kind, value in (("commit", "HEAD"), ("base", "origin/main"), ("range", "origin/main...HEAD")):
        assert refusal(lambda kind=kind, value=value: shown(clone, kind, value)) == edge  # type: ignore[misc]


def test_a_change_of_which_nothing_can_be_shown_is_refused(repo: Repo) -> None:
    repo.write("a.bin", b"\0\1")
    told = refusal(lambda: shown(repo, "uncommitted"))
    assert told == (
        "nothing of the uncommitted changes can be shown: not of a.bin (it is binary)",
        "a reviewer that saw nothing has not voted",
        f"look at it yourself, or name a scope with text in it: {ALL}",
    )
    repo.write(f"{TOKEN}.md", "about it\n")
    assert refusal(lambda: shown(repo, "uncommitted"))[0].endswith("not of a.bin (it is binary), nor of 1 more")


# One file


@pytest.mark.parametrize(("kind", "is_inside"), [("plan", True), ("artifact", False)])
def test_a_file_is_shown_in_numbered_lines_without_its_secrets(
    repo: Repo, tmp_path: Path, kind: Kind, is_inside: bool
) -> None:
    data = f"\ufeff# The plan\r\n\r\ntoken: {TOKEN}\nend\n".encode()
    path = repo.write("docs/plan.md", data) if is_inside else tmp_path / "plan.md"
    path.write_bytes(data)
    repository = open_repository(str(repo.path)) if is_inside else None
    found = material_of(Scope(kind=kind, value=str(path)), repository, repo.environ)
    name = "docs/plan.md" if is_inside else "plan.md"
    assert [tuple(file) for file in found.files] == [
        (name, kind, ("     1  # The plan", "     2  ", f"     3  token: {STAND_IN}", "     4  end"), "")
    ]
    assert [(one.path, one.lines) for one in found.withheld] == [(name, 1)]
    assert (found.subject, found.content, found.suggestion) == (None, content_of_file(data), "")


def test_a_file_that_cannot_be_shown_as_a_whole_is_refused(tmp_path: Path) -> None:
    too_long = "it has more than 240,000 characters, and whoever sees a part of it has not reviewed it"
    told = "its name holds what looks like a secret (secret-github-token)"
    for name, text, why in (
        ("long.md", "words\n" * 40_001, too_long),
        ("hidden.md", "\u200b" * 40_000, too_long),
        (f"{TOKEN}.md", "words\n", told),
    ):
        path = tmp_path / name
        path.write_text(text)
        with pytest.raises(MisuseError) as raised:
            material_of(Scope(kind="artifact", value=str(path)), None, {})
        assert raised.value.what == f"the artifact {path}: {why}"


PLAN_STEP = "review-gate spawn-plan-review PATH, with a plain text file"
WHOLE = "reviewers are shown all of one text file, or they have not reviewed it"
BAD_FILES: dict[str, tuple[Callable[[Path], object], str]] = {
    "absent": (lambda _: None, "there is no such file"),
    "empty": (lambda path: path.write_bytes(b"\xef\xbb\xbf \n"), "it is empty"),
    "binary": (lambda path: path.write_bytes(b"a\0b"), "it is binary"),
    "no UTF-8": (lambda path: path.write_bytes(b"caf\xe9"), "it is not UTF-8 text (byte 3)"),
}


@pytest.mark.parametrize(("make", "what"), BAD_FILES.values(), ids=BAD_FILES.keys())
def test_what_is_no_text_file_is_refused(tmp_path: Path, make: Callable[[Path], object], what: str) -> None:
    path = tmp_path / "plan.md"
    make(path)
    scope = Scope(kind="plan", value=str(path))
    assert refusal(lambda: material_of(scope, None, {})) == (f"the plan {path}: {what}", WHOLE, PLAN_STEP)
