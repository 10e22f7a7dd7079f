"""The languages that checks can be limited to, and how a file's name or first line tells which one it is in."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

MARKDOWN = "markdown"
TEXT = "text"

# Name of the language -> the suffixes of its files.
LANGUAGES = {
    "python": (".py", ".pyi", ".pyw"),
    "javascript": (".js", ".mjs", ".cjs", ".jsx"),
    "typescript": (".ts", ".mts", ".cts", ".tsx"),
    "go": (".go",),
    "rust": (".rs",),
    "java": (".java",),
    "kotlin": (".kt", ".kts"),
    "c": (".c", ".h"),
    "cpp": (".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx"),
    "csharp": (".cs",),
    "swift": (".swift",),
    "ruby": (".rb", ".rake", ".gemspec"),
    "php": (".php",),
    "shell": (".sh", ".bash", ".zsh", ".ksh"),
    "powershell": (".ps1", ".psm1"),
    "sql": (".sql",),
    "html": (".html", ".htm", ".vue", ".svelte"),
    "css": (".css", ".scss", ".less"),
    "yaml": (".yaml", ".yml"),
    "json": (".json", ".jsonc"),
    "toml": (".toml",),
    "xml": (".xml",),
    "dockerfile": (".dockerfile",),
    "makefile": (".mk",),
    "terraform": (".tf", ".tfvars"),
    "ini": (".ini", ".cfg", ".conf", ".properties", ".env"),
    "lua": (".lua",),
    "perl": (".pl", ".pm"),
    "r": (".r",),
    "julia": (".jl",),
    "scala": (".scala", ".sc"),
    "groovy": (".groovy", ".gradle"),
    "clojure": (".clj", ".cljs", ".cljc"),
    "dart": (".dart",),
    "zig": (".zig",),
    "elixir": (".ex", ".exs"),
    "erlang": (".erl", ".hrl"),
    "haskell": (".hs",),
    "ocaml": (".ml", ".mli"),
    "fsharp": (".fs", ".fsx"),
    "vb": (".vb",),
    "protobuf": (".proto",),
    "graphql": (".graphql", ".gql"),
    "solidity": (".sol",),
    "nix": (".nix",),
    "cmake": (".cmake",),
    MARKDOWN: (".md", ".markdown", ".mdx"),
    TEXT: (".txt", ".rst", ".adoc", ".text"),
}
_OF_SUFFIX = {suffix: name for name, suffixes in LANGUAGES.items() for suffix in suffixes}
_OF_NAME = {
    "dockerfile": "dockerfile",
    "containerfile": "dockerfile",
    "makefile": "makefile",
    "gnumakefile": "makefile",
    "rakefile": "ruby",
    "gemfile": "ruby",
    "cmakelists.txt": "cmake",
    "jenkinsfile": "groovy",
    **dict.fromkeys((".env", ".env.example", ".env.local", ".editorconfig", ".npmrc", ".gitconfig"), "ini"),
    **dict.fromkeys((".bashrc", ".bash_profile", ".profile", ".zshrc", ".zprofile", ".envrc"), "shell"),
    "readme": TEXT,
    "license": TEXT,
    "changelog": TEXT,
    "commit_editmsg": TEXT,
}
_OF_INTERPRETER = {
    "python": "python",
    "node": "javascript",
    "deno": "typescript",
    "sh": "shell",
    "bash": "shell",
    "dash": "shell",
    "zsh": "shell",
    "ksh": "shell",
    "ruby": "ruby",
    "php": "php",
    "pwsh": "powershell",
    # It runs scripts of Python.
    "uv": "python",
    "perl": "perl",
    "lua": "lua",
    "rscript": "r",
}
# A second language that files with a suffix can be in.
_ALSO_OF_SUFFIX = {".h": "cpp"}
_PROSE = (MARKDOWN, TEXT)


def language_of(path: str, data: bytes = b"") -> str:
    """The language of a file, by its name and, where that says nothing, its first line; "" when it is not known."""
    name = path.rpartition("/")[2].lower()
    stem, dot, suffix = name.rpartition(".")
    if name in _OF_NAME:
        return _OF_NAME[name]
    if dot and stem and dot + suffix in _OF_SUFFIX:
        return _OF_SUFFIX[dot + suffix]
    told = _OF_INTERPRETER.get(_interpreter(data.removeprefix(b"\xef\xbb\xbf")))
    return told or _OF_NAME.get(name.partition(".")[0], "")


def may_be_in(path: str, languages: Collection[str]) -> bool:
    """Whether a file whose language is told by its suffix may as well be in one of some others."""
    return bool(languages) and _ALSO_OF_SUFFIX.get("." + path.rpartition(".")[2].lower()) in languages


def language_of_fence(info: str) -> str:
    """The language that the first word behind the fence of a code block names, as "py" or "Python"; "" if none."""
    name = info.lower()
    return name if name in LANGUAGES else _OF_SUFFIX.get("." + name) or _OF_INTERPRETER.get(name, "")


def is_prose(language: str) -> bool:
    """Whether texts of a language are written for people; a text without a known language is taken for code."""
    return language in _PROSE


def _interpreter(data: bytes) -> str:
    if not data.startswith(b"#!"):
        return ""
    words = data[2:200].split(b"\n", 1)[0].decode("ascii", "replace").split()
    names = [word.rpartition("/")[2] for word in words if not word.startswith("-") and "=" not in word]
    if names[:1] == ["env"]:
        names = names[1:]
    return names[0].rstrip("0123456789.").lower() if names else ""
