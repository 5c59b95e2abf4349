import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWhenStale } from '../../fixtures/build-when-stale.ts';
import { drawCases } from '../../fixtures/draw-cases.ts';
import { startCommand } from '../../fixtures/proxy/start-command.ts';
import { runCloche } from '../../fixtures/run-cloche.ts';
import { reportKinds } from '../cli/reports.ts';

const minute = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'cloche-secrets-'));

beforeAll(() => buildWhenStale(), 2 * minute);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const token = 'ghi/jkl+mno==';
/** The token as URLs may spell it: as forms encode it, each character, some, in small and in capital letters. */
const spellings = [
  token,
  encodeURIComponent(token),
  encodeURIComponent(token).toLowerCase(),
  [...token].map((character) => `%${(character.codePointAt(0) ?? 0).toString(16)}`).join(''),
  `g%68i%2Fjkl%2bmno=%3D`,
];

/** Sends a target as it stands, which fetch would not. */
function get(url: string, target: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const request = httpRequest({ hostname, port, path: target, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve(text));
    });
    request.on('error', reject).end();
  });
}

/** Whether the token stands in a text, encoded or not. */
function shows(text: string): boolean {
  const decoded = text.replaceAll(/%([0-9a-f]{2})/giu, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return [text, decoded].some((each) => each.includes(token) || each.includes('ghi/jkl'));
}

test.each([
  ['a bearer token in a query, where it has no business', 'bearer', 'access_token'],
  ['an API key in a query', 'key', 'api_key'],
  ['an API key in a query, its name encoded', 'key', 'api%5Fkey'],
])('shows %s nowhere in the log, however it is spelled', async (_, scheme, parameter) => {
  writeFileSync(
    join(folder, 'api.json'),
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Orders', version: '1' },
      security: [{ [scheme]: [] }],
      paths: {
        '/orders': { get: { operationId: 'listOrders', responses: { '200': { description: 'OK' } } } },
      },
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer' },
          key: { type: 'apiKey', in: 'query', name: 'api_key' },
        },
      },
    }),
  );
  const asJson = ['--log', 'json'];
  // What the mock was told hides the token as well as what the document says.
  for (const words of [['--token', token], ['--token', token, ...asJson], [], asJson]) {
    const mock = await startCommand(['mock', 'api.json', '--port', '0', ...words], {
      folder,
      ready: /mocked on (\S+)\n/u,
    });
    for (const spelling of spellings) {
      await get(mock.url, `/orders?${parameter}=${spelling}`);
      await get(mock.url, `/orders/${spelling}?${parameter}=${spelling}&b=1`);
    }
    const kept = await get(mock.url, '/__cloche/requests');
    const { requests } = JSON.parse(kept) as { requests: { id: number }[] };
    const each = await Promise.all(requests.map(({ id }) => get(mock.url, `/__cloche/requests/${id}`)));
    expect(each.length).toBe(2 * spellings.length);
    const { output } = await mock.stop();
    expect(output).toContain('/orders?');
    expect([output, kept, ...each].filter(shows)).toEqual([]);
  }
});

test('shows no credential of a request, wherever it comes again, where the mock was told no token', async () => {
  writeFileSync(
    join(folder, 'open.json'),
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Orders', version: '1' },
      security: [{ bearer: [] }],
      paths: {
        '/orders/{id}': {
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          get: { responses: { '200': { description: 'OK' } } },
        },
      },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    }),
  );
  const mock = await startCommand(['mock', 'open.json', '--port', '0'], {
    folder,
    ready: /mocked on (\S+)\n/u,
  });
  const own = { Authorization: `Bearer ${token}` };
  const pair = `someone:${token}`;
  const basic = { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
  const sent: readonly (readonly [target: string, headers: Readonly<Record<string, string>>])[] = [
    ...spellings.map((spelling) => [`/nothing/${spelling}`, own] as const),
    [`/orders/${encodeURIComponent(token)}`, own],
    [`/a;key=${encodeURIComponent(token)}`, own],
    [`/orders/1?ACCESS_TOKEN=${encodeURIComponent(token)}`, {}],
    ['/orders/1', { 'X-Auth-Token': token }],
    ['/orders/1', { 'X-Api-Key': token, 'X-Other': `again ${token}` }],
    ['/orders/1', { Cookie: 'ghi/jkl+mno' }],
    ['/orders/1', { Authorization: `${token} tail` }],
    ['/orders/1', { ...own, 'X-Other': Buffer.from(`a${token}b`).toString('base64') }],
    ['/orders/1', { ...basic, 'X-Other': `again ${token}` }],
    [`http://someone:${encodeURIComponent(token)}@shop.example/orders/1`, {}],
  ];
  for (const [target, headers] of sent) {
    await get(mock.url, target, headers);
  }
  const kept = await get(mock.url, '/__cloche/requests');
  const { requests } = JSON.parse(kept) as { requests: { id: number }[] };
  const each = await Promise.all(requests.map(({ id }) => get(mock.url, `/__cloche/requests/${id}`)));
  expect(each.length).toBe(sent.length);
  const { output } = await mock.stop();
  expect([output, kept, ...each].filter((text) => shows(text) || text.includes('naGkvamts'))).toEqual([]);
});

