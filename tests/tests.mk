# SPDX-License-Identifier: Apache-2.0
# Tests: how their programs are built, and the targets that run them. A new test file is picked up by
# its name alone: tests/KIND/test_*.c becomes a program, tests/script/*.script a run of run_scripts.

ifeq ($(strip $(BUILD)),)
$(error BUILD is empty: it names the directory for everything that is built)
endif

TEST_LIMIT ?= 180
TEST_ENV    = ENVOY_BUILD=$(BUILD) LC_ALL=C.UTF-8

# What tests share. A program takes from the archive only what it names.
SUPPORT_SRC := $(sort $(filter-out tests/support/svg.c,$(wildcard tests/support/*.c)))
SUPPORT_OBJ := $(SUPPORT_SRC:%.c=$(BUILD)/obj/%.o)
SUPPORT_LIB := $(BUILD)/lib/libsupport.a
SUPPORT_PC  := cmocka vterm libcjson libcurl

SIM_TEST_SRC    := $(sort $(wildcard tests/sim/test_*.c))
GOLDEN_TEST_SRC := $(sort $(wildcard tests/golden/test_*.c))
PTY_TEST_SRC    := $(sort $(wildcard tests/pty/test_*.c))
FAULT_TEST_SRC  := $(sort $(wildcard tests/fault/test_*.c))
LINT_TEST_SRC   := $(sort $(wildcard tests/lint/test_*.c tests/packages/test_*.c))
test_bin         = $(patsubst tests/%.c,$(BUILD)/tests/%,$(1))
SIM_TEST_BIN    := $(call test_bin,$(SIM_TEST_SRC))
GOLDEN_TEST_BIN := $(call test_bin,$(GOLDEN_TEST_SRC))
PTY_TEST_BIN    := $(call test_bin,$(PTY_TEST_SRC))
FAULT_TEST_BIN  := $(call test_bin,$(FAULT_TEST_SRC))
LINT_TEST_BIN   := $(call test_bin,$(LINT_TEST_SRC))
SCRIPTS         := $(sort $(wildcard tests/script/*.script tests/script/*/*.script))
SCRIPT_BIN      := $(BUILD)/tests/script/run_scripts
SVG_BIN         := $(BUILD)/tests/screen-svg

TEST_BIN := $(UNIT_BIN) $(LINT_TEST_BIN) $(GOLDEN_TEST_BIN) $(SIM_TEST_BIN) $(FAULT_TEST_BIN) $(PTY_TEST_BIN)
TEST_RUN  = $(foreach s,$(SCRIPTS),"$(SCRIPT_BIN) $(s)") $(TEST_BIN)

.PHONY: run-tests test-programs pictures check-built lint-built golden-built unit

$(BUILD)/obj/tests/%.o: tests/%.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -Itests $(CFLAGS) -c -o $@ $<

$(SUPPORT_LIB): $(SUPPORT_OBJ)
	@mkdir -p $(@D)
	@rm -f $@
	ar rcs $@ $^

$(BUILD)/tests/run: tests/run.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -MF $@.d -o $@ $< $(LDFLAGS)

# Programs that run on the real thing, and so see core at most.
define outside_rule
$(BUILD)/tests/$(1)/%: tests/$(1)/%.c $(SUPPORT_LIB) $(BUILD)/lib/libcore.a
	@mkdir -p $$(@D)
	$$(CC) $$(CPPFLAGS) -Itests $$(CFLAGS) -MF $$@.d -o $$@ $$< $$(LDFLAGS) -Wl,--start-group $(SUPPORT_LIB) \
	  $(BUILD)/lib/libcore.a -Wl,--end-group $(call pc_libs,$(SUPPORT_PC) $(LIB_core)) -lutil -lpthread
endef
$(foreach k,sim pty fault script lint packages bench,$(eval $(call outside_rule,$(k))))

# Golden screens are drawn from the model, without a terminal.
$(BUILD)/tests/golden/%: tests/golden/%.c $(SUPPORT_LIB) $(call arch_of,ui) $(call arch_of,plain)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -Itests $(CFLAGS) -MF $@.d -o $@ $< $(LDFLAGS) -Wl,--start-group $(SUPPORT_LIB) \
	  $(call arch_of,ui) $(call arch_of,plain) -Wl,--end-group \
	  $(call pc_libs,$(SUPPORT_PC) $(call libs_of,ui) $(call libs_of,plain)) -lutil -lpthread

$(SVG_BIN): tests/support/svg.c $(SUPPORT_LIB) $(BUILD)/lib/libcore.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -Itests $(CFLAGS) -MF $@.d -o $@ $< $(LDFLAGS) -Wl,--start-group $(SUPPORT_LIB) \
	  $(BUILD)/lib/libcore.a -Wl,--end-group $(call pc_libs,$(SUPPORT_PC) $(LIB_core)) -lutil -lpthread

# A small full-screen program on which the harness is tested.
$(BUILD)/tests/pty/probe: tests/pty/probe.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -MF $@.d -o $@ $< $(LDFLAGS) $(call pc_libs,ncursesw)

# All widgets on a screen, through the terminal layer alone.
$(BUILD)/tests/pty/gallery: tests/pty/gallery.c $(SUPPORT_LIB) $(call arch_of,term)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -Itests $(CFLAGS) -MF $@.d -o $@ $< $(LDFLAGS) -Wl,--start-group $(SUPPORT_LIB) \
	  $(call arch_of,term) -Wl,--end-group $(call pc_libs,$(call libs_of,term)) -lpthread

test-programs: $(TEST_BIN) $(BUILD)/tests/pty/probe $(BUILD)/tests/pty/gallery $(SCRIPT_BIN) $(SVG_BIN) $(BUILD)/tests/run
unit: $(UNIT_BIN) $(BUILD)/tests/run
	@$(TEST_ENV) $(BUILD)/tests/run -t $(TEST_LIMIT) -o $(BUILD)/test-logs $(UNIT_BIN)

run-tests: all test-programs
	@$(TEST_ENV) $(BUILD)/tests/run -t $(TEST_LIMIT) -o $(BUILD)/test-logs $(TEST_RUN)

# What lint compares with the files that are there.
list-tests:
	@printf '%s\n' $(SCRIPTS) $(TEST_BIN:$(BUILD)/%=%.c)
.PHONY: list-tests

# Uses every processor unless the caller said how many jobs. A recipe that has it starts with a plus, or
# make keeps its job server to itself and the inner make runs one job at a time.
AGAIN = $(MAKE) --no-print-directory $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || echo 2))

