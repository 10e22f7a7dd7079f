"""What a setup.py says, read off its syntax tree: the script itself is never run."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Mapping

from review_gate.prompts.project.facts import Facts, UnreadableManifestError
from review_gate.prompts.project.python_manifests import python_facts

# The compiler takes quadratic time and much of the stack for some longer sources.
MOST_CHARACTERS = 65_536
_LISTS = ("install_requires", "extras_require", "tests_require", "setup_requires")


def setup_py(text: str) -> Facts:
    """The name and packages that a setup.py hands to setup(), as far as they are written out in it."""
    tree = _tree(text)
    values = _assigned(tree)
    arguments = _arguments(tree)
    packages = [text for key in _LISTS if key in arguments for text in _texts(arguments[key], values)]
    named = _meant(arguments["name"], values) if "name" in arguments else None
    name = named.value if isinstance(named, ast.Constant) and isinstance(named.value, str) else ""
    suite = "unittest" if "test_suite" in arguments else ""
    facts = python_facts(name, packages, build_tool="setuptools")
    return facts if facts.test_framework else facts.model_copy(update={"test_framework": suite})


def _tree(text: str) -> ast.Module:
    if len(text) > MOST_CHARACTERS:
        raise UnreadableManifestError(f"it is longer than {MOST_CHARACTERS} characters")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # No file name: to show a bad line, CPython 3.11 opens the file of that name.
            return ast.parse(text.removeprefix("\ufeff"), filename="")
    except (RecursionError, MemoryError):
        raise UnreadableManifestError("it is nested too deeply") from None
    except SyntaxError as error:
        raise UnreadableManifestError(f"it is not Python{f' in line {error.lineno}' if error.lineno else ''}") from None
    except ValueError:
        raise UnreadableManifestError("it is not Python") from None


def _assigned(tree: ast.Module) -> dict[str, ast.expr]:
    """What the names at the top level stand for."""
    found: dict[str, ast.expr] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign):
            found.update((target.id, node.value) for target in node.targets if isinstance(target, ast.Name))
    return found


def _arguments(tree: ast.Module) -> dict[str, ast.expr]:
    """The named arguments of the first call of setup()."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _called(node) == "setup":
            return {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg}
    return {}


def _called(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def _meant(value: ast.expr, values: Mapping[str, ast.expr]) -> ast.expr:
    """An expression, or what the name that it is stands for."""
    return values.get(value.id, value) if isinstance(value, ast.Name) else value


def _texts(value: ast.expr, values: Mapping[str, ast.expr]) -> Iterator[str]:
    """Every text that is written out in an expression."""
    for node in ast.walk(_meant(value, values)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
