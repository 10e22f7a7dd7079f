"""The configuration that would be in force if another commit were checked out."""

from __future__ import annotations

import os
import sys

from review_gate.config.places import MAX_CONFIG_BYTES, REPLACEMENT_VARIABLE, REPOSITORY_FILE
from review_gate.shell.files import UnsafeFileError, read_plain_file
from review_gate.shell.policy_cache import Compiled
from review_gate.shell.spawn import package_place, run_bounded
from review_gate.strict_json import StrictJsonError, parse
from review_gate.workflows.policy import COMPILE_SECONDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.shell.repository import Repository

COMPILE = "import sys; sys.path.append(sys.argv[1]); from review_gate.workflows.configure import main_of; main_of()"


def settings_after_switch(repository: Repository, commit: str, now: Compiled) -> Compiled | None:
    """The settings that `git switch` to a commit would bring into force; None when they would be no valid ones."""
    if os.environ.get(REPLACEMENT_VARIABLE):
        return now
    with repository.git.objects() as objects:
        names = [f"{revision}:{REPOSITORY_FILE}" for revision in ("HEAD", commit)]
        here, there = (one.data if one else None for one in objects.read_all(names, limit=MAX_CONFIG_BYTES))
    try:
        on_disk = read_plain_file(os.path.join(repository.top, REPOSITORY_FILE), MAX_CONFIG_BYTES)
    except UnsafeFileError:
        return now
    # A file that git does not know, or that was changed, stays as it is.
    return now if here != on_disk or there == on_disk else _compiled(repository, commit)


def _compiled(repository: Repository, commit: str) -> Compiled | None:
    environ = dict(os.environ)
    places = (repository.top, repository.git_dir, repository.common_dir)
    argv = [sys.executable, "-I", "-c", COMPILE, package_place(), *places, commit]
    try:
        code, output, _ = run_bounded(argv, environ, stdin=b"", seconds=COMPILE_SECONDS)
        document = parse(output) if code == 0 else None
    except (OSError, TimeoutError, StrictJsonError):
        return None
    if not isinstance(document, dict):
        return None
    config, policy = document.get("config"), document.get("policy")
    return Compiled(config, policy) if isinstance(config, dict) and isinstance(policy, str) else None
