"""The frame of every HTML page: nothing on it runs, and nothing is loaded from anywhere."""

from __future__ import annotations

import base64
import hashlib

from review_gate.render.html_parts import Html, element, words


def page(title: str, body: Html, style: str) -> str:
    """A whole page."""
    return f'<!DOCTYPE html>\n<html lang="en">\n{_head(title, style)}\n{element("body", body)}\n</html>\n'


def _head(title: str, style: str) -> Html:
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    # Only this very style counts: whatever got past the escapes could neither run nor load anything.
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return Html(
        "<head>\n"
        '<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        '<meta name="referrer" content="no-referrer">\n'
        '<meta name="robots" content="noindex">\n'
        f"{element('title', words(title))}\n"
        f"<style>{style}</style>\n"
        "</head>"
    )
