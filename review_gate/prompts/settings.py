"""The settings of prompt review: their names, defaults and meaning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from review_gate.config.fields import ModelName, Switch, refused, setting, switch, whole
from review_gate.models import Frozen
from review_gate.prompts.editor.proposal import USUAL_ORDER
from review_gate.prompts.schema import Role

_ROLES = ", ".join(role.value for role in Role)
MOST_EXTRA_FILES = 20
# Each is compared with each file of the project, and comes from the project too.
MOST_TRIGGERS = 200
_WORDS = f"a list of up to {MOST_TRIGGERS} words"
Words = tuple[Annotated[str, Field(max_length=300)], ...]


def _each_once(roles: tuple[Role, ...]) -> tuple[Role, ...]:
    if len({*roles}) < len(roles):
        raise refused("names a reviewer twice")
    return roles


class Triggers(Frozen):
    """When a conditional reviewer is asked: any of the first three, if the project has a marker, and no skip word."""

    prompt_keywords: Words = setting((), "Words of a prompt that ask for it.", allowed=_WORDS, max_length=MOST_TRIGGERS)
    file_patterns: Words = setting(
        (),
        "Files, in the project or named in the prompt, that ask for it.",
        allowed=f"a list of up to {MOST_TRIGGERS} patterns such as *.css",
        max_length=MOST_TRIGGERS,
    )
    stack_markers: Words = setting((), "Parts of the stack that ask for it.", allowed=_WORDS, max_length=MOST_TRIGGERS)
    project_markers: Words = setting(
        (),
        "Files and folders without which it has nothing to look after.",
        allowed=f"a list of up to {MOST_TRIGGERS} names such as docs/",
        max_length=MOST_TRIGGERS,
    )
    skip_keywords: Words = setting((), "Words of a prompt that keep it away.", allowed=_WORDS, max_length=MOST_TRIGGERS)


class ReviewerSettings(Frozen):
    """One reviewer."""

    enabled: Switch = switch("Whether it may be asked at all.")
    conditional: Switch = switch("Whether it is asked only when a trigger says so.", default=False)
    triggers: Triggers = Triggers()


FRONTEND = ReviewerSettings(
    conditional=True,
    triggers=Triggers(
        prompt_keywords=(
            *("component", "modal", "CSS", "style", "layout", "form", "button", "a11y", "accessibility", "responsive"),
            *("UI", "UX", "settings tab"),
        ),
        file_patterns=("*.css", "*.scss", "*.tsx", "*.vue", "*.svelte", "settings.ts", "styles.css"),
        stack_markers=("react", "vue", "svelte", "nextjs", "tailwind", "obsidian-plugin"),
    ),
)
DOCUMENTATION = ReviewerSettings(
    conditional=True,
    triggers=Triggers(
        prompt_keywords=("feature", "add", "new", "remove", "change", "refactor", "setting", "command", "API"),
        project_markers=("docs/", "screenshots/", "CHANGELOG", "README"),
        skip_keywords=("bugfix", "typo", "lint", "format"),
    ),
)


class Reviewers(Frozen):
    """All reviewers."""

    domain_sme: ReviewerSettings = ReviewerSettings()
    security: ReviewerSettings = ReviewerSettings()
    clarity: ReviewerSettings = ReviewerSettings()
    testing: ReviewerSettings = ReviewerSettings()
    frontend_ux: ReviewerSettings = FRONTEND
    documentation: ReviewerSettings = DOCUMENTATION

    def of(self, role: Role) -> ReviewerSettings:
        """The settings of one."""
        found: ReviewerSettings = getattr(self, role.value)
        return found


class ModelNames(Frozen):
    """Which models are asked."""

    reviewer: ModelName = setting("claude-haiku-4-5", "The model of the reviewers.", allowed="the name of a model")
    editor: ModelName = setting(
        "claude-sonnet-4-6",
        "The model that words edits anew, where `--polish` asks for it.",
        allowed="the name of a model",
    )


class EditorSettings(Frozen):
    """How critiques are merged."""

    priority_order: Annotated[tuple[Role, ...], AfterValidator(_each_once)] = setting(
        USUAL_ORDER, "Whose edits win, after those of security.", allowed=f"a list of {_ROLES}, each once"
    )
    temperature: Literal[0] = setting(0, "The merge is code, so there is nothing to vary.", allowed="0")
    max_retries: int = whole(1, "How often a reviewer is asked again that gave no usable answer.", low=0, high=5)


class ContextSettings(Frozen):
    """What reviewers are told about the project."""

    max_tokens: int = whole(
        2_000, "How much of CLAUDE.md and of all extra files is shown, in tokens.", low=0, high=50_000
    )
    include_claude_md: Switch = switch("Whether CLAUDE.md is read.")
    include_package_json: Switch = switch("Whether package.json and the like of other languages are read.")
    include_structure: Switch = switch("Whether the names of files and folders are shown.")
    structure_depth: int = whole(2, "How deep the folders are looked into.", low=1, high=6)
    extra_files: tuple[Annotated[str, Field(min_length=1, max_length=300)], ...] = setting(
        (),
        "Further files of the project to show.",
        allowed="a list of paths in the project",
        max_length=MOST_EXTRA_FILES,
    )


class Budget(Frozen):
    """What a review may take."""

    max_reviewers_per_call: int = whole(6, "How many reviewers are asked at most.", low=1, high=6)
    timeout_ms: int = whole(8_000, "How long reviewers have in all; what came by then is used.", low=100, high=600_000)
    log_costs: Switch = switch("Whether tokens and price are written into the log.")


class PromptSettings(Frozen):
    """All settings of prompt review."""

    enabled: Switch = switch("Whether prompts are reviewed at all.")
    mode: Literal["subscription", "api"] = setting(
        "subscription",
        "Who is asked: subagents of the session or the claude program, or the API with a key.",
        allowed="subscription or api",
    )
    api_fallback: Switch = switch("Whether the API is asked where the subscription cannot be.")
    preset: str | None = setting(
        None, "A named set of settings below those of the project.", allowed="the name of a preset, or null"
    )
    presets: Mapping[str, Mapping[str, Any]] = Field(
        default_factory=dict,
        description="Named sets of settings.",
        json_schema_extra={"allowed": "a mapping of names to settings"},
    )
    models: ModelNames = ModelNames()
    reviewers: Reviewers = Reviewers()
    editor: EditorSettings = EditorSettings()
    context: ContextSettings = ContextSettings()
    budget: Budget = Budget()
