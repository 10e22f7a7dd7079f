"""Secrets in versions of files that commits hold and their result does not: a push sends those too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from review_gate.checks.alarm import Alarm, ScanResult
from review_gate.checks.applies import Page
from review_gate.checks.plan import CheckPlan
from review_gate.checks.readings import is_binary_by_beginning
from review_gate.checks.rule import REDACTED_CATEGORIES, Hit
from review_gate.checks.scan import Scan
from review_gate.gate.record import EMPTY_TREES
from review_gate.globs import matches_any
from review_gate.safe_text import without_full_stop
from review_gate.shell.deadline import watch
from review_gate.shell.git import Git
from review_gate.shell.repository import Repository
from review_gate.workflows.scan import judge_within

# Of a merge the differences from each of its parents, of a first commit all of it.
EVERY_VERSION = ("-r", "-m", "--root", "-z", "--raw", "--no-renames", "--no-abbrev", "--no-commit-id", "--no-ext-diff")
WHERE = ", in a version that these commits replace"
WHY = "; these commits replace it, but a push sends every version: rewrite them (git rebase -i), and revoke it"


def passing_secrets(
    repository: Repository, settings: Mapping[str, object], plan: CheckPlan, ends: tuple[str, str]
) -> ScanResult:
    """What the secrets checks find in versions that are neither in the base nor in the result."""
    plan = plan.only(lambda rule: rule.category in REDACTED_CATEGORIES)
    if not plan.rules:
        return ScanResult()
    exclude, limit = settings.get("exclude"), int(str(settings["max_file_bytes"]))
    versions = [
        (oid, path)
        for oid, path in passing_versions(repository.git, *ends)
        if not matches_any(path, exclude if isinstance(exclude, list) else [])
    ]
    if not versions:
        return ScanResult()
    in_time = watch(float(str(settings["seconds_per_file"])))
    scan = Scan(plan, judge=judge_within(in_time), watch=in_time)
    with repository.git.objects() as objects:
        for (_, path), found in zip(versions, objects.read_all([oid for oid, _ in versions], limit=limit), strict=True):
            if found is None:
                scan.could_not_look_at(path, "git does not have its content")
            elif found.is_cut and not is_binary_by_beginning(path, found.data):
                scan.could_not_look_at(path, f"it is larger than checks.max_file_bytes ({limit})")
            else:
                # All of it left with the commit that added it.
                scan.look_at(Page(path, found.data, is_change=True, is_new=True))
    result = scan.finish()
    result.alarms = _not_elsewhere(repository.git, result.alarms, ends)
    result.failures = [failure + WHERE for failure in result.failures]
    return result


def passing_versions(git: Git, base: str, commit: str) -> Iterator[tuple[str, str]]:
    """Blob and path of every version between a base and a commit that is not in the commit itself."""
    known = [] if base in EMPTY_TREES else [f"^{base}"]
    listed = git.run("rev-list", "--objects", "--filter=object:type=blob", "--filter-provided-objects", commit, *known)
    kept = set(git.run("ls-tree", "-r", "-z", "--format=%(objectname)", commit).split(b"\0"))
    passing = {line.partition(b" ")[0] for line in listed.split(b"\n")} - kept - {b""}
    if not passing:
        return
    # A list of objects names one path of each; the same content at another may be looked at by other checks.
    commits = git.run("rev-list", commit, *known)
    seen = set()
    for path, oid in _versions(git.run("diff-tree", "--stdin", *EVERY_VERSION, stdin=commits)):
        if oid in passing and (oid, path) not in seen:
            seen.add((oid, path))
            yield oid.decode("ascii"), path.decode("utf-8", "surrogateescape")


def _versions(raw: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Path and new blob of every file and link of raw output."""
    fields = raw.split(b"\0")
    for header, path in zip(fields[0::2], fields[1::2], strict=False):
        mode, oid = header.split(b" ")[1], header.split(b" ")[3]
        if mode.startswith((b"100", b"120")):
            yield path, oid


def _told(alarm: Alarm, hit: Hit) -> str:
    """What must be there for a finding to be the same one: its line, or all lines of a longer match."""
    return hit.text if hit.end_line > hit.line else alarm.source_line


def _not_elsewhere(git: Git, alarms: list[Alarm], ends: tuple[str, str]) -> list[Alarm]:
    """The alarms whose line neither the base has, which the remote knows, nor the result, which is scanned itself."""
    with git.objects() as objects:
        texts: dict[str, bytes] = {}
        for file in {alarm.file for alarm in alarms}:
            found = [objects.read(f"{end}:{file}") for end in ends]
            texts[file] = b"\n".join(one.data for one in found if one is not None)
    fresh = [
        alarm
        for alarm in alarms
        if alarm.hit is not None and _told(alarm, alarm.hit).encode("utf-8", "surrogateescape") not in texts[alarm.file]
    ]
    for alarm in fresh:
        alarm.message = without_full_stop(alarm.message) + WHY
    return list({alarm.fingerprint(): alarm for alarm in fresh}.values())
