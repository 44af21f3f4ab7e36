"""Archives of trials: schema, validation, reading, writing, counting."""
