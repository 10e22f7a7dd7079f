"""The four loops: what runs in which, in what order, and what came of it."""
