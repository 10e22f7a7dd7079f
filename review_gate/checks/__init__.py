"""The check engine: rules from YAML files and Markdown tables, sought in texts, fast and exactly."""
