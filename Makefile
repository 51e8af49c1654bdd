# Every target makes what it needs in .venv and build/; nothing has to be installed first but
# Python 3.8 or newer (with its venv module), a C++17 compiler and make.
#
#   make PYTHON=python3.10 demo     another Python
#   make test ARGS="-k digits -x"   pytest arguments
#   make bench ARGS=emulator        one suite only
#   make memcheck RUN=python        on a GPU, with a Python that has popsnn and torch for CUDA

PYTHON ?= python3
PYTHONS ?= $(foreach minor,8 9 10 11 12 13,python3.$(minor))
ARGS ?=

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
INSTALL := $(PIP) install --constraint constraints.txt

CPP_DIRS := emulator codelets poplib python/bindings python/popsnn/extensions tests/bindings
SOURCES := CMakeLists.txt pyproject.toml $(shell find $(CPP_DIRS) cuda python/popsnn cmake -type f \
  ! -name '*.pyc' ! -name '*.md' 2>/dev/null)
CPP_FILES = $(shell find $(CPP_DIRS) bench cuda tests/cuda/host -type f \
  \( -name '*.cpp' -o -name '*.hpp' -o -name '*.h' -o -name '*.cuh' \))
PY_DIRS := python emulator/python tests bench tools docs/python_names.py docs/pictures docs/site docs/notebooks

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test lint lint-python lint-cpp format sanitize sanitize-threads memcheck \
  memcheck-recurrent test-gpu test-gpu-limits racecheck racecheck-recurrent memcheck-fuzz racecheck-fuzz \
  races asan kernels host-time check-sdk docs site fuzz bench wheels wheel-matrix clean

help:  ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-20s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(VENV)/.installed  ## train on the handwritten digits, on the emulated IPU
	$(BIN)/popsnn train digits --backend ipu --out runs/demo --overwrite $(ARGS)

# A test without an end ends its worker, which prints where each thread was; the others go on.
HANGS := -o faulthandler_timeout=600 -o faulthandler_exit_on_timeout=true

test: $(VENV)/.installed-dev  ## run all tests, two at a time (one at a time: ARGS="-n 0")
	$(BIN)/python -m pytest -n 2 --dist worksteal $(HANGS) $(ARGS)

lint: lint-python lint-cpp  ## check style, types, Python 3.8 and compiler warnings

lint-python: $(VENV)/.installed-dev
	$(BIN)/ruff check $(PY_DIRS)
	$(BIN)/ruff format --check $(PY_DIRS)
	$(BIN)/mypy
	$(BIN)/vermin --target=3.8- --no-tips --violations $(PY_DIRS)

lint-cpp: $(VENV)/.installed-dev
	@echo "Checking the format of C++"
	@$(BIN)/clang-format --dry-run -Werror $(CPP_FILES)
	@if grep -qx POPSNN_WERROR=ON $(VENV)/.installed-dev; then \
	  echo "The installed build was compiled with warnings as errors"; \
	else \
	  echo "Compiling with warnings as errors (build/lint)" && \
	  $(BIN)/cmake -S . -B build/lint -G Ninja -DPOPSNN_WERROR=ON -DPOPSNN_NATIVE=ON \
	    -DPOPSNN_TEST_BINDINGS=ON \
	    -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN)/ninja) \
	    -DPython_EXECUTABLE=$(abspath $(BIN)/python) \
	    -Dpybind11_DIR=$$($(BIN)/python -m pybind11 --cmakedir) > /dev/null && \
	  $(BIN)/cmake --build build/lint -- --quiet; \
	fi

format: $(VENV)/.installed-dev  ## rewrite Python and C++ in the project's format
	$(BIN)/ruff check --fix $(PY_DIRS)
	$(BIN)/ruff format $(PY_DIRS)
	$(BIN)/clang-format -i $(CPP_FILES)

