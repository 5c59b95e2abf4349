import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { listSchemaErrors } from '../../fixtures/report-schemas.ts';
import { clocheMain, type Ended, runCloche } from '../../fixtures/run-cloche.ts';
import { startService } from '../../fixtures/start-service.ts';
import { parseReports } from './reports.ts';

test('reads kinds and files, and standard output where no file is named', () => {
  expect(parseReports(['junit=a.xml', 'html=b=c.html', 'json=-'])).toEqual([
    { kind: 'junit', file: 'a.xml' },
    { kind: 'html', file: 'b=c.html' },
    { kind: 'json', file: undefined },
  ]);
  expect(parseReports(['github'])).toEqual([{ kind: 'github', file: undefined }]);
  expect(parseReports([])).toEqual([]);
});

test.each([
  [['jnit=a.xml'], '"--report jnit=a.xml": there is no report of the kind jnit. Perhaps junit was meant.'],
  [
    ['pdf=a'],
    'there is no report of the kind pdf. Choose among junit, json, html, github, gitlab, sarif, markdown, ctrf, har, agent.',
  ],
  [['=a'], 'it names no kind of report. Choose among junit'],
  [['html='], '"--report html=": it names no file. Write html=FILE, or html=- for standard output.'],
  [['json', 'github'], '"--report github": another report goes to standard output already.'],
])('refuses %j', (texts, sentence) => {
  expect(() => parseReports(texts)).toThrow(sentence);
});

const minute = 60_000;
const require = createRequire(import.meta.url);
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
const fits = ajv.compile(JSON.parse(readFileSync(require.resolve('cloche/report.schema.json'), 'utf8')));
const token = 'secret-token-of-the-test';
const folder = mkdtempSync(join(tmpdir(), 'cloche-reports-'));
const servers: Server[] = [];

beforeAll(() => buildWhenStale(), 2 * minute);

afterAll(() => {
  servers.forEach((server) => server.close());
  rmSync(folder, { recursive: true, force: true });
});

