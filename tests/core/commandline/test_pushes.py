"""Tables of lines that push or take the hooks away, each with its twin that does not."""

from __future__ import annotations

import pytest

from review_gate.commandline.acts import (
    HERE,
    HOOKS_OFF,
    PUBLISH,
    PUSH,
    REFS,
    SEND,
    SKIP,
    UNCLEAR,
    UNINSTALL,
    UNKNOWN,
    Act,
)
from review_gate.commandline.find import acts_in

ALIASES = {
    "p": "push",
    "history": "push",
    "Up": "push --no-verify",
    "sh": "!git push",
    "fn": '!f() { git push "$1" main; }; f',
    "ci": "commit",
    "fast": "commit --no-verify",
    "round": "about",
    "about": "round",
    "st": "status --short",
}


def kinds(line: str) -> list[str]:
    return [act.kind for act in acts_in(line, lambda _: ALIASES)]


def only(line: str) -> Act:
    (act,) = acts_in(line, lambda _: ALIASES)
    return act


# What was tried in real agents: a rule of theirs saw the first group and missed the second.
SEEN_BY_RULES = {
    "plain": "git push",
    "after another": "cd . && git push",
    "with a variable": "FOO=1 git push",
    "in a list": "ls; git push",
    "in a subshell": "( git push )",
    "in a pipe": "ls | git push",
    "in a substitution": "echo $(git push)",
    "by xargs": "echo origin | xargs git push",
    "by a variable": "x=push; git $x",
}
MISSED_BY_RULES = {
    "bash -c": "bash -c 'git push'",
    "sh -c": "sh -c 'git push'",
    "git -C": "git -C . push",
    "full path": "/usr/bin/git push",
    "env": "env git push",
    "timeout": "timeout 5 git push",
    "command": "command git push",
}
PUSHES = {
    "for Windows": "git.exe push",
    "from the exec path": "/usr/lib/git-core/git-push",
    "login shell": "bash -lc 'git push'",
    "options of a shell": "bash -euo pipefail -c 'git push'",
    "arguments of a shell": "sh -c 'git $1' sh push",
    "zsh": "zsh -c 'git push'",
    "document for a shell": "bash <<'E'\ngit push\nE",
    "pipe into a shell": "echo git push | sh",
    "document through cat": "cat <<E | bash\ngit push\nE",
    "printf into a shell": "printf 'git %s\\n' push | sh",
    "eval of pieces": "eval 'git pu''sh'",
    "exec": "exec git push",
    "builtin exec": "builtin exec git push",
    "sudo": "sudo -u me -E A=b git push",
    "doas": "doas -u me git push",
    "many in a row": "nohup nice -n 5 setsid stdbuf -oL time git push",
    "env with options": "env -i -u X A=b git push",
    "env -S": "env -S 'git push'",
    "env -vS attached": "env '-vSgit push'",
    "xargs -I": "echo push | xargs -I{} git {}",
    "find -exec": "find . -name x -exec git push \\;",
    "find -exec sh": "find . -exec sh -c 'git push' {} +",
    "parallel": "parallel git ::: push",
    "parallel of commands": "parallel ::: 'git push' ls",
    "watch": "watch -n 5 git push",
    "script": "script -qc 'git push' /dev/null",
    "su": "su me -c 'git push'",
    "flock": "flock /tmp/lock -c 'git push'",
    "a wrapper nobody knows": "anything --flag git push",
    "a text for one": "nix-shell --run 'git push'",
    "git options": "git --no-pager -c a.b=c --work-tree=. -p push",
    "alias of git": "git p",
    "alias in capitals": "git P",
    "shell alias of git": "git sh",
    "function in an alias": "git fn origin",
    "alias that a newer git has as a command": "git history",
    "alias in -c": "git -c alias.z=push z",
    "alias set before": "git config alias.q push; git q",
    "alias of the shell": "alias g=git\ng push",
    "alias with a tail": "alias g='cd x && git'\ng push",
    "remembered path": "hash -p /usr/bin/git g; g push",
    "function": 'f() { git "$@"; }; f push',
    "function that is set twice": "f() { :; }; f() { git push; }; f",
    "list": 'a=(git push); "${a[@]}"',
    "positional": 'set -- push; git "$@"',
    "default": "git ${x:-push}",
    "assigned default": ": ${x:=push}; git $x",
    "appended": "x=pu; x+=sh; git $x",
    "braces": "git {push,origin}",
    "escapes": "$'\\x67\\151t' push",
    "locale quotes": '$"git" push',
    "line that goes on": "git \\\n push",
    "redirect first": ">/dev/null 2>&1 git push",
    "descriptor of its own": "{fd}>/dev/null git push",
    "background": "git push &",
    "negated": "! git push",
    "if": "if git push; then :; fi",
    "else": "if ls; then :; elif ls; then :; else git push; fi",
    "while": "while git push; do :; done",
    "loop": "for x in status push; do git $x; done",
    "case": "case $y in a|b) ls ;; *) git push ;; esac",
    "select": "select x in a; do git push; done",
    "backquotes in backquotes": "echo `echo \\`git push\\``",
    "process substitution": "diff <(git push) x",
    "arithmetic": "echo $((1 + $(git push)))",
    "subshell that looks like arithmetic": "echo $((git push); ls)",
    "document": "cat <<E\n$(git push)\nE",
    "here string": "cat <<< $(git push)",
    "test": "[[ -n $(git push) ]]",
    "trap": "trap 'git push' EXIT",
    "substitution of the name": "$(which git) push",
    "one after a comment": "ls # nothing\ngit push",
    "between commits": "git rebase -x 'git push' main",
    "in submodules": "git submodule foreach --recursive 'git push'",
    "by bisect": "git bisect run git push",
    "as the editor": "GIT_EDITOR='git push' git commit",
    "as the editor by setting": "git -c core.editor='git push' commit",
    "as the pager": "GIT_PAGER='git push' git log",
    "as an editor that has itself as editor": "GIT_EDITOR='git push #' git commit",
    "as a tool": "git difftool --extcmd='git push'",
    "index of a list": 'echo "${a[$(git push)]}"',
    "no arguments": 'git "$@" push',
    "no elements": 'a=(); git "${a[@]}" push',
    "runuser": "runuser -u me -- git push",
    "at": "echo 'git push' | at now",
    "fd": "fd -e py -x git push",
    "a git command nobody knows": "git some git push",
    "coprocess": "coproc git push",
    "after the shell is told": "command -p git push",
    "past a function": "git() { :; }; command git push",
    "in a shell of its own past a function": "git() { :; }; bash -c 'git push'",
    "not exported": "x=status; bash -c 'git ${x:-push}'; git push",
}
NO_PUSHES = {
    "status": "git status",
    "diff": "git diff --stat HEAD~1",
    "commit": "git commit -m 'git push'",
    "commit with a document": "git commit -m \"$(cat <<'E'\ngit push (really)\nE\n)\"",
    "stash push": "git stash push -m x",
    "echo": "echo git push",
    "echo into cat": "echo git push | cat",
    "grep": "grep -rn 'git push' .",
    "comment": "ls # git push",
    "quoted document": "cat <<'E'\n$(git push)\nE",
    "only assigned": "x='git push'",
    "log": "git log --grep push",
    "function that is not called": "f() { git push; }",
    "own git": "git() { :; }; git push",
    "value of an option": "git -C push status",
    "alias of another": "git st",
    "quoted operator": "echo 'x; git push'",
    "escaped operator": "echo x \\; git push",
    "command -v": "command -v git push",
    "alias that is only set": "alias g='git push'",
    "no program": "x=git push",
    "words of a test": "[[ git == push ]]",
    "pytest": "pytest -k git_push",
    "argument of a shell": "sh -c 'echo $1' sh 'git push'",
    "case that is text": "case git in push) ;; esac",
    "help": "help git push",
    "blank that is none for a shell": "git\u00a0push",
    "another": "x='git\x1fpush'; eval : $x",
    "mkdir": "mkdir -p git/push",
}


