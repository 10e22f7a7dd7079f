"""What every measure is given: the world, the peers, and the timer with its number of rounds."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cached_property

from benchmarks.peers import Peers, install_peers, install_searchers
from benchmarks.timing import Case, Series, time_cases
from benchmarks.world import World


class Bench:
    """One run of the program."""

    def __init__(self, world: World, rounds: int) -> None:
        self.world = world
        self.rounds = rounds

    @cached_property
    def peers(self) -> Peers:
        """The other hook programs, installed when the first measure asks for them."""
        self.say("installing the peers")
        return install_peers(self.world)

    @cached_property
    def searchers(self) -> Peers:
        """Other programs that look for patterns."""
        self.say("installing the searchers")
        return install_searchers(self.world)

    @property
    def versions(self) -> dict[str, str]:
        """The programs that were installed in this run, with their versions."""
        used = [vars(self)[name] for name in ("peers", "searchers") if name in vars(self)]
        return {name: version for peers in used for name, version in peers.versions.items()}

    def time(self, name: str, cases: Sequence[Case]) -> tuple[Series, ...]:
        """The times of all cases over all rounds."""
        series = time_cases(cases, self.rounds, lambda text: self.say(f"{name}: {text}"))
        self.say("")
        return series

    def say(self, text: str) -> None:
        """Progress on one line of a terminal; nothing where nobody watches."""
        if sys.stderr.isatty():
            sys.stderr.write(f"\r\033[K{text}")
            sys.stderr.flush()