test('hides in traffic what is a secret in any of its exchanges, in whichever field it came', async () => {
  const secret = 'SeCrEtToKeN123456';
  const request = (url: string, headers: Readonly<Record<string, string>>): unknown => ({
    method: 'POST',
    url: `https://garden.example${url}`,
    httpVersion: 'HTTP/1.1',
    headers: Object.entries({ 'Content-Type': 'application/json', ...headers }).map(([name, value]) => ({
      name,
      value,
    })),
    cookies: [],
    queryString: [],
    headersSize: -1,
    bodySize: 2,
    postData: { mimeType: 'application/json', text: '{}' },
  });
  const response = (body: string, headers: Readonly<Record<string, string>> = {}): unknown => ({
    status: 500,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    headers: Object.entries({ 'Content-Type': 'application/json', ...headers }).map(([name, value]) => ({
      name,
      value,
    })),
    cookies: [],
    content: { size: body.length, mimeType: 'application/json', text: body },
    redirectURL: '',
    headersSize: -1,
    bodySize: body.length,
  });
  const pairs = [
    [request('/plants', {}), response(`{"token":"${secret}"}`)],
    [request('/plants', { Authorization: `Bearer ${secret}` }), response('{}')],
    [request('/plants', { 'X-Api-Key': `${secret} tail` }), response('{}')],
    [request('/plants', { Cookie: secret }), response('{}', { 'Set-Cookie': `${secret}; Path=/` })],
    [request('/plants', { Authorization: `${secret} tail` }), response('{}')],
    [
      request('/plants', { Authorization: `Basic ${Buffer.from(`me:${secret}`).toString('base64')}` }),
      response(`{"password":"${secret}"}`),
    ],
    [request(`/plants?Token=${secret}`, {}), response('{}')],
  ];
  const entries = pairs.map(([asked, came], index) => ({
    startedDateTime: `2026-11-20T10:30:0${index}.000Z`,
    time: 1,
    request: asked,
    response: came,
    cache: {},
    timings: { send: 0, wait: 1, receive: 0 },
  }));
  const log = { version: '1.2', creator: { name: 'a', version: '1' }, entries };
  writeFileSync(join(folder, 'login.har'), JSON.stringify({ log }));
  const kinds = reportKinds;
  const { stdout } = await runCloche(
    ['check', 'login.har', ...kinds.flatMap((kind) => ['--report', `${kind}=l.${kind}`])],
    { folder },
  );
  const written = kinds.map((kind) => readFileSync(join(folder, `l.${kind}`), 'utf8'));
  expect(stdout).toContain('7 exchanges judged');
  expect([stdout, ...written].filter((text) => text.includes(secret))).toEqual([]);
});

/** The arguments for all reports, and what reads them. */
function allReports(name: string): { readonly words: readonly string[]; readonly read: () => string[] } {
  const files = reportKinds.map((kind) => ({ kind, file: `${name}.${kind}` }));
  return {
    words: files.flatMap(({ kind, file }) => ['--report', `${kind}=${file}`]),
    read: () => files.map(({ file }) => readFileSync(join(folder, file), 'utf8')),
  };
}

