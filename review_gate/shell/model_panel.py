"""The models of a run: every question is put at the same time, and each reviewer collects its own answers.

Reviewers of later loops are asked together with those of the first: six that need a second each are done in little more
than one. An answer that a failing loop makes useless is kept, and the next run has it for nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from types import MappingProxyType
from typing import NamedTuple

from review_gate.config.schema import Models
from review_gate.models import Finding
from review_gate.pipeline.config_schema import PipelineConfig
from review_gate.pipeline.estimate import Estimate, estimate
from review_gate.pipeline.exhibit import Exhibit, FileText, exhibits
from review_gate.pipeline.gap_vote import GapAnswer, gap_problem
from review_gate.pipeline.prices import PriceTable
from review_gate.pipeline.question import Brief, Limits, question_for, shared_text
from review_gate.pipeline.schema import ManifestEntry
from review_gate.pipeline.spend import Spend
from review_gate.pipeline.vote import Answered, Ground, KnownFile, Look, ModelLooks, judge, located
from review_gate.ports import ModelProvider, NotShown, Question, Reply, Withheld
from review_gate.shell.answer_cache import AnswerCache
from review_gate.shell.asking import Asking

# Raise it when an answer is read in another way.
ANSWER_FORMAT = "3"
MOST_AT_ONCE = 16
# The first look knows nothing of what the author says.
FIRST_LOOK: tuple[str, ...] = ()
GAPS = "gaps"


class Material(NamedTuple):
    """What the models of a run are shown, and the word that closes its regions."""

    files: Sequence[FileText]
    messages: tuple[str, ...]
    are_messages_cut: bool
    nonce: str
    policy: str
    prompts: Mapping[str, str]
    withheld: tuple[Withheld, ...] = ()
    # By path what the commits say that touch it.
    claims: Mapping[str, tuple[str, ...]] = MappingProxyType({})


class Groups(NamedTuple):
    """Files in groups that a model can be shown, and those that it cannot be shown."""

    exhibits: tuple[Exhibit, ...]
    not_shown: tuple[NotShown, ...]


class _Look(NamedTuple):
    """One look of a reviewer at its files: what was known of them, and the questions about the others."""

    known: tuple[KnownFile, ...]
    asked: Sequence[Future[Answered]]


class _Asking(NamedTuple):
    """A reviewer that was asked about some files, or all; one look for each pass, and more where files were added."""

    files: frozenset[str] | None
    looks: tuple[tuple[_Look, ...], ...]


class GapQuestions(NamedTuple):
    """What was asked about the reviewers of a change, and what was known of it."""

    known: tuple[Answered, ...]
    asked: Sequence[Future[Answered]]
    not_shown: tuple[NotShown, ...]
    withheld: tuple[Withheld, ...]


class Panel:
    """The reviewers that ask a model."""

    def __init__(
        self,
        provider: ModelProvider,
        settings: Models,
        config: PipelineConfig,
        material: Material,
        *,
        prices: PriceTable,
        spend: Spend,
        cache: AnswerCache | None,
    ) -> None:
        self.provider = provider
        self.settings = settings
        self.ground = Ground(
            config=config,
            nonce=material.nonce,
            coverage=settings.coverage,
            provider=provider.name,
            model=provider.model,
            is_model_required=settings.use == "required",
        )
        # Nor are their names told: one may hold what the file is not shown for.
        self.unshown = frozenset(file.path for file in material.files if file.why_not)
        self._config = config
        self._material = material
        self._texts = {file.path: file for file in material.files}
        price = prices.price(provider.name, provider.model)
        self._asking = Asking(provider, price, spend, settings.answer_seconds)
        self._cache = cache
        self._pool = ThreadPoolExecutor(max_workers=MOST_AT_ONCE, thread_name_prefix="model")
        self._lock = threading.Lock()
        self._asked: dict[str, _Asking] = {}
        self._expected: list[ManifestEntry] = []

    def close(self) -> None:
        """Nobody comes for an answer any more; what is under way ends with the commands of the run."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def estimate(self, entries: Iterable[ManifestEntry], gap_task: str) -> Estimate:
        """What the questions of some reviewers, and the one about them, take at most; what is known takes nothing."""
        seconds = self.settings.answer_seconds
        questions = [
            self._question(self._brief(entry.agent), exhibit, messages, seconds)
            for entry in entries
            for messages in self._passes()
            for exhibit in self._groups(entry.agent, self._files(entry.files), messages)[2]
        ]
        if gap_task:
            unknown = (exhibit for exhibit in self._all_files().exhibits if self._known_gaps(exhibit, gap_task) is None)
            questions += [self._gap_question(exhibit, gap_task, seconds) for exhibit in unknown]
        return estimate(questions, self._asking.price)

    def expect(self, entries: Iterable[ManifestEntry]) -> None:
        """These will be asked for too; the first who asks has the questions of all put."""
        self._expected += entries

    def begin(self, entries: Iterable[ManifestEntry]) -> None:
        """Put the questions of some reviewers; whoever was asked already is asked about what is new to it."""
        with self._lock:
            for entry in [*entries, *self._expected]:
                self._asked[entry.agent] = self._more_asked(entry, self._asked.get(entry.agent))

    def looks_of(self, entry: ManifestEntry) -> ModelLooks:
        """The answers to one reviewer's questions, waited for."""
        self.begin([entry])
        files = list(self._files(entry.files))
        return ModelLooks(
            looks=tuple(_looked(looks) for looks in self._asked[entry.agent].looks),
            readable=tuple(file.path for file in files if not file.why_not),
            not_shown=tuple(NotShown(path=file.path, because=file.why_not) for file in files if file.why_not),
            withheld=self._withheld(files),
            are_messages_cut=self._material.are_messages_cut and len(self._passes()) > 1,
        )

    def ask_about_gaps(self, task: str) -> GapQuestions:
        """Put the question whether a reviewer is missing, about each group of files."""
        groups = self._all_files()
        known = {exhibit: self._known_gaps(exhibit, task) for exhibit in groups.exhibits}
        return GapQuestions(
            tuple(answered for answered in known.values() if answered is not None),
            [
                self._pool.submit(self._gaps_answered, exhibit, task)
                for exhibit, answered in known.items()
                if answered is None
            ],
            groups.not_shown,
            self._withheld(self._material.files),
        )

    def _withheld(self, files: Iterable[FileText]) -> tuple[Withheld, ...]:
        """What is not shown of some files and of the messages."""
        paths = {None, *(file.path for file in files if not file.why_not)}
        return tuple(one for one in self._material.withheld if one.path in paths)

    def _more_asked(self, entry: ManifestEntry, before: _Asking | None) -> _Asking:
        wanted = None if entry.files is None else frozenset(entry.files)
        if before is not None and (before.files is None or (wanted is not None and wanted <= before.files)):
            return before
        new = [file for file in self._files(entry.files) if before is None or file.path not in (before.files or ())]
        more = [self._look(entry.agent, new, messages) for messages in self._passes()]
        looks = before.looks if before is not None else ((),) * len(more)
        files = wanted if before is None or wanted is None else wanted | (before.files or frozenset())
        return _Asking(files, tuple((*some, look) for some, look in zip(looks, more, strict=True)))

    def _passes(self) -> list[tuple[str, ...]]:
        has_second = self.settings.second_pass and self._material.messages
        return [FIRST_LOOK, self._material.messages] if has_second else [FIRST_LOOK]

    def _brief(self, agent: str) -> Brief:
        entry = self._config.agent(agent)
        return Brief(entry, self._material.prompts[entry.prompt], self._config.rules_of(agent))

    def _look(self, agent: str, files: Sequence[FileText], messages: tuple[str, ...]) -> _Look:
        brief = self._brief(agent)
        known, keys, groups = self._groups(agent, files, messages)
        return _Look(known, [self._pool.submit(self._answered, brief, exhibit, messages, keys) for exhibit in groups])

    def _answered(self, brief: Brief, exhibit: Exhibit, messages: tuple[str, ...], keys: Mapping[str, str]) -> Answered:
        """Ask and remember, whether or not anybody comes for the answer: the next run may."""
        said = self._ask(exhibit, lambda seconds: self._question(brief, exhibit, messages, seconds))
        answered = located(said, exhibit, self._material.nonce)
        judged = judge(answered, brief.agent.id, self.ground)
        if self._cache is not None and not judged.problem:
            for path in judged.read:
                # What is about no file belongs to each.
                about = [one.model_dump(mode="json") for one in judged.findings if one.file in (path, None)]
                self._cache.put(keys[path], {"findings": about})
        return answered

    def _groups(
        self, agent: str, files: Iterable[FileText], messages: tuple[str, ...]
    ) -> tuple[tuple[KnownFile, ...], dict[str, str], tuple[Exhibit, ...]]:
        """What is known of a reviewer's files, the keys of all of them, and the others in groups."""
        brief = self._brief(agent)
        readable = [file for file in files if not file.why_not]
        keys = self._keys(brief, readable, messages)
        known = tuple(self._known(keys))
        paths = {file.path for file in known}
        groups, _ = exhibits([file for file in readable if file.path not in paths], self._material.nonce)
        return known, keys, groups

    def _all_files(self) -> Groups:
        return Groups(*exhibits(self._material.files, self._material.nonce))

    def _files(self, paths: Sequence[str] | None) -> Iterator[FileText]:
        wanted = None if paths is None else frozenset(paths)
        return (file for file in self._material.files if wanted is None or file.path in wanted)

    def _keys(self, brief: Brief, files: Sequence[FileText], messages: tuple[str, ...]) -> dict[str, str]:
        """An answer is about exactly this text, given by exactly this reviewer of exactly this model."""
        reviewer = (brief.agent.id, brief.task, self.provider.name, self.provider.model, self._material.policy)
        keys = AnswerCache.keys_of(
            [ANSWER_FORMAT, *reviewer],
            ((*self._claims(file.path, messages), file.path, file.about, *file.lines) for file in files),
        )
        return dict(zip((file.path for file in files), keys, strict=True))

    def _claims(self, path: str, messages: tuple[str, ...]) -> tuple[str, ...]:
        """What an answer of a look with messages depends on: a commit that leaves the file alone says nothing of it."""
        claims = self._material.claims.get(path, messages) if messages else ()
        return str(len(claims)), *claims

    def _known(self, keys: Mapping[str, str]) -> Iterator[KnownFile]:
        for path, key in keys.items() if self._cache is not None else ():
            document = self._cache.get(key) if self._cache is not None else None
            if document is not None:
                found = tuple(Finding.model_validate(one) for one in document["findings"])
                yield KnownFile(path=path, findings=found)

    def _gap_key(self, exhibit: Exhibit, task: str) -> str:
        asked = (ANSWER_FORMAT, GAPS, task, self.provider.name, self.provider.model, self._material.policy)
        files = (self._texts[file.path] for file in exhibit.files)
        return AnswerCache.key_of([*asked, *(part for file in files for part in (file.path, file.about, *file.lines))])

    def _known_gaps(self, exhibit: Exhibit, task: str) -> Answered | None:
        document = self._cache.get(self._gap_key(exhibit, task)) if self._cache is not None else None
        raw = document.get(GAPS) if document is not None else None
        return Answered(files=exhibit.files, raw=raw) if isinstance(raw, str) else None

    def _gaps_answered(self, exhibit: Exhibit, task: str) -> Answered:
        answered = self._ask(exhibit, lambda seconds: self._gap_question(exhibit, task, seconds))
        is_usable = not answered.problem and not gap_problem(answered, self._material.nonce)
        if self._cache is not None and is_usable:
            self._cache.put(self._gap_key(exhibit, task), {GAPS: answered.raw})
        return answered

    def _gap_question(self, exhibit: Exhibit, task: str, seconds: float) -> Question:
        shared = shared_text(exhibit, self._material.nonce)
        return Question(shared, task, GapAnswer, self.settings.max_output_tokens, seconds)

    def _ask(self, exhibit: Exhibit, question_within: Callable[[float], Question]) -> Answered:
        """Put one question, within the limits of the run."""
        said = self._asking.ask(question_within)
        if said.reply is None:
            return Answered(files=exhibit.files, problem=said.problem, is_capped=said.is_capped)
        return Answered(
            files=exhibit.files,
            raw=said.reply.raw,
            model=said.reply.model if isinstance(said.reply, Reply) else "",
            usage=said.reply.usage,
            usd=said.usd,
            problem=said.problem,
            is_capped=said.is_capped,
        )

    def _question(self, brief: Brief, exhibit: Exhibit, messages: tuple[str, ...], seconds: float) -> Question:
        limits = Limits(seconds, self.settings.max_output_tokens)
        return question_for(brief, exhibit, self._material.nonce, limits, messages)


def _looked(looks: Sequence[_Look]) -> Look:
    """One pass, over all files that a reviewer was asked about."""
    return Look(
        known=tuple(file for look in looks for file in look.known),
        answers=tuple(future.result() for look in looks for future in look.asked),
    )
