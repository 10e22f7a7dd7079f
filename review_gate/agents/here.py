"""The facts of this machine, each looked up when it is asked for; and what an answer wants done."""

from __future__ import annotations

import os

from review_gate.agents.answer import COUNT_STOP, FORGET_STOPS, KEEP_PROMPT, KEEP_TYPED
from review_gate.agents.facts import INTACT, MISSING, NEVER_INSTALLED, GateAnswer, Round
from review_gate.commandline.acts import UNKNOWN
from review_gate.errors import MisuseError, ReviewGateError
from review_gate.safe_text import written_out

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from review_gate.agents.answer import Effect
    from review_gate.agents.event import Edits
    from review_gate.gate.decision import Decision
    from review_gate.shell.repository import Repository

MOST_FILES = 200
# Agents wait for 20; then they let through what was to be judged.
MOST_SECONDS = 15
PROMPT_SWITCH = "PROMPT_REVIEW_ENABLED"
PUSH_HOOK = "pre-push"
# Why, and what to type.
HOOKLESS = (
    "git's own pre-push hook, which judges every ref of a push, does not run here",
    "review-gate install, and the same push again",
)
UNOPENED = (
    "it is broken or belongs to somebody else, and nobody can say whether its commits were reviewed",
    "git status says what is wrong with it",
)
NOTHING_TO_REVIEW = {"problem": "there is no git repository here, so there is nothing to review"}
UNSEEN = "git does not open this repository, so nobody can say whether its hooks run"
DOCTOR = "review-gate doctor"
OFF = ("false", "0", "no", "off")
ROUND_PLACES = {"code-diff": "code", "plan": "plan", "artifact": "artifact"}


