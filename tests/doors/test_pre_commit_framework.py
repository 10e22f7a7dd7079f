"""The gate behind pre-commit: our manifest, what its pre-push hook can judge, and living beside it in either order."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeRepo, Repo, Result
from ruamel.yaml import YAML

from review_gate.errors import ReviewGateError
from review_gate.shell.repository import open_repository
from review_gate.workflows.doctor import examine
from review_gate.workflows.framework_push import refuse_hidden_refs
from review_gate.workflows.install import install
from review_gate.workflows.uninstall import uninstall

PROJECT = Path(__file__).resolve().parents[2]
MANIFEST = PROJECT / ".pre-commit-hooks.yaml"
EXAMPLE = PROJECT / ".pre-commit-config.yaml"
IDS = ("review-gate-pre-commit", "review-gate-commit-msg", "review-gate-pre-push")
NOTICE = """\
review-gate: the hook framework shows this hook only the first ref of a push, and some pushes not at all.
  next:  review-gate install (a native hook beside the framework, which judges every ref)
"""
SEVERAL = """\
blocked: this push sends several refs, and the hook framework shows only the first of them
  why:   the others would leave without being judged
  next:  review-gate install (a native hook that judges every ref), or push one ref at a time
"""


@pytest.fixture(autouse=True)
def _same_world(world: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Our functions, called in this process, see the settings that the programs see which a test starts."""
    world["PRE_COMMIT_HOME"] = str(tmp_path / "pre-commit-home")
    for name in [name for name in os.environ if name.startswith(("GIT_", "REVIEW_GATE", "PRE_COMMIT", "SKIP"))]:
        monkeypatch.delenv(name)
    for name, value in world.items():
        monkeypatch.setenv(name, value)


