# make play   sets everything up and opens the tables in the browser
# make test   sets everything up and runs every check
# make quick  lint, types and the usual variants, in a minute
PYTHON ?= python3
PORT ?= 8000
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# What checks the pages, their style and their script; without npm those checks are left out, but not in CI.
NODE := $(if $(shell command -v npm),node_modules/.ready)

.PHONY: play test quick lint bench lock messages picture clean

play: $(READY)
	@$(BIN)/kartoteka serve --open --port $(PORT)

test: $(READY) lint
	$(BIN)/pytest -n 2

quick: $(READY) lint
	$(BIN)/pytest -n 2 -m "not slow"

lint: $(READY) $(NODE)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@! LC_ALL=C.UTF-8 grep -rnE --exclude-dir=node_modules --include='*.css' --include='*.html' --include='*.js' '^.{119}' src tests || \
	  { echo "These lines are longer than 118 characters."; exit 1; }
ifdef NODE
	npm run --silent lint
else
	@echo "Without npm, style and script of the pages are left unchecked."; test -z "$$CI"
endif

bench: $(READY)
	$(BIN)/kartoteka bench

# The environment: what requirements.lock pins, hash by hash, and this package itself.
$(READY): pyproject.toml requirements.lock
	@$(PYTHON) tools/can_install.py
	@echo "Setting up (once; about a minute) ..."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

$(NODE): package-lock.json
	@npm ci --silent --no-audit --no-fund
	@touch $@

# Pin anew after editing the dependencies in pyproject.toml.
lock: $(READY)
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --upgrade --extra dev --generate-hashes \
	  --no-emit-index-url --no-annotate --no-header pyproject.toml --output-file requirements.lock

# Collect every text a person reads; translators start from the .pot file.
messages: $(READY)
	$(BIN)/pybabel --quiet extract --mapping=babel.cfg --keyword=N_ --no-location --sort-output --omit-header \
	  --output-file=src/kartoteka/locale/kartoteka.pot src

# Draw the README's pictures anew, and those that links to games show (needs Chromium).
picture: $(READY)
	$(BIN)/python docs/picture.py

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis node_modules
