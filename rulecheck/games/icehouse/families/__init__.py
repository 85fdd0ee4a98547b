"""What is proved of Icehouse, family by family; `table` lists the families."""
