"""What is special about Ice Palace: questions that no other game asks."""