# The package with its native part and its codelets under sanitizers, in a folder of its own.
build/sanitize-%/.installed: $(VENV)/.installed-dev $(SOURCES)
	@$(BIN)/cmake -S . -B build/sanitize-$* -G Ninja -DPOPSNN_SANITIZE=$* \
	  -DPOPSNN_TEST_BINDINGS=ON \
	  -DCMAKE_INSTALL_PREFIX=$(abspath build/sanitize-$*/site) \
	  -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN)/ninja) \
	  -DPython_EXECUTABLE=$(abspath $(BIN)/python) \
	  -Dpybind11_DIR=$$($(BIN)/python -m pybind11 --cmakedir) > /dev/null
	@$(BIN)/cmake --build build/sanitize-$* -- --quiet
	@rm -rf $(@D)/site && mkdir -p $(@D)/site && cp -r python/popsnn $(@D)/site/
	@$(BIN)/cmake --install build/sanitize-$* > /dev/null
	@touch $@
.PRECIOUS: build/sanitize-%/.installed
PRELOAD = $$($(CXX) -print-file-name=$(1)) $$($(CXX) -print-file-name=libstdc++.so.6)

SANITIZED_emulator := tests/emulator --ignore tests/emulator/poptorch \
  --ignore tests/emulator/conformance
SANITIZED_poptorch := tests/emulator/poptorch tests/emulator/conformance
SANITIZED_codelets := tests/codelets
SANITIZED_poplib := tests/poplib
SANITIZED_python := tests/python/test_events.py tests/python/engines/test_ipu_engine.py \
  tests/python/test_optim.py
PARTS := emulator poptorch codelets poplib python
PART ?= $(PARTS)
# One part after the other: pytest's --ignore would hold for all.
sanitize: build/sanitize-memory/.installed  ## run the native tests under AddressSanitizer and UBSan
	$(if $(filter-out $(PARTS),$(PART)),$(error PART: expected some of $(PARTS), got $(PART)))
	@set -e; $(foreach part,$(PART),echo "Sanitizing: $(part)"; \
	LD_PRELOAD="$(call PRELOAD,libasan.so)" ASAN_OPTIONS=detect_leaks=0 \
	UBSAN_OPTIONS=print_stacktrace=1 PYTHONPATH=build/sanitize-memory/site \
	$(BIN)/python -m pytest $(SANITIZED_$(part)) $(ARGS);)

# Addresses at random leave ThreadSanitizer no room on new kernels. It delays signals to the next call
# that it intercepts, which a vertex that loops for ever does not make.
sanitize-threads: build/sanitize-threads/.installed  ## run tests of threads under ThreadSanitizer
	LD_PRELOAD="$(call PRELOAD,libtsan.so)" PYTHONPATH=build/sanitize-threads/site \
	  TSAN_OPTIONS="halt_on_error=1 suppressions=tests/threads.supp" \
	  setarch -R $(BIN)/python -m pytest tests/emulator/run/test_threads.py \
	  tests/emulator/run/test_interrupt.py tests/python/test_events.py \
	  -k "not does_not_end" $(ARGS)

# Checks of the CUDA kernels. Those on a GPU run under compute-sanitizer; torch's cache would hide
# accesses behind a tensor's end. RUN is the Python that runs the tests.
RUN ?= $(BIN)/python
RUNNER := $(if $(filter $(BIN)/python,$(RUN)),$(VENV)/.installed-dev)
ON_GPU = PYTORCH_NO_CUDA_MEMORY_CACHING=1 compute-sanitizer --report-api-errors no --error-exitcode 1
KERNEL_TESTS := tests/cuda -k "cuda- and not compile and not opcheck and not graph"
HOST_TESTS := $(addprefix tests/cuda/recurrent/,test_on_host.py test_portable.py test_capacity.py \
  test_float16.py) -k "not compile"
RECURRENT_TESTS := $(addprefix tests/cuda/recurrent/,test_resident.py test_streamed.py test_cluster.py) -k "states_and_parameters and subtract and attached"

SAMPLE := recurrent scans batch_norm layers --engine cuda --alike 16 --here --seed 9000000

