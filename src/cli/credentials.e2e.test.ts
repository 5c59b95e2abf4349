import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { drawCases } from '../../fixtures/draw-cases.ts';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { createGuardedService, guardedDocument } from '../../fixtures/credentials/guarded-service.ts';
import { startCommand } from '../../fixtures/proxy/start-command.ts';
import { type Ended, runCloche } from '../../fixtures/run-cloche.ts';
import { createCloser } from '../../fixtures/sockets/create-closer.ts';
import type { JsonObject } from '../json/value.ts';

const minute = 60_000;
const folder = await mkdtemp(join(tmpdir(), 'cloche-credentials-'));
const closer = createCloser();

beforeAll(() => buildWhenStale(), 2 * minute);
afterEach(() => closer.closeAll());
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Starts a service that accepts some requests, and writes its document. Returns its base URL. */
async function startService(
  [scheme, definition]: readonly [string, JsonObject],
  isGood: (request: IncomingMessage) => boolean,
): Promise<string> {
  await writeFile(join(folder, 'api.json'), JSON.stringify(guardedDocument(scheme, definition)));
  const { server } = await createGuardedService(isGood);
  return `http://127.0.0.1:${await closer.listen(server)}`;
}

const bearer = ['bearerAuth', { type: 'http', scheme: 'bearer' }] as const;
const run = (...words: readonly string[]): Promise<Ended> =>
  runCloche([...words, '-d', 'api.json'], { folder });
const suites = ['--suite', 'valid-bodies', '--suite', 'credentials', '--runs', '5', '--seed', '1'];

test.each(
  drawCases(
    [
      [
        'bearer',
        bearer,
        'a-bearer-token',
        ({ headers }: IncomingMessage) => headers.authorization === 'Bearer a-bearer-token',
      ],
      [
        'basic',
        ['basicAuth', { type: 'http', scheme: 'basic' }] as const,
        'me:my-password',
        ({ headers }: IncomingMessage) => headers.authorization === `Basic ${btoa('me:my-password')}`,
      ],
      [
        'an API key in a header',
        ['apiKey', { type: 'apiKey', in: 'header', name: 'X-Api-Key' }] as const,
        'an-api-key',
        ({ headers }: IncomingMessage) => headers['x-api-key'] === 'an-api-key',
      ],
      [
        'an API key in the query',
        ['apiKey', { type: 'apiKey', in: 'query', name: 'key' }] as const,
        'an-api-key',
        ({ url = '' }: IncomingMessage) => /[?&]key=an-api-key(?:&|$)/u.test(url),
      ],
      [
        'an API key in a cookie',
        ['session', { type: 'apiKey', in: 'cookie', name: 'sid' }] as const,
        'a-session-id',
        ({ headers }: IncomingMessage) => /(?:^|; )sid=a-session-id(?:;|$)/u.test(headers.cookie ?? ''),
      ],
    ],
    2,
  ),
)('sends the credential of its scheme: %s', { timeout: minute }, async (_, scheme, value, isGood) => {
  const url = await startService(scheme, isGood);
  const report = ['--report', 'json=report.json', '--verbose'];
  const { code, stdout, stderr } = await run(
    'test',
    url,
    '--credential',
    `${scheme[0]}=${value}`,
    '--suite',
    'credentials',
    '--runs',
    '3',
    '--seed',
    '1',
    ...report,
  );
  expect([code, stderr]).toEqual([0, '']);
  const shown = `${stdout}${await readFile(join(folder, 'report.json'), 'utf8')}`;
  expect(shown).not.toContain(value);
  expect(shown).not.toContain(btoa(value));
});

/** The script of a command that prints another token each time, and the token that it printed last. */
async function writeTokenScript(): Promise<{ readonly command: string; readonly last: () => string }> {
  await writeFile(join(folder, 'printed'), '');
  await writeFile(
    join(folder, 'print-token.sh'),
    'echo x >> printed\necho "fetched-token-$(grep -c x printed)"\n',
  );
  return {
    command: 'sh print-token.sh',
    last: () => `fetched-token-${readFileSync(join(folder, 'printed'), 'utf8').trim().split('\n').length}`,
  };
}

