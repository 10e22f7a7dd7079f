"""The files by which the gate decides, and the settings that make an agent ask it: no agent writes to them."""

from __future__ import annotations

import os
import sys

from review_gate.commandline.acts import ANYWHERE, UNKNOWN
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
from review_gate.shell.agent_places import places_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from review_gate.registration.agents import Agent
    from review_gate.shell.policy_cache import Compiled
    from review_gate.shell.repository import Repository

    SettingsOf = Callable[[Repository], Compiled]

MAX_BYTES = 4_000_000
OF_PLUGIN = "CLAUDE_PLUGIN_ROOT"
MARKER = ".approved"
# A path without any of these parts, and without such an end, is looked at no further: most edits are of other files.
TELLING_PARTS = frozenset(
    (
        *(".git", ".claude", ".codex", ".gemini", ".cursor", ".github", ".copilot", ".review-gate", "review-gate"),
        *("hooks", "pre-commit", "commit-msg", "pre-push", "reference-transaction"),
        *(".review-gate.yaml", ".review-gate.yml"),
    )
)
PLAN_STATE = "state.yaml"
# Below the home of Claude Code: what all plans are judged by, and those of its plan mode.
PLAN_RULES = (
    *(name.removeprefix(f"{CLAUDE.home}/") for name in (USER_CHECKS, USER_REVIEWERS)),
    *(f"plans/{name}" for name in (PLAN_CHECKS, PLAN_CONTEXT)),
)
TELLING_ENDS = (MARKER, PLAN_STATE, ".json", ".toml", ".gitconfig", "/gitconfig", "/git/config", *PLAN_RULES)
# Variables that decide which programs are started and what they take for their settings.
TELLING_VARIABLES = ("PATH", "HOME", "XDG_", "GIT_", "REVIEW_GATE_", "PYTHON", "LD_", "DYLD_", "BASH_ENV", "SHELL")
PROGRAM_WORDS = "where the program review-gate is looked for"
HOOK_WORDS = "a hook of git's, or the folder of them"
KEPT_WORDS = "what review-gate keeps of reviews"
REPOSITORY_WORDS = "where git keeps the repository, its hooks and reviews among it"
REF_WORDS = "where git keeps refs, those of reviews among them"
# Below the folder of hooks: those that we are called by, which a pattern may stand for.
HOOK_NAMES = ("pre-push", "pre-commit", "commit-msg", "reference-transaction")
GIT_WORDS = "a setting of git's, which can lead it away from its hooks"
SETTINGS_WORDS = "a setting of review-gate"
STATE_WORDS = "the state of the latest review"
MARKER_WORDS = "the approval of a plan"
PLAN_RULE_WORDS = "what plans are judged by"
PLAN_STATE_WORDS = "what was answered in the review of a plan"
REGISTRATION_WORDS = "where {} is told to ask review-gate"
# In a git directory that is within another: with all that is below, and by themselves.
INNER_FOLDERS = {"review-gate": KEPT_WORDS, "hooks": HOOK_WORDS}
INNER_FILES = {"config": GIT_WORDS, "config.worktree": GIT_WORDS, "refs": REF_WORDS, "packed-refs": REF_WORDS}


class Place:
    """A path that is guarded: what it is in words, and the names that it has, those of what links lead to included."""

    __slots__ = ("below", "names", "path", "words")

    def __init__(self, path: str, words: str, *, has_below: bool) -> None:
        self.path = path
        self.words = words
        self.names = frozenset((path.casefold(), os.path.realpath(path).casefold()))
        self.below = tuple(f"{name}/" for name in self.names) if has_below else ()


def guarded_name(path: str, places_at: Callable[[str | None], Sequence[Place]]) -> str:
    """What of ours a path is, in words; nothing where it is none of our business.

    The path may hold `UNKNOWN` for what nobody can tell, a pattern of the shell among that. `places_at` is asked with
    the work tree that the path lies in, and only where its name tells something.
    """
    if UNKNOWN in path:
        return _guarded_pattern(path, places_at)
    # A link leads elsewhere than its name, and removing one is about the name.
    wanted = tuple(dict.fromkeys(one.casefold() for one in (os.path.normpath(path), os.path.realpath(path))))
    if not any(_is_telling(one) for one in wanted):
        return ""
    if any(one.endswith(MARKER) for one in wanted):
        return MARKER_WORDS
    if _is_plan_state(path):
        return PLAN_STATE_WORDS
    inner = next((words for one in wanted if (words := _of_inner(one))), "")
    if inner:
        return inner
    for place in places_at(home_of(path)):
        if any(one in place.names or one.startswith(place.below) for one in wanted):
            return place.words
    return ""


def _is_plan_state(path: str) -> bool:
    """Whether a review of a plan keeps there what was answered: the plan lies beside it."""
    folder, name = os.path.split(os.path.normpath(path))
    if not name.endswith(PLAN_STATE):
        return False
    plan = "plan.md" if name == PLAN_STATE else name.removesuffix(f".{PLAN_STATE}") + ".md"
    return os.path.isfile(os.path.join(folder, plan))


