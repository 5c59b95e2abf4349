import { expect, test } from 'vitest';
import { contractOfForm } from '../../fixtures/reference/contract-of-form.ts';
import { base } from '../../fixtures/reference/forms.ts';
import { schemaAt, schemaProperties } from '../schema/properties.ts';
import type { JsonObject } from '../json/value.ts';
import { flattenItem, flattenSchema, listItemSchema, propertiesPath } from './item-properties.ts';

const text = { type: 'string' };
const attributes = { type: 'object', required: ['title'], properties: { title: { $ref: '#/$defs/Title' } } };
const resource = {
  type: 'object',
  required: ['type', 'attributes'],
  properties: { type: text, id: { ...text, readOnly: true }, attributes },
  $defs: { Title: { type: 'string', maxLength: 9 } },
};

test('the attributes of a resource object stand beside its id', () => {
  const flat = flattenSchema(resource);
  expect(Object.fromEntries(schemaProperties(flat))).toMatchObject({
    type: { required: true },
    id: { required: false, readOnly: true },
    title: { required: true },
  });
  expect(schemaAt(flat, ['title'])).toMatchObject({ $ref: '#/$defs/Title', $defs: resource.$defs });
  const item = { id: '7', type: 'a', attributes: { title: 'tea' } };
  expect(flattenItem(item, flat)).toEqual({ id: '7', type: 'a', title: 'tea' });
  expect(flattenItem(item, resource)).toBe(item);
  const body = { type: 'object', properties: { data: resource } };
  expect(propertiesPath(body, ['data'])).toEqual(['data', 'attributes']);
  expect(propertiesPath(body, [])).toEqual([]);
});

test.each<[string, JsonObject]>([
  ['further properties', { type: text, id: text, name: text, attributes }],
  ['an attribute named as a member', { id: text, attributes: { properties: { id: text } } }],
  ['attributes without declared properties', { id: text, attributes: { type: 'object' } }],
  ['attributes that only the service sets', { id: text, attributes: { ...attributes, readOnly: true } }],
])('an object with %s is no resource object', (_what, properties) => {
  const schema = { type: 'object', properties };
  expect(flattenSchema(schema)).toBe(schema);
});

test('the items of a list of ids have the properties that a read shows', () => {
  const { operations } = contractOfForm({ ...base, envelope: 'ids' });
  const list = operations.find(({ id }) => id === 'listBooks');
  const names = list && [...schemaProperties(listItemSchema(list, undefined, operations)).keys()];
  expect(names).toEqual(['id', 'title', 'genre', 'pages', 'subtitle', 'available']);
});
