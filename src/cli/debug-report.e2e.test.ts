import { tmpdir } from 'node:os';
import { beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { runCloche } from '../../fixtures/run-cloche.ts';
import { startMock } from '../../fixtures/start-mock.ts';

beforeAll(buildWhenStale, 120_000);

const minute = 60_000;
const few = ['--runs', '1', '--suite', 'valid-bodies'];
const token = 'hush-hush-hush';

test(
  'writes each request and property of a run if NODE_DEBUG names the runner',
  { timeout: minute },
  async () => {
    const { url } = await startMock(tmpdir(), ['--token', token]);
    const words = ['test', url, ...few, '--token', token];
    const { stderr } = await runCloche(words, { folder: tmpdir(), env: { NODE_DEBUG: 'cloche:runner' } });
    expect(stderr).toMatch(/^CLOCHE:RUNNER \d+: valid-bodies\/createPlant\.\S+: POST \/plants 200$/mu);
    expect(stderr).toMatch(
      /^CLOCHE:RUNNER \d+: valid-bodies\/createPlant\.\S+: held, cases: \d+, requests: \d+$/mu,
    );
    expect(stderr).not.toContain(token);
  },
);

test('writes nothing otherwise', { timeout: minute }, async () => {
  const { stderr } = await runCloche(['test', ...few], { folder: tmpdir() });
  expect(stderr).not.toContain('CLOCHE:RUNNER');
});