const cloche = (words: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  runCloche(['test', ...words], { folder, env });
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

function complainOf(value: unknown): unknown {
  fits(value);
  return fits.errors;
}

async function start(id: string): Promise<string> {
  const { server, url } = await startService(id, token);
  servers.push(server);
  return url;
}

test('writes every report of one run, all of one mind, and no token', { timeout: minute }, async () => {
  const url = await start('500-on-non-ascii');
  const files = [
    'junit=r.xml',
    'html=r.html',
    'har=r.har',
    'github=r.txt',
    'gitlab=r.gitlab',
    'sarif=r.sarif',
    'markdown=r.md',
    'ctrf=r.ctrf',
    'json=-',
  ];
  const { code, stdout, stderr } = await cloche(
    [url, '--suite', 'valid-bodies', '--runs', '20', ...files.flatMap((report) => ['--report', report])],
    { CLOCHE_TOKEN: token, GITHUB_STEP_SUMMARY: join(folder, 'summary.md') },
  );
  expect(code).toBe(1);
  expect(stderr).toContain('[server-error-');
  const value = JSON.parse(stdout);
  expect(complainOf(value)).toBeNull();
  const { findings, figures } = value;
  const [{ id, check }] = findings;
  expect(check).toBe('server-error');
  expect(read('r.xml')).toContain('type="server-error"');
  expect(read('r.html')).toContain(id);
  expect(read('r.txt')).toContain(`%0A${id}`);
  expect(read('summary.md')).toContain(id);
  expect(read('r.md')).toContain(id);
  expect(JSON.parse(read('r.gitlab'))[0]).toMatchObject({ fingerprint: id, severity: 'major' });
  const sarif = JSON.parse(read('r.sarif'));
  expect(listSchemaErrors('sarif', sarif)).toEqual([]);
  expect(sarif.runs[0].invocations[0].exitCode).toBe(1);
  expect(sarif.runs[0].results[0].partialFingerprints['clocheFinding/v1']).toBe(id);
  const ctrf = JSON.parse(read('r.ctrf'));
  expect(listSchemaErrors('ctrf', ctrf)).toEqual([]);
  expect(ctrf.results.summary.failed).toBeGreaterThan(0);
  const { entries } = JSON.parse(read('r.har')).log;
  expect(entries).toHaveLength(figures.requests);
  expect(
    entries.filter(({ response }: { response: { status: number } }) => response.status === 500),
  ).not.toEqual([]);
  const all = [stdout, stderr, ...readdirSync(folder).map(read)].join('');
  expect(all).not.toContain(token);
  expect(all).not.toContain(token.slice(0, -1));
  expect(all).not.toContain(Buffer.from(token).toString('base64').slice(0, -4));
});

test(
  'a replay and a smoke run write no configured report, but one of the command line',
  { timeout: minute },
  async () => {
    const configuration = 'cloche.yaml';
    writeFileSync(join(folder, configuration), 'test: { reports: { json: configured.json } }\n');
    const replay = ['--path', 'valid-bodies/createPlant.plain:0', '--seed', '1'];
    for (const words of [replay, ['--smoke']]) {
      const { code } = await cloche(['--config', configuration, ...words]);
      expect(code).toBe(0);
    }
    expect(readdirSync(folder)).not.toContain('configured.json');
    await cloche(['--config', configuration, ...replay, '--report', 'json=given.json']);
    expect(JSON.parse(read('given.json')).findings).toEqual([]);
    await cloche(['--config', configuration, '--suite', 'accept']);
    expect(JSON.parse(read('configured.json')).findings).toEqual([]);
  },
);

test(
  'a report that cannot be written ends the command before it sends anything',
  { timeout: minute },
  async () => {
    const { code, stdout, stderr } = await cloche(['--report', 'junit=no/r.xml']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe(
      'Failed to write the report "no/r.xml": its folder does not exist. Make the folder first, or name another file.\n',
    );
    const unknown = await cloche(['--report', 'jnit=r.xml']);
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('Perhaps junit was meant.')]);
  },
);

test('a service that is not there is told in the reports too', { timeout: minute }, async () => {
  const { code } = await cloche([
    'http://127.0.0.1:1',
    '--token',
    token,
    '--report',
    'junit=gone.xml',
    '--report',
    'json=gone.json',
  ]);
  expect(code).toBe(3);
  expect(read('gone.xml')).toContain('type="cannot-judge"');
  expect(JSON.parse(read('gone.json')).end).toEqual({
    kind: 'broken-off',
    why: expect.stringContaining('nothing listens on 127.0.0.1:1'),
    exitCode: 3,
  });
});

test('an interrupted run writes its reports, and says in them that it was', { timeout: minute }, async () => {
  const url = await start('500-on-non-ascii');
  const reports = ['junit', 'json', 'har', 'html'].flatMap((kind) => ['--report', `${kind}=stopped.${kind}`]);
  const child = spawn(
    process.execPath,
    [clocheMain, 'test', url, '--token', token, '--rate', '50', '--runs', '1000', ...reports],
    { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  // The first line comes as the run starts.
  await once(child.stdout, 'data');
  child.kill('SIGINT');
  child.stdout.resume();
  const [code] = await once(child, 'exit');
  expect(code).toBe(130);
  expect(JSON.parse(read('stopped.json')).end).toEqual({ kind: 'interrupted' });
  expect(complainOf(JSON.parse(read('stopped.json')))).toBeNull();
  expect(read('stopped.junit')).toContain('type="interrupted"');
  expect(JSON.parse(read('stopped.har')).log.version).toBe('1.2');
  expect(read('stopped.html')).toMatch(/<\/html>\s*$/u);
  expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test('nothing is written of a run that never began', { timeout: minute }, async () => {
  const { code } = await cloche(['--ids', '1-2', '--report', 'json=never.json']);
  expect(code).toBe(2);
  expect(readdirSync(folder)).not.toContain('never.json');
});
