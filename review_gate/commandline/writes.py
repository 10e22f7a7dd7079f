"""Which paths the usual programs write, move, remove, link or take a right from."""

from __future__ import annotations

from review_gate.commandline.acts import ANYWHERE, HERE, UNKNOWN
from review_gate.commandline.names import names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# By program: options that take the next word, and how many plain words are no paths; all others are.
_ALL = {
    name: (frozenset(options.split()), count)
    for name, options, count in (
        ("rm", "", 0),
        ("rmdir", "", 0),
        ("unlink", "", 0),
        ("shred", "-n -s --iterations --size", 0),
        ("srm", "", 0),
        ("trash", "", 0),
        ("trash-put", "", 0),
        ("touch", "-d -t -r --date --reference --time", 0),
        ("truncate", "-s -r --size --reference", 0),
        ("tee", "", 0),
        ("sponge", "", 0),
        ("chmod", "--reference", 1),
        ("chown", "--reference --from", 1),
        ("chgrp", "--reference", 1),
        ("chattr", "-v -p", 0),
        ("chflags", "", 1),
        ("setfacl", "-m -M -x -X --modify --remove", 0),
        ("setfattr", "-n -v -x -h", 0),
        ("xattr", "", 0),
        ("mv", "-t -S --target-directory --suffix", 0),
        ("rename", "", 1),
        ("mkfifo", "-m --mode", 0),
        ("mknod", "-m --mode", 0),
        ("del", "", 0),
        ("erase", "", 0),
        ("ed", "-p", 0),
        ("ex", "-c --cmd -S", 0),
        ("vi", "-c --cmd -S", 0),
        ("vim", "-c --cmd -S", 0),
        ("nvim", "-c --cmd -S", 0),
        ("emacs", "--eval -l -f", 0),
        ("nano", "", 0),
        ("patch", "-p -i -d -F --input --strip --directory", 0),
        ("dos2unix", "", 0),
        ("gzip", "", 0),
        ("gunzip", "", 0),
        ("split", "-b -l -n -a", 1),
        # What a link leads to can be written through it.
        ("ln", "-t -S --target-directory --suffix", 0),
    )
}
# Programs whose last word is what they write, and the option that names a folder instead.
_LAST = {
    "cp": frozenset({"-S", "--suffix", "-t", "--target-directory"}),
    "install": frozenset({"-m", "-o", "-g", "-S", "-t", "--mode", "--owner", "--group", "--suffix"}),
    "rsync": frozenset({"-e", "--rsh", "--exclude", "--include", "--filter", "-f", "--exclude-from", "--files-from"}),
    "scp": frozenset({"-P", "-i", "-F", "-o", "-c", "-l", "-S", "-J"}),
    "ditto": frozenset(),
    "link": frozenset(),
    "symlink": frozenset(),
    "copy": frozenset(),
    "xcopy": frozenset(),
    "gcp": frozenset({"-S", "--suffix", "-t", "--target-directory"}),
}
_TARGETS = ("-t", "--target-directory")
# Of the other ones that write to their last word, the option means something else.
_TAKE_TARGETS = ("mv", "ln", "cp", "gcp", "install")
# Programs that write what one of their options names.
_NAMED = {
    "curl": ("-o", "--output", "--output-dir", "-D", "--dump-header", "-c", "--cookie-jar"),
    "wget": ("-O", "--output-document", "-P", "--directory-prefix", "-o", "--output-file"),
    "sort": ("-o", "--output"),
    "unzip": ("-d",),
    "7z": ("-o",),
    "jq": (),
    "gcc": ("-o",),
    "openssl": ("-out",),
    "uniq": (),
}
# What may follow the letter for "in place" is a suffix; the words that hold the script are no paths.
_IN_PLACE = {
    "sed": ("-e", "-f", "--expression", "--file", "-l"),
    "perl": ("-e", "-E", "-I", "-M"),
    "ruby": ("-e", "-I", "-r"),
}
_ACTIONS_OF_FIND = frozenset({"-delete"})
_FILES_OF_FIND = frozenset({"-fprint", "-fprint0", "-fprintf", "-fls"})
_STARTING = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
_PRINTING_ELSE = frozenset({"-printf", "-ls"}) | _FILES_OF_FIND | _STARTING
_PATTERNS = names("-name -iname -path -ipath -wholename -iwholename -lname -ilname -regex -iregex")
_GIT_FOLDER = names(".git ./.git .git/* ./.git/* */.git */.git/*")
_RULING_OUT = names("! -not -prune")
_DOING = frozenset({"-print", "-print0"}) | _ACTIONS_OF_FIND | _PRINTING_ELSE


