"""Wire protocols, one file each."""
