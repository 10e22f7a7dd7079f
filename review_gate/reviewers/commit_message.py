"""Is a commit message fit to be kept? Judged as git will store it, after its clean-up."""

from __future__ import annotations

from itertools import pairwise

from review_gate.reviewers.conflict_markers import conflicts_in, markers_in
from review_gate.reviewers.problem import Problem
from review_gate.reviewers.text import quote, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    # Line number in the message file, from 1, and the line without trailing space.
    Line = tuple[int, str]

SEVERITY_OF = {"block": "major", "warn": "warning"}
SQUASHED = ("fixup!", "squash!", "amend!")
# Git and the forges write these subjects, with names as long as they please.
GENERATED = (
    "Merge branch", "Merge remote-tracking branch", "Merge tag", "Merge commit", "Merge pull request",
    'Revert "', 'Reapply "',
)  # fmt: skip
UNFINISHED = ("wip", "work in progress")
SCISSORS = "------------------------ >8 ------------------------"
TORN_SCISSORS = "----- >8 -----"
BOILERPLATE = "Please enter the commit message"
# Git writes the paths below it, each behind the comment sign and a tab.
CONFLICT_LIST = " Conflicts:"
# What git chooses from for core.commentChar=auto (2.39); anything else is set by hand.
COMMENT_CHARACTERS = tuple("#;@!$%^&|:")
# Git's own isspace(); a no-break space counts as text there.
GIT_SPACE = " \t\r\n"


def review(
    message: str, *, rules: Mapping[str, object], branch: str | None, cleanup: str, comment_char: str
) -> list[Problem]:
    """What is wrong with the message that git will make of this text."""
    lines = _kept_lines(message, cleanup, comment_char)
    problems = list(_leftover_text(lines, rules, comment_char))
    if _has_no_subject(lines):
        advice = "say in the first line what the commit does"
        problems += _judged("empty-subject", "empty", rules, "the commit message has no subject", advice)
        return problems
    number, subject = lines[0]
    about_subject = [*_too_long(subject, rules)]
    if branch is not None and _is_protected(branch, rules.get("protected_branches")):
        about_subject += _unfinished(subject, visible(branch), rules)
    for problem in about_subject:
        problem.line, problem.evidence = number, quote(subject)
    return about_subject + problems


def kept_text(message: str, cleanup: str, comment_char: str) -> str:
    """The message with what git drops left blank, so that every line keeps its number."""
    kept = dict(_kept_lines(message, cleanup, comment_char))
    return "\n".join(kept.get(number, "") for number in range(1, max(kept, default=0) + 1))


def needs_branch(message: str) -> bool:
    """Whether the verdict can depend on the branch: a line reads like a fixup! or WIP subject."""
    lowered = message.lower()
    if not any(word in lowered for word in (*SQUASHED, *UNFINISHED, "draft")):
        return False
    return any(_is_squashed(line) or _is_unfinished(line) for line in message.split("\n"))


def needs_cleanup_mode(message: str) -> bool:
    """Whether the verdict can depend on the clean-up mode: there is text of git's own or a possible comment."""
    if ">8" in message or BOILERPLATE in message or CONFLICT_LIST in message:
        return True
    return any(line.startswith(COMMENT_CHARACTERS) for line in message.split("\n"))


def chosen_comment_char(message: str) -> str:
    """The sign that git chose for core.commentChar=auto: that of its own text, which it writes below all other."""
    text = f"\n{message}"
    ends = [max(text.rfind(f"\n{sign} {words}") for words in (SCISSORS, BOILERPLATE)) for sign in COMMENT_CHARACTERS]
    return COMMENT_CHARACTERS[ends.index(max(ends))]


def end_of_message(data: bytes, cleanup: str, comment_char: str) -> int:
    """Where the message ends that the file of a hook holds: at the scissors in scissors mode, and under `commit -v`.

    A hook cannot see -v, but with it git explains the scissors in comments below them. Where comments are stripped that
    means an edited message and so, most likely, a cut; elsewhere (-F with an old message file, say) git would keep the
    whole diff. Because it is a guess, whoever stops reading here has to cut the file here.
    """
    sign = comment_char.encode()
    scissors = sign + f" {SCISSORS}\n".encode()
    at = (b"\n" + data).find(b"\n" + scissors)
    is_explained = bool(sign) and data.startswith(sign, at + len(scissors))
    is_cut = at >= 0 and (cleanup == "scissors" or (cleanup == "strip" and is_explained))
    return at if is_cut else len(data)


def without_comments(data: bytes, comment_char: str) -> bytes:
    """The file of a hook without its comments, but with scissors that do not cut: what follows them is a problem."""
    sign, torn = comment_char.encode(), TORN_SCISSORS.encode()
    lines = data.split(b"\n")
    return b"\n".join(line for line in lines if not sign or not line.startswith(sign) or torn in line)


def _kept_lines(message: str, cleanup: str, comment_char: str) -> list[Line]:
    """The lines with text that git keeps; blank ones say nothing here."""
    lines = message.split("\n")
    kept = [(number, line.rstrip(GIT_SPACE)) for number, line in enumerate(lines, 1) if line.strip(GIT_SPACE)]
    if cleanup != "strip" or not comment_char:
        return kept
    # Scissors that do not cut are shown to the rule about leftovers, unless nothing but comments follows them.
    kept = [(number, line) for number, line in kept if not line.startswith(comment_char) or TORN_SCISSORS in line]
    return kept[:-1] if kept and kept[-1][1].startswith(comment_char) else kept


