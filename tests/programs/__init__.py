"""Small programs that tests run under a pseudo-terminal."""
