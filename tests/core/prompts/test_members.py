"""The parts of a project of several: which folders its manifests name."""

from __future__ import annotations

import pytest

from review_gate.prompts.project.members import LONGEST_GLOB, MOST_GLOBS, PNPM, member_folders

PATHS = ("apps/", "apps/web/", "apps/web/src/", "packages/", "packages/api/", "packages/ui/", "README.md")
TWO = ("packages/api/", "packages/ui/")

NAMED = {
    "npm": ({"package.json": '{"workspaces": ["packages/*"]}'}, TWO),
    "yarn": ({"package.json": '{"workspaces": {"packages": ["./packages/*/"], "nohoist": ["x"]}}'}, TWO),
    "one by its name": ({"package.json": '{"workspaces": ["apps/web"]}'}, ("apps/web/",)),
    "pnpm": ({PNPM: "# x\npackages:\n  # y\n  - 'packages/*' # z\n  - \"apps/*\"\n"}, ("apps/web/", *TWO)),
    "all but one": ({PNPM: "packages:\n- packages/*\n- '!packages/ui'\n"}, ("packages/api/",)),
    "another list of pnpm": ({PNPM: "packages:\n- apps/*\nonlyBuiltDependencies:\n- packages/*\n"}, ("apps/web/",)),
    "all below": ({"package.json": '{"workspaces": ["apps/**"]}'}, ("apps/", "apps/web/", "apps/web/src/")),
    "cargo": ({"Cargo.toml": '[workspace]\nmembers = ["packages/*"]\n'}, TWO),
    "uv": ({"pyproject.toml": '[tool.uv.workspace]\nmembers = ["packages/ui"]\n'}, ("packages/ui/",)),
}


@pytest.mark.parametrize(("texts", "folders"), NAMED.values(), ids=NAMED)
def test_the_folders_that_a_manifest_names(texts: dict[str, str], folders: tuple[str, ...]) -> None:
    assert member_folders(texts, PATHS) == folders


NONE = {
    "no list": {"package.json": '{"workspaces": "packages/*"}', "Cargo.toml": "workspace = 1"},
    "no words": {"package.json": '{"workspaces": [1, null, ""]}', PNPM: "packages:\n- \n-\n- ''\n"},
    "no folder of the project": {"package.json": '{"workspaces": ["../*", "/", "libs/*", "*/*/*/*"]}'},
    "a file": {"package.json": '{"workspaces": ["README.md"]}'},
    "a * is one folder": {"package.json": '{"workspaces": ["apps*src"]}'},
    "broken files": {"package.json": "{", PNPM: "\t- x", "Cargo.toml": "[", "pyproject.toml": "="},
    "too long": {"package.json": f'{{"workspaces": ["{"*" * LONGEST_GLOB}/*"]}}'},
    "too many": {PNPM: "packages:\n" + "- x\n" * MOST_GLOBS + "- packages/*\n"},
    "a manifest of a part": {"packages/ui/package.json": '{"workspaces": ["apps/*"]}'},
    "nothing": {},
}


@pytest.mark.parametrize("texts", NONE.values(), ids=NONE)
def test_what_names_no_folder(texts: dict[str, str]) -> None:
    assert member_folders(texts, PATHS) == ()
