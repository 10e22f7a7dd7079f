"""Which paths a line would change, and the lines that change none."""

from __future__ import annotations

import pytest

from review_gate.commandline.acts import ANYWHERE, UNKNOWN, WRITE
from review_gate.commandline.find import acts_in


def paths(line: str) -> list[str]:
    acts = acts_in(line, lambda _: {})
    return [word for act in acts if act.kind == WRITE for word in act.words]


WRITES = {
    "redirect": ("echo x > a", ["a"]),
    "append": ("echo x >>a", ["a"]),
    "clobber": ("echo x >| a", ["a"]),
    "both streams": ("ls &> a", ["a"]),
    "both streams, old": ("ls >& a", ["a"]),
    "descriptor": ("ls 2>a", ["a"]),
    "read and write": ("ls <> a", ["a"]),
    "of a group": ("{ ls; } > a", ["a"]),
    "of a loop": ("for x in 1; do ls; done > a", ["a"]),
    "nothing else": ("> a", ["a"]),
    "in a text": ("bash -c 'ls > a'", ["a"]),
    "known name": ("f=a/b; echo x > $f", ["a/b"]),
    "unknown name": ("echo x > $f/b", [f"{UNKNOWN}/b"]),
    "apply_patch": ("apply_patch <<'E'\n*** Begin Patch\n*** Add File: a\n+*** Add File: b\n*** End Patch\nE", ["a"]),
    "apply_patch, moved": ("apply_patch '*** Update File: a\n*** Move to: b/c\n'", ["a", "b/c"]),
    "apply_patch, piped": ("printf '*** Delete File: a' | applypatch", ["a"]),
    "apply_patch, unknown": ("apply_patch < a", [UNKNOWN]),
    "tee": ("ls | tee -a a b", ["a", "b"]),
    "rm": ("rm -rf a -- -b", ["a", "-b"]),
    "glob": ("rm .git/hooks/*", [f".git/hooks/{UNKNOWN}"]),
    "braces": ("rm a/{b,c}", ["a/b", "a/c"]),
    "mv": ("mv a b", ["a", "b", "b/a"]),
    "mv -t": ("mv -t d a", ["a", "d/a"]),
    "cp": ("cp -r x/a b", ["b", "b/a"]),
    "cp -t": ("cp -t d x/a/ b", ["d/a", "d/b"]),
    "cp of what is in a folder": ("cp -r a/. ..  b", ["b"]),
    "cp into a folder": ("cp x/a b/", ["b/a"]),
    "cp onto a folder": ("cp -rT x/a b/", ["b/", "b/a"]),
    "ditto": ("ditto x/a b/", ["b/", "b/a"]),
    "cp of what nobody names": ("cp -r a/. b/", ["b/"]),
    "mv into a folder": ("mv x/a b/", ["x/a", "b/a"]),
    "cp to here": ("cp x/a .", [".", "./a"]),
    "ln": ("ln -sf b a", ["b", "a", "a/b"]),
    "ln to here": ("ln -s x/a", ["x/a", ".", "./a"]),
    "install": ("install -m 644 a b", ["b", "b/a"]),
    "rsync": ("rsync -at --exclude x a/ c b/", ["b/", "b/c"]),
    "dd": ("dd if=x of=a bs=1", ["a"]),
    "truncate": ("truncate -s 0 a", ["a"]),
    "touch": ("touch -d yesterday a", ["a"]),
    "chmod": ("chmod -x a", ["a"]),
    "chmod by bits": ("chmod 644 a b", ["a", "b"]),
    "sed": ("sed -i.bak -e s/x/y/ a", ["a"]),
    "sed, script first": ("sed -i s/x/y/ a b", ["a", "b"]),
    "sed, bundled": ("sed -ni s/x/y/ a", ["a"]),
    "perl": ("perl -pi -e s/x/y/ a", ["a"]),
    "ed": ("ed -s a", ["a"]),
    "vim": ("vim -c wq a", ["a"]),
    "unlink": ("unlink a", ["a"]),
    "shred": ("shred -u a", ["a"]),
    "find -delete": ("find a b -type f -delete", ["a", "b"]),
    "find -name -delete": ("find a/ b -name 'x*' -delete", [f"a/{ANYWHERE}/x{UNKNOWN}", f"b/{ANYWHERE}/x{UNKNOWN}"]),
    "find -exec rm": ("find a -exec rm {} +", [f"a/{UNKNOWN}"]),
    "find -name -exec rm": ("find a -name x -exec rm {} +", [f"a/{ANYWHERE}/x"]),
    "find of two names -exec rm": ("find a '(' -name x -o -name y ')' -exec rm {} ';'", [UNKNOWN]),
    "find of two names, one -exec rm": ("find a -name x -o -name y -exec rm {} ';'", [f"a/{ANYWHERE}/y"]),
    "what find finds": ("find .git/hooks -type f | xargs -n1 rm -f", [f".git/hooks/{UNKNOWN}"]),
    "what find finds, by name": ("find . -name 'pre-*' -print0 | xargs -0 rm", [f"./{ANYWHERE}/pre-{UNKNOWN}"]),
    "what find finds, one by one": (
        "find a b | xargs -I{} mv {} /x",
        [f"a/{UNKNOWN}", "/x", f"/x/{UNKNOWN}", f"b/{UNKNOWN}", "/x", f"/x/{UNKNOWN}"],
    ),
    "what find finds, by parallel": ("find .git -name pre-push | parallel rm", [f".git/{ANYWHERE}/pre-push"]),
    "find with options": ("find -D tree -O3 .git/hooks | xargs rm", [f".git/hooks/{UNKNOWN}"]),
    "what find does not find": ("find a ! -name x -not '(' -name y -o -name z ')' -delete", ["a"]),
    "what find passes over": ("find a -name x -prune -o -name y -print | xargs rm", [f"a/{ANYWHERE}/y"]),
    "what find finds beside the folder of git": (
        "find a -name 'p*' -not -path '*/.git/*' -delete",
        [f"a/{UNKNOWN}/p{UNKNOWN}", f"a/p{UNKNOWN}"],
    ),
    "what find goes no deeper into": (
        "find a -name x -prune -o -name -print | xargs rm",
        [f"a/{ANYWHERE}/x", f"a/{ANYWHERE}/-print"],
    ),
    "what find takes whole": ("find a -name x -prune -exec rm -r {} +", [f"a/{ANYWHERE}/x"]),
    "what find may find by anything": ("find a -name x -o -type f | xargs rm", [f"a/{ANYWHERE}/x", f"a/{UNKNOWN}"]),
    "names in a command of find": ("find a -exec echo -name x {} + -name y -delete", [f"a/{ANYWHERE}/y"]),
    "what find prints by format": ("find a -printf '%f\\n' | xargs rm", [UNKNOWN]),
    "what a command of find prints": ("find a -exec basename {} ';' | xargs rm", [UNKNOWN]),
    "what find prints, in a substitution": ("rm $(find a -printf .git/hooks)", [UNKNOWN]),
    "xargs rm": ("echo a b | xargs rm -f", ["a", "b"]),
    "sudo": ("sudo rm a", ["a"]),
    "curl": ("curl -so a http://x", ["a"]),
    "wget": ("wget -O a http://x", ["a"]),
    "sort": ("sort -o a b", ["a"]),
    "tar": ("tar -xzf x.tgz -C a", ["a"]),
    "python": ("python3 -c \"open('.git/config', 'w')\"", [".git/config"]),
    "python by a document": ("python3 - <<'E'\nopen('a/b', 'w')\nE", ["a/b"]),
    "node": ("node -e \"fs.rmSync('a/b')\"", ["a/b"]),
    "ruby": ("ruby -e 'File.delete(\"a/b\")'", ["a/b"]),
    "git checkout": ("git checkout HEAD~1 -- a b", ["a", "b"]),
    "git checkout without dashes": ("git checkout a.py", ["a.py"]),
    "git restore": ("git restore -s HEAD a", ["a"]),
    "git rm": ("git rm -r a", ["a"]),
    "git mv": ("git mv a b", ["a", "b"]),
    "git clean": ("git clean -fdx", ["."]),
    "git stash of paths": ("git stash push -- a", ["a"]),
    "git stash of all": ("git stash -u", ["."]),
    "git apply": ("git apply x.patch", [UNKNOWN]),
    "git diff to a file": ("git diff --output=a", ["a"]),
    "git config of a file": ("git config -f a x.y z", ["a"]),
}
WRITES_NOTHING = (
    *("ls > /dev/null", "ls 2>&1", "ls >&2", "ls 2>/dev/null", "cat < a", "cat a", "sed -n 1,5p a", "sed s/x/y/ a"),
    *("find a -name x", "cp --help", "mkdir -p a", "curl -s http://x", "sort a", "tar -tzf x.tgz", "perl -ne print a"),
    *("git checkout main", "git clean -n", "git rm --cached a", "git stash", "git apply --check x", "git diff a"),
    *(
        "python3 -c 'print(1)'",
        "python3 a.py",
        "echo 'x > a'",
        "grep -e '->' a",
        "[[ a > b ]]",
        "(( 1 > 0 ))",
        "dd if=a",
    ),
)


@pytest.mark.parametrize(("line", "expected"), WRITES.values(), ids=WRITES)
def test_a_path_that_would_change_is_found(line: str, expected: list[str]) -> None:
    assert paths(line) == expected


@pytest.mark.parametrize("line", WRITES_NOTHING)
def test_a_line_that_changes_no_path_is_no_act(line: str) -> None:
    assert acts_in(line, lambda _: {}) == ()


def test_a_path_is_told_with_the_folder_it_is_meant_in() -> None:
    assert [(act.words, act.folder) for act in acts_in("cd .git && rm config; (cd hooks; rm x)", lambda _: {})] == [
        (("config",), ".git"),
        (("x",), ".git/hooks"),
    ]
