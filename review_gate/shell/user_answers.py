"""Answers that belong to a user and not to a repository: about plans and prompts, which nobody else may read."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from review_gate.shell.answer_cache import AnswerCache, CachePlace
from review_gate.shell.cache_folder import cache_folder
from review_gate.shell.own_folder import make_own_folder

PLANS, PROMPTS = "plan-answers", "prompt-answers"


def answers_of_user(environ: Mapping[str, str], about: str) -> AnswerCache | None:
    """The answers that this user has kept, None where there is no place for them."""
    home = cache_folder(environ, sys.platform)
    if home is None:
        return None
    folder = os.path.join(home, about)
    try:
        make_own_folder(folder)
    except OSError:
        return None
    return AnswerCache(CachePlace(folder, folder))
