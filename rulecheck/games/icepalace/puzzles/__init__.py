"""Puzzles of Ice Palace; `kinds` lists them."""
