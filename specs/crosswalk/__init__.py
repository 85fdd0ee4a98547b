"""The rules of Crosswalk as a rulebook and as constraints."""
