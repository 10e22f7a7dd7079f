"""All input and output, no decisions."""
