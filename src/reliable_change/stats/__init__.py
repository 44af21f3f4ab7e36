"""The statistics of item-level change: arrays in, named results out."""
