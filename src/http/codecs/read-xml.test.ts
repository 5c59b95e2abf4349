import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { compileSchema } from '../../schema/compile.ts';
import type { ParsedContent } from './codec.ts';
import { readingXmlCodec } from './read-xml.ts';
import { toXml } from './xml.ts';

function parse(
  content: string | Uint8Array,
  schema: JsonObject | boolean = true,
  type = 'application/xml',
): ParsedContent | undefined {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const media = { range: type, pointer: '', schema: compileSchema({ schema, pointer: '' }) };
  return readingXmlCodec.parse?.(bytes, media, type);
}

function read(content: string, schema: JsonObject | boolean = true): JsonValue | undefined {
  const parsed = parse(content, schema);
  return parsed?.kind === 'value' ? parsed.value : undefined;
}

const properties = {
  id: { type: 'integer', xml: { attribute: true } },
  name: { type: 'string', xml: { name: 'title' } },
  tags: { type: 'array', items: { type: 'string', xml: { name: 'tag' } }, xml: { wrapped: true } },
  rows: { type: 'array', items: { type: 'integer' } },
  open: { type: 'boolean' },
  note: { type: ['string', 'null'] },
  left: { type: ['integer', 'null'] },
  owner: { type: 'object', properties: { city: { type: 'string' } } },
};
const schema = { type: 'object', required: ['rows'], properties };

test.each<[string, JsonValue]>([
  ['<a id="7"><title> b </title></a>', { id: 7, name: ' b ', rows: [] }],
  ['<a><tags><tag>x</tag></tags><rows>1</rows></a>', { tags: ['x'], rows: [1] }],
  ['<a><tags/><rows> 1 </rows><rows>2</rows></a>', { tags: [], rows: [1, 2] }],
  ['<a><tags><other>x</other></tags></a>', { tags: { other: 'x' }, rows: [] }],
  ['<a><open>true</open><left/><note/></a>', { open: true, left: null, note: '', rows: [] }],
  [
    '<a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><note xsi:nil="true"/></a>',
    { note: null, rows: [] },
  ],
  ['<a><rows>one</rows></a>', { rows: ['one'] }],
  ['<a><owner/></a>', { owner: {}, rows: [] }],
  // The document declares neither of them.
  ['<a color="red"><size>5</size></a>', { color: 'red', size: '5', rows: [] }],
  // Not as the document declares them.
  ['<a><id>7</id></a>', { '<id': 7, rows: [] }],
  ['<a open="true">text</a>', { '@open': 'true', '#text': 'text', rows: [] }],
  ['<a><title>a</title><title>b</title></a>', { name: ['a', 'b'], rows: [] }],
])('reads %s', (xml, value) => {
  expect(read(xml, schema)).toEqual(value);
});

test('reads any document without a schema', () => {
  expect(read('<a b="1"><c>x</c><c>y</c><d><e/></d></a>')).toEqual({ b: '1', c: ['x', 'y'], d: { e: '' } });
});

test('takes elements of another namespace for no declared ones', () => {
  const inner = { id: { type: 'integer', xml: { prefix: 's', namespace: 'urn:seeds' } } };
  const whole = { properties: inner };
  expect(read('<a xmlns:x="urn:seeds"><x:id>1</x:id></a>', whole)).toEqual({ id: 1 });
  expect(read('<a><id>1</id></a>', whole)).toEqual({ '{}id': '1' });
});

test('reads the node types of OpenAPI 3.2', () => {
  const price = {
    properties: {
      currency: { type: 'string', xml: { nodeType: 'attribute' } },
      amount: { type: 'number', xml: { nodeType: 'text' } },
      size: { type: 'object', properties: { width: { type: 'integer' } }, xml: { nodeType: 'none' } },
      codes: { type: 'array', items: { type: 'string' }, xml: { nodeType: 'element' } },
    },
  };
  const value = { currency: 'EUR', amount: 5, size: { width: 3 }, codes: ['a'] };
  const xml = toXml('price', value, price);
  expect(xml).toContain('<price currency="EUR">5<width>3</width><codes><codes>a</codes></codes></price>');
  expect(read(xml, price)).toEqual(value);
});

test.each([
  ['Opening and ending tag mismatch: "b" != "a" at line 2, column 2', '<a>\n <b></a>'],
  ['attribute "1" missed quot(")! at line 1, column 1', '<a x=1/>'],
  ['entity not found:&foo; at line 1, column 1', '<a>&foo;</a>'],
  ['Extra content at the end of the document at line 1, column 1', '<a/>text'],
  ['a character that XML forbids at line 2, column 1', '<a>\n\u0001</a>'],
  ['a character that XML forbids at line 1, column 4', '<a>&#0;</a>'],
  ['missing root element', '{"a":1}'],
  ['missing root element', ''],
  ['prefix is non-null and namespace is null at line 1, column 4', '<a><s:b/></a>'],
  ['its encoding latin-9x is unknown', '<?xml version="1.0" encoding="latin-9x"?><a/>'],
  ['it has more than 500 levels of elements', `${'<a>'.repeat(600)}${'</a>'.repeat(600)}`],
])('reports a malformed document: %s', (reason, xml) => {
  expect(parse(xml)).toEqual({ kind: 'malformed', reason });
});

