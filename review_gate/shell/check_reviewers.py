"""The check engine as two reviewers of a run: one scan, made by a child that can be stopped, and two opinions of it."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from review_gate.checks.rule import Rule
from review_gate.embedded import LOOP_OF
from review_gate.models import Finding, Severity, Subject
from review_gate.ports import Outcome
from review_gate.severity import BLOCKING
from review_gate.shell.process import Commands
from review_gate.shell.repository import Repository
from review_gate.shell.spawn import Started
from review_gate.shell.worker import start_worker
from review_gate.strict_json import StrictJsonError, parse


class ScanProcess:
    """A process for one scan, started ahead of time: while a run is planned it imports what it needs, and waits."""

    def __init__(self, repository: Repository) -> None:
        self._places = (repository.top, repository.git_dir, repository.common_dir)
        self._ready: Started | None = None

    def get_ready(self) -> None:
        """Start it now; what goes wrong with that is told to who asks for a scan."""
        with contextlib.suppress(OSError):
            self._ready = self._start()

    def take(self) -> Started:
        """The process, for the one question that it answers."""
        started, self._ready = self._ready, None
        return started or self._start()

    def close(self) -> None:
        """End it if nobody had a question."""
        if self._ready is not None:
            self.take().abandon()

    def _start(self) -> Started:
        return start_worker("scan", *self._places)


class SharedScan:
    """The scan of a change, made when the first of the reviewers asks.

    Reviewers run in threads, of which only one at a time does any work, so the scan has a process of its own.
    """

    def __init__(
        self,
        process: ScanProcess,
        subject: Subject,
        policy: str,
        seconds: float,
        commands: Commands,
        *,
        rules: Mapping[str, Sequence[Rule]] | None = None,
    ) -> None:
        self._rules = rules or {}
        self._agent_of = {rule.id: agent for agent, found in self._rules.items() for rule in found}
        self._process = process
        self._subject = subject
        self._policy = policy
        self._seconds = seconds
        self._commands = commands
        self._lock = threading.Lock()
        self._answer: dict[str, Any] | None = None
        self._problem = ""

    def opinion_of(self, reviewer: str) -> Outcome:
        """What the checks of one loop say, beside those of the pipeline's reviewers."""
        loop = LOOP_OF[reviewer]
        return self._opinion(
            reviewer, lambda one: one["loop"] == loop and one["rule"] not in self._agent_of, has_notes=True
        )

    def opinion_of_agent(self, agent: str, files: Collection[str] | None) -> Outcome:
        """What the checks of one of the pipeline's reviewers say of some files, or of all."""
        wanted = None if files is None else frozenset(files)
        return self._opinion(
            agent,
            lambda one: self._agent_of.get(one["rule"]) == agent and (wanted is None or one["file"] in wanted),
            has_notes=False,
        )

    def _opinion(self, reviewer: str, is_wanted: Callable[[dict[str, Any]], bool], *, has_notes: bool) -> Outcome:
        with self._lock:
            if self._answer is None and not self._problem:
                self._scan()
        if self._answer is None:
            return Outcome(could_not_run=self._problem)
        findings = [one for one in self._answer["findings"] if is_wanted(one)]
        failures = self._answer["failures"]
        return Outcome(
            findings=tuple(_finding(reviewer, one) for one in findings),
            could_not_run="; ".join(failures[:3]) + (f" and {len(failures) - 3} more" if len(failures) > 3 else ""),
            detail="; ".join(self._answer["notes"]) if has_notes else "",
            is_of_commits=_are_of_commits([one for one in findings if one["severity"] in BLOCKING]),
        )

    def _question(self) -> bytes:
        subject = self._subject
        ends = (subject.base, subject.tree, subject.commit or "")
        rules = [rule.plain() for found in self._rules.values() for rule in found]
        return json.dumps([*ends, self._policy, rules]).encode("ascii")

    def _scan(self) -> None:
        try:
            started = self._process.take()
            with self._commands.ended_by_interrupt(started.end):
                code, output, errors = started.finish(self._question(), self._seconds)
            answer = parse(output) if code == 0 else None
        except TimeoutError:
            self._problem = f"the scan did not end within {self._seconds:g} seconds (limits.command_seconds)"
            return
        except (OSError, StrictJsonError) as error:
            self._problem = f"the scan failed: {error}"
            return
        if isinstance(answer, dict):
            self._answer = answer
        else:
            # Of a traceback the last line tells most.
            said = errors.decode("utf-8", "replace").strip().rpartition("\n")[2]
            self._problem = said[-500:] or f"the scan ended with code {code}"


class CheckReviewer:
    """The checks of one loop."""

    is_required = True

    def __init__(self, name: str, shared: SharedScan) -> None:
        self.id = name
        self._shared = shared

    def review(self) -> Outcome:
        """Its part of the shared scan."""
        return self._shared.opinion_of(self.id)


def _are_of_commits(blocking: list[dict[str, Any]]) -> bool:
    return bool(blocking) and all(one["of_commits"] for one in blocking)


def _finding(reviewer: str, fields: dict[str, Any]) -> Finding:
    return Finding(
        id=f"{fields['rule']}-{fields['fingerprint'][:8]}",
        rule=fields["rule"],
        severity=Severity(fields["severity"]),
        category=fields["category"],
        message=fields["message"],
        file=fields["file"],
        line=fields["line"],
        column=fields["column"],
        evidence=fields["evidence"],
        recommendation=fields["fix"] or "",
        reviewer=reviewer,
        fingerprint=fields["fingerprint"],
    )
