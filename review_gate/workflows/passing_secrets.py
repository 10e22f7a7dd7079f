"""Secrets in versions of files that commits hold and their result does not: a push sends those too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from review_gate.checks.alarm import Alarm, ScanResult
from review_gate.checks.applies import Page
from review_gate.checks.languages import language_of
from review_gate.checks.plan import CheckPlan
from review_gate.checks.readings import is_binary_by_beginning
from review_gate.checks.rule import REDACTED_CATEGORIES
from review_gate.checks.scan import Scan
from review_gate.checks.suppress import MARKER, without_directive
from review_gate.fingerprint import fingerprint_of
from review_gate.gate.record import EMPTY_TREES
from review_gate.globs import matches_any
from review_gate.safe_text import without_full_stop
from review_gate.shell.deadline import watch
from review_gate.shell.file_names import FileNames
from review_gate.shell.git import Git
from review_gate.shell.repository import Repository

# Of a merge the differences from each of its parents, of a first commit all of it.
EVERY_VERSION = ("-r", "-m", "--root", "-z", "--raw", "--no-renames", "--no-abbrev", "--no-commit-id", "--no-ext-diff")
WHERE = ", in a version that these commits replace"
WHY = "; these commits replace it, but a push sends every version: rewrite them (git rebase -i), and revoke it"


def passing_secrets(
    repository: Repository, settings: Mapping[str, object], plan: CheckPlan, ends: tuple[str, str]
) -> ScanResult:
    """What the secrets checks find in versions that are neither in the base nor in the result."""
    plan, git = plan.only(lambda rule: rule.category in REDACTED_CATEGORIES), repository.git
    versions = list(passing_versions(git, *ends)) if plan.rules else []
    if not versions:
        return ScanResult()
    result = _scan_of(versions, git, settings, plan).result
    alarms = [alarm for alarm in result.alarms if alarm.hit is not None]
    result.alarms = _not_elsewhere(alarms, git, settings, plan, ends) if alarms else []
    result.failures = [failure + WHERE for failure in result.failures]
    return result


def passing_versions(git: Git, base: str, commit: str) -> Iterator[tuple[str, str]]:
    """Blob and path of every version between a base and a commit that the commit itself does not have there."""
    known = [] if base in EMPTY_TREES else [f"^{base}"]
    commits = git.run("rev-list", commit, *known)
    if commits.count(b"\n") < 2:
        # All that a single commit brings is its result.
        return
    listed = git.run("rev-list", "--objects", "--filter=object:type=blob", "--filter-provided-objects", commit, *known)
    new = {line.partition(b" ")[0] for line in listed.split(b"\n")}
    # At another path the same content may be looked at by other checks, so a version is a blob and its path.
    kept = git.run("ls-tree", "-r", "-z", "--full-tree", "--format=%(objectname) %(path)", commit).split(b"\0")
    seen = {entry for entry in kept if entry.partition(b" ")[0] in new}
    for path, oid in _versions(git.run("diff-tree", "--stdin", *EVERY_VERSION, stdin=commits)):
        version = oid + b" " + path
        if oid in new and version not in seen:
            seen.add(version)
            yield oid.decode("ascii"), path.decode("utf-8", "surrogateescape")


def _versions(raw: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Path and new blob of every file and link of raw output."""
    fields = raw.split(b"\0")
    for header, path in zip(fields[0::2], fields[1::2], strict=False):
        mode, oid = header.split(b" ")[1], header.split(b" ")[3]
        if mode.startswith((b"100", b"120")):
            yield path, oid


def _scan_of(named: Sequence[tuple[str, str]], git: Git, settings: Mapping[str, object], plan: CheckPlan) -> Scan:
    """A scan of versions of files, each given by its name for git and its path."""
    exclude, limit = settings.get("exclude"), int(str(settings["max_file_bytes"]))
    unwanted = exclude if isinstance(exclude, list) else []
    wanted = [(name, path) for name, path in named if not matches_any(path, unwanted)]
    in_time = watch(float(str(settings["seconds_per_file"])))
    scan = Scan(plan, watch=in_time)
    with git.objects() as objects:
        for (_, path), found in zip(wanted, objects.read_all([name for name, _ in wanted], limit=limit), strict=True):
            if found is None:
                scan.could_not_look_at(path, "git does not have its content")
            elif found.is_cut and not is_binary_by_beginning(path, found.data):
                scan.could_not_look_at(path, f"it is larger than checks.max_file_bytes ({limit})")
            else:
                # All of it left with the commit that added it.
                scan.look_at(Page(path, found.data, is_change=True, is_new=True))
    scan.finish()
    return scan


def _not_elsewhere(
    alarms: Sequence[Alarm], git: Git, settings: Mapping[str, object], plan: CheckPlan, ends: tuple[str, str]
) -> list[Alarm]:
    """The alarms that neither the base has, which the remote knows, nor the result, which is judged by itself."""
    names = FileNames(git, *ends)
    files = {name for alarm in alarms for name in names.of(alarm.file)}
    rules = {alarm.rule for alarm in alarms}
    both = [(f"{end}:{file}", file) for file in sorted(files) for end in ends]
    scan = _scan_of(both, git, settings, plan.only(lambda rule: rule.id in rules))
    # What a comment lets pass is there as well.
    known = {(alarm.file, _identity(alarm)) for alarm in (*scan.result.alarms, *scan.suppressed)}
    fresh: dict[str, Alarm] = {}
    for alarm in alarms:
        identity = _identity(alarm)
        if not any((name, identity) in known for name in names.of(alarm.file)):
            alarm.message = without_full_stop(alarm.message) + WHY
            fresh.setdefault(alarm.fingerprint(), alarm)
    return list(fresh.values())


def _identity(alarm: Alarm) -> str:
    """What makes a finding of a file the same in another version: the check and whole lines, as in the baseline.

    A part of a line is not enough: it may be in a comment that no check looks at, or belong to another secret.
    """
    content = alarm.content()
    if MARKER in content:
        language = language_of(alarm.file)
        content = "\n".join(without_directive(line, language) for line in content.split("\n"))
    return fingerprint_of(alarm.rule, None, content)