test('expands no declared entities', () => {
  const lines = Array.from(
    { length: 9 },
    (_, index) => `<!ENTITY e${index + 1} "${`&e${index};`.repeat(10)}">`,
  );
  const xml = `<!DOCTYPE a [<!ENTITY e0 "lol">${lines.join('')}]><a>&e9;</a>`;
  expect(parse(xml)).toMatchObject({ kind: 'malformed' });
  expect(parse('<!DOCTYPE a [<!ENTITY b "c">]><a/>')).toMatchObject({ kind: 'malformed' });
  expect(read('<!DOCTYPE a SYSTEM "file:///etc/passwd"><a>b</a>')).toBe('b');
});

test('reads the replacement character like any other', () => {
  expect(read('<a>\uFFFD</a>')).toBe('\uFFFD');
});

test('requires the declared name of the root', () => {
  const named = { type: 'object', xml: { name: 'seed' } };
  expect(parse('<tree/>', named)).toEqual({
    kind: 'malformed',
    reason: 'its root element is tree, not seed',
  });
});

test('reads the encoding that the declaration names', () => {
  const bytes = Uint8Array.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>\u00e9</a>', (each) =>
    each.charCodeAt(0),
  );
  expect(parse(bytes)).toEqual({ kind: 'value', value: 'é' });
});

test('reads no XML if the schema wants a text', () => {
  expect(parse('<a/>', { type: 'string' })).toBeUndefined();
});

/** A schema with an `xml` object, and the values that XML can express by it. */
type Shape = readonly [schema: JsonObject, values: fc.Arbitrary<JsonValue>];

const text = fc.string({
  unit: fc.constantFrom('a', ' ', '<', '&', '"', '\r', '\n', '\t', 'é', ']]>', '😀'),
});
const namespaces = [{}, { prefix: 's', namespace: 'urn:s' }, { namespace: 'urn:t' }, { prefix: 'p' }];

const scalar: fc.Arbitrary<Shape> = fc
  .tuple(
    fc.constantFrom<Shape>(
      [{ type: 'string' }, text],
      [{ type: 'integer' }, fc.integer()],
      [{ type: 'boolean' }, fc.boolean()],
      [{ type: ['integer', 'null'] }, fc.option(fc.integer())],
    ),
    fc.constantFrom({}, { name: 'renamed' }, { nodeType: 'cdata' }),
    fc.constantFrom(...namespaces),
  )
  .map(([[shape, values], names, space]) => [
    { ...shape, xml: { ...names, ...space, nodeType: 'element' } },
    values,
  ]);

const nested = fc.letrec<{ object: Shape; member: Shape }>((tie) => ({
  member: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.constant<Shape>([{ type: ['string', 'null'] }, fc.option(text)]),
    fc
      .tuple(fc.oneof(scalar, tie('object')), fc.boolean(), fc.constantFrom({}, { name: 'list' }))
      .map(([[items, values], wrapped, names]): Shape => [
        { type: 'array', items, xml: { ...names, wrapped } },
        fc.array(values, { minLength: wrapped ? 0 : 1, maxLength: 3 }),
      ]),
    tie('object'),
  ),
  object: fc
    .tuple(fc.array(tie('member'), { maxLength: 4 }), fc.constantFrom(...namespaces))
    .map(([members, space]): Shape => {
      const entries = members.map(([schema, values], index) => {
        const { xml, items, ...rest } = schema;
        const own = isJsonObject(xml) ? xml : {};
        const unique = 'name' in own ? { ...own, name: `n${index}` } : own;
        // The items of two lists must not share a name.
        const named = isJsonObject(items) ? { items: { ...items, xml: { name: `i${index}` } } } : {};
        return [`m${index}`, { ...rest, ...named, xml: unique }, values] as const;
      });
      const attribute = { at: { type: 'string', xml: { attribute: true, ...space } } };
      const record = Object.fromEntries([
        ['at', text] as const,
        ...entries.map(([name, , values]) => [name, values] as const),
      ]);
      return [
        {
          type: 'object',
          properties: {
            ...attribute,
            ...Object.fromEntries(entries.map(([name, schema]) => [name, schema])),
          },
        },
        fc.record<JsonObject>(record, { requiredKeys: [] }),
      ];
    }),
}));

test('reads back every value that it writes', () => {
  const cases = nested.object.chain(([schema, values]) => values.map((value) => ({ schema, value })));
  fc.assert(
    fc.property(cases, ({ schema, value }) => {
      expect(read(toXml('root', value, schema), schema)).toEqual(value);
    }),
    { numRuns: 300, seed: 7 },
  );
});
