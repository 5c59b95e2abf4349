import { expect, test } from 'vitest';
import { resolvePointer } from '../json/pointer.ts';
import type { JsonObject } from '../json/value.ts';
import type { OpenApiDocument } from './document.ts';
import { readJsonDocument } from './read-json-document.ts';
import { checkStructure } from './structure.ts';
import { traceConcern } from './ambiguous-places.ts';

const info = { title: 'Orders', version: '1' };
const ok = { description: 'OK' };
const get = { responses: { 200: ok } };

function read(parts: JsonObject, isStrict = false): OpenApiDocument {
  const given = { openapi: '3.0.3', info, paths: {}, ...parts };
  return readJsonDocument(given, { source: 'a.json', checkStructure, isStrict });
}

/** A document with one operation. */
const withOperation = (operation: JsonObject): JsonObject => ({
  paths: { '/a': { get: { ...get, ...operation } } },
});
const json = (schema: JsonObject | string | null): JsonObject => ({
  content: { 'application/json': { schema } },
});

/** What is wrong, what is done about it, what stands there then (if that is looked at), and whether the operation is clear. */
const recoveries: readonly [
  title: string,
  parts: JsonObject,
  effect: string,
  place: string,
  left: unknown,
  isUnclear: boolean,
][] = [
  [
    'a media type that is none',
    withOperation({ responses: { 200: { ...ok, content: { xls: {}, 'text/csv': {} } } } }),
    'the media type is ignored',
    '/paths/~1a/get/responses/200/content',
    { 'text/csv': {} },
    true,
  ],
  [
    'several media types in a key',
    withOperation({ responses: { 200: { ...ok, content: { 'text/csv, text/plain': { example: 'x' } } } } }),
    'read as text/csv and text/plain',
    '/paths/~1a/get/responses/200/content',
    { 'text/csv': { example: 'x' }, 'text/plain': { example: 'x' } },
    false,
  ],
  [
    'a parameter twice',
    withOperation({ parameters: [1, 1, 2].map((n) => ({ name: `q${n}`, in: 'query', schema: {} })) }),
    'the second is ignored',
    '/paths/~1a/get/parameters/1/name',
    'q2',
    false,
  ],
  [
    'a parameter without a place',
    withOperation({ parameters: [{ name: 'q', schema: {} }] }),
    'the parameter is ignored',
    '/paths/~1a/get/parameters',
    [],
    true,
  ],
  [
    'an undeclared scheme',
    withOperation({ security: [{ key: [] }] }),
    'its credentials are not checked',
    '/paths/~1a/get/security',
    [{ key: [] }],
    false,
  ],
  [
    'an optional path parameter',
    {
      paths: {
        '/a/{id}': { get: { ...get, parameters: [{ name: 'id', in: 'path', required: false, schema: {} }] } },
      },
    },
    'treated as required',
    '/paths/~1a~1{id}/get/parameters/0/required',
    true,
    false,
  ],
  [
    'an undeclared path parameter',
    { paths: { '/a/{id}/{x}': { get } } },
    'any text is accepted for it',
    '/paths/~1a~1{id}~1{x}/get/parameters/1/name',
    'x',
    true,
  ],
  [
    'an unknown keyword of a schema',
    {
      ...withOperation({ responses: { 200: { ...ok, ...json({ $ref: '#/components/schemas/N' }) } } }),
      components: { schemas: { N: { type: 'integer', lte: 3 } } },
    },
    'ignored',
    '/components/schemas/N',
    { type: 'integer' },
    false,
  ],
  [
    'a schema that nothing needs',
    { ...withOperation({}), components: { schemas: { N: { type: 'integer', lte: 3 } } } },
    'ignored',
    '/components/schemas/N',
    { type: 'integer' },
    false,
  ],
  [
    'a pattern that is none',
    withOperation({ responses: { 200: { ...ok, ...json({ pattern: '[' }) } } }),
    'ignored',
    '/paths/~1a/get/responses/200/content/application~1json/schema',
    {},
    true,
  ],
  [
    'a schema that is empty',
    withOperation({ responses: { 200: { ...ok, ...json(null) } } }),
    'any value is allowed there',
    '/paths/~1a/get/responses/200/content/application~1json/schema',
    {},
    true,
  ],
  [
    'a response without a description',
    withOperation({ responses: { 200: {} } }),
    'an empty one is used',
    '/paths/~1a/get/responses/200/description',
    '',
    false,
  ],
  [
    'a status that is none',
    withOperation({ responses: { 200: ok, ok } }),
    'the response is ignored',
    '/paths/~1a/get/responses',
    { 200: ok },
    true,
  ],
  [
    'a range in small letters',
    withOperation({ responses: { '2xx': ok } }),
    'read as a range of statuses',
    '/paths/~1a/get/responses',
    { '2xx': ok },
    false,
  ],
  [
    'an operation without responses',
    { paths: { '/a': { get: {} } } },
    'any response is accepted',
    '/paths/~1a/get/responses/default',
    { description: '' },
    true,
  ],
  [
    'an operationId twice',
    { paths: { '/a': { get: { ...get, operationId: 'x' }, put: { ...get, operationId: 'x' } } } },
    'ignored',
    '/paths/~1a/put',
    get,
    false,
  ],
  ['a misspelt member', withOperation({ requestbody: {} }), 'ignored', '/paths/~1a/get', get, true],
  ['a member of its own', withOperation({ note: 'x' }), 'ignored', '/paths/~1a/get', get, false],
  [
    'a URL that is none',
    { ...withOperation({}), info: { ...info, termsOfService: 'see below' } },
    'ignored',
    '/info',
    info,
    false,
  ],
  [
    'a name that no tool likes',
    { ...withOperation({}), openapi: '3.1.0', components: { schemas: { 'A b': {} } } },
    'used as it is',
    '/components/schemas',
    { 'A b': {} },
    false,
  ],
  [
    'a reference of an unused schema to nothing',
    { ...withOperation({}), components: { schemas: { A: { items: { $ref: '#/gone' }, type: 'array' } } } },
    'any value is allowed there',
    '/components/schemas/A/items',
    {},
    false,
  ],
  [
    'a broken tag',
    { ...withOperation({}), tags: [{ description: 'x' }, { name: 't' }] },
    'the tag is ignored',
    '/tags',
    [{ name: 't' }],
    false,
  ],
];

