import { spawn, spawnSync } from 'node:child_process';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { createCloser } from '../../fixtures/sockets/create-closer.ts';
import { toCurl } from './curl.ts';
import type { HeaderList, HttpRequest } from './message.ts';

const hasCurl =
  spawnSync('curl', ['--version']).status === 0 && spawnSync('bash', ['--version']).status === 0;
const closer = createCloser();

afterEach(() => closer.closeAll());

function request(parts: Partial<HttpRequest> = {}): HttpRequest {
  return { method: 'POST', target: '/things', headers: [], body: undefined, ...parts };
}

test.each([
  ['UTF-16LE', 0],
  ['UTF-16BE', 1],
] as const)('a shell puts what it took from an answer into a body in %s', (encoding, low) => {
  const bytes = [...'{"team":{teamId}}'].flatMap((letter) =>
    low === 0 ? [letter.charCodeAt(0), 0] : [0, letter.charCodeAt(0)],
  );
  const line = toCurl({
    request: request({ body: new Uint8Array(bytes) }),
    baseUrl: 'http://127.0.0.1:8080',
    taken: [['{teamId}', 'TEAM_ID']],
  });
  const [written = ''] = line.split(' | curl ');
  const { stdout } = spawnSync('bash', ['-c', `TEAM_ID=741; ${written}`]);
  expect(new TextDecoder(encoding).decode(stdout)).toBe('{"team":741}');
});

interface Arrival {
  readonly method: string | undefined;
  readonly target: string | undefined;
  readonly headers: HeaderList;
  readonly body: string;
  readonly length: string | undefined;
}

const framingFields = new Set(['host', 'content-length']);

async function toArrival(incoming: IncomingMessage): Promise<Arrival> {
  const { method, url, rawHeaders } = incoming;
  const headers = rawHeaders
    .flatMap((name, index): HeaderList => (index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : []))
    .filter(([name]) => !framingFields.has(name.toLowerCase()))
    .filter(([name, value]) => name !== 'User-Agent' || !value.startsWith('curl/'));
  const length = incoming.headers['content-length'];
  return { method, target: url, headers, body: (await buffer(incoming)).toString('latin1'), length };
}

/** Runs the line that re-sends a request in bash, and tells what arrived. */
async function replay(
  parts: Partial<HttpRequest>,
  options: object = {},
): Promise<Arrival & { line: string }> {
  const arrivals: Arrival[] = [];
  const server = createServer((incoming, outgoing) => {
    void toArrival(incoming).then((arrival) => {
      arrivals.push(arrival);
      return outgoing.end('ok');
    });
  });
  const baseUrl = `http://127.0.0.1:${await closer.listen(server)}/v1/`;
  const line = toCurl({ request: request(parts), baseUrl, ...options });
  const child = spawn('bash', ['-s'], { env: { ...process.env, CLOCHE_TOKEN: 'the "real" $token' } });
  child.stdin.end(line);
  const output = await buffer(child.stdout);
  const [arrival] = arrivals;
  if (arrival === undefined || arrivals.length > 1) {
    throw new Error(`${arrivals.length} requests came from ${line}: ${output.toString()}`);
  }
  return { ...arrival, line };
}

test('writes the line that a person would', () => {
  const line = toCurl({
    request: request({
      headers: [
        ['Authorization', 'Bearer s3cr3t-token'],
        ['Content-Type', 'application/json'],
        ['Accept', '*/*'],
      ],
      body: Buffer.from('{"id":1}'),
    }),
    baseUrl: 'http://127.0.0.1:4010',
    secrets: ['s3cr3t-token'],
  });
  expect(line).toBe(
    `curl -sSi 'http://127.0.0.1:4010/things' -H "Authorization: Bearer $CLOCHE_TOKEN" ` +
      `-H 'Content-Type: application/json' --data-binary '{"id":1}'`,
  );
});

