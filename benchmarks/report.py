"""Results as Markdown tables, the same on the terminal and in the documentation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from benchmarks.results import Comparison, Failed, Figure, Measured

MET, AIM_MET, NOT_MET = "met", "met, and the aim", "**not met**"
NOT_MEASURED = "not measured"
Row = tuple[str, ...]


def report_text(machine: str, results: Iterable[Measured | Failed]) -> str:
    """All results below a line about the machine."""
    return "\n\n".join([machine, *(section_text(result) for result in results)]) + "\n"


def section_text(result: Measured | Failed) -> str:
    """One measure: its times, then its targets."""
    if isinstance(result, Failed):
        return f"### {result.title}\n\n**failed to run**: {result.why}"
    parts = [f"### {result.title}", _table(_times_header(result), _times(result))]
    if result.comparisons:
        parts.append(_table(("ratio", "measured", "target", ""), [_target(result, one) for one in result.comparisons]))
    if result.figures:
        parts.append(_table(("figure", "measured", "target", ""), [_figure(one) for one in result.figures]))
    return "\n\n".join(parts)


def _times_header(result: Measured) -> Row:
    return "case", "median ms", "p10 ms", f"x {result.baseline}"


def _times(result: Measured) -> list[Row]:
    baseline = result.series_of(result.baseline)
    rows: list[Row] = [
        (one.name, f"{one.median:.1f}", f"{one.p10:.1f}", f"{one.ratio_to(baseline):.2f}" if baseline else "")
        for one in result.series
    ]
    return rows + [(name, NOT_MEASURED, why, "") for name, why in result.missing.items()]


def _target(result: Measured, comparison: Comparison) -> Row:
    ratio = result.ratio(comparison)
    measured = NOT_MEASURED if ratio is None else _number(ratio)
    return f"{comparison.subject} / {comparison.against}", measured, _goal(comparison), _mark(comparison, ratio)


def _figure(figure: Figure) -> Row:
    goal = "" if figure.limit is None else f"<= {figure.limit:g}"
    mark = "" if figure.limit is None else MET if figure.value <= figure.limit else NOT_MET
    return figure.name, f"{figure.value:.0f}" if figure.value >= 10 else f"{figure.value:.3g}", goal, mark


def _number(ratio: float) -> str:
    """Three digits that tell something, also of what is a small part of the other."""
    return f"{ratio:.2f}" if ratio >= 0.1 else f"{ratio:.4f} (1/{1 / ratio:.0f})"


def _goal(comparison: Comparison) -> str:
    if comparison.limit is None:
        return ""
    limit = comparison.limit
    shown = f"{limit:g}" if limit >= 0.1 else f"1/{1 / limit:g}"
    return f"<= {shown}" + (f", aim {comparison.aim:g}" if comparison.aim else "")


def _mark(comparison: Comparison, ratio: float | None) -> str:
    if ratio is None or comparison.limit is None:
        return ""
    if comparison.aim and ratio <= comparison.aim:
        return AIM_MET
    return MET if ratio <= comparison.limit else NOT_MET


def _table(header: Row, rows: Sequence[Row]) -> str:
    widths = [max(3, *(len(row[column]) for row in (header, *rows))) for column in range(len(header))]
    lines = [header, tuple("-" * width for width in widths), *rows]
    return "\n".join(f"| {' | '.join(map(str.ljust, line, widths))} |" for line in lines)
