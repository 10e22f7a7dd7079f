"""Our hooks in the configuration of lefthook: are they there, and can nothing switch them off."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any

from review_gate.shell.hook_script import ARGUMENTS, PROGRAM, lost_verdict, mentions_call
from review_gate.shell.manager_files import items, mapping, parsed, text, text_of

# In lefthook's own order: the first one there is the only one read, then the first local one is laid over it.
SUFFIXES = ("yml", "yaml", "json", "jsonc", "toml")
MAIN_NAMES = ("lefthook", ".lefthook", ".config/lefthook")
LOCAL_NAMES = ("lefthook-local", ".lefthook-local", ".config/lefthook-local")
# Every folder is searched, and every script of that name is run.
SCRIPT_FOLDERS = (".lefthook", ".lefthook-local", ".config/lefthook", ".config/lefthook-local")

# extends, remotes, rc, lefthook, templates and source_dir change what is run from somewhere else.
HARMLESS = {
    *("min_version", "assert_lefthook_installed", "skip_lfs", "no_tty", "no_auto_install", "install_non_git_hooks"),
    *("colors", "output", "skip_output", "glob_matcher", "$schema"),
}
HOOK_PARTS = {"jobs", "commands", "scripts"}
# skip, only, files, exclude and exclude_tags leave jobs out.
HARMLESS_IN_HOOK = HOOK_PARTS | {"parallel", "piped", "follow"}
# skip, only, glob, files, file_types, exclude and root leave the job out; interactive and env change what it reads.
HARMLESS_IN_JOB = {"name", "run", "script", "runner", "use_stdin", "tags", "fail_text", "priority"}
GROUP_JOB, GROUP = {"name", "group", "tags"}, {"jobs", "parallel", "piped"}
RUNNERS = ("", "sh", "bash")

SHEBANG = "#!/bin/sh"
VERBOSE = ('if [ "$LEFTHOOK_VERBOSE" = "1" -o "$LEFTHOOK_VERBOSE" = "true" ]; then', "set -x", "fi")
SWITCH = ('if [ "$LEFTHOOK" = "0" ]; then', "exit 0", "fi")
FUNCTION = "call_lefthook()"
STAYS_CLOSED = "ERROR: Operation is aborted due to lefthook settings."


def is_lefthook(script: str, hook: str) -> bool:
    """Whether a hook is what `lefthook install` writes, without anything before or after its call."""
    lines = [line.strip() for line in script.split("\n") if line.strip()]
    if FUNCTION not in lines or lines[-1] != f'call_lefthook run "{hook}" "$@"':
        return False
    return tuple(lines[: lines.index(FUNCTION)]) in ((SHEBANG, *SWITCH), (SHEBANG, *VERBOSE, *SWITCH))


def config_of(top: str) -> str | None:
    """The main configuration file, if there is one."""
    return next(_there(top, MAIN_NAMES), None)


def doubt_in_lefthook(top: str, path: str, script: str, hook: str) -> str | None:
    """Why our hook may not run; empty when it always does, None when it is not in the configuration."""
    config = mapping(parsed(path))
    jobs = list(_jobs(mapping(config.get(hook))))
    ours = [job for job in jobs if mentions_call(_command(top, hook, job), hook)]
    if not ours:
        return None
    around = _doubt_around(config, hook) or _doubt_in_local(top, hook)
    if STAYS_CLOSED not in script:
        around = around or "lefthook lets everything through where it is not found (assert_lefthook_installed)"
    if hook == "pre-push" and sum(job.get("use_stdin") not in (None, False) for job in jobs) > 1:
        around = around or "another job has use_stdin, and only one gets the list of refs"
    return around or min((_doubt_in_job(top, hook, job) for job in ours), key=bool)


def _there(top: str, names: tuple[str, ...]) -> Iterator[str]:
    paths = (os.path.join(top, f"{name}.{suffix}") for suffix in SUFFIXES for name in names)
    return (path for path in paths if os.path.lexists(path))


def _doubt_around(config: dict[Any, Any], hook: str) -> str:
    strange = [key for key, value in config.items() if key not in HARMLESS and not (HOOK_PARTS & set(mapping(value)))]
    inside = [f"{hook}.{key}" for key in mapping(config.get(hook)) if key not in HARMLESS_IN_HOOK]
    found = sorted(map(str, strange)) + sorted(inside)
    return f"{found[0]} may switch it off" if found else ""


def _doubt_in_local(top: str, hook: str) -> str:
    for path in _there(top, LOCAL_NAMES):
        config = parsed(path)
        if not isinstance(config, dict) or hook in config or _doubt_around(config, hook):
            return f"{os.path.relpath(path, top)} may switch it off"
    return ""


def _jobs(section: dict[Any, Any]) -> Iterator[dict[Any, Any]]:
    """All jobs of a hook, whichever of three ways they are written in."""
    yield from _listed(section)
    for job in mapping(section.get("commands")).values():
        yield mapping(job)
    for name, job in mapping(section.get("scripts")).items():
        yield {**mapping(job), "script": name}


def _listed(section: dict[Any, Any]) -> Iterator[dict[Any, Any]]:
    """The jobs of a list; those of a group inherit what the group says."""
    for job in map(mapping, items(section.get("jobs"))):
        if "group" not in job:
            yield job
            continue
        group = mapping(job["group"])
        inherited = {key: value for key, value in job.items() if key not in GROUP_JOB}
        inherited |= {key: value for key, value in group.items() if key not in GROUP}
        yield from ({**inherited, **inner} for inner in _listed(group))


def _command(top: str, hook: str, job: dict[Any, Any]) -> str:
    return text(job.get("run")) or "\n".join(map(text_of, _scripts(top, hook, job)))


def _scripts(top: str, hook: str, job: dict[Any, Any]) -> list[str]:
    name = text(job.get("script"))
    paths = [os.path.join(top, folder, hook, name) for folder in SCRIPT_FOLDERS if name]
    return [path for path in paths if os.path.lexists(path)]


def _doubt_in_job(top: str, hook: str, job: dict[Any, Any]) -> str:
    strange = sorted(str(key) for key in job if key not in HARMLESS_IN_JOB)
    if strange:
        return f"{strange[0]} may switch it off"
    if hook == "pre-push" and job.get("use_stdin") is not True:
        return "without use_stdin: true it does not get the list of refs"
    if "script" in job:
        return _doubt_in_script(top, hook, job)
    if hook == "pre-push":
        # lefthook 2.2: a run job is left out ("no matching push files") when HEAD has no change that @{push} lacks.
        return "lefthook leaves a run job out when another branch than HEAD is pushed; a script always runs"
    arguments = {"commit-msg": r" (?:\{1\}|'\{1\}'|\"\{1\}\"|\{0\})"}.get(hook, ARGUMENTS[hook])
    is_plain = re.fullmatch(rf"{PROGRAM} hook {re.escape(hook)}{arguments}", text(job.get("run")).strip(" \n"))
    return "" if is_plain else "its run is more than the plain call"


def _doubt_in_script(top: str, hook: str, job: dict[Any, Any]) -> str:
    paths = _scripts(top, hook, job)
    if len(paths) != 1 or "run" in job:
        return "more than one script of that name would run"
    if job.get("runner", "") not in RUNNERS:
        return "its runner is not sh"
    return lost_verdict(text_of(paths[0]), hook)