@pytest.mark.parametrize(
    "line",
    [*SEEN_BY_RULES.values(), *MISSED_BY_RULES.values(), *PUSHES.values()],
    ids=[*SEEN_BY_RULES, *MISSED_BY_RULES, *PUSHES],
)
def test_a_push_is_found(line: str) -> None:
    assert PUSH in kinds(line)


@pytest.mark.parametrize("line", NO_PUSHES.values(), ids=NO_PUSHES)
def test_what_only_looks_like_a_push_is_no_act(line: str) -> None:
    assert kinds(line) == []


UNTOLD = {
    "second round of a loop": "x=status; while ls; do git $x; x=push; done",
    "subcommand": "git $x",
    "program": "$cmd push",
    "part of a subcommand": "git pu$x",
    "glob": "git pus?",
    "output of a program": "git $(cat x)",
    "shell fed by a download": "curl -s x | sh",
    "shell fed by a decoder": "base64 -d x | bash",
    "text in a variable": 'bash -c "$x"',
    "eval": 'eval "$x"',
    "file nobody knows": "bash $x",
    "either of two": "x=status; false && x=push; git $x",
    "left out or not": "x=push; ls || x=status; git $x",
    "changed by case": "declare -u x=push; git $x",
    "by another name": "declare -n r=x; git $x",
    "words cut elsewhere": "IFS=,; x=a,b; git $x",
    "loop of aliases": "git round",
    "quote without end": "git push 'x",
    "parenthesis without end": "( git push",
    "other language": "python3 -c 'import os; os.system(\"git push\")'",
    "command of an editor": "sed '1e git push' x",
    "command of vim": "vim -es '+!git push' +q",
    "command of ed": "ed x <<< '!git push'",
    "expect": "expect -c 'spawn git push'",
    "too deep": "$(" * 40 + "git push" + ")" * 40,
    "too much": "f() { g; g; }; g() { h; h; }; " + "eval f;" * 200 + "git $x",
    "zero byte": "git push\0",
    "unknown options": "git $x push",
    "unknown before it": "env $x git status",
}