# Limits of GPUs, as POPSNN_CUDA_LIMITS has them.
a100 := capability=8.0 multiprocessors=108 shared_bytes=166912
rtx4090 := capability=8.9 multiprocessors=128 shared_bytes=101376
rtx3060 := capability=8.6 multiprocessors=28 shared_bytes=101376

test-gpu: $(RUNNER)  ## on a GPU: run the tests that use one
	$(RUN) -m pytest tests/cuda --on-gpu $(ARGS)

test-gpu-limits: $(RUNNER)  ## on a GPU: run them with the limits of an A100, an RTX 4090 and an RTX 3060
	set -e; $(foreach card,a100 rtx4090 rtx3060,POPSNN_CUDA_LIMITS="$($(card))" $(RUN) -m pytest tests/cuda --on-gpu $(ARGS);)

memcheck: $(RUNNER)  ## on a GPU: check the CUDA kernels' memory accesses
	$(ON_GPU) --tool memcheck $(RUN) -m pytest $(KERNEL_TESTS) $(ARGS)

memcheck-recurrent: $(RUNNER)  ## on an H100 or H200: check the recurrent kernels' memory accesses
	$(ON_GPU) --tool memcheck $(RUN) -m pytest $(RECURRENT_TESTS) $(ARGS)
	$(ON_GPU) --tool memcheck $(RUN) -m pytest tests/cuda/recurrent/test_portable.py -k "on_a_gpu and not repeat" $(ARGS)
	$(ON_GPU) --tool memcheck $(RUN) -m pytest tests/cuda/recurrent/test_capacity.py -k cuda $(ARGS)

racecheck: $(RUNNER)  ## on a GPU: find races in the CUDA kernels' shared memory
	$(ON_GPU) --tool racecheck $(RUN) -m pytest $(KERNEL_TESTS) $(ARGS)

racecheck-recurrent: $(RUNNER)  ## on an H100 or H200: find races in the streamed recurrent kernels
	$(ON_GPU) --tool racecheck $(RUN) -m pytest tests/cuda/recurrent/test_streamed.py $(ARGS)
	$(ON_GPU) --tool racecheck $(RUN) -m pytest tests/cuda/recurrent/test_capacity.py -k cuda $(ARGS)

memcheck-fuzz: $(RUNNER)  ## on an H100 or H200: check memory accesses of random cases
	$(ON_GPU) --tool memcheck $(RUN) -m tests.fuzz $(SAMPLE) $(ARGS)

racecheck-fuzz: $(RUNNER)  ## on an H100 or H200: find races in shared memory in random cases
	$(ON_GPU) --tool racecheck $(RUN) -m tests.fuzz $(SAMPLE) $(ARGS)

races: $(RUNNER)  ## on a CPU: find races in the recurrent kernels, by vector clocks
	$(RUN) -m pytest $(HOST_TESTS) $(ARGS)

asan: $(RUNNER)  ## on a CPU: run the recurrent kernels under AddressSanitizer
	POPSNN_HOST_FLAGS="-O1 -g -fsanitize=address" LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so)" \
	  ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=0 \
	  $(RUN) -m pytest $(HOST_TESTS) -p no:faulthandler $(ARGS)

kernels: $(VENV)/.installed-dev  ## compare the kernels' machine code with a commit's (ARGS=REVISION)
	$(BIN)/python tools/compare_kernels.py $(ARGS)

host-time: $(VENV)/.installed-dev  ## compare the host's time of a call with a commit's (ARGS=REVISION)
	$(BIN)/python tools/compare_host_time.py $(ARGS)

# The emulator, copied out of this folder, stands in for an SDK: CMake gives no library a path to
# others in its own source tree.
check-sdk: $(VENV)/.installed-dev  ## build the ipu engine on a Poplar SDK and try it (SDK=FOLDER; default: the emulator)
	@mkdir -p build && copy=$$(mktemp -d) && trap 'rm -rf "$$copy"' EXIT && \
	cp -r $(EMULATOR) "$$copy/sdk" && $(if $(SDK),,POPSNN_EMULATE_IPU=1) \
	PYTHON=$(abspath $(BIN)/python) tools/check_sdk.sh $(or $(SDK),"$$copy/sdk") build/check_sdk.txt
