"""A line with quotes, pipes, blocks or substitutions: its commands in order, by tree-sitter-bash; functions too."""

from __future__ import annotations

import re
import time

from review_gate.commandline.acts import NO_PARSER, TOO_DEEP, UNKNOWN, UnreadError
from review_gate.commandline.programs import assigned_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

    from review_gate.commandline.acts import Reading

SECONDS = 0.5
MOST_DEPTH = 120
# Some text takes the parser very long: it is given in pieces, and asked after each whether there is time left.
PIECE = 1 << 16
# Such bytes are parts of words, and tree-sitter-bash 0.25.1 crashes over them behind a brace (its issue 337).
PLAIN = bytes(range(128)) + b"x" * 128
SCOPES = ("subshell", "command_substitution", "process_substitution")
EXPANSIONS = (*SCOPES, "simple_expansion", "expansion", "arithmetic_expansion")
FOLDERS = {"$HOME": "~", "${HOME}": "~", "$PWD": ".", "${PWD}": "."}
BRACES = re.compile(r"\{[^{}]*(?:,|\.\.)[^{}]*\}")
GLOB = re.compile(r"(?<!\\)[*?\[]")
ESCAPED = re.compile(r"\\(?:\n|(.))", re.DOTALL)
ESCAPED_IN_QUOTES = re.compile(r"\\(?:\n|([\"$`\\]))")
NO_FILE = re.compile(r"/dev/(?:null|std\w+|tty|fd/\d+)|\d*|-")


def walk(reading: Reading, text: str) -> None:
    """Read all commands of a text, in order."""
    data, end = text.encode(), time.monotonic() + SECONDS
    plain = data.translate(PLAIN)
    try:
        import tree_sitter_bash
        from tree_sitter import Language, Parser

        parser = Parser(Language(tree_sitter_bash.language()))
    except (ImportError, ValueError, AttributeError):
        # The last two: versions that do not fit together.
        raise UnreadError(NO_PARSER) from None
    try:
        tree = parser.parse(lambda at, _: plain[at : at + PIECE], progress_callback=lambda *_: time.monotonic() > end)
    except ValueError:
        raise UnreadError("takes too long to be read") from None
    if tree.root_node.has_error:
        raise UnreadError("cannot be read as a command of bash")
    _Walk(reading, data).visit(tree.root_node)


class _Walk:
    """One pass over the nodes of a text."""

    def __init__(self, reading: Reading, data: bytes) -> None:
        self._reading, self._data, self._depth = reading, data, 0

    def visit(self, node: Node, feed: str | None = None, more: Sequence[str] = ()) -> None:
        """Read the commands in a node; `feed` is its standard input, `more` are words that follow a redirection."""
        self._depth += 1
        if self._depth > MOST_DEPTH:
            raise UnreadError(TOO_DEEP)
        reading, kind = self._reading, node.type
        before = reading.folder, reading.environ
        if kind == "command":
            self._command(node, feed, more)
        elif kind == "redirected_statement":
            self._redirected(node, feed)
        elif kind == "file_redirect":
            self._redirect(node)
        else:
            if kind == "declaration_command":
                reading.run([self._text(node.children[0]), *map(self._value, node.named_children)])
            elif kind == "variable_assignment":
                reading.run([], names=assigned_in([self._value(node)]))
            self._children(node, feed)
        if kind in SCOPES:
            reading.folder, reading.environ = before
        self._depth -= 1

    def _children(self, node: Node, feed: str | None = None) -> None:
        for child in node.named_children:
            self.visit(child, feed)
            # What a program prints is told only by running it.
            feed = UNKNOWN if node.type == "pipeline" else feed

    def _command(self, node: Node, feed: str | None, more: Sequence[str]) -> None:
        names: dict[str, str] = {}
        words: list[str] = []
        for child in node.named_children:
            if child.type == "variable_assignment":
                names |= assigned_in([self._value(child)])
                self._children(child)
            elif child.type == "file_redirect":
                words += self._redirect(child)
            else:
                self.visit(child)
                if child.type == "herestring_redirect":
                    feed = self._value(child.named_children[-1])
                else:
                    words.append(self._value(child))
        self._reading.run([*words, *more], feed, names)

    def _redirected(self, node: Node, feed: str | None) -> None:
        more: list[str] = []
        documents: list[Node] = []
        body = node.child_by_field_name("body")
        for child in node.named_children:
            if child.type == "file_redirect":
                more += self._redirect(child)
            elif child.type == "heredoc_redirect":
                documents.append(child)
                feed = "".join(self._text(part) for part in child.named_children if part.type == "heredoc_body")
        if body is not None:
            self.visit(body, feed, more)
        for child in documents:
            # `cat <<E | sh`: what follows on the line.
            self._children(child, UNKNOWN)

    def _redirect(self, node: Node) -> list[str]:
        # The words that follow the file belong to the command.
        self._children(node)
        operator = next((child.type for child in node.children if not child.is_named), "")
        values = [self._value(child) for child in node.named_children if child.type != "file_descriptor"]
        if ">" in operator and values and not NO_FILE.fullmatch(values[0]):
            self._reading.write(values[:1])
        return values[1:]

    def _text(self, node: Node) -> str:
        return self._between(node.start_byte, node.end_byte)

    def _between(self, start: int, end: int) -> str:
        return self._data[start:end].decode("utf-8", "replace")

    def _value(self, node: Node) -> str:
        """A word as the shell would pass it on, with UNKNOWN for what only the shell knows."""
        text = self._text(node)
        if node.type == "raw_string":
            return text[1:-1]
        if node.type in EXPANSIONS or node.type == "ansi_c_string":
            return FOLDERS.get(text, UNKNOWN)
        if node.type in ("concatenation", "variable_assignment", "command_name"):
            return BRACES.sub(UNKNOWN, "".join(map(self._value, node.children)))
        if node.type != "string":
            return ESCAPED.sub(r"\1", GLOB.sub(UNKNOWN, text))
        out, at = "", node.start_byte + 1
        for child in (child for child in node.children if child.type in EXPANSIONS):
            out, at = out + self._between(at, child.start_byte) + self._value(child), child.end_byte
        return ESCAPED_IN_QUOTES.sub(r"\1", out + self._between(at, node.end_byte - 1))
