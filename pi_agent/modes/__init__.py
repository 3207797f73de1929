"""Modes without a screen."""
