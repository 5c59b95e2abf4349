import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import type { SecurityScheme } from '../contract/contract.ts';
import { loadContract } from '../contract/load.ts';
import { usualResponseLimit } from '../http/message.ts';
import {
  parseHeader,
  parseKeyRange,
  parseServiceUrl,
  readArguments,
  readAuthority,
  readTokens,
  refuseUnusedToken,
  refuseUserinfo,
  readControlOptions,
} from './arguments.ts';
import { options } from '../config/options.ts';

afterEach(() => vi.unstubAllEnvs());

const shipped = await loadContract(undefined, { followReferences: false });

test('refuses a token that no request would carry, and names what to do instead', () => {
  const refuse = (token: string, ...schemes: SecurityScheme[]): (() => void) => {
    const operations = shipped.operations.map((each) => ({
      ...each,
      security: schemes.length ? [schemes] : [],
    }));
    return () => refuseUnusedToken(token, { ...shipped, operations });
  };
  const digest: SecurityScheme = { kind: 'unjudged', name: 'digest', reason: 'the scheme is digest' };
  expect(refuse('s3cret')).toThrow("use -H 'Authorization: Bearer <token>'");
  expect(refuse('me:s3cret')).toThrow("use -H 'Authorization: Basic <user:password in Base64>'");
  expect(refuse('me:s3cret')).not.toThrow('s3cret');
  expect(refuse('s3cret', digest)).toThrow('(digest)');
  expect(refuse('s3cret', { kind: 'basic', name: 'b' })).toThrow('Give user:password');
  expect(refuse('me:s3cret', { kind: 'basic', name: 'b' })).not.toThrow();
  expect(refuse('s3cret', { kind: 'bearer', name: 'b' }, digest)).not.toThrow();
  expect(() => refuseUnusedToken(undefined, { ...shipped, operations: [] })).not.toThrow();
});

test('what is read of an answer is as much by option as by itself', () => {
  expect(options['response-limit'].default).toBe(usualResponseLimit);
});

test('refuses a choice of the environment that does not exist', () => {
  const values = { shell: 'fish' };
  expect(() => readArguments({ options: { shell: options.shell }, values })).toThrow(
    'Failed to read the option "--shell fish": there is no such choice. Choose among bash, powershell, cmd.',
  );
});

test('refuses a delay that is given twice', () => {
  const values = { delay: ['1', '2'] };
  expect(() => readArguments({ options: { delay: options.delay }, values })).toThrow(
    'Failed to read the option "--delay": it is given 2 times, and it takes one value. Give --delay once.',
  );
});

const reads = (
  name: 'rate' | 'runs' | 'port' | 'suite' | 'token' | 'strict' | 'policy',
  value: unknown,
): unknown =>
  readArguments<Record<string, unknown>>({ options: { [name]: options[name] }, values: { [name]: value } })[
    name
  ];

test('reads numbers, lists, switches and texts as their options say', () => {
  expect(reads('runs', '50')).toBe(50);
  expect(reads('rate', ' 1e3 ')).toBe(1000);
  expect(reads('suite', ['accept', 'framing'])).toEqual(['accept', 'framing']);
  expect(reads('suite', undefined)).toEqual([]);
  expect(reads('strict', undefined)).toBe(false);
  expect(reads('policy', undefined)).toBeUndefined();
  expect(reads('token', 's3cret')).toBe('s3cret');
});

test.each([
  ['runs', '1.5'],
  ['runs', '0'],
  ['runs', 'many'],
  ['rate', '-1'],
  ['port', '70000'],
] as const)('names the option --%s where it is given %s', (name, value) => {
  expect(() => reads(name, value)).toThrow(`--${name} ${value}`);
});

test('refuses an empty text, and a token that no header can carry, without showing it', () => {
  expect(() => reads('policy', '')).toThrow('--policy');
  expect(() => reads('token', 'hu\nsh')).toThrow('--token');
  expect(() => reads('token', 'hu\nsh')).not.toThrow('hu');
});

test('reads a header field, and says what is wrong with one', () => {
  expect(parseHeader('X-Tenant:  acme ')).toEqual(['X-Tenant', 'acme']);
  for (const text of [
    'X-Tenant',
    ': acme',
    'X Tenant: acme',
    'X-Tenant: a\nb',
    'X-Tenant: \u{1F600}',
    'Content-Length: 3',
  ]) {
    expect(() => parseHeader(text)).toThrow('--header');
  }
});

