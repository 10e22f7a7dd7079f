"""The plan of the checks in force, kept in the git directory: made once, read by every hook and scan."""

from __future__ import annotations

import sys

from review_gate import __version__
from review_gate.checks.plan import CheckPlan, plan_from_plain
from review_gate.shell.check_sources import PLACES, CheckSource, named_sources, pack_source, repository_sources
from review_gate.shell.files import UnsafeFileError, read_plain_file, replace_file
from review_gate.strict_json import StrictJsonError, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from review_gate.shell.repository import Repository

CACHE_NAME = "checks.json"
NAMED_CACHE_NAME = "checks-named.json"
MAX_CACHE_BYTES = 64_000_000
# Raise it when something else is derived from a check, or written in another way.
PLAN_FORMAT = 5
# Settings that change what the plan holds.
_TELLING = ("packs", "sources", "disable", "severity")


def sources_in_force(
    root: str, settings: Mapping[str, object], environ: Mapping[str, str], only: Sequence[str] = ()
) -> list[CheckSource]:
    """The files with checks that the configuration wants, highest priority first; `only` names all there are."""
    if only:
        from review_gate.shell.scan_pages import label_of

        # As reports call it: a file with checks is not searched for them, however its name was typed.
        return named_sources(only, lambda path: label_of(path, root))
    packs, wanted = settings.get("packs"), settings.get("sources")
    leave_out = [place for place in PLACES if isinstance(wanted, list) and place not in wanted]
    found = repository_sources(root, environ, leave_out=leave_out)
    return [*found, *(pack_source(str(name)) for name in (packs if isinstance(packs, list) else ()))]


def settings_for(settings: Mapping[str, object], only: Sequence[str]) -> Mapping[str, object]:
    """The settings that count: who names the files wants exactly these checks, as they are."""
    return {} if only else settings


def key_of(sources: Sequence[CheckSource], settings: Mapping[str, object]) -> str:
    """A digest of everything that the plan depends on."""
    digest = _digest()
    told = {name: settings.get(name) for name in _TELLING}
    # The parser of `re` differs between versions of Python, and so may what is derived from a pattern.
    for part in (__version__, str(PLAN_FORMAT), sys.version, repr(told)):
        digest.update(part.encode() + b"\0")
    for source in sources:
        digest.update(f"{source.form}\0{source.owner}\0{source.label}\0{len(source.data)}\0".encode())
        digest.update(source.data)
    return str(digest.hexdigest())


def _digest() -> _Digest:
    try:
        # What `hashlib` would hand out, without the 3 ms that its import takes.
        from _blake2 import blake2b
    except ImportError:
        from hashlib import blake2b
    digest: _Digest = blake2b(digest_size=32)
    return digest


if TYPE_CHECKING:
    from typing import Protocol

    class _Digest(Protocol):
        def update(self, data: bytes, /) -> None: ...
        def hexdigest(self) -> str: ...


def read_plan(repository: Repository, key: str, *, is_named: bool = False) -> CheckPlan | None:
    """The kept plan if it was made from exactly these sources and settings, else None."""
    try:
        data = read_plain_file(_path(repository, is_named=is_named), MAX_CACHE_BYTES)
        document = parse(data) if data else None
    except (UnsafeFileError, StrictJsonError):
        return None
    if not isinstance(document, dict) or document.get("key") != key:
        return None
    return plan_from_plain(document.get("plan"))


def write_plan(repository: Repository, key: str, plan: CheckPlan, *, is_named: bool = False) -> None:
    """Keep a plan; where that cannot be done, the next scan makes it again."""
    import json

    data = json.dumps({"key": key, "plan": plan.plain()}).encode("ascii")
    try:
        replace_file(_path(repository, is_named=is_named), data, scratch=repository.scratch)
    except OSError:
        return


def _path(repository: Repository, *, is_named: bool) -> str:
    return repository.own_path(NAMED_CACHE_NAME if is_named else CACHE_NAME)
