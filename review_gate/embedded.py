"""The embedded reviewers by name; imported by the commit hook, so it stays free of imports."""

SYNTAX = "syntax"
CONFLICT_MARKERS = "conflict-markers"
HYGIENE = "hygiene"

# What kind of thing each of them finds, and what it makes sure of.
EMBEDDED = {
    SYNTAX: ("correctness", "Python, JSON, YAML and TOML files parse"),
    CONFLICT_MARKERS: ("correctness", "no merge conflict was committed"),
    HYGIENE: ("hygiene", "no hidden characters; files can be read and are not too large"),
}


def section_of(reviewer: str) -> str:
    """The section of the configuration with the settings of a reviewer."""
    return reviewer.replace("-", "_")