def _guarded_pattern(path: str, places_at: Callable[[str | None], Sequence[Place]]) -> str:
    # Python before 3.12 cuts a path at a zero byte.
    path = os.path.normpath(path.replace(UNKNOWN, "\x01")).replace("\x01", UNKNOWN)
    start, tail = path.partition(UNKNOWN)[0], path.replace(UNKNOWN, "/")
    is_telling = _is_telling(tail) if start else not TELLING_PARTS.isdisjoint(tail.casefold().split("/"))
    is_telling = is_telling or _may_stand_for_ours(path)
    if not is_telling:
        return ""
    if path.casefold().endswith(MARKER):
        return MARKER_WORDS
    inner = _of_inner(path.casefold())
    if inner:
        return inner
    fits = _fitting(path)
    for place in places_at(home_of(path)):
        named = [os.path.join(place.path, name) for name in HOOK_NAMES] if place.words == HOOK_WORDS else []
        if start.casefold().startswith(place.below) or any(fits(one) for one in named):
            return place.words
        # Whole folders of somewhere are made and removed in every script.
        if fits(place.path) and (os.path.lexists(place.path) if start else os.path.isfile(place.path)):
            return place.words
    return ""


def _may_stand_for_ours(path: str) -> bool:
    """Whether a pattern is one of our names among others: `*push*` in every folder, `.*.yaml` in this one."""
    folder, name = os.path.split(path)
    is_everywhere = os.path.basename(folder) == ANYWHERE and name.strip(UNKNOWN)
    # To a shell no other pattern stands for a name with a dot in front.
    if not is_everywhere and not (name[:1] == "." and name.strip("." + UNKNOWN) and UNKNOWN in name):
        return False
    from fnmatch import fnmatchcase

    pattern = name.casefold().replace(UNKNOWN, "*")
    ours = (*(HOOK_NAMES if is_everywhere else ()), REPOSITORY_FILE, MISNAMED)
    return any(fnmatchcase(one, pattern) for one in ours)


def _of_inner(path: str) -> str:
    """What a path is that lies in the git directory of a submodule or of another work tree, by its name alone."""
    _, found, below = path.partition("/.git/")
    parts = below.split("/")
    if not found or parts[0] not in ("modules", "worktrees"):
        return ""
    for at, part in enumerate(parts[2:], 2):
        rest = parts[at + 1 :]
        words = INNER_FOLDERS.get(part) or ("" if rest else INNER_FILES.get(part, ""))
        if words or (part == "refs" and rest[:1] == ["review-gate"]):
            return words or REF_WORDS
    return ""


def _fitting(path: str) -> Callable[[str], object]:
    """Tells whether a path may be meant: a whole unknown part may be several, within one it is a pattern."""
    import re

    parts = (".*" if one == UNKNOWN else re.escape(one).replace(re.escape(UNKNOWN), "[^/]*") for one in path.split("/"))
    pattern = "/".join(parts).replace("/[^/]*[^/]*/", "/(?:.*/)?")
    return re.compile(pattern, re.IGNORECASE).fullmatch


def guarded_places(
    repositories: Sequence[Repository], home: str | None, environ: Mapping[str, str], settings_of: SettingsOf
) -> list[Place]:
    """All that is guarded in these repositories, and in a work tree that git does not open."""
    found = [*_of_user(environ)]
    for repository in repositories:
        found += [*_of_agents(repository, environ), *_of_repository(repository, environ)]
        found += _by_settings(repository, settings_of)
    if not repositories:
        found += _of_agents(None, environ)
        # It is broken or somebody else's; then all the more nobody may change it.
        found += _by_name(home, (os.path.join(home, ".git"),), environ) if home else ()
    return [Place(path, words, has_below=has_below) for path, words, has_below in dict.fromkeys(found)]


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


def keeps_registration(
    path: str, edited: Callable[[str], str | None], repository: Repository | None, environ: Mapping[str, str]
) -> bool:
    """Whether a file would go on telling its agent to ask us, as far as it does so now."""
    from review_gate.shell.agent_standing import lost_by
    from review_gate.shell.files import UnsafeFileError, read_plain_file

    agent = next((AGENTS[name] for place, name in _settings_files(repository, environ) if _is_same(place, path)), None)
    if agent is None:
        return False
    try:
        before = read_plain_file(os.path.realpath(path), MAX_BYTES)
        after = edited((before or b"").decode("utf-8"))
    except (UnsafeFileError, ValueError):
        return False
    if after is None:
        return False
    written = after.encode("utf-8", "surrogatepass")
    return not lost_by(before, written, agent) and not _redirects(before, written, agent)


def _redirects(before: bytes | None, after: bytes, agent: Agent) -> bool:
    """Whether the agent would from then on start programs, ours and git among them, in another environment."""
    from review_gate.shell.agent_places import settings_of

    try:
        old, new = (settings_of(data, agent).get("env") for data in (before, after))
    except ValueError:
        # Such a file registers nobody, and says nothing to its agent.
        return False
    if new == old or not isinstance(new, dict):
        return new != old
    known = old if isinstance(old, dict) else {}
    changed = (name.upper() for name in {*known, *new} if known.get(name) != new.get(name))
    return any(name.startswith(TELLING_VARIABLES) for name in changed)


