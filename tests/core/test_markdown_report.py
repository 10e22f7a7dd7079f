"""The Markdown report: golden files, its limits, and no text of a reviewed repository that is more than text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from builders import NO, NOT_COVERED, YES, finding, reviewer_result, run_report, subject
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from report_samples import SHOWN, clean, crowded, rich
from reporting import report_with, stopped_report
from test_hostile_reports import HOSTILE, hostile_report

from review_gate.gate.decision import Decision
from review_gate.loops.report import LoopResult, RunReport, not_run
from review_gate.models import Finding
from review_gate.ports import ModelPart, NotShown
from review_gate.render.markdown_parts import ACTED_ON, code, prose
from review_gate.render.markdown_report import markdown
from review_gate.render.report_view import ReportView

# What GitHub reads, as far as this parser knows it.
GITHUB = MarkdownIt("commonmark").enable(["table", "strikethrough"])
HARMLESS = {"text", "code_inline", "strong_open", "strong_close", "softbreak"}
MARKDOWN = {
    "a table row": "a | b |\n| --- | --- |\n| c | d |",
    "an escaped pipe": "a \\| b \\\\| c",
    "backticks": "``` `` ` a`b",
    "html": "<img src=x onerror=alert(1)><!-- x --><details>&lt;b&gt;",
    "a link": "[here](https://evil.example) <https://evil.example> [a]: x",
    "an image": "![x](https://evil.example/x.png)",
    "a bare address": "see https://evil.example/x, www.evil.example or mailto:a@evil.example",
    "a mention": "@octocat @org/team a@b.c cc:@x",
    "references": "#123 org/repo#5 GH-7 c0ffee1 fixes #1",
    "a list": "- a",
    "a fence": "~~~ a",
    "emphasis": "**a** _b_ ~~c~~ __d__",
    "a formula": "$x$ $$y$$ $`z`$",
    "indented code": "     a",
}
with_hostile_texts = pytest.mark.parametrize("text", [*HOSTILE.values(), *MARKDOWN.values()])


def inline(tokens: list[Token]) -> Iterator[Token]:
    """All tokens within lines."""
    return (child for token in tokens for child in token.children or ())


def cells(text: str) -> list[str]:
    """What a reader sees in each cell of the tables, in order."""
    tokens = GITHUB.parse(text)
    within = [tokens[at + 1] for at, token in enumerate(tokens) if token.type in ("td_open", "th_open")]
    return ["".join(child.content for child in cell.children or ()) for cell in within]


def shape(text: str) -> Counter[str]:
    """How many blocks of each kind there are."""
    return Counter(token.type for token in GITHUB.parse(text))


def model_named(text: str) -> ModelPart:
    """A model's part in which every text is this one."""
    dark = NotShown(path=text, because=text)
    return ModelPart(provider=text, model=text, cut=(text,), unread=(text,), not_shown=(dark,))


def hostile(text: str) -> RunReport:
    """A run in which every text that can come from outside is this one, also what is said of models."""
    report = hostile_report(text)
    first = report.loops[0]
    reviewers = tuple(one.model_copy(update={"model": model_named(text)}) for one in first.reviewers)
    loops: tuple[LoopResult, ...] = (first.model_copy(update={"reviewers": reviewers}), *report.loops[1:])
    label = subject(base_label=text)
    return report.model_copy(update={"loops": loops, "weakened": (text,), "subject": label})


@pytest.mark.parametrize("make", [rich, clean])
def test_the_report_is_as_the_golden_file_has_it(
    make: Callable[[], ReportView], golden: Callable[[str, str], None]
) -> None:
    view = make()
    golden(f"run/{make.__name__}.md", markdown(view.report, view.decision, shown=view.shown))


@with_hostile_texts
def test_no_hostile_text_is_more_than_text(text: str) -> None:
    written = markdown(hostile(text), NO, shown=SHOWN)
    assert shape(written) == shape(markdown(hostile("x"), NO, shown=SHOWN))
    tokens = list(inline(GITHUB.parse(written)))
    assert {token.type for token in tokens} <= HARMLESS
    assert not [token.content for token in tokens if token.type == "text" and ACTED_ON.search(token.content)]
    assert written.replace("\n", "").isprintable()


@settings(max_examples=60, deadline=None)
@given(st.text(st.one_of(st.sampled_from("`|\\<>[]()*_~#@$:!-=+.&\n 1ax"), st.characters()), min_size=1, max_size=60))
def test_no_text_at_all_is_more_than_text(text: str) -> None:
    written = markdown(hostile(text), NO, shown=SHOWN)
    assert {token.type for token in inline(GITHUB.parse(written))} <= HARMLESS
    assert shape(written) == shape(markdown(hostile("x"), NO, shown=SHOWN))


