"""Tables of lines that push or lead around git's hooks, each with its twin that does not."""

from __future__ import annotations

import pytest

from review_gate.commandline.acts import (
    HERE,
    HOOKS_OFF,
    OFFER,
    PUBLISH,
    PUSH,
    RECORDS,
    SEND,
    UNCLEAR,
    UNINSTALL,
    UNKNOWN,
    Act,
)
from review_gate.commandline.programs import acts_in

ALIASES = {
    "p": "push",
    "Up": "push --no-verify",
    "sh": "!git push",
    "fn": '!f() { git push "$1" main; }; f',
    "st": "status --short",
}


def kinds(line: str) -> list[str]:
    return [act.kind for act in acts_in(line, lambda _: ALIASES)]


def pushes(line: str) -> list[Act]:
    return [act for act in acts_in(line, lambda _: ALIASES) if act.kind == PUSH]


PUSHES = (
    *("git push", "cd . && git push", "FOO=1 git push", "ls; git push", "( git push )", "ls | git push"),
    *("echo $(git push)", "echo `git push`", "echo origin | xargs git push", "git.exe push", "/usr/bin/git push"),
    *("git -C . push", "git --no-pager -c a.b=c --work-tree=. -p push", "/usr/lib/git-core/git-push"),
    *("env git push", "timeout 5 git push", "command git push", "exec git push", "sudo -u me -E A=b git push"),
    *("sudo -u git -H bash -c 'cd /srv && git push'", "coproc P { git push; }", "until git push; do sleep 1; done"),
    *(
        "for ((i=0; i<3; i++)); do git push && break || sleep $((2**i)); done",
        "git push \\\n  --set-upstream \\\n  origin",
    ),
    *("[[ -n $x && ( $y == a* || $z -gt 3 ) ]] && git push", "declare -A m=([a]=1); echo ${x//a/b}; git push"),
    *("nohup nice -n 5 setsid stdbuf -oL time git push", "env -i -u X A=b git push", "env -S 'git push'"),
    *("bash -c 'git push'", "bash -lc 'git push'", "bash -euo pipefail -c 'git push'", "sudo zsh -c 'git push'"),
    *("bash <<'E'\ngit push\nE", "bash <<< 'git push'", "su me -c 'git push'"),
    *("eval git push", "eval 'git pu''sh'", "find . -name x -exec git push \\;", "watch -n 5 git push"),
    *("nix-shell --run 'git push'", "git p", "git P", "git sh", "git fn origin", "git -c alias.z=push z"),
    *("f() { git push; }; f", "git \\\n push", ">/dev/null 2>&1 git push", "git >/dev/null push", "git push &"),
    *("! git push", "if git push; then :; fi", "while git push; do :; done", "for x in a; do git push; done"),
    *("case $y in a|b) ls ;; *) git push ;; esac", "diff <(git push) x", "cat <<E\n$(git push)\nE", "x=$(git push)"),
    *("[[ -n $(git push) ]]", "trap 'git push' EXIT", "ls # nothing\ngit push", "git rebase -x 'git push' main"),
    *("git submodule foreach --recursive 'git push'", "git bisect run git push", "{ git push; } > log 2>&1"),
    *("git push |& tee log", "git commit -F - <<'E'\nx\nE\ngit push", "cat > a <<'E' && git push\nx\nE"),
)
NO_PUSHES = (
    *("git status", "git diff --stat HEAD~1", "git commit -m 'git push'", "git stash push -m x", "echo git push"),
    *("echo git push | cat", "grep -rn 'git push' .", "ls # git push", "cat <<'E'\n$(git push)\nE", "x='git push'"),
    *("git log --grep push", "git -C push status", "git st", "echo 'x; git push'", "echo x \\; git push"),
    *("[[ git == push ]]", "pytest -k git_push", "case git in push) ;; esac", "mkdir -p git/push", "npm test"),
    'git commit -m "$(cat <<\'E\'\nfix: git push (really), it\'s "done"\nE\n)"',
    *("sh -c 'echo $1' sh 'git push'", "pip install review-gate", "pre-commit run -a", "review-gate run --yes"),
    *("review-gate dismiss X --because 'git push failed'", "lefthook run pre-push", "sed 's/git push/git pull/' x"),
    *("gh pr view", "gh pr list --json number", "gh api repos/a/b/git/refs -f ref=x", "gh repo create x"),
    *("jj git fetch", "git svn fetch", "git subtree add --prefix=x y z", "git remote -v", "claude plugin list"),
    *(
        "python3 - <<'E'\nd['push'] = 'git'\nE",
        "node -e 'a.push(1) // git'",
        "git diff | xargs -I{} sh -c 'echo \"{}\"'",
    ),
    *("git commit -n -m x", "git commit --no-verify -m x", "SKIP=mypy git commit -m x", "HUSKY=0 git commit -m x"),
    *("git config core.hooksPath", "git config --get core.hooksPath", "git config get core.hooksPath", "git config -l"),
    *(
        "git config user.name x",
        'git config user.email "$MAIL"',
        "git config user.name core",
        "git config alias.x 'log -n 5'",
        "git config --unset a.b",
        "git update-ref a b",
    ),
    *("git show refs/review-gate/a", "git fetch origin", "lefthook install", "npm uninstall left-pad"),
)


