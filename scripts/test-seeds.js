// Judges every service of fixtures/services/ under several seeds: `npm run test:seeds -- 7 4242 99`.
import { spawnSync } from 'node:child_process';

const usual = ['7', '4242', '20261121'];

const files = ['suites/kill-matrix.test.ts', 'suites/false-alarms.test.ts'];

const given = process.argv.slice(2);
const seeds = given.length > 0 ? given : usual;
const wrong = seeds.find((seed) => !/^\d{1,9}$/u.test(seed));
if (wrong !== undefined) {
  process.stderr.write(`Failed to test with the seed "${wrong}": it is no whole number of up to 9 digits.\n`);
  process.exit(2);
}

const failed = seeds.filter((seed) => {
  process.stdout.write(`Seed ${seed}\n`);
  const { status } = spawnSync('npx', ['vitest', 'run', ...files], {
    env: { ...process.env, CLOCHE_SEED: seed },
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
