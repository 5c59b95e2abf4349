import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { drawCases } from '../../fixtures/draw-cases.ts';
import { startCommand } from '../../fixtures/proxy/start-command.ts';
import { type Ended, runCloche } from '../../fixtures/run-cloche.ts';
import { createCloser } from '../../fixtures/sockets/create-closer.ts';

const minute = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'cloche-extension-'));
const closer = createCloser();

beforeAll(async () => {
  // The package, as an installed one.
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(fileURLToPath(new URL('../../', import.meta.url)), join(folder, 'node_modules', 'cloche'));
  symlinkSync(
    fileURLToPath(new URL('../../node_modules/fast-check', import.meta.url)),
    join(folder, 'node_modules', 'fast-check'),
  );
  await buildWhenStale();
}, 2 * minute);

afterEach(() => closer.closeAll());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return name;
}

const cloche = (...words: readonly string[]): Promise<Ended> => runCloche(words, { folder });

/** An extension in TypeScript with these members. */
const extensionOf = (members: string): string => `
import { type CheckInput, defineCheck, defineExtension } from 'cloche/extend';
const docs = { title: 'A title', place: 'guidelines', finds: 'A fault.', example: { request: 'GET /', answer: 'HTTP/1.1 200 OK' } };
const checkOf = (judge: (subject: CheckInput) => undefined) => defineCheck({ id: 'x-own', docs, judge });
export default defineExtension({ ${members} });
`;

test(
  'a check of a file fails the run, and a baseline and a replay know its finding',
  { timeout: minute },
  async () => {
    write(
      'check.ts',
      `import { defineCheck, defineExtension, headerValue } from 'cloche/extend';
       const docs = { title: 'No request id', place: 'guidelines', finds: 'It.', example: { request: 'GET /', answer: '' } };
       export default defineExtension({
         checks: [defineCheck({ id: 'x-request-id', docs, judge: ({ answer }) =>
           answer.kind === 'none' || headerValue(answer.response.headers, 'x-request-id') !== undefined
             ? undefined : { expected: 'a request id', received: 'none' } })],
       });`,
    );
    const run = ['test', '--extension', 'check.ts', '--runs', '3'];
    const { code, stdout } = await cloche(...run, '--seed', '1', '--report', 'json=run.json');
    expect(stdout).toContain('VIOLATION No request id [x-request-id-');
    expect(code).toBe(1);
    const [, path = ''] =
      /npx cloche test --extension check\.ts --seed 1 --path '([^']+)'/u.exec(stdout) ?? [];
    const again = await cloche(...run, '--seed', '1', '--path', path);
    expect(again).toMatchObject({ code: 1, stdout: expect.stringContaining('VIOLATION No request id') });
    const update = await cloche(...run, '--baseline', 'baseline.json', '--update-baseline');
    expect(update.code).toBe(0);
    expect((await cloche(...run, '--baseline', 'baseline.json')).code).toBe(0);
  },
);

const throwing: readonly (readonly [part: string, members: string])[] = [
  ['check x-own', `checks: [checkOf(() => { throw new Error('broken') })]`],
  ['hook beforeRequest', `hooks: { beforeRequest: async () => { throw new Error('broken') } }`],
  ['hook beforeCase', `hooks: { beforeCase() { throw new Error('broken') } }`],
  ['hook afterResponse', `hooks: { afterResponse() { throw new Error('broken') } }`],
  ['hook beforeRun', `hooks: { beforeRun() { throw new Error('broken') } }`],
  ['hook afterRun', `hooks: { async afterRun() { throw new Error('broken') } }`],
  ['suite own', `suites: [{ id: 'own', title: 'Own', plan() { throw new Error('broken') } }]`],
  [
    'suite own',
    `suites: [{ id: 'own', title: 'Own', plan: () => ({ kind: 'properties', properties: [{ id: 'p', title: 'P',
       examples: [1], arbitrary: undefined, traceChecks: [], run: async () => { throw new Error('broken') } }] }) }]`,
  ],
  ['format code', `formats: { code: { test() { throw new Error('broken') }, examples: ['a'] } }`],
  [
    'codec',
    `codecs: [{ matches: (type: string) => type === 'text/x-code', serialize() { throw new Error('broken') } }]`,
  ],
];

