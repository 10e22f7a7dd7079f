"""prompt-review --file: prompts that are kept in files, as a gate of quality: what cannot be reviewed does not pass."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor

from review_gate.models import Frozen
from review_gate.prompts.checked import CheckedPrompt, PromptChecks
from review_gate.prompts.outcome import HandOut, PromptRequest, PromptReview
from review_gate.prompts.schema import Weight
from review_gate.shell.files import UnsafeFileError, read_plain_file
from review_gate.shell.process import Commands
from review_gate.workflows.prompt_result import not_reviewed
from review_gate.workflows.prompt_review import Prepared, answered, prepare

# Each of them asks up to six reviewers at once.
AT_ONCE = 4
MOST_BYTES = 8_000_000


class CheckRequest(Frozen):
    """The files, and from which severity on they fail; None is never."""

    paths: tuple[str, ...]
    fail_on: Weight | None = None
    preset: str = ""


def check_prompts(
    wanted: CheckRequest, environ: Mapping[str, str], commands: Commands, progress: Callable[[int, int], None]
) -> PromptChecks:
    """Review each file once, in the order in which they were named."""
    names = list(dict.fromkeys(wanted.paths))
    prepared = [_prepared(name, wanted.preset, environ, commands) for name in names]
    done = 0
    reviews: list[PromptReview | HandOut] = []
    with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="prompt") as pool:
        progress(done, len(names))
        for found in pool.map(_answered, prepared):
            reviews.append(found)
            done += 1
            progress(done, len(names))
    files = tuple(
        CheckedPrompt(path=name, review=review)
        for name, review in zip(names, reviews, strict=True)
        if isinstance(review, PromptReview)
    )
    return PromptChecks(files=files, fail_on=wanted.fail_on)


def _prepared(name: str, preset: str, environ: Mapping[str, str], commands: Commands) -> Prepared | PromptReview:
    request = PromptRequest(prompt="", trigger="ci", preset=preset)
    try:
        data = read_plain_file(os.path.realpath(name), MOST_BYTES)
    except UnsafeFileError as error:
        return not_reviewed(request, "unreadable", str(error))
    if data is None:
        return not_reviewed(request, "unreadable", "there is no such file")
    prompt = data.decode("utf-8", "surrogateescape")
    return prepare(request.model_copy(update={"prompt": prompt}), environ, commands)


def _answered(prepared: Prepared | PromptReview) -> PromptReview | HandOut:
    return answered(prepared) if isinstance(prepared, Prepared) else prepared
