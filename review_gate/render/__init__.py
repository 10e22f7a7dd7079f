"""Reports and decisions to text: pure functions."""
