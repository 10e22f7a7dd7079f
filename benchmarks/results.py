"""What a measure found: the times of its cases, and the ratios that have a target."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from benchmarks.timing import Series


@dataclass(frozen=True)
class Comparison:
    """A ratio of two cases; `limit` is the target if there is one, `aim` what we would like."""

    subject: str
    against: str
    limit: float | None = None
    aim: float | None = None


@dataclass(frozen=True)
class Figure:
    """A figure that is no ratio of times, with its unit in its name."""

    name: str
    value: float
    limit: float | None = None


@dataclass(frozen=True)
class Measured:
    """One measure after its rounds; `missing` says which cases could not be had, and why."""

    title: str
    series: tuple[Series, ...]
    baseline: str
    comparisons: tuple[Comparison, ...] = ()
    missing: Mapping[str, str] = field(default_factory=dict)
    figures: tuple[Figure, ...] = ()

    def series_of(self, name: str) -> Series | None:
        """The times of one case, None when it was not measured."""
        return next((series for series in self.series if series.name == name), None)

    def ratio(self, comparison: Comparison) -> float | None:
        """The ratio that a comparison is about, None when one side is missing."""
        subject, against = self.series_of(comparison.subject), self.series_of(comparison.against)
        return subject.ratio_to(against) if subject and against else None


@dataclass(frozen=True)
class Failed:
    """A measure that did not come to an end."""

    title: str
    why: str
