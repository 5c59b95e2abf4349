import { expect, test } from 'vitest';
import {
  findKind,
  findParent,
  labelOfKey,
  linksOf,
  listBelow,
  pathOfResource,
  placeOfResource,
} from './place.ts';

const resources = [
  {
    kind: 'collection',
    collection: '/projects',
    relations: [{ property: 'ownerId', collection: '/owners' }],
  },
  {
    kind: 'collection',
    collection: '/projects/{id}/tasks',
    parent: '/projects',
    relations: [{ property: 'blockedByIds', collection: '/projects/{id}/tasks' }],
  },
  { kind: 'singleton', collection: '/projects/{id}/settings', parent: '/projects', relations: [] },
  {
    kind: 'collection',
    collection: '/{kind}/notes',
    relations: [{ property: 'taskId', collection: '/projects/{id}/tasks' }],
  },
] as const;

test.each([
  ['7', '7'],
  ['"basil"', 'basil'],
  ['"7"', '"7"'],
  ['"true"', '"true"'],
  ['""', '""'],
  ['" a"', '" a"'],
  ['{"a":1}', '{"a":1}'],
])('shows the key %s as %s, so that no two look alike', (key, label) => {
  expect(labelOfKey(key)).toBe(label);
});

test('names an item by a path, whatever its key is', () => {
  expect(pathOfResource('/projects', '"a/b %2F"')).toBe('/projects/a%2Fb%20%252F');
  expect(pathOfResource('/projects', '"\\ud800"')).toBe('/projects/%EF%BF%BD');
});

test('gives each resource an address in the page', () => {
  expect(placeOfResource({ collection: '/projects', key: '"a/b"' })).toBe('#state/%2Fprojects/%22a%2Fb%22');
  expect(placeOfResource({ collection: '/settings' })).toBe('#state/%2Fsettings');
});

test('finds the resource that a path is of, and the item above it', () => {
  expect(findKind(resources, '/projects/a%2Fb/settings')?.kind).toBe('singleton');
  expect(findKind(resources, '/elsewhere')).toBeUndefined();
  expect(findParent(resources, '/projects/a%2Fb/tasks')).toEqual({ collection: '/projects', key: 'a/b' });
  expect(findParent(resources, '/projects/%/tasks')).toEqual({ collection: '/projects', key: '%' });
  expect(findParent(resources, '/projects')).toBeUndefined();
});

test('lists what an item holds', () => {
  expect(listBelow(resources, '/projects', '"a/b"')).toEqual([
    '/projects/a%2Fb/tasks',
    '/projects/a%2Fb/settings',
  ]);
  expect(listBelow(resources, '/x/notes', '1')).toEqual([]);
});

test('links a property to the item that it identifies, also below the same parent', () => {
  expect(linksOf(resources, '/projects', { property: 'ownerId', value: 7 })).toEqual([
    ['7', '#state/%2Fowners/7'],
  ]);
  const value = ['a', 'b/c'];
  expect(linksOf(resources, '/projects/1/tasks', { property: 'blockedByIds', value })).toEqual([
    ['a', '#state/%2Fprojects%2F1%2Ftasks/a'],
    ['b/c', '#state/%2Fprojects%2F1%2Ftasks/b%2Fc'],
  ]);
});

test('links no other property, no null, and no item whose parent is unknown', () => {
  expect(linksOf(resources, '/projects', { property: 'name', value: '7' })).toEqual([]);
  expect(linksOf(resources, '/projects', { property: 'ownerId', value: null })).toEqual([]);
  expect(linksOf(resources, '/x/notes', { property: 'taskId', value: 'a' })).toEqual([]);
});
