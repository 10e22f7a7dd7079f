"""review-gate doctor: is the gate really in the way of every push from here."""

from __future__ import annotations

import os
import shlex

from review_gate.errors import ConfigError, ReviewGateError
from review_gate.gate.decision import TAMPERED
from review_gate.gate.message import mend_state
from review_gate.gate.record import short
from review_gate.models import Frozen
from review_gate.shell import ledger
from review_gate.shell.files import UnsafeFileError
from review_gate.shell.git import Git
from review_gate.shell.hooks_folder import HooksFolder, hooks_folder, is_usable, tracked_in
from review_gate.shell.install_record import InstallRecord, read_record, was_installed_in
from review_gate.shell.managers import NOT_VERIFIED, shows_first_ref_only, way_to_us
from review_gate.shell.push_log import UNSEEN, unseen_pushes
from review_gate.shell.repository import Repository, open_repository, work_trees
from review_gate.shell.settings import unset_step
from review_gate.shell.shims import (
    HOOKS,
    LEGACY_SUFFIX,
    MANAGER,
    MOVED_SUFFIX,
    OURS,
    WATCHER,
    acting_hook_file,
    interpreter_of,
    is_absent,
    is_dead,
    is_executable,
    is_untouched,
    our_hook_file,
    owner_of,
)
from review_gate.shell.spawn import run_bounded
from review_gate.shell.subject import is_tracked
from review_gate.shell.submodules import submodule_tops
from review_gate.workflows.check_compile import policy_of
from review_gate.workflows.configure import load_configuration
from review_gate.workflows.doctor_agents import Complaint, examine_agents
from review_gate.workflows.install import hooks_are_off, hooks_are_tracked
from review_gate.workflows.status import Rules, status

INSTALL = "review-gate install"
WATCH = "review-gate install --watch"
ENTRIES_CHECKED = 2000
# What a hook does first, and one line about how it went.
LOAD = """
import sys
sys.path.append(sys.argv[1])
try:
    __import__("git_hooks." + sys.argv[2])
    print("loaded", end="")
except Exception as error:
    print(f"damaged: {type(error).__name__}: {error}", end="")
"""


class Examination(Frozen):
    """What was looked at, and what is wrong."""

    healthy: tuple[str, ...]
    notes: tuple[str, ...] = ()
    complaints: tuple[Complaint, ...]


def examine(repository: Repository) -> Examination:
    """Look at everything the gate depends on."""
    healthy: list[str] = []
    complaints: list[Complaint] = []
    rules, mistakes = _configuration(repository)
    hooks, notes = _all_hooks(repository), _notes(repository)
    is_unverified = any(NOT_VERIFIED in note for note in notes)
    for good, part in (
        ("the configuration and the checks are valid", mistakes),
        ("git runs our hooks in every work tree", None if is_unverified and not hooks else hooks),
        ("every checked-out submodule is gated too", _submodules(repository)),
        ("the state file is fine", _state(repository, rules) if rules else None),
        ("the ledger is readable", _ledger(repository)),
        ("no way round the gate was found", _bypasses(repository)),
    ):
        complaints += part or []
        if part == []:
            healthy.append(good)
    agents = examine_agents(repository, os.environ)
    return Examination(
        healthy=(*healthy, *agents.healthy),
        notes=(*notes, *agents.notes),
        complaints=(*complaints, *agents.complaints),
    )


def _configuration(repository: Repository) -> tuple[Rules | None, list[Complaint]]:
    """The rules in force, or what is wrong with them."""
    shows = "config show"
    try:
        loaded = load_configuration(repository)
        shows = "checks list"
        return (loaded, policy_of(repository, loaded)[0]), []
    except ReviewGateError as error:
        others = error.others if isinstance(error, ConfigError) else 0
        more = f" (and {others} more: review-gate {shows})" if others else ""
        return None, [Complaint(what=error.what + more, next_step=error.next_step)]


