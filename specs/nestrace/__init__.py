"""The rules of Nest race as a rulebook and as constraints."""
