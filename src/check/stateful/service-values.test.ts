import { expect, test } from 'vitest';
import { findIn } from '../../../fixtures/life-cycle-trace.ts';
import { statefulChecks } from './stateful-checks.ts';

const tea = '{"id":7,"title":"tea","note":"two cups"}';
const create = `POST /tasks {"title":"tea","note":"two cups"} > 201 ${tea}`;
const shownAt = (time: string): string =>
  `GET /tasks/7 > 200 {"id":7,"title":"tea","note":"two cups","createdAt":"${time}"}`;
const replaceAt = (time: string): string =>
  `PUT /tasks/7 {"title":"tea","note":"two cups","createdAt":"${time}"} > 200`;

test('read-only-written finds what a client sent for the service alone', () => {
  const lines = [create, shownAt('2026-01-01'), replaceAt('1999-01-01'), shownAt('1999-01-01')];
  expect(findIn(statefulChecks['read-only-written'], lines)).toEqual(['violation replaceTask: createdAt']);
  const made = [
    'POST /tasks {"title":"tea","createdAt":"in the days of old"} > 201 {"id":7}',
    'GET /tasks/7 > 200 {"id":7,"title":"tea","createdAt":"in the days of old"}',
  ];
  expect(findIn(statefulChecks['read-only-written'], made)).toEqual(['violation createTask: createdAt']);
});

const put = 'PUT /tasks/7 {"title":"tea","effort":1,"tags":["a"]}';
const shownWith = (more: string): string => `{"id":7,"title":"tea","effort":1,${more}}`;

test('replace-not-idempotent finds a state that the same replace changes again, by reads or by its own answers', () => {
  const read = (tags: string): string => `GET /tasks/7 > 200 ${shownWith(`"tags":${tags}`)}`;
  const lines = [create, `${put} > 200`, read('["a"]'), `${put} > 200`, read('["a","a"]')];
  expect(findIn(statefulChecks['replace-not-idempotent'], lines)).toEqual(['violation replaceTask: tags']);
  const answered = [
    create,
    `${put} > 200 ${shownWith('"tags":["a"]')}`,
    `${put} > 200 ${shownWith('"tags":["a","a"]')}`,
  ];
  expect(findIn(statefulChecks['replace-not-idempotent'], answered)).toEqual(['violation replaceTask: tags']);
});

test('replace-not-idempotent finds a flag that four equal replaces turn round by turns', () => {
  const document = { properties: { done: { type: 'boolean' } } };
  const turn = (done: boolean): string =>
    `PUT /tasks/7 {"title":"tea","done":true} > 200 {"id":7,"title":"tea","done":${done}}`;
  const found = (...turns: readonly boolean[]): readonly string[] =>
    findIn(statefulChecks['replace-not-idempotent'], [create, ...turns.map(turn)], document);
  expect(found(true, false, true, false)).toEqual(['violation replaceTask: done']);
  // It may move on by itself.
  expect(found(true, true, false, false)).toEqual([]);
  expect(found(true, false, true)).toEqual([]);
});

test.each([
  [
    'a value that goes back as it came',
    [create, shownAt('2026-01-01'), replaceAt('2026-01-01'), shownAt('2026-01-01')],
  ],
  [
    'a value that is ignored',
    [create, shownAt('2026-01-01'), replaceAt('1999-01-01'), shownAt('2026-01-01')],
  ],
  [
    'a value that the service may have made',
    [
      'POST /tasks {"title":"tea","createdAt":"2026-01-01"} > 201 {"id":7}',
      'GET /tasks/7 > 200 {"id":7,"title":"tea","createdAt":"2026-01-01"}',
    ],
  ],
  [
    'a time that loses its fractions of a second',
    [
      create,
      `${put} > 200`,
      `GET /tasks/7 > 200 ${shownWith('"tags":["a"],"createdAt":"2026-01-01T00:00:00.25Z"')}`,
      `${put} > 200`,
      `GET /tasks/7 > 200 ${shownWith('"tags":["a"],"createdAt":"2026-01-01T00:00:00Z"')}`,
    ],
  ],
  [
    'another change in between',
    [
      create,
      `${put} > 200`,
      `GET /tasks/7 > 200 ${shownWith('"tags":["a"]')}`,
      'PATCH /tasks/7 {"tags":["b"]} > 200',
      `GET /tasks/7 > 200 ${shownWith('"tags":["b"]')}`,
      `${put} > 200`,
      `GET /tasks/7 > 200 ${shownWith('"tags":["a"]')}`,
    ],
  ],
])('nothing is found in %s', (_what, lines) => {
  expect(Object.values(statefulChecks).flatMap((check) => findIn(check, lines))).toEqual([]);
});

