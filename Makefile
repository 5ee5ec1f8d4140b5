# SPDX-License-Identifier: GPL-3.0-or-later
# The front door. `make help` lists what there is; the work is done by CMake and by the scripts in tools/.

.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
.PHONY: help play build test test-long bench release lint format coverage clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

play: build ## install what is missing, build, start
	@tools/play

build: ## the program, tuned for this machine, at build/rokada
	@tools/setup build
	@test -f build/build.ninja || cmake --preset release -DROKADA_TESTS=OFF
	@cmake --build build --target rokada

test: ## install what is missing, build, run every test in short form
	@tools/setup build test dev
	@tools/test

lint: ## layout, static checks, include directions, licence lines
	@tools/setup build test dev
	@tools/lint

clean: ## remove everything that was built
	rm -rf build
