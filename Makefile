# SPDX-License-Identifier: GPL-3.0-or-later
# Twofold: `make` builds the programs, `make demo` shows them, `make test` tests them, `make web` makes pages of them. The rest is
# below, by section.
#   GAME=chess|shogi   one game only            ARCH=native|x86-64|x86-64-sse41|x86-64-avx2|x86-64-bmi2|armv8
#   DEBUG=1            asserts, no optimising   SAN=address,undefined or SAN=thread
#   TUNE=1             every search parameter an option     CC=gcc|clang
#   MPI=1              programs that mpirun and srun start as ranks of one run (docs/cluster.md); wants OpenMPI
#   V=1                the commands themselves instead of one short line for each
#   EXE=NAME           the program under another name, and EVALFILE=PATH another network in it: chess unless GAME is given

# ---- what is built ----------------------------------------------------------------------------------------------------
GAMES := $(patsubst src/games/%/game.h,%,$(wildcard src/games/*/game.h))
ARCH ?= native
# Testing frameworks ask for one program by a name of their own, with a network of their own.
ifneq ($(EXE)$(EVALFILE),)
GAME ?= chess
endif
$(if $(filter-out $(GAMES),$(GAME)),$(error GAME=$(GAME): the games are $(GAMES)))
$(if $(EVALFILE),$(if $(wildcard $(EVALFILE)),$(if $(wildcard $(EVALFILE)/.),$(error EVALFILE=$(EVALFILE): it is a folder)),$(error EVALFILE=$(EVALFILE): there is no such file)))
CC := $(if $(filter default,$(origin CC)),gcc,$(CC))
comma := ,
FLAVOUR := $(ARCH)$(if $(DEBUG),-debug)$(if $(SAN),-san-$(subst $(comma),-,$(SAN)))$(if $(TUNE),-tune)$(if $(WERROR),-werror)$(if $(PGO),-pgo)$(if $(MPI),-mpi)-$(notdir $(firstword $(CC)))

# A compiler for another system tells it by its name; its tools have the same beginning.
WINDOWS := $(findstring mingw,$(CC))
DOT_EXE := $(if $(WINDOWS),.exe)
OBJCOPY ?= $(if $(findstring -gcc,$(CC)),$(firstword $(subst -gcc, ,$(CC)))-)objcopy

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
# With PROFILES, the counts are those of another build (PROFILES/GAME/FILE.gcda), of whatever variant: see scripts/dist.sh.
PROFILE_use_gcc := $(if $(PROFILES),,-fprofile-use) -fprofile-partial-training -Wno-missing-profile -Wno-coverage-mismatch
PROFILE_gen_clang := -fprofile-instr-generate
PROFILE_use_clang := -fprofile-instr-use=$(PROFILE) -Wno-profile-instr-unprofiled -Wno-profile-instr-out-of-date
OPTIMISE := $(if $(DEBUG),-O1 -g,-O3 -DNDEBUG $(if $(SAN),-g,-flto$(if $(findstring clang,$(CC)),=thin,=auto)))
# Only src/cluster/transport_mpi.c includes what MPI brings.
ifneq ($(MPI),)
MPI_CFLAGS := -DTWOFOLD_MPI $(shell mpicc --showme:compile)
MPI_LIBS := $(shell mpicc --showme:link)
$(if $(MPI_LIBS),,$(error MPI=1: mpicc is not here (the package libopenmpi-dev)))
endif
CFLAGS_ALL := -std=gnu17 $(WARN) $(if $(WERROR),-Werror) $(OPTIMISE) $(ARCH_$(ARCH)) -ffp-contract=off -fno-math-errno -fvisibility=hidden -pthread -MMD -MP \
	$(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer) $(if $(TUNE),-DTUNE) $(MPI_CFLAGS) \
	$(if $(PGO),$(PROFILE_$(PGO)_$(if $(findstring clang,$(CC)),clang,gcc))) $(CFLAGS)
# Programs for Windows need no library but the system's; their numbers are printed as elsewhere, and nothing in them tells a date.
# The small model: otherwise gcc reaches variables of other files through pointers (.refptr.NAME), of which the linker keeps one for
# each name, and every variant of the universal program would work on what the first has. And gcc takes the stack to be aligned for
# wide registers, which it is not on Windows (its bug 54412, mended in Debian's): the assembler makes them moves that need no alignment.
CFLAGS_WINDOWS := -D__USE_MINGW_ANSI_STDIO=1 -D_POSIX_THREAD_SAFE_FUNCTIONS -D_WIN32_WINNT=0x0601 -Dgetc_unlocked=getc -Wno-format -mcmodel=small \
	$(if $(findstring gcc,$(CC)),-Wa$(comma)-muse-unaligned-vector-move)
CFLAGS_ALL += $(if $(WINDOWS),$(CFLAGS_WINDOWS))
LDFLAGS_WINDOWS := -static -Wl,--stack,8388608 -Wl,--no-insert-timestamp -lws2_32 -lshell32
LDFLAGS_ALL := $(CFLAGS_ALL) -lm $(MPI_LIBS) $(if $(WINDOWS),$(LDFLAGS_WINDOWS)) $(LDFLAGS)
# Stands before a command: says `  CC  chess search/tt.c` in its place, unless V=1 asks for the command itself.
# Nothing at all under `make -s`.
quiet = $(if $(V),,@$(if $(findstring s,$(filter-out -%,$(firstword $(MAKEFLAGS)))),,printf '  %-3s %s\n' '$(1)' '$(2)'; ))

# ---- the programs -----------------------------------------------------------------------------------------------------
# Each shared file is compiled once per game: the compiler sees the rules as constants and inlines them into the search.
SHARED := src/main.c src/merge.c $(wildcard src/base/*.c src/games/*.c src/nnue/*.c src/search/*.c src/session/*.c src/protocol/*.c src/console/*.c src/analysis/*.c src/arena/*.c src/train/*.c src/library/*.c src/page/*.c src/web/*.c src/cluster/*.c)
# Every system has files of its own; those of others are empty in a compiler's eyes, but for those of POSIX.
SHARED := $(if $(WINDOWS),$(filter-out %_posix.c,$(SHARED)),$(SHARED))
# The files of the page that browsers read; they become C, and part of the programs.
PAGE := $(wildcard $(addprefix src/page/*.,html js css svg png json webmanifest)) src/analysis/report.js src/analysis/report.css
# Of these, what a report is made of: the page with the engine inside has the others beside it.
REPORT_PAGE := $(addprefix src/page/,pieces.js board.js position.js board.css) src/analysis/report.js src/analysis/report.css
.DEFAULT_GOAL := all
.PHONY: FORCE all universal pgo release dist completion lib web library-test net demo test test-san test-long check install install-programs install-lib uninstall clean format bench-perft
all: $(if $(EXE),$(EXE),$(foreach g,$(if $(GAME),$(GAME),$(GAMES)),twofold-$(g)$(DOT_EXE)))
ifneq ($(filter-out $(GAMES:%=twofold-%$(DOT_EXE)),$(EXE)),)
$(EXE): build/$(GAME)-$(FLAVOUR)/twofold-$(GAME)$(DOT_EXE) FORCE
	@cmp -s $< $@ || cp -f $< $@
endif

# The folder is younger than it when a file came, went or has another name.
build/page/files.c: $(PAGE) src/page scripts/embed.sh
	@mkdir -p $(@D)
	$(call quiet,GEN,$@)scripts/embed.sh $(PAGE) >$@.new && mv $@.new $@

# The network of a game; a file that names it is younger than what was built with another one.
net_of = $(if $(EVALFILE),$(abspath $(EVALFILE)),$(wildcard nets/$(1).nnue))
net_flag = $(if $(call net_of,$(1)),-DNET_FILE='"$(call net_of,$(1))"')
build/%/net-name: FORCE
	@mkdir -p $(@D)
	@echo '$(EVALFILE)' | cmp -s - $@ || echo '$(EVALFILE)' >$@
# Suites that start processes by fork or a shell, or cut files that are mapped, which Windows forbids; tests/windows.sh names them.
POSIX_TESTS := $(if $(WINDOWS),$(shell grep -lE 'sys/(wait|resource|mman)\.h|<poll\.h>|<dirent\.h>|start_match|mkfifo|disk_use_maps|"/bin/sh"|"sh", "-c"' tests/test_*.c tests/*/test_*.c))

