"""What the plan and the strictness of the checks in force depend on, as a key; a push reads it, so it stays light."""

from __future__ import annotations

import sys

from review_gate import __version__
from review_gate.shell.check_sources import (
    PLACES,
    CheckSource,
    named_sources,
    pack_sources,
    pack_stamps,
    repository_sources,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Protocol

    class _Digest(Protocol):
        def update(self, data: bytes, /) -> None: ...
        def hexdigest(self) -> str: ...


# Raise it when something else is derived from a check, or written in another way.
PLAN_FORMAT = 20
# Settings that change what the plan holds.
_TELLING = ("packs", "sources", "disable", "severity")


def sources_in_force(
    root: str, settings: Mapping[str, object], environ: Mapping[str, str], only: Sequence[str] = ()
) -> list[CheckSource]:
    """The files with checks that the configuration wants, highest priority first; `only` names all there are."""
    if only:
        from review_gate.shell.listing import label_of

        # As reports call it: a file with checks is not searched for them, however its name was typed.
        return named_sources(only, lambda path: label_of(path, root))
    return [*written_sources(root, settings, environ), *pack_sources(_packs(settings))]


def written_sources(root: str, settings: Mapping[str, object], environ: Mapping[str, str]) -> list[CheckSource]:
    """Those of them that are no shipped packs."""
    wanted = settings.get("sources")
    leave_out = [place for place in PLACES if isinstance(wanted, list) and place not in wanted]
    return repository_sources(root, environ, leave_out=leave_out)


def _packs(settings: Mapping[str, object]) -> list[str]:
    packs = settings.get("packs")
    return [str(name) for name in packs] if isinstance(packs, list) else []


def settings_for(settings: Mapping[str, object], only: Sequence[str]) -> Mapping[str, object]:
    """The settings that count: who names the files wants exactly these checks, as they are."""
    return {} if only else settings


def plan_key(written: Sequence[CheckSource], settings: Mapping[str, object]) -> str:
    """The key of the plan that these files make with the packs that the settings want.

    Packs are a part of the program: their time and size tell whether they are as they were, at a tenth of the cost.
    """
    return key_of(written, settings, pack_stamps(_packs(settings)))


def key_of(
    sources: Sequence[CheckSource], settings: Mapping[str, object], stamps: Sequence[Sequence[object]] = ()
) -> str:
    """A digest of everything that the plan depends on."""
    digest = _digest()
    told = {name: settings.get(name) for name in _TELLING}
    # The parser of `re` differs between versions of Python, and so may what is derived from a pattern.
    for part in (__version__, str(PLAN_FORMAT), sys.version, repr(told), repr(stamps)):
        digest.update(part.encode() + b"\0")
    for source in sources:
        digest.update(f"{source.form}\0{source.owner}\0{source.name}\0{source.label}\0{len(source.data)}\0".encode())
        digest.update(source.data)
    return str(digest.hexdigest())


def strictness_key(
    written: Sequence[CheckSource], settings: Mapping[str, object], baseline: bytes | None
) -> list[object]:
    """Everything that the strictness of the checks depends on, to be compared as it is.

    A push reads what a repository and its user wrote. Packs are a part of the program: their time and size do, so that
    a push does not read and hash 160 kB, and who has no checks and no baseline does not even pay for a hash.
    """
    told: list[object] = [__version__, PLAN_FORMAT, *(settings.get(name) for name in _TELLING)]
    files = [[source.form, source.owner, source.name, source.label, digest_of(source.data)] for source in written]
    return [told, files, pack_stamps(_packs(settings)), None if baseline is None else digest_of(baseline)]


def digest_of(data: bytes) -> str:
    """A digest of some bytes."""
    digest = _digest()
    digest.update(data)
    return str(digest.hexdigest())


def _digest() -> _Digest:
    try:
        # What `hashlib` would hand out, without the 3 ms that its import takes.
        from _blake2 import blake2b
    except ImportError:
        from hashlib import blake2b
    digest: _Digest = blake2b(digest_size=32)
    return digest
