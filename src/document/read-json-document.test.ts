import { expect, test } from 'vitest';
import { type JsonDocument, readJsonDocument } from './read-json-document.ts';
import { checkStructure } from './structure.ts';

const info = { title: 'Orders', version: '1' };
const ok = { description: 'OK' };

function read(given: JsonDocument): ReturnType<typeof readJsonDocument> {
  return readJsonDocument(given, { source: 'the document' });
}

test('takes an object, and leaves it as it is', () => {
  const reference = { $ref: '#/components/responses/a%20b' };
  const given = {
    openapi: '3.0.4',
    info,
    paths: { '/orders': { get: { responses: { 200: reference } } } },
    components: { responses: { 'a b': ok } },
  };
  const { version, root } = read(given);
  expect(version).toBe('3.0');
  expect(root).toMatchObject({
    paths: { '/orders': { get: { responses: { 200: { $ref: '#/components/responses/a b' } } } } },
  });
  expect(reference).toEqual({ $ref: '#/components/responses/a%20b' });
});

test('says where a text is no JSON', () => {
  expect(() => read('{"openapi": "3.1.0",\n oops}')).toThrow(
    /^Failed to read "the document": the document:2:2: .* Correct the JSON\.$/u,
  );
});

test.each([
  [{ swagger: '1.2' }, 'the version is none that Cloche reads'],
  ['[]', 'this is no OpenAPI document'],
  [{ openapi: '3.3.0' }, 'the version "3.3.0" is none that Cloche reads'],
])('says what %j is instead of an OpenAPI document', (given, reason) => {
  expect(() => read(given)).toThrow(reason);
});

test('names each reference out of the document at its line, and what to do about it', () => {
  const paths = { '/orders': { $ref: './orders.yaml' }, '/shops': { $ref: 'https://example.com/shops' } };
  expect(() => read({ openapi: '3.1.0', info, paths })).toThrow(
    [
      'Failed to read "the document": it has 2 problems. Fix each of them.',
      '  the document:9:7: paths./orders.$ref: the reference "./orders.yaml" leads out of the document. Put what it names into the document: npx cloche bundle FILE -o bundle.json.',
      '  the document:12:7: paths./shops.$ref: the reference "https://example.com/shops" leads out of the document. Put what it names into the document: npx cloche bundle FILE -o bundle.json.',
    ].join('\n'),
  );
});

test('says that an object which holds itself is none', () => {
  const itself: Record<string, unknown> = { openapi: '3.1.0' };
  itself['again'] = itself;
  expect(() => read(itself)).toThrow(/^Failed to read "the document": it is no JSON: .*circular/u);
});

test.each([
  [
    { '/orders': { get: { responses: { 200: { $ref: '#/components/responses/Gone' } } } } },
    'leads to nothing',
  ],
  [{ '/a/{x}/{y}': { get: { responses: { 200: ok } } }, '/a/{y}/{x}': {} }, 'is the same path as /a/{x}/{y}'],
])('refuses what cannot be meant: %j', (paths, reason) => {
  expect(() => read({ openapi: '3.1.0', info, paths })).toThrow(reason);
});

test('leaves the structure to who can look at it', () => {
  const given = { openapi: '3.1.0', info: {}, paths: {} };
  expect(read(given).root).toEqual(given);
  expect(() => readJsonDocument(given, { source: 'the document', checkStructure, isStrict: true })).toThrow(
    'title',
  );
});

test.each([
  [
    'one of 2.0, whose parts stand elsewhere afterwards',
    { swagger: '2.0', definitions: { A: { type: 'string' }, B: { type: 'object' } } },
    ['/components/schemas/B', 12],
  ],
  [
    'one of 3.2, whose media types may be references',
    {
      openapi: '3.2.0',
      components: {
        mediaTypes: { M: { schema: {} } },
        responses: { R: { content: { 'text/a': { $ref: '#/components/mediaTypes/M' } } } },
      },
    },
    ['/components/responses/R/content/text~1a/schema', 11],
  ],
  [
    'one with an error before the place',
    { openapi: '3.1.0', tags: [{ name: 'a' }, { nam: 'b' }, { name: 'c' }] },
    ['/tags/1', 15],
  ],
] as const)('knows the lines of %s', (_name, parts, [pointer, line]) => {
  const document = { info: { title: 'Orders', version: '1' }, paths: {}, ...parts };
  const read = readJsonDocument(document, { source: 'orders.json', checkStructure });
  expect(read.locate(pointer)?.line).toBe(line);
});
