import { expect, test } from 'vitest';
import { findKind, findParent, labelOfKey, listBelow, pathOfResource, placeOfResource } from './place.ts';

const resources = [
  { kind: 'collection', collection: '/projects' },
  { kind: 'collection', collection: '/projects/{id}/tasks', parent: '/projects' },
  { kind: 'singleton', collection: '/projects/{id}/settings', parent: '/projects' },
  { kind: 'collection', collection: '/{kind}/notes' },
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
