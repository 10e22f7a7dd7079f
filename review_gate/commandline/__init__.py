"""What a line of shell would start, told from its text alone and without running any of it.

The lexer and the parser are written by hand: bashlex is under the GPL and takes long to import, and tree-sitter needs a
compiled wheel and expands no words. Where the text alone does not tell, the answer is "unclear" and never a guess.
"""
