"""Which language a changed file is checked as, by its name and, where that is not enough, its first bytes."""

from __future__ import annotations

KIND_OF_SUFFIX = {
    ".py": "python", ".pyi": "python", ".pyw": "python",
    ".json": "json", ".geojson": "json", ".webmanifest": "json", ".ipynb": "json",
    ".yaml": "yaml", ".yml": "yaml",
    ".toml": "toml",
}  # fmt: skip
KIND_OF_NAME = {
    "pipfile": "toml", "poetry.lock": "toml", "uv.lock": "toml", "cargo.lock": "toml", "pdm.lock": "toml",
    "pipfile.lock": "json", "composer.lock": "json",
}  # fmt: skip
# The programs that read these accept comments and trailing commas, so strict JSON is the wrong question.
LENIENT_JSON_FOLDERS = frozenset({".vscode", ".devcontainer", ".zed"})
LENIENT_JSON_PREFIXES = ("tsconfig", "jsconfig", "api-extractor", "appsettings")
LENIENT_JSON_NAMES = (
    ".babelrc.json .cspell.json .devcontainer.json .eslintrc.json .jshintrc.json .luarc.json .markdownlint.json"
    " .oxlintrc.json angular.json babel.config.json coc-settings.json cspell.json deno.json devcontainer.json"
    " global.json language-configuration.json launchsettings.json nx.json pyrightconfig.json rush.json tsdoc.json"
    " tslint.json turbo.json typedoc.json wrangler.json"
)
LENIENT_JSON = frozenset(LENIENT_JSON_NAMES.split())


def kind_of(path: str, data: bytes | None) -> str | None:
    """The language that a file is checked as: python, json, yaml, toml, or None when it is not checked."""
    if "{{" in path:
        return None  # a folder or file name that a project template fills in later, and so its content
    folder, _, name = path.lower().rpartition("/")
    kind = KIND_OF_NAME.get(name) or KIND_OF_SUFFIX.get(_suffix(name))
    if kind is None and not _suffix(name):
        return "python" if _shebang(data).startswith("python") and not _is_python_2(data) else None
    skipped = (
        (kind == "python" and _is_python_2(data))
        or (kind == "json" and _is_lenient_json(folder, name))
        or (kind == "yaml" and _is_yaml_template(folder, data))
    )
    return None if skipped else kind


def _suffix(name: str) -> str:
    stem, dot, suffix = name.rpartition(".")
    return dot + suffix if stem else ""


def _shebang(data: bytes | None) -> str:
    """The name of the program that a script asks for in its first line."""
    if not data or not data.startswith(b"#!"):
        return ""
    words = data[2:200].split(b"\n", 1)[0].decode("latin-1").split()
    if words and words[0].endswith("/env"):
        words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
    return words[0].rpartition("/")[2] if words else ""


def _is_python_2(data: bytes | None) -> bool:
    return _shebang(data).startswith("python2")


def _is_lenient_json(folder: str, name: str) -> bool:
    return (
        name in LENIENT_JSON
        or name.startswith(LENIENT_JSON_PREFIXES)
        or not LENIENT_JSON_FOLDERS.isdisjoint(folder.split("/"))
    )


def _is_yaml_template(folder: str, data: bytes | None) -> bool:
    """Helm keeps templates below `templates`; elsewhere, {% or {{- where a line begins is never YAML."""
    if not data or (b"{%" not in data and b"{{" not in data):
        return False
    return "templates" in folder.split("/") or data.startswith((b"{%", b"{{-")) or b"\n{%" in data or b"\n{{-" in data