def written(name: str, arguments: Sequence[str]) -> tuple[str, ...]:
    """The paths that a program is told to change, unknown ones among them."""
    if name in _ALL:
        valued, count = _ALL[name]
        if name == "chmod" and any(_is_mode(word) for word in arguments):
            count = 0
        plain = _plain(arguments, valued)[count:]
        sources, places = _put(name, arguments, plain) if name in _TAKE_TARGETS else (plain, [])
        return tuple(dict.fromkeys((*sources, *places)))
    if name in _LAST:
        return tuple(_put(name, arguments, _plain(arguments, _LAST[name]))[1])
    if name in _NAMED:
        return tuple(_values(arguments, _NAMED[name]))
    if name in _IN_PLACE:
        return tuple(_in_place(name, arguments))
    special = _SPECIAL.get(name)
    return tuple(special(arguments)) if special else ()


def _put(name: str, arguments: Sequence[str], plain: Sequence[str]) -> tuple[Sequence[str], list[str]]:
    """The sources; and the target, with what the sources would be called in it if it is a folder."""
    named = _values(arguments, _TARGETS) if name in _TAKE_TARGETS else []
    targets, sources = (named, plain) if named else (list(plain[-1:]), plain[:-1])
    if name == "ln" and not sources:
        # A link without a name of its own is put here.
        targets, sources = [HERE], plain
    # To rsync a folder with a slash is what is in it.
    names = [source.rstrip("/").rpartition("/")[2] for source in sources if name != "rsync" or source[-1:] != "/"]
    named_in = [end for end in names if end not in ("", ".", "..")]
    # A folder that is only put into stays what it is.
    is_told = len(named_in) == len(sources) and name in _TAKE_TARGETS and not _is_no_folder(arguments)
    changed = [target for target in targets if not (is_told and (named or target.endswith("/")))]
    return sources, [*changed, *(f"{target.rstrip('/')}/{end}" for target in targets for end in named_in)]


def _is_no_folder(arguments: Sequence[str]) -> bool:
    """Whether the target is taken for what it is called, and not for a folder to put something into."""
    return any(word.startswith("--no-t") or (word[:1] == "-" != word[1:2] and "T" in word) for word in arguments)


def _is_mode(word: str) -> bool:
    """Whether it takes a right away, which begins like an option: `chmod -x`."""
    return word.startswith("-") and len(word) > 1 and set(word[1:]) <= set("rwxXstugo,+=-")


def _plain(arguments: Sequence[str], valued: frozenset[str]) -> list[str]:
    paths: list[str] = []
    at = 0
    while at < len(arguments):
        word = arguments[at]
        if word == "--":
            return paths + list(arguments[at + 1 :])
        if word.startswith("-") and len(word) > 1:
            at += word in valued
        else:
            paths.append(word)
        at += 1
    return paths


def _values(arguments: Sequence[str], names: Sequence[str]) -> list[str]:
    """The values of these options: the next word, or what is attached to them."""
    values: list[str] = []
    for at, word in enumerate(arguments):
        if word in names:
            values.extend(arguments[at + 1 : at + 2])
            continue
        for name in names:
            if name.startswith("--") and word.startswith(name + "="):
                values.append(word[len(name) + 1 :])
            elif not name.startswith("--") and word.startswith(name):
                values.append(word[len(name) :])
            elif _ends_bundle(word, name):
                values.extend(arguments[at + 1 : at + 2])
    return values


def _ends_bundle(word: str, name: str) -> bool:
    return len(name) == 2 and len(word) > 2 and word[0] == "-" and word[1].isalpha() and word.endswith(name[1])


def _in_place(name: str, arguments: Sequence[str]) -> list[str]:
    letters = [
        word for word in arguments if word.startswith("-i") or (word[:1] == "-" and word[1:2] != "-" and "i" in word)
    ]
    if not letters and not any(word.startswith("--in-place") for word in arguments):
        return []
    valued = frozenset(_IN_PLACE[name])
    plain = _plain(arguments, valued)
    # A bundle that ends in the letter of the script: `perl -pie`, `perl -i -pe 's/…/…/' file`.
    has_script = any(word.split("=")[0] in valued for word in arguments)
    return plain if has_script else plain[1:]


def _dd(arguments: Sequence[str]) -> list[str]:
    return [word.removeprefix("of=") for word in arguments if word.startswith("of=")]


