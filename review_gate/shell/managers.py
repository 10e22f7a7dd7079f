"""Hook managers that run our hooks for us, because their configuration says so."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from review_gate.shell.files import UnsafeFileError, read_plain_file
from review_gate.shell.shims import MANAGER, is_executable, owner_of

# Far more than such files have; a longer, deeper or self-repeating one is somebody's trap.
MAX_BYTES = 100_000
MAX_BRACKETS = 500
MAX_DOTS = 5_000
FRAMEWORK_FILES = (".pre-commit-config.yaml", ".pre-commit-config.yml", "prek.toml")
LEFTHOOK_FILES = tuple(
    f"{name}.{suffix}"
    for name in ("lefthook", ".lefthook", ".config/lefthook", "lefthook-local", ".lefthook-local")
    for suffix in ("yml", "yaml", "toml", "json")
)
# pre-commit writes the file it was installed for into its hook.
CONFIG_ARGUMENT = re.compile(rb"--config=([^\s'\")]+)")
OLD_STAGES = {"push": "pre-push", "commit": "pre-commit"}


def managing_file(top: str, folder: str, hook: str) -> str | None:
    """The file that makes the manager whose hook stands in a folder call ours, or None."""
    main = os.path.join(folder, hook)
    if not is_executable(main):
        return None
    text = _read(main)
    if owner_of(main) == MANAGER:
        named = [match.decode("utf-8", "surrogateescape") for match in CONFIG_ARGUMENT.findall(text)]
        return _first(top, named or FRAMEWORK_FILES, lambda path: _is_in_framework(_parsed(path), hook))
    if b"lefthook" in text:
        return _first(top, LEFTHOOK_FILES, lambda path: _is_in_lefthook(_parsed(path), hook))
    # Husky's folder of wrappers is called `_`; what they run lies above it.
    script = os.path.join(os.path.dirname(folder), hook) if os.path.basename(folder) == "_" else main
    return script if _is_called(_read(script).decode("utf-8", "replace"), hook) else None


def shows_first_ref_only(folder: str, hook: str) -> bool:
    """Whether the manager behind this hook tells a pre-push hook of one ref only."""
    return hook == "pre-push" and owner_of(os.path.join(folder, hook)) == MANAGER


def _first(top: str, names: Sequence[str], calls_us: Callable[[str], bool]) -> str | None:
    paths = (os.path.join(top, name) for name in names)
    return next((path for path in paths if calls_us(path)), None)


def _is_in_framework(config: Any, hook: str) -> bool:
    """Whether one of the configured hooks is ours for this stage, by its id or by what it runs."""
    defaults = _at(config, "default_stages")
    for entry in (one for repo in _items(_at(config, "repos")) for one in _items(_at(repo, "hooks"))):
        is_ours = _at(entry, "id") in (f"review-gate-{hook}", f"review-gate-{hook}-system")
        stages = [OLD_STAGES.get(stage, stage) for stage in _words(_at(entry, "stages"))]
        if is_ours and (not stages or hook in stages):
            return True
        runs = " ".join([*_words([_at(entry, "entry")]), *_words(_at(entry, "args"))])
        if _is_called(runs, hook) and hook in (stages or _words(defaults)):
            return True
    return False


def _is_in_lefthook(config: Any, hook: str) -> bool:
    """Whether a command of this hook calls ours, with git's list of refs where it needs one."""
    section = _at(config, hook)
    if _at(section, "skip") is True:
        return False
    jobs = [*_items(_at(section, "jobs")), *_values(_at(section, "commands"))]
    return any(
        any(_is_called(run, hook) for run in _words([_at(job, "run")]))
        and (hook != "pre-push" or _at(job, "use_stdin") is True)
        and _at(job, "skip") is not True
        for job in jobs
    )


def _is_called(script: str, hook: str) -> bool:
    """Whether a line of a shell script begins with a call of our hook and lets it refuse."""
    start = r"(?:if\s+|!\s*|exec\s+|\w+=\S*\s+)*"
    call = re.compile(rf"{start}[\"']?(?:[\w./~${{}}-]*/)?review-gate[\"']?\s+hook\s+{re.escape(hook)}(?![\w-])")
    for line in script.splitlines():
        text = line.strip()
        if text.startswith("exit"):
            return False
        if call.match(text) and not re.search(r"\|\|\s*(?:true|:)", text):
            return True
    return False


def _parsed(path: str) -> Any:
    text = _read(path).decode("utf-8", "replace")
    if "review-gate" not in text or _is_trap(text):
        return None
    try:
        if path.endswith(".toml"):
            import tomllib

            return tomllib.loads(text)
        from ruamel.yaml import YAML

        # JSON is YAML too.
        return YAML(typ="safe").load(text)
    except Exception:
        # Whatever is wrong with somebody else's file, it does not call us.
        return None


def _is_trap(text: str) -> bool:
    """Whether a parser could take for ever: deep nesting, aliases that multiply, endless dotted keys."""
    has_aliases = re.search(r"(?:^|[\s\[{,:-])\*[\w-]", text) is not None
    return has_aliases or text.count("[") + text.count("{") > MAX_BRACKETS or text.count(".") > MAX_DOTS


def _words(value: Any) -> list[str]:
    return [item for item in _items(value) if isinstance(item, str)]


def _at(mapping: Any, key: str) -> Any:
    return mapping.get(key) if isinstance(mapping, dict) else None


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _values(value: Any) -> Iterator[Any]:
    yield from value.values() if isinstance(value, dict) else ()


def _read(path: str) -> bytes:
    try:
        return read_plain_file(os.path.realpath(path), MAX_BYTES) or b""
    except UnsafeFileError:
        return b""
