"""How much of check files is read; imported by the commit hook, so it stays free of imports."""

MAX_FILE_BYTES = 2_000_000
MAX_FOLDER_FILES = 500
MAX_FOLDER_BYTES = 8_000_000
