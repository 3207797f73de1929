"""A session as a file for others: a page that stands alone, or the active branch as a session file."""
