"""What is proved of Hextris, family by family; `table` lists the families."""
