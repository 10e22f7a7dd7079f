"""The message of a commit that inherits a review of the index, which was made before there was a message."""

from __future__ import annotations

from review_gate.checks.commit_text import HEADER_BYTES, message_of, readings
from review_gate.severity import BLOCKING
from review_gate.workflows.message_checks import scan_message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from review_gate.shell.git import ObjectReader
    from review_gate.shell.repository import Repository


def problems_in_message(
    repository: Repository, objects: ObjectReader, settings: Mapping[str, object], commit: str
) -> tuple[str, ...]:
    """What a run on the commit would have against its message; what could not be looked at has not passed either."""
    if not settings.get("enabled"):
        return ()
    limit = int(str(settings["max_file_bytes"]))
    found = objects.read(commit, limit=limit + HEADER_BYTES)
    told = message_of(found.data) if found is not None and not found.is_cut else None
    if told is None or len(told[0]) > limit:
        return (f"it is larger than checks.max_file_bytes ({limit})",)
    result = scan_message(repository, settings, readings(*told))
    if result is None:
        return ()
    blocking = [alarm for alarm in result.alarms if alarm.severity in BLOCKING]
    return (*(f"line {alarm.line}: {alarm.message}" for alarm in blocking), *result.failures)