def _all_hooks(repository: Repository) -> list[Complaint]:
    found: list[Complaint] = []
    seen: set[str] = set()
    record = read_record(repository)
    for top in work_trees(repository):
        try:
            here = open_repository(top)
        except ReviewGateError as error:
            found.append(Complaint(what=f"work tree {top}: {error.what}", next_step="git worktree prune"))
            continue
        folder = hooks_folder(here)
        is_installed = record is not None and record.folder(folder.path) is not None
        # What a manager runs depends on the files of each work tree.
        if folder.path not in seen or not is_installed:
            seen.add(folder.path)
            # Where our own hook was installed, its absence is a fault, whoever else stands in.
            problems = _hooks_in(folder, _wanted_hooks(folder, record), top, may_be_managed=not is_installed)
            found += _with_working_steps(here, folder, problems)
    if record is None and not found and _is_gated(repository.top):
        found.append(
            Complaint(what="the hooks are there but the record of their installation is not", next_step=INSTALL)
        )
    return found


def _with_working_steps(repository: Repository, folder: HooksFolder, problems: list[Complaint]) -> list[Complaint]:
    """The same, with what install would say where it refuses because git tracks the hooks."""
    refusal = hooks_are_tracked(repository, folder)
    if refusal is None:
        return problems
    if any(our_hook_file(folder.path, hook) in tracked_in(folder) for hook in HOOKS):
        what = f"{folder.path}: hooks that hold paths of one machine are tracked by git, and reach everyone"
        problems = [*problems, Complaint(what=what, next_step=refusal.next_step)]
    return [problem.model_copy(update={"next_step": refusal.next_step}) for problem in problems]


def _submodules(repository: Repository) -> list[Complaint]:
    """Checked-out submodules without our hooks: `git push --recurse-submodules` sends their commits too."""
    found = []
    for top in (top for work_tree in work_trees(repository) for top in submodule_tops(repository.git, work_tree)):
        if not _is_gated(top) and (doubt := _doubt_about(top)):
            what = f"submodule {os.path.relpath(top, repository.top)}: a push from it is not {doubt}"
            found.append(Complaint(what=what, next_step=f"cd {shlex.quote(top)} && {INSTALL}"))
    return found


def _is_gated(top: str) -> bool:
    try:
        return acting_hook_file(hooks_folder(open_repository(top)), "pre-push") is not None
    except ReviewGateError:
        return True


def _doubt_about(top: str) -> str:
    """What the pushes from a submodule without our own hook are not; nothing where they are judged."""
    way = way_to_us(top, hooks_folder(open_repository(top)).path, "pre-push")
    return "gated" if way is None else "sure to be gated" if way.doubt else ""


def _hooks_in(folder: HooksFolder, hooks: tuple[str, ...], top: str, *, may_be_managed: bool) -> list[Complaint]:
    if not is_usable(folder):
        error = hooks_are_off(folder, top)
        return [Complaint(what=error.what, next_step=error.next_step)]
    if folder.is_dormant and any(our_hook_file(folder.path, hook) for hook in hooks):
        what = f"the hooks in {folder.path} let everything from here through: review-gate is not installed in this one"
        return [Complaint(what=what, next_step=f"cd {shlex.quote(top)} && {INSTALL}")]
    found = []
    for hook in hooks:
        path = our_hook_file(folder.path, hook)
        if path is not None:
            problem = _broken(path, hook, folder)
        else:
            problem = (_in_vain if may_be_managed else _missing)(folder, hook, top)
        if problem is not None:
            found.append(problem)
    return found


def _wanted_hooks(folder: HooksFolder, record: InstallRecord | None) -> tuple[str, ...]:
    """The hooks that must run from this folder; the watcher is one of them where it was asked for."""
    known = record.folder(folder.path) if record else None
    return (*HOOKS, *(hook for hook in WATCHER if our_hook_file(folder.path, hook) or (known and hook in known.hooks)))


