# Everything works from a fresh clone: the first target run makes the virtual environment.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
INSTALLED := $(VENV)/.installed
READY  := $(VENV)/.ready
BENCH_READY := $(VENV)/.bench-ready
SITE_READY := $(VENV)/.site-ready
INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check --editable

# Tests start hundreds of processes, and each would translate all modules to bytecode again.
unexport PYTHONDONTWRITEBYTECODE

# Parts of long targets: TESTS= files for pytest, GAMES= how many games, BENCH= benchmarks, TARGETS= of check-targets.

.PHONY: help demo test test-slow test-under-load test-ray lint compiled collected format bench playthroughs docs site mutants \
	race-million lords-million wonders-invariants scripts-ten-thousand check-targets constraints release clean

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 20

$(BIN)/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Boardwright needs Python 3.11 or newer; set PYTHON=... to use another one"; exit 1; }
	@$(PYTHON) -m venv $(VENV) \
		|| { echo "Python's venv module is missing; on Debian: apt-get install python3-venv"; exit 1; }

$(INSTALLED): pyproject.toml | $(BIN)/pip
	$(INSTALL) .
	@touch $@

$(READY): pyproject.toml | $(BIN)/pip
	$(INSTALL) '.[dev]' --no-compile
	@touch $(INSTALLED) $@

$(BENCH_READY): $(READY)
	$(INSTALL) '.[bench]'
	@touch $@

$(SITE_READY): $(READY)
	$(INSTALL) '.[docs]'
	@touch $@

demo: $(INSTALLED)  ## a live match, then one decision explained
	@$(BIN)/boardwright demo

test: $(READY)  ## lint, types and the test suite; for two cores three workers, since many tests wait
	@$(MAKE) --no-print-directory --jobs 2 --output-sync lint compiled collected
	TESTS_COMPILED=yes $(BIN)/pytest -n 3 --dist worksteal $(TESTS)

test-slow: $(READY)  ## the statistical suites too
	$(BIN)/pytest -n 3 --dist worksteal -m 'slow or not slow' $(TESTS)

test-under-load: $(READY)  ## the tests with four busy loops beside them: none may depend on the machine's speed
	@loops=""; trap 'kill $$loops' EXIT; \
	for loop in 1 2 3 4; do $(BIN)/python -c 'while True: pass' & loops="$$loops $$!"; done; \
	$(BIN)/pytest -n 3 --dist worksteal $(TESTS)

lint: $(READY)  ## ruff, mypy, and TypeScript over the pages' modules where Node.js is installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python tests/page_types.py

compiled: $(READY)  ## compile what tests use
	$(BIN)/python -m tests.compiled batches

# Otherwise each worker of pytest would translate every test, and the libraries that tests use, to bytecode.
collected: $(READY)  ## collect the tests once, which keeps their bytecode
	@$(BIN)/pytest --collect-only -qq $(TESTS) > $(VENV)/collected.txt || { cat $(VENV)/collected.txt; exit 1; }

format: $(READY)  ## let ruff fix what it can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

test-ray: $(READY)  ## tests on Ray, with workers and a node that are killed; installs it
	$(INSTALL) '.[ray]'
	$(BIN)/pytest tests/test_ray.py -m 'slow or not slow'

bench: $(BENCH_READY)  ## benchmarks, peers measured in the same run
	$(BIN)/python benchmarks/run.py $(BENCH)

playthroughs: $(READY)  ## regenerate the golden games of tests/playthroughs
	$(BIN)/boardwright playthrough --all tests/playthroughs

wonders-invariants: $(READY)  ## 200,000 random games of 7 Wonders, every position recounted
	$(BIN)/python -m tests.wonders_random_games $(or $(GAMES),200000)

docs: $(READY)  ## regenerate the tables of figures and the pictures of the README
	$(BIN)/python docs/figures.py
	$(BIN)/python docs/pictures.py

site: $(SITE_READY)  ## build the documentation site into site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo "site/index.html"

mutants: $(READY)  ## change the source in many places; list the changes no test notices (about an hour)
	$(BIN)/python tests/mutants.py $(MUTANTS)

race-million: $(READY)  ## a million random games of race, every invariant checked at every step
	$(BIN)/python -m tests.race_random_games $(or $(GAMES),1000000)

lords-million: $(READY)  ## a million random games of lords, every invariant checked at every step
	$(BIN)/python -m tests.lords_random_games $(or $(GAMES),1000000)

scripts-ten-thousand: $(READY)  ## 10,000 games with a script that fails at random; nothing may be left behind
	FAILING_GAMES=$(or $(GAMES),10000) $(BIN)/pytest -m slow tests/test_scripts.py -k ten_thousand

check-targets: $(READY)  ## every target of this file, in a fresh clone and as short as it can be
	$(BIN)/python tests/targets.py $(TARGETS)

constraints: $(READY)  ## write the versions of what is installed in .venv to constraints.txt
	@{ sed -n '/^#/p' constraints.txt; $(BIN)/pip freeze --exclude boardwright | grep -v '^[#-]'; } > constraints.new
	@mv constraints.new constraints.txt

release: $(READY)  ## build wheel and sdist into dist/, and check them in an empty environment
	$(INSTALL) '.[release]'
	$(BIN)/python tests/release.py

clean:  ## remove the virtual environment and caches
	rm -rf $(VENV) site .mypy_cache .ruff_cache .pytest_cache .hypothesis
