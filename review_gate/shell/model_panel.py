"""The models of a run: every question is put at the same time, and each reviewer collects its own answers.

Reviewers of later loops are asked together with those of the first: six that need a second each are done in little more
than one. An answer that a failing loop makes useless is kept, and the next run has it for nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import NamedTuple

from review_gate.config.schema import Models
from review_gate.models import Finding
from review_gate.pipeline.config_schema import PipelineConfig
from review_gate.pipeline.estimate import Estimate, estimate
from review_gate.pipeline.exhibit import Exhibit, FileText, exhibits
from review_gate.pipeline.prices import PriceTable
from review_gate.pipeline.question import Brief, Limits, ReviewAnswer, findings_of, paths_read, question_for
from review_gate.pipeline.schema import ManifestEntry
from review_gate.pipeline.spend import Spend
from review_gate.ports import ModelPart, ModelProvider, NoReply, NotShown, Question, Reply, Usage
from review_gate.shell.answer_cache import AnswerCache

# Raise it when an answer is read in another way.
ANSWER_FORMAT = "1"
MOST_AT_ONCE = 16
# A question without any time left is refused by the account, so this is never waited for.
SHORTEST = 0.001
# The first look knows nothing of what the author says.
FIRST_LOOK: tuple[str, ...] = ()


class Material(NamedTuple):
    """What the models of a run are shown, and the word that closes its regions."""

    files: Sequence[FileText]
    messages: tuple[str, ...]
    nonce: str
    policy: str
    prompts: Mapping[str, str]


class Opinion(NamedTuple):
    """What a reviewer's model says; `problem` is why it has not voted, `is_capped` whether a limit kept it from it."""

    findings: tuple[Finding, ...]
    part: ModelPart
    problem: str = ""
    is_capped: bool = False


class _Said(NamedTuple):
    """What came of one question."""

    exhibit: Exhibit
    findings: tuple[Finding, ...] = ()
    read: tuple[str, ...] = ()
    usage: Usage = Usage()
    usd: float | None = None
    model: str = ""
    problem: str = ""
    is_capped: bool = False


