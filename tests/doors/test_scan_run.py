"""The check engine in review-gate run: loops 2 and 3, messages, and what could not be looked at."""

from __future__ import annotations

import pytest
from conftest import Repo
from running import outcome, report_of, statuses, upload
from scan_runs import KEY, SECRET, TOKEN, begun, findings
from scanning import CONFIG, EVAL, TODO, settings

BAD = 'x = eval("1")\n'


@pytest.fixture
def checked(gated: Repo) -> Repo:
    """A gated repository whose configuration, with checks for both loops, is on the remote."""
    return begun(gated)


def test_a_major_finding_fails_loop_2_and_the_push(checked: Repo) -> None:
    checked.commit("bad", {"bad.py": "# fine\n" + BAD})
    report = report_of(checked)
    assert statuses(report) == ["passed", "failed", "not_run", "not_run"]
    assert findings(report) == [("bad.py", 2, "no-eval", "checks")]
    assert report["findings"][0]["message"] == "eval runs anything"
    done = checked.push("origin", "main")
    assert done.returncode == 1
    assert "Loop 2 failed: bad.py:2: eval runs anything" in done.stderr


def test_a_secret_fails_loop_3_and_is_shown_nowhere(checked: Repo) -> None:
    checked.commit("bad", {"bad.py": KEY})
    done = checked.gate("run", "--yes", "--format", "json")
    assert done.returncode == 1
    report = report_of(checked)
    assert statuses(report) == ["passed", "passed", "failed", "not_run"]
    assert findings(report) == [("bad.py", 1, "token", "security-checks")]
    text = checked.gate("status").stdout + checked.push("origin", "main").stderr
    assert "a token opens the door" in text
    for shown in (done.stdout, text, checked.state_file.read_text()):
        assert SECRET not in shown


def test_only_what_the_commits_add_is_judged_and_the_baseline_is_known(checked: Repo) -> None:
    checked.commit("old", {"old.py": BAD, "known.py": BAD})
    upload(checked)
    assert checked.gate("scan", "known.py", "--update-baseline").returncode == 0
    checked.git("mv", "known.py", "renamed.py")
    checked.commit("more", {"old.py": BAD + "y = 1\n"})
    assert findings(report_of(checked)) == []
    checked.commit("again", {"renamed.py": BAD + BAD})
    assert findings(report_of(checked)) == [("renamed.py", 2, "no-eval", "checks")]


# Messages

MASH = {"id": "mash", "pattern": "asdf", "scope": ["commit_message"], "reason": "say what the commit does"}
FINE: dict[str, str | bytes] = {"app.py": "fine = 1\n"}


def test_messages_of_commits_past_the_hooks_are_judged_with_the_commit_and_the_line(gated: Repo) -> None:
    begun(gated, EVAL, TODO, TOKEN, MASH)
    first = gated.commit("Sort names\n\nTODO and eval( are for files.\nasdf\n", FINE)
    report = report_of(gated)
    assert statuses(report) == ["passed", "failed", "not_run", "not_run"]
    (finding,) = report["findings"]
    assert (finding["file"], finding["line"], finding["rule"], finding["reviewer"]) == (None, None, "mash", "checks")
    assert finding["message"] == f"the message of {first[:8]}, line 4: say what the commit does"
    assert finding["recommendation"] == "reword that commit: git commit --amend, or git rebase -i"
    done = gated.push("origin", "main")
    assert done.returncode == 1
    assert f"Loop 2 failed: checks: the message of {first[:8]}, line 4: say what the commit does" in done.stderr
    gated.git("commit", "--quiet", "--no-verify", "--amend", "-m", "Sort names")
    assert statuses(report_of(gated))[:3] == ["passed", "passed", "passed"]


def test_a_secret_in_any_message_fails_loop_3_and_is_shown_nowhere(checked: Repo) -> None:
    first = checked.commit(f"Use {SECRET}", FINE)
    checked.git("commit", "--quiet", "--no-verify", "--allow-empty", "-m", "Sort names")
    done = checked.gate("run", "--yes", "--format", "json")
    report = report_of(checked)
    assert statuses(report) == ["passed", "passed", "failed", "not_run"]
    assert [one["message"] for one in report["findings"]] == [
        f"the message of {first[:8]}, line 1: a token opens the door."
    ]
    assert SECRET not in done.stdout + str(report)


