"""The kinds of value a setting can have, and the words that tell a user what is allowed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal, get_args

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    PlainSerializer,
    Strict,
    ValidationError,
)
from pydantic.fields import FieldInfo
from pydantic_core import InitErrorDetails, PydanticCustomError

from review_gate.config.display import described, quoted
from review_gate.config.glob_faults import branch_fault, path_fault
from review_gate.config.line_pattern import compile_pattern

GLOBS = (
    'a list of glob patterns, such as ["src/**/*.{js,ts}"], as seen from the top of the project, with / between'
    " folders, without the parts . and .. and without ! in front; [[] stands for a [ and [{] for a {"
)
AUTO = "auto"
PROVIDERS = "auto, or a list of anthropic, claude, codex, gemini"
BRANCHES = 'a list of patterns for branch names, such as [main, "release/*"]'
REFUSED = "refused"
# So many wrong words of a list are told.
MOST_NAMED = 5
_WORDS_FOR_OFF = ("off", "no")
_SWITCH_WORDS = {"yes": True, "on": True, "no": False, "off": False}
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")


def setting(default: object, meaning: str, *, allowed: str, **constraints: Any) -> Any:
    """A field with its description and the phrase that error messages and the documentation use for it."""
    return Field(default, description=meaning, json_schema_extra={"allowed": allowed}, **constraints)


def whole(default: int, meaning: str, *, low: int, high: int) -> Any:
    """A field for a whole number between two limits."""
    phrase = f"a whole number from {low} to {high}" if low < high else str(low)
    return setting(default, meaning, allowed=phrase, strict=True, ge=low, le=high)


def seconds(default: float | None, meaning: str, *, high: int) -> Any:
    """A field for a duration; None, where that is the default, is allowed too."""
    phrase = f"a number of seconds above 0, at most {high}" + (", or null" if default is None else "")
    return setting(default, meaning, allowed=phrase, gt=0, le=high)


def switch(meaning: str, *, default: bool = True) -> Any:
    """A field that is on or off."""
    return setting(default, meaning, allowed="true or false")


def allowed_for(field: FieldInfo) -> str:
    """The phrase that says which values a field takes."""
    extra = field.json_schema_extra
    return str(extra["allowed"]) if isinstance(extra, dict) else ""


def refused(reason: str) -> PydanticCustomError:
    """An error whose reason continues a sentence that starts with the key."""
    return PydanticCustomError(REFUSED, "{reason}", {"reason": reason})


def _refusal(reason: str, *within: str | int) -> InitErrorDetails:
    """One of several refusals; `within` leads to the key from here."""
    return {"type": refused(reason), "loc": within, "input": None}


def is_off(value: object) -> bool:
    """Whether the value is a spelling of off: YAML 1.1 reads `off` and `no` as false, YAML 1.2 as text."""
    return value is False or (isinstance(value, str) and value.lower() in _WORDS_FOR_OFF)


def _off_word(value: object) -> object:
    return "off" if is_off(value) else value


def switch_value(value: object) -> object:
    """The value with the words for on and off turned into true and false."""
    return _SWITCH_WORDS.get(value.lower(), value) if isinstance(value, str) else value


def _short_number(value: float) -> int | float:
    return int(value) if value == int(value) else value


def _without(fault_of: Callable[[str], str], allowed: str) -> Callable[[tuple[str, ...]], tuple[str, ...]]:
    """Refuses a list for its first pattern that has a fault."""

    def check(patterns: tuple[str, ...]) -> tuple[str, ...]:
        for pattern in patterns:
            if fault := fault_of(pattern):
                raise refused(f"has {quoted(pattern[:40])}, which {fault}; allowed: {allowed}")
        return patterns

    return check


def listed(words: Sequence[str], count: int) -> str:
    """The first of some words, and how many more there are."""
    more = [f"{count - len(words)} more"] if count > len(words) else []
    *first, last = [*words, *more]
    return f"{', '.join(first)} and {last}" if first else last


def _is_git_directory(name: str) -> bool:
    # Names that Windows and macOS open as .git: other case, trailing dots and blanks, the 8.3 alias (CVE-2014-9390).
    bare = name.lower().rstrip(" .")
    return bare == ".git" or bare.startswith("git~")


def _inside_the_tree(path: str) -> str:
    parts = path.split("/")
    # A backslash or a colon can leave the tree on Windows (drives, streams); unprintable covers what HFS+ ignores.
    if not path.isprintable() or "\\" in path or ":" in path:
        raise ValueError("characters")
    if any(part in ("", ".", "..") or _is_git_directory(part) for part in parts):
        raise ValueError("parts")
    return path


def _revision(text: str | None) -> str | None:
    if text is None:
        return None
    # A leading dash would be read by git as an option, two dots as a range.
    if not text.isprintable() or " " in text or text.startswith("-") or ".." in text:
        raise ValueError("not a commit")
    return text


def _program(value: object) -> object:
    """An argv list or one shell text; checked here because a union would report each of its branches."""
    if isinstance(value, str):
        return _shell_text(value)
    if not isinstance(value, list | tuple) or not value:
        raise ValueError("not a program")
    found = [_refusal(reason, index) for index, part in enumerate(value) if (reason := _unfit(part, index))]
    if found:
        raise ValidationError.from_exception_data("run", found)
    return tuple(value)


def _unfit(part: object, index: int) -> str:
    """What is wrong with one word of a program's arguments."""
    if not isinstance(part, str):
        return f"is {described(part)}, not text; put it in quotes"
    return "is empty or holds a NUL character" if "\0" in part or (index == 0 and not part.strip()) else ""


