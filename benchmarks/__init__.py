"""How fast the gate is, as ratios against git itself and against other hook programs, taken side by side in one run."""