const readWith = (members: string): string => `GET /tasks/7 > 200 {"id":7,"title":"tea",${members}}`;
const serviceValues = {
  properties: {
    version: { type: 'integer', readOnly: true },
    updatedAt: { type: 'string', format: 'date-time', readOnly: true },
  },
};
const change = (title: string): string => `PATCH /tasks/7 {"title":"${title}"} > 200`;

test.each([
  [
    'a time of creation that changes',
    [
      create,
      readWith('"createdAt":"2026-01-01T00:00:00.123Z"'),
      change('a'),
      readWith('"createdAt":"2026-01-01T00:00:00.129Z"'),
    ],
    'createdAt changes',
  ],
  [
    'a version that falls',
    [create, readWith('"version":4'), change('a'), readWith('"version":3')],
    'version falls',
  ],
  [
    'a time of the last change that stays',
    [
      create,
      readWith('"updatedAt":"2026-01-01T00:00:00.123Z"'),
      ...['a', 'b', 'c', 'd'].map(change),
      readWith('"updatedAt":"2026-01-01T00:00:00.123Z"'),
    ],
    'updatedAt stays',
  ],
])('service-value finds %s', (_what, lines, cause) => {
  expect(findIn(statefulChecks['service-value'], lines, serviceValues)).toEqual([
    `violation updateTask: ${cause}`,
  ]);
});

test.each([
  ['a version that stays', [create, readWith('"version":4'), change('a'), readWith('"version":4')]],
  ['a lower version without a change', [create, readWith('"version":4'), readWith('"version":3')]],
  [
    'times in whole seconds',
    [
      create,
      readWith('"updatedAt":"2026-01-01T00:00:00Z"'),
      ...['a', 'b', 'c', 'd'].map(change),
      readWith('"updatedAt":"2026-01-01T00:00:00Z"'),
    ],
  ],
])('service-value finds nothing in %s', (_what, lines) => {
  expect(findIn(statefulChecks['service-value'], lines, serviceValues)).toEqual([]);
});

test('read-after-write finds a change whose response shows the item before', () => {
  const lines = (title: string) => [
    create,
    `GET /tasks/7 > 200 ${tea}`,
    `PUT /tasks/7 {"title":"jam","note":"two cups"} > 200 {"id":7,"title":"${title}"}`,
    'GET /tasks/7 > 200 {"id":7,"title":"jam","note":"two cups"}',
  ];
  expect(findIn(statefulChecks['read-after-write'], lines('tea'))).toEqual([
    'violation replaceTask: its response shows the item before',
  ]);
  expect(findIn(statefulChecks['read-after-write'], lines('jam'))).toEqual([]);
});

test('read-only-written finds a value of the client that only a read shows, and not the response to the write', () => {
  const lines = [
    'POST /tasks {"title":"tea","createdAt":"in the days of old"} > 201 {"id":7,"title":"tea","createdAt":"2026-01-01"}',
    'GET /tasks/7 > 200 {"id":7,"title":"tea","createdAt":"in the days of old"}',
  ];
  expect(findIn(statefulChecks['read-only-written'], lines)).toEqual(['violation createTask: createdAt']);
});
