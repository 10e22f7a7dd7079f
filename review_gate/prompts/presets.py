"""Named sets of settings that a project can choose instead of writing them out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_OFF: Mapping[str, Any] = {"enabled": False}
_ALWAYS: Mapping[str, Any] = {"enabled": True, "conditional": False}

SHIPPED_PRESETS: Mapping[str, Mapping[str, Any]] = {
    "quick": {"reviewers": {"domain_sme": _OFF, "testing": _OFF, "frontend_ux": _OFF, "documentation": _OFF}},
    "backend": {"reviewers": {"frontend_ux": _OFF}},
    "frontend": {"reviewers": {"frontend_ux": _ALWAYS}},
    "documented": {"reviewers": {"documentation": _ALWAYS}},
    "all": {"reviewers": {"frontend_ux": _ALWAYS, "documentation": _ALWAYS}},
}
