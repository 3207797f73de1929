"""`python -m pi_tui.gallery`: all components and features of the toolkit, a page each, to see and to copy from."""
