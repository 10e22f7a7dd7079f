"""What a command line of a coding agent would do: pushes, ways around git's hooks, and writes to guarded files.

`quick` answers first, in plain Python: no word of git or of a hook, nothing to do. `find` is the way in. A line of
plain words is cut at its blanks; tree-sitter-bash parses any other (`tree`). `programs` knows shells, wrappers and
writers, `git` knows git, and `acts` holds the nouns. Nothing here looks at the disk or starts a program.
"""
