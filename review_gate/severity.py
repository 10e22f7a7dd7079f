"""The words for how much a problem matters; imported by the commit hook, so it stays free of imports."""

RANKS = ("critical", "major", "warning", "info")
BLOCKING = ("critical", "major")
