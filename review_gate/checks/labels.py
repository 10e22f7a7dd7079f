"""How the labels of sources begin that are no files of a project."""

from __future__ import annotations

# A user's own files.
USER_LABEL = "~/"
# Shipped packs.
PACK_LABEL = "pack:"
# What stands in a text that says which findings to suppress.
MARKER = b"review-gate:"