def test_what_is_wrong_with_a_commit_is_not_held_against_others_of_its_content(checked: Repo) -> None:
    checked.commit("begin", {"a.py": "a = 1\n"})
    parent = checked.head
    assert report_of(checked)["ship_allowed"]
    checked.git("commit", "--quiet", "--no-verify", "--allow-empty", "-m", SECRET)
    child = checked.head
    assert not report_of(checked, "--allow-empty")["ship_allowed"]
    checked.git("checkout", "--quiet", parent)
    assert checked.gate("verify").returncode == 0
    report = report_of(checked, "--loops", "1")
    assert (statuses(report)[2], report["ship_allowed"], findings(report)) == ("passed", True, [])
    assert checked.gate("verify", child).returncode == 1


def test_an_empty_commit_on_top_does_not_shake_off_what_is_wrong_with_a_commit(checked: Repo) -> None:
    checked.commit("begin", {"a.py": KEY})
    checked.commit("remove it", {"a.py": "a = 1\n"})
    assert not report_of(checked)["ship_allowed"]
    checked.git("commit", "--quiet", "--allow-empty", "-m", "nothing")
    for options in (["--loops", "1"], ["--loops", "1,2,4"], ["--base", "HEAD~1", "--allow-empty"], []):
        assert not report_of(checked, *options)["ship_allowed"], options
    checked.write("b.py", "b = 1\n")
    checked.git("add", "b.py")
    assert report_of(checked, "--staged")["passed"]
    checked.git("commit", "--quiet", "-m", "something")
    assert checked.gate("verify").returncode == 1


def test_a_review_of_the_index_does_not_speak_for_the_message_of_its_commit(checked: Repo) -> None:
    checked.write("a.py", "a = 1\n")
    checked.git("add", "a.py")
    assert report_of(checked, "--staged")["passed"]
    checked.git("commit", "--quiet", "--no-verify", "-m", SECRET)
    report = report_of(checked, "--loops", "1")
    assert (statuses(report), report["ship_allowed"]) == (["passed", "not_run", "not_run", "nothing_to_run"], False)
    assert statuses(report_of(checked))[2] == "failed"
    checked.git("commit", "--quiet", "--amend", "-m", "Set a")
    report_of(checked, "--loops", "1")
    assert checked.gate("verify").returncode == 0, "the gate looks at the message itself"


def test_a_review_of_the_index_does_not_speak_for_versions_that_its_commits_replace(checked: Repo) -> None:
    base = checked.head
    checked.commit("begin", {"a.py": KEY})
    checked.commit("remove it", {"a.py": "a = 1\n"})
    tip = checked.head
    checked.git("reset", "--quiet", "--soft", base)
    assert report_of(checked, "--staged")["passed"]
    checked.git("reset", "--quiet", "--soft", tip)
    assert not report_of(checked, "--loops", "1", "--base", base)["ship_allowed"]


def test_messages_that_the_base_has_are_not_judged_and_those_of_merged_branches_are(gated: Repo) -> None:
    begun(gated, MASH)
    gated.commit("asdf 1", FINE)
    upload(gated)
    side = gated.branch_off("side", "asdf 2", {"side.py": "x = 1\n"})
    gated.commit("Sort names", {"main.py": "x = 1\n"})
    gated.git("merge", "--quiet", "--no-ff", "--no-verify", "-m", "Merge the side", "side")
    assert [one["message"] for one in report_of(gated)["findings"]] == [
        f"the message of {side[:8]}, line 1: say what the commit does"
    ]


NAMED_WRONGLY = (
    "UTF-16",
    "punycode",
    "no-such-encoding",
)


def test_no_encoding_hides_a_message_that_is_plain_text(gated: Repo) -> None:
    begun(gated, MASH)
    tree, *_, author, committer = gated.git("cat-file", "commit", "HEAD").partition("\n\n")[0].split("\n")
    commits = []
    for name in NAMED_WRONGLY:
        header = "\n".join((tree, f"parent {gated.head}", author, committer, f"encoding {name}"))
        raw = f"{header}\n\nSort asdf names\n"
        made = gated.run("git", "hash-object", "-w", "-t", "commit", "--stdin", stdin=raw)
        commits.append(made.stdout.strip())
        gated.git("reset", "--quiet", "--soft", commits[-1])
    gated.commit("Sort names", FINE)
    assert sorted(one["message"] for one in report_of(gated)["findings"]) == sorted(
        f"the message of {commit[:8]}, line 1: say what the commit does" for commit in commits
    )


def test_a_message_over_the_limit_makes_the_loops_incomplete(gated: Repo) -> None:
    begun(gated, MASH, max_file_bytes=1000)
    commit = gated.commit("Sort names\n\n" + "b" * 1001, FINE)
    why = f"the message of {commit[:8]}: it is larger than checks.max_file_bytes (1000)"
    assert outcome(report_of(gated), "checks") == ("could_not_run", why, "incomplete")


