"""What the history of reviews says in words, before it has a form: the same on a terminal and on a page."""

from __future__ import annotations

from collections.abc import Iterator

from review_gate.prompts.history.stats import DECIDED, NOT_REVIEWED, Spent, Stats
from review_gate.prompts.schema import Weight
from review_gate.render.report_words import counted
from review_gate.safe_text import safe_line

MOST_REASONS = 4
CENT = 0.01


def span(stats: Stats) -> str:
    """Which part of the history it is."""
    first, last = stats.since, stats.until
    if stats.days:
        first, last = first or stats.days[0].day, last or stats.days[-1].day
    when = (
        f"{first} to {last}" if first and last else f"since {first}" if first else f"until {last}" if last else "ever"
    )
    return f"{when}, {f'project {safe_line(stats.project)}' if stats.project is not None else 'all projects'}"


def facts(stats: Stats) -> Iterator[tuple[str, str]]:
    """A name and a sentence for each thing that one figure can say."""
    yield "reviews", f"{stats.reviews:,} on {counted(len(stats.days), 'day')}"
    yield "approval", _approval(stats)
    if others := _others(stats):
        yield "others", others
    yield "findings", _findings(stats)
    yield "cost", _cost(stats)
    yield "time", _time(stats)
    yield "cache", _cache(stats)
    if stats.conflicts or stats.dropped:
        yield (
            "editor",
            f"{counted(stats.conflicts, 'conflict')}; {counted(stats.dropped, 'finding')} of the wrong form dropped",
        )


def _approval(stats: Stats) -> str:
    if stats.approval_rate is None:
        return "nothing was decided"
    each = ", ".join(f"{stats.outcomes[one]:,} {one}" for one in DECIDED if stats.outcomes.get(one))
    return f"{percent(stats.approval_rate)} of {stats.decided:,} decided: {each}"


def _others(stats: Stats) -> str:
    """What became of prompts that were not decided, and why some were not reviewed."""
    reasons = [f"{in_words(reason)} {count:,}" for reason, count in stats.reasons.items()]
    why = f" ({', '.join([*reasons[:MOST_REASONS], *(['...'] if len(reasons) > MOST_REASONS else [])])})"
    others = {name: count for name, count in stats.outcomes.items() if name not in DECIDED}
    told = (f"{count:,} {in_words(name)}{why if name == NOT_REVIEWED else ''}" for name, count in others.items())
    return ", ".join(told)


def in_words(name: str) -> str:
    """A name of the log as people say it."""
    return safe_line(name).replace("_", " ")


def _findings(stats: Stats) -> str:
    if not stats.findings:
        return "none"
    severities = {weight.value: count for weight, count in stats.severities.items() if count}
    unknown = stats.findings - sum(severities.values())
    each = [f"{count:,} {weight}" for weight, count in severities.items()]
    each += [f"{unknown:,} of unknown severity"] if unknown > 0 else []
    return f"{stats.findings:,}: {', '.join(each)}"


def _cost(stats: Stats) -> str:
    cost = stats.cost
    text = f"{money(cost)}; {tokens(cost.input_tokens)} tokens in, {tokens(cost.output_tokens)} out"
    if cost.unknown_price:
        text += f"; the price of {counted(cost.unknown_price, 'review')} is not known"
    return text + (f"; {counted(cost.untold, 'review')} logged none" if cost.untold else "")


def money(cost: Spent) -> str:
    """Dollars, with more digits where there is hardly any."""
    if cost.unknown_price and not cost.usd:
        return "price not known"
    return usd(cost.usd) + (" or more" if cost.unknown_price else "")


def usd(amount: float) -> str:
    """An amount of dollars."""
    return f"${amount:,.4f}" if 0 < amount < CENT else f"${amount:,.2f}"


def tokens(count: int) -> str:
    """A number of tokens in three digits."""
    for limit, sign in ((1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")):
        # What would be rounded up to a thousand is one of the next.
        if count >= limit * 0.9995 and count >= 1_000:
            scaled = count / limit
            return f"{scaled:.0f}{sign}" if scaled >= 99.95 else f"{scaled:.1f}{sign}"
    return str(count)


def _time(stats: Stats) -> str:
    duration = stats.duration
    if duration.median_ms is None or duration.p90_ms is None:
        return "nobody was asked"
    return f"{seconds(duration.median_ms)} is the median, nine of ten take at most {seconds(duration.p90_ms)}"


def seconds(milliseconds: int) -> str:
    """A duration."""
    return f"{milliseconds} ms" if milliseconds < 1_000 else f"{milliseconds / 1_000:,.1f} s"


def _cache(stats: Stats) -> str:
    if stats.cache_hit_rate is None:
        return "nothing could have come from it"
    return f"{percent(stats.cache_hit_rate)} of what was reviewed came from it at once, {stats.cache_hits:,} in all"


def percent(part: float) -> str:
    """A part of a whole; hardly anything is not nothing, and nearly all is not all."""
    if 0 < part < 0.01:
        return "under 1 %"
    if 0.99 < part < 1:
        return "over 99 %"
    return f"{part:.0%}".replace("%", " %")


def notes(stats: Stats) -> Iterator[str]:
    """What is not in the figures."""
    if stats.damaged_lines:
        lines = "1 line of the log is" if stats.damaged_lines == 1 else f"{stats.damaged_lines:,} lines of the log are"
        yield f"{lines} damaged and left out"
    if stats.unreadable_files:
        yield f"{counted(len(stats.unreadable_files), 'log file')} cannot be read: {_first(stats.unreadable_files)}"
    if days := stats.days_to_come:
        yield f"{counted(len(days), 'day')} to come left out: {_first(days)}; --until {days[-1]} counts what is there"
    if stats.commits is not None and stats.commits.damaged:
        entries = "1 entry" if stats.commits.damaged == 1 else f"{stats.commits.damaged:,} entries"
        yield f"{entries} of the ledger cannot be read; review-gate doctor names them"


def _first(names: tuple[str, ...]) -> str:
    return ", ".join([*map(safe_line, names[:MOST_REASONS]), *(["..."] if len(names) > MOST_REASONS else [])])


def nothing(stats: Stats) -> tuple[str, str]:
    """Why there is nothing to show, and what to do about it."""
    if stats.project is not None or stats.since or stats.until:
        return f"no prompt review in the log: {span(stats)}", "review-gate stats, which shows all there are"
    if stats.damaged_lines or stats.unreadable_files or stats.days_to_come:
        return "no prompt review in the log can be counted", "see the notes below, which say why"
    return (
        "no prompt review in the log yet",
        'review-gate prompt-review "TEXT", which reviews a prompt and logs that it did',
    )


def severity_names() -> list[str]:
    """The severities, worst first."""
    return [weight.value for weight in Weight]
