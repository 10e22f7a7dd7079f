"""The first stages of the pipeline for a run: facts, classification and manifest, before anybody is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from review_gate.checks.rule import Rule
from review_gate.errors import MisuseError
from review_gate.models import Subject
from review_gate.pipeline.classify import classify
from review_gate.pipeline.compose import compose
from review_gate.pipeline.config import Layer, load_pipeline
from review_gate.pipeline.config_schema import PipelineConfig
from review_gate.pipeline.domains import DomainIndex
from review_gate.pipeline.gap_detect import amend
from review_gate.pipeline.manifest_file import MOST_BYTES, read_amendments
from review_gate.pipeline.normalize import normalize
from review_gate.pipeline.prices import PriceTable, load_prices
from review_gate.pipeline.rule_checks import checks_of
from review_gate.pipeline.schema import AgentManifest, Amendment, GapLogEntry, PRClassification, PRFacts
from review_gate.shell.change_facts import gather
from review_gate.shell.changes import Change
from review_gate.shell.files import UnsafeFileError, read_plain_file
from review_gate.shell.pipeline_files import layers, prompt_text
from review_gate.shell.repository import Repository


class Stages(NamedTuple):
    """What the first four stages made of a change."""

    config: PipelineConfig
    layers: Sequence[Layer]
    facts: PRFacts
    classification: PRClassification
    manifest: AgentManifest
    # By the names of their files; read whether or not a model is asked, so that a missing one is told in time.
    prompts: Mapping[str, str]
    gaps: tuple[GapLogEntry, ...] = ()

    def rules(self) -> dict[str, list[Rule]]:
        """The checks of each reviewer that has some, chosen or not: all together are always the same."""
        found = {agent.id: checks_of(self.config, [agent.id]) for agent in self.config.agents}
        return {agent: rules for agent, rules in found.items() if rules}

    def prices(self) -> PriceTable:
        """What models cost; read when somebody asks one."""
        return load_prices(self.layers)


def first_stages(repository: Repository, subject: Subject, changes: Sequence[Change]) -> Stages:
    """Normalize, classify and compose."""
    found = layers(repository.top)
    config = load_pipeline(found)
    facts = normalize(gather(repository.git, subject, changes), DomainIndex(config.domains))
    classification = classify(facts, config.domains)
    # Those of all: one that is not sent may be found missing.
    prompts = {name: prompt_text(repository.top, name) for name in sorted({agent.prompt for agent in config.agents})}
    return Stages(config, found, facts, classification, compose(facts, classification, config), prompts)


def amended_by_file(stages: Stages, path: str | None) -> Stages:
    """The stages with the reviewers that a file adds."""
    if path is None:
        return stages
    try:
        data = read_plain_file(path, MOST_BYTES)
    except UnsafeFileError as error:
        raise _unread(path, str(error)) from None
    if data is None:
        raise _unread(path, "there is no such file")
    return amended(stages, read_amendments(data, stages.manifest, stages.facts))


def _unread(path: str, what: str) -> MisuseError:
    return MisuseError(
        f"{path}: {what}",
        why="it says which reviewers to add",
        next_step="review-gate run --plan-only --format json > FILE, fill in its amendments, then run --manifest FILE",
    )


def amended(stages: Stages, amendments: Sequence[Amendment]) -> Stages:
    """The stages with reviewers that somebody added."""
    manifest, gaps = amend(stages.manifest, amendments, stages.facts, stages.config)
    return stages._replace(manifest=manifest, gaps=(*stages.gaps, *gaps))
