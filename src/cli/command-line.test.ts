import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkSwitches } from './command-line.ts';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { type Ended, runCloche } from '../../fixtures/run-cloche.ts';

test.each(['--watch=yes', '--watch=', '-q=1'])('refuses %s', (word) => {
  expect(() => checkSwitches(['mock', word], ['watch', 'q'])).toThrow(
    /^Failed to read the option "(--watch|-q).*": it is a switch, and takes no value but true and false\. Write -/u,
  );
});

test.each(['--watch', '--watch=true', '--no-watch', '--watch=false', '--host=yes', 'watch=yes'])(
  'takes %s',
  (word) => {
    expect(() => checkSwitches(['mock', word], ['watch'])).not.toThrow();
  },
);

const minute = 60_000;
const folder = await mkdtemp(join(tmpdir(), 'cloche-cli-'));

beforeAll(() => buildWhenStale(), 2 * minute);
afterAll(() => rm(folder, { recursive: true, force: true }));

const cloche = (words: readonly string[]): Promise<Ended> => runCloche(words, { folder });

test.each([
  [
    3,
    ['test', 'http://127.0.0.1:1', '--token', 'x'],
    /^Failed to judge "http:\/\/127\.0\.0\.1:1\/": nothing listens on 127\.0\.0\.1:1/u,
  ],
  [
    3,
    ['test', 'http://127.0.0.1:1'],
    /asks for credentials, and none were given\. Pass --token, or set CLOCHE_TOKEN\./u,
  ],
  [
    2,
    ['test', 'ftp://here', '--token', 'x'],
    /Failed to read the base URL "ftp:\/\/here": it is no http or https URL/u,
  ],
  [2, ['test', '--runs', 'many'], /"--runs many": it takes a whole number from 1 to 1000000/u],
  [2, ['test', '--runs', '-1'], /"--runs -1": it takes a whole number from 1 to 1000000/u],
  [
    2,
    ['test', '--seed', '99999999999999999999'],
    /"--seed 99999999999999999999": it takes a whole number from -2147483647 to 2147483647/u,
  ],
  [2, ['mock', '--port', '0', '--port', 'abc'], /"--port": it is given 2 times/u],
  [2, ['mock', '--port', '0', '--host='], /"--host": its value is empty/u],
  [2, ['mock', '--port', '0', '--watch=yes'], /"--watch yes": it is a switch, and takes no value but/u],
  [2, ['mock', '--port', 'abc'], /"--port abc": it takes a whole number from 0 to 65535/u],
  [2, ['test', '--token', 'hidden-one', '--token', 'hidden-two'], /"--token": it is given 2 times/u],
  [2, ['test', '--token', 'Bearer hidden-one'], /Failed to use "--token": it is for a service/u],
  [2, ['test', '--token', ''], /"--token": its value is empty/u],
  [2, ['test', '--token'], /"--token": its value is missing/u],
  [2, ['test', 'http://me:hidden-one@127.0.0.1:1/v1'], /"http:\/\/\*\*\*@127\.0\.0\.1:1\/v1": it carries/u],
  [2, ['test', 'me:hidden-one@127.0.0.1:1'], /"me:\*\*\*@127\.0\.0\.1:1": it carries/u],
  [
    2,
    ['test', '-H', 'Authorization Bearer hidden-one'],
    /"--header Authorization \*\*\*": there is no colon/u,
  ],
  [2, ['test', '-H', 'X-Key: hidden-one\u0001'], /"--header X-Key: \*\*\*": the value holds a control/u],
  [2, ['test', 'http://127.0.0.1:1', '-H', 'A:', 'hidden-one'], /Failed to read the argument "\*\*\*"/u],
  [
    2,
    ['reset', 'http://me:hidden-one@127.0.0.1:1'],
    /"http:\/\/\*\*\*@127.+ Name the mock with --mock and its URL\./u,
  ],
  [2, ['http://hidden-one@127.0.0.1:1'], /"http:\/\/\*\*\*@127\.0\.0\.1:1": there is none of that name/u],
  [2, ['merge', 'redis://:hidden-one@h/0'], /"redis:\/\/\*\*\*@h\/0": there is no such file/u],
  [2, ['merge', 'a.json', '--no-config'], /option "--no-config": there is none of that name/u],
  [2, ['test', '--ca', 'nowhere.pem'], /certificate authority "nowhere\.pem": there is no such file\./u],
  [2, ['test', '--ca', '.'], /certificate authority "\.": it is a folder\./u],
  [2, ['test', '--sede', '4'], /"--sede": there is none of that name\. Perhaps --seed was meant\./u],
  [2, ['test', '--no-such=hidden-one'], /"--no-such": there is none of that name/u],
  [2, ['tset'], /"tset": there is none of that name\. Perhaps cloche test was meant\./u],
  [
    2,
    ['test', '--suite', 'nonsense'],
    /Failed to find the suite "nonsense": there is none of that name\. Choose among /u,
  ],
  [2, ['test', '--document', 'nowhere.yaml'], /^Failed to /u],
  [2, ['test', '--ids', '5-1'], /Failed to read the option "--ids 5-1"/u],
  [2, ['test', '--path', 'nonsense/nothing:0'], /Failed to replay "nonsense\/nothing:0"/u],
  [
    2,
    ['test', 'http://127.0.0.1:1', '--header', 'broken', '--token', 'x'],
    /Failed to read the option "--header broken"/u,
  ],
  [2, ['test', '--nonsense'], /Failed to read the option "--nonsense": there is none of that name/u],
  [
    2,
    ['mock', '--port', '99999'],
    /Failed to read the option "--port 99999": it takes a whole number from 0 to 65535/u,
  ],
  [2, ['mock', '--token-file', 'nowhere'], /Failed to read tokens from "nowhere": there is no such file/u],
] as const)(
  'ends with %i for cloche %j, and says why',
  { timeout: minute },
  async (exitCode, words, message) => {
    const { code, stderr, stdout } = await cloche(words);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/ {4}at |hidden-/u);
    expect([code, stdout.includes('Failed')]).toEqual([exitCode, false]);
  },
);

