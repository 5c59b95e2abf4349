import { expect, test } from 'vitest';
import { taskContract } from '../../fixtures/life-cycle-trace.ts';
import type { HeaderList } from '../http/message.ts';
import type { JsonValue } from '../json/value.ts';
import { readCreatedKey } from './created-key.ts';

const create = taskContract().operations.find(({ id }) => id === 'createTask');
const location = (value: string): HeaderList => [['Location', value]];

test.each<[string, JsonValue | undefined, HeaderList, unknown]>([
  ['in the answer', { id: 7 }, location('/tasks/8'), { from: 'answer', key: 7 }],
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
