"""Where a setting of git stands, as the command that takes it away."""

from __future__ import annotations

import os
import shlex

from review_gate.shell.git import Git


def unset_step(top: str, scope: str, name: str) -> str:
    """The command that takes a setting away from where git has it, which may be a file that another one includes."""
    git = Git(top, is_hardened=False)
    quoted = shlex.quote(name)
    # Asked for one file, git looks into no file that this one includes.
    if git.try_run("config", f"--{scope}", "--get-all", name)[0] == 0:
        return f"git config --{scope} --unset-all {quoted}"
    origin = git.line("config", "--show-origin", "--get", name) or ""
    path = os.path.abspath(os.path.join(top, origin.partition("\t")[0].removeprefix("file:")))
    return f"git config --file {shlex.quote(path)} --unset-all {quoted}"
