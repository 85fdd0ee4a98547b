"""Solving methods that know nothing of any game."""
