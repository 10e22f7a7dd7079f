# make demo   install into .venv and watch the gate at work in a throw-away repository
# make test   every check and every test
# make bench  ratios against bare git and other hook managers

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
MADE := $(VENV)/.made
RUN := $(VENV)/.installed
DEV := $(VENV)/.installed-dev
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable

# The tests start the program a thousand times; where nothing keeps it compiled, each start would compile it again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test lint bench clean

$(MADE):
	@$(PYTHON) -c 'import sys; sys.exit("review-gate needs Python 3.11 or newer; try make PYTHON=python3.12" if sys.version_info < (3, 11) else 0)'
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(RUN): pyproject.toml | $(MADE)
	@echo "installing review-gate into $(VENV)"
	@$(PIP) .
	@touch $@

# It brings the program too, so that a fresh clone is installed once and not twice.
$(DEV): pyproject.toml | $(MADE)
	@echo "installing review-gate and the tools for its tests into $(VENV)"
	@$(PIP) '.[dev]'
	@touch $(RUN) $@

demo: $(RUN)
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh docs/demo.sh

lint: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

test: lint
	$(BIN)/pytest -n auto --dist worksteal

# The pip that a Python brings along may be years old; that of today writes a launcher which starts 4 ms sooner.
bench: $(RUN)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	@$(PIP) . --no-deps --force-reinstall
	@$(PIP) '.[anthropic]' GitPython
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) build dist .benchmarks
