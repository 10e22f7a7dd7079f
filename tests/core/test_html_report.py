"""The HTML page: golden files, balanced tags, colours that can be read, and nothing on it that could act."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from html.parser import HTMLParser

import pytest
from builders import NO, YES, finding, reviewer_result, subject
from conftest import GOLDEN
from hypothesis import given, settings
from hypothesis import strategies as st
from report_samples import SHOWN, clean, crowded, rich
from reporting import report_with, stopped_report
from test_hostile_reports import HOSTILE
from test_markdown_report import MARKDOWN, hostile

from review_gate.models import Snippet
from review_gate.render.html_report import html
from review_gate.render.html_style import STYLE
from review_gate.render.report_view import ReportView

VOID = {"meta"}
TAGS = {
    *(
        "html",
        "head",
        "title",
        "style",
        "body",
        "header",
        "main",
        "footer",
        "section",
        "article",
        "h1",
        "h2",
        "h3",
        "p",
    ),
    *("ul", "li", "b", "strong", "dl", "div", "dt", "dd", "table", "thead", "tbody", "tr", "th", "td", "a", "code"),
    *("pre", "span", "mark", "details", "summary", "meta"),
}
MARKUP = {
    "a script": "<script>alert(1)</script>",
    "the end of the page": "</pre></article></body></html>",
    "the end of an attribute": "\" onmouseover='alert(1)' x=\"",
    "an entity": "&lt;b&gt; &#60;b&#62; &",
    "a comment": "<!-- --> <![CDATA[ ]]>",
    "the end of the style": "</style><style>*{display:none}",
    "an address": "javascript:alert(1) https://evil.example",
}
with_hostile_texts = pytest.mark.parametrize("text", [*HOSTILE.values(), *MARKDOWN.values(), *MARKUP.values()])


class Page(HTMLParser):
    """A page as a parser reads it: it sees to it that every tag is closed where it has to be."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.texts.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    def unknown_decl(self, data: str) -> None:
        raise AssertionError(data)

    def values(self, name: str) -> list[str]:
        """All values of an attribute."""
        return [value for _, key, value in self.attributes if key == name]


def view_with(text: str) -> ReportView:
    """A page on which every text that can come from outside is this one, the source included."""
    snippet = Snippet(file=text, line=3, first=2, lines=(text, text, text))
    return ReportView(report=hostile(text), decision=NO, snippets=(snippet,), shown=SHOWN)


@pytest.mark.parametrize("make", [rich, clean])
def test_the_page_is_as_the_golden_file_has_it(
    make: Callable[[], ReportView], golden: Callable[[str, str], None]
) -> None:
    golden(f"run/{make.__name__}.html", html(make()))


@pytest.mark.parametrize("view", [rich(), clean(), crowded(500), crowded(501)], ids=["rich", "clean", "500", "501"])
def test_a_page_is_whole_and_loads_and_runs_nothing(view: ReportView) -> None:
    text = html(view)
    page = Page(text)
    assert set(page.tags) <= TAGS
    assert text.startswith("<!DOCTYPE html>\n")
    assert {name for _, name, _ in page.attributes} <= {
        *("lang", "charset", "http-equiv", "content", "name", "class", "id", "href", "scope", "colspan", "tabindex"),
        "open",
    }
    assert not re.search(r"url\(|@import|https?:", text)
    assert {value[1:] for value in page.values("href")} <= set(page.values("id"))
    assert len(page.values("id")) == len(set(page.values("id")))


def test_the_policy_of_the_page_allows_its_own_style_and_nothing_else() -> None:
    text = html(rich())
    style = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style[0].encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert (len(style), Page(text).values("content")[0]) == (1, policy)
    assert "style=" not in text


@with_hostile_texts
def test_no_hostile_text_is_more_than_text(text: str) -> None:
    written = html(view_with(text))
    page, plain = Page(written), Page(html(view_with("x\ny" if "\n" in text.strip("\n") else "x")))
    # Quoted evidence of one line needs no block beside the source.
    without_evidence = [tag for tag in page.tags if tag != "pre"]
    assert without_evidence == [tag for tag in plain.tags if tag != "pre"]
    assert [item[:2] for item in page.attributes if item[0] != "pre"] == [
        item[:2] for item in plain.attributes if item[0] != "pre"
    ]
    assert written.replace("\n", "").replace("\t", "").isprintable()


