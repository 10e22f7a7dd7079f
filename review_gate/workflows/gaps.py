"""review-gate gaps: what the policies missed so far, and what to add to them."""

from __future__ import annotations

from typing import NamedTuple

from review_gate.pipeline.config import load_pipeline
from review_gate.pipeline.gap_report import GapReport, report_gaps
from review_gate.shell import gap_log
from review_gate.shell.pipeline_files import layers
from review_gate.shell.repository import Repository


class SeenGaps(NamedTuple):
    """The report of the log, and how many of its lines could not be read."""

    report: GapReport
    damaged: int


def seen_gaps(repository: Repository) -> SeenGaps:
    """Read the log, and judge it by the rules, reviewers, policies and domains in force now."""
    log = gap_log.read_gap_log(repository)
    return SeenGaps(report_gaps(log.gaps, load_pipeline(layers(repository.top))), log.damaged)


def forget_gaps(repository: Repository) -> int:
    """Empty the log; how many gaps it had."""
    return gap_log.clear_gaps(repository)
