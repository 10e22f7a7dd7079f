"""The quick look at a line: whether it is worth reading at all. It knows no grammar and errs on one side only."""

from __future__ import annotations

from review_gate.commandline.names import names, pieces

# Twice what Linux starts as one argument; a line that is longer is not read at all.
MOST_TEXT = 1 << 18
# Programs and builtins for which the rest of this package finds nothing, whatever plain words they are given.
_SILENT = names(
    """: true false [ [[ ]] test echo cat head tail wc ls dir pwd date sleep grep egrep fgrep rg ag ack tree stat
    file du df which type whereis whoami id uname hostname printenv seq uniq cut tr tac rev nl paste join comm diff
    cmp basename dirname realpath readlink mkdir jq yq less more man md5sum sha1sum sha256sum b2sum xxd od hexdump
    strings column fold fmt expand yes clear tput ps top kill jobs wait bg fg disown exit return break continue
    shift set unset let shopt umask ulimit times history help dirs cd pushd popd ping bat cal bc expr base64 cksum sum
    tsort getopts read printf done fi esac }"""
)
# Those that start something, change a path or send something; the tests hold this against the tables of this package.
CONCERNING = names(
    """. alias apply_patch applypatch at awk batch fd fdfind
    bwrap caffeinate chattr chflags chgrp chmod chown chronic chroot chrt copy coproc cp cpio
    dbus-run-session dd declare del ditto doas dos2unix ed emacs env erase errno eval ex exec export find
    firejail flock for function gawk gcp gfind ghstack gt gtimeout gunzip gzip hash ifne install ionice link linux64
    ln local ltrace mapfile mawk mkfifo mknod mv nano nice nocorrect noglob nohup nsenter numactl nvim parallel
    patch pkexec prlimit readarray readonly rename repo rm rmdir rsync rtk run0 runuser scp script select setarch
    setfacl setfattr setpriv setsid shred source split sponge spr srm stdbuf strace su sudo symlink tar bsdtar
    taskset tee tea timeout touch toybox trap trash trash-put truncate typeset unalias unbuffer unlink unshare unzip
    valgrind vi vim watch winpty xargs gxargs xattr xcopy xvfb-run 7z openssl sh bash zsh dash ash ksh mksh rbash
    fish busybox busybox-sh builtin command av arc lab sl hg dulwich got case gcc"""
)
# What may stand behind a program that nobody knows and be started by it, or be taken away.
NOTABLE = names("git gh hub glab jj review-gate pre-commit prek lefthook husky hk overcommit")
EDITORS = names("sed ed ex vi vim nvim emacs")
_LANGUAGES = names(
    "python pypy expect node nodejs deno bun ruby perl php lua tclsh osascript pwsh powershell cmd rscript"
)
# Programs that write only with an option in which one of these letters stands.
_WITH_LETTER = {"sed": "i", "curl": "oDcO", "wget": "OPo", "sort": "o"}
# git commands that do nothing but read, as long as no option names a file to write.
_READING = names(
    """status diff log show add blame ls-files ls-tree rev-parse grep rev-list describe shortlog cat-file merge-base
    show-ref for-each-ref check-ignore diff-tree version"""
)
_KEYWORDS = frozenset({"if", "then", "elif", "else", "while", "until", "do", "!", "{", "time"})
SUFFIXES = (".exe", ".cmd", ".bat", ".com")
_ENDS = (";", "&", "|", "(", ")")
_UNTOLD = ("$", "`", "\0")
_ODD = frozenset("*?[]{}<>\"'\\\x01")
_QUOTES = "'\"\\"
# What of a quoted text would mean something without its quotes.
_MEANING = frozenset(" \t\n;&|()<>*?[]{}#!~=")
_HIDDEN = "\x01"
_NO_FILE = ("/dev/null", "&1", "&2", "&-")
_FOLLOWS = frozenset({"", " ", "\t", "\n", ";", "|", "&", ")"})


def may_concern(command: str) -> bool:
    """Whether the line may do anything that a gate cares about; false only if it certainly does not."""
    if len(command) > MOST_TEXT or any(mark in command for mark in _UNTOLD):
        return True
    text = _without_quotes(command)
    text = _without_null(command if text is None else text)
    if ">" in text:
        return True
    for end in _ENDS:
        text = text.replace(end, "\n")
    return any(_part_concerns(pieces(part)) for part in text.split("\n"))


def program(word: str) -> str:
    """The name of a program without its folder and suffix, in small letters."""
    name = word.rpartition("/")[2].rpartition("\\")[2].lower()
    for suffix in SUFFIXES:
        name = name.removesuffix(suffix)
    return name


