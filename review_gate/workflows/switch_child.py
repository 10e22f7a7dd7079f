"""The policy of another commit, in a process of its own: its files are put into a temporary folder and read there."""

from __future__ import annotations

import json
import os
import posixpath
import sys
from collections.abc import Sequence
from contextlib import suppress
from tempfile import TemporaryDirectory

from review_gate.checks.baseline import read_baseline
from review_gate.checks.strictness import checks_strictness
from review_gate.errors import ReviewGateError
from review_gate.gate.record import empty_tree_like
from review_gate.shell.changes import LINK_MODE
from review_gate.shell.check_files import CLAUDE, FOLDERS, differing_check_files
from review_gate.shell.check_key import sources_in_force
from review_gate.shell.files import UnsafeFileError, read_plain_file
from review_gate.shell.policy_cache import plain_compiled
from review_gate.shell.repository import Repository
from review_gate.workflows.baseline import MAX_BASELINE_BYTES, baseline_bytes
from review_gate.workflows.check_compile import compiled
from review_gate.workflows.compile_child import complain
from review_gate.workflows.configure import compiled_configuration, configuration_after_switch, load_configuration


def main() -> None:
    """Print the settings, and the strictness of the checks, that a commit would bring when it is checked out."""
    repository, (commit, is_config) = Repository(*sys.argv[2:5]), sys.argv[5:7]
    try:
        loaded = configuration_after_switch(repository, commit) if is_config else load_configuration(repository)
        settings = loaded.config.checks.model_dump(mode="json")
        checks = _checks_after_switch(repository, commit, settings) if loaded.config.checks.enabled else ""
    except ReviewGateError as error:
        complain(error)
    else:
        sys.stdout.write(json.dumps(plain_compiled(compiled_configuration(loaded)) | {"checks": checks}))


def _checks_after_switch(repository: Repository, commit: str, settings: dict[str, object]) -> str:
    with TemporaryDirectory(prefix="review-gate-") as folder:
        _put_files(repository, commit, folder, settings)
        plan = compiled(sources_in_force(folder, settings, dict(os.environ)), settings)
        data = baseline_bytes(folder, settings)
    return checks_strictness(plan.rules, None if data is None else read_baseline(data))


def _put_files(repository: Repository, commit: str, folder: str, settings: dict[str, object]) -> None:
    """The files with checks as the commit has them; one that is not as HEAD has it stays as it is."""
    baseline = str(settings["baseline"]) if settings["baseline"] else None
    head = repository.git.line("rev-parse", "--verify", "--quiet", "HEAD^{tree}") or empty_tree_like(commit)
    staying = differing_check_files(repository, head, baseline)
    files, links = _committed(repository, commit, (*FOLDERS, CLAUDE, *([baseline] if baseline else ())))
    beyond, _ = _committed(repository, commit, [place for name, to in links.items() if (place := _place(name, to))])
    files = {name: data for name, data in {**beyond, **files}.items() if name not in staying}
    for name in staying:
        path = os.path.join(repository.top, name)
        if os.path.islink(path):
            links[name] = os.readlink(path)
        elif (data := _on_disk(path)) is not None:
            files[name] = data
    _write(folder, files, links)


def _committed(repository: Repository, commit: str, places: Sequence[str]) -> tuple[dict[str, bytes], dict[str, str]]:
    """Content of the files, and targets of the links, that a commit has at some places."""
    if not places:
        return {}, {}
    listed = repository.git.run("ls-tree", "-r", "-z", "--full-tree", commit, "--", *places)
    entries = [entry.partition("\t") for entry in listed.decode("utf-8", "surrogateescape").split("\0") if entry]
    with repository.git.objects() as objects:
        found = list(objects.read_all([header.split(" ")[2] for header, _, _ in entries], limit=MAX_BASELINE_BYTES))
    files: dict[str, bytes] = {}
    links: dict[str, str] = {}
    for (header, _, name), one in zip(entries, found, strict=True):
        if one is not None and header.startswith(LINK_MODE):
            links[name] = os.fsdecode(one.data)
        elif one is not None:
            files[name] = one.data
    return files, links


def _place(name: str, target: str) -> str:
    """What a link leads to, as seen from the top; nothing where that is outside."""
    place = posixpath.normpath(posixpath.join(posixpath.dirname(name), target))
    return "" if place.startswith(("/", "..")) else place


def _write(folder: str, files: dict[str, bytes], links: dict[str, str]) -> None:
    """Files first: then no link can lead one of them elsewhere."""
    for name, data in files.items():
        path = os.path.join(folder, *name.split("/"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "xb") as file:
            file.write(data)
    for name, target in links.items():
        path = os.path.join(folder, *name.split("/"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with suppress(FileExistsError):
            os.symlink(target, path)


def _on_disk(path: str) -> bytes | None:
    try:
        return read_plain_file(path, MAX_BASELINE_BYTES)
    except UnsafeFileError:
        return None
