"""What a stretch of source code can be."""

from __future__ import annotations

CODE_TOKEN = 0
STRING_TOKEN = 1
COMMENT_TOKEN = 2
# A comment for the lexer, of which nobody can be sure.
DOUBTFUL_TOKEN = 3
