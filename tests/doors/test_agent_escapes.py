"""Ways around the door that a shell really takes: what would leave is found, whatever leads there."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from conftest import MakeRepo, Repo
from deciding import Session, at_work, shared

NEVER = "blocked: No review state found."
HOOK = "a hook of git's, or the folder of them"


@pytest.fixture
def session(repo: Repo) -> Session:
    return at_work(repo)


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory, templates: Path) -> Session:
    """The same for all tests that only ask."""
    return at_work(shared(tmp_path_factory.mktemp("asked"), templates))


@pytest.fixture(scope="module")
def registered(tmp_path_factory: pytest.TempPathFactory, templates: Path) -> Session:
    """One with everything installed, for all tests that only ask."""
    found = at_work(shared(tmp_path_factory.mktemp("registered"), templates))
    found.repo.gate("install")
    found.repo.gate("install", "--claude")
    return found


@pytest.fixture(scope="module")
def reviewed(tmp_path_factory: pytest.TempPathFactory, templates: Path) -> Session:
    """One whose latest commit was reviewed, beside a branch that was not, for all tests that only ask."""
    found = at_work(shared(tmp_path_factory.mktemp("reviewed"), templates))
    found.repo.review()
    found.repo.branch_off("sneaky", "other", {"other.py": "x = 1\n"})
    return found


@pytest.mark.parametrize(
    "command",
    [
        "git push --dry-run --no-dry-run",
        "git push -n --no-dry-run origin main",
        "git push --delete --no-delete origin main",
        "git push --rep -n origin main",
        "git push --push-opt -n origin main",
        "git push -fo -n origin main",
        "git push origin ':/second:refs/heads/x'",
        "git push origin '^refs/heads/no' main",
        "git --git-dir=.git push",
        "GIT_DIR=.git git push",
        "cd .git && git push",
        "cd .git/objects; git push ../../../repo.git main",
        "GIT_DIR=$PWD/.git git -C / push",
        "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.z GIT_CONFIG_VALUE_0=push git z",
        "Z=push git --config-env=alias.z=Z z",
        "git config core.editor 'git push;:'; git commit --amend",
        "git config diff.external 'git push;:' && git diff HEAD~1",
        "read a b <<< 'git push'; $a $b",
        "printf -v c 'git push'; $c",
        "bash <(echo git push)",
    ],
)
def test_an_unreviewed_push_is_found(asked: Session, command: str) -> None:
    assert asked.shell(command.replace("$PWD", str(asked.repo.path))).startswith(NEVER)


@pytest.mark.parametrize(
    "command",
    [
        "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=/ git commit -m x",
        "export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=Core.HooksPath GIT_CONFIG_VALUE_0=/; git commit -m x",
        """GIT_CONFIG_PARAMETERS="'core.hookspath=/x'" git commit -m x""",
        """GIT_CONFIG_PARAMETERS="'user.name'='x' 'core.hookspath'='/x'" git commit -m x""",
        "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=$KEY GIT_CONFIG_VALUE_0=/ git commit -m x",
    ],
)
def test_hooks_are_not_turned_off_by_settings_in_variables(asked: Session, command: str) -> None:
    assert "skips git's hooks" in asked.shell(command)


@pytest.mark.parametrize(
    "command",
    [
        "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=user.name GIT_CONFIG_VALUE_0=core.hooksPath git commit -m x",
        """GIT_CONFIG_PARAMETERS="'user.name'='x'" git commit -m x""",
        "GIT_CONFIG_GLOBAL=/dev/null git commit -m x",
        "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=/ git status",
    ],
)
def test_other_settings_in_variables_go_on(asked: Session, command: str) -> None:
    assert asked.shell(command) == ""


def test_a_command_whose_end_is_not_reached_is_refused(asked: Session) -> None:
    refusal = asked.shell("true;" * 16_000 + "git push --no-verify")
    assert refusal.startswith("blocked: `true;true;")
    assert refusal.endswith("next:  the same in shorter commands")


@pytest.mark.parametrize(
    "command",
    ["git push --dry-run", "git push -n", "git push --dele origin x", "git push origin :/x", "git push --dry"],
)
def test_what_sends_no_commit_goes_on(asked: Session, command: str) -> None:
    assert asked.shell(command) == ""


def test_an_object_that_no_review_covers_does_not_leave(session: Session) -> None:
    session.repo.review()
    refusal = session.shell("git push origin HEAD^{tree}:refs/tags/tree")
    assert refusal.startswith("blocked: ")
    assert "no review can cover any other object" in refusal


@pytest.mark.parametrize("command", ["git tag v9 && git push origin v9", "git branch b HEAD; git push origin b:main"])
def test_what_is_not_there_yet_is_pushed_by_a_command_of_its_own(session: Session, command: str) -> None:
    session.repo.review()
    name = command.rsplit(maxsplit=1)[-1].partition(":")[0]
    assert session.shell(command) == (
        f"blocked: {name} is not there yet\n"
        "  why:   nobody can say whether what would be pushed was reviewed\n"
        "  next:  make it first, and push by a command of its own"
    )
    session.repo.gate("install")
    assert session.shell(command) == ""


@pytest.mark.parametrize("is_reviewed", [True, False], ids=["reviewed", "not reviewed"])
def test_commits_that_a_command_makes_are_pushed_by_another_where_git_asks_nobody(
    session: Session, is_reviewed: bool
) -> None:
    if is_reviewed:
        session.repo.review()
    refusal = session.shell("git commit -am x && git push origin main")
    if is_reviewed:
        assert refusal == (
            "blocked: nobody can say yet what `git push origin main` would send\n"
            "  why:   the command may make commits on the way, and git's own hook does not run there\n"
            "  next:  push by a command of its own; review-gate doctor names the hooks that are missing"
        )
    assert refusal.startswith("blocked: ")
    session.repo.gate("install")
    assert session.shell("git commit -am x && git push origin main") == ""


def test_pushes_from_all_submodules_are_left_to_git_where_it_asks_us_in_each(
    session: Session, make_repo: MakeRepo
) -> None:
    part = make_repo("part")
    part.commit("a part")
    session.repo.git("submodule", "--quiet", "add", str(part.path), "part")
    session.repo.git("commit", "--quiet", "-m", "a part")
    session.repo.review()
    session.repo.gate("install")
    told = session.answered("SessionStart", source="startup")["systemMessage"]
    assert told.partition(" | ")[2].startswith(
        "protection INCOMPLETE: part is a submodule that is not gated (review-gate doctor)"
    )
    line = "git submodule foreach 'git push origin main'"
    assert session.shell(line).startswith("blocked: nobody can say yet what `git push origin main` would send\n")
    Repo(session.repo.path / "part", session.repo.environ).gate("install")
    assert session.shell(line) == ""
    assert "submodule" not in session.answered("SessionStart", source="startup")["systemMessage"]


RECURSING = (
    "git push --recurse-submodules=on-demand",
    "git push origin main --recurse-sub=only",
    "git push --recurse-submodules on-demand",
    "git -c push.recurseSubmodules=on-demand push",
    "git -c submodule.recurse=true push",
    "git commit -am x && git push --recurse-submodules=on-demand",
)
NOT_RECURSING = (
    "git push",
    "git push --recurse-submodules=check",
    "git push --recurse-submodules=on-demand --no-recurse-submodules",
    "git -c push.recurseSubmodules=on-demand push --recurse-submodules=no",
    "git push -n --recurse-submodules=on-demand",
)


def test_submodules_are_pushed_too_only_where_git_asks_us_in_each(session: Session, make_repo: MakeRepo) -> None:
    session.repo.review()
    session.repo.gate("install")
    # Without submodules there is nothing that the option could send.
    assert session.shell(RECURSING[0]) == ""
    part = make_repo("part")
    part.commit("a part")
    session.repo.git("submodule", "--quiet", "add", str(part.path), "part")
    session.repo.git("commit", "--quiet", "-m", "a part")
    session.repo.review()
    for line in RECURSING:
        head, why, step = session.shell(line).split("\n")
        assert head.endswith("` pushes submodules too, and the gate is not asked in all of them"), line
        assert why == "  why:   a review covers the commits of one repository"
        assert step.startswith("  next:  review-gate doctor names them ")
    assert [session.shell(line) for line in NOT_RECURSING] == [""] * len(NOT_RECURSING)
    session.repo.git("config", "push.recurseSubmodules", "on-demand")
    assert "` pushes submodules too" in session.shell("git push")
    Repo(session.repo.path / "part", session.repo.environ).gate("install")
    assert session.shell("git push") == ""


def test_what_git_starts_elsewhere_is_judged_there(session: Session, make_repo: MakeRepo) -> None:
    session.repo.review()
    session.repo.gate("install")
    other = make_repo("other")
    other.commit("unreviewed")
    for line in ("git -C {} rebase -x 'git push -f' HEAD", "git -C {} -c alias.out='!git push' out"):
        assert session.shell(line.format(".")) == ""
        assert session.shell(line.format(other.path)).startswith("blocked: ")


@pytest.mark.parametrize("name", ["nosuch@{upstream}", "main@{99}", "HEAD@{99}", "HEAD:../outside"])
def test_a_name_over_which_git_gives_up_is_not_there(asked: Session, name: str) -> None:
    assert asked.shell(f"git push origin '{name}:refs/heads/x'").startswith(f"blocked: {name} is not there yet\n")


@pytest.mark.parametrize(
    "command",
    [
        "git clone -q . ../c && cd ../c && git push ../repo.git main",
        "git clone -q --bare . ../c.git; git -C ../c.git push ../repo.git main",
        "cp -r .git ../g; git --git-dir=../g push ../repo.git main",
        "git worktree add -q ../wt -b wt && cd ../wt && git push origin wt",
    ],
)
@pytest.mark.parametrize("is_installed", [True, False], ids=["with hooks", "without"])
def test_a_push_from_what_is_made_on_the_way_is_refused(session: Session, command: str, is_installed: bool) -> None:
    session.repo.review()
    if is_installed:
        # They are in this repository, and not in one that is made of it.
        session.repo.gate("install")
    refusal = session.shell(command)
    assert refusal.startswith("blocked: ")
    assert " is not there yet\n" in refusal


def test_a_repository_that_is_made_on_the_way_is_not_pushed_unseen(session: Session) -> None:
    (session.repo.path.parent / "new").mkdir()
    refusal = session.shell("cd ../new && git init && git commit --allow-empty -m x && git push ../repo.git main")
    assert refusal.startswith("blocked: `git push ../repo.git main` pushes from a repository that is not there yet\n")


@pytest.mark.parametrize(
    "command",
    [
        "git config push.default matching; git push",
        "git config remote.origin.push 'refs/heads/*:refs/heads/*' && git push",
        "git -c push.default=matching push",
        "git -c remote.origin.mirror=true push",
        "git push --al",
        "git push --branch",
        "git push --mirr",
    ],
)
def test_all_that_a_setting_or_a_short_option_sends_is_judged(reviewed: Session, command: str) -> None:
    assert reviewed.shell("git push") == ""
    assert reviewed.shell(command).startswith("blocked: ")


def test_a_mirror_by_its_setting_is_judged_as_one(session: Session) -> None:
    session.repo.review()
    session.repo.branch_off("sneaky", "other", {"other.py": "x = 1\n"})
    session.repo.git("switch", "--quiet", "main")
    session.repo.git("config", "remote.origin.mirror", "true")
    assert session.shell("git push").startswith("blocked: ")


@pytest.mark.parametrize(
    "command",
    [
        "cd .git/hooks && rm pre-push",
        "cd .git && rm hooks/pre-push",
        "(cd .git/hooks; rm *)",
        "env -C .git/hooks rm pre-push",
        "rm -rf .git/hook*",
        "rm .git/hooks/pre-pus?",
        "rm .g*/hooks/pre-push",
        "chmod 644 .git/hooks/*",
        'rm "$(git rev-parse --git-path hooks)/pre-push"',
        "rm $(git rev-parse --git-dir)/hooks/pre-push",
        "find . -name pre-push -delete",
        "find . -name '*push*' -delete",
        "find . -iname 'PRE-*' | xargs rm",
        "find . -name 'commit-ms?' -exec chmod -x {} +",
        "find .git -name 'pre-p*' -exec rm {} +",
        "find .git/hooks -type f -exec chmod a-x {} +",
        "find . -name pre-push | parallel rm {}",
        "cd .git/hooks; find ../../src -printf 'pre-push\\n' | xargs rm",
        "find /tmp/x -type f -exec basename {} ';' | (cd .git/hooks; xargs rm)",
        "ln -s .git/hooks h; rm h/pre-push",
        "ln .git/hooks/pre-push h; echo > h",
        "cd / && rm {top}/.git/hooks/pre-push",
    ],
)
def test_the_hooks_are_found_whatever_leads_to_them(session: Session, command: str) -> None:
    session.repo.gate("install")
    assert f" is {HOOK}\n" in session.shell(command.replace("{top}", str(session.repo.path)))


@pytest.mark.parametrize(
    "command",
    [
        "rm -rf .claude/*",
        "find . -name .claude -delete",
        "find . -name .git -exec rm -rf {} +",
        "find . -name settings.json | xargs rm",
        "rm .c*/settings.json",
        "echo '[core]' >> ~/.gitconfig",
        "echo '[core]' >> \"$HOME/.gitconfig\"",
        "git fetch . 'refs/tags/*:refs/rev*'",
        "git push . 'refs/tags/*:refs/*'",
        "rm docs/*.approved",
        "mv docs/plan.md docs/plan.md.APPROVED",
    ],
)
def test_settings_records_and_approvals_are_found_too(session: Session, command: str) -> None:
    session.repo.gate("install", "--claude")
    # The user's own home is where git looks for settings.
    (session.repo.path.parent / "home").mkdir(exist_ok=True)
    command = command.replace("~", str(session.repo.environ["HOME"]))
    assert session.shell(command).startswith("blocked: ")


def test_a_tool_of_one_repository_does_not_write_the_hooks_of_another(session: Session, tmp_path: Path) -> None:
    elsewhere = Session(Repo(tmp_path, session.repo.environ))
    path = str(session.repo.path / ".git/hooks/pre-push")
    assert elsewhere.tool("Write", file_path=path, content="").startswith(f"blocked: {path} is {HOOK}\n")


def test_the_hooks_of_a_repository_that_git_does_not_open_are_guarded_too(session: Session) -> None:
    (session.repo.path / ".git/HEAD").write_text("broken")
    for path in (".git/hooks/pre-push", ".git/review-gate/x", ".review-gate.yaml"):
        assert session.tool("Write", file_path=path, content="").startswith(f"blocked: {path} is ")
    assert session.tool("Write", file_path="package.json", content="") == ""


@pytest.mark.parametrize(
    "command",
    [
        "rm -rf *.log build/*.json $TMP",
        "rm -rf ./*.json",
        "rm -rf src/hooks/*",
        'rm -rf "$OUT/hooks"',
        'rm -rf "$(mktemp -d)/.git"',
        "rm -f .git/*.lock",
        "find . -name '*.pyc' -delete",
        "find . -path ./.git -prune -o -name 'p*' -exec sed -i s/a/b/ {} +",
        "find . -name 'p*' -not -path '*/.git/*' -delete",
        "find src -name 'p*' -delete",
        "rm -f */p* **/p*",
        "find vendor -name .git -exec rm -rf {} +",
        "mv CLAUDE.md .claude/",
        "cp -t .claude docs/notes.md",
        "find . -mindepth 2 -name .git -exec rm -rf {} +",
        "find . -type d -name __pycache__ -exec rm -rf {} +",
        "find src -type f -exec sed -i s/a/b/ {} +",
        "find . -type f ! -name '*.json' | xargs chmod 644",
        "find . -name hooks -prune -o -name '*.js' -print | xargs sed -i s/a/b/",
        "cd build && rm -rf *",
        "mv template/* template/.* .",
        # There are no settings here.
        "find . -name '*.yaml' -delete; rm -f .*.yaml",
        'cat > "$OUT/settings.json" < a',
        "ln -s ../shared node_modules/shared",
        "sed -i 's/git push/git push origin/' docs/plan.md",
        "python3 -c \"open('README.md', 'a').write('use git push')\"",
        "for tool in $TOOLS; do $tool --version; done",
        "git config core.editor vim",
        "HOME=/tmp git foo",
    ],
)
def test_ordinary_work_goes_on(registered: Session, command: str) -> None:
    assert registered.shell(command) == ""


@pytest.mark.parametrize("pattern", ["find . -name '*.yaml' -delete", "find . -name '*gate*' -delete", "rm .*.yaml"])
def test_settings_are_guarded_from_patterns_where_there_are_some(repo: Repo, pattern: str) -> None:
    repo.write(".review-gate.yaml", "{}\n")
    assert Session(repo).shell(pattern).startswith("blocked: ")


def test_many_files_are_looked_at_in_one_go(asked: Session) -> None:
    files = " ".join(f"src/f{number}.json" for number in range(3_000))
    assert asked.shell(f"rm {files}") == ""
    assert asked.shell(f"rm {files} .git/hooks/pre-push").startswith(f"blocked: .git/hooks/pre-push is {HOOK}\n")


def test_settings_of_another_project_may_change_too(session: Session, tmp_path: Path) -> None:
    session.repo.gate("install", "--claude")
    elsewhere = Session(Repo(tmp_path, session.repo.environ))
    path = session.repo.path / ".claude/settings.json"
    found = path.read_text()
    assert elsewhere.tool("Write", file_path=str(path), content=found.rstrip("\n")) == ""
    assert elsewhere.tool("Write", file_path=str(path), content="{}").startswith("blocked: ")


@pytest.mark.parametrize("name", ["PATH", "HOME", "GIT_CONFIG_GLOBAL", "REVIEW_GATE_CONFIG", "path"])
@pytest.mark.parametrize("file", ["settings.json", "settings.local.json"])
def test_an_agent_does_not_change_in_which_environment_we_are_started(
    registered: Session, file: str, name: str
) -> None:
    path = registered.repo.path / ".claude" / file
    known = json.loads(path.read_text()) if path.exists() else {}
    refusal = registered.tool("Write", file_path=str(path), content=json.dumps({**known, "env": {name: "/tmp"}}))
    assert refusal.startswith(f"blocked: {path} is where Claude Code is told to ask review-gate\n")
    assert registered.tool("Write", file_path=str(path), content=json.dumps({**known, "env": {"EDITOR": "vi"}})) == ""


def test_nothing_is_put_where_our_program_is_looked_for(asked: Session) -> None:
    folder = asked.repo.environ["PATH"].partition(os.pathsep)[0]
    for command in (
        f"echo > {folder}/review-gate",
        f"ln -sf /bin/true {folder}/review-gate",
        f"rm {folder}/review-gate",
    ):
        assert " is where the program review-gate is looked for\n" in asked.shell(command)
    assert asked.shell(f"echo > {folder}/other") == ""


def test_one_unreviewed_branch_behind_many_others_is_found(session: Session) -> None:
    session.repo.review()
    lines = "".join(
        f"commit refs/heads/b{number}\ncommitter u <u@example.com> {1_700_000_000 + number} +0000\ndata 1\nb\n"
        f"from {session.repo.head}\n\n"
        for number in range(250)
    )
    assert session.repo.run("git", "fast-import", "--quiet", stdin=lines).returncode == 0
    refusal = session.shell("git push --all")
    assert refusal.startswith("blocked: ")
    assert refusal.endswith("... and 190 more refs are blocked")
    session.repo.push("--all", "origin")
    assert session.shell("git push --all") == ""
    session.repo.branch_off("last", "other", {"other.py": "x = 1\n"})
    assert session.shell("git push --all").startswith("blocked: ")


@pytest.mark.parametrize(
    "command",
    [
        "git update-ref refs/remotes/origin/main HEAD",
        "git fetch . +main:refs/remotes/origin/main",
        "git symbolic-ref refs/remotes/origin/main refs/heads/main",
    ],
)
def test_what_the_remote_has_is_told_by_the_remote_alone(asked: Session, command: str) -> None:
    assert asked.shell(command) == (
        f"blocked: `{command}` writes by hand what the remote is said to have\n"
        "  why:   only the remote itself tells that\n"
        "  next:  git fetch"
    )


@pytest.mark.parametrize(
    "command",
    [
        "git update-ref -d refs/remotes/origin/old",
        "git fetch origin main:refs/remotes/origin/main",
        "git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/main",
        "git symbolic-ref refs/remotes/origin/HEAD",
    ],
)
def test_what_git_itself_remembers_of_the_remote_may_change(asked: Session, command: str) -> None:
    assert asked.shell(command) == ""


def test_a_copy_of_a_git_directory_is_judged_too(session: Session) -> None:
    assert session.repo.run("cp", "-r", ".git", "../copy").returncode == 0
    assert session.shell("git --git-dir=../copy push ../repo.git main").startswith(NEVER)


def test_a_push_from_a_repository_that_git_does_not_open_is_refused(session: Session) -> None:
    (session.repo.path / ".git/HEAD").write_text("broken")
    assert session.shell("git -c safe.directory='*' push") == (
        f"blocked: git does not open the repository around {session.repo.path}\n"
        "  why:   it is broken or belongs to somebody else, and nobody can say whether its commits were reviewed\n"
        "  next:  git status says what is wrong with it"
    )


def test_a_pull_request_of_what_is_made_on_the_way_is_left_to_the_hook(session: Session) -> None:
    commands = ("review-gate run --yes && gh pr create --fill", "git commit -m x && git push && gh pr create --fill")
    for command in commands:
        assert session.shell(command).startswith(NEVER)
    session.repo.gate("install")
    for command in commands:
        assert session.shell(command) == ""
    for command in ("gh pr create --fill", "make && gh api repos/a/b/git/refs -f ref=x -f sha=y", "make; arc diff"):
        assert session.shell(command).startswith(NEVER)
