"""Item-level change between language models, measured so that anyone can reproduce it."""

__version__ = "0.1.0"
