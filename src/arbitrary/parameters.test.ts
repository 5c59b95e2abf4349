import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import { findInvalidParameters } from '../contract/check-parameters.ts';
import type { Operation } from '../contract/contract.ts';
import { toParameterSource } from '../contract/read-parameters.ts';
import { createRouter } from '../contract/router.ts';
import { headerValue } from '../http/message.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { invalidParameters, validParameters } from './parameters.ts';
import type { Cases, ParameterTexts } from './request-case.ts';
import { buildRequest, renderRequest } from './request.ts';
import { serializeParameter } from './serialize-parameter.ts';

function operationWith(path: string, parameters: JsonObject[]): Operation {
  const { operations } = contractOf({
    paths: { [path]: { get: { parameters, responses: { '200': { description: 'ok' } } } } },
  });
  const [operation] = operations;
  if (operation === undefined) throw new Error('no operation');
  return operation;
}

const search = operationWith('/shops/{shop}/items', [
  { name: 'shop', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } },
  { name: 'limit', in: 'query', required: true, schema: { type: 'integer', minimum: 1, maximum: 50 } },
  { name: 'q', in: 'query', schema: { type: 'string', maxLength: 30 } },
  { name: 'tags', in: 'query', schema: { type: 'array', items: { enum: ['a', 'b'] }, maxItems: 2 } },
  { name: 'X-Trace', in: 'header', schema: { type: 'string', format: 'uuid' } },
  { name: 'theme', in: 'cookie', schema: { enum: ['dark', 'light'] } },
]);

/** Reads the parameters out of the rendered request, as a service would. */
function problemsOf(operation: Operation, texts: ParameterTexts): readonly string[] {
  const request = renderRequest({
    request: buildRequest(operation, { parameters: texts }),
    keys: () => '1',
    operation,
    given: { token: undefined },
  });
  const url = new URL(request.target, 'http://localhost');
  const route = createRouter({ operations: [operation] })(url.pathname);
  const source = toParameterSource({
    target: request.target,
    path: route?.parameters ?? {},
    header: (name) => headerValue(request.headers, name),
  });
  return findInvalidParameters(operation.parameters, source, { formats: 'assert', integers: 'by-value' }).map(
    ({ reason }) => reason,
  );
}

function all(cases: Cases<ParameterTexts>): readonly ParameterTexts[] {
  return [
    ...cases.examples,
    ...(cases.arbitrary ? fc.sample(cases.arbitrary, { seed: 5, numRuns: 150 }) : []),
  ];
}

test('every valid case is valid once it is sent', () => {
  expect(all(validParameters(search)).flatMap((texts) => problemsOf(search, texts))).toEqual([]);
});

test('every invalid case is invalid once it is sent', () => {
  const cases = all(invalidParameters(search));
  expect(cases.length).toBeGreaterThan(20);
  expect(cases.filter((texts) => problemsOf(search, texts).length === 0)).toEqual([]);
});

test('each parameter is made invalid in some case, one at a time', () => {
  const problems = invalidParameters(search).examples.map((texts) => problemsOf(search, texts));
  expect(problems.filter((list) => list.length !== 1)).toEqual([]);
  for (const { name } of search.parameters) {
    const isFree = name === 'X-Trace';
    expect(problems.some(([reason]) => reason?.includes(`"${name}"`))).toBe(!isFree);
  }
});

test('what changes an item is misspelled so that a lenient reader takes it for that item, and for nobody else’s', () => {
  const path = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  const item = { responses: { '200': { description: 'ok' } } };
  const { operations } = contractOf({
    paths: {
      '/orders': { post: { responses: { '201': { description: 'made' } } } },
      '/orders/{id}': { parameters: [path], get: item, delete: item },
    },
  });
  const targetsOf = (method: string): readonly string[] =>
    operations
      .filter((operation) => operation.method === method)
      .flatMap((operation) =>
        all(invalidParameters(operation)).map(
          (texts) => buildRequest(operation, { parameters: texts }).target,
        ),
      );
  expect(targetsOf('GET')).toEqual(expect.arrayContaining(['/orders/{id}text', '/orders/0x10']));
  expect(targetsOf('DELETE')).toEqual(['/orders/{id}text', '/orders/{id}.1', '/orders/text', '/orders/null']);
});

test('an operation without parameters has no cases', () => {
  const none = operationWith('/items', []);
  expect(all(validParameters(none))).toEqual([]);
  expect(all(invalidParameters(none))).toEqual([]);
});

const list = ['a b', 'c'];
const pair = { x: 1, y: 'two' };

test.each<[string, JsonObject, JsonValue, string]>([
  ['simple', { in: 'path' }, list, 'a%20b,c'],
  ['label', { in: 'path', style: 'label', explode: true }, list, '.a%20b.c'],
  ['matrix', { in: 'path', style: 'matrix' }, 5, ';p=5'],
  ['matrix list', { in: 'path', style: 'matrix', explode: true }, list, ';p=a%20b;p=c'],
  ['form', { in: 'query' }, 'a&b', 'p=a%26b'],
  ['exploded form list', { in: 'query' }, list, 'p=a%20b&p=c'],
  ['form list', { in: 'query', explode: false }, list, 'p=a%20b,c'],
  ['form object', { in: 'query' }, pair, 'x=1&y=two'],
  ['flat form object', { in: 'query', explode: false }, pair, 'p=x,1,y,two'],
  ['pipes', { in: 'query', style: 'pipeDelimited', explode: false }, list, 'p=a%20b%7Cc'],
  ['spaces', { in: 'query', style: 'spaceDelimited', explode: false }, ['a', 'c'], 'p=a%20c'],
  ['deep object', { in: 'query', style: 'deepObject', explode: true }, pair, 'p%5Bx%5D=1&p%5By%5D=two'],
  [
    'deep object with a list',
    { in: 'query', style: 'deepObject', explode: true },
    { x: [1, 2] },
    'p%5Bx%5D=1&p%5Bx%5D=2',
  ],
  ['header list', { in: 'header' }, list, 'a b,c'],
  ['header object', { in: 'header', explode: true }, pair, 'x=1,y=two'],
  ['cookie', { in: 'cookie' }, 'a;b', 'p=a%3Bb'],
])('a parameter in the style %s is written as the document asks', (_title, where, value, expected) => {
  const [parameter] = operationWith('/{p}', [{ name: 'p', required: true, schema: {}, ...where }]).parameters;
  expect(parameter && serializeParameter(parameter, value)).toBe(expected);
});

test('a parameter with content is one JSON text', () => {
  const [parameter] = operationWith('/', [
    { name: 'p', in: 'query', content: { 'application/json': { schema: {} } } },
  ]).parameters;
  expect(parameter && serializeParameter(parameter, { a: [1] })).toBe('p=%7B%22a%22%3A%5B1%5D%7D');
});
