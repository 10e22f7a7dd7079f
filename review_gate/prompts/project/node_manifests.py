"""What package.json, tsconfig.json and the manifest of an Obsidian plugin say about a project."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise

from review_gate.prompts.project.facts import Facts, known, mapping, plain_name
from review_gate.prompts.project.json_comments import json_object

_DEPENDENCIES = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
_FRAMEWORKS: Mapping[str, tuple[str, ...]] = {
    "react": ("react",),
    "react-dom": ("react",),
    "react-native": ("react", "react-native"),
    "preact": ("preact",),
    "vue": ("vue",),
    "nuxt": ("vue", "nuxt"),
    "svelte": ("svelte",),
    "@sveltejs/kit": ("svelte", "sveltekit"),
    "next": ("nextjs",),
    "@angular/core": ("angular",),
    "solid-js": ("solid",),
    "astro": ("astro",),
    "tailwindcss": ("tailwind",),
    "express": ("express",),
    "fastify": ("fastify",),
    "koa": ("koa",),
    "hono": ("hono",),
    "@nestjs/core": ("nestjs",),
    "electron": ("electron",),
    "obsidian": ("obsidian-plugin",),
}
# Whichever of them comes first is taken for the one that runs the unit tests.
_TEST_PACKAGES: Mapping[str, tuple[str, ...]] = {
    "vitest": ("vitest",),
    "jest": ("jest",),
    "ts-jest": ("jest",),
    "@jest/globals": ("jest",),
    "mocha": ("mocha",),
    "ava": ("ava",),
    # Create React App brings both along, and names neither.
    "react-scripts": ("jest",),
    "karma": ("karma",),
    "jasmine": ("jasmine",),
    "@playwright/test": ("playwright",),
    "cypress": ("cypress",),
}
_TEST_COMMANDS = ("vitest", "jest", "mocha", "ava", "playwright", "cypress")
_NODE_TEST, _BUN_TEST = "node:test", "bun:test"
# tsc comes last: most who bundle call it too, to check types. As a package it is there with every TypeScript.
_BUILD_COMMANDS = ("esbuild", "webpack", "vite", "rollup", "parcel", "turbo", "tsup", "tsc")
# Frameworks that build by themselves, by their command.
_BUILD_OF_FRAMEWORKS = {"next": "nextjs", "nuxt": "nuxt", "astro": "astro", "ng": "angular"}
_BUILD_PACKAGES: Mapping[str, tuple[str, ...]] = {
    **{name: (name,) for name in ("esbuild", "webpack", "vite", "rollup", "parcel", "turbo", "tsup")},
    "react-scripts": ("webpack",),
}
_TYPESCRIPT = ("typescript", "ts-node", "tsx")
_SEPARATOR = re.compile(r"[\s;&|()\"'`]+")
_TARGET = re.compile(r"es(?:3|5|6|20\d\d|next)")


def package_json(text: str) -> Facts:
    """What a package.json says."""
    document = json_object(text)
    packages = [name for group in _DEPENDENCIES for name in mapping(document, group)]
    scripts = {name: said for name, said in mapping(document, "scripts").items() if isinstance(said, str)}
    typed = ("typescript",) if any(name in _TYPESCRIPT for name in packages) else ()
    return Facts(
        name=plain_name(document.get("name")),
        stack=(*typed, "node", *known(packages, _FRAMEWORKS)),
        test_framework=_test_framework(document, scripts, packages),
        build_tool=_build_tool(scripts, packages),
    )


def _test_framework(document: Mapping[str, object], scripts: Mapping[str, str], packages: Sequence[str]) -> str:
    by_key = ("jest",) if "jest" in document else ()
    named = (_test_command(script) for script in _telling(scripts, "test"))
    return next((name for name in named if name), next(iter((*known(packages, _TEST_PACKAGES), *by_key)), ""))


def _test_command(script: str) -> str:
    commands = list(_commands(script))
    if "--test" in commands:
        return _NODE_TEST
    if ("bun", "test") in pairwise(commands):
        return _BUN_TEST
    return next((name for name in _TEST_COMMANDS if name in commands), "")


def _build_tool(scripts: Mapping[str, str], packages: Sequence[str]) -> str:
    building = [set(_commands(script)) for script in _telling(scripts, "build")]
    found = (name for commands in building for name in _BUILD_COMMANDS[:-1] if name in commands)
    own = (name for commands in building for command, name in _BUILD_OF_FRAMEWORKS.items() if command in commands)
    last = "tsc" if any("tsc" in commands for commands in building) else ""
    return next(chain(found, own, known(packages, _BUILD_PACKAGES)), last)


def _telling(scripts: Mapping[str, str], name: str) -> Iterator[str]:
    """The script of a name, then those that are named after it, such as test:unit."""
    if name in scripts:
        yield scripts[name]
    yield from (said for other, said in scripts.items() if other.startswith((f"{name}:", f"{name}-")))


def _commands(script: str) -> Iterable[str]:
    """The words of a script, of paths and configuration files only the name of the program."""
    for word in _SEPARATOR.split(script):
        yield word if word.startswith("-") else word.rpartition("/")[2].partition(".")[0].partition("@")[0]


def tsconfig_json(text: str) -> Facts:
    """What a tsconfig.json says."""
    target = mapping(json_object(text, may_have_comments=True), "compilerOptions").get("target")
    plain = target.casefold() if isinstance(target, str) else ""
    return Facts(stack=("typescript",), language_target=plain if _TARGET.fullmatch(plain) else "")


def manifest_json(text: str) -> Facts:
    """What a manifest.json says; those of browsers and web applications have the same name, and say nothing here."""
    document = json_object(text)
    if not {"id", "minAppVersion"} <= document.keys():
        return Facts()
    return Facts(name=plain_name(document.get("name")), stack=("obsidian-plugin",))
