# SPDX-License-Identifier: GPL-3.0-or-later
# The front door. `make help` lists what there is; the work is done by CMake and by the scripts in tools/.

.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
.PHONY: help play build release test test-long test-cluster test-gui bench bench-suites bench-strength bench-match bench-levels bench-web bench-server bench-cluster lint format coverage screenshots deb tarball clean

# Lists of tools/packages: what the program itself needs, with the browser client inside it.
program := build node

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

play: build ## install what is missing, build, start
	@tools/play

build: ## the program, tuned for this machine, at build/rokada
	@tools/setup $(program)
	@tools/web
	@test -f build/build.ninja || cmake --preset release -DROKADA_TESTS=OFF
	@cmake --build build --target rokada rokada-lab-engine

release: ## the fastest program this machine can make, at build/release/rokada (CPU=v3 for another machine)
	@tools/setup $(program) release
	@tools/web
	@tools/release $(CPU)

test: ## install what is missing, build, run every test in short form
	@tools/setup $(program) test dev
	@tools/test

test-long: ## the full figures; takes hours, goes on where it was interrupted
	@tools/setup $(program) test dev deb
	@tools/test-long

bench: ## speed of every part, beside other programs where there are any
	@tools/setup $(program) bench
	@tools/bench

bench-suites: build ## test positions and mates, 1 s each
	@tools/setup bench
	@bench/long/suites.sh

bench-strength: build ## matches against other engines; hours, goes on where it was interrupted
	@tools/setup bench
	@bench/long/strength.sh

bench-match: build ## what a match itself costs, and that it can be killed and resumed; ten minutes
	@tools/setup bench
	@bench/long/referee.sh

test-cluster: build ## several servers on one PostgreSQL and NATS, killed and stopped under load; minutes
	@tools/setup $(program) test
	@cmake --preset release -DROKADA_TESTS=ON >/dev/null && cmake --build build --target test_server
	@ROKADA_CLUSTER_GAMES=40 ROKADA_CLUSTER_KILLS=2 tests/long/cluster

test-gui: build ## games in xboard, PyChess and GNOME Chess, on a virtual screen; LONG=1: xboard's match at full length
	@tools/setup gui
	@ROKADA_PICTURES=build/logs/gui tools/test-gui $(if $(LONG),long)

bench-levels: build ## the playing levels beside Stockfish at the same strength, with clocks; an hour, goes on where it was interrupted
	@tools/setup bench
	@bench/long/levels.sh

bench-web: build ## size and speed of the browser client, its engine beside another one
	@tools/setup $(program) test
	@tools/web bench

bench-server: build ## how much the server bears: moves a second, latency, memory
	@build/rokada lab load

bench-cluster: build ## what a move costs that comes in at another server than the one that runs the game
	@tools/setup test
	@bench/long/cluster.sh

lint: ## layout, static checks, include directions, licence lines
	@tools/setup $(program) test dev
	@tools/lint

format: ## lay out the source as .clang-format says
	@tools/setup dev
	@git ls-files '*.cpp' '*.hpp' '*.h' | xargs -r clang-format-19 -i

coverage: ## which lines the tests run, as a page and as a table
	@tools/setup $(program) test coverage
	@tools/coverage

screenshots: build ## every page of the web client at three sizes, in build/screenshots
	@tools/setup $(program) test
	@tools/web screenshots

deb: ## Debian packages for any x86-64, in build/deb
	@tools/setup $(program) deb
	@tools/web
	@tools/deb

tarball: ## the same as one archive that runs from any folder
	@tools/setup $(program) deb
	@tools/web
	@tools/tarball

clean: ## remove everything that was built
	rm -rf build
