"""The files by which the gate decides, by their names, and the settings that make an agent ask it."""

from __future__ import annotations

import os
import sys

from review_gate.config.places import (
    MISNAMED,
    PLAN_CHECKS,
    PLAN_CONTEXT,
    REPLACEMENT_VARIABLE,
    REPOSITORY_FILE,
    USER_CHECKS,
    USER_REVIEWERS,
    user_config_file,
)
from review_gate.registration.agents import AGENTS, CLAUDE, PROGRAM
from review_gate.shell.agent_places import places_of, settings_of, user_place
from review_gate.shell.cache_folder import cache_folder
from review_gate.shell.files import UnsafeFileError, read_plain_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from review_gate.registration.agents import Agent
    from review_gate.shell.repository import Repository

UNKNOWN = "\0"
MAX_BYTES = 4_000_000
OF_PLUGIN = "CLAUDE_PLUGIN_ROOT"
MARKER, PLAN_STATE = ".approved", "state.yaml"
STATE_FILE = "/.claude/skills/code-review/loop-state.json"
SETTINGS_NAMES = (REPOSITORY_FILE, MISNAMED, ".review-gate-baseline.json")
SETTINGS_FOLDER = ".review-gate"
HOOK_NAMES = ("pre-push", "pre-commit", "commit-msg", "reference-transaction")
INNER_FOLDERS = ("modules", "worktrees")
# Below the home of Claude Code: what all plans are judged by, and those of its plan mode.
PLAN_RULES = (
    *(name.removeprefix(f"{CLAUDE.home}/") for name in (USER_CHECKS, USER_REVIEWERS)),
    *(f"plans/{name}" for name in (PLAN_CHECKS, PLAN_CONTEXT)),
)
# Where review-gate was installed, one of the first is there, or one of the second mentions it.
RECORDS = ("install.json", "agents.json")
MENTIONING = (
    *(".pre-commit-config.yaml", "lefthook.yml", ".husky/pre-push"),
    *(agent.project_file for agent in AGENTS.values()),
)
# Variables that decide which programs an agent starts and what these take for their settings.
TELLING_VARIABLES = ("PATH", "HOME", "XDG_", "GIT_", "REVIEW_GATE_", "PYTHON", "LD_", "DYLD_", "BASH_ENV", "SHELL")
PROGRAM_WORDS = "where the program review-gate is looked for"
HOOK_WORDS = "a hook of git's, or the folder of them"
KEPT_WORDS = "what review-gate keeps of reviews"
REPOSITORY_WORDS = "where git keeps the repository, its hooks and reviews among it"
REF_WORDS = "where git keeps refs, those of reviews among them"
GIT_WORDS = "a setting of git's, which can lead it away from its hooks"
# In a git directory: with all that is below, and by themselves.
INNER = {"hooks": HOOK_WORDS, "review-gate": KEPT_WORDS}
FILES_OF_GIT = {"config": GIT_WORDS, "config.worktree": GIT_WORDS, "refs": REF_WORDS, "packed-refs": REF_WORDS}
SETTINGS_WORDS = "a setting of review-gate"
STATE_WORDS = "the state of the latest review"
MARKER_WORDS = "the approval of a plan"
PLAN_RULE_WORDS = "what plans are judged by"
PLAN_STATE_WORDS = "what was answered in the review of a plan"
REGISTRATION_WORDS = "where {} is told to ask review-gate"


def guarded_name(path: str, environ: Mapping[str, str]) -> tuple[str, bool]:
    """What a path is in words, nothing if it is not guarded; and whether it belongs to one repository.

    The path is absolute. It may hold `UNKNOWN` for what only the shell knows: then the folder in front of it counts.
    """
    folder = path.partition(UNKNOWN)[0].rpartition("/")[0] if UNKNOWN in path else ""
    # A link leads elsewhere than its name, and removing one is about the name.
    for name in dict.fromkeys((os.path.normpath(folder or path), os.path.realpath(folder or path))):
        one = name.casefold()
        if path.casefold().endswith(MARKER):
            return MARKER_WORDS, False
        if not folder and _is_plan_state(name):
            return PLAN_STATE_WORDS, False
        for words, is_of_repository in (
            (_of_user(one, environ), False),
            (_of_repository(one, is_whole=not folder), True),
        ):
            if words:
                return words, is_of_repository
    return "", False


def _is_plan_state(path: str) -> bool:
    """Whether a review of a plan keeps there what was answered: the plan lies beside it."""
    folder, name = os.path.split(path)
    plan = "plan.md" if name == PLAN_STATE else name.removesuffix(f".{PLAN_STATE}") + ".md"
    return name.endswith(PLAN_STATE) and os.path.isfile(os.path.join(folder, plan))


