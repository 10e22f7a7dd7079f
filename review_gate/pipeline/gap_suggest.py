"""What to add to .review-gate/ so that a gap does not come again: a policy, perhaps with a domain, or a rule.

A suggestion is tried before it is made: its globs match the files of the gap, and its names are nobody else's, since an
entry of a known name would change that entry.
"""

from __future__ import annotations

import os.path
import re
from collections.abc import Collection, Iterable, Sequence
from itertools import count, takewhile
from typing import Any

from review_gate.config.glob_faults import path_fault
from review_gate.globs import matches_any
from review_gate.models import Frozen, Severity
from review_gate.pipeline.config_schema import (
    Always,
    CompositionPolicy,
    Dispatch,
    DomainMapping,
    OnDomain,
    PipelineConfig,
    ReviewRule,
)
from review_gate.pipeline.domains import DomainIndex
from review_gate.pipeline.gap_detect import GAP_PRIORITY
from review_gate.safe_text import safe_line

# All code is in it, so a policy for it would send a reviewer nearly always.
BROAD_DOMAINS = frozenset({"source"})
MOST_GLOBS = 10
LONGEST_GLOB = 200
LONGEST_CONCERN = 500
LONGEST_NAME = 80
# The longest names that the schemas allow, less room for a number behind them.
LONGEST_DOMAIN, LONGEST_POLICY, LONGEST_RULE = 36, 56, 56
NO_MEANING = re.compile(r"[^a-z0-9]+")
RECOMMENDATION = "To be written: what the author of such a change should do instead."


class Suggestion(Frozen):
    """Entries for the files of .review-gate/, and what they do in one sentence."""

    about: str
    domains: tuple[DomainMapping, ...] = ()
    composition: tuple[CompositionPolicy, ...] = ()
    rules: tuple[ReviewRule, ...] = ()

    def files(self) -> dict[str, list[dict[str, Any]]]:
        """The entries as JSON, by the name of their file; empty files are left out."""
        parts: dict[str, Sequence[Frozen]] = {
            "domains": self.domains,
            "composition": self.composition,
            "rules": self.rules,
        }
        return {
            name: [entry.model_dump(mode="json", exclude_none=True) for entry in entries]
            for name, entries in parts.items()
            if entries
        }


class Suggestions:
    """Suggestions for several gaps, which can all be added together."""

    def __init__(self, config: PipelineConfig) -> None:
        self._config = config
        self._domains = {mapping.domain: mapping for mapping in config.domains}
        self._policies = {policy.id: policy for policy in config.composition}
        self._rules = {rule.id: rule for rule in config.rules}

    def for_gap(self, agent: str, concern: str, files: Sequence[str], *, was_there: bool) -> Suggestion:
        """What would have covered one concern about these files, or about all files where none is named."""
        if agent not in {entry.id for entry in self._config.agents}:
            return Suggestion(about=f"there is no reviewer {safe_line(agent)} any more, so there is nothing to add")
        if was_there:
            return self._rule(agent, concern)
        if is_sent(agent, files, self._config):
            return Suggestion(about=f"a policy sends {agent} there by now, so there is nothing to add")
        return self._policy(agent, concern, files)

    def _policy(self, agent: str, concern: str, files: Sequence[str]) -> Suggestion:
        known = covering_domains(files, self._config.domains)
        if known:
            policy = self._for_domains(agent, known, concern)
            return Suggestion(
                about=f"a policy that sends {agent} to files in {', '.join(known)}", composition=(policy,)
            )
        globs = globs_for(files)
        if not globs:
            always = self._kept_policy(agent, Always(type="always"), "all", "all", concern)
            return Suggestion(about=f"a policy that sends {agent} to every change", composition=(always,))
        mapping = self._domain(globs, files)
        policy = self._for_domains(agent, (mapping.domain,), concern)
        about = f"a domain for {', '.join(globs)} and a policy that sends {agent} there"
        return Suggestion(about=about, domains=(mapping,), composition=(policy,))

    def _for_domains(self, agent: str, domains: tuple[str, ...], concern: str) -> CompositionPolicy:
        trigger = OnDomain(type="domain", domains=domains)
        return self._kept_policy(agent, trigger, "domain", "-".join(domains), concern)

    def _kept_policy(
        self, agent: str, trigger: Always | OnDomain, scope: str, where: str, concern: str
    ) -> CompositionPolicy:
        """The policy, which may have been suggested for another concern already."""
        dispatch = Dispatch.model_validate({"agent": agent, "scope": scope})
        for policy in self._policies.values():
            if (policy.trigger, policy.dispatch) == (trigger, dispatch):
                return policy
        made = CompositionPolicy(
            id=_free(slug(f"gap-{agent}-{where}", LONGEST_POLICY), self._policies),
            description=f"A gap was seen: {told(concern)}",
            trigger=trigger,
            dispatch=dispatch,
            priority=GAP_PRIORITY,
        )
        self._policies[made.id] = made
        return made

    def _domain(self, globs: tuple[str, ...], files: Sequence[str]) -> DomainMapping:
        for mapping in self._domains.values():
            if mapping.globs == globs:
                return mapping
        made = DomainMapping(
            domain=_free(slug(_area(files), LONGEST_DOMAIN), self._domains),
            description=f"Files like {told(files[0])}, in which a gap was seen.",
            globs=globs,
        )
        self._domains[made.domain] = made
        return made

    def _rule(self, agent: str, concern: str) -> Suggestion:
        said = told(concern)
        if any(rule.agent == agent and rule.description == said for rule in self._config.rules):
            return Suggestion(about=f"a rule of {agent} says so by now, so there is nothing to add")
        rule = ReviewRule(
            id=_free(slug(f"gap-{concern}", LONGEST_RULE, least_words=2), self._rules),
            name=said if len(said) <= LONGEST_NAME else f"{said[: LONGEST_NAME - 3]}...",
            severity=Severity.WARNING,
            agent=agent,
            category="gap",
            description=said,
            detection=said,
            recommendation=RECOMMENDATION,
        )
        self._rules[rule.id] = rule
        return Suggestion(about=f"a rule for {agent}, which looked at these files already", rules=(rule,))


