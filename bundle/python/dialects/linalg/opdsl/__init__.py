"""A language for structured operations, written as comprehensions over named dimensions."""