define game_rules
DIR_$(1) := build/$(1)-$(FLAVOUR)
OBJ_$(1) := $$(patsubst src/%.c,build/$(1)-$(FLAVOUR)/%.o,$$(SHARED) $$(wildcard src/games/$(1)/*.c)) build/$(1)-$(FLAVOUR)/page/files.o
TESTS_$(1) := $$(filter-out $$(POSIX_TESTS),$$(wildcard tests/test_*.c tests/$(1)/test_*.c))
TESTOBJ_$(1) := $$(patsubst %.c,build/$(1)-$(FLAVOUR)/%.o,$$(TESTS_$(1)) tests/helpers.c tests/analyse.c tests/play.c tests/json_client.c tests/match_helpers.c tests/packed_helpers.c tests/record_helpers.c tests/http_client.c tests/serve_nonsense.c tests/web_server.c $$(if $$(WINDOWS),tests/on_windows.c) tests/runner.c)

# Looked at every time: after a build of another flavour an older program is the one that is asked for.
twofold-$(1)$(DOT_EXE): build/$(1)-$(FLAVOUR)/twofold-$(1)$(DOT_EXE) FORCE
	@cmp -s $$< $$@ || cp -f $$< $$@
build/$(1)-$(FLAVOUR)/twofold-$(1)$(DOT_EXE): $$(filter-out build/$(1)-$(FLAVOUR)/library/%,$$(OBJ_$(1)))
	$$(call quiet,LD,$$@)$$(CC) -o $$@ $$^ $$(LDFLAGS_ALL)
build/$(1)-$(FLAVOUR)/tests-$(1)$(DOT_EXE): $$(TESTOBJ_$(1)) $$(filter-out %/main.o,$$(OBJ_$(1))) | build/$(1)-$(FLAVOUR)/behaves$(DOT_EXE)
	$$(call quiet,LD,$$@)$$(CC) -o $$@ $$^ $$(LDFLAGS_ALL)
# Fuzz targets need the rules, the search and the protocols, and none of the other subcommands.
FUZZOBJ_$(1) := $$(filter-out $$(foreach f,main.o merge.o train/% arena/% console/% library/%,build/$(1)-$(FLAVOUR)/$$(f)),$$(OBJ_$(1)))
build/$(1)-$(FLAVOUR)/fuzz_%: build/$(1)-$(FLAVOUR)/tests/fuzz_%.o $$(FUZZOBJ_$(1))
	$$(call quiet,LD,$$@)$$(CC) -o $$@ $$^ $$(LDFLAGS_ALL) -fsanitize=fuzzer
build/$(1)-$(FLAVOUR)/fuzz_%: build/$(1)-$(FLAVOUR)/tests/$(1)/fuzz_%.o $$(FUZZOBJ_$(1))
	$$(call quiet,LD,$$@)$$(CC) -o $$@ $$^ $$(LDFLAGS_ALL) -fsanitize=fuzzer
# The same targets where no fuzzer is: they run on files.
SEEDOBJ_$(1) := $$(filter-out %/main.o,$$(OBJ_$(1))) build/$(1)-$(FLAVOUR)/tests/seeds.o $$(if $$(WINDOWS),build/$(1)-$(FLAVOUR)/tests/on_windows.o)
build/$(1)-$(FLAVOUR)/seeds_%$(DOT_EXE): build/$(1)-$(FLAVOUR)/tests/fuzz_%.o $$(SEEDOBJ_$(1))
	$$(call quiet,LD,$$@)$$(CC) -o $$@ $$^ $$(LDFLAGS_ALL)
# A playing program that does what the match runner must survive, one thing for each mode.
build/$(1)-$(FLAVOUR)/behaves$(DOT_EXE): build/$(1)-$(FLAVOUR)/tests/engines/behaves.o $$(filter build/$(1)-$(FLAVOUR)/base/% build/$(1)-$(FLAVOUR)/games/%,$$(OBJ_$(1)))
	$$(call quiet,LD,$$@)$$(CC) -o $$@ $$^ $$(LDFLAGS_ALL)
# What handing jobs to ranks costs: docs/cluster.md.
build/$(1)-$(FLAVOUR)/jobs_bench: build/$(1)-$(FLAVOUR)/tests/jobs_bench.o $$(filter build/$(1)-$(FLAVOUR)/base/%,$$(OBJ_$(1))) $$(patsubst %,build/$(1)-$(FLAVOUR)/cluster/%.o,cluster inbox transport_mpi transport_pipes)
	$$(call quiet,LD,$$@)$$(CC) -o $$@ $$^ $$(LDFLAGS_ALL)
# Programs that print what the rules and records say, for tests that compare it with other programs.
build/$(1)-$(FLAVOUR)/tool_%: build/$(1)-$(FLAVOUR)/tests/$(1)/tool_%.o $$(filter build/$(1)-$(FLAVOUR)/base/% build/$(1)-$(FLAVOUR)/games/%,$$(OBJ_$(1)))
	$$(call quiet,LD,$$@)$$(CC) -o $$@ $$^ $$(LDFLAGS_ALL)
# The network sits in a file of its own, outside link-time optimisation, and is rebuilt when the network changes.
build/$(1)-$(FLAVOUR)/nnue/embed.o: src/nnue/embed.c build/$(1)-$(FLAVOUR)/net-name $$(call net_of,$(1))
	@mkdir -p $$(@D)
	$$(call quiet,CC,$(1) $$(patsubst src/%,%,$$<))$$(CC) $$(filter-out -flto%,$$(CFLAGS_ALL)) -Isrc -Isrc/games/$(1) $$(call net_flag,$(1)) -c -o $$@ $$<
build/$(1)-$(FLAVOUR)/tests/%.o: tests/%.c build/$(1)-$(FLAVOUR)/suites.h
	@mkdir -p $$(@D)
	$$(call quiet,CC,$(1) $$(patsubst src/%,%,$$<))$$(CC) $$(CFLAGS_ALL) $$(if $$(WINDOWS),$$(if $$(findstring /engines/,$$<),,-include tests/on_windows.h)) -Isrc -Isrc/games/$(1) -Itests -Ibuild/$(1)-$(FLAVOUR) -c -o $$@ $$<
build/$(1)-$(FLAVOUR)/page/files.o: build/page/files.c
	@mkdir -p $$(@D)
	$$(call quiet,CC,$(1) page/files.c)$$(CC) $$(CFLAGS_ALL) -Isrc -c -o $$@ $$<
# For Windows, where flags decide whether the universal program works, nothing stays that older ones have made.
build/$(1)-$(FLAVOUR)/%.o: src/%.c $(if $(WINDOWS),Makefile)
	@mkdir -p $$(@D)
	$$(call quiet,CC,$(1) $$(patsubst src/%,%,$$<))$$(CC) $$(CFLAGS_ALL) $$(if $$(filter use,$$(PGO)),$$(PROFILES:%=-fprofile-use=%/$(1)/$$*.gcda)) -Isrc -Isrc/games/$(1) -c -o $$@ $$<
# The program without the network and the page as one object, after link-time optimisation, of which one name is left: a part of
# the universal program. The linker for Windows would sort the function table by numbers that are no addresses yet: its parts stay apart.
build/$(1)-$(FLAVOUR)/variant.o: $$(filter-out %/nnue/embed.o %/page/files.o build/$(1)-$(FLAVOUR)/library/%,$$(OBJ_$(1)))
	$$(call quiet,LD,$$@)$$(CC) -r -nostdlib -flinker-output=nolto-rel $$(if $$(WINDOWS),-Wl$$(comma)--unique=.pdata) -o $$@.new $$^ $$(CFLAGS_ALL)
	$$(if $$(V),,@)$$(OBJCOPY) --redefine-sym main=twofold_main_$$(subst -,_,$(ARCH)) --keep-global-symbol=twofold_main_$$(subst -,_,$(ARCH)) $$@.new $$@
	@rm -f $$@.new
build/$(1)-$(FLAVOUR)/protocol/show.o: CFLAGS_ALL += -DTWOFOLD_ARCH='"$(ARCH)"'
# The library's functions carry the name of their game.
build/$(1)-$(FLAVOUR)/library/%.o build/$(1)-$(FLAVOUR)/tests/test_options.o: CFLAGS_ALL += -DTWOFOLD_GAME=$(1)
# One SUITE(test_name) line for each test file: the runner's list.
build/$(1)-$(FLAVOUR)/suites.h: $$(TESTS_$(1))
	@mkdir -p $$(@D)
	@printf 'SUITE(%s)\n' $$(basename $$(notdir $$(TESTS_$(1)))) > $$@
-include $$(wildcard $$(patsubst %.o,%.d,$$(OBJ_$(1)) $$(TESTOBJ_$(1)) build/$(1)-$(FLAVOUR)/tests/engines/behaves.o))
endef
$(foreach g,$(GAMES),$(eval $(call game_rules,$(g))))

# ---- one program for every x86-64 processor ------------------------------------------------------------------------------
# Everything is compiled once for each variant, which src/dispatch.c chooses between at the start; network and page are in it
# once. `make universal` puts it where `make` puts the one for this machine. Wants gcc, whose linker can end link-time optimisation
# with an object.
VARIANTS := x86-64 x86-64-sse41 x86-64-avx2 x86-64-bmi2
KIND := $(FLAVOUR:$(ARCH)%=%)
universal: $(foreach g,$(if $(GAME),$(GAME),$(GAMES)),universal-$(g))
define universal_rules
.PHONY: universal-$(1)
universal-$(1): build/$(1)-universal$(KIND)/twofold-$(1)$(DOT_EXE)
	@cmp -s $$< twofold-$(1)$(DOT_EXE) || cp -f $$< twofold-$(1)$(DOT_EXE)
# Each variant by a make of its own, which looks at what it is made of.
build/$(1)-universal$(KIND)/twofold-$(1)$(DOT_EXE): build/$(1)-universal$(KIND)/dispatch.o FORCE
	@+for arch in $(VARIANTS); do $$(MAKE) --no-print-directory ARCH=$$$$arch build/$(1)-$$$$arch$(KIND)/variant.o || exit; done
	@+$$(MAKE) --no-print-directory ARCH=x86-64 $$(addprefix build/$(1)-x86-64$(KIND)/,nnue/embed.o page/files.o)
	$$(call quiet,LD,$$@)$$(CC) -o $$@ $$< $$(VARIANTS:%=build/$(1)-%$(KIND)/variant.o) $$(addprefix build/$(1)-x86-64$(KIND)/,nnue/embed.o page/files.o) \
		$$(filter-out $$(ARCH_$(ARCH)),$$(LDFLAGS_ALL)) $$(ARCH_x86-64)
build/$(1)-universal$(KIND)/dispatch.o: src/dispatch.c
	@mkdir -p $$(@D)
	$$(call quiet,CC,$(1) dispatch.c)$$(CC) $$(filter-out -flto% $$(ARCH_$(ARCH)),$$(CFLAGS_ALL)) $$(ARCH_x86-64) -c -o $$@ $$<
endef
$(foreach g,$(GAMES),$(eval $(call universal_rules,$(g))))

# ---- the library ------------------------------------------------------------------------------------------------------
# Everything up to the session, the analysis and the library's own files, position-independent and without link-time
# optimisation. In the archive all objects are joined into one, in which every hidden symbol is made local: two games, or a
# program with names like ours, can be linked together.
LIB_SRC := $(patsubst %,src/base/%.c,disk_file_posix jobs jobs_queue jobs_queue_ranks jobs_queue_threads journal json language language_table os_files os_posix os_threads parallel progress shard suggest text transport) \
	$(wildcard src/games/*.c src/nnue/*.c src/search/*.c src/library/*.c) $(patsubst %,src/session/%.c,go opponent options phrases report session) \
	$(filter-out %/analyse.c,$(wildcard src/analysis/*.c)) src/page/assets.c
# The number of the interface (include/twofold.h) is in the name by which programs find the shared library.
INTERFACE := $(shell sed -n 's/^.define TWOFOLD_INTERFACE //p' include/twofold.h)
VERSION := $(shell sed -n 's/^.define TWOFOLD_VERSION "\(.*\)"/\1/p' src/base/base.h)
lib: $(foreach g,$(if $(GAME),$(GAME),$(GAMES)),libtwofold-$(g).a libtwofold-$(g).so)
define library_rules
LIBOBJ_$(1) := $$(patsubst src/%.c,build/$(1)-$(FLAVOUR)-lib/%.o,$$(LIB_SRC) $$(wildcard src/games/$(1)/*.c)) build/$(1)-$(FLAVOUR)-lib/page/files.o
# As with the programs: what was built last may be of another flavour.
libtwofold-$(1).%: build/$(1)-$(FLAVOUR)-lib/libtwofold-$(1).% FORCE
	@cmp -s $$< $$@ || cp -f $$< $$@
	@[ $$(suffix $$@) = .a ] || ln -sf $$@ $$@.$$(INTERFACE)
build/$(1)-$(FLAVOUR)-lib/libtwofold-$(1).a: build/$(1)-$(FLAVOUR)-lib/twofold-$(1).o
	@rm -f $$@
	$$(call quiet,AR,$$@)ar rcs $$@ $$<
build/$(1)-$(FLAVOUR)-lib/libtwofold-$(1).so: $$(LIBOBJ_$(1))
	$$(call quiet,LD,$$@)$$(CC) -shared -Wl,-soname,libtwofold-$(1).so.$$(INTERFACE) -Wl,-z,defs -o $$@ $$^ $$(filter-out -flto%,$$(LDFLAGS_ALL))
	@ln -sf $$(@F) $$@.$$(INTERFACE)
build/$(1)-$(FLAVOUR)-lib/twofold-$(1).o: $$(LIBOBJ_$(1))
	$$(call quiet,LD,$$@)$$(CC) -r -nostdlib -o $$@ $$^
	$$(if $$(V),,@)objcopy --localize-hidden $$@
build/$(1)-$(FLAVOUR)-lib/nnue/embed.o: $$(wildcard nets/$(1).nnue)
build/$(1)-$(FLAVOUR)-lib/page/files.o: build/page/files.c
	@mkdir -p $$(@D)
	$$(call quiet,CC,$(1) page/files.c)$$(CC) $$(filter-out -flto%,$$(CFLAGS_ALL)) -fPIC -Isrc -c -o $$@ $$<
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
# Records, notations, analyses and structs of other versions: the same program for each game.
$(foreach g,$(GAMES),$(eval $(LIBRARY_TEST)-records-$(g): build/$(g)-$(FLAVOUR)-lib/libtwofold-$(g).a))
$(LIBRARY_TEST)-records-%: tests/library_records.c
	$(call quiet,LD,$@)$(LIBRARY_TEST_CC) -DGAME=$* $(filter %.a,$^) -lm -pthread
library-test: $(LIBRARY_TEST)-static $(LIBRARY_TEST)-shared $(GAMES:%=$(LIBRARY_TEST)-records-%)
	@$(LIBRARY_TEST)-static
	@$(LIBRARY_TEST)-shared
	@for game in $(GAMES); do $(LIBRARY_TEST)-records-$$game || exit 1; done

# ---- the page with the engine inside ------------------------------------------------------------------------------------
# One file for each game, build/web/twofold-GAME.html, and build/web/site/GAME/ for web hosts, where the engine has threads if
# the host sends two headers (docs/web.md). Wants emscripten, which brings node. The vector code is that of SSE4.1.
EMCC ?= emcc
# A node that is not the one of the system does not look where Debian keeps the module emscripten wants.
WEB_ENV := NODE_PATH="$${NODE_PATH:-/usr/share/nodejs}"
WEB := build/web
WEB_SRC := $(filter-out %_posix.c src/web/serve%.c src/web/http%.c,$(wildcard src/base/*.c src/games/*.c src/nnue/*.c src/search/*.c src/session/*.c src/protocol/*.c src/analysis/*.c src/page/*.c src/web/*.c))
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
$(WEB)/files.c: $(REPORT_PAGE) scripts/embed.sh
	@mkdir -p $(@D)
	$(call quiet,GEN,$@)scripts/embed.sh $(REPORT_PAGE) >$@.new && mv $@.new $@
define web_rules
WEBOBJ_$(1)_$(2) := $$(patsubst src/%.c,$(WEB)/$(1)-$(2)/%.o,$$(WEB_SRC) $$(wildcard src/games/$(1)/*.c)) $(WEB)/$(1)-$(2)/page/files.o
$(WEB)/$(1)/$$(WEB_OUT_$(2)): $$(WEBOBJ_$(1)_$(2)) src/web/imports.js
	@mkdir -p $$(@D)
	$$(call quiet,LD,$$@)$$(WEB_ENV) $$(EMCC) -O3 -flto -msimd128 $$(WEB_LDFLAGS) $$(WEB_LDFLAGS_$(2)) -o $$@ $$(filter %.o,$$^)
$(WEB)/$(1)-$(2)/nnue/embed.o: src/nnue/embed.c $$(wildcard nets/$(1).nnue)
	@mkdir -p $$(@D)
	$$(call quiet,CC,$(1) web $$(patsubst src/%,%,$$<))$$(EMCC) $$(WEB_CFLAGS) $(if $(filter threads,$(2)),-pthread) -Isrc -Isrc/games/$(1) $$(if $$(wildcard nets/$(1).nnue),-DNET_FILE='"nets/$(1).nnue"') -c -o $$@ $$<
$(WEB)/$(1)-$(2)/page/files.o: $(WEB)/files.c
	@mkdir -p $$(@D)
	$$(call quiet,CC,$(1) web page/files.c)$$(EMCC) $$(WEB_CFLAGS) -flto $(if $(filter threads,$(2)),-pthread) -Isrc -c -o $$@ $$<
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

# The programs again, optimised by how they spent their time in bench: what one wants of a machine that plays.
pgo release:
	@scripts/pgo.sh "$(CC)" "$(ARCH)" $(if $(GAME),$(GAME),$(GAMES))

# The archives that people download, in dist/, the same bytes each time: docs/platforms.md.
dist:
	@scripts/dist.sh

# ---- install ----------------------------------------------------------------------------------------------------------
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
BIN := $(DESTDIR)$(BINDIR)
BASH_COMPLETION := $(DESTDIR)$(PREFIX)/share/bash-completion/completions
ZSH_COMPLETION := $(DESTDIR)$(PREFIX)/share/zsh/vendor-completions
MAN := $(DESTDIR)$(PREFIX)/share/man/man6
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
CHOSEN := $(if $(GAME),$(GAME),$(GAMES))
install: install-programs install-lib
install-programs: all
	install -d "$(BIN)" "$(MAN)"
	install $(CHOSEN:%=twofold-%) "$(BIN)"
	install -m 644 docs/twofold.6 "$(MAN)"
	for game in $(CHOSEN); do ln -sf twofold.6 "$(MAN)/twofold-$$game.6"; done
	install -d "$(BASH_COMPLETION)" "$(ZSH_COMPLETION)"
	for game in $(CHOSEN); do \
		scripts/completion.sh bash "$(BIN)/twofold-$$game" >"$(BASH_COMPLETION)/twofold-$$game" && \
		scripts/completion.sh zsh "$(BIN)/twofold-$$game" >"$(ZSH_COMPLETION)/_twofold-$$game" || exit 1; \
	done
# The library's file has the version in its name, its soname the number of the interface, and programs are linked by neither.
install-lib: lib
	install -d "$(DESTDIR)$(LIBDIR)/pkgconfig" "$(DESTDIR)$(INCLUDEDIR)"
	install -m 644 include/twofold.h "$(DESTDIR)$(INCLUDEDIR)"
	for game in $(CHOSEN); do \
		name=libtwofold-$$game; \
		install -m 644 $$name.a "$(DESTDIR)$(LIBDIR)" && \
		install -m 644 $$name.so "$(DESTDIR)$(LIBDIR)/$$name.so.$(INTERFACE).$(VERSION)" && \
		ln -sf $$name.so.$(INTERFACE).$(VERSION) "$(DESTDIR)$(LIBDIR)/$$name.so.$(INTERFACE)" && \
		ln -sf $$name.so.$(INTERFACE) "$(DESTDIR)$(LIBDIR)/$$name.so" && \
		sed -e 's|@PREFIX@|$(PREFIX)|;s|@LIBDIR@|$(LIBDIR)|;s|@INCLUDEDIR@|$(INCLUDEDIR)|' -e "s|@GAME@|$$game|;s|@VERSION@|$(VERSION)|" \
			scripts/twofold.pc.in >"$(DESTDIR)$(LIBDIR)/pkgconfig/twofold-$$game.pc" || exit 1; \
	done
uninstall:
	rm -f "$(DESTDIR)$(INCLUDEDIR)/twofold.h" $(foreach g,$(GAMES),"$(DESTDIR)$(LIBDIR)/libtwofold-$(g).a" "$(DESTDIR)$(LIBDIR)/libtwofold-$(g).so"* "$(DESTDIR)$(LIBDIR)/pkgconfig/twofold-$(g).pc")
	rm -f $(foreach g,$(GAMES),"$(BIN)/twofold-$(g)" "$(MAN)/twofold-$(g).6" "$(BASH_COMPLETION)/twofold-$(g)" "$(ZSH_COMPLETION)/_twofold-$(g)") "$(MAN)/twofold.6"

# ---- the rest ---------------------------------------------------------------------------------------------------------
bench-perft: twofold-chess
	@scripts/bench-perft.sh ./twofold-chess
# One generation of a network: self-play, training, a match, a verdict.
net:
	@scripts/net.sh $(GAME)
format:
	clang-format -i $$(git ls-files '*.c' '*.h')
clean:
	rm -rf build $(foreach g,$(GAMES),twofold-$(g) libtwofold-$(g).a libtwofold-$(g).so libtwofold-$(g).so.$(INTERFACE))
