"""Fakes that behave as the real thing does: the conformance suite in tests/contract holds them to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from review_gate.pipeline.answers import Unusable, read_answer
from review_gate.ports import Failure, Family, NoReply, Question, Reply, Usage
from review_gate.shell.process import Commands
from review_gate.shell.providers.complaints import Complaints, nested
from review_gate.shell.providers.deadline import Retries, Tried, ask_in_time
from review_gate.shell.providers.symptoms import PASSING

NEXT_STEPS: dict[Failure, str] = {
    "no_key": "give it a key",
    "not_installed": "install it",
    "not_logged_in": "log in",
}


class ScriptedProvider:
    """A model whose every try is written down: a text that it says, or a failure and why; the last one repeats."""

    def __init__(
        self,
        script: Sequence[str | tuple[Failure, str]],
        *,
        environ: Mapping[str, str] | None = None,
        name: str = "scripted",
        family: Family = "anthropic",
        model: str = "scripted-1",
        retries: Retries | None = None,
    ) -> None:
        self.name = name
        self.family: Family = family
        self.model = model
        self.asked: list[Question] = []
        self._script = list(script)
        self._environ = environ or {}
        self._retries = retries or Retries(first_wait=0.0)
        self._complaints = Complaints(self._environ, NEXT_STEPS)

    def unusable(self) -> NoReply | None:
        """Nothing, unless a reviewer started us."""
        return nested(self._environ)

    def ask(self, question: Question) -> Reply | NoReply:
        """The next of the script."""
        if problem := self.unusable():
            return problem
        return ask_in_time(question, lambda _: self._try(question), self._retries, Commands())

    def _try(self, question: Question) -> Tried:
        self.asked.append(question)
        said = self._script[min(len(self.asked), len(self._script)) - 1]
        usage = Usage(input_tokens=10, output_tokens=5)
        if not isinstance(said, str):
            return Tried(self._complaints.about(*said), may_pass=said[0] in PASSING)
        read = read_answer(said, question.answer)
        if isinstance(read, Unusable):
            return Tried(self._complaints.about("malformed", read.why, raw=said, usage=usage), may_pass=True)
        return Tried(Reply(data=read, raw=said, model=self.model, usage=usage, attempts=1))
