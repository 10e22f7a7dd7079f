"""Doors for git: one thin module per hook. The hook path imports no third-party package."""