def manager(repo: Repo, *arguments: str) -> Result:
    """A pre-commit command that has to work."""
    done = repo.run("pre-commit", *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.fixture
def framed(repo: Repo) -> Repo:
    """A repository with our example configuration and pre-commit's hooks, without ours."""
    repo.commit("configure", {".pre-commit-config.yaml": EXAMPLE.read_bytes()})
    manager(repo, "install")
    return repo


def missing(commit: str) -> str:
    return (
        "blocked: No review state found. Run /review before shipping.\n"
        f"  why:   commit {commit[:8]} was never reviewed\n"
    )


def side_branch(repo: Repo) -> str:
    """A commit on `side` that nobody reviewed, HEAD stays on main; its id."""
    repo.git("switch", "--quiet", "-c", "side")
    commit = repo.commit("unreviewed", {"side.py": "x = 1\n"})
    repo.git("switch", "--quiet", "main")
    return commit


# The manifest


def hooks_of_manifest() -> dict[str, dict[str, Any]]:
    hooks: list[dict[str, Any]] = YAML(typ="safe").load(MANIFEST)
    return {hook["id"]: hook for hook in hooks}


def test_the_manifest_offers_each_hook_and_its_twin() -> None:
    assert set(hooks_of_manifest()) == {*IDS, *(f"{name}-system" for name in IDS)}


@pytest.mark.parametrize("name", IDS)
def test_a_twin_differs_in_nothing_but_its_environment(name: str) -> None:
    hooks = hooks_of_manifest()
    hook, twin = hooks[name], hooks[f"{name}-system"]
    assert (hook.pop("language"), twin.pop("language")) == ("python", "system")
    assert hook.pop("id") + "-system" == twin.pop("id")
    assert hook.pop("description") != twin.pop("description")
    assert hook == twin


@pytest.mark.parametrize("name", [*IDS, *(f"{name}-system" for name in IDS)])
def test_every_hook_keeps_the_conventions_of_manifests(name: str) -> None:
    hook = hooks_of_manifest()[name]
    stage = name.removeprefix("review-gate-").removesuffix("-system")
    assert hook["minimum_pre_commit_version"] == "3.2.0"
    assert hook["stages"] == ([stage] if stage == "commit-msg" else [stage, "manual"])
    assert hook["entry"] == f"review-gate hook {stage}"
    assert hook["always_run"] is True
    assert hook["require_serial"] is True
    assert hook.get("pass_filenames", True) is (stage == "commit-msg")
    assert hook.get("verbose", False) is (stage == "pre-push")
    assert "args" not in hook
    assert hook["description"].endswith(".")
    assert ". " not in hook["description"]


def documented_examples() -> list[str]:
    """The pre-commit configurations that README and docs show."""
    pages = [PROJECT / "README.md", *sorted((PROJECT / "docs").glob("*.md"))]
    blocks = [block.split("```")[0] for page in pages for block in page.read_text().split("```yaml\n")[1:]]
    return [block for block in blocks if "repos:" in block]


def test_pre_commit_accepts_our_manifest_and_every_configuration_we_show(repo: Repo) -> None:
    manager(repo, "validate-manifest", str(MANIFEST))
    examples = documented_examples()
    assert examples
    files = [repo.write(f"example-{number}.yaml", text) for number, text in enumerate(examples)]
    manager(repo, "validate-config", str(EXAMPLE), *map(str, files))


def test_every_configuration_we_show_installs_all_three_hooks_and_uses_ids_that_exist() -> None:
    for text in documented_examples():
        config = YAML(typ="safe").load(text)
        assert config["default_install_hook_types"] == ["pre-commit", "commit-msg", "pre-push"]
        assert {hook["id"] for entry in config["repos"] for hook in entry["hooks"]} <= set(hooks_of_manifest())


# One ref, judged behind the framework


def test_a_first_push_is_blocked_until_it_is_reviewed_and_told_what_stays_hidden(framed: Repo) -> None:
    refused = framed.push("origin", "main")
    assert refused.returncode == 1
    assert NOTICE + missing(framed.head) in refused.stdout + refused.stderr
    assert framed.remote_ref("refs/heads/main") is None
    framed.review()
    passed = framed.push("origin", "main")
    assert passed.returncode == 0
    assert f"{NOTICE}approved: Commit {framed.head[:8]} passed its review.\n" in passed.stdout + passed.stderr
    assert framed.remote_ref("refs/heads/main") == framed.head


def test_a_later_push_is_blocked_until_it_is_reviewed(framed: Repo) -> None:
    framed.review()
    framed.git("push", "--quiet", "origin", "main")
    framed.commit("more")
    assert framed.push("origin", "main").returncode == 1
    framed.review()
    assert framed.push("origin", "main").returncode == 0
    assert framed.remote_ref("refs/heads/main") == framed.head


def test_the_pushed_branch_is_judged_and_not_head(framed: Repo) -> None:
    framed.review()
    side = side_branch(framed)
    refused = framed.push("origin", "side")
    assert refused.returncode == 1
    assert f", refs/heads/side is {side[:8]}. Run /review again.\n" in refused.stdout + refused.stderr
    framed.git("switch", "--quiet", "side")
    assert framed.push("origin", "main").returncode == 0
    assert framed.remote_ref("refs/heads/side") is None


@pytest.mark.parametrize("name", ["HEAD", "main~0"])
def test_a_push_by_another_name_than_a_branch_is_judged(framed: Repo, name: str) -> None:
    assert framed.push("origin", f"{name}:refs/heads/copy").returncode == 1
    framed.review()
    assert framed.push("origin", f"{name}:refs/heads/copy").returncode == 0
    assert framed.remote_ref("refs/heads/copy") == framed.head


def test_an_annotated_tag_is_judged_by_its_commit(framed: Repo) -> None:
    framed.git("tag", "-a", "v1", "-m", "one")
    refused = framed.push("origin", "v1")
    assert refused.returncode == 1
    assert missing(framed.head) in refused.stdout + refused.stderr
    framed.review()
    assert framed.push("origin", "v1").returncode == 0
    assert framed.remote_ref("refs/tags/v1^{commit}") == framed.head


def test_a_leaked_range_does_not_stand_in_for_what_is_pushed(framed: Repo) -> None:
    framed.review()
    reviewed = framed.head
    framed.commit("unreviewed")
    leaked = {"PRE_COMMIT_TO_REF": reviewed, "PRE_COMMIT_FROM_REF": reviewed, "PRE_COMMIT_SOURCE": reviewed}
    done = framed.push("origin", "main", **leaked)
    assert done.returncode == 1
    assert (
        "blocked: PRE_COMMIT_TO_REF and PRE_COMMIT_LOCAL_BRANCH (refs/heads/main) name different commits\n"
        "  why:   one of them was left over in the environment, so nobody knows what is being pushed\n"
        "  next:  unset PRE_COMMIT_TO_REF, then git push\n"
    ) in done.stdout + done.stderr
    assert framed.remote_ref("refs/heads/main") is None


@pytest.mark.parametrize("leaked", ["1" * 40, "--output=pwned"])
def test_a_leaked_name_of_nothing_closes_the_gate(framed: Repo, leaked: str) -> None:
    framed.review()
    assert framed.push("origin", "main", PRE_COMMIT_TO_REF=leaked).returncode == 1
    assert framed.remote_ref("refs/heads/main") is None
    assert not (framed.path / "pwned").exists()


# What the framework hides


on_linux = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="only Linux shows the command line of git push to the hook"
)


