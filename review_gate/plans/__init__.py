"""The plan reviewer: a machine that checks, fixes and asks until a plan is approved or cannot be."""
