"""The commands, skills and subagents that are shipped, as the plugin for Claude Code has them."""

from __future__ import annotations

import os

FOLDERS = ("agents", "commands", "skills")


def plugin_folder() -> str:
    """Where the plugin lies."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    shipped = os.path.join(package, "plugin")
    # In a checkout it lies beside the package; the wheel has it inside.
    return shipped if os.path.isdir(shipped) else os.path.join(os.path.dirname(package), "plugin")


def plugin_texts() -> dict[str, bytes]:
    """The content of each text by its path below the plugin, such as commands/ship.md."""
    top = plugin_folder()
    found = {}
    for kind in FOLDERS:
        for folder, _, names in os.walk(os.path.join(top, kind)):
            for name in sorted(names):
                path = os.path.join(folder, name)
                if name.endswith(".md"):
                    with open(path, "rb") as file:
                        found[os.path.relpath(path, top).replace(os.sep, "/")] = file.read()
    return dict(sorted(found.items()))
