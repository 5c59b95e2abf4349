import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { optionsOf } from '../config/command-options.ts';
import { readArguments } from './arguments.ts';
import { mockCommand } from './commands/mock.ts';
import { testCommand, type TestArguments } from './commands/test.ts';
import { runConfigured } from './configured.ts';
import { listSections } from './commands/sections.ts';

const folder = mkdtempSync(join(tmpdir(), 'cloche-configured-'));
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => vi.stubEnv('TOKEN_OF_TEST', undefined));
afterEach(() => vi.unstubAllEnvs());

/** Writes a configuration and returns its path. */
function write(text: string, name = 'cloche.yaml'): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** Runs `cloche test` with a configuration, as far as its arguments. */
async function readTest(
  config: string | false,
  values: Readonly<Record<string, unknown>> = {},
): Promise<readonly TestArguments[]> {
  const read: TestArguments[] = [];
  const options = optionsOf(testCommand);
  await runConfigured<TestArguments>(
    { section: 'test', options, values: { ...values, config }, sections: listSections },
    async (given) => {
      read.push(readArguments(given));
    },
  );
  return read;
}

async function readMock(text: string): Promise<Readonly<Record<string, unknown>>> {
  const options = optionsOf(mockCommand);
  let read = {};
  await runConfigured(
    { section: 'mock', options, values: { config: write(text) }, sections: listSections },
    async (given) => {
      read = readArguments(given);
    },
  );
  return read;
}

test('reads options of the top level and of the section', async () => {
  const file = write(
    'document: api.yaml\nheaders: { X-Tenant: acme, X-Ids: [1, 2] }\ntest: { runs: 5, strict: true }\n',
  );
  const [input] = await readTest(file);
  expect(input).toMatchObject({
    document: relative('.', join(folder, 'api.yaml')),
    header: ['X-Tenant: acme', 'X-Ids: 1', 'X-Ids: 2'],
    runs: 5,
    strict: true,
    timeout: 5_000,
  });
});

test('prefers the command line, then the environment, then the service, then the top level', async () => {
  const file = write('timeout: 1\nrate: 2\nservices: { orders: { timeout: 3, test: { runs: 4 } } }\n');
  expect((await readTest(file))[0]).toMatchObject({ timeout: 3, rate: 2, runs: 4 });
  vi.stubEnv('CLOCHE_TIMEOUT', '5');
  expect((await readTest(file))[0]).toMatchObject({ timeout: 5, rate: 2 });
  expect((await readTest(file, { timeout: '6' }))[0]).toMatchObject({ timeout: 6, rate: 2 });
});

test('switches off with --no-NAME what the configuration sets', async () => {
  const file = write('test: { maxTime: 7, rate: 5, suites: [credentials], strict: true }\n');
  const off = { 'max-time': false, suite: [false], strict: false };
  const [input] = await readTest(file, off);
  expect(input).toMatchObject({ 'max-time': undefined, rate: 5, suite: [], strict: false });
  const [other] = await readTest(file, { suite: [false, 'samples'] });
  expect(other?.suite).toEqual(['samples']);
});

test('leaves the token of the configuration out if the environment has one', async () => {
  const file = write('token: of-the-configuration\n');
  expect((await readTest(file))[0]?.token).toBe('of-the-configuration');
  vi.stubEnv('CLOCHE_TOKEN', 'of-the-environment');
  expect((await readTest(file))[0]?.token).toBeUndefined();
});

test('warns of a variable that no option has, and suggests the nearest', async () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  for (const known of [
    'DEBUG',
    'TOKEN',
    'TOKEN_2',
    'COOKIE_SESSION',
    'SERVICE',
    'CONFIG',
    'MAX_TIME',
    'MOCK',
  ]) {
    vi.stubEnv(`CLOCHE_${known}`, '');
  }
  await readTest(false);
  const before = write.mock.calls.length;
  vi.stubEnv('CLOCHE_MAXTIME', '5');
  vi.stubEnv('CLOCHE_XYZZY', '5');
  await readTest(false);
  const text = write.mock.calls.slice(before).map(String).join('');
  write.mockRestore();
  expect(before).toBe(0);
  expect(text).toBe(
    'The variable CLOCHE_MAXTIME has no effect: no option has this name. Perhaps CLOCHE_MAX_TIME was meant.\n' +
      'The variable CLOCHE_XYZZY has no effect: no option has this name.\n',
  );
});

test('refuses a switch of the environment that is neither on nor off', async () => {
  vi.stubEnv('CLOCHE_STRICT', 'off');
  expect((await readTest(false))[0]).toMatchObject({ strict: false });
  vi.stubEnv('CLOCHE_STRICT', 'maybe');
  await expect(readTest(false)).rejects.toThrow('Set CLOCHE_STRICT to true or false');
});

