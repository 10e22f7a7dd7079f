"""The command line: a parser, an error boundary and one small file per verb."""
