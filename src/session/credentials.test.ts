import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import { validBodies } from '../../suites/valid-bodies.ts';
import type { Answer, HttpRequest } from '../http/message.ts';
import { headerValue } from '../http/message.ts';
import { learn } from '../learn/learn.ts';
import { createMock } from '../mock/create-mock.ts';
import { runSuites } from '../runner/run.ts';
import {
  type CredentialsProvider,
  openCredentials,
  openOtherCredentials,
  provideToken,
} from './credentials.ts';

const content = {
  'application/json': { schema: { type: 'object', properties: { name: { type: 'string' } } } },
};

/** A service that asks for a bearer token and an API key together. */
const contract = contractOf({
  components: {
    securitySchemes: {
      user: { type: 'http', scheme: 'bearer' },
      tenant: { type: 'apiKey', in: 'header', name: 'X-Tenant' },
    },
  },
  paths: {
    '/notes': {
      post: {
        security: [{ user: [], tenant: [] }],
        requestBody: { required: true, content },
        responses: { 201: { description: '', content }, 400: { description: '' }, 401: { description: '' } },
      },
    },
  },
});

/** The credential of each scheme, of which the session gets the next generation after each rejection. */
function createProvider(generations: readonly string[]): CredentialsProvider & { readonly asked: string[] } {
  let index = 0;
  const asked: string[] = [];
  return {
    asked,
    get({ name }) {
      asked.push(name);
      return Promise.resolve(name === 'bearer' ? undefined : `${name}-${generations[index]}`);
    },
    reject() {
      index += 1;
      return index < generations.length;
    },
  };
}

/** A mock that accepts the first generation for some requests, and the second one after them. */
async function createExpiringSend(accepted: number) {
  const mock = await createMock(contract, { tokens: ['user-a', 'tenant-a', 'user-b', 'tenant-b'] });
  const seen: string[] = [];
  async function send(request: HttpRequest): Promise<Answer> {
    const user = headerValue(request.headers, 'authorization') ?? '';
    const tenant = headerValue(request.headers, 'x-tenant') ?? '';
    seen.push(`${user} ${tenant}`);
    const good = seen.length > accepted ? 'b' : 'a';
    if (user === `Bearer user-${good}` && tenant === `tenant-${good}`) return mock.send(request);
    return { kind: 'response', response: { status: 401, headers: [], body: new Uint8Array() } };
  }
  return { send, seen };
}

test('gives each scheme its own credential', async () => {
  const provider = createProvider(['a']);
  const credentials = openCredentials({ contract, credentials: provider });
  await credentials.load();
  expect(credentials.load()).toBeUndefined();
  expect(provider.asked).toEqual(['user', 'tenant', 'bearer']);
  expect(credentials.goodTokens()).toEqual(['user-a', 'tenant-a']);
});

test('asks the provider once for requests that are rejected side by side, and still knows the old credentials', async () => {
  const credentials = openCredentials({ contract, credentials: createProvider(['a', 'b', 'c']) });
  await credentials.load();
  const sent = { used: credentials.given(), operation: undefined };
  const answer: Answer = { kind: 'response', response: { status: 401, headers: [], body: new Uint8Array() } };
  expect([credentials.reject(answer, sent), credentials.reject(answer, sent)]).toEqual([true, true]);
  await credentials.load();
  expect(credentials.goodTokens()).toEqual(['user-b', 'tenant-b', 'user-a', 'tenant-a']);
});

test('has no other token than the one that was given', async () => {
  const credentials = openCredentials({ contract, credentials: provideToken('abc') });
  await credentials.load();
  const answer: Answer = { kind: 'response', response: { status: 401, headers: [], body: new Uint8Array() } };
  expect(credentials.reject(answer, { used: credentials.given(), operation: undefined })).toBe(false);
});

const rejection: Answer = {
  kind: 'response',
  response: { status: 401, headers: [], body: new Uint8Array() },
};
const success: Answer = { kind: 'response', response: { status: 200, headers: [], body: new Uint8Array() } };

