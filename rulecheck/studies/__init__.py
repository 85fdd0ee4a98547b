"""What each game asks of the analyses: proof families, claims, stalemates, games to solve."""
