import { expect, test } from 'vitest';
import { ExactNumber } from '../../json/exact-number.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { toXml } from './xml.ts';

const head = '<?xml version="1.0" encoding="UTF-8"?>\n';

test('writes an element for each member and each item', () => {
  const value = { id: new ExactNumber('9007199254740993'), tags: ['a', 'b'], rows: [[1]], none: null };
  expect(toXml('order', value)).toBe(
    `${head}<order><id>9007199254740993</id><tags>a</tags><tags>b</tags><rows><item>1</item></rows><none></none></order>\n`,
  );
});

test('writes only what XML can hold', () => {
  expect(toXml('1st thing', { 'a b': '<&>\0é' })).toBe(
    `${head}<_1st_thing><a_b>&lt;&amp;&gt;é</a_b></_1st_thing>\n`,
  );
});

const write = (value: JsonValue, schema: JsonObject): string =>
  toXml('body', value, schema).slice(head.length, -1);

test('writes attributes, and escapes them', () => {
  const properties = { id: { xml: { attribute: true } }, note: { xml: { attribute: true, name: 'n' } } };
  expect(write({ id: 1, note: 'a"<\n', text: 'b' }, { properties })).toBe(
    '<body id="1" n="a&quot;&lt;&#10;"><text>b</text></body>',
  );
});

test('writes elements for what cannot be an attribute, and no attribute of null', () => {
  const properties = { a: { xml: { attribute: true } }, b: { xml: { attribute: true } } };
  expect(write({ a: { c: 1 }, b: null }, { properties })).toBe('<body><a><c>1</c></a></body>');
});

test('names elements with their prefix, and declares namespaces', () => {
  const xml = { name: 'seed', prefix: 's', namespace: 'https://example.com/seed' };
  const properties = { id: { xml: { prefix: 's' } }, mix: { xml: { namespace: 'https://example.com/mix' } } };
  expect(write({ id: 1, mix: 2 }, { xml, properties })).toBe(
    '<s:seed xmlns:s="https://example.com/seed"><s:id>1</s:id><mix xmlns="https://example.com/mix">2</mix></s:seed>',
  );
});

// The examples of OpenAPI 3.1 §4.8.26.2.
test.each<[string, JsonObject]>([
  ['<animals>a</animals><animals>b</animals>', { items: {} }],
  ['<animal>a</animal><animal>b</animal>', { items: { xml: { name: 'animal' } }, xml: { name: 'aliens' } }],
  ['<animals><animals>a</animals><animals>b</animals></animals>', { items: {}, xml: { wrapped: true } }],
  [
    '<aliens><animal>a</animal><animal>b</animal></aliens>',
    { items: { xml: { name: 'animal' } }, xml: { name: 'aliens', wrapped: true } },
  ],
  [
    '<aliens><aliens>a</aliens><aliens>b</aliens></aliens>',
    { items: {}, xml: { name: 'aliens', wrapped: true } },
  ],
])('writes a list as %s', (expected, animals) => {
  expect(write({ animals: ['a', 'b'] }, { properties: { animals } })).toBe(`<body>${expected}</body>`);
});

test('takes the names of schemas that are referred to', () => {
  const $defs = { Tag: { xml: { name: 'tag' }, properties: { id: { xml: { attribute: true } } } } };
  const properties = { tags: { items: { $ref: '#/$defs/Tag' } }, first: { $ref: '#/$defs/Tag' } };
  expect(write({ tags: [{ id: 1 }], first: { id: 2 } }, { properties, $defs })).toBe(
    '<body><tag id="1"></tag><tag id="2"></tag></body>',
  );
});