test('does not replace credentials that replaced others and were accepted by no response', async () => {
  const credentials = openCredentials({ contract, credentials: createProvider(['a', 'b', 'c']) });
  const [create] = contract.operations;
  const sent = () => ({ used: credentials.given(), operation: create });
  await credentials.load();
  expect(credentials.reject(rejection, sent())).toBe(true);
  await credentials.load();
  // The same operation, and one of which nothing is known.
  expect(credentials.reject(rejection, sent())).toBe(false);
  expect(credentials.reject(rejection, { ...sent(), operation: undefined })).toBe(false);
  expect(credentials.goodTokens()).toContain('user-b');
});

test('replaces accepted credentials again, but not for an operation that always rejects them', async () => {
  const credentials = openCredentials({ contract, credentials: createProvider(['a', 'b', 'c']) });
  const [create] = contract.operations;
  const sent = (operation: typeof create) => ({ used: credentials.given(), operation });
  await credentials.load();
  expect(credentials.reject(rejection, sent(create))).toBe(true);
  await credentials.load();
  expect(credentials.reject(success, sent(undefined))).toBe(false);
  expect(credentials.reject(rejection, sent(create))).toBe(false);
  expect(credentials.reject(rejection, sent(undefined))).toBe(true);
  await credentials.load();
  expect(credentials.goodTokens()[0]).toBe('user-c');
});

test('replaces credentials that expire before they are rejected, and still knows the old ones', async () => {
  let generation = 'a';
  let isExpired = false;
  const credentials = openCredentials({
    contract,
    credentials: {
      get: ({ name }) => Promise.resolve(`${name}-${generation}`),
      reject: () => false,
      isExpired: () => isExpired,
    },
  });
  await credentials.load();
  expect(credentials.load()).toBeUndefined();
  [generation, isExpired] = ['b', true];
  const loading = credentials.load();
  isExpired = false;
  await loading;
  expect(credentials.load()).toBeUndefined();
  expect(credentials.goodTokens()).toEqual(expect.arrayContaining(['user-a', 'user-b']));
});

test('a run sends a request again with other credentials after a 401', async () => {
  const { send, seen } = await createExpiringSend(10);
  const target = { contract, send, credentials: createProvider(['a', 'b']) };
  const result = await runSuites([validBodies], target, { seed: 1, runs: 20, connections: 1 });
  expect(result.findings).toEqual([]);
  expect(seen.slice(9, 12)).toEqual([
    'Bearer user-a tenant-a',
    'Bearer user-a tenant-a',
    'Bearer user-b tenant-b',
  ]);
});

test('learn renews credentials too', async () => {
  const { send, seen } = await createExpiringSend(3);
  await learn({
    contract,
    send,
    credentials: createProvider(['a', 'b']),
    keys: [1, 1_000],
    questions: ['echo'],
  });
  expect(seen.slice(2, 5)).toEqual([
    'Bearer user-a tenant-a',
    'Bearer user-a tenant-a',
    'Bearer user-b tenant-b',
  ]);
});

test('learn sends a rejected request once more, even if its provider always has other credentials', async () => {
  let count = 0;
  const learning = learn({
    contract,
    send() {
      count += 1;
      return Promise.resolve({
        kind: 'response',
        response: { status: 401, headers: [], body: new Uint8Array() },
      });
    },
    credentials: { get: () => Promise.resolve('t'), reject: () => true },
    keys: [1, 1_000],
    questions: ['echo'],
  });
  await expect(learning).rejects.toThrow('401');
  expect(count).toBe(2);
});

test('renews the credentials of a second user, who shares those of other schemes', async () => {
  const own = createProvider(['old', 'new']);
  const other: CredentialsProvider = {
    get: (scheme) => (scheme.name === 'user' ? own.get(scheme) : Promise.resolve(undefined)),
    reject: () => own.reject(),
  };
  const first = openCredentials({ contract, credentials: createProvider(['first']) });
  const second = openOtherCredentials({ contract, users: { other } }, first);
  expect.assert(second !== undefined);
  await second.load();
  expect([...(second.given().tokens ?? [])]).toEqual([
    ['user', 'user-old'],
    ['tenant', 'tenant-first'],
  ]);
  const answer: Answer = {
    kind: 'response',
    response: { status: 401, headers: [], body: new Uint8Array() },
  };
  const sent = { used: second.given(), operation: contract.operations[0] };
  expect(second.reject(answer, sent)).toBe(true);
  await second.load();
  expect(second.given().tokens?.get('user')).toBe('user-new');
  expect(openOtherCredentials({ contract, users: {} }, first)).toBeUndefined();
});
