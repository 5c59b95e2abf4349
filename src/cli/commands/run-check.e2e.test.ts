import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawCases } from '../../../fixtures/draw-cases.ts';
import { buildWhenStale } from '../../../fixtures/build-when-stale.ts';
import { clocheMain, type Ended, runCloche } from '../../../fixtures/run-cloche.ts';
import { startMock } from '../../../fixtures/start-mock.ts';

const minute = 60_000;
const require = createRequire(import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'cloche-check-'));
const token = 'good-token-of-the-garden';

beforeAll(() => buildWhenStale(), 2 * minute);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const check = (...words: readonly string[]): Promise<Ended> => runCloche(['check', ...words], { folder });
const recording = (name: string): string =>
  fileURLToPath(new URL(`../../../fixtures/traffic/${name}`, import.meta.url));

function write(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return name;
}

function complainOf(value: unknown): unknown {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  const fits = ajv.compile(JSON.parse(readFileSync(require.resolve('cloche/report.schema.json'), 'utf8')));
  fits(value);
  return fits.errors;
}

test(
  'judges a recording of a browser, and says what it judged and what not',
  { timeout: minute },
  async () => {
    const { code, stdout, stderr } = await check(recording('chrome-sanitized.har'));
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Judging https://garden.example/v1 by');
    expect(stdout).toContain('6 of 9 requests are to its paths');
    expect(stdout).toMatch(/\n {2}1 exchange: it was answered from a cache \(the first: entry 8 of chrome/u);
    expect(stdout).toContain(
      'whether requests without credentials are accepted: the recording shows none at all',
    );
    expect(stdout).toMatch(/4 exchanges judged, 5 not\.\n\nPASS  .*: nothing found in 4 exchanges\n$/su);
  },
);

const numbers = Array.from({ length: 50_000 }, (_, index) => index);
const fieldsOf = (toField: (index: number) => readonly [string, string]): readonly object[] =>
  numbers.map(toField).map(([name, value]) => ({ name, value }));
const queryOf = (toMember: (index: number) => string): string => numbers.map(toMember).join('&');

// What takes time for each pair of these takes minutes.
test.each(
  drawCases(
    [
      ['header fields', fieldsOf((index) => [`X-${index}`, 'a']), ''],
      ['header fields of one name', fieldsOf((index) => ['Accept', `a/b${index}`]), ''],
      ['credentials', fieldsOf((index) => ['X-Api-Key', `the-key-${index}`]), ''],
      ['cookies', fieldsOf((index) => ['Cookie', `c${index}=the-cookie-${index}`]), ''],
      ['parameters', [], queryOf((index) => `p${index}=a`)],
      ['secret parameters', [], queryOf((index) => `token=the-token-${index}`)],
    ],
    3,
  ),
)('judges an entry with 50,000 %s', async (_, fields, query) => {
  const headers = [{ name: 'Content-Type', value: 'application/json' }, ...fields];
  const text = '{"id":1,"name":"Basil"}';
  const entry = {
    startedDateTime: '2026-01-01T00:00:00.000Z',
    time: 1,
    request: {
      method: 'POST',
      url: `https://garden.example/plants?${query}`,
      headers,
      postData: { mimeType: 'application/json', text },
    },
    // A finding, so that the request is printed.
    response: { status: 500, headers, content: { mimeType: 'application/json', text: '{}' } },
  };
  const file = write('many.har', JSON.stringify({ log: { entries: [entry] } }));
  const { code, stdout } = await check(file);
  expect(code).toBe(1);
  expect(stdout).toMatch(/ violations? in 1 exchange\n$/u);
});

test('judges a list of 250,000 items', async () => {
  const items = Array.from({ length: 250_000 }, (_, index) => ({ id: index, name: 'a' }));
  const entry = {
    request: { method: 'GET', url: 'https://a.example/projects', headers: [] },
    response: {
      status: 200,
      headers: [{ name: 'Content-Type', value: 'application/json' }],
      content: { mimeType: 'application/json', text: JSON.stringify({ items }) },
    },
  };
  const file = write('list.har', JSON.stringify({ log: { entries: [entry] } }));
  const document = fileURLToPath(new URL('../../../fixtures/documents/projects.yaml', import.meta.url));
  const { stdout } = await check(file, '-d', document);
  expect(stdout).toMatch(/ in 1 exchange\n$/u);
});

test('writes every report of traffic, all of one mind, and no token', { timeout: minute }, async () => {
  const reports = ['json', 'junit', 'html', 'har', 'github'].flatMap((kind) => [
    '--report',
    `${kind}=r.${kind}`,
  ]);
  const { code, stdout } = await check(recording('firefox.har'), ...reports);
  expect(code).toBe(1);
  const read = (kind: string): string => readFileSync(join(folder, `r.${kind}`), 'utf8');
  const value = JSON.parse(read('json'));
  expect(complainOf(value)).toBeNull();
  expect([value.kind, value.figures.judged, value.figures.unjudged]).toEqual(['traffic', 4, 0]);
  expect(
    value.findings.map(({ check: id, seenAt }: { check: string; seenAt: { first: string } }) => [
      id,
      seenAt.first,
    ]),
  ).toEqual([
    ['credentials-ignored', 'entry 2 of firefox.har'],
    ['response-schema', 'entry 4 of firefox.har'],
  ]);
  for (const { id } of value.findings) {
    expect([stdout, read('html'), read('github')].every((text) => text.includes(id))).toBe(true);
  }
  expect(read('junit')).toContain('type="credentials-ignored"');
  expect(JSON.parse(read('har')).log.entries).toHaveLength(4);
  expect(stdout).toContain('-H "Authorization: Bearer $CLOCHE_TOKEN"');
  const all = [stdout, ...['json', 'junit', 'html', 'har', 'github'].map(read)].join('');
  expect(all).not.toContain(token);
});

test('comes to its verdict though nobody reads on', { timeout: minute }, async () => {
  const child = spawn(process.execPath, [clocheMain, 'check', recording('firefox.har')], { cwd: folder });
  let said = '';
  child.stderr.on('data', (bytes) => {
    said += String(bytes);
  });
  child.stdout.destroy();
  // Its standard error may end after it.
  const [code] = await once(child, 'close');
  expect([code, said]).toEqual([1, '']);
});

test('a violation of a given answer fails the command', { timeout: minute }, async () => {
  const har = recording('insomnia.har');
  const { stdout } = await check(har, '--token', token);
  expect(stdout).not.toContain('unsupported-media-type —');
  const unenforced = await check(har);
  expect(unenforced.stdout).toMatch(/^ {2}unsupported-media-type 415 /mu);
  expect(unenforced.stdout).not.toContain('  invalid-credentials');
  const enforced = await check(har, '--token', token, '--answer', 'unsupported-media-type=400');
  expect(enforced.code).toBe(1);
  expect(enforced.stdout).toContain('policy unsupported-media-type —');
});

test('says where a file is broken, and that there is nothing to judge', { timeout: minute }, async () => {
  const broken = await check(write('broken.har', '{"log":'));
  expect([broken.code, broken.stdout]).toEqual([2, '']);
  expect(broken.stderr).toContain('Failed to read the traffic "broken.har:1:8": the text ends too early.');
  const missing = await check('none.har');
  expect([missing.code, missing.stderr]).toEqual([
    2,
    expect.stringContaining('"none.har": there is no such file'),
  ]);
  const empty = await check(write('empty.har', '{"log":{"entries":[]}}'));
  expect([empty.code, empty.stderr]).toEqual([3, expect.stringContaining('it holds no exchange')]);
  const elsewhere = await check(recording('firefox.har'), '--base-url', 'https://other.example');
  expect([elsewhere.code, elsewhere.stderr]).toEqual([
    3,
    expect.stringContaining('none of its 4 exchanges can be judged'),
  ]);
  expect(elsewhere.stdout).toContain('4 exchanges: it is not below https://other.example');
  const noFile = await check();
  expect(noFile.code).toBe(2);
});

test(
  'reads a recording of very many exchanges that were under way together',
  { timeout: 3 * minute },
  async () => {
    const entry = (from: string): string =>
      `{"startedDateTime":"2026-01-01T00:00:00Z","time":9,${from}"request":{"method":"GET","url":"http://a/plants"}}`;
    const entries = [...Array.from({ length: 200_000 }, () => entry('"_fromCache":"disk",')), entry('')];
    const har = write('many.har', `{"log":{"entries":[${entries.join(',')}]}}`);
    const child = spawn(process.execPath, [clocheMain, 'check', har], { cwd: folder });
    const killing = setTimeout(() => child.kill('SIGKILL'), 2 * minute);
    const [code] = await once(child, 'exit');
    clearTimeout(killing);
    // None of them can be judged.
    expect(code).toBe(3);
  },
);

/** Records three requests to a mock; resolves to the lines of its log. */
async function recordMock(log: 'json' | 'exchanges'): Promise<readonly string[]> {
  const mock = await startMock(folder, ['--token', token, '--log', log]);
  for (const body of ['{"id":1,"name":"Basil"}', '{"id":1,"name":"Basil"}', '{"id":2}']) {
    await fetch(`${mock.url}/plants`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body,
    });
  }
  const { output } = await mock.stop();
  return output.split('\n').filter((line) => line.startsWith('{"id":'));
}

