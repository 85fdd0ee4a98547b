"""What is proved of Ice Palace, family by family; `table` lists the families."""
