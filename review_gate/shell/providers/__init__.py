"""Models behind one port: the Anthropic API, and the programs claude, codex and gemini."""