@pytest.mark.parametrize("text", MARKDOWN.values(), ids=MARKDOWN.keys())
def test_a_reader_sees_the_very_text(text: str) -> None:
    one_line = " ".join(text.replace("\n", "\\n").split())
    written = markdown(report_with(finding(message=one_line, rule=one_line)), NO, shown=SHOWN)
    assert cells(written).count(one_line) == 2


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain words, (really) fine: a-b 1.5 50%", "plain words, (really) fine: a-b 1.5 50%"),
        ("ask @octocat", "ask `@octocat`"),
        ("see https://x.example/a_b", "see `https://x.example/a_b`"),
        ("fixes #12", "fixes `#12`"),
        ("since c0ffee11", "since `c0ffee11`"),
        ("a*b_c", r"a\*b\_c"),
        ("a|b", "a&#124;b"),
        ("<b> & co", "&lt;b&gt; &amp; co"),
        ("- item", r"\- item"),
        ("12. item", r"12\. item"),
        ("a\nb\tc\u202e", r"a\\nb\\tc&lt;U+202E&gt;"),
        (" ", ""),
    ],
)
def test_prose_is_escaped_where_it_has_to_be(text: str, shown: str) -> None:
    assert prose(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a b", "`a b`"), ("a`b", "`a`&#96;`b`"), ("|", "&#124;"), ("a\\|b", "`a\\`&#124;`b`"), ("", "")],
)
def test_code_keeps_backticks_and_pipes_outside(text: str, shown: str) -> None:
    assert code(text) == shown


def test_as_many_findings_are_shown_as_the_limit_says_and_the_rest_is_counted() -> None:
    findings = [finding(file=f"{number}.py") for number in range(5)]
    written = markdown(report_with(*findings), NO, shown=2)
    assert written.count("| `python-syntax` |") == 2
    assert "\n... and 3 more findings; `--format json` has them all.\n" in written


@pytest.mark.parametrize("long", ["long word " * 300, "|" * 3_000, "@" * 3_000])
def test_a_report_fits_into_a_pull_request_whatever_was_found(long: str) -> None:
    def longer(one: Finding) -> Finding:
        return one.model_copy(update={"message": long, "recommendation": long, "file": long, "rule": long})

    findings = tuple(map(longer, crowded(2_000).report.findings))
    absent = [reviewer_result(id=f"{number}{long}", status="could_not_run", detail=long) for number in range(90)]
    report = stopped_report(reviewer_result(status="failed", findings=findings, model=model_named(long)), *absent)
    written = markdown(report, NO, shown=5_000)
    assert len(written) < 65_536
    assert " more reviewers; `--format json` has them all.\n" in written
    assert " more findings; `--format json` has them all.\n" in written
    assert "### What the result is bound to" in written


def test_what_nobody_saw_is_counted_where_it_is_too_much() -> None:
    dark = tuple(NotShown(path=f"{number}.lock", because="a lock file") for number in range(80))
    reviewer = reviewer_result(model=ModelPart(provider="p", model="m", not_shown=dark))
    written = markdown(stopped_report(reviewer), YES, shown=SHOWN)
    assert "\n... and 33 more such things; `--format json` has them all.\n" in written


@pytest.mark.parametrize(
    ("report", "decision", "verdict"),
    [
        (run_report(), YES, "[!TIP]\n> **Ship allowed** (verdict: pass): commit `c0ffee11` passed the review."),
        (
            run_report(),
            NOT_COVERED,
            "[!WARNING]\n> **Ship not allowed yet** (verdict: pass): commit `c0ffee11` passed the review.",
        ),
        (
            run_report(subject=subject(commit=None)),
            None,
            "[!WARNING]\n> **Ship not allowed yet** (verdict: pass): staged tree `7ee7ee22` passed the review.",
        ),
        (
            report_with(finding()),
            YES,
            "[!CAUTION]\n> **Ship allowed** (verdict: needs fixes):"
            " commit `c0ffee11` did not pass the review, 1 blocker.",
        ),
        (
            run_report(
                requested=(1,), loops=(run_report().loops[0], *(not_run(n, "not asked for") for n in (2, 3, 4)))
            ),
            NO,
            "[!WARNING]\n> **Ship not allowed yet** (verdict: pass):"
            " commit `c0ffee11` passed the requested loops only.",
        ),
    ],
    ids=["allowed", "not covered", "staged", "allowed by an earlier review", "some loops"],
)
def test_the_verdict_is_one_line(report: RunReport, decision: Decision | None, verdict: str) -> None:
    assert markdown(report, decision, shown=SHOWN).startswith(f"## review-gate\n\n> {verdict}\n")
