# Two commands do everything: `make demo` and `make test`. Each makes what it needs first.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/installed
MICROPYTHON := tests/firmware/micropython

.PHONY: demo test test-slow bench film matches taught hard soak powercut lint golden drawings deals fuzz install train clean help

help:
	@sed -n 's/^## //p' $(MAKEFILE_LIST)

## make demo       a match of Dezertyras on the simulated table (a window, or headless without a display)
demo: $(STAMP)
	$(BIN)/kortstalis demo $(DEMO)

## make test       the tests
test: $(STAMP)
	$(BIN)/pytest

## make test-slow  the tests and the long ones
test-slow: $(STAMP)
	@$(MICROPYTHON)/build-unix || echo "MicroPython's unix port could not be built: its tests will be skipped" >&2
	$(BIN)/pytest -m "slow or not slow"

## make bench      the benchmarks: programs that print figures
bench: $(STAMP)
	$(BIN)/python -m bench

## make film       deals filmed with disturbances: what is missed, misread, late (FILM="--deals 200 --to F")
film: $(STAMP)
	$(BIN)/python -m bench.film $(FILM)

## make matches    whole matches of every game and number of players (MATCHES="--seeds 10 --to FILE")
matches: $(STAMP)
	$(BIN)/python -m bench.matches $(MATCHES)

## make taught     matches with decks that were taught card by card (TAUGHT="--matches 10 --faces DIR")
taught: $(STAMP)
	$(BIN)/python -m bench.taught $(TAUGHT)

## make hard       cards seen badly, of decks nobody trained on: right at each confidence (HARD="--pictures 600")
hard: $(STAMP)
	$(BIN)/python -m bench.hard $(HARD)

## make soak       an evening of simulated play at high speed; nothing may grow (SOAK="--hours 0.1")
soak: $(STAMP)
	$(BIN)/python -m bench.soak $(SOAK)

## make powercut   1,000 kills, 200 power cuts: is every line that was shown on the disk? (POWERCUT="--kills 100")
powercut: $(STAMP)
	$(BIN)/python -m bench.powercut $(POWERCUT)

## make lint       ruff and mypy --strict
lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/mypy

## make golden     write the golden playthroughs anew (look at what changed)
golden: $(STAMP)
	$(BIN)/python -m tests.engine.golden

## make deals      10,000 random deals of each game, checked (about an hour)
deals: $(STAMP)
	$(BIN)/python -m tests.engine.deals

## make fuzz       fuzz the record reader and the referee for ten minutes
fuzz: $(STAMP)
	$(BIN)/pip install --quiet -c constraints.txt -e '.[fuzz]'
	$(BIN)/python -m tests.engine.fuzz -max_total_time=600

## make train      render the training pictures and train the index network again (hours)
train: $(STAMP)
	$(BIN)/pip install --quiet -c constraints.txt -e '.[train]'
	$(BIN)/python -m vision.train all

## make drawings   the hardware's drawings and tables anew, from their numbers
drawings: $(STAMP)
	$(BIN)/python -m hardware.drawings

## make install    only the virtual environment, with kortstalis in it
install: $(STAMP)

$(STAMP): $(MICROPYTHON)/package.json pyproject.toml constraints.txt system-packages.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "kortstalis needs Python 3.11 or newer as $(PYTHON); install the packages that system-packages.txt names" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
	  echo "the Python package venv is missing; run: sudo apt-get install $$(grep -v '^#' system-packages.txt | tr '\n' ' ')" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@if command -v npm >/dev/null; then \
	  npm install --prefix $(MICROPYTHON) --silent --no-package-lock --no-audit --no-fund || \
	  echo "MicroPython could not be fetched: its tests will be skipped" >&2; fi
	@touch $(STAMP)

clean:
	rm -rf $(VENV) $(MICROPYTHON)/node_modules $(MICROPYTHON)/unix .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist *.egg-info
