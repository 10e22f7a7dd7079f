"""The first stages of the pipeline over one change, in a process that times itself: `measure` starts it."""

from __future__ import annotations

import gc
import sys
import time

from review_gate.cli.main import OBJECTS_BETWEEN_COLLECTIONS
from review_gate.models import Subject
from review_gate.pipeline.classify import classify
from review_gate.pipeline.compose import compose
from review_gate.pipeline.config import load_pipeline
from review_gate.pipeline.domains import DomainIndex
from review_gate.pipeline.normalize import normalize
from review_gate.shell.change_facts import gather
from review_gate.shell.changes import changed_between
from review_gate.shell.git import Git
from review_gate.shell.pipeline_files import layers


def main(folder: str, commit: str, tree: str, base: str) -> None:
    """Print the milliseconds from the first question to git to the manifest, and how many files were seen."""
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    git, config = Git(folder), load_pipeline(layers(folder))
    subject = Subject(commit=commit, tree=tree, base=base, base_label=base)
    start = time.perf_counter()
    changes = changed_between(git, base, tree)
    facts = normalize(gather(git, subject, changes), DomainIndex(config.domains))
    manifest = compose(facts, classify(facts, config.domains), config)
    milliseconds = (time.perf_counter() - start) * 1000
    print(milliseconds, len(facts.files), len(manifest.entries))


if __name__ == "__main__":
    main(*sys.argv[1:])
