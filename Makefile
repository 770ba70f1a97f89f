# What a contributor runs. `make` alone lists it. Needs Python 3.11 or newer, git and make; everything else comes into $(VENV).

VENV ?= .venv
BIN := $(VENV)/bin
ABREAST := -m pytest --dist loadfile --no-loadscope-reorder
TESTS :=
READY := $(VENV)/.ready

# The newest Python on the path that really runs; a shim without a version behind it does not count.
PYTHON ?= $(shell for name in python3.13 python3.12 python3.11 python3 python; do \
	if $$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then echo $$name; break; fi; done)

OWN := runtime codegen tests tools demo
MYPY := runtime/telewright codegen/telewright_codegen demo $(wildcard tools/*.py tools/bench/*.py)

# What one process has compiled the next need not, whatever the environment says.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup demo test system again off check lint types contracts fresh generate golden docs bench soak mutants wheels release clean

help:  ## List the targets
	@awk 'BEGIN {FS = ":.*## "} /^[a-z]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(READY): pyproject.toml codegen/pyproject.toml
	@test -n "$(PYTHON)" || { echo "No Python 3.11 or newer on the path; name one with make PYTHON=..." >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing both distributions and their tools into $(VENV) (`$(BIN)/python --version`)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e . -e codegen --group dev
	@touch $@

setup: $(READY)  ## Make .venv and install both distributions with their tools

demo: setup  ## Run a small training job with telemetry, and draw what it exported
	@$(BIN)/python -m demo

test: setup  ## Run the tests, a few minutes on two cores
	@$(BIN)/python $(ABREAST) -n auto -m "not system and not soak" $(TESTS)

system: setup  ## Run every fault, and what needs Ray, Chromium or Prometheus, where they are installed
	@code=0; for part in "-n 2 --ignore=tests/system" "-n 0 tests/system"; do \
		$(BIN)/python $(ABREAST) -m system $$part || test $$? = 5 || code=1; done; exit $$code  # 5: there was none

again: setup  ## Run the tests that failed last once more, one after the other
	@$(BIN)/python -m pytest --verbose --last-failed --last-failed-no-failures none

off: setup  ## Run the tests of the runtime with telemetry switched off, by either variable
	@$(MAKE) --no-print-directory --jobs 2 off-by-TELEWRIGHT_OFF off-by-OTEL_SDK_DISABLED

off-by-%:
	@SUITE_OFF=$* $(BIN)/python $(ABREAST) -n auto -m "not system and not soak" tests/runtime \
		--ignore=tests/runtime/redaction --ignore=tests/runtime/faults

check: lint types contracts fresh  ## Lint, type-check, hold contracts, and see that nothing generated is stale

lint: setup
	@$(BIN)/ruff check $(OWN)
	@$(BIN)/ruff format --check $(OWN)

types: setup
	@$(BIN)/mypy $(MYPY)
	@$(BIN)/pyright --pythonpath $(BIN)/python

contracts: setup
	@$(BIN)/lint-imports
	@$(BIN)/python tools/layout.py

fresh: setup
	@$(BIN)/telewright generate --check --diff
	@$(BIN)/python tools/architecture.py --check
	@$(BIN)/python tools/asks.py --check

generate: setup  ## Write code and docs from specs/
	@$(BIN)/telewright generate

golden: setup  ## Rewrite the expected files under tests/golden; read the diff afterwards
	@TELEWRIGHT_GOLDEN=write $(BIN)/python -m pytest tests/golden

docs: setup  ## Write every generated page and table, then run the blocks and links of the docs
	@$(BIN)/telewright generate
	@$(BIN)/python tools/architecture.py
	@$(BIN)/python tools/asks.py
	@$(BIN)/python tools/cli_reference.py
	@$(BIN)/python -m pytest tests/docs

bench: setup  ## Measure the goals of docs/benchmarks.md on each installed Python; fail on a missed one
	@$(BIN)/python tools/bench

soak: setup  ## Run the long property and fuzz tests, and break the runtime at random (hours)
	@$(BIN)/python -m pytest -m "soak"
	@$(BIN)/python tools/mutation.py lifecycle
	@$(BIN)/python tools/mutation.py redaction

mutants: setup  ## Take each numbered behaviour away, one at a time; its tests must notice
	@$(BIN)/python tools/mutants.py

wheels: setup  ## Build the wheels and source archives of both distributions into dist/
	@rm -rf dist
	@$(BIN)/python -m hatchling build -d $(CURDIR)/dist
	@cd codegen && $(CURDIR)/$(BIN)/python -m hatchling build -d $(CURDIR)/dist

release: check test wheels  ## Everything that has to be green before a tag, and the wheels to publish

clean:  ## Remove the environment and everything built
	@rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .telewright