def _without_quotes(command: str) -> str | None:
    """The text with quotes carried out; nothing where a comment or a here document may hold other quotes."""
    if "#" in command or "<<" in command:
        return None
    out: list[str] = []
    at, size = 0, len(command)
    while at < size:
        char = command[at]
        if char == "'":
            end = command.find("'", at + 1)
            if end < 0:
                return None
            out.append(_hidden(command[at + 1 : end]))
            at = end + 1
        elif char == '"':
            end = _end_of_double(command, at + 1)
            if end < 0:
                return None
            inside = command[at + 1 : end].replace("\\\n", "").replace('\\"', '"').replace("\\\\", "\\")
            out.append(_hidden(inside))
            at = end + 1
        elif char == "\\":
            following = command[at + 1 : at + 2]
            out.append("" if following == "\n" else _hidden(following))
            at += 2
        else:
            end = _next_quote(command, at)
            out.append(command[at:end])
            at = end
    return "".join(out)


def _next_quote(text: str, at: int) -> int:
    size = len(text)
    while at < size and text[at] not in _QUOTES:
        at += 1
    return at


def _end_of_double(text: str, at: int) -> int:
    size = len(text)
    while at < size and text[at] != '"':
        at += 2 if text[at] == "\\" else 1
    return at if at < size else -1


def _hidden(text: str) -> str:
    """The text with what must not be taken for an operator or a blank out of sight; never nothing."""
    if not text:
        return _HIDDEN
    return "".join(_HIDDEN if char in _MEANING else char for char in text)


def _without_null(text: str) -> str:
    """The text with redirections that keep nothing out of sight."""
    first, *rest = text.split(">")
    out = [first]
    for piece in rest:
        after = piece.lstrip(" ")
        target = next((one for one in _NO_FILE if after.startswith(one)), "")
        if target and after[len(target) : len(target) + 1] in _FOLLOWS:
            # The place stays marked, so that what stands before it is not taken for a whole word.
            out.append("<" + after[len(target) :])
        elif piece or len(out) == len(rest):
            out.append(">" + piece)
    return "".join(out)


def _part_concerns(words: list[str]) -> bool:
    """Whether what stands between two operators may."""
    at, is_assigned = 0, False
    while at < len(words) and (words[at] in _KEYWORDS or _is_assignment(words[at])):
        is_assigned = is_assigned or "=" in words[at]
        at += 1
    words = words[at:]
    if not words:
        return is_assigned
    head = words[0]
    if head == "\\":
        # A line that goes on; the next one is looked at by itself.
        return len(words) > 1
    if not _ODD.isdisjoint(head) and head not in ("[", "[[", "]]", "}"):
        return True
    return _head_concerns(program(head), words, is_assigned=is_assigned)


def _is_assignment(word: str) -> bool:
    name, found, _ = word.partition("=")
    return bool(found) and name.isidentifier()


def _head_concerns(name: str, words: list[str], *, is_assigned: bool) -> bool:
    if name in _SILENT:
        return name in ("read", "printf") and "-v" in words
    if name in CONCERNING:
        return not _is_harmless_use(name, words)
    if name == "git":
        return is_assigned or _git_concerns(words)
    if name.startswith("git-") or name in NOTABLE or any("{" in word for word in words):
        return True
    if name == "sed" and any(one in word.lower() for word in words for one in ("git", "gh", "dulwich")):
        return True
    if name in _WITH_LETTER:
        return any(word[0] in "-\x01" and any(letter in word for letter in _WITH_LETTER[name]) for word in words[1:])
    if name.rstrip("0123456789.") in _LANGUAGES:
        return _language_concerns(words)
    return any(_is_notable(word) for word in words[1:])


def _is_harmless_use(name: str, words: list[str]) -> bool:
    if name == "command":
        return words[1:2] == ["-v"]
    if name == "find":
        return not any("{" in word or word.startswith(("-exec", "-ok", "-delete", "-fprint", "-fls")) for word in words)
    if name in ("fd", "fdfind"):
        return not any("{" in word or word.startswith(("-x", "-X", "--exec")) for word in words)
    if name in ("source", "."):
        return len(words) == 2 and _ODD.isdisjoint(words[1]) and not words[1].startswith("/dev/")
    return False


def _git_concerns(words: list[str]) -> bool:
    if len(words) < 2 or words[1] not in _READING:
        return True
    return any(word.startswith("--ou") or "{" in word for word in words)


def _language_concerns(words: list[str]) -> bool:
    if words[1:2] == ["-m"] and len(words) > 2 and _ODD.isdisjoint(words[2]):
        return _part_concerns([words[2].replace("_", "-"), *words[3:]])
    if len(words) > 1 and words[1][0] not in "-/" and _ODD.isdisjoint(words[1]) and words[1] != "eval":
        return any("<" in word for word in words)
    return len(words) == 1 or any(word[0] == "-" or not _ODD.isdisjoint(word) for word in words[1:])


def _is_notable(word: str) -> bool:
    plain = word.replace('"', "").replace("'", "").replace("\\", "")
    # A plugin is named with its marketplace behind it, a package with its version.
    return program(plain.partition(_HIDDEN)[0].partition("@")[0]).replace("_", "-") in NOTABLE
