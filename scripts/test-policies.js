// Every answer of every question, alone and in pairs, with more cases and under several seeds than `npm test` has time
// for: `npm run test:policies -- 7 99` takes these seeds.
import { spawnSync } from 'node:child_process';

const usual = ['1', '7', '20261121'];

const given = process.argv.slice(2);
const seeds = given.length > 0 ? given : usual;
const wrong = seeds.find((seed) => !/^\d{1,9}$/u.test(seed));
if (wrong !== undefined) {
  process.stderr.write(`Failed to test with the seed "${wrong}": it is no whole number of up to 9 digits.\n`);
  process.exit(2);
}

const failed = seeds.filter((seed) => {
  process.stdout.write(`Seed ${seed}\n`);
  const { status } = spawnSync('npx', ['vitest', 'run', 'suites/policies.test.ts'], {
    env: { ...process.env, CLOCHE_SEED: seed, CLOCHE_POLICIES: 'all' },
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
