"""Layers of rules, agents, policies and domains to one validated configuration; stages read nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import ValidationError

from review_gate.config.display import printable
from review_gate.config.keys import nearest
from review_gate.embedded import BUILT_IN_REVIEWERS
from review_gate.errors import ConfigError
from review_gate.models import Frozen
from review_gate.pipeline.config_schema import (
    SHIPPED,
    AgentEntry,
    CompositionPolicy,
    DomainMapping,
    OnDomain,
    PipelineConfig,
    ReviewRule,
)
from review_gate.strict_json import StrictJsonError, parse

ENABLED = "enabled"


class Kind(NamedTuple):
    """What one of the files holds, and the field that names an entry, if need be together with a second one."""

    model: type[Frozen]
    key: str
    within: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        """The fields that an entry cannot be without."""
        return (self.within, self.key) if self.within else (self.key,)


KINDS: dict[str, Kind] = {
    "rules": Kind(ReviewRule, "id"),
    "agents": Kind(AgentEntry, "id"),
    "composition": Kind(CompositionPolicy, "id"),
    "domains": Kind(DomainMapping, "domain"),
}


class Layer(NamedTuple):
    """The files of one place, by the names of KINDS; `place` is how messages call the folder."""

    place: str
    files: Mapping[str, bytes]
    is_shipped: bool = False


class _Entry(NamedTuple):
    """One entry as the layers make it, and where its last word was said."""

    fields: dict[str, Any]
    origin: str
    # Nobody but us has said anything of it.
    is_shipped: bool


def load_pipeline(layers: Sequence[Layer]) -> PipelineConfig:
    """The layers over each other, the later one winning field by field, with every reference between them checked."""
    entries = _in_force({name: _merged(name, kind, layers) for name, kind in KINDS.items()})
    loaded = {name: _validated(KINDS[name], list(found.values())) for name, found in entries.items()}
    config = PipelineConfig.model_validate(loaded)
    for fault in contract_faults(config):
        raise _broken(fault, entries[fault.file].get(fault.entry), f"{layers[-1].place}/{fault.file}.json")
    return config


def _broken(fault: Fault, entry: _Entry | None, file: str) -> ConfigError:
    """A broken promise where it can be mended: what is shipped keeps them all until a project takes something away."""
    if entry is None or not entry.is_shipped:
        return _wrong(entry.origin if entry else file, fault.what)
    return ConfigError(
        f"{file}: the shipped {fault.entry} lacks what it needs: {fault.what}",
        why="the files of this folder took away what it refers to, and a part of the review would be missed",
        next_step='switch it off in that file too ("enabled": false), or its reviewer in agents.json',
    )


def _in_force(merged: Mapping[str, Mapping[str, _Entry]]) -> dict[str, dict[str, _Entry]]:
    """The entries that are on; with a reviewer that is switched off goes what is shipped for it alone."""
    off = {name for name, entry in merged["agents"].items() if not _is_enabled(entry)}
    return {
        file: {
            name: entry
            for name, entry in entries.items()
            if _is_enabled(entry) and not (entry.is_shipped and _agent_of(entry.fields) in off)
        }
        for file, entries in merged.items()
    }


def _agent_of(fields: Mapping[str, Any]) -> object:
    """The reviewer that a rule or a policy is for."""
    return fields["dispatch"]["agent"] if "dispatch" in fields else fields.get("agent")


def load_entries(name: str, kind: Kind, layers: Sequence[Layer]) -> tuple[Frozen, ...]:
    """The entries of one file that stands by itself, from all layers."""
    merged = _merged(name, kind, layers)
    return _validated(kind, [entry for entry in merged.values() if _is_enabled(entry)])


def _merged(name: str, kind: Kind, layers: Sequence[Layer]) -> dict[str, _Entry]:
    found: dict[str, _Entry] = {}
    for layer in layers:
        if name not in layer.files:
            continue
        file = f"{layer.place}/{name}.json"
        for key, fields, origin in _entries(file, layer.files[name], kind.keys):
            before = found.get(key)
            if before is None and fields.get(ENABLED) is False and fields.keys() == {*kind.keys, ENABLED}:
                raise _wrong(origin, f"there is no such entry to switch off{_near(key, {*found})}")
            is_shipped = layer.is_shipped and (before is None or before.is_shipped)
            found[key] = _Entry({**(before.fields if before else {}), **fields}, origin, is_shipped)
    return found


def _entries(file: str, data: bytes, keys: Sequence[str]) -> Iterator[tuple[str, dict[str, Any], str]]:
    """The entries of one file with their names and places; a name that comes twice in it is a mistake."""
    try:
        document = parse(data)
    except StrictJsonError as error:
        raise _wrong(file, f"it cannot be read: {error}") from None
    if not isinstance(document, list):
        raise _wrong(file, "it must be a list of objects")
    seen: dict[str, int] = {}
    key = " and ".join(keys)
    for number, fields in enumerate(document):
        origin = f"{file}: [{number}]"
        if not isinstance(fields, dict) or not all(isinstance(fields.get(one), str) for one in keys):
            raise _wrong(origin, f"it must be an object with a text for {key}")
        name = " ".join(fields[one] for one in keys)
        if name in seen:
            raise _wrong(origin, f"{key} {name!r} stands at [{seen[name]}] already")
        seen[name] = number
        yield name, fields, f"{origin} ({printable(name)})"


def _is_enabled(entry: _Entry) -> bool:
    value = entry.fields.get(ENABLED, True)
    if not isinstance(value, bool):
        raise _wrong(f"{entry.origin}.{ENABLED}", "must be true or false")
    return value


def _validated(kind: Kind, entries: Sequence[_Entry]) -> tuple[Frozen, ...]:
    return tuple(_entry(kind.model, entry) for entry in entries)


def _entry(model: type[Frozen], entry: _Entry) -> Frozen:
    fields = {name: value for name, value in entry.fields.items() if name != ENABLED}
    try:
        return model.model_validate(fields, context=SHIPPED if entry.is_shipped else None)
    except ValidationError as error:
        first, *others = error.errors(include_url=False)
        more = f" (and {len(others)} more)" if others else ""
        raise _wrong(entry.origin + _path(first["loc"]), _said(dict(first), model) + more) from None


def _path(location: Sequence[str | int]) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{printable(part)}" for part in location)


def _said(error: dict[str, Any], model: type[Frozen]) -> str:
    if error["type"] == "extra_forbidden":
        near = nearest(str(error["loc"][-1]), model.model_fields)
        return "there is no such field" + (f"; did you mean {near}?" if near else "")
    return str(error["msg"]).removeprefix("Value error, ")


def _wrong(where: str, what: str) -> ConfigError:
    return ConfigError(
        f"{where}: {what}",
        why="who reviews what is decided by this file, and a part of it that is not understood would be missed",
        next_step="correct the file, then the same command again",
    )


class Fault(NamedTuple):
    """A promise between the files that is broken; `entry` is nothing where something is missing as a whole."""

    file: str
    entry: str
    what: str


def contract_faults(config: PipelineConfig) -> Iterator[Fault]:
    """What the files say of each other and is not so."""
    agents = {agent.id for agent in config.agents}
    domains = {mapping.domain for mapping in config.domains}
    for name in sorted(agents.intersection(BUILT_IN_REVIEWERS)):
        yield Fault("agents", name, "id is that of a built-in reviewer, so one of the two would not be heard")
    for rule in config.rules:
        if rule.agent not in agents:
            yield Fault(
                "rules", rule.id, f"agent names {rule.agent}, and there is no such agent{_near(rule.agent, agents)}"
            )
    for policy in config.composition:
        yield from _policy_faults(policy, agents, domains)
    if not any(policy.trigger.type == "always" for policy in config.composition):
        yield Fault("composition", "", "no policy has the trigger always, so a change may be seen by nobody")
    yield from _orphans(config)


def _policy_faults(policy: CompositionPolicy, agents: set[str], domains: set[str]) -> Iterator[Fault]:
    sent = policy.dispatch.agent
    if sent not in agents:
        yield Fault(
            "composition", policy.id, f"dispatch.agent names {sent}, and there is no such agent{_near(sent, agents)}"
        )
    trigger = policy.trigger
    for domain in trigger.domains if isinstance(trigger, OnDomain) else ():
        if domain not in domains:
            yield Fault(
                "composition",
                policy.id,
                f"trigger.domains names {domain}, and there is no such domain{_near(domain, domains)}",
            )
    if policy.dispatch.scope == "domain" and not isinstance(trigger, OnDomain):
        yield Fault("composition", policy.id, "dispatch.scope is domain, and the trigger is not about domains")


def _orphans(config: PipelineConfig) -> Iterator[Fault]:
    """Rules that nobody is ever sent to look for; told once for each agent."""
    sent = {policy.dispatch.agent for policy in config.composition}
    orphans = Counter(rule.agent for rule in config.rules if rule.agent not in sent)
    for rule in config.rules:
        if orphans.pop(rule.agent, 0):
            yield Fault("rules", rule.id, f"no policy sends {rule.agent}, so nobody looks for it")


def _near(name: str, names: set[str]) -> str:
    near = nearest(name, sorted(names))
    return f"; did you mean {printable(near)}?" if near else ""
