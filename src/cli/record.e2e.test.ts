import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { startCommand } from '../../fixtures/proxy/start-command.ts';
import { runCloche } from '../../fixtures/run-cloche.ts';

const folder = mkdtempSync(join(tmpdir(), 'cloche-record-'));
const content =
  '{ application/json: { schema: { type: object, properties: { id: { type: integer, readOnly: true }, text: { type: string } } } } }';
const document = `openapi: 3.1.0
info: { title: Notes, version: '1' }
components: { securitySchemes: { bearer: { type: http, scheme: bearer } } }
security: [{ bearer: [] }]
paths:
  /notes:
    post:
      operationId: createNote
      requestBody: { required: true, content: ${content} }
      responses: { '201': { description: New., content: ${content} } }
  /notes/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getNote, responses: { '200': { description: One., content: ${content} } } }
    delete: { operationId: deleteNote, responses: { '204': { description: Gone. } } }
`;
const headers = { authorization: 'Bearer recorded-token', 'content-type': 'application/json' };

beforeAll(async () => {
  writeFileSync(join(folder, 'api.yaml'), document);
  await buildWhenStale();
}, 60_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

function startMock(...words: readonly string[]) {
  const ready = /mocked on (http:\S+)\n/u;
  return startCommand(['mock', '--port', '0', 'api.yaml', ...words], { folder, ready });
}

test('mock --replay answers what proxy --record wrote, with whole bodies and without the token', async () => {
  const service = await startMock();
  const words = ['proxy', service.url, '-d', 'api.yaml', '--port', '0', '--record', 'session.har'];
  const proxy = await startCommand(words, { folder, ready: /proxy on (http:\S+:\d+)\s/u });
  const text = 'long '.repeat(180_000);
  for (const each of ['a', text]) {
    await fetch(`${proxy.url}/notes`, { method: 'POST', headers, body: JSON.stringify({ text: each }) });
  }
  const reads = ['/notes/1', '/notes/2'];
  const recorded = await Promise.all(
    reads.map(async (path) => (await fetch(`${proxy.url}${path}`, { headers })).text()),
  );
  await proxy.stop();
  await service.stop();
  expect(readFileSync(join(folder, 'session.har'), 'utf8')).not.toContain('recorded-token');

  const replaying = await startMock('--replay', 'session.har');
  const replayed = await Promise.all(
    reads.map(async (path) => (await fetch(`${replaying.url}${path}`, { headers })).text()),
  );
  expect(recorded[1]?.length).toBeGreaterThan(text.length);
  expect(replayed).toEqual(recorded);
  expect((await fetch(`${replaying.url}/notes/1`)).status).toBe(401);
  await fetch(`${replaying.url}/notes/1`, { method: 'DELETE', headers });
  expect((await fetch(`${replaying.url}/notes/1`, { headers })).status).toBe(404);
  await expect.poll(replaying.output).toMatch(/getNote \(sample\): Recorded: entry 3 of session/u);
  await replaying.stop();
});

/** Returns a HAR file with one read of a note. */
function harOf(text: string): string {
  const head = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1, bodySize: -1 };
  const type = { name: 'Content-Type', value: 'application/json' };
  const content = { size: -1, mimeType: type.value, text: JSON.stringify({ id: 1, text }) };
  const entry = {
    startedDateTime: '2026-01-01T00:00:00Z',
    time: 1,
    request: { ...head, method: 'GET', url: 'http://notes.example/notes/1', headers: [], queryString: [] },
    response: { ...head, status: 200, statusText: 'OK', headers: [type], content, redirectURL: '' },
    cache: {},
    timings: { send: 0, wait: 1, receive: 0 },
  };
  return JSON.stringify({
    log: { version: '1.2', creator: { name: 'test', version: '1' }, entries: [entry] },
  });
}

test('mock --replay reads the file again when it changes, and keeps the last one that it could read', async () => {
  const file = join(folder, 'changing.har');
  writeFileSync(file, harOf('first'));
  const replaying = await startMock('--replay', 'changing.har');
  const read = async () => (await fetch(`${replaying.url}/notes/1`, { headers })).text();
  expect(await read()).toContain('first');
  await fetch(`${replaying.url}/notes/1`, { method: 'DELETE', headers });
  writeFileSync(file, harOf('second'));
  await expect.poll(read).toContain('second');
  await expect.poll(replaying.output).toContain('read the recording again');
  writeFileSync(file, '{\n  "log": nothing }');
  await expect.poll(replaying.output).toContain('changing.har:2:');
  expect(await read()).toContain('second');
  await replaying.stop();
});

test('a file that is no recording is refused with its place and exit code 2', async () => {
  writeFileSync(join(folder, 'broken.har'), '{\n  "log": nothing }');
  const broken = await runCloche(['mock', 'api.yaml', '--replay', 'broken.har'], { folder });
  expect([broken.code, broken.stderr]).toEqual([2, expect.stringContaining('broken.har:2:')]);
  writeFileSync(join(folder, 'empty.har'), '{"log":{"entries":[]}}');
  const empty = await runCloche(['mock', 'api.yaml', '--replay', 'empty.har'], { folder });
  expect([empty.code, empty.stderr]).toEqual([2, expect.stringContaining('none of its exchanges')]);
});