def _step_for(hook: str) -> str:
    return WATCH if hook in WATCHER else INSTALL


def _in_vain(folder: HooksFolder, hook: str, top: str) -> Complaint | None:
    """Why a hook that is not ours does not make up for ours; None when it does."""
    way = way_to_us(top, folder.path, hook)
    if way is None:
        return _missing(folder, hook, top)
    if not way.doubt or way.manager:
        return None
    what = f"{hook}: {os.path.relpath(way.file, top)} calls our hook, but its verdict may be lost: {way.doubt}"
    return Complaint(what=what, next_step=f"cd {shlex.quote(top)} && {INSTALL}")


def _notes(repository: Repository) -> tuple[str, ...]:
    """What is worth knowing about hooks that a manager runs for us."""
    folder = hooks_folder(repository).path
    if was_installed_in(repository, folder):
        return ()
    found = []
    for hook in HOOKS:
        way = None if our_hook_file(folder, hook) else way_to_us(repository.top, folder, hook)
        if way is None or (way.doubt and not way.manager):
            continue
        file = os.path.relpath(way.file, repository.top)
        if not way.doubt:
            found.append(f"{hook} runs by way of {file}")
            continue
        is_limited = hook == "pre-push" and shows_first_ref_only(way.manager)
        limit = f"; it sees only the first ref of a push ({INSTALL} adds a hook that sees all)" if is_limited else ""
        found.append(f"{hook}: managed by {way.manager} ({file}), {way.doubt}{limit}")
    return tuple(found)


def _missing(folder: HooksFolder, hook: str, top: str) -> Complaint:
    """Why git would not come to us: no hook, or somebody else's in its place."""
    where = f"in {folder.path}" + (f" (core.hooksPath, {folder.scope})" if folder.setting else "")
    step = f"cd {shlex.quote(top)} && {_step_for(hook)}"
    if is_absent(folder.path, hook):
        return Complaint(what=f"{hook}: no hook {where}", next_step=step)
    main = os.path.join(folder.path, hook)
    for suffix in (MOVED_SUFFIX, LEGACY_SUFFIX):
        if owner_of(main + suffix) == OURS:
            what = f"{hook}: another hook manager moved our hook to {hook}{suffix}, where nobody runs it"
            return Complaint(what=what, next_step=step)
    whose = "a hook manager's" if owner_of(main) == MANAGER else "another"
    return Complaint(what=f"{hook}: {whose} hook stands {where}, ours does not run", next_step=step)


def _broken(path: str, hook: str, folder: HooksFolder) -> Complaint | None:
    what = _fault(path, hook, folder)
    return Complaint(what=f"{hook}: {what}", next_step=_step_for(hook)) if what else None


def _fault(path: str, hook: str, folder: HooksFolder) -> str:
    """What is wrong with a hook file of ours; nothing when it works."""
    if not is_executable(path):
        return f"{path} is not executable, git skips it"
    if not is_untouched(path, hook, is_shared=folder.is_shared):
        return f"{path} was edited, or another review-gate wrote it"
    python, place = interpreter_of(path)
    if not os.access(python, os.X_OK):
        effect = "no push is watched" if hook in WATCHER else f"every {hook} is refused"
        return f"its interpreter {python} is gone, {effect}"
    if is_dead(path, hook):
        return f"the package is gone from {place}"
    return _trouble_at_start(python, place, hook)


def _trouble_at_start(python: str, place: str, hook: str) -> str:
    """Why the hook's Python cannot load the hook; nothing when it can."""
    argv = [python, "-I", "-S", "-c", LOAD, place, (HOOKS | WATCHER)[hook]]
    try:
        answer = run_bounded(argv, dict(os.environ), stdin=b"", seconds=10)[1]
    except (OSError, TimeoutError):
        answer = b""
    if answer.startswith(b"loaded"):
        return ""
    if answer.startswith(b"damaged: "):
        return f"the package at {place} is damaged: {answer[9:].decode('utf-8', 'replace')}"
    return f"its interpreter {python} does not start"