test.each(recoveries)('does without %s', (_title, parts, effect, place, left, isUnclear) => {
  const document = read(parts);
  expect(new Set(document.warnings?.map((warning) => warning.effect))).toEqual(new Set([effect]));
  expect(resolvePointer(document.root, place)).toEqual(left);
  const [operation] = Object.keys(document.root['paths'] ?? {}).map(
    (path) => `/paths/${path.replaceAll('/', '~1')}/get`,
  );
  expect(traceConcern(document.root)(document.unclear ?? [])(operation ?? '')).toBe(isUnclear);
  expect(() => read(parts, true)).toThrow(/^Failed to read "a\.json": /u);
});

test.each([
  ['lte', 'unknown keyword "lte" in a schema'],
  ['on all pages', 'unknown keyword "on all pages" in a schema (a comma in an unquoted description?)'],
])('names the unknown keyword %j of a schema', (name, reason) => {
  const { warnings } = read({ ...withOperation({}), components: { schemas: { N: { [name]: null } } } });
  expect(warnings).toMatchObject([{ reason: `components.schemas.N.${name}: ${reason}`, effect: 'ignored' }]);
});

test('names the error at its line, before anything is taken away', () => {
  const parameters = [{ name: 'a' }, { name: 'b' }].map((one) => ({ ...one, schema: {} }));
  const document = read(
    withOperation({ parameters: [...parameters, { name: 'c', in: 'query', schema: {} }] }),
  );
  expect(document.warnings?.map(({ line, reason }) => [line, reason])).toEqual([
    [16, 'paths./a.get.parameters[0]: must have "in"'],
    [20, 'paths./a.get.parameters[1]: must have "in"'],
  ]);
  expect(document.locate('/paths/~1a/get/parameters/0/name')?.line).toBe(25);
});

