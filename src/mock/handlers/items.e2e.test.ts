import { once } from 'node:events';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { text as readText } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../../fixtures/build-when-stale.ts';
import { type RunningCommand, startCommand } from '../../../fixtures/proxy/start-command.ts';

const minute = 60_000;
const projects = fileURLToPath(new URL('../../../fixtures/documents/projects.yaml', import.meta.url));
let mock: RunningCommand;
let port: number;

beforeAll(async () => {
  await buildWhenStale();
  const words = ['mock', projects, '--port', '0', '--quiet'];
  mock = await startCommand(words, { folder: tmpdir(), ready: /mocked on (http:\S+)\n/u });
  port = Number(new URL(mock.url).port);
  await ask('POST', '/projects', '{"name":"Tea","status":"open"}');
}, 2 * minute);

afterAll(() => mock.process.kill('SIGKILL'));

interface Answer {
  readonly status: number | undefined;
  readonly text: string;
}

/** Sends a path as it is, which fetch would make another one of. */
async function ask(method: string, path: string, body?: string, type = 'application/json'): Promise<Answer> {
  const headers =
    body === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(body) };
  const sent = request({ host: '127.0.0.1', port, method, path, headers }).end(body);
  const [response] = await once(sent, 'response');
  return { status: response.statusCode, text: await readText(response) };
}

/** The one project is there as it was, and no other. */
async function expectUntouched(): Promise<void> {
  const { text } = await ask('GET', '/projects');
  expect(JSON.parse(text)).toEqual({ items: [{ id: 1, name: 'Tea', status: 'open' }], total: 1 });
}

const ids = [
  '%2F',
  '1%2F2',
  '..',
  '%2E%2E',
  '%00',
  '__proto__',
  'constructor',
  '%C3%BC',
  '%F0%9F%92%A7',
  '%ED%A0%80',
  '%',
  '%zz',
];
const unusual = ['-1', '0', '01', '0x1', 'NaN', 'null', '%201', '99999999999999999999', 'x'.repeat(7000)];

test('refuses every id that no item can have, and changes nothing', { timeout: minute }, async () => {
  for (const id of [...ids, ...unusual]) {
    for (const [method, body] of [
      ['GET'],
      ['DELETE'],
      ['PUT', '{"name":"Milk"}'],
      ['PATCH', '{"name":"Milk"}'],
    ] as const) {
      const { status, text } = await ask(method, `/projects/${id}`, body);
      expect([method, id, status]).toEqual([method, id, expect.toBeOneOf([400, 404])]);
      expect(JSON.parse(text)).toEqual({ message: expect.stringMatching(/\.$/u) });
    }
  }
  await expectUntouched();
});

const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

test.each([
  ['10 MB', `{"name":"${'x'.repeat(10_000_000)}"}`],
  ['a hundred thousand levels', deep(100_000)],
  ['half a text', '{"name":'],
  ['a list', '[]'],
  ['operations without a known one', '[{"op":"frob","path":"/name"}]'],
  ['a test that fails', '[{"op":"test","path":"/name","value":"Milk"},{"op":"remove","path":"/name"}]'],
  ['what is no object in the end', '[{"op":"replace","path":"","value":7}]'],
  ['a number', '7'],
  ['a name that is taken away', '{"name":null}'],
  ['a name of another type', '{"name":7}'],
  ['a status that there is not', '{"status":"paused"}'],
])('refuses a patch of %s, and changes nothing', async (_, body) => {
  const { status, text } = await ask('PATCH', '/projects/1', body);
  expect(status).toBe(400);
  expect(JSON.parse(text)).toEqual({ message: expect.stringMatching(/\.$/u) });
  await expectUntouched();
});

test.each(['text/plain', 'application/xml', 'application/json-patch+json', 'nonsense', ''])(
  'refuses a patch of the media type "%s"',
  async (type) => {
    const { status, text } = await ask('PATCH', '/projects/1', '{"name":"Milk"}', type);
    expect(status).toBe(400);
    expect(JSON.parse(text)).toEqual({ message: expect.stringContaining('Content-Type') });
    await expectUntouched();
  },
);

test.each([
  'limit=0',
  'limit=51',
  'limit=x',
  'limit=',
  'offset=-1',
  'offset=1.5',
  'status=paused',
  'limit=%',
])('refuses the list with %s', async (query) => {
  const { status, text } = await ask('GET', `/projects?${query}`);
  expect([status, JSON.parse(text)]).toEqual([400, { message: expect.stringContaining('query parameter') }]);
});

test('answers others while it refuses what is large', { timeout: minute }, async () => {
  const large = Array.from({ length: 5 }, () => ask('PATCH', '/projects/1', deep(100_000)));
  await expectUntouched();
  expect((await Promise.all(large)).map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
  await expectUntouched();
});
