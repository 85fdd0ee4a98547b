"""How long the solvers take, against plainer ways to the same answers in the same run."""