def _judged(rule: str, key: str, rules: Mapping[str, object], message: str, advice: str) -> Iterator[Problem]:
    severity = SEVERITY_OF.get(str(rules.get(key)))
    if severity:
        yield Problem(rule, severity, message, recommendation=advice)


def _has_no_subject(lines: list[Line]) -> bool:
    """Git, too, calls a message empty that holds nothing but sign-offs; an invisible subject is no better."""
    if all(line.startswith("Signed-off-by: ") for _, line in lines):
        return True
    return not any(character.isprintable() and character != " " for character in lines[0][1])


def _too_long(subject: str, rules: Mapping[str, object]) -> Iterable[Problem]:
    limit = rules.get("max_subject")
    # `git commit --fixup` copies the subject of the other commit, so only that subject is measured.
    start = 0
    while subject.startswith(SQUASHED, start):
        start = subject.index("!", start) + 1
        start += subject.startswith(" ", start)
    length = len(subject) - start
    if not isinstance(limit, int) or limit <= 0 or length <= limit or subject.startswith(GENERATED, start):
        return ()
    message = f"the subject is {length} characters long, the limit is {limit}"
    return _judged("subject-too-long", "too_long", rules, message, "shorten it and explain below a blank line")


def _unfinished(subject: str, branch: str, rules: Mapping[str, object]) -> Iterable[Problem]:
    if _is_squashed(subject):
        message = f'"{subject.partition("!")[0]}!" commit on the protected branch {branch}'
        advice = "commit it on another branch, or squash it first: git rebase -i --autosquash"
        return _judged("fixup-subject", "fixup", rules, message, advice)
    if _is_unfinished(subject):
        message = f"work in progress on the protected branch {branch}"
        return _judged("wip-subject", "wip", rules, message, "commit it on another branch, or finish it")
    return ()


def _is_squashed(subject: str) -> bool:
    return subject.startswith(SQUASHED)


def _is_unfinished(subject: str) -> bool:
    text = subject.strip().lower()
    if text in ("draft", "[draft]", "(draft)") or text.startswith(("draft:", "[draft] ", "(draft) ")):
        return True
    # "chore: wip" is, "board: WIP limits" is not.
    if text.partition(":")[2].strip() in UNFINISHED or text.endswith(("[wip]", "(wip)")):
        return True
    bare = text.lstrip("[( ")
    return any(bare.startswith(word) and not bare[len(word) : len(word) + 1].isalnum() for word in UNFINISHED)


def _leftover_text(lines: list[Line], rules: Mapping[str, object], comment_char: str) -> Iterator[Problem]:
    for (number, line), message in _leftovers(lines, comment_char):
        for problem in _judged("leftover-text", "leftover", rules, message, "remove it from the message"):
            problem.line, problem.evidence = number, quote(line)
            yield problem


def _leftovers(lines: list[Line], comment_char: str) -> Iterator[tuple[Line, str]]:
    """The first of each kind of text that was not meant to stay."""
    texts = [line for _, line in lines]
    # With core.commentChar=auto those of an earlier try may have another sign than git has now.
    instructions = tuple(f"{sign} {BOILERPLATE}" for sign in (comment_char, *COMMENT_CHARACTERS) if sign)
    for group in conflicts_in(markers_in(texts)):
        yield lines[group[0][0] - 1], "conflict marker in the commit message"
        break
    for line in lines:
        if TORN_SCISSORS in line[1]:
            yield line, "scissors line that git will not cut at: what follows stays in the commit message"
            break
    for line in lines:
        if line[1].startswith(instructions):
            yield line, "git's own instructions, which this clean-up mode keeps in the commit message"
            break
    for line, below in pairwise(lines):
        if _starts_conflict_list(line[1], below[1], comment_char):
            yield line, "git's list of conflicts, which this clean-up mode keeps in the commit message"
            break


def _starts_conflict_list(line: str, below: str, comment_char: str) -> bool:
    sign = line.removesuffix(CONFLICT_LIST)
    # With core.commentChar=auto a merge writes "#" and the commit after it takes another sign, so that "#" stays.
    return sign != line and sign in (comment_char, "#") and below.startswith(f"{sign}\t")


def _is_protected(branch: str, patterns: object) -> bool:
    name = branch.removeprefix("refs/heads/")
    return isinstance(patterns, list | tuple) and any(_matches(name, str(pattern)) for pattern in patterns)


def _matches(name: str, pattern: str) -> bool:
    literal = pattern
    for special in "*?[{":
        literal = literal.partition(special)[0]
    if literal == pattern or not name.startswith(literal):
        return name == pattern
    if pattern == f"{literal}*":
        return True
    from fnmatch import fnmatchcase

    from review_gate.globs import alternatives

    # The standard library knows `[!a]` and takes `[^a]` for a ^ or an a; here a star stands for a slash too.
    return any(fnmatchcase(name, one.replace("[^", "[!")) for one in alternatives(pattern))
