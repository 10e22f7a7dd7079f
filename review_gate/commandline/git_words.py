"""What git's commands are called and which of their options take a value, as of git 2.39 to 2.53."""

from __future__ import annotations

from review_gate.commandline.names import names

# What no alias can stand for, without changing what HEAD or a ref is.
READING = names(
    """add annotate apply archive blame bundle bugreport cat-file check-attr check-ignore check-mailmap check-ref-format
    cherry clean column commit-graph config count-objects credential daemon describe diagnose diff diff-files diff-index
    diff-tree difftool fmt-merge-msg for-each-ref format-patch fsck get-tar-commit-id grep hash-object help
    interpret-trailers ls-files log ls-remote ls-tree mailinfo mailsplit merge-base merge-file merge-tree mv name-rev
    patch-id range-diff remote request-pull restore rev-list rev-parse rm shortlog show show-branch show-index
    show-ref sparse-checkout status stage stripspace unpack-file update-index update-server-info var verify-commit
    verify-pack verify-tag version whatchanged write-tree"""
)
# The rest of what no alias can stand for.
CHANGING = names(
    """am bisect branch checkout checkout-index cherry-pick citool clone commit commit-tree fast-export fast-import
    fetch fetch-pack filter-branch for-each-repo fsmonitor--daemon gc gui hook http-backend http-fetch index-pack
    init init-db instaweb maintenance merge merge-index merge-one-file mergetool mktag mktree multi-pack-index notes
    pack-objects pack-redundant pack-refs prune prune-packed pull read-tree rebase receive-pack reflog refs repack
    replace replay quiltimport rerere merge-ours merge-recursive merge-subtree reset revert stash submodule switch
    symbolic-ref tag unpack-objects update-ref upload-archive upload-pack worktree backfill history last-modified
    repo survey"""
)
# Those of them that an older git does not have, where an alias may have the name.
NEWER = names("backfill history last-modified refs replay repo survey fsmonitor--daemon merge-tree")
# Commands that call hooks and can be told not to, with the short option for it where there is one.
SKIPPING = {"commit": "n", "merge": "", "rebase": "", "am": "n", "pull": "", "push": ""}
# Options of those that take the next word as their value: the letters, and the long ones.
VALUED_SHORT = {"commit": "mFCct", "merge": "mFsX", "rebase": "sXxC", "am": "pC", "pull": "sXoj", "push": "o"}
# Letters whose value, if any, follows at once.
ATTACHED = {"commit": "Su", "merge": "S", "rebase": "S", "am": "S", "pull": "S", "push": ""}
_OF_MERGE = "--message --file --strategy --strategy-option --into-name --cleanup"
VALUED_LONG = {
    "commit": names(
        """--message --file --author --date --template --reuse-message --reedit-message --fixup --squash --cleanup
        --trailer --pathspec-from-file"""
    ),
    "merge": frozenset(_OF_MERGE.split()),
    "rebase": names("--onto --exec --strategy --strategy-option --whitespace --empty"),
    "am": names("--directory --exclude --include --patch-format --whitespace"),
    "pull": frozenset(f"{_OF_MERGE} --depth --deepen --refmap --server-option --negotiation-tip --upload-pack".split()),
    "push": frozenset({"--push-option", "--repo", "--receive-pack", "--exec"}),
}
# Sent by hand, past `git push` and its hook.
SENDING = frozenset({"send-pack", "http-push"})
SENDING_STARTS = ("remote-",)
# Sent by other commands than `git push`.
PUBLISHING = {
    "subtree": ("push",),
    "svn": ("dcommit", "set-tree", "commit-diff", "branch", "tag"),
    "p4": ("submit",),
    "cvsexportcommit": (),
    "send-email": (),
    "imap-send": (),
    "lfs": ("push",),
    "review": (),
    "publish": (),
    "pushf": (),
    "sync": (),
    "flow": ("publish", "finish"),
    "town": ("sync", "ship", "propose"),
    "annex": ("sync", "push", "assist"),
    "branchless": ("submit",),
    "machete": ("push", "traverse", "advance"),
    "spr": ("diff", "land"),
    "codecommit": (),
}
NOT_SKIPPED = "--no-verify"
SHORTEST_SKIP = len("--no-v")

# Before the command: options that take the next word, and those that stand alone.
GLOBAL_VALUED = frozenset(
    {
        "-C",
        "-c",
        "--git-dir",
        "--work-tree",
        "--namespace",
        "--super-prefix",
        "--config-env",
        "--attr-source",
        "--shallow-file",
    }
)
GLOBAL_ALONE = names(
    """-p --paginate -P --no-pager --bare --no-replace-objects --no-lazy-fetch --no-optional-locks --no-advice
    --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs -v --version -h --help --html-path
    --man-path --info-path --exec-path"""
)
HOOK_KEYS = ("core.hookspath", "include.path")
HOOK_KEY_STARTS = ("includeif.", "hook.")
# Configuration whose value git hands to a shell.
SHELL_KEYS = names(
    """core.editor sequence.editor core.pager core.sshcommand core.askpass core.fsmonitor core.gitproxy diff.external
    credential.helper gpg.program interactive.difffilter uploadpack.packobjectshook"""
)
SHELL_KEY_ENDS = (".cmd", ".textconv", ".command", ".clean", ".smudge", ".process", ".driver", ".helper", ".program")
SHELL_KEY_STARTS = ("pager.",)
SHELL_VARIABLES = (
    *("GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "EDITOR", "VISUAL", "GIT_PAGER", "PAGER", "GIT_SSH_COMMAND", "GIT_SSH"),
    *("GIT_ASKPASS", "GIT_EXTERNAL_DIFF", "GIT_PROXY_COMMAND"),
)
# Variables that change which configuration, and so which hooks, git takes.
CONFIG_VARIABLES = ("HOME", "XDG_CONFIG_HOME", "GIT_EXEC_PATH", "GIT_COMMON_DIR")
CONFIG_VARIABLE_START = "GIT_CONFIG"
# Of those, the ones that hold names of settings.
SETTING_VARIABLE_STARTS = ("GIT_CONFIG_KEY_", "GIT_CONFIG_PARAMETERS")
# Variables by which what runs in a hook is told to do less.
SKIP_VARIABLES = names(
    """SKIP PRE_COMMIT_ALLOW_NO_CONFIG PREK_SKIP PREK_ALLOW_NO_CONFIG HUSKY HUSKY_SKIP_HOOKS LEFTHOOK LEFTHOOK_EXCLUDE
    LEFTHOOK_BIN OVERCOMMIT_DISABLE HK HK_SKIP_STEPS HK_SKIP_HOOK SKIP_SIMPLE_GIT_HOOKS CAPTAINHOOK_SKIP_HOOKS
    GITHOOKS_DISABLE GIT_HOOKS_DISABLE"""
)
SKIP_VARIABLE_START = "REVIEW_GATE_"
# Of those, the ones that turn hooks off only with such a value.
OFF_VALUES = {"HUSKY": ("0",), "LEFTHOOK": ("0", "false"), "HK": ("0", "false")}
RECORDS = "refs/review-gate"
TRACKING = "refs/remotes/"