@on_linux
@pytest.mark.parametrize("command", ["push origin main side", "both"], ids=["typed", "by alias"])
def test_a_push_of_several_refs_is_refused_where_the_command_line_shows_it(framed: Repo, command: str) -> None:
    framed.git("config", "alias.both", "push origin main side")
    framed.review()
    side_branch(framed)
    done = framed.run("git", *command.split())
    assert done.returncode == 1
    assert NOTICE + SEVERAL in done.stdout + done.stderr
    assert (framed.remote_ref("refs/heads/main"), framed.remote_ref("refs/heads/side")) == (None, None)


Settings = dict[str, str]


@pytest.mark.parametrize(
    ("arguments", "settings"),
    [
        ("origin main side", {}),
        ("-u origin main HEAD:copy", {}),
        ("--all origin", {}),
        ("--al origin", {}),
        ("--mirror origin", {}),
        ("--mir origin", {}),
        ("--tags origin main", {}),
        ("--follow-tags origin main", {}),
        ("origin refs/heads/*:refs/heads/*", {}),
        ("origin :", {}),
        ("origin +:", {}),
        ("-o ci.skip origin main side", {}),
        ("origin", {"push.default": "matching"}),
        ("", {"push.default": "matching"}),
        ("origin", {"remote.origin.push": "refs/heads/*:refs/heads/*"}),
        ("", {"remote.origin.push": "refs/heads/*:refs/heads/*"}),
        ("origin", {"remote.origin.mirror": "true"}),
        ("", {"remote.origin.mirror": "true"}),
    ],
    ids=str,
)
def test_a_command_line_that_sends_several_refs_is_seen(repo: Repo, arguments: str, settings: Settings) -> None:
    for name, value in settings.items():
        repo.git("config", name, value)
    with pytest.raises(ReviewGateError) as refused:
        refuse_hidden_refs(open_repository(str(repo.path)), arguments.split())
    assert refused.value.what == "this push sends several refs, and the hook framework shows only the first of them"


@pytest.mark.parametrize(
    ("arguments", "settings"),
    [
        ("", {}),
        ("origin", {}),
        ("origin main", {}),
        ("origin tag v1", {}),
        ("-o ci.skip origin main", {}),
        ("--push-option=ci.skip -u origin HEAD", {}),
        ("--quiet --force-with-lease origin main:refs/heads/copy", {}),
        ("--no-follow-tags origin main", {"push.followTags": "true"}),
        ("origin", {"push.default": "current"}),
        ("origin main", {"push.default": "matching"}),
        ("origin", {"remote.origin.push": "HEAD"}),
    ],
    ids=str,
)
def test_a_command_line_that_sends_one_ref_is_left_alone(repo: Repo, arguments: str, settings: Settings) -> None:
    for name, value in settings.items():
        repo.git("config", name, value)
    refuse_hidden_refs(open_repository(str(repo.path)), arguments.split())


# The other stages


def test_the_staged_content_and_the_message_are_judged_through_the_framework(framed: Repo) -> None:
    framed.write("new.py", "(\n")
    framed.git("add", "-A")
    refused = framed.run("git", "commit", "-m", "A change")
    assert refused.returncode == 1
    assert "blocked: 1 problem in the staged files\n  new.py:1: " in refused.stdout + refused.stderr
    framed.write("new.py", "()\n")
    framed.git("add", "-A")
    unfinished = framed.run("git", "commit", "-m", "wip")
    assert unfinished.returncode == 1
    assert (
        "message:1: work in progress on the protected branch main [wip-subject]"
        in unfinished.stdout + unfinished.stderr
    )
    assert framed.run("git", "commit", "-m", "A change").returncode == 0


def test_the_manual_stage_judges_the_index_and_head(framed: Repo) -> None:
    refused = framed.run("pre-commit", "run", "--hook-stage", "manual")
    assert refused.returncode == 1
    assert missing(framed.head) in refused.stdout
    framed.review()
    passed = framed.run("pre-commit", "run", "--hook-stage", "manual")
    assert passed.returncode == 0, passed.stdout
    assert f"approved: Commit {framed.head[:8]} passed its review.\n" in passed.stdout
    framed.write("new.py", "(\n")
    framed.git("add", "-A")
    assert "new.py:1: " in framed.run("pre-commit", "run", "--hook-stage", "manual").stdout


