"""What is special about each game: one package a game, whose `__init__` says what it knows better than the defaults."""