test('judges the log of a mock', { timeout: minute }, async () => {
  const lines = await recordMock('exchanges');
  const { code, stdout, stderr } = await check(write('log.txt', `${lines.join('\n')}\n`));
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('3 of 3 requests are to its paths');
  expect(stdout).toMatch(/\n3 exchanges judged, 0 not\.\n\nPASS  .*: nothing found in 3 exchanges\n$/u);
  expect(lines.join('\n')).not.toContain(token);

  const broken = lines.map((line) => line.replace(String.raw`"body":"{\"name\":\"Basil\"}"`, '"body":"{}"'));
  const found = await check(write('broken.ndjson', broken.join('\n')), '--report', 'json=log.json');
  expect(found.stdout).toMatch(/VIOLATION A response broke its schema .*line 1 of broken\.ndjson/su);
  expect(found.code).toBe(1);
  expect(complainOf(JSON.parse(readFileSync(join(folder, 'log.json'), 'utf8')))).toBe(null);
});

test('names the option for a log without header fields and contents', { timeout: minute }, async () => {
  const { code, stderr } = await check(write('short.ndjson', (await recordMock('json')).join('\n')));
  expect(stderr).toBe(
    'Failed to read the traffic "short.ndjson": its lines have neither header fields nor contents, so that nothing in it can be judged. Record it with cloche mock --log exchanges.\n',
  );
  expect(code).toBe(2);
});