test('passes over what refers to what is passed over', () => {
  const document = read({
    ...withOperation({ parameters: [{ $ref: '#/components/parameters/Q' }] }),
    components: { parameters: { Q: { name: 'q' } } },
  });
  expect(resolvePointer(document.root, '/paths/~1a/get/parameters')).toEqual([]);
  expect(document.warnings?.map(({ effect }) => effect)).toEqual(
    Array.from({ length: document.warnings?.length ?? 0 }, () => 'the parameter is ignored'),
  );
});

test.each([
  [
    'a reference to nothing that an operation needs',
    withOperation({ responses: { 200: { $ref: '#/gone' } } }),
    'leads to nothing',
  ],
  ['paths that are none', { paths: [] }, 'paths: must be an object'],
])('refuses %s', (_title, parts, reason) => {
  expect(() => read(parts)).toThrow(reason);
});

const toA = { $ref: '#/components/schemas/A' };

test.each([
  ['$ref', toA, {}],
  ['allOf', { allOf: [{ type: 'object' }, toA] }, { allOf: [{ type: 'object' }, {}] }],
  ['anyOf', { anyOf: [{ oneOf: [toA] }] }, { anyOf: [{ oneOf: [{}] }] }],
  ['not', { type: 'object', not: toA }, { type: 'object' }],
])('passes over a schema that leads back to itself by %s', (_keyword, schema, rest) => {
  const parts = {
    ...withOperation({ responses: { 200: { ...ok, ...json(toA) } } }),
    components: { schemas: { A: schema } },
  };
  const { root, warnings, unclear } = read(parts);
  expect(resolvePointer(root, '/components/schemas/A')).toEqual(rest);
  expect(warnings?.map(({ reason }) => reason)).toEqual([expect.stringContaining('leads back to itself')]);
  expect(unclear).toHaveLength(1);
  expect(() => read(parts, true)).toThrow('leads back to itself');
});

test('takes a schema that leads back to itself by way of a property, or that a part of it refers to', () => {
  const schemas = {
    A: { properties: { a: toA }, allOf: [{ title: 'base' }, { $ref: '#/components/schemas/A/allOf/0' }] },
  };
  expect(read({ ...withOperation({}), components: { schemas } }).warnings).toEqual([]);
});

test('notes paths that no request names as they stand, and takes them strictly too', () => {
  const parts = { paths: { '/a#x': { get }, '/b?x=1': { get } } };
  const { warnings, unclear } = read(parts, true);
  expect(warnings).toMatchObject([
    { reason: 'paths./a#x: contains "#", which ends the path of a URL, as 1 more does', isUnclear: false },
  ]);
  expect(unclear).toEqual([]);
});

test('reads a keyword of JSON Schema 2020-12 in a document of 3.0 as it is meant', () => {
  const schema = { type: 'string', const: 'task' };
  const document = read(withOperation({ responses: { 200: { ...ok, ...json(schema) } } }));
  expect(document.warnings?.map(({ effect }) => effect)).toEqual(['read as JSON Schema 2020-12 defines it']);
  expect(document.unclear).toEqual([]);
});

test.each([
  ['Authorization: Bearer', 'Authorization', 'read as Authorization'],
  ['X-Token ', 'X-Token', 'read as X-Token'],
  ['my key: x', '', 'its credentials are not checked'],
])('reads the API key field %j as %s', (name, field, effect) => {
  const { root, warnings = [] } = read({
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name } } },
  });
  expect(warnings.map((warning) => warning.effect)).toEqual([effect]);
  expect(resolvePointer(root, '/components/securitySchemes/key/name')).toBe(field);
});
