"""What commits say of the files that they touch."""

from __future__ import annotations

from conftest import Repo
from opening import repository_at

from review_gate.models import Subject
from review_gate.shell.change_text import messages_by_path


def told(repo: Repo, base: str, commit: str | None = "HEAD") -> dict[str, tuple[str, ...]]:
    head = repo.git("rev-parse", commit).strip() if commit else None
    ids = [repo.git("rev-parse", name).strip() for name in (f"{commit or 'HEAD'}^{{tree}}", base)]
    subject = Subject(commit=head, tree=ids[0], base=ids[1], base_label=base)
    found = messages_by_path(repository_at(repo).git, subject)
    return {path: tuple(one.strip() for one in messages) for path, messages in found.items()}


def test_each_file_has_the_messages_of_the_commits_that_touch_it(repo: Repo) -> None:
    base = repo.commit("Begin", {"old.txt": "1\n"})
    repo.commit("Add both\n\nOf them.", {"a b.txt": "1\n", "\nc\u00e9\n.txt": "1\n"})
    repo.git("commit", "--quiet", "--allow-empty", "--no-verify", "-m", "Say nothing")
    repo.git("commit", "--quiet", "--allow-empty", "--allow-empty-message", "--no-verify", "-m", "")
    repo.git("mv", "old.txt", "new.txt")
    repo.commit("Mend one", {"a b.txt": "2\n"})
    assert told(repo, base) == {
        "a b.txt": ("Mend one", "Add both\n\nOf them."),
        "\nc\u00e9\n.txt": ("Add both\n\nOf them.",),
        "old.txt": ("Mend one",),
        "new.txt": ("Mend one",),
    }
    assert told(repo, base, None) == {}


def test_a_merge_says_something_of_what_it_brings_to_each_side(repo: Repo) -> None:
    base = repo.commit("Begin", {"old.txt": "1\n"})
    repo.branch_off("side", "On the side", {"side.txt": "1\n"})
    repo.commit("On main", {"main.txt": "1\n"})
    repo.git("merge", "--quiet", "--no-ff", "--no-verify", "-m", "Merge", "side")
    assert told(repo, base) == {"side.txt": ("Merge", "On the side"), "main.txt": ("Merge", "On main")}
