"""What keeps a review in rounds from beginning, each told with what to type instead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from review_gate.config.schema import Config
from review_gate.consensus.scope import Scope
from review_gate.errors import ReviewGateError
from review_gate.pipeline.exhibit import FileText
from review_gate.shell.process import Commands
from review_gate.workflows.pool import Pool, pool_of

SAME = "then the same command again"


def usable_pool(config: Config, environ: Mapping[str, str]) -> Pool:
    """Everybody who can vote; a review in which nobody can is refused."""
    if config.models.use == "off":
        raise ReviewGateError(
            "models are off, so no reviewer can be asked",
            why="models.use in the configuration says so",
            next_step="REVIEW_GATE_MODELS__USE=auto with the same command, or another models.use",
        )
    pool = pool_of(config, environ, Commands())
    if not pool.providers:
        raise ReviewGateError(
            f"no reviewer can be asked: {pool.why_not}",
            why="a review that nobody has voted in has not agreed",
            next_step="review-gate providers, or name others in rounds.reviewers of .review-gate.yaml",
        )
    return pool


def refuse_nothing_shown(scope: Scope, files: Sequence[FileText]) -> None:
    """A reviewer that saw nothing has not voted."""
    if all(file.why_not for file in files):
        why = "; ".join(dict.fromkeys(f"{file.path}: {file.why_not}" for file in files[:3]))
        raise ReviewGateError(
            f"nothing of {scope.label} can be shown to reviewers: {why}",
            why="a reviewer that saw nothing has not voted",
            next_step=f"make it shorter or split it, {SAME}",
        )
