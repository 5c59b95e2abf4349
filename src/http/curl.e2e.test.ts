import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { contractOf } from '../../fixtures/contract-of.ts';
import { runCloche } from '../../fixtures/run-cloche.ts';
import { textBytes } from './bytes.ts';
import { toCurl } from './curl.ts';
import { quoteText, quoteWord } from './shell-quoting.ts';
import { createMock } from '../mock/create-mock.ts';
import { renderExport, renderReplay } from '../report/view/curl-lines.ts';
import type { ReportedFinding } from '../report/report.ts';
import { readArguments } from '../cli/arguments.ts';
import { testCommand, type TestArguments } from '../cli/commands/test.ts';
import { optionsOf } from '../config/command-options.ts';
import { describeFirstRequest } from '../cli/mock-banner.ts';
import { renderCommand } from '../cli/service.ts';

const minute = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'cloche-pasted-'));
const hasBash = spawnSync('bash', ['--version']).status === 0;

let server: Server;
let service = '';

beforeAll(async () => {
  await buildWhenStale();
  // A service that always fails. Each operation has a status of its own, so that reports group none with another.
  server = createServer((request, response) => {
    const [, index = '0'] = request.url?.split('/') ?? [];
    request.resume().on('end', () => response.writeHead(520 + Number(index)).end());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  service = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}, 2 * minute);

afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

/** What ends quotes, begins a command or means something else to a shell; as a name in a document may hold it. */
const attacks = [
  `x'$(touch PWNED)'`,
  `x"$(touch PWNED)"`,
  'x`touch PWNED`',
  `x';touch PWNED;'`,
  `x\ntouch PWNED\n`,
  `x'\r\ntouch PWNED\r\n#`,
  `\\'; touch PWNED; echo \\'`,
  `$'\\'; touch PWNED #`,
  `x' & touch PWNED & '`,
  `x' | touch PWNED '`,
  `<(touch PWNED)`,
  `\${x:=$(touch PWNED)}`,
  `!!; !touch; x!`,
  `\u001B[31m'$(touch PWNED)'\u009B`,
  `'\u2028touch PWNED\u2028'`,
  `*?[a-z]~{1..3} -x --y =ls #c`,
];
const shellish = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...`'"\`$(){}[];&|<>\\!*?~#=-@%^ \t\r\n`, '\u001B', '\u0085', '\u202E', 'é', '💥', 'x'),
    fc.constantFrom('touch PWNED', '$(touch PWNED)', "'\\''", "$'", '\\\n', '!!'),
  ),
  maxLength: 12,
});
const hostile = fc.oneof(fc.constantFrom(...attacks), shellish);

interface Pasted {
  /** The words of each command that ran, its name the first. */
  readonly commands: readonly (readonly string[])[];
  /** What the folder holds besides, which a command must have made that nobody meant to run. */
  readonly made: readonly string[];
}

let pastes = 0;

