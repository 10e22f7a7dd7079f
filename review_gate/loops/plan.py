"""Which reviewers run in which loop, and why: the preview of a run."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence

from review_gate.config.schema import Command, Config, Invocation
from review_gate.embedded import EMBEDDED, LOOP_OF, TESTS, section_of
from review_gate.globs import matches_any
from review_gate.loops.report import LOOPS, TITLES
from review_gate.loops.tests_found import FoundTests
from review_gate.models import Frozen, Subject
from review_gate.pipeline.estimate import Estimate
from review_gate.pipeline.schema import AgentManifest, PRClassification, PRFacts
from review_gate.ports import Via

OBJECTS = "git objects"
WORK_TREE = "work tree"
ISOLATED = "temporary checkout"


class PlannedReviewer(Frozen):
    """One reviewer of the coming run; `command` is None for the embedded ones."""

    id: str
    loop: int
    where: str
    what: str
    is_required: bool = True
    command: Command | None = None
    # Whether it is one that the pipeline chose for this change.
    is_agent: bool = False
    # Whether it says anything about the content.
    is_vote: bool = True
    # Whether the session that wrote the code answers for it.
    via: Via | None = None


class ModelPlan(Frozen):
    """Who is asked by the reviewers of the pipeline, why not others, and what that takes at most."""

    provider: str = ""
    model: str = ""
    passed_over: tuple[tuple[str, str], ...] = ()
    estimate: Estimate | None = None


class QuestionPlan(Frozen):
    """What a reviewer goes by, and the command that prints what it is asked; no files are all of the change."""

    reviewer: str
    loop: int
    files: tuple[str, ...] | None
    rules: tuple[str, ...]
    command: str


class PipelinePlan(Frozen):
    """What the pipeline makes of a change: its kind, and who looks at it and why."""

    facts: PRFacts
    classification: PRClassification
    manifest: AgentManifest
    models: ModelPlan = ModelPlan()
    questions: tuple[QuestionPlan, ...] = ()
    policy: str = ""


class LoopPlan(Frozen):
    """One loop of the coming run; the note says why it is empty or what was left out."""

    number: int
    is_requested: bool
    reviewers: tuple[PlannedReviewer, ...]
    note: str = ""

    @property
    def title(self) -> str:
        """What the loop is about."""
        return TITLES[self.number]


class RunPlan(Frozen):
    """The whole preview."""

    subject: Subject
    scope: str
    paths: tuple[str, ...]
    loops: tuple[LoopPlan, ...]
    offered_tests: tuple[FoundTests, ...] = ()
    estimate_seconds: float | None = None
    unknown_duration: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    pipeline: PipelinePlan | None = None

    @property
    def requested(self) -> tuple[int, ...]:
        """The numbers of the loops to run."""
        return tuple(loop.number for loop in self.loops if loop.is_requested)

    @property
    def reviewers(self) -> tuple[PlannedReviewer, ...]:
        """Everyone who is going to run, in order."""
        return tuple(reviewer for loop in self.loops if loop.is_requested for reviewer in loop.reviewers)

    @property
    def has_commands(self) -> bool:
        """Whether anything but the embedded reviewers runs."""
        return any(reviewer.command is not None for reviewer in self.reviewers)


def plan_run(
    config: Config,
    subject: Subject,
    paths: Sequence[str],
    *,
    scope: str,
    requested: Sequence[int],
    commands_run_in: str,
    found_tests: Sequence[FoundTests],
    takes_found_tests: bool,
    timings: Mapping[str, Sequence[float]],
    agents: Sequence[PlannedReviewer] = (),
) -> RunPlan:
    """The plan that the configuration makes for this change."""
    chosen, tests_note, offered = _tests(config, found_tests, takes_found_tests=takes_found_tests)
    commands = [*config.commands, *chosen]
    loops = tuple(
        _plan_loop(
            number,
            config,
            commands,
            paths,
            [agent for agent in agents if agent.loop == number],
            where=commands_run_in,
            tests_note=tests_note if number == LOOPS[-1] else "",
            is_requested=number in requested,
        )
        for number in LOOPS
    )
    return RunPlan(
        subject=subject,
        scope=scope,
        paths=tuple(paths),
        loops=loops,
        offered_tests=offered,
        estimate_seconds=_estimate(loops, timings),
        unknown_duration=_unknown(loops, timings),
    )


def _plan_loop(
    number: int,
    config: Config,
    commands: Sequence[Command],
    paths: Sequence[str],
    agents: Sequence[PlannedReviewer],
    *,
    where: str,
    tests_note: str,
    is_requested: bool,
) -> LoopPlan:
    mine = [command for command in commands if command.loop == number]
    applying = [command for command in mine if _applies(command, paths)]
    skipped = [command.name for command in mine if command not in applying]
    reviewers = [*_embedded(config, number), *agents, *(_planned(command, where) for command in applying)]
    notes = [tests_note] if tests_note else []
    if skipped:
        notes.append(f"{', '.join(skipped)} left out: no changed file concerns it")
    if not reviewers:
        notes.insert(0, "nothing to run")
    return LoopPlan(number=number, is_requested=is_requested, reviewers=tuple(reviewers), note="; ".join(notes))


def _applies(command: Command, paths: Sequence[str]) -> bool:
    return not command.when_changed or any(matches_any(path, command.when_changed) for path in paths)


def _embedded(config: Config, loop: int) -> list[PlannedReviewer]:
    return [
        PlannedReviewer(id=name, loop=loop, where=OBJECTS, what=what)
        for name, (_, what) in EMBEDDED.items()
        if LOOP_OF.get(name, LOOPS[0]) == loop and getattr(config, section_of(name)).enabled
    ]


def _planned(command: Command, where: str) -> PlannedReviewer:
    shown = command.run if isinstance(command.run, str) else shlex.join(command.run)
    return PlannedReviewer(
        id=command.name, loop=command.loop, where=where, what=shown, is_required=command.required, command=command
    )


def _tests(
    config: Config, found: Sequence[FoundTests], *, takes_found_tests: bool
) -> tuple[list[Command], str, tuple[FoundTests, ...]]:
    """The test command of loop 4, a note on where it comes from, and what is only offered.

    Code of the repository runs only when someone said so: a found command needs `test_command: auto` or --tests.
    """
    if config.test_command == "off":
        return [], "test_command is off, so --tests has nothing to accept" if takes_found_tests else "", ()
    if isinstance(config.test_command, Invocation):
        command = Command(name=TESTS, loop=LOOPS[-1], **config.test_command.model_dump())
        return [command], "test command from the configuration", ()
    if not found:
        wanted = takes_found_tests or config.test_command == "auto"
        return [], "no test command was found" if wanted else "", ()
    best = found[0]
    others = f"; also found: {', '.join(one.command for one in found[1:])}" if len(found) > 1 else ""
    if config.test_command == "auto" or takes_found_tests:
        return (
            [Command(name=TESTS, loop=LOOPS[-1], run=best.argv)],
            f"tests found in {best.because}: {best.command}{others}",
            (),
        )
    note = f"found {best.command} ({best.because}), not run: accept it with --tests, or set test_command{others}"
    return [], note, tuple(found)


def _estimate(loops: Sequence[LoopPlan], timings: Mapping[str, Sequence[float]]) -> float | None:
    """Seconds by experience: each loop takes as long as its slowest reviewer; None without any experience."""
    known = [
        max(
            (sum(timings[one.id]) / len(timings[one.id]) for one in loop.reviewers if timings.get(one.id)), default=None
        )
        for loop in loops
        if loop.is_requested
    ]
    seconds = [second for second in known if second is not None]
    return sum(seconds) if seconds else None


def _unknown(loops: Sequence[LoopPlan], timings: Mapping[str, Sequence[float]]) -> tuple[str, ...]:
    """The reviewers that never ran here before."""
    return tuple(one.id for loop in loops if loop.is_requested for one in loop.reviewers if not timings.get(one.id))
