"""Other programs than git that make commits leave the machine: `gh`, `hub`, `glab`, `jj` and their like."""

from __future__ import annotations

from review_gate.commandline.acts import PUBLISH, SEND, UNKNOWN
from review_gate.commandline.git import run_git

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from review_gate.commandline.walk import Walk

# By program and first words: what pushes by way of git, whose hook is called ...
_PUBLISHING = {
    "gh": ("pr create", "pr new", "stack push", "stack submit", "stack sync"),
    "glab": ("mr create", "mr new", "mr for", "stack sync", "stack save"),
    "lab": ("mr create", "merge-request create", "mr new"),
    "tea": ("pr create", "pulls create", "pr c", "pulls c"),
    "gt": ("submit", "s", "ss", "stack submit", "sync", "publish", "merge"),
    "av": ("pr create", "pr", "stack sync", "stack submit", "sync"),
    "arc": ("diff", "land"),
    "repo": ("upload",),
    "ghstack": ("", "submit", "land"),
    "spr": ("diff", "land"),
}
# ... and what sends commits by itself and calls no pre-push hook.
_SENDING = {
    "jj": ("git push", "gerrit upload", "gerrit send"),
    "sl": ("push", "pr submit", "ghstack", "submit"),
    "hg": ("push", "fastexport"),
    "dulwich": ("push", "send-pack"),
    "got": ("send",),
}
_HUB = frozenset({"pull-request", "sync", "create", "fork"})
PUBLISHERS = frozenset({*_PUBLISHING, *_SENDING, "hub"})
_VALUED = frozenset(
    {"-R", "--repo", "--hostname", "--repository", "--at-op", "--at-operation", "--color", "--config", "--config-toml"}
)
_FIELDS = ("-f", "-F", "--field", "--raw-field", "--input")
_PUSHING_PATHS = ("git/", "/contents", "/merges", "/merge", "/pulls", "merge_requests", "/repository/")
_PUSHING_MUTATIONS = ("createcommitonbranch", "updateref", "createref", "deleteref", "mergebranch", "createpullrequest")


def note_publishing(walk: Walk, name: str, words: Sequence[str]) -> None:
    """Note what one of these programs would send."""
    if name == "hub":
        _hub(walk, words)
        return
    verbs = _verbs(words)
    if name in ("gh", "glab") and verbs[:1] == ["api"]:
        if _api_pushes(words):
            walk.add(PUBLISH, words, walk.state.folder)
    elif name == "gh" and verbs[:2] == ["repo", "create"]:
        if "--push" in words or any(UNKNOWN in word or word.startswith("--push=") for word in words):
            walk.add(PUBLISH, words, walk.state.folder)
    elif any(UNKNOWN in verb for verb in verbs):
        walk.unclear(words)
    elif _matches(verbs, _SENDING.get(name, ())):
        walk.add(SEND, words, walk.state.folder)
    elif _matches(verbs, _PUBLISHING.get(name, ())):
        # These two push with git itself, whose hook is asked then; of the others nobody has seen it.
        has_moved = walk.may_have_moved and name in ("gh", "glab")
        walk.add(PUBLISH, words, walk.state.folder, has_moved=has_moved)
    else:
        walk.may_have_moved = True


def _hub(walk: Walk, words: Sequence[str]) -> None:
    verbs = _verbs(words)
    if verbs and verbs[0] in _HUB:
        walk.add(PUBLISH, words, walk.state.folder)
    else:
        # Everything else it hands to git.
        run_git(walk, ["git", *words[1:]])


def _verbs(words: Sequence[str]) -> list[str]:
    verbs: list[str] = []
    at = 1
    while at < len(words) and len(verbs) < 2:
        if words[at].startswith("-"):
            at += words[at] in _VALUED
        else:
            verbs.append(words[at])
        at += 1
    return verbs


def _matches(verbs: Sequence[str], known: Sequence[str]) -> bool:
    return " ".join(verbs) in known or "".join(verbs[:1]) in known


def _api_pushes(words: Sequence[str]) -> bool:
    """Whether a call of the API writes to what holds commits."""
    method, has_fields = "", False
    for at, word in enumerate(words):
        if word in ("-X", "--method"):
            method = "".join(words[at + 1 : at + 2]).upper()
        elif word.startswith(("-X", "--method=")):
            method = (word.partition("=")[2] or word[2:]).upper()
        has_fields = has_fields or word.startswith(_FIELDS)
    if "graphql" in words:
        text = " ".join(words).lower()
        return any(mutation in text for mutation in _PUSHING_MUTATIONS) or "@" in text
    writes = has_fields if not method else method != "GET"
    return writes and any(UNKNOWN in word or any(path in word for path in _PUSHING_PATHS) for word in words[2:])
