"""Notebook 11: every method on one archive and on worlds where the truth is known."""
