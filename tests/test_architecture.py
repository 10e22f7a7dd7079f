"""What holds the design together: light hook paths, small modules and functions, docstrings, a README that keeps up."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Repo

from review_gate.cli.main import VERBS, usage

PROJECT = Path(__file__).resolve().parents[1]
MODULES = sorted([*(PROJECT / "review_gate").rglob("*.py"), *(PROJECT / "git_hooks").rglob("*.py")])
MAX_MODULE_LINES = 400
MAX_FUNCTION_LINES = 50
# A budget: each step of the clean-up lowers it, and a new feature pays for its lines by what it makes unnecessary.
MAX_LINES = 57_119
# Checks, prompts, schemas, plugin texts and shell: logic does not move there from Python.
MAX_OTHER_LINES = 12_273

# Each costs a hook more than the whole of its own work.
SLOW = {
    *("typing", "dataclasses", "enum", "re", "json", "subprocess", "pathlib", "argparse", "logging", "collections"),
    *("functools", "contextlib", "tempfile", "hashlib", "importlib.metadata", "asyncio", "threading", "inspect"),
    *("signal", "shutil"),
}
# What the checks of a commit may import: ordinary Python, and the packages that look for texts and regexes.
PLAIN = {"typing", "enum", "re", "collections", "functools", "contextlib", "threading"}
ENGINE = {"ahocorasick_rs", "regex"}
# Runs a hook as its shim does, then tells what was imported instead of ending at once.
PROBE = """
import os, sys
before = set(sys.modules)
sys.path.append(sys.argv[2])
module = __import__("git_hooks." + sys.argv[1], fromlist=["main"])
code = module.main(sys.argv[3:])
sys.stdout.write(str(code) + "\\n" + "\\n".join(sorted(set(sys.modules) - before)))
"""
# Runs a verb that is called all the time as its entry point does, then tells the same.
VERB_PROBE = """
import os, sys
before = set(sys.modules)
sys.path.append(sys.argv[1])
from review_gate.cli.main import run
sys.stdout.flush()
code = run(sys.argv[2:])
sys.stdout.write("\\n" + str(code) + "\\n" + "\\n".join(sorted(set(sys.modules) - before)))
"""
PUSH_MODULES = {
    "git_hooks",
    "git_hooks.boundary",
    "git_hooks.pre_push",
    "review_gate",
    "review_gate.errors",
    "review_gate.standard_error",
    "review_gate.strict_json",
    "review_gate.config",
    "review_gate.config.places",
    "review_gate.safe_text",
    "review_gate.checks",
    "review_gate.checks.labels",
    "review_gate.checks.limits",
    "review_gate.gate",
    "review_gate.gate.coverage",
    "review_gate.gate.decide",
    "review_gate.gate.decision",
    "review_gate.gate.message",
    "review_gate.gate.push",
    "review_gate.gate.record",
    "review_gate.gate.state_view",
    "review_gate.shell",
    "review_gate.shell.check_key",
    "review_gate.shell.check_sources",
    "review_gate.shell.exact_ref",
    "review_gate.shell.files",
    "review_gate.shell.git",
    "review_gate.shell.ledger",
    "review_gate.shell.pipeline_key",
    "review_gate.shell.policy_cache",
    "review_gate.shell.push_log",
    "review_gate.shell.remote",
    "review_gate.shell.repository",
    "review_gate.shell.sealed",
    "review_gate.shell.spawn",
    "review_gate.workflows",
    "review_gate.workflows.judge",
    "review_gate.workflows.policy",
    "review_gate.workflows.push",
}


def imported(repo: Repo, hook: str, *arguments: str, stdin: str = "", code: int = 0) -> set[str]:
    """The modules that a hook imports, run as its shim runs it."""
    argv = [sys.executable, "-I", "-S", "-c", PROBE, hook, str(PROJECT), *arguments]
    done = subprocess.run(
        argv, cwd=repo.path, env=repo.environ, input=stdin, capture_output=True, text=True, timeout=60, check=False
    )
    first, _, names = done.stdout.partition("\n")
    assert first == str(code), done.stdout + done.stderr
    return set(names.split("\n"))


def third_party(modules: set[str]) -> set[str]:
    roots = {name.partition(".")[0] for name in modules}
    return roots - set(sys.stdlib_module_names) - {"review_gate", "git_hooks"}


def assert_light(modules: set[str], *, allowed: set[str] | None = None) -> None:
    assert third_party(modules) == (allowed or set())
    assert modules & SLOW == set()


def assert_light_for_a_commit(modules: set[str]) -> None:
    assert third_party(modules) <= ENGINE
    assert modules & (SLOW - PLAIN) == set()


def push_line(repo: Repo) -> str:
    return f"refs/heads/main {repo.head} refs/heads/main {'0' * 40}\n"


def test_program_stays_within_its_budget_of_lines() -> None:
    assert sum(len(lines_of(path)) for path in MODULES) <= MAX_LINES


def test_data_and_texts_stay_within_their_budget_of_lines() -> None:
    folders = ("review_gate", "git_hooks", "checks", "plugin")
    others = [path for name in folders for path in (PROJECT / name).rglob("*.*") if path.is_file()]
    kinds = {".yaml", ".json", ".md", ".sh", ".css", ".js"}
    assert sum(len(lines_of(path)) for path in others if path.suffix in kinds) <= MAX_OTHER_LINES


def remote_of(repo: Repo) -> tuple[str, str]:
    return "origin", repo.git("remote", "get-url", "origin")


def test_an_allowed_push_imports_exactly_these_modules(gated: Repo) -> None:
    gated.review()
    modules = imported(gated, "pre_push", *remote_of(gated), stdin=push_line(gated))
    ours = {name for name in modules if name.startswith(("review_gate", "git_hooks"))}
    assert ours == PUSH_MODULES
    # `_json` is the C scanner alone; `import json` would bring `re` and `enum` along, as `hashlib` would to `_blake2`.
    assert modules - ours <= {"__future__", "_blake2", "_json", "errno", "gc", "select", "time", "encodings.utf_16_be"}


def test_a_refused_push_imports_nothing_slow(gated: Repo) -> None:
    assert_light(imported(gated, "pre_push", *remote_of(gated), stdin=push_line(gated), code=1))


def test_a_push_without_commits_imports_nothing_slow(gated: Repo) -> None:
    delete = f"(delete) {'0' * 40} refs/heads/gone {gated.head}\n"
    for lines in ("", delete):
        assert_light(imported(gated, "pre_push", *remote_of(gated), stdin=lines))


def test_a_commit_imports_nothing_slow(gated: Repo) -> None:
    gated.write("new.py", "x = 1\n")
    gated.write("data.json", "{}\n")
    gated.write("notes.txt", "plain\n")
    gated.write("text.md", "# Ünïcode\n")
    gated.git("add", "-A")
    assert_light_for_a_commit(imported(gated, "pre_commit"))
    (gated.path / "new.py").write_text("(")
    gated.git("add", "-A")
    assert_light_for_a_commit(imported(gated, "pre_commit", code=1))


def test_the_parser_of_staged_toml_stays_in_its_own_process(gated: Repo) -> None:
    gated.write("new.toml", "a = 1\n")
    gated.git("add", "-A")
    modules = imported(gated, "pre_commit")
    assert "tomllib" not in modules
    assert_light_for_a_commit(modules)


def test_checks_for_some_files_need_no_regex_for_their_names(gated: Repo) -> None:
    gated.write("settings.cfg", "password of the database\n")
    gated.write("main.py", "if model:\n    reviewer, assistant = bot\n")
    gated.git("add", "-A")
    assert_light_for_a_commit(imported(gated, "pre_commit"))


@pytest.mark.parametrize("content", ["a: 1\n", "a: [\n"], ids=["sound", "broken"])
def test_the_parser_of_staged_yaml_stays_in_its_own_process(gated: Repo, content: str) -> None:
    gated.write("new.yaml", content)
    gated.git("add", "-A")
    assert_light_for_a_commit(imported(gated, "pre_commit", code=0 if content == "a: 1\n" else 1))


@pytest.mark.parametrize(("message", "code"), [("A change\n", 0), ("wip\n", 1)], ids=["kept", "refused"])
def test_a_commit_message_imports_nothing_slow(gated: Repo, message: str, code: int) -> None:
    file = gated.write(".git/COMMIT_EDITMSG", message)
    assert_light_for_a_commit(imported(gated, "commit_msg", str(file), code=code))


def test_only_a_message_that_holds_what_a_check_looks_for_pays_for_the_engine(gated: Repo) -> None:
    engine = "review_gate.checks.engine"
    file = gated.write(".git/COMMIT_EDITMSG", "A change\n")
    assert engine not in imported(gated, "commit_msg", str(file))
    file = gated.write(".git/COMMIT_EDITMSG", "A change of AKIA\n")
    modules = imported(gated, "commit_msg", str(file))
    assert engine in modules
    assert_light_for_a_commit(modules)


def test_the_watcher_imports_nothing_slow(gated: Repo) -> None:
    line = f"{'0' * 40} {gated.head} refs/remotes/origin/main\n"
    assert_light(imported(gated, "reference_transaction", "committed", stdin=line))


# Reads a line as the door for agents does, then tells what was imported.
LINE_PROBE = """
import sys
before = set(sys.modules)
sys.path.append(sys.argv[1])
from review_gate.commandline.programs import acts_in
sys.stdout.write(str(len(acts_in(sys.argv[2], lambda folder: {}))) + "\\n" + "\\n".join(set(sys.modules) - before))
"""


@pytest.mark.parametrize(("line", "acts"), [("npm test", 0), ("cd a && git push", 1)], ids=["harmless", "push"])
def test_reading_a_line_of_plain_words_imports_nothing_slow(line: str, acts: int) -> None:
    argv = [sys.executable, "-I", "-S", "-c", LINE_PROBE, str(PROJECT), line]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=60, check=True)
    found, *modules = done.stdout.split("\n")
    assert found == str(acts)
    assert_light(set(modules))
    assert "review_gate.commandline.tree" not in modules


def imported_by_verb(repo: Repo, *arguments: str, stdin: str) -> tuple[str, set[str]]:
    """What a verb says, and the modules that it imports."""
    argv = [sys.executable, "-I", "-S", "-c", VERB_PROBE, str(PROJECT), *arguments]
    done = subprocess.run(
        argv, cwd=repo.path, env=repo.environ, input=stdin, capture_output=True, text=True, timeout=60, check=False
    )
    said, _, rest = done.stdout.partition("\n0\n")
    assert rest, done.stdout + done.stderr
    return said, set(rest.split("\n"))


def prompted(text: str) -> str:
    return json.dumps({"hook_event_name": "UserPromptSubmit", "prompt": text, "cwd": "/", "session_id": "s"})


def used(tool: str, **given: str) -> str:
    event = {"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": given, "cwd": "/"}
    return json.dumps({**event, "session_id": "s"})


UNRELATED = {
    "no mark": prompted("please push it"),
    "a mark in the middle": prompted("please!!! push it"),
    "a command": prompted("/other all!!!"),
    "a command of a shell": used("Bash", command="ls -l src | head"),
    "one of git": used("Bash", command="git status --short"),
    "an edit": used("Edit", file_path="/src/app.py", old_string="a", new_string="b"),
    "another tool": used("Read", file_path="/src/app.py"),
}


@pytest.mark.parametrize("payload", UNRELATED.values(), ids=UNRELATED)
def test_what_is_none_of_our_business_imports_nothing_slow(repo: Repo, payload: str) -> None:
    said, modules = imported_by_verb(repo, "hook", "claude", stdin=payload)
    assert said == ""
    assert_light(modules)
    packages = {".".join(name.split(".")[:2]) for name in modules if name.startswith("review_gate.")}
    assert not packages & {f"review_gate.{name}" for name in ("gate", "checks", "plans", "consensus", "workflows")}


@pytest.mark.parametrize("has_hook", [True, False], ids=["left to git's hook", "refused"])
def test_an_agents_push_is_answered_without_a_third_party_import(gated: Repo, has_hook: bool) -> None:
    payload = json.dumps({**json.loads(used("Bash", command="git push")), "cwd": str(gated.path)})
    gated.commit("unreviewed")
    if not has_hook:
        (gated.path / ".git/hooks/pre-push").unlink()
    said, modules = imported_by_verb(gated, "hook", "claude", stdin=payload)
    assert ("No review state found" in said or "Review state is for" in said) == (not has_hook)
    assert third_party(modules) == set()
    # `re` comes with `shlex`, which reads what a hook file names.
    assert modules & SLOW <= {"re", "enum", "functools", "collections"}


def test_the_status_line_imports_nothing_slow(repo: Repo) -> None:
    said, modules = imported_by_verb(repo, "statusline", stdin=f'{{"cwd": "{repo.path}"}}')
    assert said == "ok repo | main\n"
    assert_light(modules)


def test_the_probe_would_see_a_slow_module(gated: Repo) -> None:
    (gated.path / ".git/review-gate/policy.json").unlink()
    gated.write("new.json", "{")
    gated.git("add", "-A")
    assert "json" in imported(gated, "pre_commit", code=1) & SLOW


# Size and words


def lines_of(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def name_of(path: Path) -> str:
    return str(path.relative_to(PROJECT))


def functions_in(path: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def test_every_module_says_what_it_is_for_in_its_first_line() -> None:
    silent = [name_of(path) for path in MODULES if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))]
    assert MODULES
    assert silent == []


def test_no_module_is_longer_than_a_reader_can_hold() -> None:
    sizes = {name_of(path): len(lines_of(path)) for path in MODULES}
    assert {name: size for name, size in sizes.items() if size > MAX_MODULE_LINES} == {}


def test_no_function_is_longer_than_a_screen() -> None:
    too_long = {
        f"{name_of(path)}: {node.name}": node.end_lineno - node.lineno + 1
        for path in MODULES
        for node in functions_in(path)
        if node.end_lineno is not None and node.end_lineno - node.lineno >= MAX_FUNCTION_LINES
    }
    assert too_long == {}


def test_every_suppressed_warning_gives_its_reason() -> None:
    bare = []
    for path in MODULES:
        for number, line in enumerate(lines_of(path), 1):
            for mark in ("# noqa", "# type: ignore"):
                _, found, rest = line.partition(mark)
                if found and " - " not in rest and "  # " not in rest:
                    bare.append(f"{name_of(path)}:{number}")
    assert bare == []


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert [name_of(path) for path in MODULES if {"utils", "util", "helpers", "manager", "misc"} & {path.stem}] == []


def test_the_help_lists_every_verb_and_the_readme_shows_each() -> None:
    readme = (PROJECT / "README.md").read_text(encoding="utf-8")
    shown = usage()
    for verb in VERBS:
        assert f"\n  {verb} " in shown
        assert f"review-gate {verb}" in readme or f"`{verb}`" in readme
