import { spawnSync } from 'node:child_process';

/**
 * Runs test files under several seeds, one after the other, and says which failed; the exit code of the process follows.
 *
 * @param {object} input
 * @param {readonly string[]} input.files - the test files
 * @param {readonly string[]} input.usual - the seeds, where the command line gives none
 */
export function runUnderSeeds({ files, usual }) {
  const given = process.argv.slice(2);
  const seeds = given.length > 0 ? given : usual;
  const wrong = seeds.find((seed) => !/^\d{1,9}$/u.test(seed));
  if (wrong !== undefined) {
    process.stderr.write(
      `Failed to test with the seed "${wrong}": it is no whole number of up to 9 digits. Give seeds such as 7 or 99.\n`,
    );
    process.exitCode = 2;
    return;
  }

  const failed = seeds.filter((seed) => {
    process.stdout.write(`Seed ${seed}\n`);
    const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'matrix', ...files], {
      env: { ...process.env, CLOCHE_TEST_CASES: 'all', CLOCHE_TEST_SEED: seed },
      stdio: 'inherit',
    });
    return status !== 0;
  });

  process.stdout.write(
    failed.length === 0
      ? `Every seed passed: ${seeds.join(', ')}\n`
      : `Failed with the seeds ${failed.join(', ')}\n`,
  );
  process.exitCode = failed.length === 0 ? 0 : 1;
}
