"""The fingerprint of the settings that decide how strict a review is."""

from __future__ import annotations

import hashlib
import json

from review_gate.config.schema import Config
from review_gate.embedded import EMBEDDED, section_of

# Raise it when the built-in reviewers become stricter: reviews made under an older number no longer count.
POLICY_VERSION = 4

# Time and output limits belong here because cutting a command short can hide what it would have found.
_LIMITS = {"max_file_bytes", "max_output_bytes", "command_seconds"}
# Caps and the time for an answer do not: who is not asked, or does not answer, has not voted.
_MODELS = {"use", "providers", "names", "gaps", "coverage", "second_pass", "max_output_tokens"}
_STRICTNESS = {"limits": _LIMITS, "models": _MODELS} | dict.fromkeys(
    (*map(section_of, EMBEDDED), "commands", "test_command", "assurance"), True
)


def strictness_of(config: Config, pipeline: str = "") -> str:
    """SHA-256 of the canonical JSON of everything that can make a review milder or stricter.

    `pipeline` stands for the project's own rules, reviewers and policies.
    """
    document = {"policy_version": POLICY_VERSION, "pipeline": pipeline} | config.model_dump(
        mode="json", include=_STRICTNESS
    )
    canonical = json.dumps(document, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()
