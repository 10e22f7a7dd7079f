"""Stage 4: add reviewers for concerns that no chosen reviewer covers; an amendment can do nothing else."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from review_gate.config.keys import nearest
from review_gate.errors import MisuseError
from review_gate.pipeline.compose import in_order
from review_gate.pipeline.config_schema import PipelineConfig
from review_gate.pipeline.schema import AgentManifest, Amendment, GapLogEntry, ManifestEntry, PRFacts

# A user who adds a reviewer wants it, so it comes behind the policies' own but is not dropped first.
GAP_PRIORITY = 50


def amend(
    manifest: AgentManifest, amendments: Sequence[Amendment], facts: PRFacts, config: PipelineConfig
) -> tuple[AgentManifest, tuple[GapLogEntry, ...]]:
    """The manifest with what was added to it, and a log of what the policies missed."""
    entries = {entry.agent: entry for entry in manifest.entries}
    paths, log = frozenset(facts.paths), []
    for amendment in amendments:
        _see_that_it_fits(amendment, paths, config)
        before = entries.get(amendment.agent)
        after = _added(before, amendment, config)
        entries[amendment.agent] = after
        log.append(_gap(amendment, is_added=after != before, config=config))
    absent = tuple(one for one in manifest.not_chosen if one.agent not in entries)
    return AgentManifest(entries=in_order(entries.values()), not_chosen=absent), tuple(log)


def _added(before: ManifestEntry | None, amendment: Amendment, config: PipelineConfig) -> ManifestEntry:
    files = amendment.files or None
    because = f"a gap: {amendment.concern}"
    if before is None:
        agent = config.agent(amendment.agent)
        return ManifestEntry(
            agent=agent.id,
            loop=agent.loop,
            priority=GAP_PRIORITY,
            is_required=agent.required,
            files=files,
            because=(because,),
            by="gap",
        )
    wider = _union(before.files, files)
    if wider == before.files:
        # It looks at these files already.
        return before
    return before.model_copy(update={"files": wider, "because": (*before.because, because)})


def _union(some: tuple[str, ...] | None, others: Collection[str] | None) -> tuple[str, ...] | None:
    if some is None or others is None:
        return None
    return (*some, *(path for path in dict.fromkeys(others) if path not in some))


def _gap(amendment: Amendment, *, is_added: bool, config: PipelineConfig) -> GapLogEntry:
    agent = config.agent(amendment.agent)
    return GapLogEntry(
        concern=amendment.concern,
        agent=agent.id,
        files=amendment.files,
        is_added=is_added,
        recommendation=recommendation_for(agent.id, is_added=is_added),
    )


def recommendation_for(agent: str, *, is_added: bool) -> str:
    """What would have covered a gap: a policy where the reviewer was missing, else a rule."""
    return f"a policy that sends {agent} to such files" if is_added else f"a rule of {agent} about this"


def _see_that_it_fits(amendment: Amendment, paths: Collection[str], config: PipelineConfig) -> None:
    agents = [agent.id for agent in config.agents]
    if amendment.agent not in agents:
        near = nearest(amendment.agent, agents)
        raise _refused(f"there is no reviewer {amendment.agent}" + (f"; did you mean {near}?" if near else ""))
    foreign = [path for path in amendment.files if path not in paths]
    if foreign:
        raise _refused(f"{_shown(foreign)} is not part of this change")


def _shown(paths: Iterable[str]) -> str:
    first, *others = paths
    return f"{first} (and {len(others)} more)" if others else first


def _refused(what: str) -> MisuseError:
    return MisuseError(
        f"the manifest cannot be amended: {what}",
        why="an amendment adds reviewers to files of the change, and one that does nothing would look like a review",
        next_step="review-gate run --plan-only --format json, which lists reviewers and files",
    )
