"""What claude, codex and gemini are in these tests: a program that checks how it is called and plays the next step.

It is copied onto PATH under each of the three names, next to `steps.json`, and speaks the shapes that the real programs
were recorded with (claude 2.1.325, codex 0.166.0, gemini 0.61.0). What it was called with goes to `calls.jsonl`.
"""

import json
import os
import re
import sys
import time

# What stands in a step for the files that the prompt shows.
FILES = '"$FILES"'
HEADING = r"^=== file (.*) \| [a-z ]+ \| token ([0-9a-f]{8})$"
NAME = os.path.basename(sys.argv[0])
HERE = os.path.dirname(os.path.abspath(sys.argv[0]))
USAGE = {"input_tokens": 10, "cache_creation_input_tokens": 3, "cache_read_input_tokens": 4, "output_tokens": 5}
SECRETS = "sk-ant-test-0123456789abcdef"
REASON = "please come back \x1b[31mlater\x1b[0m\x07"
STATUS = {"overloaded": 529, "limited": 429, "unauthorized": 401, "tell_key": 400}
WORDS = {
    "overloaded": "is overloaded",
    "limited": "usage limit reached",
    "unauthorized": "Unauthorized",
    "tell_key": f"the key {SECRETS} is not good",
}
EXPECTED = {
    "claude": "-p --output-format json --json-schema {} --tools  --setting-sources  --strict-mcp-config"
    " --disable-slash-commands --no-session-persistence --model {}",
    "codex": "exec --json -s read-only --ephemeral --disable plugins --skip-git-repo-check --output-schema {}"
    " -o {} -m {} -",
    "gemini": "-p {} --output-format json --skip-trust -m {}",
}


def fits(arguments: list[str]) -> bool:
    """Whether the arguments are those that the real program was run with."""
    expected = EXPECTED[NAME].split(" ")
    return len(arguments) == len(expected) and all(
        want in ("{}", given) for want, given in zip(expected, arguments, strict=True)
    )


def option(name: str) -> str:
    """The argument behind an option."""
    return sys.argv[sys.argv.index(name) + 1]


def record(prompt: str) -> dict[str, str]:
    """Write down how we were called; the step that is to be played."""
    schema = {"claude": lambda: option("--json-schema"), "codex": lambda: read(option("--output-schema"))}
    call = {
        "arguments": sys.argv[1:],
        "prompt": prompt,
        "environ": dict(os.environ),
        "folder": os.getcwd(),
        "found": os.listdir("."),
        "schema": schema.get(NAME, lambda: "")(),
        "pid": os.getpid(),
    }
    with open(f"{HERE}/calls.jsonl", "a+") as file:
        file.write(json.dumps(call) + "\n")
        file.seek(0)
        number = len(file.readlines())
    steps = json.loads(read(f"{HERE}/steps.json"))
    step: dict[str, str] = steps[min(number, len(steps)) - 1]
    return step


def files_in(prompt: str) -> list[dict[str, str]]:
    """The files that a reviewer was shown, as it claims to have read them."""
    return [{"path": path, "token": token} for path, token in re.findall(HEADING, prompt, re.MULTILINE)]


def read(path: str) -> str:
    """A whole file."""
    with open(path, encoding="utf-8") as file:
        return file.read()


def claude(step: dict[str, str]) -> tuple[str, str, int]:
    """Output, errors and exit code of claude."""
    result = {
        "type": "result",
        "subtype": "success",
        "is_error": False,
        "num_turns": 2,
        "stop_reason": step["ending"] or "tool_use",
        "total_cost_usd": 0.25,
        "usage": USAGE,
        "modelUsage": {"claude-test-1": {"inputTokens": 10}},
        "terminal_reason": "completed",
        "api_error_status": None,
        "result": step["text"],
    }
    trouble = step["trouble"]
    if trouble in STATUS:
        words = f"API Error: {STATUS[trouble]} {WORDS[trouble]}. {REASON}"
        result |= {
            "is_error": True,
            "api_error_status": STATUS[trouble],
            "result": words,
            "terminal_reason": "api_error",
        }
    elif not step["ending"]:
        try:
            value = json.loads(step["text"])
        except ValueError:
            value = None
        if isinstance(value, dict):
            result["structured_output"] = value
    return json.dumps(result), "", 1 if trouble in STATUS else 0


