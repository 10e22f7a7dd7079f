"""Which checks look at which text."""

from __future__ import annotations

from review_gate.checks.labels import PACK_LABEL, USER_LABEL
from review_gate.checks.languages import MARKDOWN, TEXT, language_of, may_be_in
from review_gate.checks.rule import (
    ADDED_LINES,
    COMMIT_MESSAGE,
    PLAN,
    PROMPT,
    REDACTED_CATEGORIES,
    WHOLE_FILE,
    Rule,
)
from review_gate.globs import matches_any

# A text that is neither a message nor a plan nor a prompt.
FILE = "file"
# What a text is written in when its name does not say.
_LANGUAGE_OF_PLACE = {PLAN: MARKDOWN, PROMPT: MARKDOWN, COMMIT_MESSAGE: TEXT}


class Page:
    """One text under scan; of a change only some lines are new, and `place` is FILE or a word of rule.PLACES.

    `moved_from` is where a file was before that only moved.
    `wide` holds the bytes as they were when these were no UTF-8, without a mark, and `codec` says what they were.
    `is_marked` says of a text that was searched whether somebody may suppress findings in it.
    """

    def __init__(
        self,
        path: str,
        data: bytes,
        language: str | None = None,
        *,
        place: str = FILE,
        is_change: bool = False,
        is_new: bool = False,
        moved_from: str = "",
    ) -> None:
        self.path = path
        self.data = data
        self._language = language
        self.place = place
        self.is_change = is_change
        self.is_new = is_new
        self.moved_from = moved_from
        self.wide = b""
        self.codec = ""
        self.is_marked = False
        self._text: str | None = None

    @property
    def language(self) -> str:
        """What the text is written in, "" when that is not known; most texts are never asked."""
        if self._language is None:
            self._language = language_of(self.path, self.data) or _LANGUAGE_OF_PLACE.get(self.place, "")
        return self._language

    @property
    def text(self) -> str:
        """The text itself; what is not UTF-8 becomes lone surrogates."""
        if self._text is None:
            self._text = self.data.decode("utf-8", "surrogateescape")
        return self._text

    def read_as(self, data: bytes) -> Page:
        """The same text, read in another way."""
        return Page(
            self.path,
            data,
            self.language,
            place=self.place,
            is_change=self.is_change,
            is_new=self.is_new,
            moved_from=self.moved_from,
        )

    def as_new(self) -> Page:
        """The same text as one that was not there before."""
        return Page(self.path, self.data, self._language, place=self.place, is_change=self.is_change, is_new=True)

    def where_it_was(self) -> Page:
        """The same text under the name that it had before it moved."""
        return Page(self.moved_from, self.data, place=self.place, is_change=self.is_change)


def applies(rule: Rule, page: Page) -> bool:
    """Whether a check looks at a text."""
    if rule.languages and page.language not in rule.languages and not may_be_in(page.path, rule.languages):
        return False
    if not _is_in_place(rule, page):
        return False
    if page.place != FILE:
        # One that is about some files is about nothing else, unless it says so.
        return not rule.include or page.place in rule.places
    # The file that writes a check down holds its pattern; one that is only called like a pack does not.
    if rule.source == page.path and not rule.source.startswith((USER_LABEL, PACK_LABEL)):
        return False
    if rule.include and not matches_any(page.path, rule.include):
        return False
    return not (rule.exclude and matches_any(page.path, rule.exclude))


def _is_in_place(rule: Rule, page: Page) -> bool:
    places = rule.places
    if page.place == COMMIT_MESSAGE:
        return is_for_messages(rule)
    if page.place != FILE:
        return page.place in places if places else True
    return not places or WHOLE_FILE in places or (page.is_change and ADDED_LINES in places)


def is_for_messages(rule: Rule) -> bool:
    """Whether a check looks at commit messages: it says so, or it is about secrets, which are none anywhere."""
    is_about_secrets = rule.category in REDACTED_CATEGORIES and not rule.places and not rule.include
    return COMMIT_MESSAGE in rule.places or is_about_secrets


def is_only_for_changes(rule: Rule) -> bool:
    """Whether a check looks at nothing but what a change adds."""
    return ADDED_LINES in rule.places and WHOLE_FILE not in rule.places
