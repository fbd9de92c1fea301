# Lading. `make` lists the targets; all products are in .build.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# Passed to the program (`make run ARGS="--port 9000"`) or to the tests (`make test-browser ARGS="-k detail"`).
ARGS ?=

# Package.swift contains the program and its tests only with this variable.
export LADING_PROGRAM := 1

.PHONY: help run test test-swift test-browser lint docs tsan bench picture soak chaos browsers mutate fuzz clean

help:  ## Print this list.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run:  ## Build and start Lading; ARGS="--port 9000" passes options.
	@Scripts/run $(ARGS)

test:  ## Build once, then run all Swift and all browser tests.
	@Scripts/test swift browser

test-swift:  ## Run the Swift tests; ARGS="--filter OrdersTests" chooses some.
	@Scripts/test swift -- $(ARGS)

test-browser:  ## Run the browser tests; ARGS="-k detail" chooses some.
	@Scripts/test browser -- $(ARGS)

lint:  ## Check formats, the words of names and comments, and all scripts, without a build.
	@Scripts/lint

docs:  ## Build a DocC archive of each library in .build/docs; ARGS="LadingFeeds" chooses some.
	@Scripts/docs $(ARGS)

tsan:  ## Run the tests of the engine with the thread sanitizer; ARGS="--filter FeedInvariantTests" chooses some.
	@Scripts/tsan $(ARGS)

bench:  ## Run the benchmarks; prints one line per figure.
	@Scripts/require swift sqlite zlib turbojpeg png libpq
	@Benchmarks/run

picture:  ## Draw the pictures of the README and of the guides from the program's page.
	@Scripts/picture

soak:  ## Run the engine's tests RUNS=100 times, then the long tests of kills, power cuts and failing system calls.
	@Scripts/soak $(or $(RUNS),20)

chaos:  ## Run three servers over one database with simulated people under faults, and check the history; SECONDS=60 or CLAIMS=100000, SEED=1 choose.
	@Scripts/require swift sqlite zlib turbojpeg png libpq postgresql nginx faketime iproute2
	@Scripts/build --product lading
	@Scripts/chaos $(if $(CLAIMS),--claims $(CLAIMS),--seconds $(or $(SECONDS),60)) $(if $(SEED),--seed $(SEED)) $(ARGS)

browsers:  ## Run the journeys in Firefox and WebKitGTK, of Debian's packages; ARGS="-k photos" chooses.
	@Scripts/other-browsers $(ARGS)

mutate:  ## Mutate the engine's decisions one at a time, and list the mutants that no test catches; SECONDS=600, SEED=1, ARGS="Pager" choose.
	@Scripts/mutate --seconds $(or $(SECONDS),600) $(if $(SEED),--seed $(SEED)) $(ARGS)

fuzz:  ## Run each parser of external input under libFuzzer; SECONDS=60 for each, ARGS="orders fields" choose.
	@Scripts/fuzz $(or $(SECONDS),60) $(ARGS)

clean:  ## Remove everything that was built or downloaded.
	rm -rf .build
