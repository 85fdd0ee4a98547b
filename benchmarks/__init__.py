"""What the solvers gain over plainer ways to the same answers, measured in the same run.

Each module of this folder that ends in `_bench` has a function `rows(small)`, which measures one thing after the
other and yields a `Row` for each; `__main__` runs them all, and `page` keeps what they found in `reports/`.
"""