test('does not read the section proxy: as the option --proxy', async () => {
  const [input] = await readTest(write('proxy: { port: 4020 }\n'));
  expect(input?.proxy).toBeUndefined();
  await expect(readTest(write('proxy: http://127.0.0.1:3128\n'))).rejects.toThrow(
    'proxy: must be an object of settings. Write it below test:, learn:, proxy:.',
  );
});

test('resolves the path of each report of a list', async () => {
  const [input] = await readTest(write('test: { reports: [junit=junit.xml, json=-, github] }\n'));
  expect(input?.report).toEqual([`junit=${relative('.', join(folder, 'junit.xml'))}`, 'json=-', 'github']);
});

test('ignores the configuration with --no-config', async () => {
  expect((await readTest(false))[0]).toMatchObject({ runs: undefined, header: [] });
});

test('expands variables, with a default and an escape', async () => {
  vi.stubEnv('TOKEN_OF_TEST', 's3cret');
  const file = write('token: ${TOKEN_OF_TEST}\nheaders: { A: "${NOT_SET:-usual}", B: "$${literal}" }\n');
  expect((await readTest(file))[0]).toMatchObject({ token: 's3cret', header: ['A: usual', 'B: ${literal}'] });
});

test('needs a variable only for the commands that use it', async () => {
  expect(
    await readMock('test: { seed: "${TOKEN_OF_TEST}" }\nmock: { port: 4123, cors: false }\n'),
  ).toMatchObject({
    port: 4123,
    cors: false,
    watch: true,
  });
});

test('runs once for each service, and names its reports', async () => {
  const file = write(
    'test: { reports: { junit: reports/junit.xml, json: "-" } }\nservices: { orders: { url: http://a }, bills: { url: http://b } }\n',
  );
  const inputs = await readTest(file);
  expect(inputs.map((input) => input['base-url'])).toEqual(['http://a', 'http://b']);
  expect(inputs[0]?.report).toEqual([
    `junit=${relative('.', join(folder, 'reports/junit-orders.xml'))}`,
    'json=-',
  ]);
  expect(await readTest(file, { service: 'bills' })).toHaveLength(1);
});

test('names the reports of a service whose name has a slash', async () => {
  const file = write('test: { reports: { junit: junit.xml } }\nservices: { eu/orders: {}, bills: {} }\n');
  const [input] = await readTest(file);
  expect(input?.report).toEqual([`junit=${relative('.', join(folder, 'junit-eu-orders.xml'))}`]);
});

test('reads TypeScript, a function in JavaScript, and package.json', async () => {
  const typed = write(
    'interface Runs { runs: number }\nconst test: Runs = { runs: 7 };\nexport default { test };\n',
    'a.config.ts',
  );
  expect((await readTest(typed))[0]?.runs).toBe(7);
  const called = write('export default async () => ({ test: { runs: 8 } });\n', 'b.config.mjs');
  expect((await readTest(called))[0]?.runs).toBe(8);
  const manifest = write('{ "name": "x", "cloche": { "test": { "runs": 9 } } }', 'package.json');
  expect((await readTest(manifest))[0]?.runs).toBe(9);
});

