"""How the rows of the built-in tools look, one file each."""
