"""Dialogs that take the editor's place, one file each."""
