"""The explorer: a local web page on which every game can be clicked through (`rulecheck serve`)."""
