"""Proposals and a prompt to the refined prompt, by code alone."""
