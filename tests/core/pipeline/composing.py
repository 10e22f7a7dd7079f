"""Small configurations and facts for the stages of the pipeline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from review_gate.pipeline.config_schema import PipelineConfig
from review_gate.pipeline.domains import DomainIndex
from review_gate.pipeline.normalize import Gathered, RawChange, normalize
from review_gate.pipeline.schema import PRFacts

BASE, HEAD = "a" * 40, "b" * 40


def rule(name: str = "sec-one-01", **fields: Any) -> dict[str, Any]:
    return {
        "id": name,
        "name": "A rule",
        "severity": "major",
        "agent": "watcher",
        "category": "safety",
        "description": "why",
        "detection": "what",
        "recommendation": "how",
    } | fields


def agent(name: str = "watcher", **fields: Any) -> dict[str, Any]:
    return {
        "id": name,
        "name": "Watcher",
        "description": "watches",
        "loop": 2,
        "prompt": "watcher.md",
        "capabilities": ["watching"],
    } | fields


def policy(name: str, sent: str, trigger: Mapping[str, Any], priority: int = 50, scope: str = "all") -> dict[str, Any]:
    dispatch = {"agent": sent, "scope": scope}
    return {"id": name, "description": "why", "trigger": trigger, "dispatch": dispatch, "priority": priority}


def domain(name: str, *globs: str, risk: int = 0) -> dict[str, Any]:
    return {"domain": name, "description": "what", "globs": globs, "risk": risk}


ALWAYS = {"type": "always"}
MONEY = {"type": "domain", "domains": ["money"]}
FILES: dict[str, list[dict[str, Any]]] = {
    "rules": [rule(), rule("fin-one-01", agent="banker")],
    "agents": [agent(), agent("banker", loop=3), agent("tester", loop=4)],
    "composition": [
        policy("everyone", "watcher", ALWAYS),
        policy("money", "banker", MONEY, 80, "domain"),
        policy("risky", "tester", {"type": "risk", "at_least": "medium"}, 30),
    ],
    "domains": [
        domain("money", "**/billing/**", "*price*", risk=30),
        domain("tests", "tests/**", "test_*.py"),
        domain("docs", "*.md", "docs/**"),
        domain("ci", ".github/**", risk=10),
    ],
}


def config(**files: Sequence[Mapping[str, Any]]) -> PipelineConfig:
    return PipelineConfig.model_validate(FILES | files)


Line = tuple[str, str, int | None, int | None]


def facts_of(chosen: PipelineConfig, *changes: Line, counted: bool = True) -> PRFacts:
    """Facts of (path, status, added, deleted), with the domains of a configuration."""
    lines = {path: (added, deleted or 0) for path, _, added, deleted in changes if added is not None}
    raw = [RawChange(path, status == "A", status == "D") for path, status, _, _ in changes]
    return normalize(Gathered(BASE, HEAD, raw, lines if counted else None), DomainIndex(chosen.domains))


def facts(*changes: Line, counted: bool = True) -> PRFacts:
    """The same with the domains above."""
    return facts_of(config(), *changes, counted=counted)