def _find(arguments: Sequence[str]) -> list[str]:
    files = [arguments[at + 1] for at, word in enumerate(arguments[:-1]) if word in _FILES_OF_FIND]
    if _ACTIONS_OF_FIND.isdisjoint(arguments):
        return files
    return [*files, *found_by_find(arguments)]


def found_by_find(arguments: Sequence[str]) -> list[str]:
    """What `find` finds: where it starts, and by which names where it is told."""
    starts, expression = _parts_of_find(arguments)
    belows = [f"/{UNKNOWN}"] if "-mindepth" in expression else [f"/{ANYWHERE}"]
    if _passes_over_git(expression) and "-mindepth" not in expression:
        # In some folder or where it starts, but not anywhere.
        belows = [f"/{UNKNOWN}", ""]
    found = [f"{below}/{_pattern(name)}" if name else "" for name in _names_found(expression) for below in belows]
    return [start.rstrip("/") + tail for start in starts or [HERE] for tail in dict.fromkeys(found)]


def _passes_over_git(expression: Sequence[str]) -> bool:
    return not _GIT_FOLDER.isdisjoint(expression) and not _RULING_OUT.isdisjoint(expression)


def prints_paths(arguments: Sequence[str]) -> bool:
    """Whether what `find` prints are the paths that it finds, and nothing that its own words make up."""
    return _PRINTING_ELSE.isdisjoint(arguments)


def _parts_of_find(arguments: Sequence[str]) -> tuple[list[str], Sequence[str]]:
    """Where it starts, and the expression behind that."""
    starts: list[str] = []
    at = 0
    while at < len(arguments):
        word = arguments[at]
        if word == "-D":
            at += 1
        elif word not in ("-H", "-L", "-P") and not word.startswith("-O"):
            if word.startswith(("-", "(", "!")):
                break
            starts.append(word)
        at += 1
    return starts, arguments[at:]


def _names_found(expression: Sequence[str]) -> list[str]:
    """The names that are looked for, an empty one where any will do."""
    terms = _terms(expression)
    # Where it is told what to do with some, it does nothing with the others.
    acting = [term for term in terms if _does_something(term)]
    found: dict[str, None] = {}
    for term in acting or terms:
        named = [term[at + 1] for at, word in enumerate(term[:-1]) if word in ("-name", "-iname")]
        found |= dict.fromkeys(named or [""])
    return list(found)


def _does_something(term: Sequence[str]) -> bool:
    return any(word in _DOING and before not in _PATTERNS for before, word in zip(("", *term), term, strict=False))


def _terms(expression: Sequence[str]) -> list[list[str]]:
    """The alternatives of an expression, without the commands that it starts and without what it rules out."""
    terms: list[list[str]] = [[]]
    depth = at = 0
    while at < len(expression):
        word = expression[at]
        at += 1
        if word in ("!", "-not"):
            at = _past_ruled_out(expression, at)
            continue
        depth += (word == "(") - (word == ")")
        if word in ("-o", "-or", ",") and depth == 0:
            terms.append([])
            continue
        terms[-1].append(word)
        if word in _STARTING:
            at = _past_command(expression, at)
    return terms


def _past_ruled_out(expression: Sequence[str], at: int) -> int:
    depth = 0
    while at < len(expression):
        depth += (expression[at] == "(") - (expression[at] == ")")
        at += 1
        if depth == 0:
            break
    # The value of a test.
    return at + (at < len(expression) and not expression[at].startswith(("-", "(", ")", "!", ",")))


def _past_command(expression: Sequence[str], at: int) -> int:
    while at < len(expression) and expression[at] != ";":
        if expression[at] == "+" and expression[at - 1] == "{}":
            break
        at += 1
    return at + 1


def _pattern(name: str) -> str:
    """A pattern as a word in which nobody knows what each mark stands for."""
    for mark in "*?[":
        name = name.replace(mark, UNKNOWN)
    return name


def _tar(arguments: Sequence[str]) -> list[str]:
    first = arguments[0] if arguments else ""
    extracts = "--extract" in arguments or "--get" in arguments or ("x" in first and not first.startswith("--"))
    extracts = extracts or any(word.startswith("-") and not word.startswith("--") and "x" in word for word in arguments)
    if not extracts:
        return []
    return _values(arguments, ("-C", "--directory")) or [HERE]


def _cpio(arguments: Sequence[str]) -> list[str]:
    return [UNKNOWN] if any(word.startswith("-") and ("i" in word or "p" in word) for word in arguments) else []


_SPECIAL = {"dd": _dd, "find": _find, "tar": _tar, "bsdtar": _tar, "cpio": _cpio}
