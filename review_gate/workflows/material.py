"""What of a change is shown to models, and to the subagents of a session: without secrets, and cut only then."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from review_gate.shell.change_text import as_shown, changed_texts, commit_messages, messages_by_path
from review_gate.shell.model_panel import Material
from review_gate.workflows.withheld import ToSearch, without_secrets

if TYPE_CHECKING:
    from review_gate.workflows.prepare import Prepared

# Long enough that nobody guesses it, short enough to be repeated.
NONCE_BYTES = 8


def material_of(prepared: Prepared) -> Material:
    """All that can be shown of the change of a run."""
    repository, settings = prepared.repository, prepared.loaded.config
    shown = without_secrets(
        ToSearch(repository.git, prepared.changes, prepared.checks, settings.checks),
        changed_texts(repository.git, prepared.subject, prepared.changes),
        commit_messages(repository.git, prepared.subject),
    )
    # Cut off only now: of half a secret nobody would see that it is one.
    messages, are_messages_cut = as_shown(shown.messages)
    return Material(
        files=shown.files,
        messages=messages,
        are_messages_cut=are_messages_cut,
        nonce=secrets.token_hex(NONCE_BYTES),
        policy=prepared.policy.policy,
        prompts=prepared.stages.prompts,
        withheld=shown.withheld,
        claims=messages_by_path(repository.git, prepared.subject) if settings.models.second_pass else {},
    )