def lost_registration(name: str, repository: Repository | None, environ: Mapping[str, str]) -> tuple[str, ...]:
    """What keeps an agent from asking us at every event."""
    from review_gate.shell.agent_standing import NOWHERE, gaps_of

    agent = AGENTS[name]
    gaps = gaps_of(agent, repository.top if repository is not None else None, environ)
    # A plugin that was loaded for one session stands in no settings.
    return tuple(gap for gap in gaps if not (environ.get(OF_PLUGIN) and gap == NOWHERE.format(agent.title)))


def _is_telling(path: str) -> bool:
    plain = path.casefold().replace("\\", "/")
    return plain.endswith(TELLING_ENDS) or not TELLING_PARTS.isdisjoint(plain.split("/"))


def _is_same(place: str, path: str) -> bool:
    return os.path.normpath(path) == place or os.path.realpath(path) == os.path.realpath(place)


def _of_user(environ: Mapping[str, str]) -> Iterator[tuple[str, str, bool]]:
    from review_gate.shell.cache_folder import cache_folder

    config = user_config_file(environ, sys.platform)
    if config:
        yield os.path.dirname(config), SETTINGS_WORDS, True
    cache = cache_folder(environ, sys.platform)
    if cache:
        yield cache, KEPT_WORDS, True
    home = environ.get("HOME", "")
    for folder in (os.path.join(home, CLAUDE.home) if home else "", environ.get(CLAUDE.home_variable, "")):
        for name in PLAN_RULES if folder else ():
            yield os.path.join(folder, *name.split("/")), PLAN_RULE_WORDS, False
    for file in _settings_of_git(environ):
        yield file, GIT_WORDS, False
    for folder in (environ.get("PATH") or "").split(os.pathsep):
        if os.path.isabs(folder):
            yield os.path.join(folder, PROGRAM), PROGRAM_WORDS, False


def _settings_of_git(environ: Mapping[str, str]) -> Iterator[str]:
    """The files with settings of git that are of no repository."""
    yield "/etc/gitconfig"
    home = environ.get("HOME", "")
    if home:
        yield os.path.join(home, ".gitconfig")
        yield os.path.join(environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config"), "git", "config")


def _of_agents(repository: Repository | None, environ: Mapping[str, str]) -> Iterator[tuple[str, str, bool]]:
    for place, name in _settings_files(repository, environ):
        words = REGISTRATION_WORDS.format(AGENTS[name].title)
        yield place, words, False
        # The whole folder can be moved away.
        yield os.path.dirname(place), words, False


def _settings_files(repository: Repository | None, environ: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Every settings file of an agent, and of which."""
    top = repository.top if repository is not None else None
    for name, agent in AGENTS.items():
        for place in places_of(agent, top, environ):
            yield os.path.normpath(place.file), name
        if top is not None:
            for file in agent.other_files:
                yield os.path.join(top, file), name


def _of_repository(repository: Repository, environ: Mapping[str, str]) -> Iterator[tuple[str, str, bool]]:
    from review_gate.shell.hooks_folder import hooks_folder

    yield from _by_name(repository.top, (repository.git_dir, repository.common_dir), environ)
    yield hooks_folder(repository).path, HOOK_WORDS, True


def _by_name(top: str, folders: Iterable[str], environ: Mapping[str, str]) -> Iterator[tuple[str, str, bool]]:
    """What is where it is in every repository."""
    for folder in dict.fromkeys(folders):
        yield os.path.join(folder, "review-gate"), KEPT_WORDS, True
        yield os.path.join(folder, "hooks"), HOOK_WORDS, True
        yield os.path.join(folder, "config"), GIT_WORDS, False
        yield os.path.join(folder, "config.worktree"), GIT_WORDS, False
        yield os.path.join(folder, "refs", "review-gate"), REF_WORDS, True
        yield os.path.join(folder, "refs"), REF_WORDS, False
        yield os.path.join(folder, "packed-refs"), REF_WORDS, False
        yield folder, REPOSITORY_WORDS, False
    # Of submodules and further work trees it is a file, which says where the git directory is.
    yield os.path.join(top, ".git"), REPOSITORY_WORDS, False
    for name in (REPOSITORY_FILE, MISNAMED, environ.get(REPLACEMENT_VARIABLE) or REPOSITORY_FILE):
        yield os.path.join(top, name), SETTINGS_WORDS, False
    yield os.path.join(top, ".review-gate"), SETTINGS_WORDS, True


def _by_settings(repository: Repository, settings_of: SettingsOf) -> Iterator[tuple[str, str, bool]]:
    """What can be somewhere else by the settings."""
    from review_gate.errors import ReviewGateError

    try:
        settings = settings_of(repository)
    except ReviewGateError:
        # Settings that cannot be read keep the gate closed by themselves.
        return
    yield os.path.join(repository.top, str(settings.config.get("state_file"))), STATE_WORDS, False
    baseline = settings.section("checks").get("baseline")
    if baseline:
        yield os.path.join(repository.top, str(baseline)), SETTINGS_WORDS, False
