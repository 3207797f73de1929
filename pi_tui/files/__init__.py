"""Files as people name them: completing a path, and finding a file by a part of its name in large trees."""
