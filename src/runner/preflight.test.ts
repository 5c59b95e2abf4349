import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import { mockToken, runOnMock } from '../../fixtures/run-on-mock.ts';
import { loadContract } from '../contract/load.ts';
import type { RunResult } from '../events/events.ts';
import { createMock } from '../mock/create-mock.ts';
import { allSuites } from '../../suites/all-suites.ts';
import { credentials } from '../../suites/credentials.ts';
import { type HeaderList, headerValue, type Send } from '../http/message.ts';
import { runSuites } from './run.ts';

test('cannot judge a service that turns the token away, whatever it lets in without one', async () => {
  const path = fileURLToPath(new URL('../../fixtures/documents/ranges.json', import.meta.url));
  const contract = await loadContract(path, { followReferences: false });
  const mock = await createMock(contract, { tokens: ['somebody:else'] });
  await expect(runOnMock({ mock, runs: 1 })).rejects.toThrow('it rejected the token with 401');
});

test('takes a request that an interruption broke off for no hang', async () => {
  const contract = await loadContract(undefined, { followReferences: false });
  const mock = await createMock(contract, { tokens: ['somebody:else'] });
  const interruption = new AbortController();
  const result = await runOnMock({
    mock,
    runs: 1,
    signal: interruption.signal,
    send() {
      interruption.abort();
      return Promise.resolve({ kind: 'timed-out', afterMs: 5, received: new Uint8Array() });
    },
  });
  expect([result.interrupted, result.findings]).toEqual([true, []]);
});

/** Runs on a service with two alternatives of `security`, which accepts the token as the second of them, or as none. */
async function runOnAlternatives(isAccepted: boolean): Promise<RunResult> {
  const contract = contractOf({
    components: {
      securitySchemes: {
        siteKey: { type: 'apiKey', in: 'header', name: 'X-Site-Key' },
        login: { type: 'http', scheme: 'bearer' },
      },
    },
    paths: {
      '/reports': {
        get: {
          operationId: 'listReports',
          security: [{ siteKey: [] }, { login: [] }],
          responses: { '200': { description: '' }, '401': { description: '' } },
        },
      },
    },
  });
  return runOnMock({
    mock: await createMock(contract, { tokens: [mockToken] }),
    runs: 5,
    send({ headers }) {
      const isGood = isAccepted && headers.some(([, value]) => value === `Bearer ${mockToken}`);
      const response = { status: isGood ? 200 : 401, headers: [], body: new Uint8Array() };
      return Promise.resolve({ kind: 'response', response });
    },
  });
}

test('tries the token for other alternatives of security', async () => {
  const { coverage } = await runOnAlternatives(true);
  expect(coverage[0]?.accepted).toBeGreaterThan(0);
});

test('cannot judge a service that rejects the token for each alternative of security', async () => {
  await expect(runOnAlternatives(false)).rejects.toThrow('it rejected the token with 401');
});

test.each([
  ['http://shop.example', 'http://shop.example/v2'],
  ['http://shop.example/v2/', 'Give the base URL with the path prefix'],
])('names the path of the server if all operations of %s are unknown', async (baseUrl, expected) => {
  const operation = { responses: { '200': { description: '' } } };
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  const contract = contractOf({
    servers: [{ url: 'https://api.example.com/v2' }],
    paths: {
      '/orders': { get: operation },
      ...(baseUrl.endsWith('/') ? {} : { '/orders/{id}': { get: { ...operation, parameters: [id] } } }),
    },
  });
  const response = { status: 404, headers: [], body: new Uint8Array() };
  const send: Send = () => Promise.resolve({ kind: 'response', response });
  await expect(runSuites(allSuites, { contract, baseUrl, send })).rejects.toThrow(expected);
});

/** Runs on a service with an API key in Authorization, which accepts one value and rejects others with a challenge. */
async function runOnKey(
  { token, good, challenge }: { readonly token: string; readonly good: string; readonly challenge: string },
  credentialHeaders: HeaderList = [],
): Promise<{ readonly result: RunResult; readonly notices: readonly string[] }> {
  const contract = contractOf({
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'Authorization' } } },
    paths: {
      '/reports': {
        get: {
          security: [{ key: [] }],
          responses: { '200': { description: '' }, '401': { description: '' } },
        },
      },
    },
  });
  const notices: string[] = [];
  const result = await runSuites(
    [credentials],
    {
      contract,
      token,
      credentialHeaders,
      send({ headers }) {
        const isGood = headerValue(headers, 'authorization') === good;
        const fields: HeaderList = isGood ? [] : [['WWW-Authenticate', challenge]];
        const response = { status: isGood ? 200 : 401, headers: fields, body: new Uint8Array() };
        return Promise.resolve({ kind: 'response', response });
      },
    },
    { emit: (event) => void (event.kind === 'notice' && notices.push(event.text)) },
  );
  return { result, notices };
}

test('sends a rejected API key in Authorization behind Bearer if the service asks for that, and says so', async () => {
  const { result, notices } = await runOnKey({
    token: 'abc',
    good: 'Bearer abc',
    challenge: 'Basic, Bearer realm="a"',
  });
  expect(result.findings).toEqual([]);
  expect(notices).toEqual([
    'the service accepts the token as "Bearer <token>" only, so the run sends it that way.',
  ]);
});

test.each([
  ['the service asks for another scheme', { token: 'abc', good: 'Bearer abc', challenge: 'Bearerish' }],
  ['the token has a scheme', { token: 'Token abc', good: 'Bearer abc', challenge: 'Bearer' }],
  ['the service rejects it behind Bearer too', { token: 'abc', good: 'Bearer xyz', challenge: 'Bearer' }],
])('rejects the token if %s', async (_case, given) => {
  await expect(runOnKey(given)).rejects.toThrow('it rejected the token with 401');
});

test.each(['Bearer abc', 'Token abc'])(
  'sends the API key "%s" in Authorization as it stands',
  async (token) => {
    const { result, notices } = await runOnKey({ token, good: token, challenge: 'Bearer' });
    expect([result.findings, notices]).toEqual([[], []]);
  },
);

test('sends a given Authorization field in place of the token, and omits it from probes', async () => {
  const given = { token: 'x', good: 'Bearer abc', challenge: 'Bearer' };
  const { result } = await runOnKey(given, [['authorization', 'Bearer abc']]);
  expect(result.findings).toEqual([]);
});

test('names the base path of the document if every operation declares 404 and answers it', async () => {
  const responses = { '200': { description: '' }, '404': { description: '' } };
  const contract = contractOf({
    servers: [{ url: '/api/v2' }],
    paths: { '/a': { get: { responses } }, '/b': { get: { responses } } },
  });
  const run = (baseUrl: string): Promise<RunResult> =>
    runSuites(
      allSuites.filter(({ id }) => id === 'accept'),
      {
        contract,
        baseUrl,
        send: () =>
          Promise.resolve({
            kind: 'response',
            response: { status: 404, headers: [], body: new Uint8Array() },
          }),
      },
      { runs: 1 },
    );
  await expect(run('http://a.example')).rejects.toThrow(
    'have the path /api/v2: run cloche test http://a.example/api/v2 with the same options',
  );
  await expect(run('http://a.example/api/v2')).resolves.toMatchObject({ interrupted: false });
});
