"""Look at reviews in rounds: list them, show one, work its decisions out again, refute a finding, go on, or end one."""

from __future__ import annotations

import argparse
import json
import os

from review_gate.cli.output import add_format, print_result
from review_gate.errors import BLOCKED, PASS
from review_gate.render.rounds_text import list_text, show_text
from review_gate.safe_text import written_out
from review_gate.shell.interrupts import Interrupts
from review_gate.shell.rounds_store import ReviewFolder
from review_gate.standard_error import say
from review_gate.workflows.round_ask import ask_round
from review_gate.workflows.round_check import closed, continued, decisions_of, replayed
from review_gate.workflows.round_place import place_here
from review_gate.workflows.round_refute import refuted

TYPE_CHECKING = False
if TYPE_CHECKING:
    Actions = argparse._SubParsersAction[argparse.ArgumentParser]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of rounds."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    _action(actions, "list", "all reviews in rounds, newest first")
    _of_one(actions, "show", "one review with all its rounds and who said what")
    _of_one(actions, "replay", "work the decisions of a review out again from what was kept; 1 when one differs")
    refute = _of_one(actions, "refute", "say why a finding is wrong, and which line shows it")
    refute.add_argument("finding", metavar="FINDING", help="the id of a finding, as check tells it")
    refute.add_argument("--because", required=True, type=written_out, metavar="TEXT", help="why it is wrong")
    refute.add_argument("--evidence", required=True, metavar="FILE:LINE", help="the line that shows it")
    _of_one(actions, "continue", "grant another round, whatever the last one said")
    close = _of_one(actions, "close", "end a review that has not agreed")
    close.add_argument("--because", required=True, type=written_out, metavar="TEXT", help="why it is ended")
    ask = actions.add_parser("ask")
    ask.add_argument("folder")
    ask.add_argument("round", type=int)


def run(arguments: argparse.Namespace) -> int:
    """Do it."""
    return ACTIONS[arguments.action](arguments)


def _action(actions: Actions, name: str, about: str) -> argparse.ArgumentParser:
    parser = actions.add_parser(name, help=about, description=about)
    add_format(parser)
    return parser


def _of_one(actions: Actions, name: str, about: str) -> argparse.ArgumentParser:
    parser = _action(actions, name, about)
    parser.add_argument("review", metavar="ID", help="the id of a review, or how it begins")
    return parser


def _list(arguments: argparse.Namespace) -> int:
    store = place_here(os.environ).store
    states = [state for _, state in reversed(store.reviews())]
    for folder in store.unreadable():
        say(f"warning: the review {folder.id} cannot be read; review-gate rounds show {folder.id} says why\n")
    document = [state.model_dump(mode="json") for state in states]
    print_result(json.dumps(document, indent=2) if arguments.format == "json" else list_text(states))
    return PASS


def _show(arguments: argparse.Namespace) -> int:
    folder = _folder(arguments)
    state, decisions = folder.state(), decisions_of(folder)
    document = {"state": state.model_dump(mode="json"), "rounds": [one.model_dump(mode="json") for one in decisions]}
    print_result(json.dumps(document, indent=2) if arguments.format == "json" else show_text(state, decisions))
    return PASS


def _replay(arguments: argparse.Namespace) -> int:
    rounds = replayed(_folder(arguments))
    document = [{"round": one.round, "agrees": one.agrees, "outcome": one.outcome} for one in rounds]
    text = "".join(f"round {one.round}: {one.outcome}: {'the same' if one.agrees else 'DIFFERS'}\n" for one in rounds)
    print_result(json.dumps(document, indent=2) if arguments.format == "json" else text or "nothing is decided yet\n")
    return PASS if all(one.agrees for one in rounds) else BLOCKED


def _refute(arguments: argparse.Namespace) -> int:
    folder = _folder(arguments)
    made = refuted(folder, arguments.finding, arguments.because, arguments.evidence, place_here(os.environ))
    return _done(arguments, folder, f"{made.fingerprint[:8]} is refuted, and the next round is shown why")


def _continue(arguments: argparse.Namespace) -> int:
    folder = _folder(arguments)
    continued(folder)
    return _done(arguments, folder, "one more round is granted")


def _close(arguments: argparse.Namespace) -> int:
    folder = _folder(arguments)
    closed(folder, arguments.because)
    return _done(arguments, folder, "the review is closed without an agreement")


def _done(arguments: argparse.Namespace, folder: ReviewFolder, what: str) -> int:
    text = f"{folder.id}: {what}\nnext:  review-gate check {folder.id}\n"
    print_result(json.dumps({"id": folder.id, "done": what}) if arguments.format == "json" else text)
    return PASS


def _ask(arguments: argparse.Namespace) -> int:
    """In the background: ask the reviewers of a round."""
    Interrupts().obey("the round is not asked any more")
    place = place_here(os.environ)
    ask_round(ReviewFolder(arguments.folder), arguments.round, place.config, place.top, os.environ)
    return PASS


def _folder(arguments: argparse.Namespace) -> ReviewFolder:
    return place_here(os.environ).store.find(arguments.review)


ACTIONS = {
    "list": _list,
    "show": _show,
    "replay": _replay,
    "refute": _refute,
    "continue": _continue,
    "close": _close,
    "ask": _ask,
}
