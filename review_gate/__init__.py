"""Review as a property of a commit: nothing unreviewed leaves your machine."""

__version__ = "0.1.0"