test('the whole help names every command and option, and examples', { timeout: minute }, async () => {
  const [all, one] = await Promise.all([cloche(['--help']), cloche(['test', '--help-all'])]);
  expect(all.stdout).toMatch(
    /cloche mock \[document\][\s\S]*cloche test \[base-url\][\s\S]*cloche completion/u,
  );
  for (const option of [
    'document',
    'token',
    'header',
    'suite',
    'runs',
    'seed',
    'path',
    'ids',
    'connections',
    'timeout',
    'rate',
    'rate-wait',
    'max-time',
    'strict',
    'unsafe-methods',
    'read-only',
    'keep',
    'insecure',
    'ca',
    'bail',
  ]) {
    expect(one.stdout).toContain(`--${option}`);
  }
  expect(one.stdout).toContain('Examples:');
  expect((await cloche(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/u);
});

/** Two screens of 36 lines, which a laptop shows without scrolling. */
const twoScreens = 72;

test(
  'the help of each command fits two screens of 80 columns, and the whole help says the rest',
  { timeout: 2 * minute },
  async () => {
    const commands = [
      'mock',
      'test',
      'explain',
      'learn',
      'check',
      'proxy',
      'merge',
      'init',
      'config',
      'bundle',
      'diff',
      'completion',
    ];
    for (const words of [[], ...commands.map((command) => [command])]) {
      const [short, whole] = await Promise.all([
        cloche([...words, '--help']),
        cloche([...words, '--help-all']),
      ]);
      const lines = short.stdout.trimEnd().split('\n');
      expect(short.stdout).toContain('Examples:');
      expect([words, lines.length <= twoScreens]).toEqual([words, true]);
      expect([...lines, ...whole.stdout.split('\n')].filter((line) => line.length > 80)).toEqual([]);
      const optionsIn = (text: string): readonly string[] =>
        text.match(/(?<= )--[a-z][a-z-]+(?=  | *$)/gmu) ?? [];
      expect(optionsIn(whole.stdout)).toEqual(expect.arrayContaining([...optionsIn(short.stdout)]));
    }
  },
);
