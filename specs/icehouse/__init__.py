"""The rules of Icehouse as a rulebook and as constraints."""
