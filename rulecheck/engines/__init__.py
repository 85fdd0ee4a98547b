"""Executable rules, one module a game: what a careful player would do, step by step."""