@pytest.mark.parametrize("line", UNTOLD.values(), ids=UNTOLD)
def test_what_the_text_does_not_tell_is_said_to_be_unclear(line: str) -> None:
    assert UNCLEAR in kinds(line)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("git push origin main", ("origin", "main")),
        ("git push origin $b", ("origin", UNKNOWN)),
        ("git push origin HEAD:refs/heads/$b", ("origin", f"HEAD:refs/heads/{UNKNOWN}")),
        ("b=main; git push origin HEAD:$b", ("origin", "HEAD:main")),
        ("git sh", ()),
        ('git push "$@" origin', ("origin",)),
        ('git push "" origin', ("", "origin")),
        ("git p -f origin", ("-f", "origin")),
        ("git push --tags 'a b'", ("--tags", "a b")),
        ("cat x | xargs git push origin", ("origin", UNKNOWN)),
    ],
)
def test_a_push_keeps_its_arguments(line: str, words: tuple[str, ...]) -> None:
    act = only(line)
    assert (act.kind, act.words, act.has_unknown) == (PUSH, words, any(UNKNOWN in word for word in words))


@pytest.mark.parametrize(
    ("line", "folder"),
    [
        ("git push", HERE),
        ("cd sub && git push", "sub"),
        ("cd sub/a; cd ..; git push", "sub/a/.."),
        ("cd /x && git -C y push", "/x/y"),
        ("(cd sub); git push", HERE),
        ("cd && git push", "~"),
        ("cd a; cd b; cd -; git push", "a"),
        ("pushd a; pushd b; popd; git push", "a"),
        ("cd $x && git push", None),
        ("ls && cd a; git push", None),
        ("CDPATH=/x; cd a; git push", None),
        ("env -C a git push", "a"),
        ("sudo -D /a git push", "/a"),
        ("git --git-dir=/x/.git push", "/x/.git"),
        ("GIT_DIR=/x/.git git push", "/x/.git"),
        ("bash -c 'cd a'; git push", HERE),
        ("git -C /x rebase -x 'git push' main", "/x"),
        ("git -C /x bisect run git -C y push", "/x/y"),
        ("git -C /x sh", "/x"),
        ("git -C /x status; git push", HERE),
        ("git submodule foreach 'git push'", None),
        ("git submodule foreach true; git push", HERE),
        ("if ls; then cd a; fi; git push", None),
        ("f() { cd a; }; f; git push", "a"),
        ('cd "$PWD/a" && git push', "a"),
        ('cd "$HOME/a" && git push', "~/a"),
    ],
)
def test_a_push_happens_in_the_folder_the_line_has_gone_to(line: str, folder: str | None) -> None:
    assert only(line).folder == folder


