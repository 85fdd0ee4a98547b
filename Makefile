# The two commands of a newcomer are `make audit` and `make test`; both need only Python 3.11+ and make.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: audit test test-slow report bench clean

# The stamp is newer than pyproject.toml exactly when the environment holds what pyproject.toml asks for.
.venv/.installed: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

audit: .venv/.installed
	$(BIN)/rulecheck audit

test: .venv/.installed
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -n 2

test-slow: .venv/.installed
	$(BIN)/pytest -n 2 -m slow

report: .venv/.installed
	$(BIN)/rulecheck report

bench: .venv/.installed
	$(BIN)/python -m benchmarks

clean:
	rm -rf .venv build dist *.egg-info
