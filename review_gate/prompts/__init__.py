"""Prompt review: specialists propose bounded edits of a prompt, and pure code merges them."""
