"""Stories of commits: what the hooks refuse, what they let through, and what the push says of what went around them."""

from __future__ import annotations

from journey import Journey

KEY = "AKIA" + "IOSFODNN7REALKEY"
CONFLICT = "ours\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> topic\n"


def stage(journey: Journey, name: str, content: str | bytes) -> None:
    """Write a file and stage it."""
    journey.repo.write(name, content)
    journey.repo.git("add", name)


def history(journey: Journey) -> None:
    """Record which commits there are."""
    journey.fact("history", journey.repo.git("log", "--format=%h", "--topo-order").splitlines())


def test_commit_of_syntax_that_does_not_parse(journey: Journey) -> None:
    stage(journey, "app.py", "print('hello'\n")
    stage(journey, "data.json", "{")
    stage(journey, "data.yaml", "a: [\n")
    journey.type("git commit --quiet -m 'Add data'")
    history(journey)
    stage(journey, "app.py", "print('hello')\n")
    stage(journey, "data.json", "{}\n")
    journey.type("git commit --quiet -m 'Add data'")
    stage(journey, "data.yaml", "a: []\n")
    journey.type("git commit --quiet -m 'Add data'")
    history(journey)


def test_commit_of_a_secret(journey: Journey) -> None:
    stage(journey, "key.py", f'KEY = "{KEY}"\n')
    journey.type("git commit --quiet -m 'Add a key'")
    journey.note("On the disk it is gone, in the index it is not")
    journey.repo.write("key.py", "KEY = None\n")
    journey.type("git commit --quiet -m 'Add a key'")
    journey.type("git add key.py")
    journey.type("git commit --quiet -m 'Add a key'")
    history(journey)


def test_commit_of_a_dangerous_call_and_of_something_left_over(journey: Journey) -> None:
    stage(journey, "run.py", "import os\nos.system(input())\n")
    stage(journey, "page.js", "console.log('here')\ndebugger\n")
    journey.type("git commit --quiet -m 'Add a call'")
    history(journey)


def test_commit_of_a_conflict_marker_and_of_a_hidden_character(journey: Journey) -> None:
    stage(journey, "notes.txt", CONFLICT)
    stage(journey, "code.c", "// \u202e\n")
    journey.type("git commit --quiet -m 'Add notes'")
    journey.type("git commit --quiet -m 'Add notes' --no-verify")
    journey.type("git push")
    journey.type("review-gate run --yes")
    journey.json("review-gate report --format json")
    history(journey)


def test_commit_of_a_large_file_and_of_a_binary_one(journey: Journey) -> None:
    journey.repo.write(".review-gate.yaml", "limits: {max_file_bytes: 100}\n")
    stage(journey, "large.txt", "0123456789\n" * 20)
    stage(journey, "picture.bin", b"\0\1")
    journey.type("git commit --quiet -m 'Add files'")
    journey.repo.write(".review-gate.yaml", "hygiene: {binary: block}\n")
    journey.type("git commit --quiet -m 'Add files'")
    journey.repo.write(".review-gate.yaml", "hygiene: {binary: warn}\n")
    journey.type("git commit --quiet -m 'Add files'")
    history(journey)


def test_commit_with_messages_that_are_refused_on_a_protected_branch(journey: Journey) -> None:
    for message in ("wip", "WIP: tax", "fixup! first", "<<<<<<< HEAD", "   "):
        journey.type(f"git commit --quiet --allow-empty --allow-empty-message -m '{message}'")
    history(journey)
    journey.note("On a branch of one's own unfinished work may be kept")
    journey.type("git switch --quiet --create topic")
    journey.type("git commit --quiet --allow-empty -m wip")
    journey.type("git commit --quiet --allow-empty -m 'fixup! first'")
    journey.type("git commit --quiet --allow-empty -m '<<<<<<< HEAD'")
    history(journey)