# The libraries are looked for while make reads this file; so packages come first, then a new make.
deps:
	@tests/install-packages.sh

demo: deps
	+@$(AGAIN) all
	$(BUILD)/envoy-console demo $(SCENARIO)

check: deps
	+@$(AGAIN) check-built
check-built: all
	+@$(AGAIN) lint-built
	+@$(AGAIN) run-tests

SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
check-asan: deps
	@ASAN_OPTIONS=detect_leaks=1:abort_on_error=0 UBSAN_OPTIONS=print_stacktrace=1 TEST_TIME_SCALE=4 \
	  $(AGAIN) run-tests BUILD=$(BUILD)-asan TEST_LIMIT=600 OPT="-O1 -g" \
	  HARDEN="-fstack-protector-strong -fPIE" SAN="$(SANITIZE)"

lint: deps
	+@$(AGAIN) lint-built
lint-built: all
	@tests/lint/lint.sh . $(BUILD)

golden: deps
	+@$(AGAIN) golden-built
golden-built: $(GOLDEN_TEST_BIN) $(BUILD)/tests/run
	@GOLDEN_UPDATE=1 $(TEST_ENV) $(BUILD)/tests/run -t $(TEST_LIMIT) -o $(BUILD)/test-logs $(GOLDEN_TEST_BIN)
	@git --no-pager diff --stat -- tests/golden || true

# The README's pictures: real screens, read back from a pseudo-terminal.
pictures: deps
	+@$(AGAIN) pictures-built
pictures-built: all $(SVG_BIN)
	@mkdir -p docs/pictures
	ENVOY_BUILD=$(BUILD) $(SVG_BIN) -o docs/pictures $(sort $(wildcard tests/script/pictures/*.script))
.PHONY: pictures-built

# Numbers, judged by nobody: BENCH="--quiet 600" for ten quiet minutes.
bench: deps
	+@$(AGAIN) bench-built
bench-built: all $(BUILD)/tests/bench/bench_console
	@$(TEST_ENV) $(BUILD)/tests/bench/bench_console $(BENCH)
.PHONY: bench bench-built
