"""The tree of a session as rows."""
