"""The words of the gate: what happened, why it matters, what to type next."""

from __future__ import annotations

from review_gate.gate.coverage import gap_below
from review_gate.gate.decision import Words
from review_gate.gate.record import EMPTY_TREES, INCOMPLETE, have_same_settings, short
from review_gate.gate.state_view import FOLDER_IS_LINK
from review_gate.safe_text import without_full_stop

TYPE_CHECKING = False
if TYPE_CHECKING:
    from review_gate.gate.push import CommitReviews, Push, RefUpdate
    from review_gate.gate.record import Record

RUN = "review-gate run"
_SETTINGS = "the settings that decide how strict a review is"


def approved(commit: str, chain: tuple[Record, ...]) -> Words:
    """Which reviews let this commit out."""
    reviews = "its review" if len(chain) == 1 else f"a chain of {len(chain)} reviews"
    return Words(f"Commit {short(commit)} passed {reviews}.")


def already_there(commit: str, reviews: CommitReviews) -> Words:
    """The remote itself says that it has this commit, so nothing leaves."""
    return Words(
        f"The remote already has commit {short(commit)}.", why="" if reviews.known else "it was not reviewed here"
    )


def not_a_commit(ref: RefUpdate) -> Words:
    """Only commits can be reviewed."""
    return Words(
        f"{ref.remote_ref} would receive {short(ref.local_oid)}, which is not a commit.",
        why="a review is of commits; no review can cover any other object",
        next_step="push again without this ref",
    )


def corrupt_state(push: Push, rest: str) -> Words:
    """The state file exists and cannot be believed; `rest` is what would have to be typed without it."""
    mend = mend_state(push.state_path, push.state_error)
    return Words(
        f"Cannot read review state file. Check {push.state_path}.",
        why=f"{push.state_error}; a state that cannot be read is no review",
        next_step=f"{mend}, then {rest}" if rest else mend,
    )


def mend_state(path: str, error: str) -> str:
    """What helps against a state file that cannot be used."""
    if error == FOLDER_IS_LINK:
        return "name a state_file below no link in .review-gate.yaml"
    return f"move {path} away"


def corrupt_record(commit: str, error: str, ref: RefUpdate, push: Push) -> Words:
    """The ledger entry exists and cannot be believed."""
    return Words(
        f"Cannot read the review record of commit {short(commit)}.",
        why=f"refs/review-gate/commits/{commit}: {error}",
        next_step=_run_on(commit, ref, push),
    )


def tampered(commit: str, contradiction: str, ref: RefUpdate, push: Push) -> Words:
    """State and ledger tell different stories."""
    return Words(
        f"The review state of {short(commit)} does not agree with the review ledger.",
        why=contradiction,
        next_step=_run_on(commit, ref, push),
    )


def failed(record: Record, commit: str, ref: RefUpdate, push: Push) -> Words:
    """A loop found something that blocks."""
    details = _in_a_row(record.blockers) or "see review-gate status"
    more = f" (and {record.blocker_count - 3} more)" if record.blocker_count > 3 else ""
    there = _way_to(commit, ref, push)
    # What the remote has needs no review, so a fix on top of it only needs its own.
    run = RUN if ref.remedy.is_on_remote else f"{RUN}{_start(ref)}"
    return Words(
        f"Loop {record.first_bad_loop} failed: {details}{more}. Fix issues and re-run /review.",
        why="the review of exactly this commit did not pass",
        next_step=f"{there + ', ' if there else ''}fix, commit, then {run}",
        blockers=record.blockers,
    )


def bad_message(reviews: CommitReviews, commit: str, ref: RefUpdate, push: Push) -> Words:
    """The staged content passed, and the commit that was made of it has a message that would not."""
    problems, there = reviews.bad_message, _way_to(commit, ref, push)
    more = f" (and {len(problems) - 3} more)" if len(problems) > 3 else ""
    # `--only` leaves out what is staged by now, so that the new commit has the content that passed.
    reword = "git commit --amend --only"
    return Words(
        f"The message of {short(commit)} does not pass: {_in_a_row(problems)}{more}.",
        why="the review was of the staged content, before there was a message",
        next_step=f"{there + ' && ' if there else ''}{reword}, then git push again",
        blockers=tuple(f"the message of {short(commit)}, {problem}" for problem in problems),
    )


def _in_a_row(problems: tuple[str, ...]) -> str:
    """The first problems in one sentence, which has a full stop of its own."""
    return "; ".join(without_full_stop(problem) for problem in problems[:3])


def incomplete(record: Record, commit: str, ref: RefUpdate, push: Push) -> Words:
    """A review started and did not say everything it has to say."""
    number = record.first_bad_loop
    if not number:
        return Words(
            "Nobody looked at this commit: all four loops had nothing to run. Re-run /review.",
            why="a reviewer that saw nothing has not voted",
            next_step=f"switch a reviewer on in .review-gate.yaml, then {_run_on(commit, ref, push)}",
        )
    step = _run_on(commit, ref, push)
    is_stuck = record.loops[number - 1] == INCOMPLETE
    what = "could not finish" if is_stuck else "has no result"
    details = _in_a_row(record.blockers)
    return Words(
        f"Loop {number} {what}{': ' + details if details else ''}. Re-run /review.",
        why=f"a reviewer that did not run has not passed anything{_nothing_leaves(ref, push)}",
        next_step=f"see to that, then {step}" if is_stuck else step,
        blockers=record.blockers,
    )


def uncovered(record: Record, commits: tuple[str, ...], ref: RefUpdate, push: Push) -> Words:
    """The tip passed, but it would carry commits out that nobody reviewed."""
    named = ", ".join(short(commit) for commit in commits[:5]) + (", ..." if len(commits) > 5 else "")
    count = f"{len(commits)} commit{'' if len(commits) == 1 else 's'} ({named})" if commits else "commits"
    return Words(
        f"The review starts at {short(record.base)}, but {count} below it would leave unreviewed.",
        why=push.remote_hint or _why_uncovered(ref, push),
        next_step=_wider_run(ref, push),
    )


