"""Figures: each function draws the table it is given."""