EMULATOR = $$($(BIN)/python -c "from popsnn._internal.paths import *; print(emulator_prefix())")

docs: $(VENV)/.installed-dev  ## write the generated pages and pictures again
	$(BIN)/python docs/python_names.py
	$(BIN)/python -m docs.pictures
	$(BIN)/python -m docs.pictures.gallery

site: $(VENV)/.installed-docs  ## build the site of the documents in build/site, and run its notebooks
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build $(ARGS)

fuzz: $(VENV)/.installed-dev  ## run random cases against references for a minute
	$(BIN)/python -m tests.fuzz $(ARGS)

bench: $(VENV)/.installed-dev  ## measure; appends rows to runs/bench/rows (ARGS=--record: to bench/results)
	$(BIN)/python -m bench $(ARGS)

wheels: $(VENV)/.build-tools  ## build the pure and the native wheel into dist/, try them (ARGS=--keep)
	$(BIN)/python tools/check_wheels.py $(ARGS)

wheel-matrix:  ## make wheels with each Python of PYTHONS, with the oldest and newest torch for it
	@status=0; for python in $(PYTHONS); do \
	  tag=$$($$python -c 'import sys; print(sys.implementation.cache_tag)') && \
	  $(MAKE) wheels PYTHON=$$python VENV=build/environments/$$tag ARGS="--torch oldest newest $(ARGS)" \
	    || status=1; \
	done; exit $$status

clean:  ## remove .venv, build folders and caches (runs/ and bench/results/ stay)
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find $(PY_DIRS) -name __pycache__ -type d -prune -exec rm -rf {} +

# Build requirements live in the environment (no build isolation), so that CMake's folder stays
# valid from one run to the next and only what has changed is compiled again. norse has no wheel:
# setuptools and setuptools-scm build it.
$(VENV)/.build-tools: constraints.txt
	@test -x $(BIN)/python || { echo "Making the environment $(VENV) with $(PYTHON)"; \
	  $(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
	    echo "'$(PYTHON) -m venv' failed: Python 3.8 or newer with its venv module is needed" \
	      "(Debian and Ubuntu: package python3-venv), or name another one with PYTHON=." >&2; \
	    exit 1; }; }
	@echo "Installing the build tools"
	@$(PIP) install --upgrade 'pip>=23.1'
	@$(INSTALL) scikit-build-core pybind11 cmake ninja setuptools setuptools-scm
	@touch $@

# What stays on this machine needs the instructions of no other CPU.
HERE := -Ccmake.define.POPSNN_NATIVE=ON
# With WERROR=ON, as CI has it, compiler warnings are errors here too: `make lint` need not compile.
WERROR ?= OFF
DEVELOPMENT := $(HERE) -Ccmake.define.POPSNN_TEST_BINDINGS=ON -Ccmake.define.POPSNN_WERROR=$(WERROR)

$(VENV)/.installed: $(VENV)/.build-tools $(SOURCES)
	@echo "Building and installing popsnn (the first time fetches torch and takes a few minutes)"
	@$(INSTALL) --no-build-isolation $(HERE) '.[data,plot]'
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.build-tools $(SOURCES)
	@echo "Building and installing popsnn and its development tools" \
	  "(the first time fetches torch and takes a few minutes)"
	@$(INSTALL) --no-build-isolation $(DEVELOPMENT) '.[dev]'
	@touch $(VENV)/.installed
	@echo "POPSNN_WERROR=$(WERROR)" > $@

$(VENV)/.installed-docs: $(VENV)/.installed-dev
	@echo "Installing what builds the site"
	@$(INSTALL) --no-build-isolation $(DEVELOPMENT) '.[docs]'
	@touch $@
