"""The rules of Ice Palace as a rulebook and as constraints."""