describe('an error in a part of an extension ends a run with 4, and names the line', () => {
  beforeAll(() => {
    const code = { type: 'string', format: 'code' };
    const responses = { 200: { description: '', content: { 'text/x-code': { schema: code } } } };
    const parameters = [{ name: 'code', in: 'query', schema: code }];
    const document = {
      openapi: '3.1.0',
      info: { title: 'Codes', version: '1' },
      paths: { '/codes': { get: { parameters, responses } } },
    };
    write('codes.json', JSON.stringify(document));
    write('good.ts', extensionOf('checks: []'));
  });

  test.each(drawCases(throwing, 4))('%s', { timeout: minute }, async (part, members) => {
    write('broken.ts', extensionOf(`\n  ${members},\n`));
    const { code, stdout, stderr } = await cloche(
      'test',
      '-d',
      'codes.json',
      '--runs',
      '2',
      '--extension',
      'good.ts',
      '--extension',
      'broken.ts',
    );
    expect(stderr).toMatch(
      new RegExp(
        `Failed to run the extension "broken.ts": broken \\(broken.ts:\\d+:\\d+\\). Correct its ${part}.\n`,
        'u',
      ),
    );
    expect(code).toBe(4);
    expect(stdout).not.toContain('VIOLATION');
  });

  test('an arbitrary', { timeout: minute }, async () => {
    const broken = `fc.constant('a').map(() => { throw new Error('broken') })`;
    write(
      'broken.ts',
      `import fc from 'fast-check';\nexport default {\n  generate: { parameters: { code: ${broken} } },\n};`,
    );
    const { code, stderr } = await cloche('test', '-d', 'codes.json', '--extension', 'broken.ts');
    expect(stderr).toMatch(/the extension "broken\.ts": .*broken.* \(broken\.ts:3:\d+\)\. Correct it\.\n/u);
    expect(code).toBe(4);
  });

  test('reports end with the reason, and count no failure of the service', { timeout: minute }, async () => {
    write('broken.ts', extensionOf(`checks: [checkOf(() => { throw new Error('broken') })]`));
    await cloche(
      'test',
      '-d',
      'codes.json',
      '--extension',
      'broken.ts',
      '--report',
      'junit=j.xml',
      '--report',
      'json=j.json',
    );
    expect(readFileSync(join(folder, 'j.xml'), 'utf8')).toMatch(
      /failures="0" errors="1"[^]*broken\.ts:\d+:\d+/u,
    );
    expect(JSON.parse(readFileSync(join(folder, 'j.json'), 'utf8'))).toMatchObject({
      end: { kind: 'broken-off', why: expect.stringContaining('the extension "broken.ts": broken') },
      findings: [],
    });
  });
});

const refused: readonly (readonly [text: string, sentence: string])[] = [
  ['export default { chekcs: [] };', 'it has chekcs, which is not known. Perhaps checks was meant.'],
  [
    'export default { hooks: { beforeRequests() {} } };',
    'it has hooks.beforeRequests, which is not known. Perhaps beforeRequest was meant.',
  ],
  ['export default { hooks: { afterRun: 7 } };', 'hooks.afterRun is not a function. Write a function there.'],
  ['export default { checks: [{ id: "x-a", judge() {} }] };', 'checks[0].docs is missing. Add it.'],
  ['export default { formats: { code: { test() {} } } };', 'formats.code.examples is missing. Add it.'],
  [
    'export default [];',
    'its default export is no extension. Export what defineExtension() of cloche/extend returns.',
  ],
  ['export const extension = {};', 'it has no default export.'],
  ['export default {', 'bad.ts:1:16)'],
];

test.each(drawCases(refused, 3))(
  'a file with %s is refused with 2',
  { timeout: minute },
  async (text, sentence) => {
    write('bad.ts', text);
    const { code, stderr } = await cloche('test', '--extension', 'bad.ts');
    expect(stderr).toContain('Failed to load the extension "bad.ts": ');
    expect(stderr).toContain(sentence);
    expect(code).toBe(2);
  },
);

/** A real notation: lines of `name=value`, with escaped values. */
const linesCodec = `
import { defineExtension } from 'cloche/extend';
const decoder = new TextDecoder('utf-8', { fatal: true });
export default defineExtension({
  codecs: [{
    matches: (type) => type === 'application/x-lines',
    coerces: true,
    parse(content) {
      let text: string;
      try {
        text = decoder.decode(content);
      } catch {
        return { kind: 'malformed', reason: 'it is not UTF-8' };
      }
      const lines = text.split('\\n').filter((line) => line !== '');
      const bad = lines.find((line) => !line.includes('='));
      if (bad !== undefined) return { kind: 'malformed', reason: 'a line has no equals sign' };
      return { kind: 'value', value: Object.fromEntries(lines.map((line) =>
        [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)].map(decodeURIComponent))) };
    },
    serialize: (value) => Object.entries(value ?? {}).map((pair) =>
      pair.map((one) => encodeURIComponent(String(one))).join('=') + '\\n').join(''),
  }],
});
`;

