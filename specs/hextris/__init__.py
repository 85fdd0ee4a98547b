"""The rules of Hextris as a rulebook and as constraints."""
