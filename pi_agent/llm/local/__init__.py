"""The small built-in model: how it gets here, its server, and how it is asked. What is there: `llm/local_model.py`."""
