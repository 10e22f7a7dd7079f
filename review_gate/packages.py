"""Installed packages, for hooks: those start Python without the folder of them, which takes as long as their work."""

from __future__ import annotations

import os
import sys


def see_package(name: str) -> bool:
    """Make a package that is installed beside this interpreter importable; False where it is not to be found there."""
    home = os.path.dirname(os.path.dirname(sys.executable))
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    parts = ("Lib",) if os.name == "nt" else ("lib", version)
    folder = os.path.join(home, *parts, "site-packages")
    if not os.path.isdir(os.path.join(folder, name)):
        return False
    if folder not in sys.path:
        sys.path.append(folder)
    return True
