# make run | test | test-all | check | bench-start | bench-ask
SHELL := /bin/sh
VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip --disable-pip-version-check install --quiet
TESTS := $(VENV)/.steward-tests
# What Python has compiled is kept: otherwise every run, and every process that a test starts, compiles it all again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test test-all check bench-start bench-ask golden clean

run: ## start the daemon and open the page
	./steward up
	./steward open

$(TESTS): pyproject.toml
	./steward --version
	$(PIP) -e '.[test]'
	cp pyproject.toml $(TESTS)

test: $(TESTS) ## everything that needs no extra
	$(PY) -P -m pytest

test-all: $(TESTS) ## every extra installed, every test
	./steward setup embed --yes
	$(PY) -P -m pytest -m 'embed'

check: $(TESTS) ## format, lint, types, arrows, fast tests
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy
	$(VENV)/bin/lint-imports
	$(PY) -P -m pytest -n auto --dist worksteal -m 'not slow and not sandbox and not browser and not embed'
	@echo 'check: all good'

golden: $(TESTS) ## the golden sentences, and docs/results/golden.md
	$(PY) -m tests.benchmarks.golden

bench-start: $(TESTS) ## start-up, idle cost, size on disk
	$(PY) -m tests.benchmarks.start

bench-ask: $(TESTS) ## a warm one-task request
	$(PY) -m tests.benchmarks.ask

clean:
	rm -rf $(VENV) build *.egg-info
