"""The messages of commits under review: the commit hook looks at each of them, but --no-verify goes around it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from review_gate.checks.alarm import ScanResult
from review_gate.checks.applies import Page
from review_gate.checks.commit_text import HEADER_BYTES, message_of, readings, said_once
from review_gate.checks.languages import TEXT
from review_gate.checks.plan import CheckPlan
from review_gate.checks.rule import COMMIT_MESSAGE
from review_gate.checks.scan import Scan
from review_gate.gate.record import EMPTY_TREES, short
from review_gate.shell.check_sources import KnownElsewhere
from review_gate.shell.deadline import watch
from review_gate.shell.git import Git
from review_gate.shell.repository import Repository
from review_gate.workflows.scan import judge_within

REWORD = "reword that commit: git commit --amend, or git rebase -i"


def scan_messages(
    repository: Repository, settings: Mapping[str, object], plan: CheckPlan, ends: tuple[str, str]
) -> ScanResult:
    """What the checks for messages say of every commit from a base on; its findings are in no file."""
    is_elsewhere, plan = KnownElsewhere(settings, {rule.id for rule in plan.rules}), plan.for_messages()
    if not plan.rules:
        return ScanResult()
    limit = int(str(settings["max_file_bytes"]))
    in_time = watch(float(str(settings["seconds_per_file"])))
    scan = Scan(plan, judge=judge_within(in_time), watch=in_time, is_elsewhere=is_elsewhere)
    for commit, message in _messages(repository.git, *ends, limit + HEADER_BYTES):
        name = f"the message of {short(commit)}"
        if message is None or len(message[0]) > limit:
            scan.could_not_look_at(name, f"it is larger than checks.max_file_bytes ({limit})")
        else:
            for text in readings(*message):
                scan.look_at(Page(name, text, TEXT, place=COMMIT_MESSAGE))
    result = scan.finish()
    result.alarms, result.failures = said_once(result.alarms), list(dict.fromkeys(result.failures))
    for alarm in result.alarms:
        alarm.message = f"{alarm.file}, line {alarm.line}: {alarm.message}"
        alarm.file, alarm.fix = "", REWORD
    return result


def _messages(git: Git, base: str, commit: str, limit: int) -> Iterator[tuple[str, tuple[bytes, str] | None]]:
    """Commits that are not in the base, each with its message and the encoding of that."""
    known = [] if base in EMPTY_TREES else [f"^{base}"]
    commits = git.run("rev-list", commit, *known).decode("ascii").split()
    with git.objects() as objects:
        for one, found in zip(commits, objects.read_all(commits, limit=limit), strict=True):
            yield one, None if found is None or found.is_cut else message_of(found.data)
