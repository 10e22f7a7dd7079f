"""One file per verb: gather facts, call the core, save the result."""
