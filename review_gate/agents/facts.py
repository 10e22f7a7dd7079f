"""What `evaluate` may ask about the machine; each answer is looked up when it is asked for, and not before."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Protocol

    from review_gate.agents.event import Edits
else:
    # Importing `typing` takes longer than most hooks.
    Protocol = object


class GateAnswer:
    """What the gate says about a push: whether it is open, in words for people, and all of it for programs."""

    __slots__ = ("document", "is_open", "text")

    def __init__(self, *, is_open: bool, text: str, document: Mapping[str, object]) -> None:
        self.is_open = is_open
        self.text = text
        self.document = document


class Round:
    """How a review in rounds stands, by what was last written down of it."""

    __slots__ = ("open_findings", "outcome", "place", "review", "round")

    def __init__(self, review: str, *, outcome: str, round: int, open_findings: int, place: str) -> None:
        self.review = review
        self.outcome = outcome
        self.round = round
        self.open_findings = open_findings
        self.place = place


class Facts(Protocol):
    """The machine as `evaluate` sees it. Nothing here changes anything."""

    def push_gate(self, folder: str, arguments: Sequence[str]) -> GateAnswer | None:
        """What the gate says to `git push ARGUMENTS`, None where nothing would leave."""

    def head_gate(self, folder: str) -> GateAnswer | None:
        """What the gate says to the commit that is checked out, None where no repository is."""

    def has_repository(self, folder: str) -> bool:
        """Whether there is one around a folder, so far."""

    def is_gated(self, folder: str, *, with_submodules: bool = False) -> bool:
        """Whether git itself asks the gate at a push from there, and from the submodules below if that is wanted."""

    def open_submodules(self, folder: str) -> Sequence[str]:
        """The submodules from which git pushes without asking the gate, each in words."""

    def loses_submodules(self, folder: str, arguments: Sequence[str]) -> bool:
        """Whether `git push ARGUMENTS` would push submodules too, of which git does not ask the gate about all."""

    def aliases(self, folder: str) -> Mapping[str, str]:
        """The aliases of git there."""

    def guarded_name(self, path: str, folder: str) -> str:
        """What of ours a path is, in words, or nothing."""

    def keeps_registration(self, path: str, edits: Edits, folder: str) -> bool:
        """Whether a file would go on registering our hooks as it does now."""

    def plan_problem(self, plan: str, path: str, folder: str) -> tuple[str, str]:
        """Why exactly this plan is not approved, and what to type; nothing where it is."""

    def rounds(self, folder: str, session: str) -> Sequence[Round]:
        """The reviews in rounds that are not over."""

    def stops(self, session: str, last_words: str) -> int:
        """How often this session was kept from stopping since its last prompt, before it said these words."""

    def stop_limit(self, folder: str) -> int:
        """How often it may be."""

    def review_scope(self, folder: str, base: str) -> Mapping[str, object]:
        """What a review would be about: base, commit, changed files."""

    def lost_protection(self, folder: str) -> Sequence[str]:
        """What of the protection is missing there, each in words."""

    def lost_registration(self, folder: str) -> Sequence[str]:
        """What of our registration with this agent is missing, of all that was installed here."""

    def reviews_prompts(self) -> bool:
        """Whether the user has not switched the review of prompts off."""

    def prompt_name(self, session: str, turn: str, prompt: str) -> str:
        """A name for a prompt that is to be kept, which nobody guesses; the same where we are asked twice about one."""
