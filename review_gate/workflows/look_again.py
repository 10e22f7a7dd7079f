"""The options with which another command reads the same checks, for next steps that work when they are typed."""

from __future__ import annotations

from review_gate.errors import ConfigError, MisuseError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

LIST = "review-gate checks list"


def source_options(files: Sequence[str], plan_folder: str | None = None) -> str:
    """The options that name files with checks, or the folder of a plan, as a shell takes them."""
    if not files and plan_folder is None:
        return ""
    from shlex import join

    words = [word for file in files for word in ("--checks", file)]
    return " " + join(words if plan_folder is None else [*words, "--plan", plan_folder])


def nothing_to_look_for(files: Sequence[str], why: str) -> MisuseError:
    """The error for files without a check, or for no check anywhere."""
    return MisuseError(
        f"{', '.join(files)}: no check is in there" if files else "no check is in force",
        why=why,
        next_step=LIST + source_options(files),
    )


def complete(error: ConfigError, options: str) -> None:
    """Let the next step of an error about files with checks name the command that reads the same ones."""
    if error.next_step.endswith(LIST):
        error.next_step += options
