"""May this commit leave the machine? Standard library only: this runs in every hook."""