# Names


@pytest.mark.parametrize(("who", "part"), [("author", "NAME"), ("committer", "EMAIL")])
def test_secret_in_a_name_or_an_address_fails_loop_3_and_is_shown_nowhere(checked: Repo, who: str, part: str) -> None:
    checked.commit("Sort names", FINE)
    checked.environ[f"GIT_{who.upper()}_{part}"] = f"key {SECRET}"
    named = checked.commit("Sort addresses", {"other.py": "x = 1\n"})
    del checked.environ[f"GIT_{who.upper()}_{part}"]
    done = checked.gate("run", "--yes", "--format", "json")
    report = report_of(checked)
    assert statuses(report) == ["passed", "passed", "failed", "not_run"]
    (finding,) = report["findings"]
    assert (finding["file"], finding["line"], finding["rule"]) == (None, None, "token")
    assert finding["message"] == f"the {who} of {named[:8]}: a token opens the door."
    assert finding["recommendation"].startswith("make that commit anew: mend user.name or user.email, then git commit")
    assert SECRET not in done.stdout + str(report)


def test_a_merge_of_a_signed_tag_sends_the_message_of_that_too(checked: Repo) -> None:
    checked.commit("Sort names", FINE)
    header, _, message = checked.git("cat-file", "commit", "HEAD").partition("\n\n")
    tag = f"mergetag object {checked.head}\n type commit\n tag v1\n tagger T <t@u> 1 +0000\n \n {SECRET}\n"
    raw = f"{header}\n{tag}\n{message}\n"
    merge = checked.run("git", "hash-object", "-w", "-t", "commit", "--stdin", stdin=raw).stdout.strip()
    checked.git("reset", "--quiet", "--soft", merge)
    assert [one["message"] for one in report_of(checked)["findings"]] == [
        f"a merged tag of {merge[:8]}: a token opens the door."
    ]


# What could not be looked at

WHERE = {"in the result": "", "on the way": ", in a version that these commits replace"}


@pytest.mark.parametrize("where", WHERE)
def test_a_file_over_the_limit_makes_the_loops_incomplete(gated: Repo, where: str) -> None:
    begun(gated, TOKEN, EVAL, max_file_bytes=1000)
    gated.commit("large", {"large.py": "#" * 1001 + "\n"})
    if where == "on the way":
        gated.commit("small", {"large.py": "# small\n"})
    why = "large.py: it is larger than checks.max_file_bytes (1000)" + WHERE[where]
    report = report_of(gated)
    assert outcome(report, "checks") == ("could_not_run", why, "incomplete")
    done = gated.push("origin", "main")
    assert done.returncode == 1
    assert why in done.stderr


@pytest.mark.parametrize("where", WHERE)
def test_a_check_that_takes_for_ever_makes_the_loops_incomplete(gated: Repo, where: str) -> None:
    slow = TOKEN | {"id": "slow", "pattern": "(a|aa)+$"}
    begun(gated, slow, TODO, seconds_per_file=0.2)
    gated.commit("trap", {"trap.py": "# " + "a" * 60 + "b\n"})
    if where == "on the way":
        gated.commit("gone", {"trap.py": "# fine\n"})
    status, why, loop = outcome(report_of(gated), "checks")
    assert (status, loop) == ("could_not_run", "incomplete")
    assert why == "trap.py: the check slow took longer than 0.2 seconds" + WHERE[where]
    assert gated.push("origin", "main").returncode == 1


def test_a_scan_that_does_not_end_is_ended(gated: Repo) -> None:
    begun(gated, {"id": "slow", "pattern": "(a|aa)+$", "match_rule": "regex"}, seconds_per_file=100)
    config = settings(seconds_per_file=100)[:-2] + ', "limits": {"command_seconds": 1.5}}\n'
    gated.commit("trap", {"trap.py": "# " + "a" * 60 + "b\n", CONFIG: config})
    why = "the scan did not end within 1.5 seconds (limits.command_seconds)"
    assert outcome(report_of(gated), "checks") == ("could_not_run", why, "incomplete")


def test_switched_off_the_engine_takes_no_part(checked: Repo) -> None:
    checked.commit("off", {CONFIG: settings(enabled=False), "bad.py": BAD})
    report = report_of(checked)
    assert findings(report) == []
    assert statuses(report)[1:3] == ["nothing_to_run", "nothing_to_run"]
