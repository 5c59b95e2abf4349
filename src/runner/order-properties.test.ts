import { expect, test } from 'vitest';
import { orderByKind } from './order-properties.ts';

function order(...ids: readonly string[]): readonly string[] {
  const all = ids.map((id) => {
    const sendsTogether = id.endsWith('.side-by-side');
    return { planned: { suite: 'any', property: { id, sendsTogether } } };
  });
  return orderByKind(all).map(({ planned }) => planned.property.id);
}

test('tries each kind with one operation, each with another one, before any with the next', () => {
  expect(order('add.plain', 'put.plain', 'add.extreme', 'put.extreme')).toEqual([
    'add.plain',
    'put.extreme',
    'put.plain',
    'add.extreme',
  ]);
});

test('tries what sends requests together last', () => {
  expect(order('add.side-by-side', 'add.plain', 'put.plain')).toEqual([
    'put.plain',
    'add.plain',
    'add.side-by-side',
  ]);
});

test('orders nothing', () => {
  expect(order()).toEqual([]);
});
