"""The hooks that we offer to pre-commit, and the configurations that our pages show for them."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import Repo
from framework import EXAMPLE, IDS, MANIFEST, SCAN, manager
from installing import HOOKS, PROJECT
from ruamel.yaml import YAML

PROMPTS = "review-gate-prompts"


def hooks_of_manifest() -> dict[str, dict[str, Any]]:
    hooks: list[dict[str, Any]] = YAML(typ="safe").load(MANIFEST)
    return {hook["id"]: hook for hook in hooks}


def test_the_manifest_offers_each_hook_and_its_twin() -> None:
    assert set(hooks_of_manifest()) == {name + twin for name in (*IDS, SCAN, PROMPTS) for twin in ("", "-system")}


@pytest.mark.parametrize("name", [*IDS, SCAN, PROMPTS])
def test_a_twin_differs_in_nothing_but_its_environment(name: str) -> None:
    hooks = hooks_of_manifest()
    hook, twin = hooks[name], hooks[f"{name}-system"]
    assert (hook.pop("language"), twin.pop("language")) == ("python", "system")
    assert hook.pop("id") + "-system" == twin.pop("id")
    assert hook.pop("description") != twin.pop("description")
    # What is installed beside it is a part of its environment.
    hook.pop("additional_dependencies", None)
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


def test_the_scan_takes_the_names_of_all_files_and_none_of_them_for_an_option() -> None:
    hook = hooks_of_manifest()[SCAN]
    assert hook["minimum_pre_commit_version"] == "3.2.0"
    assert (hook["entry"], hook["args"], hook["types"]) == ("review-gate scan", ["--"], ["file"])
    assert hook["stages"] == ["pre-commit", "manual"]
    assert hook["require_serial"] is True
    assert "pass_filenames" not in hook
    assert "always_run" not in hook


def test_the_hook_for_prompts_takes_the_names_of_all_files_and_none_of_them_for_an_option() -> None:
    hook = hooks_of_manifest()[PROMPTS]
    assert (hook["entry"], hook["args"]) == ("review-gate prompt-review", ["--fail-on", "major", "--file", "--"])
    assert hook["additional_dependencies"] == [".[anthropic]"]
    assert hook["require_serial"] is True


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
        assert config["default_install_hook_types"] == list(HOOKS)
        assert {hook["id"] for entry in config["repos"] for hook in entry["hooks"]} <= set(hooks_of_manifest())
