"""One module for each notebook: archive in, tidy table out."""