class _Look(NamedTuple):
    """One look of a reviewer at its files: what was known of them, and the questions about the others."""

    known: Mapping[str, tuple[Finding, ...]]
    asked: Sequence[Future[_Said]]


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
        self._settings = settings
        self._config = config
        self._material = material
        self._price = prices.price(provider.name, provider.model)
        self._spend = spend
        self._cache = cache
        self._pool = ThreadPoolExecutor(max_workers=MOST_AT_ONCE, thread_name_prefix="model")
        self._lock = threading.Lock()
        self._looks: dict[str, list[_Look]] = {}
        self._expected: list[ManifestEntry] = []

    def close(self) -> None:
        """Nobody comes for an answer any more; what is under way ends with the commands of the run."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def estimate(self, entries: Iterable[ManifestEntry]) -> Estimate:
        """What the questions of some reviewers take at most; what is in the cache takes nothing."""
        questions = [
            self._question(self._brief(entry.agent), exhibit, messages, self._settings.answer_seconds)
            for entry in entries
            for messages in self._passes()
            for exhibit in self._groups(entry, messages)[2]
        ]
        return estimate(questions, self._price)

    def expect(self, entries: Iterable[ManifestEntry]) -> None:
        """These will be asked for too; the first who asks has the questions of all put."""
        self._expected += entries

    def begin(self, entries: Iterable[ManifestEntry]) -> None:
        """Put the questions of some reviewers, once."""
        with self._lock:
            for entry in entries:
                if entry.agent not in self._looks:
                    self._looks[entry.agent] = [self._look(entry, messages) for messages in self._passes()]

    def opinion_of(self, entry: ManifestEntry) -> Opinion:
        """What the answers to one reviewer's questions come to."""
        self.begin([entry, *self._expected])
        looks = self._looks[entry.agent]
        return self._opinion(entry, looks, [future.result() for look in looks for future in look.asked])

    def _passes(self) -> list[tuple[str, ...]]:
        has_second = self._settings.second_pass and self._material.messages
        return [FIRST_LOOK, self._material.messages] if has_second else [FIRST_LOOK]

    def _brief(self, agent: str) -> Brief:
        entry = self._config.agent(agent)
        return Brief(entry, self._material.prompts[entry.prompt], self._config.rules_of(agent))

    def _look(self, entry: ManifestEntry, messages: tuple[str, ...]) -> _Look:
        brief = self._brief(entry.agent)
        known, keys, groups = self._groups(entry, messages)
        return _Look(known, [self._pool.submit(self._answered, brief, exhibit, messages, keys) for exhibit in groups])

    def _answered(self, brief: Brief, exhibit: Exhibit, messages: tuple[str, ...], keys: Mapping[str, str]) -> _Said:
        """Ask and remember, whether or not anybody comes for the answer: the next run may."""
        said = self._ask(brief, exhibit, messages)
        if self._cache is not None and not said.problem:
            for path in said.read:
                # What is about no file belongs to each.
                about = [one.model_dump(mode="json") for one in said.findings if one.file in (path, None)]
                self._cache.put(keys[path], {"findings": about})
        return said

    def _groups(
        self, entry: ManifestEntry, messages: tuple[str, ...]
    ) -> tuple[dict[str, tuple[Finding, ...]], dict[str, str], tuple[Exhibit, ...]]:
        """What is known of a reviewer's files, the keys of all of them, and the others in groups."""
        brief = self._brief(entry.agent)
        files = [file for file in self._files(entry) if not file.why_not]
        keys = self._keys(brief, files, messages)
        known = dict(self._known(keys))
        groups, _ = exhibits([file for file in files if file.path not in known], self._material.nonce)
        return known, keys, groups

    def _files(self, entry: ManifestEntry) -> Iterator[FileText]:
        wanted = None if entry.files is None else frozenset(entry.files)
        return (file for file in self._material.files if wanted is None or file.path in wanted)

    def _keys(self, brief: Brief, files: Sequence[FileText], messages: tuple[str, ...]) -> dict[str, str]:
        """An answer is about exactly this text, given by exactly this reviewer of exactly this model."""
        reviewer = (brief.agent.id, brief.task, self.provider.name, self.provider.model, self._material.policy)
        keys = AnswerCache.keys_of(
            [ANSWER_FORMAT, *reviewer, *messages, ""], ((file.path, file.about, *file.lines) for file in files)
        )
        return dict(zip((file.path for file in files), keys, strict=True))

    def _known(self, keys: Mapping[str, str]) -> Iterator[tuple[str, tuple[Finding, ...]]]:
        for path, key in keys.items() if self._cache is not None else ():
            document = self._cache.get(key) if self._cache is not None else None
            if document is not None:
                yield path, tuple(Finding.model_validate(one) for one in document["findings"])

    def _ask(self, brief: Brief, exhibit: Exhibit, messages: tuple[str, ...]) -> _Said:
        """Put one question, within the limits of the run."""
        left = self._spend.seconds_left()
        seconds = self._settings.answer_seconds if left is None else min(self._settings.answer_seconds, left)
        question = self._question(brief, exhibit, messages, max(seconds, SHORTEST))
        expected = estimate([question], self._price)
        reserved = (expected.tokens, expected.usd)
        refusal = self._spend.reserve(*reserved, model=self.provider.model or self.provider.name)
        if refusal:
            return _Said(exhibit, problem=refusal, is_capped=True)
        reply = self._put(question, reserved)
        said = self._said(reply, brief, exhibit)
        is_late = left is not None and self._spend.seconds_left() == 0 and isinstance(reply, NoReply)
        return said._replace(is_capped=True) if is_late else said

    def _question(self, brief: Brief, exhibit: Exhibit, messages: tuple[str, ...], seconds: float) -> Question:
        limits = Limits(seconds, self._settings.max_output_tokens)
        return question_for(brief, exhibit, self._material.nonce, limits, messages)

    def _put(self, question: Question, reserved: tuple[int, float | None]) -> Reply | NoReply:
        used: Usage | None = None
        usd: float | None = None
        try:
            reply = self.provider.ask(question)
            used, usd = reply.usage, self._cost(reply)
            return reply
        finally:
            self._spend.settle(reserved, used, usd)

    def _cost(self, reply: Reply | NoReply) -> float | None:
        if reply.usd is not None:
            return reply.usd
        return None if self._price is None else self._price.cost(reply.usage)

    def _said(self, reply: Reply | NoReply, brief: Brief, exhibit: Exhibit) -> _Said:
        spent = _Said(exhibit, usage=reply.usage, usd=self._cost(reply))
        if isinstance(reply, NoReply):
            return spent._replace(problem=f"{reply.kind.replace('_', ' ')}: {reply.why} ({reply.next_step})")
        if not isinstance(reply.data, ReviewAnswer):
            raise TypeError("the provider answered in another form than it was asked for")
        read = paths_read(reply.data, exhibit)
        found = findings_of(reply.data, brief, exhibit, self._material.nonce)
        problem = "" if len(read) >= self._settings.coverage * len(exhibit.files) else _unread(read, exhibit)
        return spent._replace(findings=found, read=read, model=reply.model, problem=problem)

    def _opinion(self, entry: ManifestEntry, looks: Sequence[_Look], said: Sequence[_Said]) -> Opinion:
        findings = [one for look in looks for known in look.known.values() for one in known]
        findings += [one for answer in said for one in answer.findings]
        problems = list(dict.fromkeys(answer.problem for answer in said if answer.problem))
        return Opinion(
            tuple(findings),
            self._part(entry, looks, said),
            problem="; ".join(problems[:2]) + (f" and {len(problems) - 2} more" if len(problems) > 2 else ""),
            is_capped=any(answer.is_capped for answer in said),
        )

    def _part(self, entry: ManifestEntry, looks: Sequence[_Look], said: Sequence[_Said]) -> ModelPart:
        files, first = list(self._files(entry)), looks[0]
        readable = [file.path for file in files if not file.why_not]
        read = {*first.known, *(path for future in first.asked for path in future.result().read)}
        shown = [file for answer in said for file in answer.exhibit.files]
        costs = [answer.usd for answer in said if answer.model or answer.usage != Usage()]
        return ModelPart(
            provider=self.provider.name,
            model=next((answer.model for answer in said if answer.model), self.provider.model),
            asked=sum(not answer.is_capped for answer in said),
            from_cache=sum(len(look.known) for look in looks),
            usage=_sum(answer.usage for answer in said),
            usd=None if any(cost is None for cost in costs) else sum(cost or 0.0 for cost in costs),
            files_shown=len(readable),
            files_read=sum(path in read for path in readable),
            cut=tuple(dict.fromkeys(file.path for file in shown if file.hidden_lines)),
            unread=tuple(path for path in readable if path not in read),
            not_shown=tuple(NotShown(path=file.path, because=file.why_not) for file in files if file.why_not),
        )


def _sum(usages: Iterable[Usage]) -> Usage:
    total = Usage()
    for usage in usages:
        total += usage
    return total


def _unread(read: Sequence[str], exhibit: Exhibit) -> str:
    missing = next(file.path for file in exhibit.files if file.path not in read)
    return f"it read {len(read)} of the {len(exhibit.files)} files that it was shown, without {missing}"
