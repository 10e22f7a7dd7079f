"""The configuration in force, for doors that cannot afford to parse YAML."""

from __future__ import annotations

import os
import sys

from review_gate.errors import ConfigError
from review_gate.shell.policy_cache import Compiled, read_compiled
from review_gate.shell.spawn import package_place, run_bounded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.shell.repository import Repository

COMPILE_SECONDS = 30.0
# `-I` keeps the repository's own modules out; it also ignores PYTHONPATH, so the package's place is handed over.
COMPILE = "import sys; sys.path.append(sys.argv[1]); from review_gate.workflows.configure import main; main()"


def policy_in_force(repository: Repository) -> Compiled:
    """The compiled configuration, compiled now by a child when files or environment changed since."""
    environ = dict(os.environ)
    compiled = read_compiled(repository, environ)
    if compiled is not None:
        return compiled
    _compile(repository, environ)
    compiled = read_compiled(repository, environ)
    if compiled is None:
        raise ConfigError(
            "the configuration changed while it was being read",
            why="the gate judges by one configuration, not by two",
            next_step="try again",
        )
    return compiled


def _compile(repository: Repository, environ: dict[str, str]) -> None:
    places = (repository.top, repository.git_dir, repository.common_dir)
    argv = [sys.executable, "-I", "-c", COMPILE, package_place(), *places]
    try:
        code, _, errors = run_bounded(argv, environ, stdin=b"", seconds=COMPILE_SECONDS)
    except (OSError, TimeoutError) as error:
        code, errors = 1, str(error).encode()
    if code != 0:
        what, _, why = errors.decode("utf-8", "replace").strip().partition("\n")
        raise ConfigError(
            what or "the configuration could not be read",
            why=why.strip() or "the gate has no policy to judge by",
            next_step="review-gate config show",
        )
