"""The tree of a session as rows: what each entry says, which of them show, how they hang together, and the list."""