test(
  'runs the token command again after each rejection, and hides all of its tokens',
  { timeout: minute },
  async () => {
    const { command, last } = await writeTokenScript();
    let accepted = 0;
    let [expired, current] = ['', ''];
    const url = await startService(bearer, ({ headers }) => {
      if (accepted % 30 === 29) expired = current;
      const { authorization = '' } = headers;
      if (authorization !== `Bearer ${last()}` || last() === expired) return false;
      accepted += 1;
      current = last();
      return true;
    });
    const report = ['--report', 'json=report.json', '--report', 'har=report.har', '--verbose'];
    const { code, stdout, stderr } = await run('test', url, '--token-command', command, ...suites, ...report);
    expect([code, stderr]).toEqual([0, '']);
    expect(Number(/\d+$/u.exec(last())?.[0])).toBeGreaterThan(2);
    const reports = ['report.json', 'report.har'].map((file) => readFileSync(join(folder, file), 'utf8'));
    expect([stdout, ...reports].join('\n')).not.toContain('fetched-token-');
  },
);

test(
  'fetches a rejected credential once more, then exits with 3 and the name of the scheme',
  { timeout: minute },
  async () => {
    const { command, last } = await writeTokenScript();
    const url = await startService(bearer, () => false);
    for (const name of ['test', 'learn']) {
      await writeFile(join(folder, 'printed'), '');
      const { code, stderr } = await run(name, url, '--token-command', command);
      expect(stderr).toContain(
        ': it rejected the credentials of bearerAuth with 401. Correct their settings',
      );
      expect([code, last()]).toEqual([3, 'fetched-token-2']);
    }
  },
);

test('learns with a credential of a scheme', { timeout: minute }, async () => {
  const url = await startService(bearer, ({ headers }) => headers.authorization === 'Bearer a-bearer-token');
  const words = ['--credential', 'bearerAuth=a-bearer-token', '--question', 'echo', '-o', 'policy.json'];
  const { code, stdout } = await run('learn', url, ...words);
  expect(code).toBe(0);
  expect(`${stdout}${await readFile(join(folder, 'policy.json'), 'utf8')}`).not.toContain('a-bearer-token');
});

test('proxy takes the credentials of the command line for valid ones', { timeout: minute }, async () => {
  const url = await startService(bearer, () => true);
  const known = ['--credential', 'bearerAuth=a-bearer-token', '--token-command', 'echo a-printed-token'];
  const words = [
    'proxy',
    url,
    '-d',
    'api.json',
    '--port',
    '0',
    ...known,
    '--answer',
    'accepted-tokens=listed',
  ];
  const codes: (number | null)[] = [];
  for (const token of ['a-bearer-token', 'a-printed-token', 'an-unknown-token']) {
    const { url: proxy, stop } = await startCommand(words, { folder, ready: /proxy on (http:\S+:\d+)\s/u });
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ id: 7 + codes.length, text: 'new' });
    await fetch(`${proxy}/notes`, { method: 'POST', headers, body });
    const { code, output } = await stop();
    codes.push(code);
    expect(output).not.toContain(token);
  }
  expect(codes).toEqual([0, 0, 1]);
});

test.each([
  [['--credential', 'hunter2-hunter2'], '"--credential": it is not SCHEME=VALUE'],
  [['--credential', 'bearerAuth='], '"--credential": its value is empty'],
  [
    ['--credential', 'bearrAuth=hunter2'],
    'Failed to use the credential of "bearrAuth": the document has no security scheme of this name. Perhaps "bearerAuth" was meant.',
  ],
  [
    ['--token-command', 'echo hunter2; echo no access >&2; exit 7'],
    'the command ended with exit code 7: no access',
  ],
  [['--token-command', 'true'], 'the output of the command is empty'],
  [['--token', 'hunter2', '--token-command', 'echo hunter2'], '--token gives the token already'],
])('exits with 2 for %j', { timeout: minute }, async (words, message) => {
  const url = await startService(bearer, () => true);
  for (const name of ['test', 'learn']) {
    const { code, stderr } = await run(name, url, ...words);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('hunter2');
  }
});

test('rejects a token command that no request needs', { timeout: minute }, async () => {
  await startService(['mtls', { type: 'mutualTLS' }], () => true);
  const { code, stderr } = await run('test', 'http://127.0.0.1:1', '--token-command', 'echo hunter2');
  expect([code, stderr]).toEqual([2, expect.stringContaining('no request would carry the token')]);
});

test('rejects a credential without a service', { timeout: minute }, async () => {
  await startService(bearer, () => true);
  const { code, stderr } = await run('test', '--credential', 'bearerAuth=hunter2');
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('Failed to use "--credential": it is for a service'),
  ]);
});
