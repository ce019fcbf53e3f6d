# make demo   set everything up and run a real task on a model on this machine
# make test   set everything up, build once and run every test
# make check  the tests again under sanitizers, with fuzz corpora and a short soak
# make build  only build: the command is build/hone
# make soak   hours' worth of trouble in minutes: many simulated seeds, 1,000 kills of real runs
# make fuzz   each fuzzer searches for FUZZ_SECONDS (60)
# make package  a tarball of the command and the library, in build/
# make bench  the figures of docs/benchmarks.md
# make local-report  ways to revise, compared on the local model (hours; goes on where it stopped)
# make tidy   the short list of clang-tidy over all sources
# make gcc    build and test with g++ 12 too
# make fmt    format all sources

SHELL := /bin/bash
.DEFAULT_GOAL := build
JOBS ?= $(shell nproc)
SOAK_SEEDS ?= 1..50000
export PATH := $(PATH):$(HOME)/.cargo/bin

.PHONY: setup build demo test check soak fuzz package bench tidy gcc fmt clean local-report

setup:
	@./setup

build: setup
	@cmake --preset release $(CMAKE_FLAGS) > build.log 2>&1 || { cat build.log; rm -f build.log; exit 1; }; rm -f build.log
	@ninja -C build -j $(JOBS)

demo: build
	@scripts/demo

test: build
	@ctest --test-dir build --output-on-failure -j $(JOBS)

check: setup
	@scripts/check

soak: build
	@build/tests/simulation/hone_simulation --seeds $(SOAK_SEEDS)
	@build/tests/simulation/hone_simulation --everywhere 1..100
	@build/tests/simulation/hone_simulation --broken-judges 1..20000
	@scripts/kill_test --kills 1000
	@scripts/soak --seconds 120

fuzz: setup
	@scripts/fuzz

package: build
	@cd build && cpack > cpack.log || { cat cpack.log; exit 1; }; ls hone-*.tar.gz

bench: build
	@scripts/bench

local-report: build
	@/usr/bin/python3 bench/policies/compare.py build/hone $(REPORT_FLAGS)

tidy: build
	@git ls-files 'hone/*.cc' 'apps/*.cc' | xargs -P $(JOBS) -n 4 clang-tidy-19 -p build --quiet

gcc: setup
	@cmake --preset gcc > build-gcc.log 2>&1 || { cat build-gcc.log; rm -f build-gcc.log; exit 1; }; rm -f build-gcc.log
	@ninja -C build-gcc -j $(JOBS)
	@ctest --test-dir build-gcc --output-on-failure -j $(JOBS)

fmt:
	@git ls-files '*.h' '*.cc' | xargs clang-format-19 -i

clean:
	@rm -rf build build-dev build-asan build-tsan build-gcc build-fuzz
