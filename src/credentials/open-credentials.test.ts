import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, onTestFinished, vi } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import { listSchemes } from '../arbitrary/given-credentials.ts';
import type { DocumentProblem } from '../document/document.ts';
import type { JsonValue } from '../json/value.ts';
import { type CredentialOptions, listKnownCredentials, openCredentialSettings } from './open-credentials.ts';

const folder = await mkdtemp(join(tmpdir(), 'cloche-credentials-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const contract = contractOf({
  components: {
    securitySchemes: {
      bearerAuth: { type: 'http', scheme: 'bearer' },
      apiKey: { type: 'apiKey', in: 'query', name: 'key' },
      basic: { type: 'http', scheme: 'basic' },
      mtls: { type: 'mutualTLS' },
      digest: { type: 'http', scheme: 'digest' },
    },
  },
  paths: {
    '/notes': {
      get: {
        operationId: 'listNotes',
        security: [{ bearerAuth: [] }, { apiKey: [] }, { basic: [] }],
        responses: { 200: { description: 'Notes' } },
      },
    },
  },
});

class ProblemError extends Error {
  readonly problems: readonly DocumentProblem[];
  constructor(problems: readonly DocumentProblem[]) {
    super('problems');
    this.problems = problems;
  }
}

function open(value: JsonValue | undefined, options: Partial<CredentialOptions> = {}) {
  const configured =
    value === undefined
      ? undefined
      : {
          value,
          pointer: '/credentials',
          folder,
          toError: (problems: readonly DocumentProblem[]) => new ProblemError(problems),
        };
  return openCredentialSettings({
    contract,
    baseUrl: 'http://127.0.0.1:1',
    connection: { timeoutMs: 1_000 },
    configured,
    ...options,
  });
}

/** The credential of each scheme of the document, and of requests that match no operation. */
async function getAll({ provider }: Awaited<ReturnType<typeof open>>) {
  const schemes = [...listSchemes(contract), { kind: 'bearer', name: 'bearer' } as const];
  const entries = schemes.map(async (scheme) =>
    scheme.kind === 'unjudged' ? [] : [scheme.name, await provider?.get(scheme)],
  );
  return Object.fromEntries(await Promise.all(entries));
}

test('gives each scheme its own credential, that of the command line first, and the token to the others', async () => {
  const opened = await open(
    { bearerAuth: 'configured', basic: { username: 'me', password: 'hidden' } },
    { credential: ['bearerAuth=a=b'], token: 'others' },
  );
  expect(await getAll(opened)).toEqual({
    bearerAuth: 'a=b',
    apiKey: 'others',
    basic: 'me:hidden',
    bearer: 'others',
  });
});

test('sends the bearer token with requests that match no operation', async () => {
  expect(await getAll(await open({ bearerAuth: 'abc' }))).toEqual({ bearerAuth: 'abc', bearer: 'abc' });
});

test('needs no provider for a token alone, or for a certificate', async () => {
  expect((await open(undefined, { token: 'abc' })).provider).toBeUndefined();
  await writeFile(join(folder, 'client.pem'), 'CERT');
  await writeFile(join(folder, 'client.key'), 'KEY');
  const { provider, certificate } = await open({ mtls: { cert: 'client.pem', key: 'client.key' } });
  expect(provider).toBeUndefined();
  expect(certificate).toEqual({ clientCert: 'CERT', clientKey: 'KEY' });
});

test('rejects a certificate that is missing', async () => {
  await expect(open({ mtls: { cert: 'nowhere.pem', key: 'client.key' } })).rejects.toThrow(
    'Failed to read the client certificate of "mtls": nowhere.pem: there is no such file.',
  );
});