SKIPPING = {
    "no-verify": "git push --no-verify",
    "shortened": "git push --no-veri origin",
    "shortest": "git push --no-v",
    "behind the remote": "git push origin --no-verify",
    "by an alias": "git up",
    "hooks path": "git -c core.hooksPath=/dev/null push",
    "hooks path in capitals": "git -c CORE.HOOKSPATH= push",
    "hooks path from a variable": "git --config-env=core.hooksPath=X push",
    "another file": "git -c include.path=x push",
    "a hook by name": "git -c hook.pre-push.enabled=false push",
    "configuration in variables": "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=x git push",
    "exported": "export GIT_CONFIG_PARAMETERS=\"'core.hooksPath=x'\"; git push",
    "global configuration": "GIT_CONFIG_GLOBAL=x git push",
    "another home": "env HOME=/tmp git push",
    "exec path": "git --exec-path=/x push",
    "unknown setting": "git -c $x push",
}
CALLING = {
    "plain": "git push",
    "a value": "git push -o --no-verify",
    "behind the end of options": "git push -- --no-verify",
    "dry run": "git push -n",
    "another setting": "git -c push.default=current push",
    "another variable": "GIT_TRACE=1 git push",
    "an empty environment": "env -i git push",
    "asked for": "git --exec-path push",
    "in another shell": "(export GIT_CONFIG_COUNT=1); git push",
}


@pytest.mark.parametrize("line", SKIPPING.values(), ids=SKIPPING)
def test_a_push_that_skips_the_hooks_says_so(line: str) -> None:
    assert [bool(act.skipped_by) for act in acts_in(line, lambda _: ALIASES) if act.kind == PUSH] == [True]


@pytest.mark.parametrize("line", CALLING.values(), ids=CALLING)
def test_a_push_that_calls_the_hooks_does_not(line: str) -> None:
    assert [bool(act.skipped_by) for act in acts_in(line, lambda _: ALIASES) if act.kind == PUSH] == [False]


MOVING = (
    *("git commit -m x", "git commit --amend", "git merge a", "git rebase a", "git reset --hard a", "git checkout a"),
    *("git switch a", "git pull", "git am x", "git cherry-pick a", "git revert a", "git branch -f a b", "git tag a"),
    *(
        "git update-ref refs/heads/a b",
        "git fetch . a:b",
        "git stash",
        "git ci",
        "make",
        "./x",
        "bash x.sh",
        "$x",
        "git some",
    ),
)
KEEPING = (
    *("git status", "git log", "git add -A", "git branch", "git branch --show-current", "git tag -l", "git fetch"),
    *("git checkout -- a", "git diff", "git stash list", "git remote -v", "git push other", "ls", "cd .", "x=1"),
    *("echo git commit", "rm a", "git st", "git config user.name"),
)