test('shows no credential of a body of traffic in any report, and curl lines have variables for them', async () => {
  const headersOf = (type: string): unknown => [{ name: 'Content-Type', value: type }];
  const sent: readonly (readonly [type: string, text: string])[] = [
    ['application/json', '{"id":1,"name":"a","password":"Passw0rd-1"}'],
    ['application/x-www-form-urlencoded', 'grant_type=authorization_code&code=C0de-2&client_secret=S3cret-3'],
    [
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="password"\r\n\r\nPassw0rd-4\r\n--b--\r\n',
    ],
  ];
  const came = { mimeType: 'application/json', text: '{"access_token":"T0ken-5","refresh_token":"T0ken-6"}' };
  const entries = sent.map(([type, text]) => ({
    request: {
      method: 'POST',
      url: 'http://a.example/plants?sig=S1g-7',
      headers: headersOf(type),
      postData: { mimeType: type, text },
    },
    response: { status: 500, headers: headersOf('application/json'), content: came },
  }));
  writeFileSync(join(folder, 'bodies.har'), JSON.stringify({ log: { entries } }));
  const { words, read } = allReports('bodies-checked');
  const { code, stdout } = await runCloche(['check', 'bodies.har', ...words], { folder });
  expect(code).toBe(1);
  const secret = /(?:Passw0rd|C0de|S3cret|T0ken|S1g)-\d/u;
  expect([stdout, ...read()].map((text) => secret.exec(text)?.[0])).toEqual(
    Array(1 + reportKinds.length).fill(undefined),
  );
  expect(stdout).toContain(`--data-binary '{"id":1,"name":"a","password":"'"$CLOCHE_BODY_PASSWORD"'"}'`);
  expect(stdout).toContain(`CLOCHE_BODY_PASSWORD='the member password'`);
});

