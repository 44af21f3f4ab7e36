"""Readers of other projects' files: each makes an archive of them."""
