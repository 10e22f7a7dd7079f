"""review-gate generate: drafts of an analysis by several models at once, without names, kept in numbered folders."""

from __future__ import annotations

import hashlib
import os
import secrets
import time
from collections.abc import Mapping, Sequence

from review_gate.config.schema import Config
from review_gate.consensus.drafts import Attempt, complaints, core_task, drafts_of, shared_text
from review_gate.errors import MisuseError, ReviewGateError
from review_gate.models import Frozen
from review_gate.pipeline.prices import load_prices
from review_gate.pipeline.spend import Caps, Spend, Spent
from review_gate.ports import ModelProvider
from review_gate.render.drafts import Generated
from review_gate.shell.asking import Asking
from review_gate.shell.draft_archive import METADATA, REQUEST, Iteration, begin_iteration
from review_gate.shell.drafting import ask_for_drafts
from review_gate.shell.pipeline_files import layers
from review_gate.shell.process import Commands
from review_gate.shell.prompt_templates import Template, template_of, templates
from review_gate.shell.repository import Repository, open_repository
from review_gate.shell.subject import touched_files
from review_gate.workflows.check_compile import keep_strictness
from review_gate.workflows.configure import load_configuration
from review_gate.workflows.pool import Pool, pool_of
from review_gate.workflows.repository_context import RepositoryContext, gather
from review_gate.workflows.secret_search import SecretSearch

# Long enough that nobody guesses it, short enough to be repeated.
NONCE_BYTES = 8
LONGEST_PROMPT = 20_000
MOST_DRAFTS = 10
MIN_DRAFTS = "MIN_DRAFTS"
MIN_DRAFTS_SETTING = "REVIEW_GATE_ROUNDS__MIN_DRAFTS"
INTERRUPTED = "no draft was kept"


class DraftRequest(Frozen):
    """What the user asked for."""

    kind: str
    prompt: str = ""


def list_templates() -> tuple[Template, ...]:
    """The types of draft of the repository around."""
    return templates(_repository().top)


def generate(request: DraftRequest, environ: Mapping[str, str]) -> Generated:
    """Ask the pool for drafts; fewer than are needed is an error that says why."""
    repository = _repository()
    config = load_configuration(repository).config
    if config.models.use == "off":
        raise MisuseError(
            "models are off, so nobody can be asked for a draft",
            why="models.use is off in the configuration (review-gate config show says where)",
            next_step="set models.use to auto, or REVIEW_GATE_MODELS__USE=auto for one call",
        )
    template = template_of(repository.top, request.kind)
    least = min_drafts(config, environ)
    commands = Commands()
    pool = pool_of(config, environ, commands)
    _refuse_few(len(pool.providers), least, (), pool)
    checks = keep_strictness(repository, config.checks.model_dump(mode="json"))[0]
    search = SecretSearch(checks, config.checks.seconds_per_file)
    _refuse_secrets(template, request.prompt, search)
    nonce = secrets.token_hex(NONCE_BYTES)
    context = gather(repository.git, search, nonce)
    models = config.models
    caps = Caps(max_usd=models.max_usd, max_tokens=models.max_tokens, max_seconds=models.max_seconds)
    spend = Spend(caps, time.monotonic)
    generators = drawn(pool.providers, config, repository, spend)
    iteration = begin_iteration(repository, template.name)
    iteration.keep_json(REQUEST, _request(template, request, context, least))
    began = time.monotonic()
    shared, task = shared_text(context.region, nonce), core_task(template.text, request.prompt)
    attempts = ask_for_drafts(generators, shared, task, iteration.log, commands)
    spent = spend.spent()
    _keep(iteration, attempts, pool, context, spent)
    drafts = drafts_of(attempts)
    _refuse_few(len(drafts), least, attempts, pool, iteration.folder)
    told = spent.usage.input_tokens + spent.usage.output_tokens
    return Generated(
        kind=template.name,
        drafts=drafts,
        # Sorted: an order would tell whose each is.
        problems=tuple(
            sorted([*(one.problem for one in attempts if one.problem), *(said.kind for _, said in pool.missing)])
        ),
        outlook=context.outlook,
        modified=touched_files(repository.git),
        archive=iteration.folder,
        tokens=told,
        promised=spent.tokens - told,
        usd=spent.usd,
        seconds=time.monotonic() - began,
    )


