"""A diff between two contents of a file, worked out by git, in the form that `git apply` takes."""

from __future__ import annotations

import os
import re
from tempfile import TemporaryDirectory

from review_gate.errors import GitError
from review_gate.shell.git import Git, first_line

_ESCAPES = {7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r", 34: '"', 92: "\\"}
# Git shows the function that a hunk is in, or what it takes for one.
_WITHOUT_CONTEXT = re.compile(r"^(@@ [-+,0-9 ]+ @@)[^\n]*", re.MULTILINE)
# Nobody's settings or attributes may change its form.
_PLAIN = ("--no-color", "--no-ext-diff", "--no-textconv", "--text", "--unified=3", "--inter-hunk-context=0")


def content_diff(path: str, old: bytes, new: bytes) -> str:
    """What changes between two versions of a file; "" when nothing does."""
    if old == new:
        return ""
    with TemporaryDirectory(prefix="review-gate-") as folder:
        for name, content in (("old", old), ("new", new)):
            with open(os.path.join(folder, name), "wb") as file:
                file.write(content)
        code, output, errors = Git(folder).try_run("diff", "--no-index", *_PLAIN, "--", "old", "new")
    if code != 1:
        why, step = first_line(errors) or f"it ended with {code}", "git --version, which has to be 2.25 or newer"
        raise GitError("git could not compare two versions of a file", why=why, next_step=step)
    names = [quoted_path(f"{side}/{path}") for side in "ab"]
    head = f"diff --git {names[0]} {names[1]}\n--- {_ended(names[0])}\n+++ {_ended(names[1])}\n"
    hunks = output[output.index(b"\n@@") + 1 :].decode("utf-8", "surrogateescape")
    return head + _WITHOUT_CONTEXT.sub(r"\1", hunks)


def quoted_path(path: str) -> str:
    """A path as git writes it: in quotes with escapes when a byte of it is not plain ASCII."""
    data = path.encode("utf-8", "surrogateescape")
    if all(32 <= byte < 127 and byte not in _ESCAPES for byte in data):
        return path
    return '"' + "".join(map(_escaped, data)) + '"'


def _escaped(byte: int) -> str:
    if byte in _ESCAPES:
        return "\\" + _ESCAPES[byte]
    return chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}"


def _ended(name: str) -> str:
    """A tab says where a name with blanks ends."""
    return name + "\t" if " " in name else name