class Here:
    """What is so on this machine, as the hook of an agent sees it."""

    def __init__(self, agent: str, environ: Mapping[str, str]) -> None:
        self._agent = agent
        self._environ = environ
        self._known: dict[str, Repository | None] = {}
        self._hooks: dict[str, str] = {}
        self._is_timed = False

    def head_gate(self, folder: str) -> GateAnswer | None:
        """What the gate says to the commit that is checked out, None where no repository is."""
        repository = self._repository(folder)
        if repository is None:
            return _shut(folder)
        from review_gate.workflows.policy import policy_in_force
        from review_gate.workflows.verify import judge_commit, resolve

        return _told(judge_commit(repository, resolve(repository, "HEAD"), policy_in_force(repository)))

    def push_hook(self, folder: str) -> str:
        """Whether git asks the gate at a push from there: INTACT, MISSING, or NEVER_INSTALLED."""
        if folder not in self._hooks:
            self._hooks[folder] = self._look_at_hook(folder)
        return self._hooks[folder]

    def _look_at_hook(self, folder: str) -> str:
        found = self._begin(folder)
        # Git looks while Python imports; each takes some milliseconds.
        from review_gate.shell.guarded import home_of, was_installed
        from review_gate.workflows.protection import lost_protection

        repository = found()
        if repository is None:
            home = home_of(os.path.expanduser(folder) or ".")
            is_ours = home is not None and was_installed(home, os.path.join(home, ".git"))
            return MISSING if is_ours else NEVER_INSTALLED
        if not lost_protection(repository, (PUSH_HOOK,)):
            return INTACT
        return MISSING if was_installed(repository.top, repository.common_dir) else NEVER_INSTALLED

    def push_gate(self, folder: str, arguments: Sequence[str]) -> GateAnswer | None:
        """What the gate says to `git push ARGUMENTS` without git's hook, None if nothing would leave."""
        from review_gate.workflows.planned_push import MoreThanHeadError, judge_planned_push

        repository = self._repository(folder)
        if repository is None:
            return _shut(folder)
        try:
            decision = judge_planned_push(repository, arguments)
        except MoreThanHeadError:
            return _closed("this push may send more than the branch that is checked out", *HOOKLESS)
        return None if decision is None else _told(decision)

    def open_submodules(self, folder: str) -> Sequence[str]:
        """The submodules from which git pushes without asking the gate, each in words."""
        repository = self._repository(folder)
        if repository is None:
            return ()
        from review_gate.shell.submodules import submodule_tops

        tops = [top for top in submodule_tops(repository.git, repository.top) if self.lost_protection(top)]
        return [f"{os.path.relpath(top, repository.top)} is a submodule that is not gated ({DOCTOR})" for top in tops]

    def aliases(self, folder: str) -> Mapping[str, str]:
        """The aliases of git there."""
        from review_gate.shell.git import Git

        listed = Git(os.path.expanduser(folder) or ".").line("config", "--null", "--get-regexp", r"^alias\.") or ""
        settings = (setting.partition("\n") for setting in listed.split("\0"))
        return {name.removeprefix("alias."): value for name, _, value in settings if name}

    def guarded_name(self, path: str, folder: str) -> str:
        """What of ours a path is, in words, or nothing."""
        from review_gate.shell.guarded import guarded_name, home_of, was_installed

        absolute = _absolute(path, folder)
        name, is_of_repository = guarded_name(absolute, self._environ)
        if not name or not is_of_repository:
            return name
        home = home_of(absolute)
        repository = self._repository(home or folder)
        common_dir = repository.common_dir if repository is not None else os.path.join(home or folder, ".git")
        return name if was_installed(home or folder, common_dir) else ""

    def keeps_registration(self, path: str, edits: Edits, folder: str) -> bool:
        """Whether a file would go on registering our hooks as it does now."""
        from review_gate.shell.guarded import home_of, keeps_registration

        absolute = _absolute(path, folder)
        repository = self._repository(home_of(absolute) or folder)
        return keeps_registration(absolute, edits.applied_to, repository, self._environ)

    def plan_problem(self, plan: str, path: str, folder: str) -> tuple[str, str]:
        """Why exactly this plan is not approved, and what to type; nothing where it is."""
        from review_gate.workflows.plan_record import approval_problem

        self._time()
        os.chdir(folder or ".")
        return approval_problem(plan, path, self._environ)

    def rounds(self, folder: str, session: str) -> Sequence[Round]:
        """The reviews in rounds of this work tree that are not over, and that no other session began."""
        repository = self._repository(folder)
        if repository is None:
            return ()
        from review_gate.shell.settled_rounds import open_states

        return [
            _round_of(state)
            for state in open_states(repository.common_dir)
            if state.get("session") in (None, "", session) and state.get("worktree") == written_out(repository.top)
        ]

    def stops(self, session: str, last_words: str) -> int:
        """How often this session was kept from stopping since its last prompt, before it said these words."""
        from review_gate.shell.stop_counts import StopCounts

        return StopCounts(self._environ).of(self._agent, session, last_words)

    def stop_limit(self, folder: str) -> int:
        """How often it may be."""
        repository = self._repository(folder)
        from review_gate.workflows.policy import settings_in_force

        settings = settings_in_force(repository).section("agents") if repository is not None else {}
        return int(str(settings.get("stop_limit") or 0))

    def review_scope(self, folder: str, base: str) -> Mapping[str, object]:
        """What a review would be about: base, commit, changed files."""
        repository = self._repository(folder)
        if repository is None:
            shut = _shut(folder)
            said = shut.document if shut is not None else {}
            return {"problem": said["message"], "why": said["why"], "next": said["next"]} if said else NOTHING_TO_REVIEW
        from review_gate.workflows.review_scope import scope_of_review

        try:
            return scope_of_review(repository, base or None, most=MOST_FILES)
        except ReviewGateError as error:
            return {"problem": error.what, "why": error.why, "next": error.next_step}

    def lost_protection(self, folder: str) -> Sequence[str]:
        """What of git's own hooks is missing there, each in words."""
        repository = self._repository(folder)
        if repository is None:
            return () if _shut(folder) is None else (UNSEEN,)
        from review_gate.workflows.protection import lost_protection

        return lost_protection(repository)

    def lost_registration(self, folder: str) -> Sequence[str]:
        """What of our registration with this agent is missing, of all that was installed here."""
        from review_gate.shell.guarded import lost_registration

        return lost_registration(self._agent, self._repository(folder), self._environ)

    def reviews_prompts(self) -> bool:
        """Whether the user has not switched the review of prompts off."""
        return self._environ.get(PROMPT_SWITCH, "").strip().lower() not in OFF

    def prompt_name(self, session: str, turn: str, prompt: str) -> str:
        """A name for a prompt that is to be kept, which nobody guesses; the same where we are asked twice about one."""
        from review_gate.shell.prompt_store import id_of, new_id

        return id_of(self._agent, session, turn, prompt) if turn else new_id()

    def perform(self, effect: Effect) -> None:
        """Do what an answer wants done before it is given."""
        kind, name, text = effect
        if kind in (KEEP_PROMPT, KEEP_TYPED):
            from review_gate.workflows.prompt_finish import keep_request

            keep_request(name, text, "!!!" if kind == KEEP_PROMPT else "/prompt-review", self._environ)
            return
        from review_gate.shell.stop_counts import StopCounts

        counts = StopCounts(self._environ)
        if kind == COUNT_STOP:
            counts.add(self._agent, name, text)
        elif kind == FORGET_STOPS:
            counts.forget(self._agent, name)

    def leave_heartbeat(self, folder: str) -> None:
        """Note that the agent has called."""
        repository = self._repository(folder)
        if repository is not None:
            from time import time

            from review_gate.shell.heartbeat import leave_heartbeat

            leave_heartbeat(repository, self._agent, time())

    def _repository(self, folder: str) -> Repository | None:
        """The repository around a folder, looked for once."""
        return self._begin(folder)()

    def _begin(self, folder: str) -> Callable[[], Repository | None]:
        """The same when it is wanted, so that something else can be done while git looks."""
        if folder in self._known:
            return lambda: self._known[folder]
        self._time()
        opened = _begin_to_open(os.path.expanduser(folder))

        def found() -> Repository | None:
            self._known[folder] = opened()
            return self._known[folder]

        return found

    def _time(self) -> None:
        """From the first look at the disk on: most events end before, and do not pay for this import."""
        if not self._is_timed:
            from review_gate.shell.own_deadline import end_in

            end_in(MOST_SECONDS)
            self._is_timed = True


