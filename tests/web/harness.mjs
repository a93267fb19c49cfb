// SPDX-License-Identifier: GPL-3.0-or-later
// Counting for the tests of the page: `check` and `same` count, `finish` prints the line that scripts/test.sh adds up.
let passed = 0, failed = 0, skipped = 0;

export function check(good, what) {
  if (good) passed++;
  else {
    failed++;
    console.log(`FAILED: web: ${what}`);
  }
  return Boolean(good);
}

export function same(value, wanted, what) {
  const [a, b] = [value, wanted].map(x => JSON.stringify(x));
  return check(a === b, `${what}: ${a} instead of ${b}`);
}

export function skip(what) {
  skipped++;
  console.log(`skipped: web: ${what}`);
}

export function finish(name) {
  console.log(`${name}: ${passed} passed, ${failed} failed, ${skipped} skipped`);
  process.exitCode = failed ? 1 : 0;
}
