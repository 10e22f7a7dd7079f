"""The embedded reviewers: bytes in, problems out, nothing run. Standard library only: the commit hook uses them."""
