import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { applyOverlay } from '../../../fixtures/apply-overlay.ts';
import { buildWhenStale } from '../../../fixtures/build-when-stale.ts';
import { startMock } from '../../../fixtures/start-mock.ts';
import { type Ended, runCloche } from '../../../fixtures/run-cloche.ts';
import { createServiceClient } from '../../../fixtures/service-client.ts';
import { startService } from '../../../fixtures/start-service.ts';

const minute = 60_000;
const token = 'the-token-of-staging';
const plantStore = fileURLToPath(new URL('../../../spec/plant-store.yaml', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'cloche-loop-'));
const servers: Server[] = [];

beforeAll(() => buildWhenStale(), 2 * minute);
afterAll(async () => {
  servers.forEach((server) => server.close());
  await rm(folder, { recursive: true, force: true });
});

/** Starts the version of the service that answers an id that exists with a status, and gives its base URL. */
async function deploy(status: 400 | 409): Promise<string> {
  const { server, url } = await startService(`duplicate-${status}`, token);
  servers.push(server);
  return url;
}

function cloche(...words: readonly string[]): Promise<Ended> {
  return runCloche(words, { folder, env: { CLOCHE_TOKEN: token } });
}

/** `cloche test` with few cases: each suite still says what it has to say. */
function runTest(...words: readonly string[]): Promise<Ended> {
  return cloche('test', ...words, '--runs', '10', '--seed', '1');
}

function readPolicy(file: string): Promise<unknown> {
  return readFile(join(folder, file), 'utf8').then((text) => parse(text) as unknown);
}

async function create(baseUrl: string, id: number): Promise<number> {
  const client = createServiceClient(baseUrl, { authorization: `Bearer ${token}` });
  return (await client.post('/plants', { id, name: 'Basil' })).status;
}

test(
  'a learned policy is mocked, enforced, violated, learned again and declared in an overlay',
  { timeout: 3 * minute },
  async () => {
    const staging = await deploy(400);
    const learnt = await cloche('learn', staging, '-o', 'policy.yaml', '--trials', '1');
    expect([learnt.code, learnt.stderr]).toEqual([0, '']);
    expect(await readPolicy('policy.yaml')).toMatchObject({
      answers: { 'duplicate-key': 'refuse', 'integer-notation': 'yes', 'accepted-tokens': 'listed' },
    });

    const { url } = await startMock(folder, ['--token', token, '-q', '--policy', 'policy.yaml']);
    expect([await create(url, 1), await create(url, 1)]).toEqual([200, 400]);

    const held = await runTest(staging, '--policy', 'policy.yaml');
    expect([held.code, held.stderr]).toEqual([0, '']);

    const next = await deploy(409);
    const drifted = await runTest(next, '--policy', 'policy.yaml');
    expect(drifted.code).toBe(1);
    expect(drifted.stdout.match(/^VIOLATION .*$/gmu)).toEqual([
      expect.stringMatching(/^VIOLATION The service did not follow its policy \[drift-/u),
    ]);
    expect(drifted.stdout).toContain('  expected  400 with an error body\n  received  409 application/json');
    expect(drifted.stdout).toContain('or with cloche learn --question duplicate-key.');

    const accepted = await runTest(next, '--policy', 'policy.yaml', '--answer', 'duplicate-key=conflict');
    expect(accepted.code).toBe(0);

    const again = await cloche('learn', next, '-o', 'policy.yaml', '--question', 'duplicate-key');
    expect(again.code).toBe(0);
    // The answers that were not asked again stay.
    expect(await readPolicy('policy.yaml')).toMatchObject({
      answers: { 'duplicate-key': 'conflict', 'integer-notation': 'yes', 'accepted-tokens': 'listed' },
      evidence: {
        operations: { createPlant: { 'duplicate-key': { seen: '3 of 3' }, echo: { seen: '1 of 1' } } },
      },
    });
    expect((await runTest(next, '--policy', 'policy.yaml')).code).toBe(0);

    const overlay = await cloche('explain', plantStore, '--policy', 'policy.yaml', '--overlay');
    expect([overlay.code, overlay.stderr]).toEqual([0, '']);
    await writeFile(join(folder, 'closed.json'), await applyOverlay(plantStore, overlay.stdout));
    const declared = await runTest(next, '-d', 'closed.json');
    expect([declared.code, declared.stderr]).toEqual([0, '']);
  },
);

test(
  'parity finds no difference between a service and the mock of its policy',
  { timeout: minute },
  async () => {
    const staging = await deploy(409);
    await cloche('learn', staging, '-o', 'alike.yaml', '--trials', '1');
    const compared = await runTest(staging, '--policy', 'alike.yaml', '--against', 'mock');
    expect(compared.stdout).not.toContain('Two services answered one request differently');
    expect(compared.code).toBe(0);
  },
);
