import { expect, test } from 'vitest';
import { listColumns } from './collection.tsx';

test('lists the properties that resources have, in their order', () => {
  const resources = [
    { key: '1', value: { id: 1, name: 'a' } },
    { key: '2', value: { id: 2, tag: 'b', name: 'c' } },
  ];
  expect(listColumns(resources)).toEqual(['id', 'name', 'tag']);
});

test('lists those that most of them have, where there are too many', () => {
  const wide = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`p${index}`, index]));
  const resources = [
    { key: '1', value: wide },
    { key: '2', value: { p8: 8, p7: 7 } },
  ];
  expect(listColumns(resources)).toEqual(['p0', 'p1', 'p2', 'p3', 'p7', 'p8']);
});