def test_commit_with_messages_that_pass(journey: Journey) -> None:
    journey.type("git commit --quiet --allow-empty -m 'Add tax'")
    journey.type(f"git commit --quiet --allow-empty -m 'Add {'very ' * 20}long subject'")
    journey.type(f"git commit --quiet --allow-empty -m 'Add a key' -m '{KEY}'")
    journey.repo.write(".review-gate.yaml", "commit_message: {wip: warn, too_long: block}\n")
    journey.type("git commit --quiet --allow-empty -m wip")
    journey.type(f"git commit --quiet --allow-empty -m 'Add {'very ' * 20}large subject'")
    history(journey)


def test_commit_whose_refused_message_is_edited_as_the_hook_says(journey: Journey) -> None:
    stage(journey, "tax.py", "RATE = 0.2\n")
    refused = journey.type("git commit --quiet -m wip")
    journey.type_next(refused, GIT_EDITOR="sed -i s/wip/Finished/")
    journey.know_commits()
    journey.fact("message", journey.repo.git("log", "-1", "--format=%s"))
    journey.type("git status --short")


def test_commit_that_is_amended(journey: Journey) -> None:
    stage(journey, "tax.py", "RATE = 0.2\n")
    journey.type("git commit --quiet -m 'Add tax'")
    journey.type("review-gate run --yes")
    stage(journey, "tax.py", "RATE = (\n")
    journey.type("git commit --quiet --amend --no-edit")
    stage(journey, "tax.py", "RATE = 0.25\n")
    journey.type("git commit --quiet --amend -m 'Add more tax'")
    journey.json("review-gate verify --format json")
    journey.type("git push")
    history(journey)


def test_commit_of_a_merge_with_a_conflict(journey: Journey) -> None:
    journey.repo.branch_off("topic", "Say bye", {"app.py": "print('bye')\n"})
    journey.commit("Say hi", {"app.py": "print('hi')\n"})
    journey.type("git merge topic")
    journey.type("git commit --quiet --all --no-edit --cleanup=strip")
    journey.repo.write("app.py", "print('hi and bye')\n")
    journey.type("git commit --quiet --all -m 'Merge topic'")
    history(journey)
    journey.type("review-gate run --yes")
    journey.type("git push")
    journey.refs()


def test_commit_of_a_merge_without_a_conflict(journey: Journey) -> None:
    journey.repo.branch_off("topic", "Add topic", {"topic.py": "X = 1\n"})
    journey.commit("Add tax", {"tax.py": "RATE = 0.2\n"})
    journey.type("git merge --quiet --no-edit topic")
    journey.type("review-gate run --yes")
    journey.type("git push")
    journey.refs()


def test_commit_by_cherry_pick_and_rebase_is_judged_at_push(journey: Journey) -> None:
    journey.repo.branch_off("broken", "Add trouble", {"trouble.json": "{"})
    journey.repo.branch_off("topic", "Add topic", {"topic.py": "X = 1\n"})
    journey.commit("Add tax", {"tax.py": "RATE = 0.2\n"})
    journey.repo.git("cherry-pick", "broken")
    history(journey)
    journey.type("review-gate run --yes")
    journey.type("git push")
    journey.type("git reset --quiet --hard HEAD~1")
    journey.type("git switch --quiet topic")
    journey.type("git rebase --quiet main")
    history(journey)
    journey.type("review-gate run --yes")
    journey.type("git push origin topic")


def test_commit_past_the_hooks_is_refused_at_push(journey: Journey) -> None:
    stage(journey, "app.py", "print('hello'\n")
    journey.type("git commit --quiet -m 'Break app'")
    journey.type("git commit --quiet --no-verify -m 'Break app'")
    journey.type("git push")
    journey.type("review-gate run --yes")
    refused = journey.type("git push")
    stage(journey, "app.py", "print('hello there')\n")
    journey.type("git commit --quiet -m 'Repair app'")
    journey.type_next(refused)
    journey.type("git push")
    journey.refs()


def test_commit_with_settings_that_cannot_be_read(journey: Journey) -> None:
    stage(journey, ".review-gate.yaml", "syntax:\n  enabeld: true\n")
    journey.type("git commit --quiet -m 'Set up'")
    journey.type("git push")
    stage(journey, ".review-gate.yaml", "syntax:\n  enabled: true\n")
    journey.type("git commit --quiet -m 'Set up'")
    history(journey)