def _of_user(path: str, environ: Mapping[str, str]) -> str:
    home, config = environ.get("HOME", ""), user_config_file(environ, sys.platform)
    for folder, words in (
        (os.path.dirname(config or ""), SETTINGS_WORDS),
        (cache_folder(environ, sys.platform), KEPT_WORDS),
    ):
        if folder and f"{path}/".startswith(f"{folder.casefold()}/"):
            return words
    claude = (os.path.join(home, CLAUDE.home), environ.get(CLAUDE.home_variable) or os.path.join(home, CLAUDE.home))
    git = (f"{home}/.gitconfig", os.path.join(environ.get("XDG_CONFIG_HOME") or f"{home}/.config", "git/config"))
    known = {
        **{os.path.join(folder, name): PLAN_RULE_WORDS for folder in claude for name in PLAN_RULES},
        **dict.fromkeys((*git, "/etc/gitconfig"), GIT_WORDS),
        environ.get(REPLACEMENT_VARIABLE) or "/": SETTINGS_WORDS,
        **{f"{folder}/{PROGRAM}": PROGRAM_WORDS for folder in environ.get("PATH", "").split(os.pathsep)},
    }
    for agent in AGENTS.values():
        place = user_place(agent, environ)
        known |= dict.fromkeys((place.file, place.folder) if place else (), REGISTRATION_WORDS.format(agent.title))
    return next((words for name, words in known.items() if name.casefold() == path), "")


def _of_repository(path: str, *, is_whole: bool) -> str:
    *folders, name = path.split("/")
    if ".git" in (*folders, name):
        return _of_git(path.rpartition("/.git")[2].strip("/"), is_whole=is_whole)
    if SETTINGS_FOLDER in (*folders, name) or name in SETTINGS_NAMES:
        return SETTINGS_WORDS
    if name in HOOK_NAMES and folders and ("hook" in folders[-1] or folders[-1] == ".husky"):
        return HOOK_WORDS
    for agent in AGENTS.values() if is_whole else ():
        for file in (agent.project_file, *agent.other_files):
            if path.endswith((f"/{file}", f"/{os.path.dirname(file)}")):
                return REGISTRATION_WORDS.format(agent.title)
    return STATE_WORDS if path.endswith(STATE_FILE) else ""


def _of_git(below: str, *, is_whole: bool) -> str:
    """What a path in a git directory is; submodules and other work trees have theirs inside of it."""
    first, *rest = below.split("/")
    if "refs/review-gate" in below:
        return REF_WORDS
    names = rest[1:] if first in INNER_FOLDERS else [first]
    inner = next((INNER[name] for name in names if name in INNER), "")
    last = names[-1:] if first in INNER_FOLDERS or not rest else []
    return inner or ("" if not is_whole else FILES_OF_GIT.get("".join(last), "") if below else REPOSITORY_WORDS)


def home_of(path: str) -> str | None:
    """The work tree that a path lies in, its git directory included, as far as its name tells."""
    place = os.path.realpath(path.partition(UNKNOWN)[0])
    while True:
        above = os.path.dirname(place)
        if os.path.basename(place) == ".git":
            return above
        if os.path.lexists(os.path.join(place, ".git")):
            return place
        if above == place:
            return None
        place = above


def was_installed(top: str, common_dir: str) -> bool:
    """Whether review-gate was ever installed in a repository, by this user or by those who share its files."""
    names = (
        *(os.path.join(common_dir, PROGRAM, name) for name in RECORDS),
        *(f"{top}/{one}" for one in SETTINGS_NAMES),
    )
    if any(map(os.path.lexists, (*names, os.path.join(top, SETTINGS_FOLDER)))):
        return True
    return any(PROGRAM.encode() in _content(os.path.join(top, file)) for file in MENTIONING)


def _content(path: str) -> bytes:
    try:
        return read_plain_file(path, MAX_BYTES) or b""
    except UnsafeFileError:
        return b""


def keeps_registration(
    path: str, edited: Callable[[str], str | None], repository: Repository | None, environ: Mapping[str, str]
) -> bool:
    """Whether a file would go on telling its agent to ask us, as far as it does so now."""
    from review_gate.shell.agent_standing import lost_by

    top = repository.top if repository is not None else ""
    files = {os.path.realpath(place.file): one for one in AGENTS.values() for place in places_of(one, top, environ)}
    files |= {os.path.realpath(os.path.join(top, file)): one for one in AGENTS.values() for file in one.other_files}
    agent = files.get(os.path.realpath(path))
    try:
        before = read_plain_file(os.path.realpath(path), MAX_BYTES)
        after = edited((before or b"").decode("utf-8"))
    except (UnsafeFileError, ValueError):
        return False
    if agent is None or after is None:
        return False
    written = after.encode("utf-8", "surrogatepass")
    return not lost_by(before, written, agent) and not _redirects(before, written, agent)


def _redirects(before: bytes | None, after: bytes, agent: Agent) -> bool:
    """Whether the agent would from then on start programs, ours and git among them, in another environment."""
    try:
        old, new = (settings_of(data, agent).get("env") or {} for data in (before, after))
    except ValueError:
        # Such a file registers nobody, and says nothing to its agent.
        return False
    if not isinstance(old, dict) or not isinstance(new, dict):
        return new != old
    changed = (name.upper() for name in {*old, *new} if old.get(name) != new.get(name))
    return any(name.startswith(TELLING_VARIABLES) for name in changed)


def lost_registration(name: str, repository: Repository | None, environ: Mapping[str, str]) -> Sequence[str]:
    """What keeps an agent from asking us at every event."""
    from review_gate.shell.agent_standing import NOWHERE, gaps_of

    agent = AGENTS[name]
    gaps = gaps_of(agent, repository.top if repository is not None else None, environ)
    # A plugin that was loaded for one session stands in no settings.
    return tuple(gap for gap in gaps if not (environ.get(OF_PLUGIN) and gap == NOWHERE.format(agent.title)))
