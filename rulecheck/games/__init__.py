"""The vocabulary of each game (places, positions, moves, parameters): all that its two encodings share."""
