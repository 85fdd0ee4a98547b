"""Puzzles of Crosswalk; `kinds` lists them."""
