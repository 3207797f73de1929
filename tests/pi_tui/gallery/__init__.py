"""The gallery is also a test: all that it shows is used in every way."""