@pytest.mark.parametrize("line", PUSHES)
def test_push_is_found(line: str) -> None:
    assert pushes(line)


def test_line_that_neither_pushes_nor_leads_around_is_no_act() -> None:
    assert {line: kinds(line) for line in NO_PUSHES if kinds(line)} == {}


UNTOLD = (
    *("git $x", "$cmd push", "git pus?", "git $(cat x)", "git {push,x}", "x=push; git $x", 'f() { git "$@"; }; f push'),
    *("for x in status push; do git $x; done", "$(which git) push", "cat git | sh", 'bash -c "$git"', 'eval "$git"'),
    *(
        "bash $git",
        "echo git push | sh",
        "cat <<E | sh\ngit push\nE",
        'git "${a[@]}" push',
        "xargs -I{} git {}",
        "gh $x create",
    ),
    *("python3 -c 'os.system(\"git push\")'", "python3 - <<'E'\nrun(['git', 'push'])\nE", "perl -e '`git push`'"),
    *("GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.z GIT_CONFIG_VALUE_0=push git z",),
)


@pytest.mark.parametrize("line", UNTOLD)
def test_command_that_only_the_shell_knows_is_unclear(line: str) -> None:
    assert UNCLEAR in kinds(line)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("git push origin main", ("origin", "main")),
        ("git push origin $b", ("origin", UNKNOWN)),
        ("git push origin HEAD:refs/heads/$b", ("origin", f"HEAD:refs/heads/{UNKNOWN}")),
        ('git push "" "a b"', ("", "a b")),
        ("git p -f origin", ("-f", "origin")),
        ("git push origin > log main", ("origin", "main")),
        ("cat x | xargs git push origin", ("origin", UNKNOWN)),
        ("git -c push.default=matching push", (UNKNOWN,)),
    ],
)
def test_push_keeps_its_arguments(line: str, words: tuple[str, ...]) -> None:
    assert [act.words for act in pushes(line)] == [words]


@pytest.mark.parametrize(
    ("line", "folder"),
    [
        ("git push", HERE),
        ("cd sub && git push", "sub"),
        ("cd sub/a; cd ..; git push", "sub"),
        ("cd /x && git -C y push", "/x/y"),
        ("(cd sub); git push", HERE),
        ("cd && git push", "~"),
        ("cd - && git push", None),
        ("cd $x && git push", None),
        ("cd $x; cd /y && git push", "/y"),
        ("git --git-dir=/x/.git push", "/x/.git"),
        ("GIT_DIR=/x/.git git push", "/x/.git"),
        ("bash -c 'cd a'; git push", HERE),
        ("git -C /x rebase -x 'git push' main", "/x"),
        ("git -C /x sh", "/x"),
        ('cd "$PWD/a" && git push', "a"),
        ('cd "$HOME/a" && git push', "~/a"),
    ],
)
def test_push_happens_in_the_folder_that_the_line_has_gone_to(line: str, folder: str | None) -> None:
    assert [act.folder for act in pushes(line)] == [folder]


SKIPPING = {
    "git push --no-verify": "--no-verify",
    "git push origin --no-veri": "--no-veri",
    "git push --no-v": "--no-v",
    "git up": "--no-verify",
    "git -c core.hooksPath=/dev/null push": "-c core.hookspath=/dev/null",
    "git --config-env=core.hooksPath=X push": f"-c core.hookspath={UNKNOWN}",
    "git -c include.path=x push": "-c include.path=x",
    "git --exec-path=/x push": "--exec-path=/x",
    "opt=--no-verify; git push $opt": "--no-verify",
    "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath git push": "GIT_CONFIG_COUNT, GIT_CONFIG_KEY_0",
    "export GIT_CONFIG_GLOBAL=x; git push": "GIT_CONFIG_GLOBAL",
    "env HOME=/tmp git push": "HOME",
    "SKIP=review-gate git push": "SKIP=review-gate",
    "HUSKY=0 git push": "HUSKY=0",
    "export LEFTHOOK=false && git push": "LEFTHOOK=false",
    "PREK_SKIP=a sudo -E git push": "PREK_SKIP=a",
    "REVIEW_GATE_CONFIG=x git push": "REVIEW_GATE_CONFIG=x",
    "HUSKY=0 gh pr create": "HUSKY=0",
}
CALLING = (
    *("git push -o --no-verify", "git push -- --no-verify", "git -c user.name=x push", "GIT_TRACE=1 git push"),
    *("HUSKY=1 git push", "LEFTHOOK=1 git push", "(export SKIP=a); git push", "SKIP=a ls; git push", "git push $b"),
)