test('writes GET and HEAD without content in the short way', () => {
  expect(toCurl({ request: request({ method: 'GET' }), baseUrl: 'http://h' })).toBe(
    `curl -sSi 'http://h/things' -H 'Accept:'`,
  );
  expect(toCurl({ request: request({ method: 'HEAD' }), baseUrl: 'https://h/v1', insecure: true })).toBe(
    `curl -sSi -I --http1.1 -k 'https://h/v1/things' -H 'Accept:'`,
  );
});

test('trusts what the run trusted', () => {
  expect(toCurl({ request: request({ method: 'GET' }), baseUrl: 'https://h', ca: 'my é.pem' })).toBe(
    `curl -sSi --http1.1 --cacert 'my é.pem' 'https://h/things' -H 'Accept:'`,
  );
});

test('presents the client certificate of the run', () => {
  const files = { clientCert: 'client.pem', clientKey: 'my key.pem' };
  expect(toCurl({ request: request({ method: 'GET' }), baseUrl: 'https://h', ...files })).toBe(
    `curl -sSi --http1.1 --cert 'client.pem' --key 'my key.pem' 'https://h/things' -H 'Accept:'`,
  );
});

test.each([
  ['PUT', '-X PUT '],
  ['post', '-X post '],
  ['X-ODD!', "-X 'X-ODD!' "],
])('writes the method %s', (method, option) => {
  expect(toCurl({ request: request({ method }), baseUrl: 'http://h' })).toContain(option);
});

test('stays short for long content that repeats', () => {
  const body = Buffer.from(
    `{"name":"${'x'.repeat(65_536)}","tag":"${'é'.repeat(3000)}","d":${'{"a":'.repeat(900)}1`,
  );
  const line = toCurl({ request: request({ body }), baseUrl: 'http://h' });
  expect(line.length).toBeLessThan(400);
});

test('shows no secret, wherever it stands', () => {
  const secrets = ['first-secret', 'second secret'];
  const line = toCurl({
    request: request({
      target: '/things?key=second%20secret',
      headers: [['X-Key', 'second secret']],
      body: Buffer.from('\0first-secret{"a":"second secret"}'),
    }),
    baseUrl: 'http://h',
    secrets,
  });
  expect(line).not.toMatch(/first-secret|second/u);
  expect(line).toBe(
    String.raw`{ printf '\000'; printf %s "$CLOCHE_TOKEN"; printf '{"a":"'; printf %s "$CLOCHE_TOKEN_2"; printf '"}'; } | ` +
      `curl -sSi "http://h/things?key=$CLOCHE_TOKEN_2" -H "X-Key: $CLOCHE_TOKEN_2" -H 'Accept:' ` +
      `-H 'Content-Type:' --data-binary @-`,
  );
});

