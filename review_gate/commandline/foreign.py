"""Text in other languages, handed to their interpreters: the paths it names, and whether it is about pushing."""

from __future__ import annotations

from review_gate.commandline.acts import UNKNOWN, WRITE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from review_gate.commandline.walk import Walk

# By interpreter: the options before a text to run.
LANGUAGES = {
    "python": ("-c",),
    "pypy": ("-c",),
    "node": ("-e", "-p", "--eval", "--print", "-pe"),
    "nodejs": ("-e", "-p", "--eval", "--print", "-pe"),
    "deno": ("eval",),
    "bun": ("-e", "--eval"),
    "ruby": ("-e",),
    "perl": ("-e", "-E"),
    "php": ("-r",),
    "lua": ("-e",),
    "tclsh": (),
    "osascript": ("-e",),
    "pwsh": ("-c", "-Command", "-command"),
    "powershell": ("-c", "-Command", "-command"),
    "cmd": ("/c", "/C"),
    "expect": ("-c",),
    "awk": (),
    "gawk": (),
    "mawk": (),
    "rscript": ("-e",),
}
_AWKS = frozenset({"awk", "gawk", "mawk"})
_STARTS_MODULE = frozenset({"python", "pypy"})
_QUOTES = "'\"`"
_MOST_TEXT = 65_536
_LONGEST_PATH = 1_000
_MOST_PATHS = 200
# What such a text has to hold, in any notation, to push or to take the hooks away.
_PROGRAMS = ("git", "gh", "dulwich", "libgit")
_DEEDS = ("push", "send-pack", "no-verify", "hookspath", "pr create", "refs/review-gate")
# What a program has to say, in its own words, to start another.
_STARTS = (
    *("system", "subprocess", "popen", "spawn", "exec", "eval", "pty", "fork", "import_", "importlib", "getattr"),
    *("child_process", "shell", "start-process", "`", "%x", "qx", "open3", "dulwich", "libgit", "pygit", "git.repo"),
    *("ctypes", "runpy", "pexpect", "invoke", "asyncio", "globals", "builtins", "decode", "fromhex", "chr("),
)


def run_foreign(walk: Walk, language: str, words: Sequence[str], feed: str | None) -> None:
    """Note what a text in another language names, and be unclear about one that may push."""
    walk.may_have_moved = True
    if language in _STARTS_MODULE and _run_module(walk, words):
        return
    for text in _texts(language, words, feed):
        paths = paths_in(text[:_MOST_TEXT])
        if paths:
            walk.add(WRITE, paths, walk.state.folder)
        if (is_about_pushing(text) and _may_start(language, text)) or text == UNKNOWN:
            walk.unclear(words)


def _may_start(language: str, text: str) -> bool:
    """Whether a text may start a program; one that only writes a file about pushing does not."""
    # Others start programs by signs: perl by `open`, awk by a bar, a shell by anything.
    return language.removesuffix("js") not in ("python", "node") or any(word in text.lower() for word in _STARTS)


def is_about_pushing(text: str) -> bool:
    """Whether a text in a language that is not read here mentions what a gate is about."""
    lower = text.lower()
    return any(name in lower for name in _PROGRAMS) and any(deed in lower for deed in _DEEDS)


def _run_module(walk: Walk, words: Sequence[str]) -> bool:
    at = 1
    while at < len(words) and words[at].startswith("-") and words[at] not in ("-m", "-c"):
        at += 2 if words[at] in ("-W", "-X") else 1
    if "".join(words[at : at + 1]) != "-m" or at + 1 >= len(words):
        return False
    walk.launch([words[at + 1].replace("_", "-"), *words[at + 2 :]])
    return True


def _texts(language: str, words: Sequence[str], feed: str | None) -> list[str]:
    if language in _AWKS:
        return [word for word in words[1:] if not word.startswith("-")][:1]
    options = LANGUAGES[language]
    if words[1:2] and not words[1].startswith(("-", "/", UNKNOWN)) and words[1] not in options:
        # A file, and what follows is for it.
        return []
    texts: list[str] = []
    for at, word in enumerate(words[:-1]):
        # `perl -pie` and `ruby -ne`: the text follows a bundle that ends in its letter.
        if word in options or (word[:1] == "-" and word[1:2] != "-" and word[-1:] in "eE" and "-e" in options):
            texts.append(words[at + 1])
    attached = [word[2:] for word in words[1:] if len(word) > 2 and word[:2] in options and not word.startswith("--")]
    is_fed = feed is not None and all(word.startswith("-") for word in words[1:])
    return texts + attached + ([feed] if is_fed and feed is not None else [])


def paths_in(text: str) -> tuple[str, ...]:
    """The literals of a text that could be paths, in order."""
    paths: dict[str, None] = {}
    at = 0
    while at < len(text) and len(paths) < _MOST_PATHS:
        if text[at] not in _QUOTES:
            at += 1
            continue
        end = text.find(text[at], at + 1)
        if end < 0:
            # No other quote of this kind either; those of the other kinds are still to be looked at.
            text = text[: at + 1] + text[at + 1 :].replace(text[at], " ")
            at += 1
            continue
        literal = text[at + 1 : end]
        at = end + 1
        if _looks_like_path(literal):
            paths[literal] = None
    return tuple(paths)


def _looks_like_path(literal: str) -> bool:
    if not literal or len(literal) > _LONGEST_PATH or any(char in literal for char in " \t\n\r(){};=<>"):
        return False
    return "/" in literal.strip("/") or "." in literal.strip(".") or literal.startswith((".", "/", "~"))
