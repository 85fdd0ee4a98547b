"""What is proved of Crosswalk, family by family; `table` lists the families."""
