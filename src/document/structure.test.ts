import { Validator } from '@seriousme/openapi-schema-validator';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { appendPointer, type JsonPointer, resolvePointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { structureKeywords } from './structure-evaluator.ts';
import { checkStructure, openApiStructure } from './structure.ts';

const operation: JsonObject = {
  operationId: 'a',
  tags: ['t'],
  parameters: [
    { name: 'q', in: 'query', style: 'form', schema: { type: 'string' } },
    { name: 'h', in: 'header', required: true, content: { 'text/plain': {} } },
    { $ref: '#/components/parameters/Id' },
  ],
  requestBody: {
    required: true,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/A' }, example: 1 } },
  },
  responses: {
    default: { $ref: '#/components/responses/R' },
    '200': {
      description: 'OK',
      headers: { Location: { schema: {} } },
      links: { next: { operationId: 'a', parameters: { x: '1' } } },
    },
    '4XX': { description: 'Bad' },
  },
  callbacks: { done: { '{$request.body#/url}': { post: { responses: { '200': { description: 'OK' } } } } } },
  security: [{ key: [] }, {}],
  servers: [{ url: '/v1', variables: { v: { default: '1' } } }],
};
const shared: JsonObject = {
  info: { title: 'T', version: '1', license: { name: 'MIT' }, contact: { name: 'C' } },
  paths: { '/a/{id}': { summary: 'S', get: operation, 'x-more': { $ref: '#/info' } } },
  components: {
    parameters: { Id: { name: 'id', in: 'path', required: true, schema: { type: 'integer' } } },
    responses: { R: { description: 'R' } },
    examples: { E: { value: 1 } },
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'k' },
      bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      basic: { type: 'http', scheme: 'basic' },
      oauth: { type: 'oauth2', flows: { implicit: { authorizationUrl: '/a', scopes: { r: 'read' } } } },
    },
  },
  tags: [{ name: 't', externalDocs: { url: '/docs' } }],
};
const schemas: JsonObject = {
  A: {
    type: 'object',
    required: ['a'],
    properties: { a: { $ref: '#/components/schemas/B' } },
    additionalProperties: false,
  },
  B: {
    allOf: [{ type: 'array', items: { type: 'string', minLength: 1 } }, { enum: [1, null] }],
    not: { maximum: 2 },
  },
};

function documentOf(version: '3.0' | '3.1' | '3.2'): JsonObject {
  const components = isJsonObject(shared['components']) ? shared['components'] : {};
  return structuredClone({ openapi: `${version}.1`, ...shared, components: { ...components, schemas } });
}

function placesIn(value: JsonValue, pointer: JsonPointer = ''): readonly JsonPointer[] {
  const members = typeof value === 'object' && value !== null ? Object.entries<JsonValue>({ ...value }) : [];
  return [pointer, ...members.flatMap(([key, member]) => placesIn(member, appendPointer(pointer, key)))];
}

function change(root: JsonObject, pointer: JsonPointer, replacement: JsonValue | undefined): void {
  const around = resolvePointer(root, pointer.slice(0, pointer.lastIndexOf('/')));
  const key = pointer.slice(pointer.lastIndexOf('/') + 1).replaceAll('~1', '/');
  if (Array.isArray(around) && replacement !== undefined) {
    around[Number(key)] = replacement;
  } else if (isJsonObject(around) && replacement === undefined) {
    delete around[key];
  } else if (isJsonObject(around) && replacement !== undefined) {
    around[key] = replacement;
  }
}

test.each(['3.0', '3.1', '3.2'] as const)(
  'finds nothing wrong with a %s document that uses everything',
  async (version) => {
    expect(checkStructure(documentOf(version), version)).toEqual([]);
    expect(await new Validator().validate(documentOf(version))).toEqual({ valid: true });
  },
);

/** Places in which the published schema of 3.1 looks at nothing. */
const inSchemaOf31 = /\/(?:schema|schemas\/[^/]+)\//u;

test.each(['3.0', '3.1', '3.2'] as const)(
  'judges %s documents with one thing changed as the published schema does',
  async (version) => {
    const stock = new Validator();
    const places = placesIn(documentOf(version))
      .slice(1)
      .filter((place) => place !== '/openapi' && !place.includes('x-more'));
    const replacement = fc.constantFrom<JsonValue | undefined>(
      undefined,
      null,
      1,
      'a',
      true,
      [],
      {},
      { surplus: 1 },
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), replacement, async (place, value) => {
        const root = documentOf(version);
        change(root, place, value);
        const published = await stock.validate(structuredClone(root));
        // What a reference leads to, and schemas in 3.1, the published schema leaves open.
        const problems = checkStructure(root, version).filter(
          ({ pointer, reason }) =>
            !reason.includes('leads to') && !(version !== '3.0' && inSchemaOf31.test(pointer)),
        );
        const isDangling = typeof published.errors === 'string';
        expect(problems.length === 0).toBe(published.valid || isDangling);
      }),
      { numRuns: 200 },
    );
  },
);

function keywordsIn(schema: JsonValue): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap(keywordsIn);
  if (!isJsonObject(schema)) return [];
  const named = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (['const', 'default', 'enum'].includes(keyword)) return [keyword];
    return [
      keyword,
      ...(named.includes(keyword) && isJsonObject(value)
        ? Object.values(value).flatMap(keywordsIn)
        : keywordsIn(value)),
    ];
  });
}

test.each(['3.0', '3.1', '3.2'] as const)('knows every keyword of the schema of %s', (version) => {
  const unknown = keywordsIn(openApiStructure(version)).filter((keyword) => !structureKeywords.has(keyword));
  expect([...new Set(unknown)]).toEqual([]);
});

test.each(['^[^\\u{10000}-\\u{10FFFF}]*$', '\\p{Lu}', 'a\\-b'])(
  'accepts the usable pattern %s',
  (pattern) => {
    const root = documentOf('3.1');
    change(root, '/components/schemas/A', { pattern });
    expect(checkStructure(root, '3.1')).toEqual([]);
  },
);
