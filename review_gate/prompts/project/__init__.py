"""What a project is made of, read off the texts of its own files."""