def _state(repository: Repository, rules: Rules) -> list[Complaint] | None:
    """What is wrong with the state file; None when it could not be examined."""
    try:
        now = status(repository, rules)
    except (ReviewGateError, UnsafeFileError):
        return None
    if now.decision is not None and now.decision.reason == TAMPERED:
        words = now.decision.leading.words
        return [Complaint(what=f"{words.what} {words.why}", next_step=words.next_step)]
    if not now.state_error:
        return _committed_state(repository, now.state_file)
    mend = mend_state(now.state_file, now.state_error)
    step = now.decision.leading.words.next_step if now.decision is not None else mend
    return [Complaint(what=f"{now.state_file} cannot be used: {now.state_error}", next_step=step)]


def _committed_state(repository: Repository, state_file: str) -> list[Complaint]:
    if not is_tracked(repository.git, state_file):
        return []
    step = f"git rm --cached {shlex.quote(state_file)}, then git commit"
    return [Complaint(what=f"{state_file} is committed, so every run changes a tracked file", next_step=step)]


def _ledger(repository: Repository) -> list[Complaint]:
    entries = ledger.list_entries(repository.git, ledger.LEDGER)[:ENTRIES_CHECKED]
    broken = ledger.unreadable(repository.git, entries)
    return [
        Complaint(what=f"{ref}: {why}", next_step=f"git update-ref --no-deref -d {ref}, then review that commit again")
        for ref, why in broken
    ]


def _bypasses(repository: Repository) -> list[Complaint]:
    """Ways round the gate that can be seen from here; a server-side check is the only full answer."""
    found = [*_unseen(repository), *_settings(repository)]
    if "review-gate" in os.environ.get("SKIP", ""):
        what = "SKIP names a hook of review-gate, so pre-commit does not run it"
        found.append(Complaint(what=what, next_step="unset SKIP"))
    return found


def _unseen(repository: Repository) -> list[Complaint]:
    unseen = unseen_pushes(repository)
    if not unseen:
        return []
    last = unseen[-1]
    pushes = "1 push" if len(unseen) == 1 else f"{len(unseen)} pushes"
    what = f"{pushes} went round the gate, the last one {short(str(last.get('id')))} to {last.get('ref')}"
    old = str(last.get("old") or "")
    base = f"--base {short(old)}" if old.strip("0") else "--scope all"
    log = shlex.quote(repository.shared_path(UNSEEN))
    return [Complaint(what=what, next_step=f"review-gate run {base}, then rm {log}")]


def _settings(repository: Repository) -> list[Complaint]:
    """Settings of git that skip hooks: aliases, and the switches of git 2.54 and later."""
    git = Git(repository.top, repository.git.environ, is_hardened=False)
    # With -z a record is scope, NUL, name, newline, value, NUL: a value may have several lines.
    _, output, _ = git.try_run("config", "-z", "--show-scope", "--get-regexp", r"^(alias\.|hook\..*\.enabled$)")
    parts = output.decode("utf-8", "replace").split("\0")
    found = []
    for scope, setting in zip(parts[::2], parts[1::2], strict=False):
        name, _, value = setting.partition("\n")
        if _skips_hooks(name, value.lower()):
            what = f"{name} skips the hooks: {' '.join(value.split())}"
            found.append(Complaint(what=what, next_step=unset_step(repository.top, scope, name)))
    return found


def _skips_hooks(name: str, value: str) -> bool:
    if name.startswith("hook."):
        return value in ("false", "no", "off", "0")
    words = value.split()
    # The short form of --no-verify is one of commit's only; for push -n means --dry-run.
    is_short = "commit" in words and any(word[:1] == "-" != word[1:2] and "n" in word for word in words)
    return is_short or any(word in value for word in ("--no-v", "core.hookspath", "send-pack"))