test('ids come from the range that is given; else from 1 in process, and from a random number on for a live store', () => {
  expect(parseKeyRange('10-20', true)).toEqual([10, 20]);
  expect(parseKeyRange(undefined, false)).toEqual([1, 1_000_000]);
  expect(parseKeyRange(undefined, false, { operations: 3_000 })).toEqual([1, 3_000_000]);
  const [from, to] = parseKeyRange(undefined, true);
  expect([from >= 1_000_000, to < 2 ** 31, to - from]).toEqual([true, true, 999_999]);
  for (const text of ['20-10', '0-5', '1-9999999999', 'some']) {
    expect(() => parseKeyRange(text, true)).toThrow(`--ids ${text}`);
  }
});

test('reads the base URL of a service without the slash at its end, and refuses what is none', () => {
  expect(parseServiceUrl('https://api.example.com/v1//')).toBe('https://api.example.com/v1');
  for (const text of [
    'api.example.com',
    'ftp://api.example.com',
    'https://api.example.com/?a=1',
    'https://a/#b',
  ]) {
    expect(() => parseServiceUrl(text)).toThrow('Failed to read the base URL');
  }
  expect(() => parseServiceUrl('https://me:s3cret@api.example.com')).toThrow('https://***@api.example.com');
  expect(() => refuseUserinfo('the document', 'http//me:s3cret@host')).toThrow('***@host');
  expect(() => refuseUserinfo('the document', undefined)).not.toThrow();
});

test('reads accepted tokens of options and of a file, else of the environment', async () => {
  vi.stubEnv('CLOCHE_TOKEN', 'inherited');
  const folder = await mkdtemp(join(tmpdir(), 'cloche-tokens-'));
  const file = join(folder, 'tokens');
  await writeFile(file, 'one\n\n two \n');
  expect(await readTokens(['zero'], file)).toEqual(['zero', 'one', 'two']);
  expect(await readTokens([])).toEqual(['inherited']);
  vi.stubEnv('CLOCHE_TOKEN', 'hu\nsh');
  await expect(readTokens([])).rejects.toThrow('CLOCHE_TOKEN');
  await writeFile(file, '\n');
  await expect(readTokens([], file)).rejects.toThrow('it holds no token');
  await expect(readTokens([], join(folder, 'none'))).rejects.toThrow('Name a file with one token a line');
  await expect(readAuthority(file)).rejects.toThrow('it holds no certificate in PEM form');
  expect(await readAuthority(undefined)).toBeUndefined();
  await writeFile(file, '-----BEGIN CERTIFICATE-----\n');
  expect(await readAuthority(file)).toContain('CERTIFICATE');
  await rm(folder, { recursive: true });
});

afterEach(() => vi.unstubAllEnvs());

test.each([
  [undefined, undefined, {}],
  [undefined, '', {}],
  [undefined, 'hush', { token: 'hush' }],
  ['s3cret', undefined, { token: 's3cret' }],
  ['s3cret', 'hush', { token: 's3cret' }],
])('reads %j, and %j of the environment', (given, inherited, options) => {
  vi.stubEnv('CLOCHE_CONTROL_TOKEN', inherited);
  expect(readControlOptions({ control: true, 'control-token': given })).toEqual(options);
});

test('a control interface that is switched off has no token, whatever the environment says', () => {
  vi.stubEnv('CLOCHE_CONTROL_TOKEN', 'hush');
  expect(readControlOptions({ control: false, 'control-token': undefined })).toBe(false);
});

test('refuses a token that nothing would ask for', () => {
  expect(() => readControlOptions({ control: false, 'control-token': 's3cret' })).toThrow(
    'Failed to use the option "--control-token": with --no-control there is no control interface that would ask for it. Leave out one of them.',
  );
});

test('names the option whose token is empty, and the variable whose token no header can carry', () => {
  vi.stubEnv('CLOCHE_CONTROL_TOKEN', 'a\nb');
  const given = { 'control-token': options['control-token'] };
  expect(() => readArguments({ options: given, values: { 'control-token': '' } })).toThrow('--control-token');
  expect(() => readControlOptions({ control: true, 'control-token': undefined })).toThrow(
    '"CLOCHE_CONTROL_TOKEN"',
  );
});
