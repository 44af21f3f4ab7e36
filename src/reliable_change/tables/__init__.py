"""Tables for authors: each published layout as LaTeX, CSV and HTML."""
