"""The embedded reviewers by name; imported by the commit hook, so it stays free of imports."""

SYNTAX = "syntax"
CONFLICT_MARKERS = "conflict-markers"
HYGIENE = "hygiene"
CHECKS = "checks"
SECURITY_CHECKS = "security-checks"

# What kind of thing each of them finds, and what it makes sure of.
EMBEDDED = {
    SYNTAX: ("correctness", "Python, JSON, YAML and TOML files parse"),
    CONFLICT_MARKERS: ("correctness", "no merge conflict was committed"),
    HYGIENE: ("hygiene", "no hidden characters; files can be read and are not too large"),
    CHECKS: ("standards", "added lines and messages keep to the checks of this project, its user and the chosen packs"),
    SECURITY_CHECKS: (
        "security",
        "added lines and messages hold no secret, no dangerous call, nothing aimed at reviewers",
    ),
}
# The check engine speaks in these loops, the others in the first.
LOOP_OF = {CHECKS: 2, SECURITY_CHECKS: 3}
FILE_REVIEWERS = tuple(name for name in EMBEDDED if name not in LOOP_OF)
CHECK_REVIEWERS = tuple(LOOP_OF)
TESTS = "tests"
GAP_DETECTION = "gap-detection"
ROUNDS = "rounds"
# Nobody else may go by these names: of two reviewers with one name, the word of only one would count.
BUILT_IN_REVIEWERS = (*EMBEDDED, TESTS, GAP_DETECTION, ROUNDS)
# The packs in force where nobody chose others: those that are quiet on other people's code.
DEFAULT_PACKS = (
    "secrets",
    "dangerous-python",
    "dangerous-javascript",
    "dangerous-go",
    "dangerous-shell",
    "dangerous-sql",
    "leftovers",
    "injection",
    "unicode",
    "workflows",
)


def section_of(reviewer: str) -> str:
    """The section of the configuration with the settings of a reviewer."""
    return CHECKS if reviewer in LOOP_OF else reviewer.replace("-", "_")
