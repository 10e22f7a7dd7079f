"""The messages and names of commits under review: --no-verify goes around the hook, and no hook looks at names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from review_gate.checks.alarm import Alarm, ScanResult
from review_gate.checks.applies import Page
from review_gate.checks.commit_text import HEADER_BYTES, header_texts, message_of, readings, said_once
from review_gate.checks.languages import TEXT
from review_gate.checks.plan import CheckPlan
from review_gate.checks.rule import COMMIT_MESSAGE, REDACTED_CATEGORIES
from review_gate.checks.scan import Scan
from review_gate.gate.record import EMPTY_TREES, short
from review_gate.shell.check_sources import KnownElsewhere
from review_gate.shell.deadline import watch
from review_gate.shell.git import Git
from review_gate.shell.repository import Repository

REWORD = "reword that commit: git commit --amend, or git rebase -i"
REMAKE = "make that commit anew: mend user.name or user.email, then git commit --amend --reset-author, or git rebase -i"


def scan_messages(
    repository: Repository, settings: Mapping[str, object], plan: CheckPlan, ends: tuple[str, str]
) -> ScanResult:
    """What the checks for messages say of every commit from a base on; its findings are in no file."""
    is_elsewhere, plan = KnownElsewhere(settings, {rule.id for rule in plan.rules}), plan.for_messages()
    if not plan.rules:
        return ScanResult()
    limit = int(str(settings["max_file_bytes"]))
    in_time = watch(float(str(settings["seconds_per_file"])))
    scan = Scan(plan, watch=in_time, is_elsewhere=is_elsewhere)
    secrets = plan.only(lambda rule: rule.category in REDACTED_CATEGORIES)
    headers = _Headers(Scan(secrets, watch=in_time, is_elsewhere=is_elsewhere), secrets)
    for commit, data in _commits(repository.git, *ends, limit + HEADER_BYTES):
        name = f"the message of {short(commit)}"
        message = None if data is None else message_of(data)
        if data is None or message is None or len(message[0]) > limit:
            scan.could_not_look_at(name, f"it is larger than checks.max_file_bytes ({limit})")
        else:
            headers.look_at(commit, data, message[1])
            for text in readings(*message):
                scan.look_at(Page(name, text, TEXT, place=COMMIT_MESSAGE))
    result, of_headers = scan.finish(), headers.scan.finish()
    for alarm in result.alarms:
        alarm.file += f", line {alarm.line}"
    result.alarms = [*_in_no_file(result.alarms, REWORD), *_in_no_file(of_headers.alarms, REMAKE)]
    result.failures = list(dict.fromkeys([*result.failures, *of_headers.failures]))
    return result


class _Headers:
    """Secrets in the rest of the commits, which leaves with them: names, addresses, messages of merged tags."""

    def __init__(self, scan: Scan, plan: CheckPlan) -> None:
        self.scan = scan
        self.plan = plan
        # The same few people make most commits.
        self.harmless: set[tuple[bytes, str]] = set()

    def look_at(self, commit: str, data: bytes, encoding: str) -> None:
        """Look at the header of a raw commit."""
        for what, text in header_texts(data):
            if (text, encoding) in self.harmless:
                continue
            found = readings(text, encoding)
            if not any(map(self.plan.may_match, found)):
                self.harmless.add((text, encoding))
                continue
            for reading in found:
                self.scan.look_at(Page(f"{what} of {short(commit)}", reading, TEXT, place=COMMIT_MESSAGE))


def _in_no_file(alarms: list[Alarm], fix: str) -> list[Alarm]:
    """The alarms, each once and with its place among its words."""
    found = said_once(alarms)
    for alarm in found:
        alarm.message = f"{alarm.file}: {alarm.message}"
        alarm.file, alarm.fix = "", fix
    return found


def _commits(git: Git, base: str, commit: str, limit: int) -> Iterator[tuple[str, bytes | None]]:
    """Commits that are not in the base, each as git keeps it; None for one that is too large."""
    known = [] if base in EMPTY_TREES else [f"^{base}"]
    commits = git.run("rev-list", commit, *known).decode("ascii").split()
    with git.objects() as objects:
        for one, found in zip(commits, objects.read_all(commits, limit=limit), strict=True):
            yield one, None if found is None or found.is_cut else found.data
