import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contractOf } from '../fixtures/contract-of.ts';
import { answer, inPath, judgeOwnMock, object, text } from '../fixtures/own-judge.ts';
import type { KeyPlaceholder, RequestCase } from '../src/arbitrary/request-case.ts';
import { buildRequest, hasValidBody } from '../src/arbitrary/request.ts';
import type { Operation } from '../src/contract/contract.ts';
import { loadContract } from '../src/contract/load.ts';
import { findCodec, loadParsers } from '../src/http/codecs/registry.ts';
import { headerValue } from '../src/http/message.ts';
import { mostPlainRequests, plainRequests, simplifySequence } from './property.ts';

const contract = await loadContract(undefined, { followReferences: false });
const create = contract.operations.find(({ kind }) => kind.kind === 'create');

function send(operation: Operation, variant: KeyPlaceholder['variant']) {
  const slot: KeyPlaceholder = { slot: 0, class: 'past-double', variant };
  return buildRequest(operation, { body: ['{"name":"veO","tag":"nVL","id":', slot, '}'] });
}

test('tries each request alone before it makes several smaller', () => {
  expect.assert(create !== undefined);
  const [one, other] = [send(create, 'itself'), send(create, 'double-collision')];
  const first = [...simplifySequence([[one, other]], create)].slice(0, 2);
  expect(first).toEqual([[[one]], [[other]]]);
});

test('leaves valid bodies valid, their keys as they are, and equal requests equal', () => {
  expect.assert(create !== undefined);
  const [one, other] = [send(create, 'itself'), send(create, 'double-collision')];
  const smaller = [...simplifySequence([[one, other, one]], create)].filter(
    (sequence) => sequence.flat().length === 3,
  );
  expect(smaller.length).toBeGreaterThan(2);
  for (const requests of smaller.map((sequence) => sequence.flat())) {
    const variants = requests.map(({ body }) =>
      body?.find((part) => typeof part === 'object' && 'slot' in part),
    );
    expect(requests.every((request) => hasValidBody(request, create))).toBe(true);
    expect(variants).toMatchObject([
      { variant: 'itself' },
      { variant: 'double-collision' },
      { variant: 'itself' },
    ]);
    expect(requests[0]).toEqual(requests[2]);
  }
});

test('sends plain bodies mostly in the first notation, and some in each other one that it can write', async () => {
  const item = object({ name: text, count: { type: 'integer' } });
  const media = [
    ['application/json', item],
    ['application/merge-patch+json', item],
    ['application/xml', item],
    ['application/x-www-form-urlencoded', item],
    // No CSV text is an object.
    ['text/csv', item],
  ] as const;
  const content = Object.fromEntries(media.map(([range, schema]) => [range, { schema }]));
  const post = { requestBody: { required: true, content }, responses: { 200: answer() } };
  await loadParsers([{ codec: findCodec('application/xml') }]);
  const [operation] = contractOf({ paths: { '/import': { post } } }).operations;
  expect.assert(operation !== undefined);
  const { examples, arbitrary } = plainRequests(operation);
  const typesOf = (requests: readonly RequestCase[]) =>
    requests.map(({ headers }) => headerValue(headers, 'content-type') ?? '');
  const first = 'application/json';
  const written = new Set([first, 'application/xml', 'application/x-www-form-urlencoded']);
  expect(typesOf(examples)[0]).toBe(first);
  expect(new Set(typesOf(examples))).toEqual(written);
  expect(mostPlainRequests(operation)).toBeGreaterThanOrEqual(examples.length);
  expect.assert(arbitrary !== undefined);
  const random = typesOf(fc.sample(arbitrary, { seed: 1, numRuns: 100 }));
  expect(new Set(random)).toEqual(written);
  expect(random.filter((type) => type === first).length).toBeGreaterThan(50);
});

test('finds nothing in the mock of a create that declares several notations', async () => {
  const price = object({ name: text, cents: { type: 'integer', minimum: 0 }, note: text }, ['name', 'cents']);
  const shown = object({ id: { type: 'integer' }, name: text, cents: { type: 'integer' }, note: text }, [
    'id',
  ]);
  const prices = { schema: { type: 'array', items: price } };
  const content = {
    'application/json': { schema: price },
    'application/xml': { schema: price },
    'application/x-ndjson': prices,
    'multipart/form-data': { schema: price },
    'text/csv': prices,
  };
  await loadParsers([{ codec: findCodec('application/xml') }]);
  const refused = { 400: answer(), 404: answer(), 415: answer() };
  const paths = {
    '/prices': {
      get: { operationId: 'list', responses: { 200: answer({ type: 'array', items: shown }), ...refused } },
      post: {
        operationId: 'create',
        requestBody: { required: true, content },
        responses: { 201: answer(shown), ...refused },
      },
    },
    '/prices/{id}': {
      parameters: [inPath('id', { type: 'integer', minimum: 1 })],
      get: { operationId: 'read', responses: { 200: answer(shown), ...refused } },
      delete: { operationId: 'remove', responses: { 204: answer(), ...refused } },
    },
  };
  expect(await judgeOwnMock(paths)).toEqual([]);
});
