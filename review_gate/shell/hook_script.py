"""Shell scripts that call our hooks: the few shapes in which the verdict of the call cannot be lost."""

from __future__ import annotations

import re

SHEBANG = re.compile(r"#! ?\S*/(?:env )?(?:sh|bash|dash|ash)(?: -([eux]+))?")
SETTING = re.compile(r"set(?: -[eux]+| -[eux]*o (?:errexit|nounset|pipefail|xtrace))+")
STOPS = re.compile(r" -[ux]*e| errexit")
HUSKY_LINES = ('. "$(dirname -- "$0")/_/husky.sh"', '. "$(dirname "$0")/_/husky.sh"')
PROGRAM = r"[\"']?(?:[\w./~${}-]*/)?review-gate[\"']?"
# `exit 256` is `exit 0`.
REFUSES = r" \|\| exit(?: \$\?| (?:[1-9]\d?|1\d\d|2[0-4]\d|25[0-5]))?"


def mentions_call(script: str, hook: str, call: str = "") -> bool:
    """Whether the call of our hook, or what else names it, is anywhere in a text but in its comments."""
    lines = [line for line in script.split("\n") if not line.lstrip().startswith("#")]
    call = call or rf"review-gate[\"']?\s+hook\s+{re.escape(hook)}"
    return re.search(rf"{call}(?![\w-])", "\n".join(lines)) is not None


def lost_verdict(script: str, hook: str, *, stops_at_failure: bool = False) -> str:
    """Why the verdict of a call in a shell script may be lost; empty when it cannot be."""
    lines = [line.strip(" \t") for line in script.split("\n")]
    if lines[0].startswith("#!"):
        shebang = SHEBANG.fullmatch(lines[0])
        if shebang is None:
            return f"{lines[0]} is not a plain shell"
        stops_at_failure = stops_at_failure or "e" in (shebang[1] or "")
    commands = [(number, line) for number, line in enumerate(lines, 1) if line and not line.startswith("#")]
    while commands and (SETTING.fullmatch(commands[0][1]) or commands[0][1] in HUSKY_LINES):
        _, setting = commands.pop(0)
        stops_at_failure = stops_at_failure or STOPS.search(setting) is not None
    return _lost_by(commands, hook, stops_at_failure=stops_at_failure)


def _lost_by(commands: list[tuple[int, str]], hook: str, *, stops_at_failure: bool) -> str:
    if not commands:
        return "it is not called"
    number, line = commands[0]
    arguments = r'(?: "\$@"| "\$1"| "\$1" "\$2")' + ("?" if hook == "pre-commit" else "")
    call = re.fullmatch(rf"(exec )?{PROGRAM} hook {re.escape(hook)}{arguments}({REFUSES})?(?:[ \t]+#.*)?", line)
    if call is None and mentions_call(line, hook):
        return f'line {number} is more than the plain call: review-gate hook {hook} "$@"'
    if call is None:
        return f"line {number} comes before the call, and may end the script or take its input"
    if len(commands) > 1 and not (call[1] or call[2] or stops_at_failure):
        return f"line {commands[1][0]} comes after the call, which has no || exit 1"
    return ""
