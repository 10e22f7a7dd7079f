"""python -m benchmarks.alarms NAME=FOLDER ...: how often each pack raises an alarm on other people's texts."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from review_gate.checks.applies import Page, applies
from review_gate.checks.engine import Engine
from review_gate.checks.judge import judged
from review_gate.checks.languages import MARKDOWN, TEXT, language_of
from review_gate.checks.rule import COMMIT_MESSAGE, PLAN, Hit, Rule
from review_gate.checks.sought import sought_for
from review_gate.checks.yaml_source import checks_from_yaml
from review_gate.embedded import DEFAULT_PACKS
from review_gate.reviewers.text import is_binary, quote, split_lines

PACKS = Path(__file__).resolve().parent.parent / "checks"
SKIPPED = (".git", "node_modules")
LARGEST = 2_000_000
COMMITS = 20_000
BLOCKING = ("critical", "major")


@dataclass
class Corpus:
    """Texts of one origin and the alarms in them, by check."""

    name: str
    texts: int = 0
    alarms: Counter[str] = field(default_factory=Counter)
    samples: dict[str, list[str]] = field(default_factory=dict)

    def rate(self, rules: Iterable[Rule]) -> float:
        """Alarms of some checks per 1,000 texts."""
        return 1000 * sum(self.alarms[rule.id] for rule in rules) / max(1, self.texts)


def main(arguments: Sequence[str] | None = None) -> int:
    """0 when everything could be read."""
    options = _parser().parse_args(arguments)
    packs = {path.stem: rules_of(path) for path in sorted(PACKS.glob("*.yaml"))}
    rules = [rule for pack in packs.values() for rule in pack]
    engine = Engine(rules, [sought_for(rule) for rule in rules], is_large=True)
    corpora = [measured(engine, name, pages) for name, pages in _origins(options)]
    print(table(packs, corpora))
    if options.checks:
        print(f"\n{table_of_checks(rules, corpora)}")
    if options.show:
        print("\n".join(_samples(corpora, options.show)))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.alarms", description=__doc__)
    parser.add_argument("code", nargs="*", type=_named, metavar="NAME=FOLDER", help="a code base, each file as a whole")
    parser.add_argument(
        "--plans", action="append", default=[], type=_named, metavar="NAME=FOLDER", help="*.md as plans"
    )
    parser.add_argument(
        "--commits", action="append", default=[], type=_named, metavar="NAME=FOLDER", help="messages of a repository"
    )
    parser.add_argument("--checks", action="store_true", help="a second table, by check")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="up to N lines found by each check")
    return parser


def _named(text: str) -> tuple[str, Path]:
    name, _, folder = text.partition("=")
    if not name or not Path(folder).is_dir():
        raise argparse.ArgumentTypeError(f"{text} is not a name, = and a folder")
    return name, Path(folder)


def _origins(options: argparse.Namespace) -> Iterator[tuple[str, Iterator[Page]]]:
    for name, folder in options.code:
        yield name, files_below(folder)
    for name, folder in options.plans:
        yield name, plans_below(folder)
    for name, folder in options.commits:
        yield name, messages_in(folder)


def rules_of(path: Path) -> list[Rule]:
    """The checks of a pack."""
    return [check.rule for check in checks_from_yaml(path.name, path.read_text(encoding="utf-8"))]


def files_below(folder: Path) -> Iterator[Page]:
    """Every text file of a folder; links are not followed."""
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in SKIPPED)
        for name in sorted(names):
            path = Path(root, name)
            if path.is_symlink() or not path.is_file() or path.stat().st_size > LARGEST:
                continue
            data = path.read_bytes()
            if not is_binary(data):
                relative = path.relative_to(folder).as_posix()
                yield Page(relative, data, language_of(relative, data))


def plans_below(folder: Path) -> Iterator[Page]:
    """Every Markdown file of a folder, as if it were a plan."""
    for page in files_below(folder):
        if page.language == MARKDOWN:
            yield Page(page.path, page.data, MARKDOWN, place=PLAN)


def messages_in(repository: Path) -> Iterator[Page]:
    """The newest commit messages of a repository."""
    command = ["git", "-C", str(repository), "log", "-z", "--format=%H%n%B", "-n", str(COMMITS)]
    output = subprocess.run(command, check=True, capture_output=True).stdout
    for entry in output.split(b"\0"):
        commit, _, message = entry.partition(b"\n")
        if message.strip():
            yield Page(commit.decode(), message, TEXT, place=COMMIT_MESSAGE)


def measured(engine: Engine, name: str, pages: Iterable[Page]) -> Corpus:
    """The alarms in some texts."""
    corpus = Corpus(name)
    for page in pages:
        corpus.texts += 1
        if sys.stderr.isatty() and corpus.texts % 100 == 0:
            print(f"\r{name}: {corpus.texts}", end="", file=sys.stderr)
        text = page.data.decode("utf-8", "surrogateescape")
        for hit in judged(_hits(engine, page), text, page.language):
            corpus.alarms[hit.rule.id] += 1
            line = split_lines(text.removeprefix("\ufeff"))[hit.line - 1]
            sample = f"{page.path}:{hit.line}: {quote(line, hit.column)}"
            corpus.samples.setdefault(hit.rule.id, []).append(sample)
    return corpus


def _hits(engine: Engine, page: Page) -> list[Hit]:
    return engine.hits(page.data, lambda rule: applies(rule, page))


def table(packs: Mapping[str, Sequence[Rule]], corpora: Sequence[Corpus]) -> str:
    """Alarms and their rate, a row for each pack and two for the packs that are on without being asked for."""
    names = [f"{corpus.name}: alarms (per 1,000 of {corpus.texts:,})" for corpus in corpora]
    usual = [rule for name in DEFAULT_PACKS for rule in packs[name]]
    blocking = [rule for rule in usual if rule.severity in BLOCKING]
    groups = {**packs, "the default set": usual, "of these, blocking": blocking}
    rows = [
        [name, str(len(rules)), *(f"{_sum(corpus, rules)} ({corpus.rate(rules):.1f})" for corpus in corpora)]
        for name, rules in groups.items()
    ]
    return _markdown(["pack", "checks", *names], rows)


def table_of_checks(rules: Sequence[Rule], corpora: Sequence[Corpus]) -> str:
    """Alarms, a row for each check that raised one, the loudest first."""
    totals = {rule.id: sum(corpus.alarms[rule.id] for corpus in corpora) for rule in rules}
    loud = sorted((name for name in totals if totals[name]), key=lambda name: (-totals[name], name))
    rows = [[name, *(str(corpus.alarms[name]) for corpus in corpora)] for name in loud]
    return _markdown(["check", *(corpus.name for corpus in corpora)], rows)


def _sum(corpus: Corpus, rules: Iterable[Rule]) -> int:
    return sum(corpus.alarms[rule.id] for rule in rules)


def _markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _samples(corpora: Iterable[Corpus], most: int) -> Iterator[str]:
    """Lines from all over a corpus, so that one loud file does not hide the others."""
    for corpus in corpora:
        for name, lines in sorted(corpus.samples.items()):
            yield f"\n{corpus.name}, {name}: {len(lines)}"
            step = max(1, len(lines) // most)
            yield from (f"  {line}" for line in lines[::step][:most])


if __name__ == "__main__":
    sys.exit(main())
