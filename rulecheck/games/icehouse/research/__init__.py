"""What is special about Icehouse: questions that no other game asks."""