def codex(step: dict[str, str]) -> tuple[str, str, int]:
    """Output, errors and exit code of codex."""
    ends = {
        "refusal": "Your prompt was flagged as violating our usage policy",
        "max_tokens": "reason: max_output_tokens",
    }
    trouble = step["trouble"]
    events: list[dict[str, object]] = [{"type": "thread.started", "thread_id": "1"}, {"type": "turn.started"}]
    events.append({"type": "item.completed", "item": {"type": "error", "message": "a mere warning"}})
    if trouble in STATUS or step["ending"]:
        told = f"unexpected status {STATUS[trouble]} {WORDS[trouble]}: {REASON}" if trouble else ends[step["ending"]]
        events += [{"type": "error", "message": told}, {"type": "turn.failed", "error": {"message": told}}]
        return lines(events), "", 1
    with open(option("-o"), "w", encoding="utf-8") as file:
        file.write(step["text"])
    events.append({"type": "item.completed", "item": {"type": "agent_message", "text": step["text"]}})
    used = {"input_tokens": 17, "cached_input_tokens": 4, "output_tokens": 5}
    return lines([*events, {"type": "turn.completed", "usage": used}]), "", 0


def gemini(step: dict[str, str]) -> tuple[str, str, int]:
    """Output, errors and exit code of gemini."""
    ends = {"refusal": (1, "the answer was blocked for safety"), "max_tokens": (53, "reached max turns")}
    trouble = step["trouble"]
    if trouble in STATUS or step["ending"]:
        code, told = (STATUS[trouble] % 256, f"{WORDS[trouble]} {REASON}") if trouble else ends[step["ending"]]
        error = {"session_id": "1", "error": {"type": "Error", "message": told, "code": code}}
        return "", "a warning {first}\n" + json.dumps(error, indent=2) + "\n", code
    tokens = {"prompt": 17, "candidates": 3, "total": 22, "cached": 4, "thoughts": 2, "tool": 0}
    stats = {"models": {"gemini-test": {"api": {"totalRequests": 1}, "tokens": tokens}}}
    return json.dumps({"session_id": "1", "response": step["text"], "stats": stats}, indent=2), "", 0


def lines(events: list[dict[str, object]]) -> str:
    """Events as JSONL."""
    return "".join(json.dumps(event) + "\n" for event in events)


def hang(output: str) -> None:
    """Say nothing."""
    time.sleep(60)


def hang_midway(output: str) -> None:
    """Say something, and no more."""
    print(output[:20], end="", flush=True)
    time.sleep(60)


def drip(output: str) -> None:
    """Never come to an end, and never pause for long."""
    while True:
        print("a", end="", flush=True)
        time.sleep(0.02)


def flood(output: str) -> None:
    """Say more than anybody wants to hear."""
    for _ in range(50):
        print(" " * 1_000_000, end="")


def login_page(output: str) -> None:
    """Say what another program should have said."""
    print("<!DOCTYPE html><html><body>Please sign in</body></html>")


def killed(output: str) -> None:
    """Answer, and die of a signal."""
    print(output, flush=True)
    os.kill(os.getpid(), 9)


def daemon(output: str, *, is_far: bool = False) -> None:
    """Answer, and leave a process behind that holds the output open."""
    import subprocess

    left = subprocess.Popen(["sleep", "60"], start_new_session=is_far)
    with open(f"{HERE}/daemon", "a") as file:
        print(left.pid, file=file)
    print(output)


def far_daemon(output: str) -> None:
    """The same, in a session of its own."""
    daemon(output, is_far=True)


def intrude(output: str) -> None:
    """Answer, and write to wherever the reviewed files might be."""
    import subprocess

    for folder in (".", os.environ.get("PWD", "."), os.environ.get("OLDPWD", "."), os.environ.get("GIT_DIR", ".")):
        for name in ("app.py", "new.py", "../app.py"):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write("x = 0\n")
    subprocess.run(["git", "add", "--all"], stderr=subprocess.DEVNULL, check=False)
    print(output)


def exit_3(output: str) -> None:
    """Answer, and fail."""
    print(output, flush=True)
    sys.exit(3)


def loud(output: str) -> None:
    """Answer, and complain at length."""
    sys.stderr.write("e" * 8_000_000)
    print(output)


def nothing(output: str) -> None:
    """Say nothing at all."""


def main() -> int:
    """Play one step."""
    if not fits(sys.argv[1:]):
        print(f"called as never recorded: {sys.argv[1:]}", file=sys.stderr)
        return 64
    prompt = sys.stdin.read()
    step = record(prompt)
    step["text"] = step["text"].replace(FILES, json.dumps(files_in(prompt)))
    trouble = step["trouble"]
    play = {"claude": claude, "codex": codex, "gemini": gemini}[NAME]
    output, errors, code = play(step)
    if trouble and trouble not in STATUS:
        globals()[trouble](output)
        return 0
    print(output)
    print(errors, end="", file=sys.stderr)
    return code


if __name__ == "__main__":
    # Its output is UTF-8 whatever the locale, as that of the real programs.
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]  # it is a text file
    sys.exit(main())
