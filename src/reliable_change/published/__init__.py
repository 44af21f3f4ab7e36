"""The paper's numbers as printed, and the ledger that compares recomputed ones with them."""
