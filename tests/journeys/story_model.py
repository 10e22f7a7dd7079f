"""A model on loopback for a part of a story: it answers as a function says, and is gone when that part ends."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from journey import Journey
from modelling import Model, Says, model, nobody_missing, nothing_found


@contextlib.contextmanager
def asking(story: Journey, says: Says = nothing_found, *, gaps: Says = nobody_missing) -> Iterator[Model]:
    """Let the commands of a story ask this model."""
    before = dict(story.repo.environ)
    with model(says, gaps=gaps) as server:
        story.repo.environ.update(server.environ)
        try:
            yield server
        finally:
            for name in server.environ:
                del story.repo.environ[name]
            story.repo.environ.update(before)