def _why_uncovered(ref: RefUpdate, push: Push) -> str:
    gap = short(gap_below(ref.commit or "", push.reviews, push.policy, push.on_remote))
    if push.has_unfetched_branches:
        return f"the remote has commits that are not here, so nobody can say whether it has {gap}"
    return f"the remote does not have {gap}, and no passing review covers it"


def _wider_run(ref: RefUpdate, push: Push) -> str:
    # A review of everything is much to ask for while the remote may turn out to have the base.
    if push.has_unfetched_branches and ref.remedy.start in EMPTY_TREES:
        return f"git fetch {_quoted(push.remote)}, then git push again"
    return _run_on(ref.commit or "", ref, push)


def policy_changed(commit: str, ref: RefUpdate, push: Push) -> Words:
    """The rules are other ones now, or they are other ones on this branch."""
    there = _way_to(commit, ref, push)
    # The settings on disk are those of this branch; where another one has others, only a push from there can pass.
    leave = f"git push {_quoted(push.remote)} {_quoted(_refspec(ref, push))}" if push.remote else "review-gate verify"
    latest = push.reviews[commit].known[-1].policy
    are_checks = have_same_settings(latest, push.policy)
    what = f"The review of {short(commit)} was made {'with other checks' if are_checks else 'under another policy'}."
    if there and ref.remedy.is_open_there:
        judges = "checks" if are_checks else "settings"
        return Words(
            what,
            why=f"a push is judged by the {judges} of the branch it is made from, and this one has its own",
            next_step=f"{there} && {leave}",
        )
    step = _run_on(commit, ref, push)
    changed = "the checks, or the baseline of old findings," if are_checks else _SETTINGS
    return Words(
        f"{what} Run /review again.",
        why=f"{changed} have changed since{_nothing_leaves(ref, push)}",
        next_step=f"{step}, then {leave}" if there else step,
    )


def _refspec(ref: RefUpdate, push: Push) -> str:
    """How to push this one ref once its commit is HEAD: what was typed may mean another one then, or an option."""
    force = "+" if ref.remedy.is_forced else ""
    if ref.local_oid != ref.commit:
        # A tag of its own, which HEAD does not stand for.
        return f"{force}{ref.local_oid}:{ref.remote_ref}"
    is_same = ref.local_ref == ref.remote_ref and branch_to_switch_to(ref, push)
    return f"{force}HEAD" if is_same else f"{force}HEAD:{ref.remote_ref}"


def stale(reviewed: str, commit: str, ref: RefUpdate, push: Push) -> Words:
    """There is a review, of something else."""
    now = "current HEAD is" if commit == push.head else f"{ref.local_ref} is"
    kind = (
        "staged tree" if push.state is not None and push.state.is_staged and reviewed == push.state.tree else "commit"
    )
    return Words(
        f"Review state is for {kind} {short(reviewed)}, {now} {short(commit)}. Run /review again.",
        why=f"no reviewer saw the content of this commit{_nothing_leaves(ref, push)}",
        next_step=_run_on(commit, ref, push),
    )


def missing(commit: str, ref: RefUpdate, push: Push) -> Words:
    """There is no review at all."""
    never = "was not reviewed here" if ref.remedy.is_on_remote else "was never reviewed"
    return Words(
        "No review state found. Run /review before shipping.",
        why=push.remote_hint or f"commit {short(commit)} {never}{_nothing_leaves(ref, push)}",
        next_step=_run_on(commit, ref, push),
    )


def _nothing_leaves(ref: RefUpdate, push: Push) -> str:
    """Said to those who wonder why a commit that came from the remote is not let out."""
    if not ref.remedy.is_on_remote or ref.commit in push.tips_on_remote:
        return ""
    return "; by its tracking refs the remote already has it, so a push would send no commit"


def _run_on(commit: str, ref: RefUpdate, push: Push) -> str:
    there = _way_to(commit, ref, push)
    run = f"{RUN}{_start(ref)}{' --allow-empty' if ref.remedy.is_empty else ''}"
    return f"{there} && {run}" if there else run


def _start(ref: RefUpdate) -> str:
    """What a run has to be told where its own choice of a base would leave out commits that the remote lacks."""
    start = ref.remedy.start
    if not start:
        return ""
    return " --scope all" if start in EMPTY_TREES else f" --base {short(start)}"


def _way_to(commit: str, ref: RefUpdate, push: Push) -> str:
    """What has to be typed before a run, which reviews HEAD only."""
    if commit == push.head:
        return ""
    branch = branch_to_switch_to(ref, push)
    return f"git switch {_quoted(branch) if branch else f'--detach {short(commit)}'}"


def branch_to_switch_to(ref: RefUpdate, push: Push) -> str:
    """The branch that a ref can be checked out as; nothing where that has to be done without a branch."""
    branch = ref.local_ref.removeprefix("refs/heads/")
    # Git checks a branch out in one work tree only, and takes a name that begins with a dash for an option.
    is_usable = branch != ref.local_ref and ref.local_ref not in push.checked_out and not branch.startswith("-")
    # A name with hidden characters is shown escaped, and could not be typed.
    return branch if is_usable and branch.isprintable() else ""


def _quoted(word: str) -> str:
    """A ref name for the shell: it may hold `$(…)`, and this line is made to be pasted."""
    if word.replace("/", "").replace("-", "").replace("_", "").replace(".", "").isalnum() and word.isascii():
        return word
    return "'" + word.replace("'", "'\\''") + "'"
