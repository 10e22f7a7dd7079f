"""The policy of another commit, in a process of its own: its files are put into a temporary folder and read there."""

from __future__ import annotations

import json
import os
import sys
from tempfile import TemporaryDirectory

from review_gate.checks.baseline import read_baseline
from review_gate.checks.strictness import checks_strictness
from review_gate.errors import ReviewGateError
from review_gate.gate.record import empty_tree_like
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
    wanted = (*FOLDERS, CLAUDE, *([baseline] if baseline else ()))
    listed = repository.git.run("ls-tree", "-r", "-z", "--full-tree", commit, "--", *wanted)
    entries = (entry.partition("\t") for entry in listed.decode("utf-8", "surrogateescape").split("\0"))
    coming = {name: header.split(" ")[2] for header, _, name in entries if name and name not in staying}
    with repository.git.objects() as objects:
        found = list(objects.read_all(list(coming.values()), limit=MAX_BASELINE_BYTES))
    contents = {name: one.data for name, one in zip(coming, found, strict=True) if one is not None}
    contents |= {name: data for name in staying if (data := _on_disk(repository.top, name)) is not None}
    for name, data in contents.items():
        path = os.path.join(folder, *name.split("/"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "xb") as file:
            file.write(data)


def _on_disk(top: str, name: str) -> bytes | None:
    try:
        return read_plain_file(os.path.realpath(os.path.join(top, name)), MAX_BASELINE_BYTES)
    except UnsafeFileError:
        return None