def test_a_configuration_that_names_our_repository_and_a_revision_works(repo: Repo, make_repo: MakeRepo) -> None:
    ours = make_repo("ours")
    revision = ours.commit("manifest", {".pre-commit-hooks.yaml": MANIFEST.read_bytes()})
    ids = "".join(f"      - id: {name}-system\n" for name in IDS)
    config = (
        "default_install_hook_types: [pre-commit, commit-msg, pre-push]\n"
        f"repos:\n  - repo: {ours.path}\n    rev: {revision}\n    hooks:\n{ids}"
    )
    repo.commit("configure", {".pre-commit-config.yaml": config})
    manager(repo, "install")
    repo.write("new.py", "(\n")
    repo.git("add", "-A")
    refused = repo.run("git", "commit", "-m", "A change")
    assert "blocked: 1 problem in the staged files\n  new.py:1: " in refused.stdout + refused.stderr
    repo.git("reset", "--quiet", "--hard")
    assert NOTICE in repo.push("origin", "main").stdout
    assert repo.remote_ref("refs/heads/main") is None
    repo.review()
    assert repo.push("origin", "main").returncode == 0


# Beside the framework


def ours_first(repo: Repo) -> None:
    install(open_repository(str(repo.path)), with_watcher=False)
    manager(repo, "install")


def framework_first(repo: Repo) -> None:
    manager(repo, "install")
    install(open_repository(str(repo.path)), with_watcher=False)


def framework_again(repo: Repo) -> None:
    ours_first(repo)
    manager(repo, "install")


def both_again(repo: Repo) -> None:
    framework_first(repo)
    manager(repo, "install")
    install(open_repository(str(repo.path)), with_watcher=False)


def framework_gone(repo: Repo) -> None:
    ours_first(repo)
    manager(repo, "uninstall")


def framework_that_was_first_gone(repo: Repo) -> None:
    framework_first(repo)
    manager(repo, "uninstall")


@pytest.mark.parametrize(
    "arrange",
    [framework_again, both_again, framework_gone, framework_that_was_first_gone],
    ids=lambda arrange: arrange.__name__.replace("_", " "),
)
def test_every_ref_is_judged_beside_the_framework(repo: Repo, arrange: Callable[[Repo], None]) -> None:
    repo.commit("configure", {".pre-commit-config.yaml": EXAMPLE.read_bytes()})
    arrange(repo)
    repo.review()
    side = side_branch(repo)
    done = repo.push("origin", "main", "side")
    output = done.stdout + done.stderr
    assert done.returncode == 1
    assert f", refs/heads/side is {side[:8]}. Run /review again.\n" in output
    assert NOTICE not in output
    assert (repo.remote_ref("refs/heads/main"), repo.remote_ref("refs/heads/side")) == (None, None)
    assert repo.push("origin", "main").returncode == 0
    assert repo.remote_ref("refs/heads/main") == repo.head


@pytest.mark.parametrize("arrange", [ours_first, framework_first], ids=["ours first", "framework first"])
def test_the_doctor_finds_nothing_wrong_beside_the_framework_and_uninstall_leaves_it_alone(
    repo: Repo, arrange: Callable[[Repo], None]
) -> None:
    shutil.copy(EXAMPLE, repo.path)
    arrange(repo)
    assert examine(open_repository(str(repo.path))).complaints == ()
    uninstall(open_repository(str(repo.path)))
    hooks = {path.name for path in (repo.path / ".git/hooks").iterdir() if not path.name.endswith(".sample")}
    assert hooks == {"pre-commit", "commit-msg", "pre-push"}
    for hook in hooks:
        assert b"generated by pre-commit" in (repo.path / ".git/hooks" / hook).read_bytes()


def test_a_forced_install_of_the_framework_that_deletes_our_hook_is_found_by_the_doctor(repo: Repo) -> None:
    shutil.copy(EXAMPLE, repo.path)
    ours_first(repo)
    manager(repo, "install", "--overwrite")
    assert [complaint.what for complaint in examine(open_repository(str(repo.path))).complaints] == [
        f"{hook}: a hook manager's hook stands in {repo.path}/.git/hooks, ours does not run"
        for hook in ("pre-commit", "commit-msg", "pre-push")
    ]
    install(open_repository(str(repo.path)), with_watcher=False)
    assert repo.push("origin", "main").returncode == 1
    assert (repo.path / ".git/hooks/pre-push.before-review-gate").exists()