def _shell_text(value: str) -> str:
    if not value.strip() or "\0" in value:
        raise ValueError("not a program")
    return value


def _variables(env: Mapping[str, str]) -> Mapping[str, str]:
    for name, value in env.items():
        if not _VARIABLE.fullmatch(name):
            raise refused(f"has {quoted(name[:40])}, which is not a name for a variable (letters, digits, _)")
        if "\0" in value:
            raise refused(f"has {name}, which holds a NUL character")
    return env


def _providers(value: object) -> object:
    """One name stands for a list of it; what is wrong is told here, or pydantic tells it once for each branch."""
    names = (value,) if isinstance(value, str) and value != AUTO else value
    if names != AUTO and not isinstance(names, list | tuple):
        raise refused(f"is {described(value)}; allowed: {PROVIDERS}")
    wrong = [name for name in names if name not in get_args(ProviderName)] if names != AUTO else []
    if wrong:
        raise refused(f"names {described(wrong[0])}; allowed: {PROVIDERS}")
    return names


def _usable_pattern(text: str | None) -> str | None:
    if text is not None:
        try:
            compile_pattern(text)
        except ValueError as error:
            raise refused(str(error)) from None
    return text


Switch = Annotated[bool, BeforeValidator(switch_value), Strict()]
Action = Annotated[Literal["block", "warn", "off"], BeforeValidator(_off_word)]
Seconds = Annotated[float, Strict(), PlainSerializer(_short_number, return_type=int | float)]
Branches = Annotated[tuple[str, ...], AfterValidator(_without(branch_fault, BRANCHES))]
Globs = Annotated[tuple[str, ...], AfterValidator(_without(path_fault, GLOBS))]
Names = tuple[Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")], ...]
ExitCodes = tuple[Annotated[int, Strict(), Field(ge=0, le=255)], ...]
TreePath = Annotated[str, Field(max_length=300), AfterValidator(_inside_the_tree)]
Revision = Annotated[str | None, Field(min_length=1, max_length=300), AfterValidator(_revision)]
Program = Annotated[tuple[str, ...] | str, BeforeValidator(_program)]
Variables = Annotated[Mapping[str, str], AfterValidator(_variables)]
LinePattern = Annotated[str | None, AfterValidator(_usable_pattern)]
ModelUse = Annotated[Literal["auto", "required", "off"], BeforeValidator(_off_word)]
ProviderName = Literal["anthropic", "claude", "codex", "gemini"]
Providers = Annotated[Literal["auto"] | tuple[ProviderName, ...], BeforeValidator(_providers)]
ModelName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,99}$")]
