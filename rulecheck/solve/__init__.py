"""Solve a game, keep it as a table, answer from it, and prove it again without the solver."""
