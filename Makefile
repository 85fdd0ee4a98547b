# The two commands of a newcomer are `make audit` and `make test`; both need only Python 3.11+ and make.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: audit lint check quick test suite test-slow coverage report docs bench constraints clean

# The stamp is newer than both files exactly when the environment holds what they ask for.
.venv/.installed: pyproject.toml .ci/constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check \
		--constraint .ci/constraints.txt --editable '.[dev]'
	@touch $@

audit: .venv/.installed
	$(BIN)/rulecheck audit

lint: .venv/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Lint, types and the tests of a minute, for whoever is changing something; types are checked beside the tests.
check: .venv/.installed
	$(MAKE) --jobs 2 lint quick

quick: .venv/.installed
	$(BIN)/pytest -n 2 --dist worksteal -m quick

test: .venv/.installed
	$(MAKE) --jobs 2 lint suite

suite: .venv/.installed
	$(BIN)/pytest -n 2 --dist worksteal

# The long tests: PART=2/4 runs every fourth of them, beginning with the second.
PART ?= 1/1
test-slow: .venv/.installed
	$(BIN)/pytest -n 2 --dist worksteal -m slow --part $(PART)

# What the tests of a minute execute, in one process; compiled code is not seen. COVERED= takes the default suite.
COVERED ?= -m quick
coverage: .venv/.installed
	$(BIN)/coverage run -m pytest -n 0 $(COVERED)
	$(BIN)/coverage report --format=total
	$(BIN)/coverage html

report: .venv/.installed
	$(BIN)/rulecheck report

# The pages that are made from the code: the commands, and the picture of the house.
docs: .venv/.installed
	$(BIN)/python docs/commands.py
	$(BIN)/python docs/house.py

bench: .venv/.installed
	$(BIN)/python -m benchmarks

# The newest versions that pyproject.toml allows; run the whole suite before committing them.
constraints:
	rm -rf .venv
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	$(BIN)/python -m pip freeze --exclude-editable > .ci/constraints.txt

clean:
	rm -rf .venv build dist htmlcov .coverage *.egg-info
