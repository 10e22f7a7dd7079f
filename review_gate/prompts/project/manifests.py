"""Which files of a project say what it is made of, and who reads each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from review_gate.prompts.project.compiled_manifests import cargo_toml, go_mod
from review_gate.prompts.project.facts import Facts, UnreadableManifestError, together
from review_gate.prompts.project.node_manifests import manifest_json, package_json, tsconfig_json
from review_gate.prompts.project.python_manifests import pyproject_toml, requirements_txt, setup_cfg
from review_gate.prompts.project.setup_script import setup_py

# In the order in which they are asked for the name of the project.
READERS: Mapping[str, Callable[[str], Facts]] = {
    "package.json": package_json,
    "tsconfig.json": tsconfig_json,
    "manifest.json": manifest_json,
    "pyproject.toml": pyproject_toml,
    "setup.cfg": setup_cfg,
    "setup.py": setup_py,
    "requirements.txt": requirements_txt,
    "go.mod": go_mod,
    "Cargo.toml": cargo_toml,
}
# Each stands at the top of a project that uses it, and its name alone says so.
_BY_NAME: Mapping[str, Facts] = {
    "pytest.ini": Facts(stack=("python",), test_framework="pytest"),
    "conftest.py": Facts(stack=("python",), test_framework="pytest"),
    "tox.ini": Facts(stack=("python",), test_framework="tox"),
}


class Read(NamedTuple):
    """All that manifests say, and why some of them say nothing."""

    facts: Facts
    notes: tuple[str, ...]


def read_manifests(texts: Mapping[str, str], paths: Iterable[str] = ()) -> Read:
    """What is known from the texts of manifests, by their paths, and from the names of other files.

    A manifest in a folder of the project says what is used there, but not how the project is called.
    """
    found, notes = [], []
    for path in sorted(texts, key=_place):
        reader = READERS.get(path.rpartition("/")[2])
        if reader is None:
            continue
        try:
            facts = reader(texts[path])
        except UnreadableManifestError as error:
            notes.append(f"{path}: not used, as {error}")
        else:
            found.append(facts.model_copy(update={"name": ""}) if "/" in path else facts)
    top = frozenset(paths)
    found += [facts for name, facts in _BY_NAME.items() if name in top]
    return Read(together(found), tuple(notes))


def _place(path: str) -> tuple[int, str, int]:
    folder, _, name = path.rpartition("/")
    names = list(READERS)
    return path.count("/"), folder, names.index(name) if name in names else len(names)
