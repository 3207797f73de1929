"""The slash commands of the interactive program, a file each; `live.py` lists them."""
