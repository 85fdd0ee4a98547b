"""rulecheck: a formal rules verifier and puzzle solver for board games."""