def is_sent(agent: str, files: Sequence[str], config: PipelineConfig) -> bool:
    """Whether policies of a configuration send a reviewer to each of some files, whatever else changes."""
    policies = [policy for policy in config.composition if policy.dispatch.agent == agent]
    if any(isinstance(policy.trigger, Always) for policy in policies):
        return True
    domains = {
        domain for policy in policies if isinstance(policy.trigger, OnDomain) for domain in policy.trigger.domains
    }
    index = DomainIndex(config.domains)
    return bool(files) and all(not domains.isdisjoint(index.domains_of(path)) for path in files)


def covering_domains(files: Sequence[str], mappings: Sequence[DomainMapping]) -> tuple[str, ...]:
    """The fewest domains that have all of these files, as far as one after the other finds them; nothing if none do."""
    index = DomainIndex([mapping for mapping in mappings if mapping.domain not in BROAD_DOMAINS])
    left = {path: index.domains_of(path) for path in files}
    if not left or not all(left.values()):
        return ()
    chosen: list[str] = []
    order = [mapping.domain for mapping in mappings]
    while left:
        counts = [(sum(domain in domains for domains in left.values()), domain) for domain in order]
        best = max(counts, key=lambda pair: pair[0])[1]
        chosen.append(best)
        left = {path: domains for path, domains in left.items() if best not in domains}
    return tuple(chosen)


def globs_for(files: Sequence[str]) -> tuple[str, ...]:
    """Globs that match all of these files: their folder, else their ending, else the place of each; perhaps none."""
    for globs in (_of_folder(files), _of_ending(files), _of_each(files)):
        is_usable = all(len(glob) <= LONGEST_GLOB and not path_fault(glob) for glob in globs)
        if globs and is_usable and all(matches_any(path, globs) for path in files):
            return globs
    return ()


def _of_folder(files: Sequence[str]) -> tuple[str, ...]:
    folder = _common_folder(files)
    return (f"{literally(folder)}/**",) if folder else ()


def _of_ending(files: Sequence[str]) -> tuple[str, ...]:
    endings = {os.path.splitext(path)[1] for path in files}
    ending = endings.pop() if len(endings) == 1 else ""
    return (f"*{literally(ending)}",) if ending and len(files) > 1 else ()


def _of_each(files: Sequence[str]) -> tuple[str, ...]:
    folders = (path.rpartition("/")[0] for path in files)
    globs = dict.fromkeys(
        f"{literally(folder)}/**" if folder else literally(path) for folder, path in zip(folders, files, strict=True)
    )
    return tuple(globs) if len(globs) <= MOST_GLOBS else ()


def _common_folder(files: Sequence[str]) -> str:
    folders = [path.split("/")[:-1] for path in files]
    levels = takewhile(lambda names: len(set(names)) == 1, zip(*folders, strict=False))
    return "/".join(names[0] for names in levels)


def literally(text: str) -> str:
    """A glob for exactly this text; what no glob can write stands as a mark for any letter."""
    return "".join(map(_literal, text))


def _literal(letter: str) -> str:
    if letter in "*?[{},!":
        return f"[{letter}]" if letter != "!" else "?"
    return letter if letter.isprintable() and letter != "\\" else "?"


def _area(files: Sequence[str]) -> str:
    """A word for what some files have in common."""
    folder = _common_folder(files).rpartition("/")[2]
    name, ending = os.path.splitext(files[0].rpartition("/")[2])
    return folder or (name if len(files) == 1 else f"{ending.lstrip('.')} files")


def slug(text: str, most: int, *, least_words: int = 1) -> str:
    """Words of a text as a name that the schemas take."""
    words = [word for word in NO_MEANING.split(text.casefold()[: 4 * most]) if word]
    if not words or not words[0][0].isalpha():
        words.insert(0, "area")
    words += ["more"] * (least_words - len(words))
    return "-".join(words)[:most].rstrip("-")


def _free(name: str, taken: Collection[str]) -> str:
    names = (name if number == 1 else f"{name}-{number}" for number in count(1))
    return next(free for free in names if free not in taken)


def told(text: str) -> str:
    """A text from outside on one line, harmless and not too long."""
    line = safe_line(" ".join(text.split())) or "nothing was said"
    return line if len(line) <= LONGEST_CONCERN else f"{line[: LONGEST_CONCERN - 3]}..."


def together(suggestions: Iterable[Suggestion]) -> Suggestion:
    """All entries of some suggestions, each once."""
    found = list(suggestions)
    return Suggestion(
        about="all of it",
        domains=tuple({entry.domain: entry for one in found for entry in one.domains}.values()),
        composition=tuple({entry.id: entry for one in found for entry in one.composition}.values()),
        rules=tuple({entry.id: entry for one in found for entry in one.rules}.values()),
    )
