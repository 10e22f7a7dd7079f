"""A background process asks the reviewers of a round, all at once; here it is started, and here is what it does."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from datetime import UTC, datetime

from review_gate.config.schema import Config
from review_gate.consensus.question import round_question
from review_gate.consensus.schema import Answer, Issue, Member, Request, ReviewState, ShownGroup
from review_gate.errors import ReviewGateError
from review_gate.pipeline.prices import load_prices
from review_gate.pipeline.question import Limits
from review_gate.pipeline.spend import Caps, Spend
from review_gate.ports import ModelProvider, NoReply, Question, Usage
from review_gate.shell.asking import SHORTEST, Asking, Said
from review_gate.shell.background import Background, said_in, start_in_background
from review_gate.shell.pipeline_files import layers
from review_gate.shell.process import Commands
from review_gate.shell.rounds_store import ReviewFolder, now_text, seconds_until
from review_gate.workflows.models import all_providers
from review_gate.workflows.round_place import Place

# Groups of files that one reviewer looks at.
MOST_AT_ONCE = 12
GONE = "there is no reviewer of this name any more"
BEGIN_SECONDS = 20.0
LOOK_SECONDS = 0.02


def ask_round(folder: ReviewFolder, number: int, config: Config, top: str, environ: Mapping[str, str]) -> None:
    """Ask everybody who has not answered in a round; a second process that would do the same does nothing."""
    # Of a review that is gone by now not even a lock is made again.
    folder.state()
    with folder.asking_alone() as is_alone:
        if not is_alone:
            return
        state, request = folder.state(), folder.request(number)
        known = folder.answers(request)
        missing = [member for member in request.members if member.name not in known]
        commands = Commands()
        asker = _Asker(folder, state, request, _Models(config, top, environ, commands))
        try:
            asker.ask(missing)
        finally:
            commands.end_all()


class _Models:
    """Every model that can be asked, and the account of the round."""

    def __init__(self, config: Config, top: str, environ: Mapping[str, str], commands: Commands) -> None:
        models = config.models
        self.max_output_tokens = models.max_output_tokens
        self.providers = {one.name: one for one in all_providers(models, environ, commands)}
        self._prices = load_prices(layers(top))
        caps = Caps(max_usd=models.max_usd, max_tokens=models.max_tokens, max_seconds=models.max_seconds)
        self._spend = Spend(caps, time.monotonic)

    def asking(self, name: str, seconds: float) -> Asking:
        """One of them, for a question that may take so long."""
        provider = self.providers[name]
        return Asking(provider, self._prices.price(provider.name, provider.model), self._spend, seconds)


class _Asker:
    def __init__(self, folder: ReviewFolder, state: ReviewState, request: Request, models: _Models) -> None:
        self._folder = folder
        self._state = state
        self._request = request
        self._models = models
        self._earlier = self._earlier_issues()

    def ask(self, members: Sequence[Member]) -> None:
        """Ask some of the reviewers, and keep each answer as soon as it is whole."""
        groups, began = self._request.groups, time.monotonic()
        able = [member for member in members if member.name in self._models.providers]
        pool = ThreadPoolExecutor(max(len(able) * min(len(groups), MOST_AT_ONCE), 1), thread_name_prefix="reviewer")
        try:
            # Group by group: where there are more of them than threads, a reviewer that hangs does not take all.
            asked = [(member, pool.submit(self._ask, member, group)) for group in groups for member in able]
            missing = {member.name: [one for other, one in asked if other == member] for member in members}
            for member in members:
                if not missing[member.name]:
                    self._keep(member, began, ())
            for _ in as_completed([one for _, one in asked]):
                for member in members:
                    if (own := missing.get(member.name)) and all(one.done() for one in own):
                        self._keep(member, began, missing.pop(member.name))
        finally:
            # Not waited for: an interrupt ends what is under way with its commands.
            pool.shutdown(wait=False, cancel_futures=True)

    def _ask(self, member: Member, group: ShownGroup) -> Said:
        # A clock that was set back in between makes nobody wait for hours.
        left = min(seconds_until(self._request.deadline), self._state.settings.answer_seconds)
        seconds = max(left, SHORTEST)
        return self._models.asking(member.name, seconds).ask(lambda left: self._question(group, left))

    def _question(self, group: ShownGroup, seconds: float) -> Question:
        return round_question(
            self._state.mode,
            group,
            self._request.nonce,
            Limits(seconds, self._models.max_output_tokens),
            earlier=self._earlier,
            refutations=self._request.refutations,
        )

    def _earlier_issues(self) -> tuple[Issue, ...]:
        if self._request.round == 1:
            return ()
        decision = self._folder.decision(self._request.round - 1)
        return decision.issues if decision else ()

    def _keep(self, member: Member, began: float, asked: Sequence[Future[Said]]) -> None:
        said = [one.result() for one in asked]
        answer = _answer(member, said, self._models.providers.get(member.name), time.monotonic() - began)
        with self._folder.alone():
            # Whoever was given up has not voted, however late it speaks.
            if member.name not in self._folder.answers(self._request):
                self._folder.write_answer(self._request.round, answer)
        self._folder.log(
            "answered",
            answer.finished,
            round=self._request.round,
            reviewer=member.name,
            problem=answer.problem,
            model=answer.model,
            seconds=answer.seconds,
            tokens=answer.usage.input_tokens + answer.usage.output_tokens,
        )


def _answer(member: Member, said: Sequence[Said], provider: ModelProvider | None, seconds: float) -> Answer:
    problem = next((one.problem for one in said if one.problem), "" if provider else GONE)
    failed = next((one.reply for one in said if isinstance(one.reply, NoReply)), None)
    costs = [one.usd for one in said if one.reply is not None]
    return Answer(
        member=member.name,
        raw=tuple(one.reply.raw for one in said if one.reply is not None),
        problem=problem,
        failure=failed.kind if failed else None,
        model=next((getattr(one.reply, "model", "") for one in said if one.reply is not None), ""),
        usage=sum((one.reply.usage for one in said if one.reply is not None), Usage()),
        usd=None if None in costs else sum(cost or 0.0 for cost in costs),
        seconds=round(seconds, 3),
        finished=now_text(datetime.now(UTC)),
    )


def start_asking(folder: ReviewFolder, number: int, place: Place) -> None:
    """Start the process that asks, and return once it does, or has ended; nobody else may do that meanwhile."""
    if folder.is_asking:
        return
    folder.forget_asker()
    arguments = ["rounds", "ask", folder.path, str(number)]
    process = start_in_background(arguments, directory=place.top, environ=place.environ, log=folder.said)
    until = time.monotonic() + BEGIN_SECONDS
    while time.monotonic() < until:
        # Asked first: one that has ended since then has done its work.
        has_ended = process.exit_code is not None
        if folder.is_asking or _is_done(folder, number):
            return
        if has_ended:
            raise _not_begun(folder, process)
        time.sleep(LOOK_SECONDS)
    raise _not_begun(folder, process)


def last_words(folder: ReviewFolder) -> str:
    """What the process that asked last said before it ended, in one line; empty where it said nothing."""
    lines = [line for line in said_in(folder.said).splitlines() if line.strip()]
    told = [line for line in lines if line.startswith(("error: ", "blocked: ", "interrupted: "))]
    return (told or lines[-1:] or [""])[0].strip()


def _is_done(folder: ReviewFolder, number: int) -> bool:
    request = folder.request(number)
    return len(folder.answers(request)) == len(request.members)


def _not_begun(folder: ReviewFolder, process: Background) -> ReviewGateError:
    process.end()
    why = last_words(folder) or "the process that asks did not begin"
    return ReviewGateError(
        f"the reviewers of {folder.id} could not be asked: {why}",
        why="nobody has voted",
        next_step=f"review-gate check {folder.id}, which asks again",
    )
