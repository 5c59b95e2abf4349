import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadContract } from '../contract/load.ts';
import { usualResponseLimit } from '../http/message.ts';
import { readArguments, refuseCredentialHeaders } from './arguments.ts';
import { options } from './options.ts';

const shipped = await loadContract(undefined, { followReferences: false });

test('refuses the field in which the document asks for a token, and does not show its value', () => {
  const refuse = (): void => refuseCredentialHeaders([['authorization', 'Bearer s3cret']], shipped);
  expect(refuse).toThrow(
    'Failed to read the option "--header authorization": the document asks for credentials',
  );
  expect(refuse).not.toThrow('s3cret');
});

test('refuses the field of an API key', async () => {
  const path = fileURLToPath(new URL('../../fixtures/documents/api-key.yaml', import.meta.url));
  const contract = await loadContract(path, { followReferences: false });
  const names = contract.operations
    .flatMap(({ security }) => security.flat())
    .flatMap((scheme) => (scheme.kind === 'api-key' && scheme.in === 'header' ? [scheme.parameter] : []));
  expect(names).not.toEqual([]);
  for (const name of names) {
    expect(() => refuseCredentialHeaders([[name.toUpperCase(), 'k']], contract)).toThrow(
      'Pass them with --token',
    );
  }
});

test('takes any other field', () => {
  expect(() => refuseCredentialHeaders([['X-Tenant', 'acme']], shipped)).not.toThrow();
});

test('what is read of an answer is as much by option as by itself', () => {
  expect(options['response-limit'].default).toBe(usualResponseLimit);
});

test('refuses a delay that is given twice', () => {
  const values = { delay: ['1', '2'] };
  expect(() => readArguments({ options: { delay: options.delay }, values })).toThrow(
    'Failed to read the option "--delay": it is given 2 times, and it takes one value. Give --delay once.',
  );
});
