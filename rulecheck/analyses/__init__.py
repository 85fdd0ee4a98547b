"""Analyses that work for every game: they know its engine, its constraints and its fields, and nothing else of it."""
