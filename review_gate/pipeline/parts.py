"""All that votes are made of: what the reviewers of the pipeline go by in a run, and what models answered."""

from __future__ import annotations

from review_gate.models import Finding, Frozen
from review_gate.pipeline.config_schema import PipelineConfig
from review_gate.pipeline.exhibit import ShownFile
from review_gate.pipeline.schema import AgentManifest, ManifestEntry
from review_gate.ports import NotShown, Outcome, Usage, Withheld


class Answered(Frozen):
    """One question that was put: the files that it showed, and what came back, or why nothing did."""

    files: tuple[ShownFile, ...] = ()
    raw: str = ""
    # The line on which the quote of each finding stands, None where it stands nowhere.
    lines: tuple[int | None, ...] = ()
    model: str = ""
    usage: Usage = Usage()
    # None where nobody knows the price.
    usd: float | None = None
    problem: str = ""
    # Whether it was a limit of the run that kept the answer away.
    is_capped: bool = False


class KnownFile(Frozen):
    """What an earlier answer says of exactly this text of a file."""

    path: str
    findings: tuple[Finding, ...]


class Look(Frozen):
    """One look of a reviewer at its files: what was known of some, and the questions about the others."""

    known: tuple[KnownFile, ...] = ()
    answers: tuple[Answered, ...] = ()


class ModelLooks(Frozen):
    """All that a reviewer's model had to do with a run; the first look is the one that has to see every file."""

    looks: tuple[Look, ...]
    readable: tuple[str, ...]
    not_shown: tuple[NotShown, ...] = ()
    withheld: tuple[Withheld, ...] = ()
    are_messages_cut: bool = False

    @property
    def answers(self) -> tuple[Answered, ...]:
        """The answers of all looks."""
        return tuple(answered for look in self.looks for answered in look.answers)


class AgentPart(Frozen):
    """One reviewer of the pipeline, and all that its patterns, its model and the session brought; None for nothing."""

    entry: ManifestEntry
    scanned: Outcome | None = None
    model: ModelLooks | None = None
    session: ModelLooks | None = None


class Ground(Frozen):
    """What all votes of a run rest on."""

    config: PipelineConfig
    nonce: str = ""
    coverage: float = 1.0
    provider: str = ""
    model: str = ""
    is_model_required: bool = False
    why_no_model: str = ""
    # The word that closed the regions of what the session was shown, and whether its answers are votes.
    session_nonce: str = ""
    is_session_enough: bool = True


class GapPart(Frozen):
    """What a model was asked about a manifest, and what came back; `known` are answers to the same question before.

    `paths` are those of the change that an answer names: no other file can be added to anybody's.
    """

    manifest: AgentManifest
    known: tuple[Answered, ...] = ()
    answers: tuple[Answered, ...] = ()
    paths: tuple[str, ...] = ()
    not_shown: tuple[NotShown, ...] = ()
    withheld: tuple[Withheld, ...] = ()

    @property
    def received(self) -> tuple[Answered, ...]:
        """Every answer that there is."""
        return (*self.known, *(one for one in self.answers if not one.problem))
