# SPDX-License-Identifier: GPL-3.0-or-later
# Twofold: `make` builds the programs, `make demo` shows them, `make test` tests them, `make web` makes pages of them. The rest is
# below, by section.
#   GAME=chess|shogi   one game only            ARCH=native|x86-64|x86-64-sse41|x86-64-avx2|x86-64-bmi2|armv8
#   DEBUG=1            asserts, no optimising   SAN=address,undefined or SAN=thread
#   TUNE=1             every search parameter an option     CC=gcc|clang
#   V=1                the commands themselves instead of one short line for each

# ---- what is built ----------------------------------------------------------------------------------------------------
GAMES := $(patsubst src/games/%/game.h,%,$(wildcard src/games/*/game.h))
ARCH ?= native
CC := $(if $(filter default,$(origin CC)),gcc,$(CC))
comma := ,
FLAVOUR := $(ARCH)$(if $(DEBUG),-debug)$(if $(SAN),-san-$(subst $(comma),-,$(SAN)))$(if $(TUNE),-tune)$(if $(WERROR),-werror)$(if $(PGO),-pgo)-$(notdir $(firstword $(CC)))

# ---- flags ------------------------------------------------------------------------------------------------------------
WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
ARCH_native := -march=native
ARCH_x86-64 := -march=x86-64
ARCH_x86-64-sse41 := -march=x86-64 -msse4.1 -mpopcnt
ARCH_x86-64-avx2 := -march=x86-64 -mavx2 -mpopcnt -mbmi -mlzcnt
ARCH_x86-64-bmi2 := -march=x86-64 -mavx2 -mpopcnt -mbmi -mbmi2 -mlzcnt
ARCH_armv8 := -march=armv8-a
$(if $(filter undefined,$(origin ARCH_$(ARCH))),$(error ARCH=$(ARCH): the choices stand at the top of the Makefile))
# Profile-guided optimisation in two passes (scripts/pgo.sh): the objects of both stand in the same place, where gcc looks for its counts.
PROFILE_gen_gcc := -fprofile-generate -fprofile-update=prefer-atomic
PROFILE_use_gcc := -fprofile-use -fprofile-partial-training -Wno-missing-profile -Wno-coverage-mismatch
PROFILE_gen_clang := -fprofile-instr-generate
PROFILE_use_clang := -fprofile-instr-use=$(PROFILE) -Wno-profile-instr-unprofiled -Wno-profile-instr-out-of-date
OPTIMISE := $(if $(DEBUG),-O1 -g,-O3 -DNDEBUG $(if $(SAN),-g,-flto$(if $(findstring clang,$(CC)),=thin,=auto)))
CFLAGS_ALL := -std=gnu17 $(WARN) $(if $(WERROR),-Werror) $(OPTIMISE) $(ARCH_$(ARCH)) -ffp-contract=off -fno-math-errno -fvisibility=hidden -pthread -MMD -MP \
	$(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer) $(if $(TUNE),-DTUNE) \
	$(if $(PGO),$(PROFILE_$(PGO)_$(if $(findstring clang,$(CC)),clang,gcc))) $(CFLAGS)
LDFLAGS_ALL := $(CFLAGS_ALL) -lm $(LDFLAGS)
# Stands before a command: says `  CC  chess search/tt.c` in its place, unless V=1 asks for the command itself.
# Nothing at all under `make -s`.
quiet = $(if $(V),,@$(if $(findstring s,$(filter-out -%,$(firstword $(MAKEFLAGS)))),,printf '  %-3s %s\n' '$(1)' '$(2)'; ))

# ---- the programs -----------------------------------------------------------------------------------------------------
# Each shared file is compiled once per game: the compiler sees the rules as constants and inlines them into the search.
SHARED := $(wildcard src/*.c src/base/*.c src/games/*.c src/nnue/*.c src/search/*.c src/session/*.c src/protocol/*.c src/console/*.c src/analysis/*.c src/arena/*.c src/train/*.c src/page/*.c src/web/*.c)
# The files of the page that browsers read; they become C, and part of the programs.
PAGE := $(wildcard $(addprefix src/page/*.,html js css svg png json webmanifest))
.DEFAULT_GOAL := all
.PHONY: FORCE all pgo lib web library-test net demo test test-san test-long check install uninstall clean format bench-perft
all: $(foreach g,$(if $(GAME),$(GAME),$(GAMES)),twofold-$(g))

# The folder is younger than it when a file came, went or has another name.
build/page/files.c: $(PAGE) src/page scripts/embed.sh
	@mkdir -p $(@D)
	$(call quiet,GEN,$@)scripts/embed.sh $(PAGE) >$@.new && mv $@.new $@

define game_rules
DIR_$(1) := build/$(1)-$(FLAVOUR)
OBJ_$(1) := $$(patsubst src/%.c,build/$(1)-$(FLAVOUR)/%.o,$$(SHARED) $$(wildcard src/games/$(1)/*.c)) build/$(1)-$(FLAVOUR)/page/files.o
TESTS_$(1) := $$(wildcard tests/test_*.c tests/$(1)/test_*.c)
TESTOBJ_$(1) := $$(patsubst %.c,build/$(1)-$(FLAVOUR)/%.o,$$(TESTS_$(1)) tests/helpers.c tests/analyse.c tests/play.c tests/json_client.c tests/match_helpers.c tests/packed_helpers.c tests/record_helpers.c tests/http_client.c tests/serve_nonsense.c tests/web_server.c tests/runner.c)

# Looked at every time: after a build of another flavour an older program is the one that is asked for.
twofold-$(1): build/$(1)-$(FLAVOUR)/twofold-$(1) FORCE
	@cmp -s $$< $$@ || cp -f $$< $$@
build/$(1)-$(FLAVOUR)/twofold-$(1): $$(OBJ_$(1))
	$$(call quiet,LD,$$@)$$(CC) -o $$@ $$^ $$(LDFLAGS_ALL)
build/$(1)-$(FLAVOUR)/tests-$(1): $$(TESTOBJ_$(1)) $$(filter-out %/main.o,$$(OBJ_$(1))) | build/$(1)-$(FLAVOUR)/behaves
	$$(call quiet,LD,$$@)$$(CC) -o $$@ $$^ $$(LDFLAGS_ALL)
# Fuzz targets need the rules, the search and the protocols, and none of the other subcommands.
FUZZOBJ_$(1) := $$(filter-out $$(foreach f,main.o train/% arena/% console/% session/twofold.o,build/$(1)-$(FLAVOUR)/$$(f)),$$(OBJ_$(1)))
build/$(1)-$(FLAVOUR)/fuzz_%: build/$(1)-$(FLAVOUR)/tests/fuzz_%.o $$(FUZZOBJ_$(1))
	$$(call quiet,LD,$$@)$$(CC) -o $$@ $$^ $$(LDFLAGS_ALL) -fsanitize=fuzzer
build/$(1)-$(FLAVOUR)/fuzz_%: build/$(1)-$(FLAVOUR)/tests/$(1)/fuzz_%.o $$(FUZZOBJ_$(1))
	$$(call quiet,LD,$$@)$$(CC) -o $$@ $$^ $$(LDFLAGS_ALL) -fsanitize=fuzzer
# A playing program that does what the match runner must survive, one thing for each mode.
build/$(1)-$(FLAVOUR)/behaves: build/$(1)-$(FLAVOUR)/tests/engines/behaves.o $$(filter build/$(1)-$(FLAVOUR)/base/% build/$(1)-$(FLAVOUR)/games/%,$$(OBJ_$(1)))
	$$(call quiet,LD,$$@)$$(CC) -o $$@ $$^ $$(LDFLAGS_ALL)
# Programs that print what the rules and records say, for tests that compare it with other programs.
build/$(1)-$(FLAVOUR)/tool_%: build/$(1)-$(FLAVOUR)/tests/$(1)/tool_%.o $$(filter build/$(1)-$(FLAVOUR)/base/% build/$(1)-$(FLAVOUR)/games/%,$$(OBJ_$(1)))
	$$(call quiet,LD,$$@)$$(CC) -o $$@ $$^ $$(LDFLAGS_ALL)
# The network sits in a file of its own, outside link-time optimisation, and is rebuilt when the network changes.
build/$(1)-$(FLAVOUR)/nnue/embed.o: src/nnue/embed.c $$(wildcard nets/$(1).nnue)
	@mkdir -p $$(@D)
	$$(call quiet,CC,$(1) $$(patsubst src/%,%,$$<))$$(CC) $$(filter-out -flto%,$$(CFLAGS_ALL)) -Isrc -Isrc/games/$(1) $$(if $$(wildcard nets/$(1).nnue),-DNET_FILE='"nets/$(1).nnue"') -c -o $$@ $$<
build/$(1)-$(FLAVOUR)/tests/%.o: tests/%.c build/$(1)-$(FLAVOUR)/suites.h
	@mkdir -p $$(@D)
	$$(call quiet,CC,$(1) $$(patsubst src/%,%,$$<))$$(CC) $$(CFLAGS_ALL) -Isrc -Isrc/games/$(1) -Itests -Ibuild/$(1)-$(FLAVOUR) -c -o $$@ $$<
build/$(1)-$(FLAVOUR)/page/files.o: build/page/files.c
	@mkdir -p $$(@D)
	$$(call quiet,CC,$(1) page/files.c)$$(CC) $$(CFLAGS_ALL) -Isrc -c -o $$@ $$<
build/$(1)-$(FLAVOUR)/%.o: src/%.c
	@mkdir -p $$(@D)
	$$(call quiet,CC,$(1) $$(patsubst src/%,%,$$<))$$(CC) $$(CFLAGS_ALL) -Isrc -Isrc/games/$(1) -c -o $$@ $$<
# The library's functions carry the name of their game.
build/$(1)-$(FLAVOUR)/session/twofold.o build/$(1)-$(FLAVOUR)/tests/test_options.o: CFLAGS_ALL += -DTWOFOLD_GAME=$(1)
# One SUITE(test_name) line for each test file: the runner's list.
build/$(1)-$(FLAVOUR)/suites.h: $$(TESTS_$(1))
	@mkdir -p $$(@D)
	@printf 'SUITE(%s)\n' $$(basename $$(notdir $$(TESTS_$(1)))) > $$@
-include $$(wildcard $$(patsubst %.o,%.d,$$(OBJ_$(1)) $$(TESTOBJ_$(1)) build/$(1)-$(FLAVOUR)/tests/engines/behaves.o))
endef
$(foreach g,$(GAMES),$(eval $(call game_rules,$(g))))

# ---- the library ------------------------------------------------------------------------------------------------------
# Everything up to the session, position-independent and without link-time optimisation. In the archive all objects are joined into
# one, in which every hidden symbol is made local: two games, or a program with names like ours, can be linked together.
LIB_SRC := src/base/disk_file_posix.c src/base/language.c src/base/os_posix.c src/base/os_threads.c src/base/parallel.c src/base/suggest.c src/base/text.c $(wildcard src/games/*.c src/nnue/*.c src/search/*.c) $(patsubst %,src/session/%.c,go options report session twofold)
lib: $(foreach g,$(if $(GAME),$(GAME),$(GAMES)),libtwofold-$(g).a libtwofold-$(g).so)
define library_rules
LIBOBJ_$(1) := $$(patsubst src/%.c,build/$(1)-$(FLAVOUR)-lib/%.o,$$(LIB_SRC) $$(wildcard src/games/$(1)/*.c))
# As with the programs: what was built last may be of another flavour.
libtwofold-$(1).%: build/$(1)-$(FLAVOUR)-lib/libtwofold-$(1).% FORCE
	@cmp -s $$< $$@ || cp -f $$< $$@
build/$(1)-$(FLAVOUR)-lib/libtwofold-$(1).a: build/$(1)-$(FLAVOUR)-lib/twofold-$(1).o
	@rm -f $$@
	$$(call quiet,AR,$$@)ar rcs $$@ $$<
build/$(1)-$(FLAVOUR)-lib/libtwofold-$(1).so: $$(LIBOBJ_$(1))
	$$(call quiet,LD,$$@)$$(CC) -shared -o $$@ $$^ $$(filter-out -flto%,$$(LDFLAGS_ALL))
build/$(1)-$(FLAVOUR)-lib/twofold-$(1).o: $$(LIBOBJ_$(1))
	$$(call quiet,LD,$$@)$$(CC) -r -nostdlib -o $$@ $$^
	$$(if $$(V),,@)objcopy --localize-hidden $$@
build/$(1)-$(FLAVOUR)-lib/nnue/embed.o: $$(wildcard nets/$(1).nnue)
build/$(1)-$(FLAVOUR)-lib/%.o: src/%.c
	@mkdir -p $$(@D)
	$$(call quiet,CC,$(1) $$(patsubst src/%,%,$$<))$$(CC) $$(filter-out -flto%,$$(CFLAGS_ALL)) -fPIC -DTWOFOLD_GAME=$(1) -Isrc -Isrc/games/$(1) $$(if $$(wildcard nets/$(1).nnue),-DNET_FILE='"nets/$(1).nnue"') -c -o $$@ $$<
-include $$(wildcard $$(patsubst %.o,%.d,$$(LIBOBJ_$(1))))
endef
$(foreach g,$(GAMES),$(eval $(call library_rules,$(g))))
# Both games in one program, by the archives and by the shared objects, which stay where they are built: another flavour's
# tests leave the libraries alone that `make lib` has put here.
LIBRARY_TEST := build/library-test-$(FLAVOUR)
LIBRARY_TEST_CC = $(CC) -std=gnu17 $(WARN) $(if $(SAN),-fsanitize=$(SAN)) -Iinclude -o $@ $<
$(LIBRARY_TEST)-static: tests/library_test.c $(foreach g,$(GAMES),build/$(g)-$(FLAVOUR)-lib/libtwofold-$(g).a)
	$(call quiet,LD,$@)$(LIBRARY_TEST_CC) $(filter %.a,$^) -lm -pthread
$(LIBRARY_TEST)-shared: tests/library_test.c $(foreach g,$(GAMES),build/$(g)-$(FLAVOUR)-lib/libtwofold-$(g).so)
	$(call quiet,LD,$@)$(LIBRARY_TEST_CC) $(foreach g,$(GAMES),-Lbuild/$(g)-$(FLAVOUR)-lib -ltwofold-$(g) -Wl$(comma)-rpath$(comma)'$$ORIGIN/$(g)-$(FLAVOUR)-lib') -pthread
library-test: $(LIBRARY_TEST)-static $(LIBRARY_TEST)-shared
	@$(LIBRARY_TEST)-static
	@$(LIBRARY_TEST)-shared

# ---- the page with the engine inside ------------------------------------------------------------------------------------
# One file for each game, build/web/twofold-GAME.html, and build/web/site/GAME/ for web hosts, where the engine has threads if
# the host sends two headers (docs/web.md). Wants emscripten, which brings node. The vector code is that of SSE4.1.
EMCC ?= emcc
# A node that is not the one of the system does not look where Debian keeps the module emscripten wants.
WEB_ENV := NODE_PATH="$${NODE_PATH:-/usr/share/nodejs}"
WEB := build/web
WEB_SRC := $(filter-out %_posix.c src/base/os_load.c src/session/twofold.c src/web/serve%.c src/web/http%.c,$(wildcard src/base/*.c src/games/*.c src/nnue/*.c src/search/*.c src/session/*.c src/protocol/*.c src/analysis/*.c src/page/*.c src/web/*.c))
WEB_CFLAGS := -std=gnu17 $(WARN) -O3 -DNDEBUG -msimd128 -msse4.1 -ffp-contract=off -fno-math-errno -fvisibility=hidden -MMD -MP
WEB_LDFLAGS := -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=1024MB -sTOTAL_STACK=8MB -sFILESYSTEM=0 --no-entry --js-library src/web/imports.js
WEB_LDFLAGS_one := -sSTANDALONE_WASM=1 -sINITIAL_MEMORY=32MB
WEB_LDFLAGS_threads := -pthread -sMODULARIZE=1 -sEXPORT_NAME=TwofoldThreads -sENVIRONMENT=worker -sPTHREAD_POOL_SIZE=2 \
	-sINITIAL_MEMORY=64MB -sEXPORTED_RUNTIME_METHODS=UTF8ToString -Wno-pthreads-mem-growth
WEB_OUT_one := engine.wasm
WEB_OUT_threads := engine-threads.js
WEB_PAGE := $(wildcard src/page/*.html src/page/*.css src/page/*.js src/page/*.svg) src/web/engine.js src/web/worker.js scripts/web.mjs
WEB_MISSING := $(if $(filter web,$(MAKECMDGOALS)),$(shell for tool in $(EMCC) node; do command -v $$tool >/dev/null 2>&1 || echo $$tool; done))
ifeq ($(WEB_MISSING),)
web: $(foreach g,$(if $(GAME),$(GAME),$(GAMES)),$(WEB)/twofold-$(g).html $(WEB)/site/$(g)/index.html)
else
web:
	@echo 'skipped: make web: not here: $(WEB_MISSING) (the packages emscripten and nodejs; scripts/setup-web.sh build installs them)'
endif
define web_rules
WEBOBJ_$(1)_$(2) := $$(patsubst src/%.c,$(WEB)/$(1)-$(2)/%.o,$$(WEB_SRC) $$(wildcard src/games/$(1)/*.c))
$(WEB)/$(1)/$$(WEB_OUT_$(2)): $$(WEBOBJ_$(1)_$(2)) src/web/imports.js
	@mkdir -p $$(@D)
	$$(call quiet,LD,$$@)$$(WEB_ENV) $$(EMCC) -O3 -flto -msimd128 $$(WEB_LDFLAGS) $$(WEB_LDFLAGS_$(2)) -o $$@ $$(filter %.o,$$^)
$(WEB)/$(1)-$(2)/nnue/embed.o: src/nnue/embed.c $$(wildcard nets/$(1).nnue)
	@mkdir -p $$(@D)
	$$(call quiet,CC,$(1) web $$(patsubst src/%,%,$$<))$$(EMCC) $$(WEB_CFLAGS) $(if $(filter threads,$(2)),-pthread) -Isrc -Isrc/games/$(1) $$(if $$(wildcard nets/$(1).nnue),-DNET_FILE='"nets/$(1).nnue"') -c -o $$@ $$<
$(WEB)/$(1)-$(2)/%.o: src/%.c
	@mkdir -p $$(@D)
	$$(call quiet,CC,$(1) web $$(patsubst src/%,%,$$<))$$(EMCC) $$(WEB_CFLAGS) -flto $(if $(filter threads,$(2)),-pthread) -Isrc -Isrc/games/$(1) -c -o $$@ $$<
-include $$(wildcard $$(patsubst %.o,%.d,$$(WEBOBJ_$(1)_$(2))))
endef
define web_page_rules
$(WEB)/twofold-$(1).html: $(WEB)/$(1)/engine.wasm $$(WEB_PAGE)
	$$(call quiet,WEB,$$@)node scripts/web.mjs file $(1) $$< $$@
$(WEB)/site/$(1)/index.html: $(WEB)/$(1)/engine.wasm $(WEB)/$(1)/engine-threads.js src/web/threads.js $$(WEB_PAGE)
	$$(call quiet,WEB,$$@)node scripts/web.mjs site $(1) $(WEB)/$(1) $(WEB)/site
endef
$(foreach g,$(GAMES),$(foreach t,one threads,$(eval $(call web_rules,$(g),$(t))))$(eval $(call web_page_rules,$(g))))

# ---- tests ------------------------------------------------------------------------------------------------------------
# The binaries the test script asks for by name: `make build/chess-native-gcc/tests-chess` and the like.
test:
	@scripts/test.sh
# The same under the sanitizers; takes several times as long.
test-san:
	@scripts/test-san.sh
test-long:
	@scripts/test-long.sh
check:
	@scripts/check.sh
demo: all
	@scripts/demo.sh $(if $(GAME),$(GAME),$(GAMES))

# The programs again, optimised by how they spent their time in bench.
pgo:
	@scripts/pgo.sh "$(CC)" "$(ARCH)" $(if $(GAME),$(GAME),$(GAMES))

# ---- install ----------------------------------------------------------------------------------------------------------
PREFIX ?= /usr/local
BIN := $(DESTDIR)$(PREFIX)/bin
MAN := $(DESTDIR)$(PREFIX)/share/man/man6
CHOSEN := $(if $(GAME),$(GAME),$(GAMES))
install: all
	install -d "$(BIN)" "$(MAN)"
	install $(CHOSEN:%=twofold-%) "$(BIN)"
	install -m 644 docs/twofold.6 "$(MAN)"
	for game in $(CHOSEN); do ln -sf twofold.6 "$(MAN)/twofold-$$game.6"; done
uninstall:
	rm -f $(foreach g,$(GAMES),"$(BIN)/twofold-$(g)" "$(MAN)/twofold-$(g).6") "$(MAN)/twofold.6"

# ---- the rest ---------------------------------------------------------------------------------------------------------
bench-perft: twofold-chess
	@scripts/bench-perft.sh ./twofold-chess
# One generation of a network: self-play, training, a match, a verdict.
net:
	@scripts/net.sh $(GAME)
format:
	clang-format -i $$(git ls-files '*.c' '*.h')
clean:
	rm -rf build $(foreach g,$(GAMES),twofold-$(g) libtwofold-$(g).a libtwofold-$(g).so)
