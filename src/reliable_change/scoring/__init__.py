"""From an item and a reply's text to one of six categories, by the item's task; nothing else."""