describe('a codec of a file', () => {
  beforeAll(() => {
    write('lines.ts', linesCodec);
    const order = {
      type: 'object',
      required: ['id', 'count'],
      properties: {
        id: { type: 'integer' },
        count: { type: 'integer', minimum: 1 },
        note: { type: 'string' },
      },
    };
    const content = { 'application/x-lines': { schema: order } };
    const refused = { description: 'Refused' };
    write(
      'lines.json',
      JSON.stringify({
        openapi: '3.1.0',
        info: { title: 'Orders', version: '1' },
        paths: {
          '/orders': {
            post: {
              operationId: 'createOrder',
              requestBody: { required: true, content },
              responses: { 201: { description: 'Made', content }, 400: refused, 409: refused, 415: refused },
            },
          },
          '/orders/{id}': {
            get: {
              operationId: 'readOrder',
              parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
              responses: { 200: { description: 'Found', content }, 400: refused, 404: refused },
            },
          },
        },
      }),
    );
  });

  async function startMock(): Promise<string> {
    const mock = await startCommand(['mock', 'lines.json', '--port', '0', '--extension', 'lines.ts'], {
      folder,
      ready: /mocked on (http:\S+)\n/u,
    });
    closer.closeLater(async () => void (await mock.stop()));
    return mock.url;
  }

  async function post(url: string, body: string): Promise<readonly [status: number, body: string]> {
    const headers = { 'content-type': 'application/x-lines' };
    const response = await fetch(`${url}/orders`, { method: 'POST', headers, body });
    return [response.status, await response.text()];
  }

  test('reads and writes the bodies of a mock', { timeout: minute }, async () => {
    const url = await startMock();
    expect(await post(url, 'id=7\ncount=2\nnote=a%20b\n')).toEqual([201, 'id=7\ncount=2\nnote=a%20b\n']);
    const read = await fetch(`${url}/orders/7`);
    expect([read.status, read.headers.get('content-type'), await read.text()]).toEqual([
      200,
      'application/x-lines',
      'id=7\ncount=2\nnote=a%20b\n',
    ]);
    expect((await post(url, 'id=8\ncount=none\n'))[0]).toBe(400);
    expect((await post(url, 'nothing'))[0]).toBe(400);
  });

  test('sends and judges the bodies of a run, and of traffic', { timeout: 2 * minute }, async () => {
    const url = await startMock();
    const options = ['-d', 'lines.json', '--extension', 'lines.ts'];
    const good = await cloche('test', url, ...options, '--runs', '20', '--report', 'har=run.har');
    expect(good.stdout).toContain('Coverage: 2 of 2 operations answered with a success');
    expect(good).toMatchObject({ code: 0 });
    const bodies = JSON.parse(readFileSync(join(folder, 'run.har'), 'utf8')).log.entries.flatMap(
      ({ request }: { request: { postData?: { text: string } } }) => request.postData?.text ?? [],
    );
    expect(bodies).toContainEqual(expect.stringMatching(/^count=\d+\nid=\d+\n|^id=\d+\ncount=\d+\n/u));
    // A service that takes what its schema refuses, and a recording of it.
    const bad = write(
      'bad.har',
      readFileSync(join(folder, 'run.har'), 'utf8').replaceAll(/count=\d+/gu, 'count=x'),
    );
    const judged = await cloche('check', bad, ...options);
    expect(judged.stdout).toContain('[response-schema-');
    expect(judged.code).toBe(1);
  });
});

test('checks judge traffic, and hooks see the requests of learn', { timeout: 2 * minute }, async () => {
  const mock = await startCommand(['mock', '--port', '0', '--token', 't'], {
    folder,
    ready: /mocked on (http:\S+)\n/u,
  });
  closer.closeLater(async () => void (await mock.stop()));
  write(
    'traffic.ts',
    extensionOf(`
        checks: [checkOf(({ answer }) => answer.kind === 'none' ? undefined : { expected: 'something else', received: 'this' })],
        hooks: { beforeRequest: (request) => ({ ...request, headers: [...request.headers, ['X-Signed', 'yes']] }) }`),
  );
  const extension = ['--extension', 'traffic.ts', '--token', 't'];
  const proxy = await startCommand(
    ['proxy', mock.url, '--port', '0', ...extension, '--report', 'har=seen.har'],
    {
      folder,
      ready: /proxy on (http:\S+)/u,
    },
  );
  const learnt = await cloche('learn', proxy.url, ...extension, '--question', 'echo', '-o', 'learnt.json');
  expect(learnt.code).toBe(0);
  const { code, output } = await proxy.stop();
  expect(output).toContain('VIOLATION A title [x-own-');
  expect(code).toBe(1);
  const seen = readFileSync(join(folder, 'seen.har'), 'utf8');
  expect(seen).toContain('X-Signed');
  expect(await cloche('check', 'seen.har', ...extension)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('VIOLATION A title [x-own-'),
  });
});