def _absolute(path: str, folder: str) -> str:
    if path.startswith(UNKNOWN):
        return path
    return os.path.join(os.path.abspath(os.path.expanduser(folder) or "."), os.path.expanduser(path))


def _begin_to_open(folder: str) -> Callable[[], Repository | None]:
    from review_gate.shell.repository import begin_to_open, repository_of_git_dir

    # A line may make the folder first, and then go there.
    while folder and not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    found = begin_to_open(folder or ".")

    def opened() -> Repository | None:
        try:
            return found()
        except MisuseError:
            # None is there, or git does not trust it: then git pushes nothing from there either. Inside a git
            # directory, and with `--git-dir`, it does.
            return repository_of_git_dir(folder or ".")

    return opened


def _shut(folder: str) -> GateAnswer | None:
    """What is said where a repository is that git does not open, None where none is at all."""
    from review_gate.shell.guarded import home_of

    if home_of(os.path.expanduser(folder) or ".") is None:
        return None
    return _closed(f"git does not open the repository around {folder}", *UNOPENED)


def _closed(what: str, why: str, next_step: str) -> GateAnswer:
    """A gate that stays closed because it cannot even look."""
    from review_gate.render.decision import error_text

    document = {"message": what, "why": why, "blockers": [what], "next": next_step}
    return GateAnswer(is_open=False, text=error_text(what, why, next_step).rstrip("\n"), document=document)


def _told(decision: Decision) -> GateAnswer:
    from review_gate.render.decision import decision_document, decision_text

    return GateAnswer(
        is_open=decision.allowed, text=decision_text(decision).rstrip("\n"), document=decision_document(decision)
    )


def _round_of(state: Mapping[str, object]) -> Round:
    """How a review stands by its state.json, which may hold anything."""
    mode, consensus = (found if isinstance(found := state.get(key), dict) else {} for key in ("mode", "consensus"))
    number, open_findings = (
        found if type(found) is int else 0 for found in (state.get("round"), consensus.get("open"))
    )
    # The decision on an earlier round says nothing while the next one is under way.
    is_decided = state.get("status") == "awaiting_decision" and consensus.get("round") == number
    return Round(
        str(state.get("id")),
        outcome=str(consensus.get("outcome") or "waiting") if is_decided else "waiting",
        round=number,
        open_findings=open_findings,
        place=ROUND_PLACES.get(str(mode.get("type")), "code"),
    )
