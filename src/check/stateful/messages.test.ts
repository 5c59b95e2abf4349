import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { createCheckContext } from '../../../fixtures/create-check-context.ts';
import { findIn, lifeCycleTrace } from '../../../fixtures/life-cycle-trace.ts';
import { statefulChecks } from './stateful-checks.ts';

const tea = '{"id":7,"title":"tea","note":"two cups"}';
const create = `POST /tasks {"title":"tea","note":"two cups"} > 201 ${tea}`;
const read = `GET /tasks/7 > 200 [ETag: "2"] ${tea}`;

test('write-only-shown finds what is for requests alone, and warns of it in OpenAPI 3.0', () => {
  const lines = ['GET /tasks/7 > 200 {"id":7,"title":"tea","secret":"rum"}'];
  expect(findIn(statefulChecks['write-only-shown'], lines)).toEqual(['violation getTask: secret']);
  expect(findIn(statefulChecks['write-only-shown'], lines, { openapi: '3.0' })).toEqual([
    'warning getTask: secret',
  ]);
  const listed = ['GET /tasks > 200 [{"id":7,"title":"tea","secret":"rum"}]'];
  expect(findIn(statefulChecks['write-only-shown'], listed)).toEqual(['violation listTask: secret']);
});

test.each([
  ['status', ['HEAD /tasks/7 > 204', `GET /tasks/7 > 200 ${tea}`]],
  ['Content-Type', ['HEAD /tasks/7 > 200 [Content-Type: text/html]', `GET /tasks/7 > 200 ${tea}`]],
  ['ETag', [read, 'HEAD /tasks/7 > 200 [ETag: "3"]', read]],
])('head-differs finds another %s', (what, lines) => {
  expect(findIn(statefulChecks['head-differs'], lines)).toEqual([`warning getTask: ${what}`]);
});

test('head-differs lets HEAD succeed with the status that is declared for it', () => {
  const content = {
    'application/json': { schema: { type: 'object', properties: { title: { type: 'string' } } } },
  };
  const found = { '200': { description: 'It.', content }, '404': { description: 'None.' } };
  const put = { requestBody: { content }, responses: found };
  const head = { responses: { '204': { description: 'It is there.' }, '404': { description: 'None.' } } };
  const contract = contractOf({ paths: { '/tasks/{title}': { get: { responses: found }, put, head } } });
  const causes = (...lines: readonly string[]): readonly string[] =>
    statefulChecks['head-differs']
      .judgeTrace(lifeCycleTrace(contract, lines), createCheckContext(contract))
      .map(({ cause }) => cause);
  const get = 'GET /tasks/tea > 200 {"title":"tea"}';
  expect(causes('HEAD /tasks/tea > 204', get)).toEqual([]);
  expect(causes('HEAD /tasks/tea > 404', get)).toEqual(['status']);
  expect(causes('HEAD /tasks/tea > 202', get)).toEqual(['status']);
});

test.each([
  ['If-Match', 'PUT /tasks/7 {"title":"rum"} [If-Match: "1"] > 200'],
  ['If-Match', 'DELETE /tasks/7 [If-Match: "1"] > 204'],
  ['If-None-Match', 'PUT /tasks/7 {"title":"rum"} [If-None-Match: *] > 200'],
])('precondition-ignored finds a change under an %s that does not hold: %s', (what, change) => {
  expect(
    findIn(statefulChecks['precondition-ignored'], [create, read, change]).map((each) => each.split(': ')[1]),
  ).toEqual([what]);
});

test('precondition-ignored finds a change under one ETag of two states', () => {
  const put = 'PUT /tasks/7 {"title":"rum","note":"a keg"}';
  const show = (tag: string): string =>
    `GET /tasks/7 > 200 [ETag: ${tag}] {"id":7,"title":"rum","note":"a keg"}`;
  const change = (tag: string): string => `PUT /tasks/7 {"title":"gin"} [If-Match: ${tag}] > 200`;
  const found = (tag: string): readonly string[] =>
    findIn(statefulChecks['precondition-ignored'], [
      create,
      `GET /tasks/7 > 200 [ETag: ${tag}] ${tea}`,
      `${put} > 200`,
      show(tag),
      change(tag),
    ]);
  expect(found('"2"')).toEqual(['violation replaceTask: one ETag of two states']);
  // A weak one may say that the two are as good as each other (RFC 9110 §8.8.1).
  expect(found('W/"2"')).toEqual([]);
  // What was not changed keeps its tag.
  expect(findIn(statefulChecks['precondition-ignored'], [create, read, read, change('"2"')])).toEqual([]);
});

test.each([
  ['a value that is masked', ['GET /tasks/7 > 200 {"id":7,"title":"tea","secret":"****"}']],
  ['a value that is null', ['GET /tasks/7 > 200 {"id":7,"title":"tea","secret":null}']],
  ['a HEAD that a service does not have', ['HEAD /tasks/7 > 405', `GET /tasks/7 > 200 ${tea}`]],
  [
    'an item that moves on before a HEAD',
    [read, 'HEAD /tasks/7 > 200 [ETag: "3"]', `GET /tasks/7 > 200 [ETag: "3"] ${tea}`],
  ],
  ['a HEAD with fewer fields', [read, 'HEAD /tasks/7 > 200']],
  [
    'a HEAD before a change',
    [
      'HEAD /tasks/7 > 404',
      'PUT /tasks/7 {"title":"tea"} > 201 [Location: none]',
      'GET /tasks/7 > 200 {"id":7,"title":"tea"}',
    ],
  ],
  ['a precondition that holds', [create, read, 'PUT /tasks/7 {"title":"rum"} [If-Match: "1", "2"] > 200']],
  ['a precondition that is refused', [create, read, 'PUT /tasks/7 {"title":"rum"} [If-Match: "1"] > 412']],
  [
    'a tag that may have changed',
    [
      create,
      read,
      'PATCH /tasks/7 {"title":"rum"} > 200',
      'PUT /tasks/7 {"title":"gin"} [If-Match: "3"] > 200',
    ],
  ],
  ['items without a tag', [create, 'PUT /tasks/7 {"title":"rum"} [If-Match: "1"] > 200']],
])('nothing is found in %s', (_what, lines) => {
  expect(Object.values(statefulChecks).flatMap((check) => findIn(check, lines))).toEqual([]);
});

test('a HEAD is held to a GET with a thousand steps between them, and to none further away', () => {
  const head = 'HEAD /tasks/7 > 200 [Content-Type: text/html]';
  const others = (count: number): readonly string[] =>
    Array.from({ length: count }, () => 'GET /tasks/8 > 404');
  const find = (between: number): readonly string[] =>
    findIn(statefulChecks['head-differs'], [head, ...others(between), `GET /tasks/7 > 200 ${tea}`]);
  expect(find(999)).toHaveLength(1);
  expect(find(1_000)).toEqual([]);
});
