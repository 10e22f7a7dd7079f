"""The audit log as lines, and what many of them come to."""
