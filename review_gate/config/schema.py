"""Every setting of .review-gate.yaml: its name, default, meaning and what it may be by itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag

from review_gate.config.fields import (
    BRANCHES,
    GLOBS,
    PROVIDERS,
    Action,
    Branches,
    ExitCodes,
    Globs,
    LinePattern,
    ModelName,
    ModelUse,
    Names,
    Program,
    ProviderName,
    Providers,
    Revision,
    Seconds,
    Switch,
    TreePath,
    Variables,
    is_off,
    seconds,
    setting,
    switch,
    whole,
)
from review_gate.embedded import DEFAULT_PACKS
from review_gate.models import Frozen, Severity

# Each can bring a pattern, and compiling one may take 10 ms.
MAX_COMMANDS = 50
_DAY = 86_400
_HOUR = 3_600
_NAMES = "a list of names"
_ACTIONS = "block, warn or off"
_PATH = "a relative path with / between names, without . or .. or .git"


class Limits(Frozen):
    """How much a review may read, keep and wait for."""

    max_file_bytes: int = whole(
        2_000_000, "A changed file larger than this is reported as not reviewed.", low=1, high=1_000_000_000
    )
    max_output_bytes: int = whole(1_000_000, "How much of a command's output is kept.", low=1, high=1_000_000_000)
    command_seconds: Seconds = seconds(600.0, "How long a command may run when it names no timeout.", high=_DAY)
    yaml_seconds: Seconds = seconds(20.0, "How long the YAML files of a change may take to parse.", high=_HOUR)
    max_findings: int = whole(500, "How many findings a report shows.", low=1, high=100_000)


class FileReview(Frozen):
    """A built-in reviewer that looks at changed files."""

    enabled: Switch = switch("Whether this reviewer runs.")
    exclude: Globs = setting((), "Files this reviewer leaves alone.", allowed=GLOBS)


class Checks(FileReview):
    """The check engine: which checks are in force, and how long they may take."""

    packs: Names = setting(
        DEFAULT_PACKS, "The shipped packs in force (`review-gate checks list` shows them).", allowed=_NAMES
    )
    sources: tuple[Literal["user", "project", "rules", "claude_md"], ...] = setting(
        ("user", "project", "rules", "claude_md"),
        "Where checks are looked for: files below ~/.claude, checks/*.yaml, rules/*.md, CLAUDE.md.",
        allowed="a list of user, project, rules, claude_md",
    )
    disable: Names = setting((), "Checks that are switched off, by id.", allowed=_NAMES)
    severity: Mapping[str, Severity] = Field(
        default_factory=dict,
        description="Other severities for some checks, by id.",
        json_schema_extra={"allowed": "a mapping of ids to critical, major, warning or info"},
    )
    baseline: TreePath | None = setting(
        ".review-gate-baseline.json", "The file with old findings, which are not reported.", allowed=f"{_PATH}, or null"
    )
    seconds_per_file: Seconds = seconds(2.0, "How long the checks may look at one file.", high=_HOUR)
    max_file_bytes: int = whole(
        20_000_000,
        "A larger file is not looked at, and unless it is binary the scan says so and fails.",
        low=1,
        high=1_000_000_000,
    )


class Hygiene(FileReview):
    """The reviewer of hidden characters and of files that cannot be read as text."""

    binary: Literal["warn", "block", "allow"] = setting(
        "warn", "What a changed binary file, which nobody can review as text, leads to.", allowed="warn, block or allow"
    )


class Invocation(Frozen):
    """How a program is started, and how findings are read from what it says."""

    run: Program = setting(
        ...,
        "The program and its arguments.",
        allowed="a list of texts such as [mypy, src], or one text with shell: true",
    )
    shell: Switch = switch("Hand `run` to the shell as one text.", default=False)
    timeout: Seconds | None = seconds(None, "How long it may run; null means `limits.command_seconds`.", high=_DAY)
    required: Switch = switch("Whether the loop is incomplete when the program could not run.")
    findings: Literal["exit_code", "sarif", "pattern"] = setting(
        "exit_code", "Where findings come from.", allowed="exit_code, sarif or pattern"
    )
    pattern: LinePattern = setting(
        None,
        "With `findings: pattern`: a regular expression for one line of output; its named groups can be"
        " file, line, column, severity, message and rule.",
        allowed="a regular expression with a group named message or file, or null",
    )
    sarif_file: TreePath | None = setting(
        None, "With `findings: sarif`: the file the program writes; null means its output.", allowed=f"{_PATH}, or null"
    )
    severity: Severity = setting(
        Severity.MAJOR, "Severity of a finding that names none.", allowed="critical, major, warning or info"
    )
    ok_exit_codes: ExitCodes = setting(
        (0,),
        "Exit codes with which the findings alone decide; any other fails the command.",
        allowed="a list of whole numbers from 0 to 255, such as [0, 1]",
        min_length=1,
    )
    when_changed: Globs = setting((), "Run only when a changed file matches; empty means always.", allowed=GLOBS)
    env: Variables = Field(
        default_factory=dict,
        description="Environment variables added for the program.",
        json_schema_extra={"allowed": 'a mapping of names to texts, such as {CI: "1"}'},
    )


class Placed(Frozen):
    """What a command is called and when it runs."""

    name: str = setting(
        ...,
        "What the command is called in reports; unique.",
        allowed="a name of up to 40 characters from a-z 0-9 . _ - that starts with a letter or digit",
        pattern=r"^[a-z0-9][a-z0-9._-]{0,39}$",
    )
    loop: int = whole(1, "The loop it belongs to.", low=1, high=4)


class Command(Invocation, Placed):
    """A program of the project that reviews in one of the loops."""


class Gate(Frozen):
    """How the gate makes sure of what a remote already has."""

    remote_evidence: Literal["confirm", "tracking"] = setting(
        "confirm",
        "Whether a push that rests on local tracking refs alone is confirmed with the remote itself.",
        allowed="confirm or tracking",
    )
    remote_seconds: Seconds = seconds(20.0, "How long the remote may take to answer.", high=_HOUR)


class CommitMessage(Frozen):
    """What the commit-msg hook thinks of a message."""

    max_subject: int = whole(72, "Longest subject in characters; 0 means any.", low=0, high=1_000)
    empty: Action = setting("block", "A message without a subject.", allowed=_ACTIONS)
    too_long: Action = setting("warn", "A subject over `commit_message.max_subject`.", allowed=_ACTIONS)
    fixup: Action = setting("block", "A fixup!, squash! or amend! subject on a protected branch.", allowed=_ACTIONS)
    wip: Action = setting("block", "A work-in-progress subject on a protected branch.", allowed=_ACTIONS)
    leftover: Action = setting("block", "Conflict markers, scissors or git's own hints left in.", allowed=_ACTIONS)
    protected_branches: Branches = setting(
        ("main", "master", "trunk", "release/*"), "Branches with the stricter rules.", allowed=BRANCHES
    )


def _test_choice(value: object) -> object:
    if is_off(value):
        return "off"
    return {"run": value} if isinstance(value, list | tuple) else value


def _test_kind(value: object) -> str | None:
    if value is None or value in ("auto", "off"):
        return "word"
    return "mapping" if isinstance(value, dict | Invocation) else None


# A tagged union, so that a wrong key in the mapping is one error and not one for every branch.
TestCommand = Annotated[
    Annotated[Invocation, Tag("mapping")] | Annotated[Literal["auto", "off"] | None, Tag("word")],
    Discriminator(_test_kind),
    BeforeValidator(_test_choice),
]


class Models(Frozen):
    """Whether and which models review, what they are shown, and what that may cost."""

    use: ModelUse = setting(
        "auto",
        "Whether models review: auto asks one where it can be reached and says so where not; required leaves the"
        " review incomplete without one.",
        allowed="auto, required or off",
    )
    providers: Providers = setting(
        "auto",
        "Who is asked: the first that is usable here; auto means anthropic, claude, codex, gemini.",
        allowed=PROVIDERS,
    )
    names: Mapping[ProviderName, ModelName] = Field(
        default_factory=dict,
        description="The model that each provider is asked for, where not the usual one.",
        json_schema_extra={"allowed": "a mapping of providers to names of models"},
    )
    quick: Mapping[ProviderName, ModelName] = Field(
        default_factory=dict,
        description="The model that each provider is asked for short answers, such as who should review a plan.",
        json_schema_extra={"allowed": "a mapping of providers to names of models"},
    )
    second_pass: Switch = switch(
        "Whether models look a second time with the commit messages, which may only add findings."
    )
    gaps: Switch = switch("Whether a model is asked for reviewers that the policies missed; it may only add some.")
    coverage: float = setting(
        1.0,
        "Which part of the files that a reviewer is shown it must have read, or else it has not voted.",
        allowed="a number from 0 to 1",
        ge=0,
        le=1,
    )
    answer_seconds: Seconds = seconds(300.0, "How long one answer may take, with all attempts.", high=_HOUR)
    # Of the model that is asked by default this includes what it thinks, which cannot be switched off.
    max_output_tokens: int = whole(16_000, "How long one answer may be, with all thoughts.", low=500, high=64_000)
    max_usd: float | None = setting(
        None, "What one run may cost; then it ends as incomplete.", allowed="a number above 0, or null", gt=0
    )
    max_tokens: int | None = setting(
        None,
        "How many tokens one run may use; then it ends as incomplete.",
        allowed="a whole number above 0, or null",
        strict=True,
        gt=0,
    )
    max_seconds: Seconds | None = seconds(
        None, "How long models may take in one run; then it ends as incomplete.", high=_DAY
    )
    cache: Switch = switch("Whether an answer about the same content is taken from the last time.")


class Rounds(Frozen):
    """Several models at once: who votes in rounds or drafts, when a review has agreed, and how much is enough."""

    reviewers: Providers = setting(
        "auto",
        "Who votes and drafts; auto means codex, gemini and claude, each where it is usable here, and anthropic only"
        " where claude is not.",
        allowed=PROVIDERS,
    )
    quorum: int = whole(2, "How many must have voted before a review can agree.", low=1, high=4)
    independent_families: Switch = switch(
        "Whether two reviewers whose models are of one family count as one vote.", default=False
    )
    max_rounds: int = whole(5, "After so many rounds a person is asked.", low=1, high=50)
    loop: int | None = setting(
        None,
        "The loop of `run` in which exactly this content must have agreed in rounds; null means that none needs it.",
        allowed="a whole number from 1 to 4, or null",
        strict=True,
        ge=1,
        le=4,
    )
    min_drafts: int = whole(1, "How many drafts `generate` has to get, or else it fails.", low=1, high=10)
    answer_seconds: Seconds = seconds(600.0, "How long one of them may take for an answer or a draft.", high=_HOUR)


class Agents(Frozen):
    """How the hooks of coding agents behave."""

    stop_limit: int = whole(
        5,
        "How often a session is kept from stopping, until its user speaks again, while rounds say fix.",
        low=0,
        high=7,
    )


class Config(Frozen):
    """The whole configuration; its JSON form is what the hooks read."""

    version: int = whole(1, "Version of this file's format.", low=1, high=1)
    state_file: TreePath = setting(
        ".claude/skills/code-review/loop-state.json", "Where the state of the latest run is shown.", allowed=_PATH
    )
    base: Revision = setting(
        None,
        "What `run` compares with; null means the upstream, else the remote's default branch.",
        allowed="a full ref name or another name of a commit, or null",
    )
    limits: Limits = Limits()
    syntax: FileReview = FileReview()
    conflict_markers: FileReview = FileReview()
    hygiene: Hygiene = Hygiene()
    checks: Checks = Checks()
    commands: tuple[Command, ...] = setting(
        (),
        "Programs of the project that review, in order.",
        allowed=f"a list of up to {MAX_COMMANDS} commands, each with name and run",
        max_length=MAX_COMMANDS,
    )
    test_command: TestCommand = setting(
        None,
        "The tests of loop 4: null offers what is found and does not run it, auto runs what is found.",
        allowed="null, auto, off, a list such as [pytest, -q], or a mapping like a command's without name and loop",
    )
    assurance: Literal["session", "independent"] = setting(
        "session",
        "What a review may rest on: session counts answers that the session which wrote the code hands in with"
        " `run --findings` like those of a model; independent counts their findings, and wants a model's vote besides.",
        allowed="session or independent",
    )
    models: Models = Models()
    rounds: Rounds = Rounds()
    agents: Agents = Agents()
    gate: Gate = Gate()
    commit_message: CommitMessage = CommitMessage()