describe.skipIf(!hasCurl)('run in bash (skipped where bash or curl is missing)', () => {
  test.each([
    ['JSON', '{"id":1,"name":"Ärger 🌱"}'],
    ['quotes and shell signs', `'"$HOME\`id\`!\\n%s`],
    ['what looks like a file', '@/etc/hostname'],
    ['what looks like an option', '-X'],
    ['nothing', ''],
    ['NUL and control characters', '{"a":"\0\x01\x7f\r\n\t","b":100%}'],
    ['an option before a NUL', '-\x005'],
    ['long content that repeats', `{"name":"${'x'.repeat(65_536)}","tag":"${'é\\%'.repeat(2000)}"}`],
    ['deep nesting', `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
    ['long content that does not repeat', Array.from({ length: 60_000 }, (_, index) => index).join(' ')],
  ])('sends %s', async (_what, text) => {
    const body = Buffer.from(text);
    const arrival = await replay({ body });
    expect(arrival.body).toBe(body.toString('latin1'));
    expect(arrival).toMatchObject({
      method: 'POST',
      target: '/v1/things',
      headers: [],
      length: String(body.length),
    });
  });

  test('sends any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 64 }), async (body) => {
        expect((await replay({ body })).body).toBe(Buffer.from(body).toString('latin1'));
      }),
      { numRuns: 15 },
    );
  });

  test('sends fields as they are, and none that the request has not but the name of curl', async () => {
    const headers: HeaderList = [
      ['X-Empty', ''],
      ['x-twice', 'a'],
      ['X-Twice', `b 'c' "d" $e \\`],
      ['X-Latin', 'caf\u00e9'],
      ['Content-Type', 'Application/JSON; charset=utf-8'],
      ['user-agent', 'me'],
    ];
    expect((await replay({ headers, body: Buffer.from('{}') })).headers).toEqual(headers);
    expect((await replay({ headers, body: Buffer.alloc(2_000_000, 'x') })).headers).toEqual(headers);
  });

  test('puts the token of the environment in the place of the one that was sent', async () => {
    const secrets = ['abc'];
    const headers: HeaderList = [
      ['Authorization', 'Bearer abc'],
      ['X-Both', `!abc"abc`],
    ];
    const body = Buffer.from('["abc"]');
    const arrival = await replay({ headers, body }, { secrets });
    expect(arrival.headers).toEqual([
      ['Authorization', 'Bearer the "real" $token'],
      ['X-Both', `!the "real" $token"the "real" $token`],
    ]);
    expect(arrival.body).toBe('["the "real" $token"]');
    expect(arrival.line).not.toContain('abc');
  });

  test.each(['GET', 'HEAD', 'OPTIONS', 'DELETE', 'TRACE', 'PATCH'])('sends %s', async (method) => {
    const parts = { method, target: '/a/../b//c?d[]={e}&f=%20' };
    const arrival = await replay(parts);
    expect(arrival).toMatchObject({ method, target: `/v1${parts.target}`, headers: [], body: '' });
    expect(arrival.length).toBe(method === 'PATCH' ? '0' : undefined);
  });

  test('sends content with GET', async () => {
    expect(await replay({ method: 'GET', body: Buffer.from('{}') })).toMatchObject({
      method: 'GET',
      body: '{}',
    });
  });

  test('sends content in chunks where the request did', async () => {
    const arrival = await replay({ body: Buffer.from('{"id":1}') }, { framing: 'chunked' });
    expect(arrival).toMatchObject({
      body: '{"id":1}',
      headers: [['Transfer-Encoding', 'chunked']],
      length: undefined,
    });
  });

  test.each([
    ['a length', 'POST', 'after-length', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok', 'okMORE'],
    ['HEAD', 'HEAD', 'after-length', 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n', 'MORE'],
    ['HEAD without a length', 'HEAD', 'after-length', 'HTTP/1.1 405 No\r\n\r\n', 'MORE'],
    ['204', 'OPTIONS', 'after-head', 'HTTP/1.1 204 No Content\r\n\r\n', 'MORE'],
  ] as const)('shows bytes that come after %s', async (_what, method, excess, answer, shown) => {
    const requests: string[] = [];
    const server = createTcpServer((socket) => {
      socket.once('data', (bytes) => {
        requests.push(bytes.toString('latin1'));
        socket.write(answer);
        setTimeout(() => socket.end('MORE'), 20);
      });
    });
    const baseUrl = `http://127.0.0.1:${await closer.listen(server)}/v1`;
    const headers: HeaderList = [['Authorization', 'Bearer abc']];
    const line = toCurl({ request: request({ method, headers }), baseUrl, excess, secrets: ['abc'] });
    expect(line).not.toContain('abc');
    const child = spawn('bash', ['-s'], { env: { ...process.env, CLOCHE_TOKEN: 'token' } });
    child.stdin.end(line);
    expect((await buffer(child.stdout)).toString()).toContain(shown);
    expect(requests.join('')).toMatch(/^[A-Z]+ \/v1\/things HTTP[^]*\r\nAuthorization: Bearer token\r\n/u);
  });
});
