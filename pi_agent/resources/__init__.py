"""What is read from disk: themes, keys, models, context files, the system prompt."""