test.each([
  [
    { bearrAuth: 'x' },
    '/credentials/bearrAuth',
    'the document has no security scheme of this name',
    'Perhaps "bearerAuth" was meant',
  ],
  [
    { other: 'x' },
    '/credentials/other',
    'the document has no security scheme of this name',
    'It has bearerAuth, apiKey, basic, mtls and digest',
  ],
  [
    { apiKey: { clientId: 'x', clientSecret: 'y' } },
    '/credentials/apiKey',
    'it does not fit the scheme, which is apiKey',
    'Write the credential as a text, or { command }, or { operation, body, token }',
  ],
  [
    { mtls: 'x' },
    '/credentials/mtls',
    'it does not fit the scheme, which is mutualTLS',
    'Write { cert: client.pem, key: client.key }',
  ],
  [
    { basic: 'no-colon' },
    '/credentials/basic',
    'the scheme is basic, and the credential has no colon',
    'Write "user:password", or { username, password }',
  ],
  [
    { digest: 'x' },
    '/credentials/digest',
    'the scheme is digest, for which Cloche cannot send credentials',
    'Send the credential with --header',
  ],
  [
    { apiKey: { operation: 'listNote', token: '$response.body#/x' } },
    '/credentials/apiKey',
    'the document has no operation "listNote"',
    'Perhaps "listNotes" was meant',
  ],
])('reports %j at its place', async (value, pointer, reason, remedy) => {
  await expect(open(value)).rejects.toMatchObject({ problems: [{ pointer, reason, remedy }] });
});

test('tells of all secrets, the earlier ones too', async () => {
  const { provider, watchSecrets } = await open({
    basic: { username: 'me', password: 'hidden' },
    bearerAuth: { command: 'echo fetched' },
  });
  const seen: string[] = [];
  watchSecrets((value, meaning) => seen.push(`${value}: ${meaning}`));
  expect(seen).toEqual(['me:hidden: the credential of basic', 'hidden: secret 2 in the settings of basic']);
  await provider?.get({ kind: 'bearer', name: 'bearerAuth' });
  expect(seen.slice(2)).toEqual(['fetched: the credential of bearerAuth']);
});

test('runs a command in the folder of the configuration, and again after a rejection', async () => {
  await writeFile(join(folder, 'count'), '');
  const { provider } = await open({
    bearerAuth: { command: 'echo >> count; wc -l < count' },
    apiKey: 'fixed',
  });
  const get = () => provider?.get({ kind: 'bearer', name: 'bearerAuth' });
  expect([await get(), await get()]).toEqual(['1', '1']);
  expect(provider?.reject(['apiKey'])).toBe(false);
  expect(await get()).toBe('1');
  expect(provider?.reject(['bearerAuth'])).toBe(true);
  expect(await get()).toBe('2');
});

test.each([
  ['echo secret; echo wrong login >&2; exit 3', 'the command ended with exit code 3: wrong login'],
  [
    'printf "+ trace\\nrejected Authorization: Bearer abc123 password=hunter2\\n" >&2; exit 1',
    'the command ended with exit code 1: rejected Authorization: Bearer [secret] password=[secret]',
  ],
  [
    'echo one-time-code; echo "one-time-code of $STAGING_PASSWORD at http://me:pw@h is used" >&2; exit 1',
    'the command ended with exit code 1: [secret] of [secret] at http://[secret]@h is used',
  ],
  ['exit 1', 'the command ended with exit code 1'],
  ['true', 'the output of the command is empty'],
  ['printf "secret\\nlines"', 'the output of the command has a control character or several lines'],
])('reports the failure of the command %s without its output and secrets', async (command, reason) => {
  vi.stubEnv('STAGING_PASSWORD', 'the-password');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { provider } = await open(undefined, { tokenCommand: command });
  const getting = provider?.get({ kind: 'bearer', name: 'bearerAuth' });
  await expect(getting).rejects.toThrow(
    `Failed to get the credential of "--token-command": ${reason}. Correct the command; it must print the credential and nothing else.`,
  );
});

test('lists the credentials of other clients: values and outputs of commands', async () => {
  const known = await listKnownCredentials(
    {
      configured: {
        value: { basic: { username: 'me', password: 'hidden' }, bearerAuth: { command: 'echo printed' } },
        pointer: '/credentials',
        folder,
        toError: () => new Error('no problem is expected'),
      },
      credential: ['apiKey=k'],
      tokenCommand: 'echo other',
    },
    contract,
  );
  expect(known).toEqual(['me:hidden', 'k', 'printed', 'other']);
});
