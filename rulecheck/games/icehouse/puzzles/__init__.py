"""Puzzles of Icehouse; `kinds` lists them."""
