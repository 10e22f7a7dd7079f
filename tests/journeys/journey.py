"""A story in a scratch repository, and the two golden files that hold what happened: facts and words.

*Facts* are what programs rely on: exit codes, JSON without its prose, refs, files. *Words* are what people read. Each
value that differs from run to run is masked: commits by their subject, other ids by number, times, seconds, folders.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from conftest import Repo, Result

from review_gate import __version__

GOLDEN = Path(__file__).parent / "golden"
PROJECT = Path(__file__).parents[2]
ID = re.compile(r"(?<![0-9A-Za-z])[0-9a-f]{7,64}(?![0-9A-Za-z])")
TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?")
DATE = re.compile(r"\b20\d\d-\d\d-\d\d\b")
SECONDS = re.compile(r"\b\d+(\.\d+)?( s\b| seconds?\b| ms\b|ms\b|s\b)")
ESTIMATE = re.compile(r"(?m)^estimate: .*$")
BOUND = re.compile(r"\b(?:at most|about) (?:about )?[\d.,]+ (?:more\b|tokens, \$[\d.]+)")
SIZE = re.compile(r"\b\d+\.\d kB\b")
PYTHON = re.compile(r"\bPython 3\.\d+(\.\d+)?")
PORT = re.compile(r"127\.0\.0\.1:\d+")
AGO = re.compile(r"\bjust now\b|\b(\d+|an?) (second|minute|min|hour|h)s? ago\b")
PYTHON_FILE = re.compile(r"\bbin/python[\d.]*")
DECIMAL = re.compile(r"\d+\.\d+")
CELL = re.compile(r"\| \d+\.\d+ (?=\|)")
EARLIEST = 1_000_000_000
USAGE = re.compile(r"(?m)^usage: (review-gate(?: [a-z][a-z-]*)*).*\n(?: .*\n)*")
CHOICES = re.compile(r"\(choose from .*\)")
QUOTED = re.compile(r"'(<folder>[^'\n]*)'")
HINT = re.compile(r"(?m)^hint: .*\n")
STEP = re.compile(r"(?m)^ *next:? +(?:.*?, (?:then|or) )?((?:git|review-gate) .*?)(?:, then git push again| \(.*\))?$")
UUID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
# Fields of JSON whose number differs from run to run, or with each rewording.
MEASURED = re.compile(r"_ms$|^pid$|^characters$")


class Masks:
    """Names for ids that differ from run to run, in the order in which they appear."""

    def __init__(self, folder: Path) -> None:
        self._places = {
            str(folder): "<folder>",
            str(folder.parent): "<folder of all tests>",
            sys.prefix: "<interpreter>",
            str(PROJECT): "<project>",
        }
        self._commits: dict[str, str] = {}
        self._others: dict[str, str] = {}

    def name(self, commit: str, subject: str) -> None:
        """Show a commit by its subject from now on."""
        taken = sum(1 for known in self._commits.values() if known == subject or known.startswith(f"{subject} #"))
        self._commits.setdefault(commit, f"{subject} #{taken + 1}" if taken else subject)

    def text(self, text: str) -> str:
        """A text without what differs from run to run."""
        for place, name in self._places.items():
            text = text.replace(place, name)
        # A folder with a blank in it is quoted.
        text = QUOTED.sub(r"\1", text)
        text = PORT.sub("127.0.0.1:<port>", AGO.sub("<time> ago", CELL.sub("| <seconds> ", HINT.sub("", text))))
        text = CHOICES.sub("(choose from <choices>)", USAGE.sub(r"usage: \1 <usage>\n", text))
        text = PYTHON_FILE.sub("bin/python", text.replace(f"review-gate {__version__}", "review-gate <version>"))
        text = PYTHON.sub("Python <version>", ESTIMATE.sub("estimate: <seconds>", text))
        text = BOUND.sub("at most <number>", SIZE.sub("<size>", text))
        text = DATE.sub("<date>", TIME.sub("<time>", text))
        return ID.sub(self._id, UUID.sub("<uuid>", SECONDS.sub("<seconds>", text)))

    def _id(self, found: re.Match[str]) -> str:
        shown = found[0]
        for commit, subject in self._commits.items():
            if commit.startswith(shown):
                return f"<{subject}>"
        for known, name in self._others.items():
            if known.startswith(shown) or shown.startswith(known):
                return name
        return self._others.setdefault(shown, f"<id {len(self._others) + 1}>")

    def value(self, value: Any) -> Any:
        """A JSON value without its prose: a text with a space in it is for people, a float is a measure."""
        if isinstance(value, dict):
            return {self.text(name): self._field(name, one) for name, one in value.items()}
        if isinstance(value, list):
            return [self.value(one) for one in value]
        if isinstance(value, float):
            return "<number>"
        if isinstance(value, int) and value > EARLIEST:
            return "<time>"
        if not isinstance(value, str):
            return value
        if DECIMAL.fullmatch(value) or value == __version__:
            return "<number>"
        masked = "<time>" if TIME.fullmatch(value) else self.text(value)
        return "<words>" if re.search(r"\s", value) else masked

    def _field(self, name: str, value: Any) -> Any:
        if name == "policy":
            return "<policy>"
        is_measured = MEASURED.search(name) and isinstance(value, int) and not isinstance(value, bool)
        return "<number>" if is_measured else self.value(value)


class Journey:
    """One story: every command is typed in a scratch repository, and its outcome is recorded."""

    def __init__(self, name: str, repo: Repo) -> None:
        self.name = name
        self.repo = repo
        # As wide as where nothing says how wide it is.
        repo.environ.pop("COLUMNS", None)
        folder = repo.path.parent
        self._for_facts, self._for_words = Masks(folder), Masks(folder)
        self._facts: list[Any] = []
        self._words: list[str] = []

    def use_own_cache(self) -> None:
        """Let no other story's answers of models be known in this one."""
        shared, own = Path(self.repo.environ["XDG_CACHE_HOME"]), self.repo.path.parent / "cache"
        (own / "review-gate").mkdir(parents=True)
        for derived in (shared / "review-gate").glob("*.json"):
            # What was derived from the packs of checks is the same for all.
            shutil.copy(derived, own / "review-gate")
        self.repo.environ["XDG_CACHE_HOME"] = str(own)

    def note(self, text: str) -> None:
        """A heading in both files: what the user does next, and why."""
        self._facts.append({"story": self._for_facts.text(text)})
        self._words.append(f"## {self._for_words.text(text)}\n")

    def commit(self, subject: str, files: Mapping[str, str | bytes] | None = None, *options: str) -> str:
        """A commit past the commit hooks, known by its subject from now on."""
        made = self.repo.commit(subject, dict(files) if files is not None else None, *options)
        self.know_commits()
        return made

    def know_commits(self) -> None:
        """Show each commit of the repository by its subject."""
        for line in self.repo.git("log", "--all", "--reflog", "--reverse", "--format=%H %s").splitlines():
            commit, _, subject = line.partition(" ")
            for masks in (self._for_facts, self._for_words):
                masks.name(commit, subject)

    def type(self, line: str, *, stdin: str | None = None, at: Repo | None = None, **environ: str) -> Result:
        """A command line as a user types it; its exit code is a fact, and so is its output if it is JSON."""
        done = self._do(line, stdin, at, environ)
        self._record(line, done)
        return done

    def pipe(self, text: str, line: str, *, at: Repo | None = None, **environ: str) -> Result:
        """A command that an agent calls with an event; its answer is recorded in words too."""
        done = self._do(line, text, at, environ)
        self._record(line, done, is_shown=True)
        return done

    def _do(self, line: str, stdin: str | None, at: Repo | None, environ: Mapping[str, str]) -> Result:
        argv = shlex.split(line)
        is_plain = not set(line) & set("|&;<>$`*?")
        repo = at or self.repo
        done = repo.run(*(argv if is_plain else ("sh", "-c", line)), stdin=stdin, **environ)
        assert "Traceback" not in done.stderr, done.stderr
        self.know_commits()
        return done

    def type_next(self, refused: Result, *, at: Repo | None = None, **environ: str) -> Result:
        """The step that a command printed last; only the question before a run is answered ahead."""
        step = STEP.findall(refused.stdout + refused.stderr)[-1]
        return self.type(step.replace("review-gate run", "review-gate run --yes"), at=at, **environ)

    def _record(self, line: str, done: Result, *, is_shown: bool = False) -> None:
        fact = {"command": self._for_facts.text(line), "exit": done.returncode}
        output = _structured(done.stdout)
        if output is not None:
            fact["output"] = self._for_facts.value(output)
        self._facts.append(fact)
        words = [f"$ {line}\n", "" if output is not None and not is_shown else done.stdout]
        words += [f"[stderr]\n{done.stderr}"] * bool(done.stderr) + [f"[exit {done.returncode}]\n"]
        self._words.append(self._for_words.text("".join(_with_end(one) for one in words)))

    def json(self, line: str, *, at: Repo | None = None, **environ: str) -> Any:
        """A command's JSON, recorded as a fact."""
        return json.loads(self.type(line, at=at, **environ).stdout)

    def refs(self, *, remote: str = "origin") -> None:
        """Record what the remote has, and which records of reviews this repository has."""
        self.know_commits()
        there = self.repo.git("ls-remote", remote).splitlines()
        ours = self.repo.git("for-each-ref", "--format=%(refname)", "refs/review-gate").splitlines()
        shown, records = (sorted(map(self._for_facts.text, lines)) for lines in (there, ours))
        self._facts.append({"remote": [line.replace("\t", " ") for line in shown], "records": records})

    def fact(self, name: str, value: Any) -> None:
        """Record something that the story found out by itself."""
        self._facts.append({name: self._for_facts.value(value)})

    def file(self, name: str, *, at: Path | None = None) -> None:
        """Record a file: JSON and other texts as words, and as facts what of it is JSON; or that it is not there."""
        path = (at or self.repo.path) / name
        text = path.read_text() if path.exists() else None
        output = None if text is None else _structured(text)
        shown = self._for_facts.text(name)
        self._facts.append({"file": shown, "is_there": text is not None, "output": self._for_facts.value(output)})
        if text is not None and output is None:
            self._words.append(self._for_words.text(f"[{name}]\n{_with_end(text)}"))

    def compare(self, *, update: bool) -> None:
        """Hold both golden files against what happened, or write them."""
        facts = json.dumps(self._facts, indent=1, ensure_ascii=False) + "\n"
        words = "\n".join(self._words)
        for kind, text in (("facts.json", facts), ("words.txt", words)):
            path = GOLDEN / f"{self.name}.{kind}"
            if update:
                path.parent.mkdir(exist_ok=True)
                path.write_bytes(text.encode(errors="surrogateescape"))
            expected = path.read_bytes().decode(errors="surrogateescape")
            assert text == expected, f"{path.name} differs; pytest --update-golden writes it anew"


def _with_end(text: str) -> str:
    return text if not text or text.endswith("\n") else f"{text}\n"


def _structured(text: str) -> Any:
    """A text as JSON, or an XML document as nested lists; None for anything else."""
    if text.startswith(("{", "[")):
        try:
            return json.loads(text)
        except ValueError:
            return None
    return _element(ET.fromstring(text)) if text.startswith("<?xml") else None


def _element(element: ET.Element) -> list[Any]:
    return [element.tag, dict(element.attrib), *(_element(child) for child in element)]


Begin = Callable[[str], Journey]