@pytest.mark.parametrize("text", [*MARKDOWN.values(), *MARKUP.values()])
def test_a_reader_sees_the_very_text(text: str) -> None:
    one_line = text.replace("\n", " ")
    texts = Page(html(view_with(one_line))).texts
    assert one_line in texts
    assert texts.count(one_line) >= 8


@settings(max_examples=40, deadline=None)
@given(st.text(st.one_of(st.sampled_from("<>&\"'/!-=[] \n\t\rax"), st.characters()), min_size=1, max_size=60))
def test_no_text_at_all_breaks_the_page(text: str) -> None:
    page = Page(html(view_with(text)))
    assert set(page.tags) <= TAGS


def test_the_line_that_is_meant_is_marked_and_numbered() -> None:
    shown = re.findall(r'<pre class="source".*?</pre>', html(rich()), re.DOTALL)
    assert shown[0].splitlines()[2:4] == [
        '<span class="number">   13</span><span>    cursor = connection.cursor()</span>',
        '<span class="number">   14</span><mark>    cursor.execute(f&quot;SELECT * FROM users WHERE name = '
        "&#x27;{name}&#x27;&quot;)</mark>",
    ]


def test_a_crowd_of_findings_is_bounded_and_what_blocks_is_open() -> None:
    text = html(crowded(600))
    page = Page(text)
    assert page.tags.count("article") == SHOWN
    assert "100 more findings not shown here (limits.max_findings); --format json has them all." in page.texts
    summaries = re.findall(r'<details( open="")?><summary>(?:<span[^>]*>(\w+)</span>)? ?([\w ]+)', text)
    assert summaries == [
        (' open=""', "critical", "150"),
        (' open=""', "major", "150"),
        ("", "warning", "150"),
        ("", "info", "50 of 150"),
        ("", "", "50 files"),
    ]


def test_long_output_is_folded_and_short_output_is_not() -> None:
    def details(count: int) -> int:
        evidence = "\n".join(f"line {number}" for number in range(count))
        one = finding(file=None, line=None, rule="command-failed", evidence=evidence)
        return Page(html(ReportView(report=report_with(one), decision=NO, shown=SHOWN))).tags.count("details")

    assert (details(12), details(13)) == (1, 2)


@pytest.mark.parametrize(
    ("view", "tone", "title"),
    [
        (rich(), "closed", "ship blocked: commit c0ffee11"),
        (clean(), "open", "ship allowed: commit c0ffee11"),
        (
            ReportView(
                report=clean().report.model_copy(update={"subject": subject(commit=None)}), decision=None, shown=1
            ),
            "waiting",
            "ship not allowed yet: staged tree 7ee7ee22",
        ),
        (
            ReportView(
                report=stopped_report(reviewer_result(status="could_not_run", detail="gone")), decision=YES, shown=1
            ),
            "closed",
            "ship allowed: commit c0ffee11",
        ),
    ],
    ids=["blocked", "allowed", "staged", "allowed by an earlier review"],
)
def test_the_banner_tells_at_first_sight(view: ReportView, tone: str, title: str) -> None:
    text = html(view)
    assert f"<title>{title}</title>" in text
    assert f'<header class="{tone}">' in text


def luminance(color: str) -> float:
    """How bright a colour is, as WCAG 2 counts it."""
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_every_colour_of_text_can_be_read_on_its_ground(scheme: int) -> None:
    blocks = re.findall(r":root \{(.*?)\}", STYLE, re.DOTALL)
    colors = dict(re.findall(r"--([\w-]+): (#\w{6})", blocks[scheme]))
    severities = ("critical", "major", "warning", "info", "open")
    pairs = [
        *((ink, ground) for ink in ("ink", "soft", "link") for ground in ("ground", "sheet", "code")),
        *((name, f"{name}-ground") for name in severities),
        *(("ink", f"{name}-ground") for name in ("critical", "warning", "open")),
        *((name, "sheet") for name in ("critical", "open")),
        ("hit-ink", "hit"),
    ]
    assert [pair for pair in pairs if contrast(colors[pair[0]], colors[pair[1]]) < 4.5] == []


def test_there_is_no_golden_file_without_a_test() -> None:
    expected = {f"{name}.{form}" for name in ("rich", "clean") for form in ("md", "html")}
    assert {path.name for path in (GOLDEN / "run").iterdir()} == expected
