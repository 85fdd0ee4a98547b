"""What is special about Nest race: questions that no other game asks."""
