"""What the session that wrote the code is asked, and what it answered: for reviewers of the manifest, by subagents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from review_gate.errors import MisuseError
from review_gate.pipeline.exhibit import Exhibit, FileText, all_in_one, exhibits
from review_gate.pipeline.question import Brief, question_for_session
from review_gate.pipeline.schema import ManifestEntry
from review_gate.pipeline.session_file import Expected, SessionQuestion, objections, read_answers
from review_gate.pipeline.vote import Answered, Look, ModelLooks, located
from review_gate.ports import SESSION, NotShown
from review_gate.shell.question_key import session_nonce

if TYPE_CHECKING:
    from review_gate.workflows.prepare import Prepared


class Session(NamedTuple):
    """What the session answered, by reviewer, and about which files."""

    nonce: str
    entries: Mapping[str, ManifestEntry]
    looks: Mapping[str, ModelLooks]
    # Whether that is a vote like those of models.
    is_enough: bool

    def stands_for(self, entry: ManifestEntry) -> bool:
        """Whether no model has to look: not where a reviewer was given more files since."""
        answered = self.entries.get(entry.agent)
        if not self.is_enough or answered is None:
            return False
        if answered.files is None or entry.files is None:
            return answered.files is None
        return set(entry.files) <= set(answered.files)


def session_of(prepared: Prepared) -> Session | None:
    """The answers that were handed in, read strictly; None where none were."""
    if prepared.options.findings is None:
        return None
    answers = read_answers(prepared.options.findings, _expected(prepared))
    entries = {entry.agent: entry for entry in prepared.stages.manifest.entries if entry.agent in answers}
    nonce = _nonce(prepared)
    return Session(
        nonce=nonce,
        entries=entries,
        looks={name: _looks(prepared, entry, answers[name], nonce) for name, entry in entries.items()},
        is_enough=prepared.loaded.config.assurance == SESSION,
    )


def questions_of(prepared: Prepared, reviewer: str) -> tuple[SessionQuestion, ...]:
    """The questions for one reviewer, or for all of the loops that were asked for."""
    expected = _expected(prepared)
    for problem in objections(reviewer, expected) if reviewer else ():
        raise MisuseError(
            f"there is no question: {problem}",
            why="only a reviewer that looks at this change can be answered for",
            next_step="review-gate run --plan-only, which names them",
        )
    entries = [entry for entry in prepared.stages.manifest.entries if entry.loop in prepared.options.loops]
    nonce = _nonce(prepared)
    return tuple(_question(prepared, entry, nonce) for entry in entries if reviewer in ("", entry.agent))


def _expected(prepared: Prepared) -> Expected:
    stages = prepared.stages
    return Expected(
        prepared.subject,
        prepared.policy.policy,
        stages.manifest,
        prepared.options.loops,
        [agent.id for agent in stages.config.agents],
    )


def _nonce(prepared: Prepared) -> str:
    subject = prepared.subject
    ids = (subject.commit or "", subject.tree, subject.base, prepared.policy.policy)
    return session_nonce(prepared.repository, *ids)


def _question(prepared: Prepared, entry: ManifestEntry, nonce: str) -> SessionQuestion:
    files = _files(prepared, entry)
    exhibit = _exhibit(files, nonce)
    agent = prepared.stages.config.agent(entry.agent)
    brief = Brief(agent, prepared.stages.prompts[agent.prompt], prepared.stages.config.rules_of(entry.agent))
    return SessionQuestion(
        reviewer=entry.agent,
        loop=entry.loop,
        files=tuple(file.path for file in exhibit.files),
        not_shown=_not_shown(files),
        question=question_for_session(brief, exhibit, nonce),
    )


def _looks(prepared: Prepared, entry: ManifestEntry, text: str, nonce: str) -> ModelLooks:
    """An answer with what it is about, in the shape of one look of a model."""
    files = _files(prepared, entry)
    exhibit = _exhibit(files, nonce)
    readable = tuple(file.path for file in exhibit.files)
    return ModelLooks(
        looks=(Look(answers=(located(Answered(files=exhibit.files, raw=text), exhibit, nonce),)),),
        readable=readable,
        not_shown=_not_shown(files),
        withheld=tuple(one for one in prepared.material.withheld if one.path in readable),
    )


def _files(prepared: Prepared, entry: ManifestEntry) -> list[FileText]:
    return [file for file in prepared.material.files if entry.files is None or file.path in entry.files]


def _not_shown(files: Sequence[FileText]) -> tuple[NotShown, ...]:
    return tuple(NotShown(path=file.path, because=file.why_not) for file in files if file.why_not)


def _exhibit(files: Sequence[FileText], nonce: str) -> Exhibit:
    return all_in_one(exhibits(files, nonce)[0])
