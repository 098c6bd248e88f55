# SPDX-License-Identifier: Apache-2.0
# One non-recursive build: layers become archives, programs and tests link what their layer may see.

BUILD   ?= build
PREFIX  ?= /usr/local
DESTDIR ?=
CC      ?= cc
PKGS    := ncursesw libcurl jansson libcjson libsodium sqlite3 libmicrohttpd libcrypto libqrencode libutf8proc
TPKGS   := cmocka vterm

WARN    := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla $(WERROR)
OPT     ?= -O2 -g
HARDEN  ?= -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fPIE
LDHARD  ?= -pie -Wl,-z,relro -Wl,-z,now
SAN     ?=
CPPFLAGS += -Iinclude -Isrc -I$(BUILD)/gen -D_GNU_SOURCE -DPREFIX='"$(PREFIX)"' $(shell pkg-config --cflags $(PKGS) 2>/dev/null)
CFLAGS   += -std=c11 $(OPT) $(WARN) $(HARDEN) $(SAN) -MMD -MP
LDFLAGS  += $(LDHARD) $(SAN)

# Upper layers first: the order in which archives are linked.
LAYERS   := term plain ui app net store secret flow contract core
SEE_core     := core
SEE_contract := contract core
SEE_flow     := flow contract core
SEE_secret   := secret core
SEE_store    := store contract core
SEE_net      := net secret contract core
SEE_app      := app net store secret flow contract core
SEE_plain    := plain app net store secret flow contract core
SEE_ui       := ui app net store secret flow contract core
SEE_term     := term ui app net store secret flow contract core
SEE_sim      := sim core

LIB_core     := libutf8proc
LIB_contract := jansson
LIB_flow     :=
LIB_secret   := libsodium
LIB_store    := sqlite3
LIB_net      := libcurl libssl libcrypto
LIB_app      :=
LIB_plain    :=
LIB_ui       := libqrencode
LIB_term     := ncursesw
LIB_sim      := libmicrohttpd libcjson libcrypto

libs_of = $(sort $(foreach l,$(SEE_$(1)),$(LIB_$(l))))
pc_libs = $(if $(strip $(1)),$(shell pkg-config --libs $(1) 2>/dev/null))
arch_of = $(foreach l,$(SEE_$(1)),$(BUILD)/lib/lib$(l).a)

.PHONY: all demo check check-asan golden lint install clean deps tests
all: $(BUILD)/envoy-console $(BUILD)/envoy-sim

define layer_rules
SRC_$(1) := $$(sort $$(wildcard src/$(1)/*.c))
SRC_$(1) := $$(filter-out src/sim/sim_main.c,$$(SRC_$(1)))
OBJ_$(1) := $$(SRC_$(1):src/%.c=$$(BUILD)/obj/%.o)
$$(BUILD)/lib/lib$(1).a: $$(OBJ_$(1))
	@mkdir -p $$(@D)
	@rm -f $$@
	ar rcs $$@ $$^
endef
$(foreach l,$(LAYERS) sim,$(eval $(call layer_rules,$(l))))

$(BUILD)/obj/%.o: src/%.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

# Built-in scenarios: each JSON file becomes one row {name, text} of a generated table.
SCENARIOS := $(sort $(wildcard src/sim/scenarios/*.json))
$(BUILD)/gen/sim_scenarios.inc: $(SCENARIOS)
	@mkdir -p $(@D)
	@for f in $(SCENARIOS); do printf '{"%s",\n' "$$(basename $$f .json)"; \
	  sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/"/' -e 's/$$/\\n"/' $$f; printf '},\n'; done > $@
$(BUILD)/obj/sim/sim_scenario.o: $(BUILD)/gen/sim_scenarios.inc

TOP_OBJ := $(patsubst src/%.c,$(BUILD)/obj/%.o,$(sort $(wildcard src/*.c)))
ALL_ARCH := $(foreach l,$(LAYERS),$(BUILD)/lib/lib$(l).a)
$(BUILD)/envoy-console: $(TOP_OBJ) $(ALL_ARCH)
	$(CC) $(LDFLAGS) -o $@ $(TOP_OBJ) -Wl,--start-group $(ALL_ARCH) -Wl,--end-group \
	  $(call pc_libs,$(foreach l,$(LAYERS),$(LIB_$(l)))) -lpthread

$(BUILD)/envoy-sim: $(BUILD)/obj/sim/sim_main.o $(call arch_of,sim)
	$(CC) $(LDFLAGS) -o $@ $< -Wl,--start-group $(call arch_of,sim) -Wl,--end-group $(call pc_libs,$(call libs_of,sim)) -lpthread

# The prefix is part of the program: another one than the last time means another main.o.
$(BUILD)/gen/prefix: force
	@mkdir -p $(@D)
	@printf '%s\n' '$(PREFIX)' | cmp -s - $@ || printf '%s\n' '$(PREFIX)' >$@
$(BUILD)/obj/main.o: $(BUILD)/gen/prefix
.PHONY: force

# The themes are part of the program by .incbin, which the compiler does not report.
$(BUILD)/obj/ui/theme.o: $(wildcard themes/*.theme)

# Unit tests: tests/unit/LAYER/test_NAME.c sees exactly what its layer may see.
UNIT_SRC := $(sort $(wildcard tests/unit/*/test_*.c))
UNIT_BIN := $(UNIT_SRC:tests/%.c=$(BUILD)/tests/%)
define unit_rule
$(BUILD)/tests/unit/$(1)/%: tests/unit/$(1)/%.c $(call arch_of,$(1))
	@mkdir -p $$(@D)
	$$(CC) $$(CPPFLAGS) $$(CFLAGS) -Itests -MF $$@.d -o $$@ $$< $$(LDFLAGS) -Wl,--start-group $(call arch_of,$(1)) -Wl,--end-group \
	  $(call pc_libs,$(call libs_of,$(1)) cmocka) -lpthread
endef
$(foreach l,$(LAYERS) sim,$(eval $(call unit_rule,$(l))))

-include tests/tests.mk

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/envoy-console/themes \
	  $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 755 $(BUILD)/envoy-console $(BUILD)/envoy-sim $(DESTDIR)$(PREFIX)/bin/
	install -m 644 themes/*.theme $(DESTDIR)$(PREFIX)/share/envoy-console/themes/
	install -m 644 docs/*.1 $(DESTDIR)$(PREFIX)/share/man/man1/

clean:
	rm -rf $(BUILD)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
