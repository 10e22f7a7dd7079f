"""Which domains a path belongs to."""

from __future__ import annotations

from collections.abc import Sequence

from review_gate.globs import matches_any
from review_gate.pipeline.config_schema import DomainMapping


class DomainIndex:
    """The domains of paths by the globs of the mappings."""

    def __init__(self, mappings: Sequence[DomainMapping]) -> None:
        self._globs: dict[str, tuple[str, ...]] = {}
        for mapping in mappings:
            self._globs[mapping.domain] = (*self._globs.get(mapping.domain, ()), *mapping.globs)

    def domains_of(self, path: str) -> tuple[str, ...]:
        """The domains of one path, in the order of the mappings."""
        return tuple(domain for domain, globs in self._globs.items() if matches_any(path, globs))
