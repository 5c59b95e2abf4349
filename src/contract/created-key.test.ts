import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import { taskContract } from '../../fixtures/life-cycle-trace.ts';
import type { HeaderList } from '../http/message.ts';
import type { JsonValue } from '../json/value.ts';
import { findShownKey, readCreatedKey } from './created-key.ts';

const create = taskContract().operations.find(({ id }) => id === 'createTask');
const location = (value: string): HeaderList => [['Location', value]];

test.each<[string, JsonValue | undefined, HeaderList, unknown]>([
  ['in the answer', { id: 7 }, location('/tasks/8'), { from: 'answer', path: [], property: 'id', key: 7 }],
  ['where Location leads', {}, location('/v1/tasks/8/?a=b#c'), { from: 'location', segment: '8' }],
  ['as Location has it', {}, location('/tasks/%zz'), { from: 'location', segment: '%zz' }],
  [
    'where Location leads, as null is no key',
    { id: null },
    location('/tasks/8'),
    { from: 'location', segment: '8' },
  ],
  ['nowhere', undefined, [], undefined],
])('finds the key of what was created %s', (_where, received, headers, expected) => {
  const role = create?.kind;
  if (role?.kind !== 'create') throw new Error('It is a create.');
  expect(readCreatedKey(role, { sent: { id: 1 }, received, headers })).toEqual(expected);
});

test.each<[string, string, JsonValue, unknown]>([
  ['in a wrapper', 'taskId', { data: { taskId: 7 }, took: 3 }, ['data', 'taskId', 7]],
  ['in the only member', 'taskId', { created: { id: 7 } }, ['created', 'id', 7]],
  ['in one that is named as the resource', 'id', { task: { id: 7 }, user: { id: 8 } }, ['task', 'id', 7]],
  ['at the top, whatever is below', 'id', { id: 7, data: { id: 8 } }, ['id', 7]],
  ['by a parameter that is no id', 'slug', { slug: 'a', id: 8 }, ['slug', 'a']],
  ['not in two wrappers', 'id', { data: { id: 7 }, result: { id: 8 } }, undefined],
  ['not in a member with another name', 'id', { request: { id: 7 }, status: 'ok' }, undefined],
  ['not as an id if the path has another word', 'token', { id: 8 }, undefined],
])('finds an id that no schema shows %s', (_where, parameter, received, expected) => {
  const string = { type: 'string' };
  const name = {
    content: { 'application/json': { schema: { type: 'object', properties: { title: string } } } },
  };
  const { operations } = contractOf({
    paths: {
      '/tasks': { post: { requestBody: name, responses: { '201': { description: 'made' } } } },
      [`/tasks/{${parameter}}`]: {
        delete: {
          parameters: [{ name: parameter, in: 'path', required: true, schema: string }],
          responses: { '204': { description: 'gone' } },
        },
      },
    },
  });
  const [role] = operations.flatMap(({ kind }) => (kind.kind === 'create' ? [kind] : []));
  if (role === undefined) throw new Error('It is a create.');
  const shown = findShownKey(role, received);
  expect(shown && [...shown.path, shown.property, shown.key]).toEqual(expected);
});
