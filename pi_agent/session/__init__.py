"""The conversation as a tree on disk."""
