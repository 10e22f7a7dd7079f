"""Stories of prompts: reviewed by a scripted claude, by the subagents of a session, or kept in files; and their log."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from journey import Journey
from prompting import ALWAYS, NOTHING, ONE_GUARD, TASK, Desk, adding, answer, id_in, replacing
from stats_history import write_month

REVIEW = "review-gate prompt-review"
TESTS = "All tests pass."
FASTER = replacing("optimize", "halve the load time of", issue="It says not what is slow.")


class Writing:
    """A story of prompts, which a scripted claude reviews by role."""

    def __init__(self, story: Journey) -> None:
        self.story = story
        self.desk = Desk(story.repo)
        story.repo = self.desk.repo
        # Nothing depends on how fast the machine is.
        story.repo.environ["PROMPT_REVIEW_TIMEOUT"] = "60000"

    def review(self, prompt: str = TASK) -> str:
        """Let a prompt be reviewed, for people and for programs; the id of the first proposal."""
        shown = self.story.type(f"{REVIEW} '{prompt}'").stdout
        self.story.json(f"{REVIEW} '{prompt}' --format json")
        return id_in(shown) if "next:" in shown else ""

    def log(self) -> None:
        """Record what the log has."""
        self.story.fact("log", self.desk.log())
        self.story.fact("waiting", len(self.desk.waiting()))


@pytest.fixture
def writing(fresh_journey: Journey) -> Writing:
    return Writing(fresh_journey)


def test_a_prompt_is_refined_and_its_author_takes_it(writing: Writing) -> None:
    writing.desk.claude(
        {**ONE_GUARD, "clarity": answer(FASTER), "testing": answer(adding(TESTS, "AddAcceptanceCriteria"))}
    )
    name = writing.review()
    writing.story.type(f"{REVIEW} show {name}")
    writing.story.type(f"{REVIEW} decide {name} yes")
    writing.story.type(f"{REVIEW} decide {name} yes")
    writing.story.fact("asked", sorted(call["role"] for call in writing.desk.calls()))
    writing.log()


def test_an_author_refuses_one_proposal_and_edits_another(writing: Writing) -> None:
    writing.desk.claude(ONE_GUARD)
    first, second = (id_in(writing.story.repo.gate("prompt-review", TASK).stdout) for _ in range(2))
    writing.story.type(f"{REVIEW} decide {first} no")
    writing.story.repo.write("own.md", "Halve the load time of the page.\n")
    writing.story.json(f"{REVIEW} decide {second} edit --text own.md --format json")
    writing.story.type(f"{REVIEW} decide prompt-nothing yes")
    writing.log()


def test_security_wins_against_another_reviewer(writing: Writing) -> None:
    never, always = (adding(words, severity="major") for words in ("Never log request bodies.", "Log request bodies."))
    writing.desk.claude({"security": answer(never), "testing": answer(always)})
    name = writing.review()
    writing.story.type(f"{REVIEW} decide {name} yes")


def test_reviewers_disagree_and_neither_is_followed(writing: Writing) -> None:
    both = (adding("Add snapshot tests."), adding("Never add snapshot tests.", id="X-002"))
    writing.desk.claude({"testing": answer(*both)})
    writing.review()
    writing.log()


def test_no_reviewer_has_anything_to_say(writing: Writing) -> None:
    writing.desk.claude({"*": NOTHING})
    writing.review()
    writing.story.note("Another call is answered from the cache")
    writing.story.type(f"{REVIEW} '{TASK}'")
    writing.story.fact("asked", len(writing.desk.calls()))
    writing.log()


def test_one_reviewer_is_not_available(writing: Writing) -> None:
    writing.desk.claude({**ONE_GUARD, "testing": 401, "clarity": "I like it."})
    writing.review()
    writing.log()


def test_a_prompt_goes_on_unreviewed_and_the_author_is_told_why(writing: Writing) -> None:
    writing.story.note("No model can be asked")
    writing.review()
    writing.story.note("Each reviewer fails")
    writing.desk.claude({"*": 401})
    writing.review()
    writing.story.note("The settings are broken")
    writing.story.repo.write(".claude/prompt-review.json", '{"budget": {"timeout": 1}}')
    writing.review()
    writing.story.repo.write(".claude/prompt-review.json", "{}")
    writing.story.note("Prompt review is switched off, or there is no prompt")
    writing.story.type(f"{REVIEW} '{TASK}'", PROMPT_REVIEW_ENABLED="false")
    writing.story.type(f"{REVIEW} ' '")
    writing.log()


def test_prompts_in_files_are_checked_like_code(writing: Writing) -> None:
    story = writing.story
    writing.desk.claude({"clarity": answer(FASTER)})
    story.repo.write("prompts/a.md", f"# Task\n\n{TASK}\n")
    story.repo.write("prompts/b.md", "Sum the prices.\n")
    story.type(f"{REVIEW} --file prompts/a.md prompts/b.md --fail-on major")
    story.type(f"{REVIEW} --file prompts/a.md --fail-on blocker")
    for form in ("json", "sarif", "junit", "github"):
        story.type(f"{REVIEW} --file prompts/a.md prompts/b.md --fail-on major --format {form}")
    story.type(f"{REVIEW} --file prompts/gone.md --fail-on major")
    story.note("A gate that no reviewer guards is closed")
    writing.desk.claude({"*": 401})
    story.repo.write("prompts/b.md", "Sum the prices of all rows.\n")
    story.type(f"{REVIEW} --file prompts/b.md --fail-on major")
    writing.log()


def said(**by_role: Any) -> str:
    """What the subagents of a session have answered."""
    answers = {role: {**NOTHING, "reviewer_role": role} for role in ALWAYS}
    return json.dumps(answers | {role: {**one, "reviewer_role": role} for role, one in by_role.items()})


def test_the_subagents_of_a_session_review_a_prompt(writing: Writing) -> None:
    story = writing.story
    writing.desk.claude({})
    story.repo.environ["CLAUDECODE"] = "1"
    asked = story.json(f"{REVIEW} '{TASK}' --format json")
    story.repo.write("../answers.json", "Security is fine.")
    story.type(f"{REVIEW} merge {asked['id']} ../answers.json")
    story.repo.write("../answers.json", said(security=ONE_GUARD["security"]))
    story.type(f"{REVIEW} merge {asked['id']} ../answers.json")
    story.type(f"{REVIEW} decide {asked['id']} yes")
    story.note("The next session is not asked again")
    story.json(f"{REVIEW} '{TASK}' --format json")
    story.fact("calls of claude", len(writing.desk.calls()))
    writing.log()


def test_three_exclamation_marks_ask_for_a_review(writing: Writing) -> None:
    story = writing.story
    story.repo.environ["CLAUDECODE"] = "1"
    event = {"session_id": "s-1", "cwd": str(story.repo.path), "hook_event_name": "UserPromptSubmit"}
    story.pipe(json.dumps({**event, "prompt": TASK}), "review-gate hook claude")
    told = story.pipe(json.dumps({**event, "prompt": f"{TASK} !!!"}), "review-gate hook claude").stdout
    name = id_in(told)
    story.json(f"{REVIEW} request {name} --format json")
    story.repo.write("../answers.json", said(security=ONE_GUARD["security"]))
    story.json(f"{REVIEW} merge {name} ../answers.json --format json")
    story.type(f"{REVIEW} show {name}")
    story.type(f"{REVIEW} decide {name} yes")
    writing.log()


def test_the_settings_in_force_are_shown(writing: Writing) -> None:
    writing.story.type(f"{REVIEW} --settings")
    writing.story.repo.write(".claude/prompt-review.json", '{"preset": "quick"}')
    writing.story.json(f"{REVIEW} --settings --format json")
    writing.story.type(f"{REVIEW} --settings --preset nothing")


def test_reviews_of_prompts_become_figures(writing: Writing) -> None:
    story = writing.story
    story.type("review-gate stats")
    writing.desk.claude(ONE_GUARD)
    for prompt, word in (("sum the prices", "yes"), ("sum the rows", "no"), ("sum it all", "yes")):
        name = id_in(story.repo.gate("prompt-review", prompt).stdout)
        assert story.repo.gate("prompt-review", "decide", name, word).returncode == 0
    found = json.loads(story.repo.gate("stats", "--format", "json").stdout)
    names = ("version", "project", "projects", "triggers", "modes", "reviews")
    story.fact("figures", {name: found[name] for name in names})
    story.type("review-gate stats --project shop")
    story.type("review-gate stats --since last-week")


def test_a_month_of_reviews_becomes_a_text_a_page_and_json(writing: Writing) -> None:
    story = writing.story
    write_month(Path(story.repo.environ["HOME"]))
    story.type("review-gate stats")
    story.json("review-gate stats --project infra --since 2026-02-16 --format json")
    story.type("review-gate stats --format html --output history.html")
    page = (story.repo.path / "history.html").read_text()
    story.fact(
        "page", {mark: len(re.findall(mark, page)) for mark in ("<!doctype", "<svg", "<table", "<script", "http")}
    )
