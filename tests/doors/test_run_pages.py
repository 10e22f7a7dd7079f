"""review-gate run --format markdown and --format html: the reports for people who were not there."""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser

import pytest
from conftest import Repo
from markdown_it import MarkdownIt
from running import BROKEN

PAGES = ("markdown", "html")
HOSTILE_NAME = "<img src=x>|`@all`[a](b).py"
KEY = "AKIA" + "Z7QXW3VN5RTLK2MP"
OTHER = "print(eval(input()))\n"
IGNORED = "# review-gate: ignore[secret-aws-access-key] an example"
not_on_windows = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such names")


def page_of(repo: Repo, form: str, *options: str) -> tuple[int, str]:
    done = repo.gate("run", "--yes", "--format", form, *options)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout


class Texts(HTMLParser):
    """The tags of a page, and what is written between them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_a_blocked_commit_is_blocked_in_both_forms(repo: Repo) -> None:
    repo.commit("bad", {"src/bad.py": f"import os\n\n{BROKEN}"})
    code, markdown = page_of(repo, "markdown")
    assert code == 1
    assert (
        f"> **Ship blocked** (verdict: fail): commit `{repo.head[:8]}` did not pass the review, 1 blocker." in markdown
    )
    assert "| `syntax-python` | `src/bad.py:3` |" in markdown
    assert f"| commit | `{repo.head}` |" in markdown
    code, page = page_of(repo, "html")
    assert code == 1
    assert f"<title>ship blocked: commit {repo.head[:8]}</title>" in page
    assert '<span class="number">    3</span><mark>def broken(:</mark></pre>' in page


def test_staged_content_is_shown_from_the_index(repo: Repo) -> None:
    repo.write("bad.py", BROKEN)
    repo.git("add", "bad.py")
    repo.write("bad.py", "print('mended')\n")
    code, page = page_of(repo, "html", "--staged")
    assert code == 1
    assert "<mark>def broken(:</mark>" in page
    assert "mended" not in page


@pytest.mark.parametrize(
    "source",
    [
        f"KEY = '{KEY}'\n{BROKEN}",
        f"KEY = '{KEY}' (:\n",
        f"KEY = '{KEY}'\nprint(eval(KEY))\n",
        f"KEY = '{KEY}'  {IGNORED}\n{BROKEN}",
    ],
    ids=["before anybody looked for it", "in the evidence", "beside what was found", "although a comment lets it pass"],
)
def test_no_form_shows_a_secret(repo: Repo, source: str) -> None:
    repo.commit("key", {"settings.py": source, "other.py": OTHER if "eval" in source else BROKEN})
    for form in PAGES:
        code, text = page_of(repo, form)
        assert (code, "settings.py:" in text, KEY in text) == (1, True, False)
    # The last form is the page: the file beside it is quoted.
    assert '<pre class="source"' in text
    assert "There may be a secret in this file, so nothing of it is quoted." in text


@not_on_windows
def test_a_hostile_name_is_only_text_in_both_forms(repo: Repo) -> None:
    repo.commit("bad", {HOSTILE_NAME: BROKEN})
    _, markdown = page_of(repo, "markdown")
    tokens = MarkdownIt("commonmark").enable("table").parse(markdown)
    kinds = {child.type for token in tokens for child in token.children or ()}
    assert kinds <= {"text", "code_inline", "strong_open", "strong_close", "softbreak"}
    _, page = page_of(repo, "html")
    assert "img" not in Texts(page).tags
    assert f"{HOSTILE_NAME}:1" in Texts(page).texts


@pytest.mark.parametrize("form", PAGES)
def test_as_many_findings_are_shown_as_the_configuration_says(repo: Repo, form: str) -> None:
    config = "limits: {max_findings: 1}\n"
    repo.commit("bad", {"a.py": BROKEN, "b.py": BROKEN, ".review-gate.yaml": config})
    _, text = page_of(repo, form)
    assert len(re.findall(r"<article|\| `syntax-python` \|", text)) == 1
    assert "1 more finding" in text
