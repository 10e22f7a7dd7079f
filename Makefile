# make demo   install into .venv and watch the gate at work in a throw-away repository
# make test   every check and every test
# make test-slow  repetitions and huge repositories, which make test leaves out
# make bench  ratios against bare git and other hook managers
# make test-agents  our hooks, commands and plugin in the real Claude Code, before a scripted model on loopback

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
MADE := $(VENV)/.made
RUN := $(VENV)/.installed
DEV := $(VENV)/.installed-dev
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable

# The tests start the program a thousand times; where nothing keeps it compiled, each start would compile it again.
unexport PYTHONDONTWRITEBYTECODE

# On a Node that is too old for it npm takes another version without a word, so the version is named.
CLAUDE_CODE := 2.1.325
AGENTS := $(VENV)/agents/$(CLAUDE_CODE)
# Another copy of the same program: make test-agents CLAUDE=/path/to/claude
CLAUDE ?= $(AGENTS)/node_modules/.bin/claude

.PHONY: demo test unit test-slow test-agents lint bench clean

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

unit: $(DEV)
	$(BIN)/pytest -n auto --dist worksteal

# At once: while tests wait for a deadline, a processor is free to look at types.
test: $(DEV)
	@$(MAKE) --no-print-directory -j2 lint unit

test-slow: $(DEV)
	$(BIN)/pytest -n auto --dist worksteal -m slow

$(AGENTS)/node_modules/.bin/claude: | $(MADE)
	@echo "installing Claude Code $(CLAUDE_CODE) into $(AGENTS)"
	@mkdir -p $(AGENTS)
	@npm install --silent --no-audit --no-fund --prefix $(AGENTS) @anthropic-ai/claude-code@$(CLAUDE_CODE)

test-agents: $(DEV) $(CLAUDE)
	@test "$$($(CLAUDE) --version)" = "$(CLAUDE_CODE) (Claude Code)" || { echo "$(CLAUDE) is not Claude Code $(CLAUDE_CODE)" >&2; exit 1; }
	REVIEW_GATE_TEST_CLAUDE="$(abspath $(CLAUDE))" $(BIN)/pytest -n 2 tests/agents

# The pip that a Python brings along may be years old; that of today writes a launcher which starts 4 ms sooner.
bench: $(RUN)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	@$(PIP) . --no-deps --force-reinstall
	@$(PIP) '.[anthropic]' GitPython
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) build dist .benchmarks
