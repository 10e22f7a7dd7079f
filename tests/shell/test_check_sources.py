"""Where checks are looked for: the files, their order, and what is refused instead of being passed over."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from review_gate.checks.limits import MAX_FILE_BYTES, MAX_FOLDER_FILES
from review_gate.errors import ConfigError
from review_gate.shell import check_sources
from review_gate.shell.check_sources import (
    CheckSource,
    context_source,
    named_sources,
    pack_names,
    pack_source,
    pack_sources,
    pack_stamps,
    plan_sources,
    repository_sources,
)

WHY = "a check that cannot be read would find nothing, and nobody would notice"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "project").mkdir()
    return tmp_path / "project"


def write(path: Path, content: str | bytes = "x") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def found(root: Path, home: Path, *leave_out: str) -> list[CheckSource]:
    return repository_sources(str(root), {"HOME": str(home)}, leave_out=leave_out)


def labels(sources: list[CheckSource]) -> list[str]:
    return [source.label for source in sources]


def refusal(root: Path, home: Path) -> str:
    with pytest.raises(ConfigError) as caught:
        found(root, home)
    label = caught.value.what.split(": ")[0]
    assert caught.value.why == WHY
    assert caught.value.next_step == f"mend or remove {label}, then: review-gate checks list"
    return caught.value.what


def fill(root: Path, home: Path) -> None:
    for name in ("checks/b.yaml", "checks/a.yml", "checks/.c.yaml", "checks/README.md", "checks/deep/d.yaml"):
        write(root / name, name)
    for name in (".claude/rules/b.md", ".claude/rules/a.md", "rules/z.md", "rules/notes.txt", "CLAUDE.md"):
        write(root / name, name)
    write(home / ".claude/checks/global-checks.yaml", "global")
    write(home / ".claude/CLAUDE.md", "own")
    write(home / ".claude/checks/others.yaml", "not read")


IN_REPOSITORY = [
    ("yaml", "~/.claude/checks/global-checks.yaml"),
    ("yaml", "checks/a.yml"),
    ("yaml", "checks/b.yaml"),
    ("rules", ".claude/rules/a.md"),
    ("rules", ".claude/rules/b.md"),
    ("rules", "rules/z.md"),
    ("claude_md", "CLAUDE.md"),
    ("claude_md", "~/.claude/CLAUDE.md"),
]


def test_the_files_of_a_repository_come_in_the_order_of_their_priority(root: Path, home: Path) -> None:
    fill(root, home)
    sources = found(root, home)
    assert [(source.form, source.label) for source in sources] == IN_REPOSITORY
    assert [source.text() for source in sources[:2]] == ["global", "checks/a.yml"]


LEFT_OUT: dict[str, Callable[[str], bool]] = {
    "user": lambda label: not label.startswith("~"),
    "project": lambda label: not label.startswith("checks/"),
    "rules": lambda label: "rules/" not in label,
    "claude_md": lambda label: label != "CLAUDE.md",
}


@pytest.mark.parametrize("place", LEFT_OUT)
def test_a_place_that_is_left_out_is_not_even_opened(root: Path, home: Path, place: str) -> None:
    fill(root, home)
    expected = [label for _, label in IN_REPOSITORY if LEFT_OUT[place](label)]
    assert labels(found(root, home, place)) == expected
    if place == "rules":
        os.mkfifo(root / "rules/fifo.md")
        assert labels(found(root, home, place)) == expected


HOMES = {
    "unix": ({"HOME": "{home}"}, True),
    "none": ({}, False),
    "relative": ({"HOME": "home"}, False),
}


@pytest.mark.parametrize(("environ", "is_found"), HOMES.values(), ids=HOMES)
def test_the_user_is_looked_for_at_home(
    root: Path, home: Path, monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], is_found: bool
) -> None:
    write(home / ".claude/CLAUDE.md")
    monkeypatch.chdir(home.parent)
    sources = repository_sources(str(root), {name: value.format(home=home) for name, value in environ.items()})
    assert bool(sources) is is_found


# Plans


def test_the_files_of_a_plan_come_before_those_of_its_project(
    root: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(root, home)
    monkeypatch.chdir(root)
    plan = home / "sessions/1"
    for name in ("checks.yaml", "rules/r.md", "project-claude.md", "context.yaml", "plan.md"):
        write(plan / name)
    sources = plan_sources(str(plan), str(root), {"HOME": str(home)})
    assert [(source.form, source.label) for source in sources] == [
        ("yaml", f"{plan}/checks.yaml"),
        ("yaml", "~/.claude/checks/global-checks.yaml"),
        ("yaml", "checks/a.yml"),
        ("yaml", "checks/b.yaml"),
        ("rules", f"{plan}/rules/r.md"),
        ("claude_md", f"{plan}/project-claude.md"),
        ("claude_md", "~/.claude/CLAUDE.md"),
        ("context", f"{plan}/context.yaml"),
    ]


def test_the_claude_file_of_the_project_stands_in_for_a_copy_that_is_not_there(
    root: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(root, home)
    monkeypatch.chdir(root)
    plan = home / "sessions/1"
    plan.mkdir(parents=True)
    sources = plan_sources(str(plan), str(root), {"HOME": str(home)})
    assert labels(sources)[-2:] == ["CLAUDE.md", "~/.claude/CLAUDE.md"]
    assert context_source(str(plan)) is None


# What is refused


def test_a_link_may_lead_anywhere_in_the_project(root: Path, home: Path) -> None:
    write(root / "AGENTS.md", "ours")
    (root / "CLAUDE.md").symlink_to("AGENTS.md")
    write(root / "policy/a.yaml", "a")
    (root / "checks").symlink_to("policy")
    assert [(source.label, source.stem, source.text()) for source in found(root, home)] == [
        ("policy/a.yaml", "a", "a"),
        ("AGENTS.md", "CLAUDE", "ours"),
    ]


def test_a_link_out_of_the_project_is_refused(root: Path, home: Path) -> None:
    secret = write(home / "secret.md", "secret")
    (root / "CLAUDE.md").symlink_to(secret)
    assert refusal(root, home) == "CLAUDE.md: it is a link that leads out of the project"
    (root / "CLAUDE.md").unlink()
    write(home / "checks/a.yaml")
    (root / "checks").symlink_to(home / "checks")
    assert refusal(root, home) == "checks/a.yaml: it is a link that leads out of the project"
    (root / "checks").unlink()
    write(root.parent / "project-too/a.md")
    (root / "rules").symlink_to("../project-too")
    assert refusal(root, home) == "rules/a.md: it is a link that leads out of the project"


def test_a_link_to_nowhere_is_refused(root: Path, home: Path) -> None:
    (root / "CLAUDE.md").symlink_to("gone.md")
    assert refusal(root, home) == "CLAUDE.md: it is a link to nowhere"
    (root / "CLAUDE.md").unlink()
    (home / ".claude").mkdir(parents=True)
    (home / ".claude/CLAUDE.md").symlink_to("gone.md")
    assert refusal(root, home) == "~/.claude/CLAUDE.md: it is a link to nowhere"


def test_what_is_no_file_of_a_fair_size_is_refused(root: Path, home: Path) -> None:
    (root / "checks/a.yaml").mkdir(parents=True)
    assert refusal(root, home) == "checks/a.yaml: it is not a regular file"
    (root / "checks/a.yaml").rmdir()
    os.mkfifo(root / "checks/a.yaml")
    assert refusal(root, home) == "checks/a.yaml: it is not a regular file"
    (root / "checks/a.yaml").unlink()
    write(root / "checks/a.yaml", b"#" * (MAX_FILE_BYTES + 1))
    assert refusal(root, home) == "checks/a.yaml: it is 2000001 bytes long, more than 2000000"


def test_too_many_files_are_refused_and_not_left_out(root: Path, home: Path) -> None:
    for number in range(MAX_FOLDER_FILES + 1):
        write(root / f"checks/{number}.yaml")
    assert refusal(root, home) == "checks: it holds 501 files with checks, more than 500"
    (root / "checks/0.yaml").unlink()
    assert len(found(root, home)) == MAX_FOLDER_FILES


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_what_may_not_be_read_is_refused(root: Path, home: Path) -> None:
    write(root / "CLAUDE.md").chmod(0)
    assert refusal(root, home) == "CLAUDE.md: it cannot be opened: Permission denied"


def test_what_is_not_utf8_is_refused_with_its_line(root: Path, home: Path) -> None:
    write(root / "CLAUDE.md", b"a\nb \xff\n")
    (source,) = found(root, home)
    with pytest.raises(ConfigError) as caught:
        source.text()
    assert caught.value.what == "CLAUDE.md:2: not UTF-8: the byte 0xff cannot be read; save the file as UTF-8"


# Files that somebody names


def test_named_files_are_read_by_what_they_are(root: Path) -> None:
    names = ["mine.yaml", "mine.checks", "CLAUDE.md", "sub/project-claude.md", "style.md"]
    paths = [str(write(root / name)) for name in names]
    assert [(source.form, source.label) for source in named_sources(paths)] == list(
        zip(["yaml", "yaml", "claude_md", "claude_md", "rules"], paths, strict=True)
    )
    assert named_sources(paths)[-1].stem == "style"


def test_a_named_file_has_to_be_there(root: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        named_sources([str(root / "gone.yaml")])
    assert caught.value.what == f"{root}/gone.yaml: there is no such file"
    with pytest.raises(ConfigError) as caught:
        named_sources([str(root)])
    assert caught.value.what == f"{root}: it is not a regular file"


# Packs


def test_every_pack_beside_the_package_can_be_read() -> None:
    shipped = Path(check_sources.__file__).parents[2] / "checks"
    assert pack_names() == sorted(path.stem for path in shipped.glob("*.yaml"))
    for name in pack_names():
        assert pack_source(name).text() == (shipped / f"{name}.yaml").read_text(encoding="utf-8")
        assert pack_source(name).label == f"pack:{name}"


@pytest.mark.parametrize("name", ["../README", "nothing-like-it", ""])
def test_an_unknown_pack_is_refused(name: str) -> None:
    with pytest.raises(ConfigError) as caught:
        pack_source(name)
    assert caught.value.what.startswith(f"there is no pack {name}; ")
    for read in (pack_stamps, pack_sources):
        with pytest.raises(ConfigError) as caught:
            read([name])
        assert caught.value.what.startswith(f"checks.packs names {name}, and there is no such pack; ")
        assert caught.value.next_step.startswith("correct checks.packs (review-gate config show), then: ")