test(
  'shows no credential that a service gave to a run, nor its token in another case',
  { timeout: minute },
  async () => {
    const given = 'Given-Token-7f3a';
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        const isIn = request.headers.authorization === 'Bearer Own-Token-91c2';
        response.writeHead(isIn ? 200 : 401, {
          'Content-Type': 'application/json',
          'Set-Cookie': `sid=${given}`,
        });
        // The document wants a number of seconds.
        response.end(JSON.stringify({ access_token: given, expires_in: 'soon' }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // `as`: it listens on a port.
    const { port } = server.address() as AddressInfo;
    const session = {
      type: 'object',
      properties: { access_token: { type: 'string' }, expires_in: { type: 'integer' } },
    };
    const content = { 'application/json': { schema: session } };
    const login = {
      type: 'object',
      required: ['user', 'password'],
      properties: { user: { type: 'string' }, password: { type: 'string', format: 'password' } },
    };
    const operation = {
      operationId: 'logIn',
      security: [{ bearer: [] }],
      requestBody: { required: true, content: { 'application/json': { schema: login } } },
      responses: {
        200: { description: 'ok', content },
        401: { description: 'no', content },
        400: { description: 'bad' },
      },
    };
    const document = {
      openapi: '3.1.0',
      info: { title: 'Sessions', version: '1' },
      paths: { '/sessions': { post: operation } },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    };
    writeFileSync(join(folder, 'sessions.json'), JSON.stringify(document));
    const { words, read } = allReports('sessions-tested');
    const url = `http://127.0.0.1:${port}`;
    const { code, stdout } = await runCloche(
      ['test', url, '-d', 'sessions.json', '--token', 'Own-Token-91c2', '--runs', '5', ...words],
      { folder },
    );
    server.close();
    expect(code).toBe(1);
    const texts = [stdout, ...read()];
    const other = 'own-token-91c2';
    expect(texts.filter((text) => text.includes(given) || text.toLowerCase().includes(other))).toEqual([]);
    // What the run generated is no secret: its requests can be sent again.
    expect(stdout).toMatch(/--data-binary '\{"user":"[^"]*","password":"[^"[]*"\}'/u);
  },
);

test.each(['secret', 'token', 'secret-secret'])(
  'masks the token "%s" once in the curl lines of check',
  async (word) => {
    const har = readFileSync(
      fileURLToPath(new URL('../../fixtures/traffic/firefox.har', import.meta.url)),
      'utf8',
    ).replaceAll('good-token-of-the-garden', word);
    writeFileSync(join(folder, 'word.har'), har.replaceAll('"status": 200', '"status": 500'));
    const { words, read } = allReports('word-checked');
    const { code, stdout } = await runCloche(['check', 'word.har', '--token', word, ...words], { folder });
    expect(code).toBe(1);
    expect([stdout, ...read()].filter((text) => /\[\[secret|secret\]\]/u.test(text))).toEqual([]);
    expect(stdout).toContain('-H "Authorization: Bearer $CLOCHE_TOKEN"');
  },
);

test('the curl lines of check have a variable for each credential', async () => {
  const headers = Object.entries({
    Authorization: 'Bearer token-12345',
    Cookie: 'session=cookie-12345; theme=cookie-67890',
    'X-API-Key': 'key-12345',
    'Content-Type': 'application/json',
  }).map(([name, value]) => ({ name, value }));
  const request = {
    method: 'POST',
    url: 'http://a.example/plants?api_key=query-12345',
    headers,
    postData: { mimeType: 'application/json', text: '{"id":1,"name":"a"}' },
  };
  const answered = [{ name: 'Content-Type', value: 'text/plain' }];
  const content = { mimeType: 'text/plain', text: 'oh', size: 2 };
  const entries = [{ request, response: { status: 500, headers: answered, content } }];
  writeFileSync(join(folder, 'many.har'), JSON.stringify({ log: { entries } }));
  const { code, stdout } = await runCloche(['check', 'many.har'], { folder });
  expect([code, /-\d{5}/u.exec(stdout)?.[0]]).toEqual([1, undefined]);
  expect(stdout).toContain(
    `curl -sSi "http://a.example/plants?api_key=$CLOCHE_QUERY_API_KEY" -H "Authorization: Bearer $CLOCHE_TOKEN" ` +
      `-H "Cookie: session=$CLOCHE_COOKIE_SESSION; theme=$CLOCHE_COOKIE_THEME" -H "X-API-Key: $CLOCHE_HEADER_X_API_KEY" `,
  );
  expect(stdout).toContain(
    `export CLOCHE_TOKEN='the token' CLOCHE_QUERY_API_KEY='the parameter api_key' CLOCHE_COOKIE_SESSION='the cookie session' ` +
      `CLOCHE_COOKIE_THEME='the cookie theme' CLOCHE_HEADER_X_API_KEY='the field x_api_key'`,
  );
});

test.each(drawCases(['t', '1', 'null', 'name', '20', '"', "'", '\\'], 4))(
  'finds nothing in the record of a run that found nothing, whatever the token hides of it: %s',
  { timeout: minute },
  async (word) => {
    const mock = await startCommand(['mock', '--port', '0', '--token', word], {
      folder,
      ready: /mocked on (\S+)\n/u,
    });
    const words = `${mock.url} --token ${word} --seed 7 --runs 8 --suite valid-bodies --suite traces --suite malformed-bodies`;
    const run = await runCloche(['test', ...words.split(' '), '--report', 'har=record.har'], { folder });
    await mock.stop();
    expect(run.code).toBe(0);
    const { code, stdout, stderr } = await runCloche(['check', 'record.har'], { folder });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('nothing found in');
  },
);

test('judges nothing of content of which a record holds a beginning', async () => {
  const content = { mimeType: 'application/json', text: '{"name":"', size: 3_000_000, _cut: true };
  const request = { method: 'POST', url: 'http://a.example/plants', headers: [], bodySize: -1 };
  const sent = { mimeType: 'application/json', text: '{"id":1,"name":"a"}' };
  const response = { status: 200, headers: [{ name: 'Content-Type', value: 'application/json' }], content };
  const broken = { request: { ...request, url: 'http://[secret]/plants', postData: sent }, response };
  const entries = [{ request: { ...request, postData: sent }, response }, broken];
  writeFileSync(join(folder, 'cut.har'), JSON.stringify({ log: { entries } }));
  const { code, stderr, stdout } = await runCloche(['check', 'cut.har'], { folder });
  expect([code, stdout]).toEqual([
    3,
    expect.stringContaining('only the beginning of its content is in the file'),
  ]);
  expect(stderr).toContain('none of its 2 exchanges can be judged');
});
