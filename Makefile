# Lading. `make` alone lists what can be made; everything that is made lies under .build.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# Handed on to the program (`make run ARGS="--port 9000"`) or to the tests (`make test-browser ARGS="-k detail"`).
ARGS ?=

.PHONY: help run test test-swift test-browser lint tsan bench soak mutate fuzz clean

help:  ## This list.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run:  ## Build and start Lading; ARGS="--port 9000" hands on options.
	@Scripts/run $(ARGS)

test:  ## Build once, then run all Swift and all browser tests.
	@Scripts/test swift browser

test-swift:  ## The Swift tests alone; ARGS="--filter OrdersTests" chooses some.
	@Scripts/test swift -- $(ARGS)

test-browser:  ## The browser tests alone; ARGS="-k detail" chooses some.
	@Scripts/test browser -- $(ARGS)

lint:  ## Check the format of all Swift sources, and that Python and shell scripts parse.
	@Scripts/lint

tsan:  ## Run the tests of the engine with the thread sanitizer; ARGS="--filter FeedLawTests" chooses some.
	@Scripts/tsan $(ARGS)

bench:  ## Measure; prints one line a figure.
	@Scripts/require swift sqlite zlib turbojpeg png
	@Benchmarks/run

soak:  ## Run the engine's tests RUNS=100 times, then the long tests of kills, power cuts and failing system calls.
	@Scripts/soak $(or $(RUNS),20)

mutate:  ## Change the engine's decisions one at a time, and list what no test notices; SECONDS=600, SEED=1, ARGS="Pager" choose.
	@Scripts/mutate --seconds $(or $(SECONDS),600) $(if $(SEED),--seed $(SEED)) $(ARGS)

fuzz:  ## Feed each parser of outside bytes with inputs that libFuzzer makes; SECONDS=60 for each, ARGS="orders fields" choose.
	@Scripts/fuzz $(or $(SECONDS),60) $(ARGS)

clean:  ## Remove everything that was built or downloaded.
	rm -rf .build
