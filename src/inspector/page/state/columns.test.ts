import { expect, test } from 'vitest';
import { ExactNumber } from '../../../json/exact-number.ts';
import { chooseColumns } from './columns.ts';

test('has a column for each property that some row has, the key first, then the commonest', () => {
  const resources = [
    { key: '1', value: { tag: 'b', id: 1 } },
    { key: '2', value: { id: 2, name: 'c' } },
    { key: '3', value: { name: 'd', id: 3 } },
  ];
  const { key, columns, left } = chooseColumns(resources);
  expect(key).toBe('id');
  expect(columns.map(({ name }) => name)).toEqual(['name', 'tag']);
  expect(left).toBe(0);
});

test('says how many properties it leaves out, where there are too many', () => {
  const wide = Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`p${index}`, index]));
  const { columns, left } = chooseColumns([
    { key: '1', value: wide },
    { key: '2', value: { p14: 8 } },
  ]);
  expect(columns.map(({ name }) => name).slice(0, 3)).toEqual(['p14', 'p0', 'p1']);
  expect([columns.length, left]).toEqual([12, 3]);
});

test('tells columns of numbers, of short texts and of long ones', () => {
  const value = {
    price: new ExactNumber('9007199254740993.10'),
    none: null,
    name: 'Basil',
    about: 'A herb that wants sun, water, and somebody to talk to.',
    parts: { leaf: [1, 2, 3], root: 'none that is worth its name' },
  };
  const { columns } = chooseColumns([
    { key: '1', value },
    { key: '2', value: { ...value, price: null } },
  ]);
  expect(columns.map(({ name, kind }) => [name, kind])).toEqual([
    ['price', 'number'],
    ['none', 'short'],
    ['name', 'short'],
    ['about', 'long'],
    ['parts', 'long'],
  ]);
});

test('takes a property for its own although objects have one of that name', () => {
  const { columns } = chooseColumns([{ key: '1', value: JSON.parse('{"__proto__":1,"toString":2}') }]);
  expect(columns.map(({ name }) => name)).toEqual(['toString']);
  expect(chooseColumns([{ key: '1', value: JSON.parse('{"__proto__":1}') }]).key).toBe('__proto__');
});
