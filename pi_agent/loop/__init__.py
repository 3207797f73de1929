"""One run of the model and its tools."""