@pytest.mark.parametrize("before", MOVING)
def test_a_push_says_that_something_before_it_may_have_moved_a_ref(before: str) -> None:
    assert [act.may_have_moved for act in acts_in(f"{before}; git push", lambda _: ALIASES) if act.kind == PUSH] == [
        True
    ]


@pytest.mark.parametrize("before", KEEPING)
def test_a_push_says_when_nothing_before_it_has(before: str) -> None:
    pushes = [act for act in acts_in(f"{before}; git push", lambda _: ALIASES) if act.kind == PUSH]
    assert [act.may_have_moved for act in pushes] == [False] * len(pushes)


TAKING_AWAY = {
    "commit": ("git commit --no-verify -m x", SKIP),
    "commit, shortened": ("git commit --no-ver", SKIP),
    "commit -n": ("git commit -n -m x", SKIP),
    "commit, bundled": ("git commit -anm x", SKIP),
    "merge": ("git merge --no-verify a", SKIP),
    "rebase": ("git rebase --no-verify a", SKIP),
    "am": ("git am --no-verify x", SKIP),
    "pull": ("git pull --no-verify", SKIP),
    "commit by alias": ("git fast -m x", SKIP),
    "commit elsewhere": ("git -c core.hooksPath= commit -m x", SKIP),
    "pre-commit": ("SKIP=a git commit -m x", SKIP),
    "pre-commit without settings": ("PRE_COMMIT_ALLOW_NO_CONFIG=1 git commit -m x", SKIP),
    "husky": ("HUSKY=0 git commit -m x", SKIP),
    "lefthook": ("export LEFTHOOK=0; git commit -m x", SKIP),
    "ours": ("REVIEW_GATE_CONFIG=x git commit -m x", SKIP),
    "send-pack": ("git send-pack host:x main", SEND),
    "send-pack by path": ("/usr/lib/git-core/git-send-pack x", SEND),
    "http-push": ("git http-push x", SEND),
    "remote helper": ("git remote-https origin url", SEND),
    "jj": ("jj git push", SEND),
    "dulwich": ("python -m dulwich push", SEND),
    "hooks path": ("git config core.hooksPath x", HOOKS_OFF),
    "hooks path, global": ("git config --global --replace-all core.hookspath x", HOOKS_OFF),
    "hooks path, new words": ("git config set --local core.hooksPath x", HOOKS_OFF),
    "hooks path, unset": ("git config --unset-all core.hooksPath", HOOKS_OFF),
    "hooks path, unset in new words": ("git config unset core.hooksPath", HOOKS_OFF),
    "section": ("git config --remove-section core", HOOKS_OFF),
    "editor": ("git config --global -e", HOOKS_OFF),
    "include": ("git config --add include.path x", HOOKS_OFF),
    "unknown key": ("git config $x y", HOOKS_OFF),
    "alias that skips": ("git config alias.x 'push --no-verify'", HOOKS_OFF),
    "alias that commits without": ("git config alias.x '!git commit -n'", HOOKS_OFF),
    "update-ref": ("git update-ref refs/review-gate/a b", REFS),
    "update-ref, unknown": ("git update-ref -d $x", REFS),
    "update-ref, fed": ("cat x | git update-ref --stdin", REFS),
    "symbolic-ref": ("git symbolic-ref refs/review-gate/a b", REFS),
    "push to here": ("git push . a:refs/review-gate/b", REFS),
    "fetch": ("git fetch origin '+refs/*:refs/review-gate/*'", REFS),
    "fast-import": ("git fast-import <x", REFS),
    "gate": ("review-gate uninstall", UNINSTALL),
    "gate as a module": ("python3 -m review_gate uninstall", UNINSTALL),
    "pre-commit out": ("pre-commit uninstall -t pre-push", UNINSTALL),
    "lefthook out": ("npx lefthook uninstall", UNINSTALL),
    "uv run": ("uv run pre-commit uninstall", UNINSTALL),
    "pip": ("pip uninstall -y review-gate", UNINSTALL),
    "plugin off": ("claude plugin disable review-gate", UNINSTALL),
    "plugin of a marketplace": ("claude plugin uninstall review-gate@review-gate --scope user", UNINSTALL),
    "hooks off": ("gemini hooks disable review-gate", UNINSTALL),
    "pull request": ("gh pr create --fill", PUBLISH),
    "pull request in another": ("gh -R a/b pr new", PUBLISH),
    "repository": ("gh repo create x --source=. --push", PUBLISH),
    "ref by api": ("gh api repos/a/b/git/refs -f ref=x -f sha=y", PUBLISH),
    "file by api": ("gh api -X PUT repos/a/b/contents/x --input -", PUBLISH),
    "commit by graphql": ("gh api graphql -f query='mutation { createCommitOnBranch }'", PUBLISH),
    "merge request": ("glab mr create", PUBLISH),
    "hub": ("hub pull-request", PUBLISH),
    "subtree": ("git subtree push --prefix=x origin y", PUBLISH),
    "svn": ("git svn dcommit", PUBLISH),
    "p4": ("git p4 submit", PUBLISH),
    "e-mail": ("git send-email HEAD^", PUBLISH),
}
LEAVING_ALONE = (
    *("git commit -m --no-verify", "git commit -m -n", "git commit -F -n", "git merge -n a", "git commit --no-edit"),
    *(
        "HUSKY=1 git commit -m x",
        "LEFTHOOK=1 git commit -m x",
        "SKIP=a ls",
        "SKIP=a git status",
        "SKIP=a; unset SKIP; git tag",
    ),
    *("git config core.hooksPath", "git config --get core.hooksPath", "git config get core.hooksPath", "git config -l"),
    *(
        "git config user.name x",
        "git config alias.x 'log -n 5'",
        "git config init.templateDir x",
        "git config --unset a.b",
    ),
    *("git update-ref refs/heads/a b", "git show refs/review-gate/a", "git symbolic-ref HEAD", "git fetch origin"),
    *(
        "review-gate run",
        "pre-commit run -a",
        "pip install review-gate",
        "pip uninstall x",
        "lefthook install",
        "claude plugin disable x",
    ),
    *(
        "gh pr view",
        "gh pr list",
        "gh repo create x",
        "gh api repos/a/b/git/refs",
        "gh api user -f a=b",
        "gh repo view",
    ),
    *("gh api graphql -f query='query { viewer }'", "glab mr list", "git subtree add --prefix=x y z", "git svn fetch"),
    *("jj git fetch", "git remote -v", "git bundle create x main", "git log -n 5 --no-merges"),
)


@pytest.mark.parametrize(("line", "kind"), TAKING_AWAY.values(), ids=TAKING_AWAY)
def test_what_goes_past_the_gate_is_told_apart(line: str, kind: str) -> None:
    assert kind in kinds(line)


@pytest.mark.parametrize("line", LEAVING_ALONE)
def test_what_stays_within_it_is_no_act(line: str) -> None:
    assert kinds(line) == []


def test_acts_come_in_the_order_in_which_they_would_be_done() -> None:
    assert kinds("rm a; git commit -n; (git push; gh pr create) && git config core.hooksPath x") == [
        *("write", SKIP, PUSH, PUBLISH, HOOKS_OFF)
    ]


def test_aliases_are_asked_for_in_the_folder_of_the_command() -> None:
    asked: list[str] = []

    def aliases(folder: str) -> dict[str, str]:
        asked.append(folder)
        return {"z": "push"}

    assert [act.kind for act in acts_in("git status; cd a && git -C b z", aliases)] == [PUSH]
    assert asked == ["a/b"]
