"""Doors for coding agents: foreign JSON in, one answer in foreign JSON out."""
