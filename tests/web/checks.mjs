// SPDX-License-Identifier: GPL-3.0-or-later
// Cases and their sums, as the other suites print them: `TITLE: P passed, F failed, S skipped`.
let passed = 0, failed = 0, skipped = 0;

export async function check(name, run) {
  try {
    await run();
    passed++;
  } catch (error) {
    failed++;
    console.log(`FAILED: ${name}: ${error.message}`);
  }
}

// The same for a case with a bound on time, which other work on the machine can break: it has ten tries.
export async function checkTimed(name, run) {
  await check(name, async () => {
    for (let left = 9; ; left--) {
      try {
        return await run();
      } catch (error) {
        if (!left) throw error;
      }
    }
  });
}

export function skip(name) {
  skipped++;
  console.log(`skipped: ${name}`);
}

export function expect(is, what) {
  if (!is) throw new Error(what);
}

export function expectEqual(got, wanted, what) {
  const a = JSON.stringify(got), b = JSON.stringify(wanted);
  if (a !== b) throw new Error(`${what}: ${String(a).slice(0, 300)}, not ${String(b).slice(0, 300)}`);
}

export function finish(title) {
  console.log(`${title}: ${passed} passed, ${failed} failed, ${skipped} skipped`);
  process.exit(failed ? 1 : 0);
}
