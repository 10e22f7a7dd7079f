"""The record of the last review of each plan, in the user's cache: what is damaged there counts as never written."""

from __future__ import annotations

import json
import re

from pydantic import ValidationError

from review_gate.plans.last_review import LastReview, ReviewRecord
from review_gate.shell.files import UnsafeFileError, read_plain_file, replace_file
from review_gate.shell.kept_files import kept_files, remove, surplus
from review_gate.shell.own_folder import is_own_folder, make_own_folder
from review_gate.shell.plan_folder import PlanFolder
from review_gate.strict_json import StrictJsonError, parse

MAX_RECORD_BYTES = 8_000_000
# Of each plan there is a record, and a log where it was reviewed in the background.
MOST_FILES = 1_000
MOST_BYTES = 50_000_000
# A record that is another one at each look belongs to reviews that follow each other at once.
MOST_LOOKS = 5
_FILE = re.compile(r"[0-9a-f]{32}\.(?:json|log)")


def keep_record(folder: PlanFolder, record: ReviewRecord) -> None:
    """Keep the record of the review that is under way; of too many plans the oldest go."""
    data = json.dumps(record.model_dump(mode="python"), indent=1).encode("ascii") + b"\n"
    make_records_folder(folder)
    replace_file(folder.record, data, scratch=folder.records, mode=0o600, outlasts_crash=False)
    files = kept_files([folder.records], _FILE)
    remove(surplus(files, most=MOST_FILES, most_bytes=MOST_BYTES, spare=folder.record))


def make_records_folder(folder: PlanFolder) -> None:
    """Make the folder of the records; one that others can write to is refused."""
    make_own_folder(folder.records)


def record_of(folder: PlanFolder) -> ReviewRecord | None:
    """What is kept of the last review of a plan, None where nothing is that can be used."""
    try:
        data = read_plain_file(folder.record, MAX_RECORD_BYTES) if is_own_folder(folder.records) else None
        return None if data is None else ReviewRecord.model_validate(parse(data))
    except (OSError, UnsafeFileError, StrictJsonError, ValidationError):
        return None


def last_review(folder: PlanFolder) -> LastReview | None:
    """The last review of a plan as it is now, None where nothing is known of any; nothing is written."""
    record = record_of(folder)
    for _ in range(MOST_LOOKS):
        if folder.is_under_way():
            return LastReview("running", record if record is not None and record.ended is None else None)
        if record is None or record.ended is not None:
            break
        # It may have ended between the two looks; only if nothing else was written until now, nobody will.
        again = record_of(folder)
        if again == record:
            return LastReview("lost", record)
        record = again
    return LastReview("ended", record) if record is not None and record.ended is not None else None
