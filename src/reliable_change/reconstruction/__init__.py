"""The synthetic archive that satisfies every number the paper prints."""
