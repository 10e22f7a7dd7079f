"""What go.mod and Cargo.toml say about a project."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from review_gate.prompts.project.facts import Facts, UnreadableManifestError, known, mapping, plain_name
from review_gate.prompts.project.toml_document import toml_document

_GO_FRAMEWORKS: Mapping[str, tuple[str, ...]] = {
    "github.com/gin-gonic/gin": ("gin",),
    "github.com/labstack/echo": ("echo",),
    "github.com/gofiber/fiber": ("fiber",),
    "github.com/go-chi/chi": ("chi",),
    "github.com/spf13/cobra": ("cobra",),
    "google.golang.org/grpc": ("grpc",),
}
_CRATES: Mapping[str, tuple[str, ...]] = {
    name: (name,)
    for name in ("tokio", "axum", "actix-web", "rocket", "warp", "clap", "serde", "tauri", "bevy", "leptos", "tonic")
}
_MAJOR = re.compile(r"(?:/v\d+|\.v\d+)$")
_CRATE_GROUPS = ("dependencies", "dev-dependencies", "build-dependencies")


def go_mod(text: str) -> Facts:
    """What a go.mod says."""
    lines = [line.partition("//")[0].split() for line in text.splitlines()]
    module = next((line[1].strip('"`') for line in lines if line[:1] == ["module"] and len(line) > 1), "")
    if not module:
        raise UnreadableManifestError("it names no module")
    required = (_without_major(path) for path in _required(lines))
    return Facts(
        name=plain_name(_without_major(module).rpartition("/")[2]),
        stack=("go", *known(required, _GO_FRAMEWORKS)),
        test_framework="go test",
        build_tool="go",
    )


def _required(lines: list[list[str]]) -> Iterator[str]:
    is_inside = False
    for line in lines:
        if line[:1] == ["require"] and len(line) > 1:
            is_inside = line[1] == "("
            yield line[1]
        elif line == [")"]:
            is_inside = False
        elif is_inside and line:
            yield line[0]


def _without_major(path: str) -> str:
    return _MAJOR.sub("", path)


def cargo_toml(text: str) -> Facts:
    """What a Cargo.toml says."""
    document = toml_document(text)
    groups = [mapping(document, group) for group in _CRATE_GROUPS]
    groups.append(mapping(document, "workspace", "dependencies"))
    return Facts(
        name=plain_name(mapping(document, "package").get("name")),
        stack=("rust", *known((crate for group in groups for crate in group), _CRATES)),
        test_framework="cargo test",
        build_tool="cargo",
    )
