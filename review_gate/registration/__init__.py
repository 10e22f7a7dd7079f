"""What is registered with coding agents, how it is put into their settings, and whether it is still whole there."""