/** Pastes lines into a bash that has a history, in an empty folder, where the commands only write their words down. */
function paste(lines: readonly string[]): Pasted {
  pastes += 1;
  const place = join(folder, `paste-${pastes}`);
  mkdirSync(place);
  const words = join(folder, `words-${pastes}`);
  const script = [
    // What is piped to it, it has to read.
    `note() { cat >/dev/null; { printf '%s\\0' "$@"; printf 'end\\0\\0'; } >> ${quoteText(words)}; }`,
    'npx() { note npx "$@"; }',
    'curl() { note curl "$@"; }',
    'set -o history',
    'echo history',
    'set -H',
    ...lines,
    '',
  ].join('\n');
  writeFileSync(words, '');
  const file = join(folder, `lines-${pastes}.sh`);
  writeFileSync(file, script);
  const { status, stderr } = spawnSync('bash', [file], { cwd: place, input: '', encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  const commands = readFileSync(words, 'utf8')
    .split('end\0\0')
    .slice(0, -1)
    .map((command) => command.split('\0').slice(0, -1));
  return { commands, made: readdirSync(place) };
}

/** What bash hands on of a text that travels as bytes, read as UTF-8. */
function toWire(text: string): string {
  return Buffer.from(textBytes(text)).toString('utf8');
}

function findingAt(path: string): ReportedFinding {
  // `as`: of a finding of a run nothing else is read.
  return { replay: { seed: 7, path }, confirmed: { seen: 1, tried: 1 } } as unknown as ReportedFinding;
}

const usual = readArguments<TestArguments>({
  options: optionsOf(testCommand),
  values: { 'base-url': 'http://127.0.0.1:8080' },
});

describe.skipIf(!hasBash)('pasted into bash (skipped where there is none)', () => {
  test('a replay line is one command, its path one word, whatever a document calls an operation', () => {
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 20, maxLength: 40 }), (names) => {
        const paths = [...attacks, ...names].map((name) => `valid-bodies/${name}.plain:3`);
        const lines = paths.map(
          (path) => renderReplay(findingAt(path), { command: 'npx cloche test' }) ?? '',
        );
        expect(lines.filter((line) => /[\r\n]/u.test(line))).toEqual([]);
        const { commands, made } = paste(lines);
        expect(commands).toEqual(
          paths.map((path) => ['npx', 'cloche', 'test', '--seed', '7', '--path', path]),
        );
        expect(made).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });

  test('there is no replay line where no command line can hold the path', () => {
    expect(
      renderReplay(findingAt('valid-bodies/a\0b.plain:3'), { command: 'npx cloche test' }),
    ).toBeUndefined();
  });

  test('the command of a run names files, answers and fields as they were given', () => {
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 20, maxLength: 40 }), (given) => {
        const texts = [...attacks, ...given].filter((text) => text !== '');
        const lines = texts.map((text) =>
          renderCommand(
            { ...usual, document: text, policy: text, answer: [text], ca: text, against: text },
            [],
          ),
        );
        const { commands, made } = paste(lines);
        expect(commands).toEqual(
          texts.map((text) =>
            'npx cloche test http://127.0.0.1:8080 --document'
              .split(' ')
              .concat(text, '--policy', text, '--answer', text, '--against', text, '--ca', text),
          ),
        );
        expect(made).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });

  test('a curl line runs curl alone, whatever stands in method, path, fields, body, host and file', () => {
    // What of a text can be part of a URL.
    const hosts = ['x$(touch${IFS}PWNED)', "x'touch'", 'x;touch', 'x&touch', 'x`touch`'].map(
      (host) => `http://${host}.example`,
    );
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            baseUrl: fc.constantFrom('http://127.0.0.1:8080', 'https://shop.example/v1', ...hosts),
            method: fc.constantFrom('GET', 'POST', 'HEAD', "A'$(touch$IFS-PWNED)", 'x;touch', '-X'),
            path: hostile,
            value: hostile,
            body: fc.oneof(
              hostile,
              hostile.map((text) => `${text}\0${text}`),
              fc.constant('@PWNED'),
            ),
            ca: fc.option(hostile, { nil: undefined }),
            excess: fc.constantFrom(undefined, 'after-head' as const, 'after-length' as const),
          }),
          { minLength: 10, maxLength: 30 },
        ),
        (requests) => {
          const lines = requests.map(({ method, path, value, body, ca, ...how }) =>
            toCurl({
              ...how,
              ...(ca === undefined ? {} : { ca }),
              request: {
                method,
                target: `/${path}`,
                headers: [['X-Value', value]],
                body: Buffer.from(body),
              },
            }),
          );
          expect(lines.filter((line) => /[\r\n]/u.test(line))).toEqual([]);
          const { commands, made } = paste(lines);
          expect(commands.map(([name]) => name)).toEqual(requests.map(() => 'curl'));
          requests.forEach(({ path, value, ca }, index) => {
            const words = commands[index] ?? [];
            // The raw bytes of the request are what is piped to it.
            const isRaw = words.some((word) => word.startsWith('telnet:'));
            const field = value.trim() === '' ? 'X-Value;' : `X-Value: ${value}`;
            expect(isRaw || words.includes(toWire(field))).toBe(true);
            expect(isRaw || words.some((word) => word.endsWith(toWire(`/${path}`)))).toBe(true);
            expect(isRaw || ca === undefined || words.includes(ca)).toBe(true);
          });
          expect(made).toEqual([]);
        },
      ),
      { numRuns: 20 },
    );
  });

  test('a curl line with a variable in it runs curl alone too', () => {
    // Another end of a line than that of the command no field can hold.
    const values = attacks
      .filter((attack) => !/[\r\n]/u.test(attack))
      .map((attack) => `Bearer hush-hush ${attack}`);
    const lines = values.map((value) =>
      toCurl({
        baseUrl: 'http://127.0.0.1:8080',
        secrets: ['hush-hush'],
        request: { method: 'GET', target: '/', headers: [['Authorization', value]], body: undefined },
      }),
    );
    const { commands, made } = paste(['CLOCHE_TOKEN=t', ...lines]);
    expect([commands.filter(([name]) => name !== 'curl'), made]).toEqual([[], []]);
    values.forEach((value, index) => {
      const field = `Authorization: ${value.replace('hush-hush', 't')}`;
      expect(commands[index]).toContain(toWire(field));
    });
  });

  test('the first request that a mock shows runs curl alone, whatever stands in its path and its example', async () => {
    for (const attack of attacks.map((text) => text.replaceAll(/[{}]/gu, ''))) {
      const schema = { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } };
      const content = { 'application/json': { schema, example: { id: 1, name: attack } } };
      const responses = { 201: { description: 'made', content } };
      const get = { responses: { 200: { description: 'OK' } } };
      const paths = [
        { [`/${attack}`]: { get } },
        { '/things': { post: { requestBody: { content }, responses } } },
      ];
      const mocks = await Promise.all(paths.map((each) => createMock(contractOf({ paths: each }))));
      const lines = mocks.flatMap((mock) =>
        describeFirstRequest({ mock, url: 'http://127.0.0.1:4010', tokens: [] }),
      );
      const { commands, made } = paste(lines.map((line) => line.slice('Try it: '.length)));
      expect(commands.map(([name, , target, ...words]) => [name, target, words.at(-1)])).toEqual([
        ['curl', `http://127.0.0.1:4010/${attack}`, undefined],
        ['curl', 'http://127.0.0.1:4010/things', JSON.stringify({ id: 1, name: attack })],
      ]);
      expect(made).toEqual([]);
      await Promise.all(mocks.map((mock) => mock.close()));
    }
  });

  test('the line to run before another gives each variable one word', () => {
    const meanings = attacks.map((name) => `the value of --header ${name}`);
    const lines = meanings.map((_, index) => `"$CLOCHE_TOKEN${index === 0 ? '' : `_${index + 1}`}"`);
    const line = renderExport(lines, meanings) ?? '';
    const shown = meanings.map((_, index) => `npx "$CLOCHE_TOKEN${index === 0 ? '' : `_${index + 1}`}"`);
    const { commands, made } = paste([line, ...shown]);
    expect([commands, made]).toEqual([meanings.map((meaning) => ['npx', meaning]), []]);
  });

  test('a word is bare only where a shell reads it as it stands', () => {
    expect([quoteWord('api.yaml'), quoteWord('=ls'), quoteWord(''), quoteWord("it's")]).toEqual([
      'api.yaml',
      "'=ls'",
      "''",
      String.raw`'it'\''s'`,
    ]);
  });

  test(
    'every line that a run prints shows its finding again, and does nothing else',
    { timeout: 2 * minute },
    async () => {
      const names = attacks.slice(0, 8);
      writeFileSync(
        join(folder, 'api.json'),
        JSON.stringify({
          openapi: '3.1.0',
          info: { title: "$(touch PWNED)'$(touch PWNED)'", version: '`touch PWNED`' },
          paths: Object.fromEntries(
            names.map((name, index) => [
              `/${index}/$(touch PWNED)'\`touch PWNED\``,
              { get: { operationId: name, responses: { '200': { description: 'OK' } } } },
            ]),
          ),
        }),
      );
      const reports = ['json', 'github', 'html'].flatMap((kind) => ['--report', `${kind}=r.${kind}`]);
      const { code, stdout } = await runCloche(
        ['test', service, '-d', 'api.json', '--suite', 'samples', '--seed', '7', '--verbose', ...reports],
        { folder, env: { GITHUB_STEP_SUMMARY: join(folder, 'summary.md') } },
      );
      expect(code).toBe(1);
      const printed = stdout
        .split('\n')
        .flatMap((line) => /^ {2}(?:request|then|replay) +(.+)$/u.exec(line)?.[1] ?? []);
      const summary = readFileSync(join(folder, 'summary.md'), 'utf8')
        .split('\n')
        .filter((line) => /^(?:curl|npx|printf)\b/u.test(line));
      const annotated = readFileSync(join(folder, 'r.github'), 'utf8')
        .replaceAll('%0A', '\n')
        .replaceAll('%25', '%')
        .split('\n')
        .filter((line) => /^(?:curl|npx|printf)\b/u.test(line));
      const entities: Readonly<Record<string, string>> = {
        lt: '<',
        gt: '>',
        amp: '&',
        quot: '"',
        '#39': "'",
      };
      const copied = [...readFileSync(join(folder, 'r.html'), 'utf8').matchAll(/<code>([^<]*)<\/code>/gu)]
        .map(([, code = '']) =>
          code.replaceAll(/&([^;]+);/gu, (found, name: string) => entities[name] ?? found),
        )
        .filter((line) => /^(?:curl|npx|printf)\b/u.test(line));
      // `as`: the schema of the report says so, which other tests hold.
      const report = JSON.parse(readFileSync(join(folder, 'r.json'), 'utf8')) as {
        findings: { replay: { path: string; command: string }; requests?: { curl: string }[] }[];
      };
      const paths = report.findings.map(({ replay }) => replay.path);
      expect(paths.length).toBe(names.length);
      for (const lines of [printed, summary, annotated, copied]) {
        expect(lines.length).toBe(2 * paths.length);
        const { commands, made } = paste(lines);
        expect(commands.filter(([name]) => name === 'npx').map((words) => words.at(-1))).toEqual(paths);
        expect(commands.filter(([name]) => name === 'curl').length).toBe(paths.length);
        expect(made).toEqual([]);
      }
      // And for real, with the words that the shell made of the first.
      const [[, , ...words] = []] = paste(printed).commands.filter(([name]) => name === 'npx');
      const again = await runCloche(words, { folder });
      expect([again.code, again.stdout]).toEqual([1, expect.stringContaining('VIOLATION')]);
      expect(readdirSync(folder)).not.toContain('PWNED');
    },
  );
});
