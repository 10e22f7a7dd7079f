"""Configuration: layers of YAML merged into one validated value that knows where each part came from."""
