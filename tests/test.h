// SPDX-License-Identifier: GPL-3.0-or-later
// The whole test framework: a file test_NAME.c defines `void test_NAME(void)`, opens cases with CASE and
// checks with CHECK. The Makefile writes the list of files; runner.c calls them. A case passes when all of
// its checks did, and fails when it made none.
#ifndef TWOFOLD_TEST_H
#define TWOFOLD_TEST_H

#include "base/base.h"

// Every suite's prototype, from the list the Makefile writes.
#define SUITE(name) void name(void);
#include "suites.h"
#undef SUITE

// Starts a case; the one before it ends.
void test_case(const char *format, ...) __attribute__((format(printf, 1, 2)));
// Counts the current case as skipped, by name and reason.
void test_skip(const char *reason);
// Counts a check of the current case and returns the condition.
bool test_check(bool condition);
// Notes a failed check of the current case and says where.
void test_fail(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));
// Are the two equal? `what` is the source text of the first.
void test_check_int(const char *file, int line, const char *what, i64 actual, i64 expected);
void test_check_text(const char *file, int line, const char *what, const char *actual, const char *expected);
// True in the run with asserts on, which does the same with smaller numbers.
bool test_is_light(void);
// True where timings mean little: in that run, and under a sanitizer.
bool test_is_slow(void);
// A path in tests/data, valid until the next call.
const char *test_data(const char *name);
// A path for a scratch file of this run, valid until the next call.
const char *test_scratch(const char *name);

#define CASE(...) test_case(__VA_ARGS__)
#define CHECK(condition) CHECK_THAT(condition, "%s", #condition)
#define CHECK_THAT(condition, ...) \
    (test_check(condition) ? (void)0 : test_fail(__FILE__, __LINE__, __VA_ARGS__))
#define CHECK_INT(actual, expected) \
    test_check_int(__FILE__, __LINE__, #actual, (i64)(actual), (i64)(expected))
#define CHECK_TEXT(actual, expected) test_check_text(__FILE__, __LINE__, #actual, actual, expected)

#endif
