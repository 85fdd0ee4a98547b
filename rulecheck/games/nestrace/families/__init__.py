"""What is proved of Nest race, family by family; `table` lists the families."""