/** Wrong configurations, each with the message after the name of the file. */
const wrong: readonly (readonly [text: string, message: string])[] = [
  ['documents: api.yaml', ':1:1: documents: is no setting of Cloche. Perhaps document was meant.'],
  ['test:\n  maxtime: 7', ':2:3: test.maxtime: is no setting of Cloche. Perhaps maxTime was meant.'],
  ['maxTime: 7', ':1:1: maxTime: is no setting here, but one of test. Move maxTime below test:.'],
  ['test:\n  baseUrl: x', ':2:3: test.baseUrl: is no setting, only the flag --base-url. Write url.'],
  ['header: {}', ':1:1: header: is no setting, only the flag --header. Write headers.'],
  [
    'test: { includeTag: a }',
    ':1:9: test.includeTag: is no setting, only the flag --include-tag. Write include.tags.',
  ],
  ['test: { runs: five }', ':1:9: test.runs: must be a whole number. Correct runs.'],
  ['test: { runs: 1.5 }', ':1:9: test.runs: must be a whole number. Correct runs.'],
  [
    'test: { runs: 0 }',
    '"runs 0 in PLACE:1:9": it takes a whole number from 1 to 1000000. Give another runs.',
  ],
  ['rate: -1', '"rate -1 in PLACE:1:1": it takes a number from 0.01 to 1000000. Give another rate.'],
  ['timeout: [1]', ':1:1: timeout: must be a whole number. Correct timeout.'],
  ['insecure: maybe', ':1:1: insecure: must be true or false. Correct insecure.'],
  ['mock: { log: xml }', ':1:9: mock.log: must be lines or json or exchanges. Correct log.'],
  ['document: [a, b]', ':1:1: document: must be a text. Correct document.'],
  ['document: { file: a }', ':1:1: document: must be a text. Correct document.'],
  ['headers: true', ':1:1: headers: must be an object of names and values. Correct headers.'],
  [
    'headers: { "X Tenant": acme }',
    '"headers X Tenant: *** in PLACE:1:12": what stands before the colon is no name of a header field.',
  ],
  [
    'headers: { Content-Length: "5" }',
    '"headers Content-Length: *** in PLACE:1:12": Cloche writes this field itself.',
  ],
  ['answers: { dupe-key: conflict }', '"answers dupe-key in PLACE:1:12"'],
  ['answers: { duplicate-key: maybe }', '"answers duplicate-key in PLACE:1:12"'],
  ['headers: { X-A: a, X-B: null }', ':1:20: headers.X-B: must be a text or a list of texts. Write ""'],
  ['headers: { X-A: [a, { b: c }] }', ':1:12: headers.X-A: must be a text or a list of texts.'],
  ['test: { reports: { junit: } }', ':1:20: test.reports.junit: must be a text or a list of texts.'],
  ['document: ""', '"document in PLACE:1:1": its value is empty. Give document a value, or leave it out.'],
  ['test: { suites: { a: b } }', ':1:9: test.suites: must be a text or a list of texts. Correct suites.'],
  ['test: { reports: { jnuit: a.xml } }', '"reports jnuit='],
  ['test: 7', ':1:1: test: must be an object of settings. Write test: and its settings below it.'],
  ['tests: { runs: 5 }', ':1:1: tests: is no setting of Cloche. Perhaps test was meant.'],
  [
    'services: [orders]',
    ':1:1: services: must be an object of services. Write orders: and the settings of the service below it.',
  ],
  [
    'services: { orders: orders.yaml }',
    ':1:13: services.orders: must be an object of settings. Write document: and url: below it.',
  ],
  [
    'services: { orders: { uri: http://a } }',
    ':1:23: services.orders.uri: is no setting of Cloche. Perhaps url was meant.',
  ],
  ['services: { orders: { services: {} } }', ':1:23: services.orders.services: is no setting of Cloche.'],
  [
    'token: ${TOKEN_OF_TEST}',
    ':1:1: token: needs the environment variable TOKEN_OF_TEST, which is not set. Set TOKEN_OF_TEST, or write ${TOKEN_OF_TEST:-default}.',
  ],
  ['ca: nothing.pem', 'nothing.pem (ca in PLACE:1:1)": there is no such file'],
  ['test:\n  runs: 5\n  runs: 6', ':3:3'],
  ['test: { runs: 5', ':1'],
  ['- document: api.yaml', ':1:1: must be an object of settings. Begin with document: openapi.yaml.'],
];

describe('a wrong configuration', () => {
  test.each(wrong)('%s', async (text, message) => {
    const file = write(`${text}\n`, 'wrong.yaml');
    const place = relative('.', file);
    const check = async (): Promise<void> => {
      const { checkTestOptions } = await import('./commands/run-test.ts');
      await runConfigured<TestArguments>(
        {
          section: 'test',
          options: optionsOf(testCommand),
          values: { config: file },
          sections: listSections,
        },
        async (given) => checkTestOptions(readArguments(given)),
      );
    };
    await expect(check()).rejects.toThrow(message.replaceAll('PLACE', place));
    await expect(check()).rejects.toThrow(place);
    await expect(check()).rejects.toMatchObject({ exitCode: 2 });
  });

  test('names every problem of code, and the line of code that throws', async () => {
    const file = write('export default {\n  tests: {}, maxtime: 7 };\n', 'wrong.config.ts');
    await expect(readTest(file)).rejects.toThrow(/tests is no setting of Cloche \(and 1 more problems\)/u);
    const thrown = write('\nthrow new Error("not today");\n', 'thrown.config.ts');
    await expect(readTest(thrown)).rejects.toThrow(/not today \(.*thrown\.config\.ts:2/u);
  });

  test.each([
    ['nothing.yaml', 'there is no such file'],
    ['cloche.toml', 'its ending is none of a configuration'],
  ])('%s is refused', async (name, reason) => {
    if (name.endsWith('.toml')) write('', name);
    await expect(readTest(join(folder, name))).rejects.toThrow(reason);
  });

  test('a file of --config must not be empty', async () => {
    await expect(readTest(write('', 'empty.yaml'))).rejects.toThrow('it is empty. Begin with document:');
    await expect(readTest(write('{}', 'package.json'))).rejects.toThrow('it has no member "cloche"');
  });

  test('an unknown service suggests the nearest', async () => {
    const file = write('services: { orders: {}, bills: {} }\n');
    await expect(readTest(file, { service: 'oders' })).rejects.toThrow('Perhaps orders was meant');
    await expect(readMock('services: { orders: {}, bills: {} }\n')).rejects.toThrow(
      'the configuration has 2 services, and mock takes one. Name one of orders, bills, or give each a document and a prefix.',
    );
  });
});
