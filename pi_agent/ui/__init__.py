"""The interactive screen."""