@pytest.mark.parametrize(("line", "word"), SKIPPING.items(), ids=SKIPPING)
def test_push_that_skips_the_hooks_says_by_what(line: str, word: str) -> None:
    assert [act.skipped_by for act in acts_in(line, lambda _: ALIASES)] == [word]


def test_push_that_calls_the_hooks_says_so() -> None:
    assert {line for line in CALLING if [act.skipped_by for act in pushes(line)] != [""]} == set()


@pytest.mark.parametrize(
    ("before", "has_moved"),
    [
        *((one, True) for one in ("git commit -m x", "git merge a", "git switch a", "git pull", "git tag a")),
        *((one, False) for one in ("git status", "git add -A", "git stash list", "git push other", "ls", "cd .")),
    ],
)
def test_push_knows_whether_the_line_moved_a_ref_before_it(before: str, has_moved: bool) -> None:
    assert pushes(f"{before}; git push")[-1].has_moved == has_moved


AROUND = {
    "git send-pack host:x main": SEND,
    "/usr/lib/git-core/git-send-pack x": SEND,
    "git remote-https origin url": SEND,
    "jj git push": SEND,
    "sl push": SEND,
    "python -m dulwich push": SEND,
    "git config core.hooksPath x": HOOKS_OFF,
    "git config --global --replace-all core.hookspath x": HOOKS_OFF,
    "git config set --local core.hooksPath x": HOOKS_OFF,
    "git config --unset-all core.hooksPath": HOOKS_OFF,
    "git config unset core.hooksPath": HOOKS_OFF,
    "git config --remove-section core": HOOKS_OFF,
    "git config --global -e": HOOKS_OFF,
    "git config --add include.path x": HOOKS_OFF,
    "git config $x y": HOOKS_OFF,
    "git config -f .git/config core.hooksPath x": HOOKS_OFF,
    "git config alias.x 'push --no-verify'": HOOKS_OFF,
    "git update-ref refs/review-gate/a b": RECORDS,
    "git push . a:refs/review-gate/b": RECORDS,
    "git fetch origin '+refs/*:refs/review-gate/*'": RECORDS,
    "review-gate uninstall": UNINSTALL,
    "python3 -m review_gate uninstall": UNINSTALL,
    'review-gate "$verb"': UNINSTALL,
    "pre-commit uninstall -t pre-push": UNINSTALL,
    "npx lefthook uninstall": UNINSTALL,
    "uv run pre-commit uninstall": UNINSTALL,
    "pip uninstall -y review-gate": UNINSTALL,
    "claude plugin uninstall review-gate@review-gate --scope user": UNINSTALL,
    "gh pr create --fill": OFFER,
    "gh -R a/b pr new": OFFER,
    "gh repo create x --source=. --push": OFFER,
    "glab mr create": OFFER,
    "hub pull-request": OFFER,
    "hub push": OFFER,
    "git subtree push --prefix=x origin y": OFFER,
    "git svn dcommit": PUBLISH,
    "git send-email HEAD^": PUBLISH,
    "arc diff": PUBLISH,
}


@pytest.mark.parametrize(("line", "kind"), AROUND.items(), ids=AROUND)
def test_way_around_the_gate_is_told_apart(line: str, kind: str) -> None:
    assert kinds(line) == [kind]


def test_acts_come_in_the_order_in_which_they_would_be_done() -> None:
    line = "rm a; (git push; gh pr create) && git config core.hooksPath x"
    assert kinds(line) == ["write", PUSH, OFFER, HOOKS_OFF]


def test_aliases_are_asked_for_in_the_folder_of_the_command() -> None:
    asked: list[str] = []

    def aliases(folder: str) -> dict[str, str]:
        asked.append(folder)
        return {"z": "push"}

    assert [act.kind for act in acts_in("git status; cd a && git -C b z", aliases)] == [PUSH]
    assert asked == ["a/b"]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("$env:HUSKY = 0; git push origin main", PUSH),
        ("if ($ok) { git push --no-verify }", PUSH),
        ("& 'git' push", PUSH),
        ("Remove-Item -Force .git\\hooks\\pre-push", "write"),
        ("Write-Output x > .git\\config", "write"),
    ],
)
def test_words_of_powershell_are_looked_at_without_a_grammar(line: str, kind: str) -> None:
    assert kind in [act.kind for act in acts_in(line, lambda _: {}, is_powershell=True)]
