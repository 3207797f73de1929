"""What pi costs: measured from outside through a pseudo-terminal, and in one process for the toolkit."""
