"""Views of the kinds of transcript entries, one file each."""
