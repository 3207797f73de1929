"""One live conversation: the object that all modes drive."""