def min_drafts(config: Config, environ: Mapping[str, str]) -> int:
    """How many drafts are needed; MIN_DRAFTS wins over files, and the variable with our own prefix over it."""
    said = environ.get(MIN_DRAFTS, "").strip()
    if not said or MIN_DRAFTS_SETTING in environ:
        return config.rounds.min_drafts
    if said not in map(str, range(1, MOST_DRAFTS + 1)):
        raise MisuseError(
            f"{MIN_DRAFTS} is {said[:40]!r}, which is no whole number from 1 to {MOST_DRAFTS}",
            why="it says how many drafts are needed",
            next_step=f"unset {MIN_DRAFTS}, or give it such a number",
        )
    return int(said)


def _repository() -> Repository:
    repository = open_repository(".")
    if repository.is_bare:
        raise MisuseError(
            "a bare repository has no work tree",
            why="the settings and templates for drafts are files of one",
            next_step="the same command in a clone of it",
        )
    return repository


def _refuse_secrets(template: Template, prompt: str, search: SecretSearch) -> None:
    """What is asked goes out as it is, so it must hold no secret."""
    if len(prompt) > LONGEST_PROMPT:
        raise MisuseError(
            f"--prompt has {len(prompt):,} characters, more than {LONGEST_PROMPT:,}",
            why="it adds to a template, and is not the place for documents",
            next_step="put what is longer into a template of your own (review-gate generate --help)",
        )
    found = search.in_words([template.text, prompt])
    for name, (_, hits) in zip((template.place, "--prompt"), found, strict=True):
        if hits != []:
            what = (
                "could not be searched for secrets"
                if hits is None
                else f"holds what looks like a secret ({hits[0].rule.id})"
            )
            raise MisuseError(
                f"{name} {what}",
                why="it would be sent to every model that is asked",
                next_step="take the secret out, then the same command again",
            )


def drawn(
    generators: Sequence[ModelProvider], config: Config, repository: Repository, spend: Spend
) -> tuple[Asking, ...]:
    """The generators in an order that is drawn: it is the order of the drafts, and tells nothing."""
    prices = load_prices(layers(repository.top))
    drawn = list(generators)
    secrets.SystemRandom().shuffle(drawn)
    seconds = config.rounds.answer_seconds
    return tuple(Asking(one, prices.price(one.name, one.model), spend, seconds) for one in drawn)


def _request(template: Template, request: DraftRequest, context: RepositoryContext, least: int) -> dict[str, object]:
    return {
        "type": template.name,
        "template": {"place": template.place, "sha256": hashlib.sha256(template.text.encode()).hexdigest()},
        "prompt": request.prompt,
        "min_drafts": least,
        "context": context.outlook.model_dump(mode="json"),
    }


def _keep(
    iteration: Iteration, attempts: Sequence[Attempt], pool: Pool, context: RepositoryContext, spent: Spent
) -> None:
    """Write the drafts, and beside them, in the one file that tells names, who wrote which."""
    drafts = drafts_of(attempts)
    for draft in drafts:
        iteration.keep(f"{draft.id}.md", f"{draft.text}\n")
    letters = iter([draft.id for draft in drafts])
    iteration.keep_json(
        METADATA,
        {
            "commit": context.outlook.commit,
            "generators": [
                {"draft": next(letters) if one.is_draft else None, **one.model_dump(mode="json", exclude={"text"})}
                for one in attempts
            ],
            "missing": [
                {"provider": name, "problem": said.kind, "why": said.why, "next_step": said.next_step}
                for name, said in pool.missing
            ],
            "spent": {"tokens": spent.tokens, "usd": spent.usd, "usage": spent.usage.model_dump(mode="json")},
        },
    )
    iteration.log("finished", drafts=len(drafts))


def _refuse_few(count: int, least: int, attempts: Sequence[Attempt], pool: Pool, folder: str = "") -> None:
    """Too few drafts, or too few who could be asked for one."""
    if count >= least:
        return
    told = list(complaints(attempts, pool.missing))
    steps = list(dict.fromkeys(step for _, step in told if step))
    if count or least > 1:
        steps.append(f"{'or ' if steps else ''}set rounds.min_drafts, or {MIN_DRAFTS}, to a lower number")
    who = "draft" if folder else "generator"
    came = f"{count} {who if count == 1 else who + 's'} {'came' if folder else 'can be asked here'}"
    kept = [f"what there is stands in {os.path.relpath(folder)}"] if folder else []
    raise ReviewGateError(
        f"{came}, and {least} {'is' if least == 1 else 'are'} needed",
        why="\n".join([*(problem for problem, _ in told), *kept]) or "rounds.reviewers names nobody else",
        next_step="; ".join(steps) or "name more of them in rounds.reviewers (review-gate providers)",
    )
