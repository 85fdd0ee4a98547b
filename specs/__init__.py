"""The rules a second time: a rulebook (TOML) and constraints (z3) for each game."""
