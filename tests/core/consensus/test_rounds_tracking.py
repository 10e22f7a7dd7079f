"""Findings from round to round: new, open, gone, back, or left by somebody who has no vote any more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from polling import ALL, ANN, BOB, FILES, Files, answer, answers, decided, played, refutation, request, said, settings

from review_gate.consensus.schema import Decision, Issue, Subject
from review_gate.consensus.shown import shown_in
from review_gate.consensus.tally import decide
from review_gate.consensus.tracking import LATE, PastRound
from review_gate.models import Severity
from review_gate.pipeline.exhibit import Budget
from review_gate.ports import NotShown, Withheld

MENDED: Files = {"app.py": ("x = 1", "y = 3")}
AWAY: Mapping[str, None] = {"claude": None}
QUIET: dict[str, Sequence[dict[str, Any]] | None] = {}


def standing(decision: Decision) -> list[tuple[str, str, int, int]]:
    return [(issue.quote, issue.standing, issue.since, issue.returned) for issue in decision.issues]


def only(decision: Decision) -> Issue:
    (issue,) = decision.issues
    return issue


def test_a_finding_is_new_in_the_first_round_that_has_it() -> None:
    decision, _ = played((FILES, {"claude": [said()]}))
    assert standing(decision) == [("x = 2", "new", 1, 0)]


def test_a_finding_told_again_is_open_whoever_tells_it() -> None:
    decision, _ = played((FILES, {"claude": [said()]}), (FILES, {"codex": [said(message="Still.")]}))
    assert standing(decision) == [("x = 2", "open", 1, 0)]
    assert (decision.fixed, decision.settled) == ((), ())


def test_a_finding_that_its_finder_does_not_tell_again_is_fixed() -> None:
    decision, past = played((FILES, {"claude": [said()]}), (MENDED, QUIET))
    assert decision.fixed == (only(past[0].decision).fingerprint,)
    assert (decision.issues, decision.outcome) == ((), "agreed")


def test_a_suggestion_that_is_gone_was_not_to_be_fixed() -> None:
    decision, _ = played((FILES, {"claude": [said(), said(severity="info", quote="y")]}), (MENDED, QUIET))
    assert len(decision.fixed) == 1


def test_a_finding_that_was_gone_came_back() -> None:
    decision, _ = played((FILES, {"claude": [said()]}), (MENDED, QUIET), ({"app.py": ("x = 2",)}, {"codex": [said()]}))
    assert standing(decision) == [("x = 2", "came_back", 1, 1)]


def test_each_return_is_counted_and_staying_is_none() -> None:
    told: dict[str, Sequence[dict[str, Any]] | None] = {"claude": [said()]}
    decision, _ = played((FILES, told), (MENDED, QUIET), (FILES, told), (FILES, told), (MENDED, QUIET), (FILES, told))
    assert standing(decision) == [("x = 2", "came_back", 1, 2)]


def test_a_finding_told_more_mildly_by_its_finder_need_not_be_settled() -> None:
    decision, _ = played((FILES, {"claude": [said()]}), (FILES, {"claude": [said(severity="warning")]}))
    assert (only(decision).severity, only(decision).standing, decision.outcome) == (Severity.WARNING, "open", "agreed")


def test_nobody_else_can_take_a_finding_back_by_telling_it_more_mildly() -> None:
    told: dict[str, Any] = {"claude": None, "codex": [said(severity="info")]}
    decision, _ = played((FILES, {"claude": [said()]}), (FILES, told))
    assert (only(decision).severity, only(decision).standing, decision.outcome) == (Severity.MAJOR, "unheard", "fix")


STANDS: dict[str, tuple[Files, dict[str, Any], Files, bool]] = {
    "the words are as they were": (FILES, {}, FILES, True),
    "the words moved": (FILES, {}, {"app.py": ("a", "b", "  x = 2")}, True),
    "the words are gone": (FILES, {}, MENDED, False),
    "the words are context now": (FILES, {}, {"app.py": (" x = 2",)}, True),
    "the words were taken away": (FILES, {}, {"app.py": ("-x = 2",)}, False),
    "one line of two is gone": (FILES, {"quote": "x = 2\ny = 3"}, MENDED, False),
    "both lines are there": (FILES, {"quote": "x = 2\ny = 3"}, FILES, True),
    "a part of a line": (FILES, {"quote": "= 2"}, FILES, True),
    "copied with number and sign": (FILES, {"quote": "     1 +x = 2"}, FILES, True),
    "a line taken away still is": (
        {"app.py": ("-check()", "x")},
        {"quote": "check()"},
        {"app.py": ("-check()",)},
        True,
    ),
    "a line taken away is back": (
        {"app.py": ("-check()", "x")},
        {"quote": "check()"},
        {"app.py": (" check()",)},
        False,
    ),
    "its file is not known": (FILES, {"file": "./app.py"}, FILES, True),
    "its file is not known, the words are gone": (FILES, {"file": None}, MENDED, False),
    "its file has another name": (FILES, {}, {"lib.py": ("x = 2",)}, True),
    "its file has another name, and is shown as gone": (FILES, {}, {"app.py": ("-x = 1",), "lib.py": ("x = 2",)}, True),
    "the words went to another file": (FILES, {}, {"app.py": ("y = 3",), "lib.py": ("a", "x = 2")}, True),
    "they went to several": (
        FILES,
        {"quote": "x = 2\ny = 3"},
        {"app.py": ("z",), "a.py": ("x = 2",), "b.py": ("y = 3",)},
        True,
    ),
    "its file is gone": (FILES, {}, {"lib.py": ("z = 4",)}, False),
    "the words stand in another file": (
        {**FILES, "lib.py": ("x = 2",)},
        {},
        {**MENDED, "lib.py": ("x = 2",)},
        False,
    ),
    "it quotes nothing": (FILES, {"quote": ""}, MENDED, True),
    "it quotes what nobody was shown": (FILES, {"quote": "made up"}, MENDED, True),
    "a path that divides a heading": (
        {"a.py": ("x = 2",), "b|c.py": ("x = 2",)},
        {"file": "b|c.py"},
        {"a.py": ("x = 2",), "b|c.py": ("x = 1",)},
        False,
    ),
}


@pytest.mark.parametrize(("before", "changes", "now", "is_kept"), STANDS.values(), ids=STANDS)
def test_a_finding_of_somebody_without_a_vote_stays_while_what_it_is_about_stands(
    before: Files, changes: dict[str, Any], now: Files, is_kept: bool
) -> None:
    decision, _ = played((before, {"claude": [said(**changes)]}), (now, AWAY))
    assert [issue.standing for issue in decision.issues] == ["unheard"] * is_kept
    assert (decision.outcome, len(decision.fixed)) == (("fix", 0) if is_kept else ("agreed", 1))


@pytest.mark.parametrize(
    ("now", "tree", "is_kept"),
    [
        ({"app.py": ("x = 2",)}, "1" * 40, True),
        ({"lib.py": ("x = 2",)}, "1" * 40, True),
        ({"app.py": ("-y = 3", "y = 4", "x = 2")}, "1" * 40, False),
        # Of a text everything is shown.
        ({"app.py": (" x = 2",)}, "", False),
    ],
    ids=["its place is out of view", "its file has not changed any more", "it has changed", "a text"],
)
def test_a_line_around_a_change_that_is_not_shown_any_more_stands(now: Files, tree: str, is_kept: bool) -> None:
    subject = Subject(base="2" * 40, tree=tree)
    asked = request({"app.py": ("x = 2", " y = 3")}, subject=subject)
    past = [PastRound(asked, decided(asked, {"claude": [said(quote="y = 3")]}))]
    decision = decided(request(now, round=2, subject=subject), AWAY, past)
    assert [issue.standing for issue in decision.issues] == ["unheard"] * is_kept
    assert decision.outcome == ("fix" if is_kept else "agreed")


def test_a_finding_stays_while_nobody_can_see_whether_it_is_mended() -> None:
    asked = request()
    past = [PastRound(asked, decided(asked, {"claude": [said()]}))]
    hidden = request({"lib.py": ("z",)}, round=2, not_shown=(NotShown(path="app.py", because="too large"),))
    cut = request({"app.py": ("z" * 30,) * 9}, Budget(per_file=60, per_group=900), round=2)
    for following in (hidden, cut):
        decision = decided(following, AWAY, past)
        assert (standing(decision), decision.unseen) == ([("x = 2", "unheard", 1, 0)], ("app.py",))


def test_a_finding_that_is_put_out_of_sight_is_not_taken_back_by_its_finder() -> None:
    asked = request({"app.py": ("x = 2", "z")})
    past = [PastRound(asked, decided(asked, {"claude": [said()]}))]
    hidden = request({"lib.py": ("z",)}, round=2, not_shown=(NotShown(path="app.py", because="binary"),))
    grown = request({"app.py": ("z" * 30, "x = 2")}, Budget(per_file=45, per_group=900), round=2)
    for following in (hidden, grown):
        decision = decided(following, QUIET, past)
        assert standing(decision) == [("x = 2", "unheard", 1, 0)]
        # It does not come into sight by staying away.
        later = [*past, PastRound(following, decision)]
        last = decided(following.model_copy(update={"round": 3}), QUIET, later)
        assert (standing(last), last.because) == ([("x = 2", "unheard", 1, 0)], "unheard")
        shown = decided(request({"app.py": ("x = 2", "z")}, round=3), QUIET, later)
        assert shown.outcome == "agreed"


@pytest.mark.parametrize("told", [QUIET, AWAY])
@pytest.mark.parametrize("files", [{"lib.py": ("z",)}, {"app.py": ("-x = 1",), "lib.py": ("z",)}])
def test_a_finding_may_be_wherever_nobody_looks_once_its_file_is_gone(files: Files, told: dict[str, Any]) -> None:
    past = [PastRound(request(), decided(request(), {"claude": [said()]}))]
    hidden = request(files, round=2, not_shown=(NotShown(path="other.js", because="binary"),))
    assert standing(decided(hidden, told, past)) == [("x = 2", "unheard", 1, 0)]
    mended = request({"app.py": ("x = 3",)}, round=2, not_shown=(NotShown(path="other.js", because="binary"),))
    assert decided(mended, told, past).outcome == "agreed"


def test_a_finding_behind_what_is_withheld_is_not_taken_back_by_its_finder() -> None:
    asked = request({"app.py": ("x = 2", "z")})
    past = [PastRound(asked, decided(asked, {"claude": [said()]}))]
    hidden = {"app.py": ("[withheld: secret-private-key]", "z")}
    for number in (2, 3):
        withheld = (Withheld(path="app.py", lines=1),)
        following = request(hidden, round=number, withheld=withheld)
        decision = decided(following, QUIET, past)
        assert (standing(decision), decision.fixed) == ([("x = 2", "unheard", 1, 0)], ())
        past = [*past, PastRound(following, decision)]
    assert decided(request({"app.py": ("x = 3", "z")}, round=4), QUIET, past).outcome == "agreed"


@pytest.mark.parametrize("told", [QUIET, AWAY])
def test_what_was_withheld_before_hides_nothing_new(told: dict[str, Any]) -> None:
    withheld = (Withheld(path="app.py", lines=1),)
    asked = request({"app.py": ("x = 2", "key = [withheld]")}, withheld=withheld)
    past = [PastRound(asked, decided(asked, {"claude": [said()]}))]
    mended = request({"app.py": ("x = 3", "key = [withheld]")}, round=2, withheld=withheld)
    assert decided(mended, told, past).outcome == "agreed"
    # One whose finder was away while its words stood is mended once they are gone.
    unheard = request({"app.py": ("x = 2", "key = [withheld]", "y")}, round=2, withheld=withheld)
    past = [*past, PastRound(unheard, decided(unheard, AWAY, past))]
    assert decided(mended.model_copy(update={"round": 3}), told, past).outcome == "agreed"


def test_what_is_seen_of_a_file_is_taken_back_by_whoever_found_it() -> None:
    lines = ("x = 2", *("z" * 30,) * 9)
    cut = request({"app.py": lines}, Budget(per_file=60, per_group=900))
    past = [PastRound(cut, decided(cut, {"claude": [said()]}))]
    as_it_was = decided(cut.model_copy(update={"round": 2}), QUIET, past)
    mended = decided(
        request({"app.py": ("x = 3", *lines[1:])}, Budget(per_file=60, per_group=900), round=2), QUIET, past
    )
    assert [one.outcome for one in (as_it_was, mended)] == ["agreed", "agreed"]


def test_a_finding_about_no_file_may_be_wherever_nobody_looks_any_more() -> None:
    past = [PastRound(request(), decided(request(), {"claude": [said(file=None)]}))]
    hidden = request(MENDED, round=2, not_shown=(NotShown(path="app.bin", because="binary"),))
    assert standing(decided(hidden, QUIET, past)) == [("x = 2", "unheard", 1, 0)]


def test_words_that_are_not_seen_may_stand_where_nobody_looked() -> None:
    asked = request()
    past = [PastRound(asked, decided(asked, {"claude": [said(file=None)]}))]
    decision = decided(request(MENDED, round=2, not_shown=(NotShown(path="lib.py", because="binary"),)), AWAY, past)
    assert standing(decision) == [("x = 2", "unheard", 1, 0)]


def test_a_finding_told_again_by_somebody_without_a_vote_is_told() -> None:
    asked = request(round=2)
    past = [PastRound(request(), decided(request(), {"claude": [said()]}))]
    half = answer(asked, "claude", said(), files_read=[])
    decision = decide(asked, {**answers(asked, {"codex": (), "gemini": ()}), "claude": half}, past, settings())
    assert (standing(decision), decision.because) == ([("x = 2", "open", 1, 0)], "findings")


def test_one_of_its_finders_is_enough_to_take_a_finding_back() -> None:
    decision, _ = played((FILES, {"claude": [said()], "codex": [said()]}), (FILES, AWAY))
    assert decision.outcome == "agreed"


OTHERS: dict[str, dict[str, Any]] = {
    "something else": {"message": "Anybody can read it."},
    "a trifle": {"severity": "info"},
    "a trifle, of something else": {"severity": "minor", "message": "A better name would help."},
}


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
def test_who_found_another_thing_in_the_same_words_cannot_take_a_finding_back(other: dict[str, Any]) -> None:
    first = {"claude": [said()], "codex": [said(**other)]}
    decision, _ = played((FILES, first), (FILES, AWAY))
    assert standing(decision) == [("x = 2", "unheard", 1, 0)]
    for now, told in ((FILES, QUIET), (MENDED, AWAY)):
        assert played((FILES, first), (now, told))[0].outcome == "agreed"


def test_a_suggestion_of_somebody_without_a_vote_is_dropped() -> None:
    decision, _ = played((FILES, {"claude": [said(severity="info")]}), (FILES, AWAY))
    assert decision.issues == ()


@pytest.mark.parametrize("again", [FILES, {"app.py": ("x = 1", "y = 3"), "lib.py": ("x = 2",)}])
@pytest.mark.parametrize("told", [AWAY, {"claude": None, "codex": [said(severity="info")]}])
def test_what_was_mended_and_stands_again_is_open_while_its_finder_is_away(again: Files, told: dict[str, Any]) -> None:
    other = said(quote="y = 3")
    rounds = ((FILES, {"claude": [said()]}), (MENDED, {"codex": [other]}))
    decision, _ = played(*rounds, (again, told))
    assert [(issue.quote, issue.standing) for issue in decision.issues if issue.is_blocking] == [("x = 2", "unheard")]
    assert played(*rounds, (again, QUIET))[0].outcome == "agreed"
    assert played(*rounds, ({"app.py": ("x = 1",)}, AWAY))[0].outcome == "agreed"
    last, _ = played(*rounds, (again, told), ({**again, "new.py": ("z",)}, told))
    assert (last.outcome, last.because) == ("needs_person", "unheard")


def test_what_its_finder_took_back_is_not_open_again_while_it_stands() -> None:
    decision, _ = played((FILES, {"claude": [said()]}), (FILES, {"codex": [said(quote="y = 3")]}), (FILES, AWAY))
    assert decision.outcome == "agreed"


def test_a_finding_stays_although_its_finder_is_not_asked_any_more() -> None:
    decision, _ = played((FILES, {"gemini": [said()]}), (FILES, QUIET), members=ALL[:2])
    assert standing(decision) == [("x = 2", "unheard", 1, 0)]


def test_findings_that_stay_take_their_place_by_weight() -> None:
    critical = said(severity="critical", quote="y = 3")
    decision, _ = played((FILES, {"claude": [critical]}), (FILES, {"claude": None, "codex": [said()]}))
    assert [issue.quote for issue in decision.issues] == ["y = 3", "x = 2"]


def test_a_refuted_finding_that_is_not_told_again_is_settled_and_not_fixed() -> None:
    first, _ = played((FILES, {"claude": [said(), said(quote="y = 3")]}))
    refuted = (refutation(only_of(first, "x = 2")),)
    decision, _ = played(
        (FILES, {"claude": [said(), said(quote="y = 3")]}), ({"app.py": ("x = 2",)}, QUIET), refutations=refuted
    )
    assert decision.settled == (only_of(first, "x = 2").fingerprint,)
    assert decision.fixed == (only_of(first, "y = 3").fingerprint,)


def only_of(decision: Decision, quote: str) -> Issue:
    return next(issue for issue in decision.issues if issue.quote == quote)


# The third round is a late one; all that is found in it is new.
LONGER: Files = {"app.py": ("x = 2", "y = 3", "x = x2")}
RATCHET: dict[str, tuple[Files, dict[str, Any], bool]] = {
    "old lines": (FILES, {}, True),
    "old lines that moved": ({"app.py": ("a", "x = 2", "y = 3")}, {}, True),
    "an old line that was moved past another": ({"app.py": ("y = 3", "x = 2")}, {}, False),
    "an old line that another was moved past": ({"app.py": ("y = 3", "x = 2")}, {"quote": "y = 3"}, False),
    "old lines with others between them": ({"app.py": ("a", "x = 2", "b", "y = 3")}, {"quote": "y = 3"}, True),
    "both of two old lines": (FILES, {"quote": "x = 2\ny = 3"}, True),
    "a part of an old line": (FILES, {"quote": "= 2"}, True),
    "an unknown severity": (FILES, {"severity": "P0"}, False),
    "critical": (FILES, {"severity": "critical"}, False),
    "a new line": (LONGER, {"quote": "x = x2"}, False),
    "a part that stands in a new line too": (LONGER, {"quote": "x ="}, False),
    "an old line once more": ({"app.py": ("x = 2", "x = 2")}, {}, False),
    "one old line and one new": (LONGER, {"quote": "y = 3\nx = x2"}, False),
    "a line newly taken away": ({"app.py": ("x = 2", "-y = 3")}, {"quote": "y = 3"}, False),
    "a line beside one that is gone": ({"app.py": ("x = 2",)}, {}, False),
    "a line beside one that has changed": (MENDED, {"quote": "y = 3"}, True),
    "words that were not shown": (FILES, {"quote": "made up"}, False),
    "no words, in a file as it was": (FILES, {"quote": ""}, True),
    "no words, in a file that changed": (LONGER, {"quote": ""}, False),
    "no words and no file, nothing changed": (FILES, {"quote": "", "file": None}, True),
    "no words and no file, something changed": ({**FILES, "lib.py": ("z",)}, {"quote": "", "file": None}, False),
    "a file that is new": ({**FILES, "lib.py": ("z = 4",)}, {"file": "lib.py", "quote": "z = 4"}, False),
}


@pytest.mark.parametrize(("now", "changes", "is_waived"), RATCHET.values(), ids=RATCHET)
def test_in_a_late_round_only_what_is_critical_is_new_about_old_lines(
    now: Files, changes: dict[str, Any], is_waived: bool
) -> None:
    decision, _ = played((FILES, QUIET), (FILES, QUIET), (now, {"claude": [said(**changes)]}))
    assert only(decision).waived == (LATE.format(3) if is_waived else "")
    assert (decision.outcome, decision.votes["claude"]) == (("agreed", "pass") if is_waived else ("fix", "fail"))


@pytest.mark.parametrize(("place", "is_waived"), [(0, True), (4, True), (5, False), (14, False), (15, True)])
def test_what_is_gone_leaves_nothing_old_near_its_place(place: int, is_waived: bool) -> None:
    lines = tuple(f"line {letter}" for letter in "abcdefghijklmnopqrst")
    # Two of the same, of which one is gone.
    before = {"app.py": (*lines[:10], "check()", *lines[10:], "check()")}
    now = {"app.py": (*lines, "check()")}
    decision, _ = played((before, QUIET), (before, QUIET), (now, {"claude": [said(quote=lines[place])]}))
    assert bool(decision.issues[0].waived) is is_waived


def test_nothing_is_old_in_a_file_of_which_nobody_saw_everything() -> None:
    lines = ("x = 2", *("z" * 30,) * 9)
    whole, cut = request({"app.py": lines}), request({"app.py": lines}, Budget(per_file=60, per_group=900))
    for before, now in ((cut, whole), (whole, cut)):
        past = [PastRound(before, decided(before, {}))]
        decision = decided(now.model_copy(update={"round": 3}), {"claude": [said()]}, past)
        assert (only(decision).waived, decision.outcome) == ("", "fix")


def test_first_rounds_take_everything() -> None:
    decision, _ = played((FILES, QUIET), (FILES, {"claude": [said()]}))
    assert (only(decision).waived, decision.outcome) == ("", "fix")


def test_a_review_whose_first_round_is_late_has_no_old_lines() -> None:
    asked = request(round=3)
    assert decided(asked, {"claude": [said()]}).outcome == "fix"


def test_what_did_not_count_does_not_begin_to_by_being_told_again() -> None:
    hole = said(severity="critical", quote="y = 3")
    told: dict[str, Sequence[dict[str, Any]] | None] = {"claude": [said(), hole]}
    decision, _ = played(
        (FILES, QUIET), (FILES, QUIET), (FILES, told), ({"app.py": ("x = 2", "y")}, {"claude": [said()]})
    )
    assert (only(decision).standing, bool(only(decision).waived), decision.outcome) == ("open", True, "agreed")


def test_what_did_not_count_does_not_begin_to_by_growing_worse_late() -> None:
    mild: dict[str, Sequence[dict[str, Any]] | None] = {"claude": [said(severity="warning")]}
    decision, _ = played((FILES, mild), (FILES, mild), (FILES, {"claude": [said()]}))
    assert (bool(only(decision).waived), decision.outcome) == (True, "agreed")


def test_what_counted_once_counts_in_late_rounds() -> None:
    told: dict[str, Sequence[dict[str, Any]] | None] = {"claude": [said()]}
    decision, _ = played((FILES, told), (FILES, told), (FILES, told), (FILES, told))
    assert (only(decision).waived, decision.outcome) == ("", "fix")


IN_OTHER_WORDS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "more is quoted": ({}, {"quote": "x = 2\ny = 3"}),
    "less is quoted": ({"quote": "x = 2\ny = 3"}, {"quote": "= 2"}),
    "nothing is quoted": ({}, {"quote": "", "message": "Still."}),
    "nothing was quoted": ({"quote": ""}, {}),
    "nothing is and was quoted": ({"quote": ""}, {"quote": "", "message": "Still."}),
    "no file is named": ({}, {"file": None}),
    "no file was named": ({"file": None}, {}),
}


@pytest.mark.parametrize("name", ["claude", "codex"])
@pytest.mark.parametrize(("before", "now"), IN_OTHER_WORDS.values(), ids=IN_OTHER_WORDS)
def test_what_counted_counts_in_late_rounds_in_other_words_too(
    before: dict[str, Any], now: dict[str, Any], name: str
) -> None:
    told: dict[str, Sequence[dict[str, Any]] | None] = {"claude": [said(**before)]}
    decision, _ = played((FILES, told), (FILES, told), (FILES, {name: [said(**now)]}))
    assert (only(decision).waived, decision.outcome) == ("", "fix")


def test_what_counted_counts_in_late_rounds_where_its_file_has_another_name() -> None:
    told: dict[str, Sequence[dict[str, Any]] | None] = {"claude": [said()]}
    there: dict[str, Sequence[dict[str, Any]] | None] = {"claude": [said(file="lib.py")]}
    renamed = {"app.py": ("-x = 1",), "lib.py": FILES["app.py"]}
    decision, _ = played((FILES, told), (FILES, told), (renamed, there))
    assert (only(decision).waived, decision.outcome) == ("", "fix")


def test_what_counted_elsewhere_does_not_keep_old_lines_open() -> None:
    other: dict[str, Sequence[dict[str, Any]] | None] = {"claude": [said(quote="y = 3")]}
    decision, _ = played((FILES, other), (FILES, QUIET), (FILES, {"claude": [said()]}))
    assert (bool(only(decision).waived), decision.outcome) == (True, "agreed")


def test_suggestions_need_not_be_waived() -> None:
    decision, _ = played((FILES, QUIET), (FILES, QUIET), (FILES, {"claude": [said(severity="info")]}))
    assert only(decision).waived == ""


def test_the_round_from_which_it_is_late_is_a_setting() -> None:
    decision, _ = played((FILES, QUIET), (FILES, {"claude": [said()]}), by=settings(late_round=2))
    assert bool(only(decision).waived)


def test_lines_that_look_like_headings_are_lines() -> None:
    shown = shown_in(request({"a.py": ("=== file b.py | new | token 00000000",), "b.py": ("x",)}))
    assert shown.paths == ("a.py", "b.py")
    lines = [dict(shown.here[path]) for path in shown.paths]
    assert lines == [{"=== file b.py | new | token 00000000": 1}, {"x": 1}]


def test_reviewers_of_a_finding_that_is_told_again_are_those_who_tell_it_now() -> None:
    decision, _ = played((FILES, {"claude": [said()]}), (FILES, {"codex": [said()], "gemini": [said()]}))
    assert only(decision).reviewers == (BOB.name, "gemini")
    assert ANN.name not in only(decision).reviewers


def test_whoever_had_no_vote_before_is_not_late() -> None:
    nobody: dict[str, Sequence[dict[str, Any]] | None] = {"claude": None, "codex": None, "gemini": None}
    decision, _ = played((FILES, nobody), (FILES, nobody), (FILES, {"claude": [said()]}))
    assert (only(decision).waived, decision.outcome) == ("", "fix")
    away: dict[str, Sequence[dict[str, Any]] | None] = {"claude": None}
    decision, _ = played((FILES, QUIET), (FILES, away), (FILES, {"claude": [said()], "codex": [said()]}))
    assert (only(decision).waived, decision.outcome) == ("", "fix")
