import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../../fixtures/build-when-stale.ts';
import { type Ended, runCloche } from '../../../fixtures/run-cloche.ts';

const minute = 60_000;
const folder = await mkdtemp(join(tmpdir(), 'cloche-baseline-'));

/** A service that fails on whatever is sent, and says nothing of credentials. */
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.writeHead(request.headers.authorization === 'Bearer t' ? 500 : 401, {
      'WWW-Authenticate': 'Bearer',
    });
    response.end();
  });
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
// `as`: a server that listens on a port has such an address.
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeAll(() => buildWhenStale(), 2 * minute);

afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});

function run(...words: readonly string[]): Promise<Ended> {
  return runCloche(['test', url, '--token', 't', '--runs', '5', '--timeout', '2000', ...words], { folder });
}

test(
  'what --update-baseline writes lets the next run pass, with another seed, until it expires',
  { timeout: 4 * minute },
  async () => {
    const before = await run('--seed', '1');
    expect(before.code).toBe(1);
    const id = /\[(server-error-[0-9a-f]{12})\]/u.exec(before.stdout)?.[1] ?? '';
    const written = await run('--seed', '1', '--baseline', 'known.yaml', '--update-baseline');
    expect([written.code, written.stderr]).toEqual([0, '']);
    expect(written.stdout).toMatch(/^Baseline known\.yaml: \d+ added, 0 removed, 0 kept\.$/mu);
    const text = await readFile(join(folder, 'known.yaml'), 'utf8');
    expect(text).toContain(id);

    const after = await run('--seed', '2', '--baseline', 'known.yaml');
    expect(after.code).toBe(0);
    expect(after.stdout).toContain('Known, and let pass by the baseline:');
    expect(after.stdout).toMatch(/No new violation, .+; \d+ known\./u);

    await writeFile(
      join(folder, 'known.yaml'),
      text.replace(`id: ${id}`, `id: ${id}\n    expires: 2020-01-01`),
    );
    const late = await run('--seed', '2', '--baseline', 'known.yaml');
    expect(late.code).toBe(1);
    expect(late.stdout).toContain('its entry in the baseline expired on 2020-01-01');
  },
);

test('names what is gone only where all suites were run', { timeout: 4 * minute }, async () => {
  const gone = 'echo-0123456789ab';
  await writeFile(join(folder, 'gone.json'), JSON.stringify({ findings: [{ id: gone }] }));
  const whole = await run('--baseline', 'gone.json');
  expect(whole.stdout).toContain(`No longer seen, so take them out of the baseline:\n  ${gone}`);
  const part = await run('--baseline', 'gone.json', '--suite', 'valid-bodies');
  expect(part.stdout).not.toContain('No longer seen');
  expect(part.stdout).toContain(`Of the baseline ${gone}: not looked for, as only some suites were run`);
});

test('a bad baseline ends with 2 before anything is sent', { timeout: minute }, async () => {
  await writeFile(join(folder, 'bad.yaml'), 'findings:\n  - name: x\n');
  const { code, stdout, stderr } = await run('--baseline', 'bad.yaml');
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('bad.yaml:2:5: findings[0].name: there is no "name"');
});

test('--update-baseline without a file ends with 2', { timeout: minute }, async () => {
  const { code, stderr } = await run('--update-baseline');
  expect(code).toBe(2);
  expect(stderr).toContain('Name one with --baseline FILE.');
});

test('--bail goes on past what is known', { timeout: 2 * minute }, async () => {
  await run('--baseline', 'bail.json', '--update-baseline');
  const { code, stdout } = await run('--baseline', 'bail.json', '--bail');
  expect(code).toBe(0);
  expect(stdout).toContain('No new violation');
});
