"""The commands, thin: each reads its arguments, calls the analysis and prints what it returns."""
