import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainBodyOf } from '../../fixtures/plain-body-of.ts';
import { loadContract } from '../contract/load.ts';
import { parseJson } from '../json/parse.ts';
import { isJsonObject, type JsonObject } from '../json/value.ts';
import { compileSchema, type SchemaValidator } from '../schema/compile.ts';
import { plainValues, judgeValue } from './from-schema.ts';
import { wrongTypeBodies } from './invalid-bodies.ts';
import { type PlainBody, plainBody } from './plain-body.ts';
import type { Body } from './request-case.ts';
import { renderBody } from './request.ts';
import { extremeLists, extremeNumbers, extremeShapes, canaryBodies } from './unusual-bodies.ts';
import { extremeStrings } from './unusual-strings.ts';

function bodyOf(schema: JsonObject): PlainBody {
  const compiled = compileSchema({ schema, pointer: '' });
  const values = plainValues(compiled);
  expect.assert(values !== undefined);
  return { contentType: 'application/json', schema: compiled, ...values, key: undefined, items: [] };
}

/** The bodies as objects. */
function valuesOf(bodies: readonly Body[]): readonly JsonObject[] {
  return bodies.flatMap((parts) => {
    const parsed = parseJson(new TextDecoder().decode(renderBody(parts, () => '1')));
    return parsed.kind === 'json' && isJsonObject(parsed.value) ? [parsed.value] : [];
  });
}

const nullable = bodyOf({
  type: 'object',
  required: ['name', 'plain'],
  properties: {
    name: { type: ['string', 'null'] },
    plain: { type: 'string' },
    state: { enum: ['open', 'closed', null] },
    nothing: { const: null },
    owner: {
      anyOf: [
        { type: 'object', required: ['mail'], properties: { mail: { type: ['string', 'null'] } } },
        { type: 'null' },
      ],
    },
  },
});

test('null is sent wherever it is allowed, at every depth', () => {
  const values = valuesOf(extremeShapes(nullable).examples);
  const inner = values.map(({ owner }) => (isJsonObject(owner) ? owner['mail'] : undefined));
  const names = ['name', 'plain', 'state', 'nothing', 'owner'];
  expect(names.filter((name) => values.some((value) => value[name] === null))).toEqual([
    'name',
    'state',
    'nothing',
    'owner',
  ]);
  expect(inner).toContain(null);
});

test('null is among the random bodies of an unusual shape, and is rare', () => {
  const { arbitrary } = extremeShapes(nullable);
  expect.assert(arbitrary !== undefined);
  const random = valuesOf(fc.sample(arbitrary, { seed: 5, numRuns: 200 }));
  const withNull = random.filter(({ name }) => name === null);
  expect(withNull.length).toBeGreaterThan(0);
  expect(withNull.length).toBeLessThan(40);
});

test('null is sent where OpenAPI 3.0 says nullable, and only there', async () => {
  const file = fileURLToPath(new URL('../../fixtures/documents/nullable.yaml', import.meta.url));
  const { operations } = await loadContract(file, { followReferences: false });
  const [operation] = operations;
  const result = operation && plainBody(operation);
  expect.assert(result?.kind === 'body');
  const values = valuesOf(extremeShapes(result.body).examples);
  const names = ['id', 'title', 'subtitle', 'condition', 'price', 'pages', 'previousOwner'];
  expect(names.filter((name) => values.some((value) => value[name] === null))).toEqual([
    'subtitle',
    'condition',
    'previousOwner',
  ]);
});

test('a key is never null, even where its schema allows that', () => {
  const body = bodyOf({
    type: 'object',
    required: ['id'],
    properties: { id: { type: ['integer', 'null'] } },
  });
  const keyed: PlainBody = {
    ...body,
    key: { property: 'id', pointer: '/id', isNumber: true, classes: new Map([['plain', 1]]) },
  };
  expect(valuesOf(extremeShapes(body).examples).some(({ id }) => id === null)).toBe(true);
  expect(valuesOf(extremeShapes(keyed).examples).some(({ id }) => id === null)).toBe(false);
});

function lengthsOf(items: JsonObject): readonly number[] {
  const value = { tags: ['a'] };
  const body: PlainBody = {
    contentType: 'application/json',
    schema: compileSchema({
      pointer: '',
      schema: { type: 'object', properties: { tags: { type: 'array', ...items } } },
    }),
    smallest: value,
    fullest: value,
    arbitrary: fc.constant(value),
    key: undefined,
    items: [],
  };
  return extremeLists(body).examples.map((example) => {
    // `as`: the body is the text of the value above with another list in it.
    const { tags } = JSON.parse(example.map((part) => (typeof part === 'string' ? part : '')).join('')) as {
      tags: readonly string[];
    };
    return new Set(tags).size;
  });
}

test('lists are empty, and longer than limits allow', () => {
  expect(lengthsOf({})).toEqual(expect.arrayContaining([0, 10, 101, 1_001]));
});

test('lists hold no item twice where they may not', () => {
  expect(lengthsOf({ uniqueItems: true })).toContain(101);
});

test('lists keep to the lengths that the document allows', () => {
  expect(new Set(lengthsOf({ minItems: 1, maxItems: 20 }))).toEqual(new Set([10, 1]));
});

test('bodies are made when they are asked for: to say what there is to try takes a few', () => {
  const names = Array.from({ length: 40 }, (_, index) => `list${index}`);
  const list = { type: 'array', items: { type: 'integer' } };
  const body = bodyOf({
    type: 'object',
    required: names,
    properties: Object.fromEntries(names.map((name) => [name, list])),
  });
  let judged = 0;
  const { schema } = body;
  expect.assert(schema !== undefined);
  const counting = {
    ...schema,
    validator: (reading: Parameters<typeof schema.validator>[0]): SchemaValidator => {
      judged += 1;
      return schema.validator(reading);
    },
  };
  const cases = [extremeLists, extremeNumbers, wrongTypeBodies].map((make) =>
    make({ ...body, schema: counting }),
  );
  expect(judged).toBeLessThan(20);
  expect(cases.map(({ mostExamples }) => mostExamples)).toEqual([60, 60, 60]);
  expect(cases.every(({ examples }) => examples.length > 0 && examples.length <= 60)).toBe(true);
});

function bodyWith(properties: JsonObject): PlainBody {
  const schema: JsonObject = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'integer' }, ...properties },
  };
  return plainBodyOf(schema);
}

function sample(body: PlainBody): readonly JsonObject[] {
  const made = canaryBodies(body, 8);
  return made === undefined ? [] : fc.sample(made, { seed: 3, numRuns: 60 }).flat();
}

test('puts another text into every body, wherever the schema leaves room for one', () => {
  const body = bodyWith({
    name: { type: 'string' },
    code: { type: 'string', maxLength: 8 },
    day: { type: 'string', format: 'date' },
    kind: { enum: ['one', 'two'] },
    sku: { type: 'string', pattern: '^[0-9]+$' },
  });
  const bodies = sample(body);
  expect(bodies.filter((value) => judgeValue(body.schema, value) !== 'valid')).toEqual([]);
  const names = bodies.flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
  expect(names.length).toBeGreaterThan(100);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !/^[a-z][a-zA-Z]{18}[A-Z]$/u.test(name))).toEqual([]);
  const codes = bodies.flatMap(({ code }) => (typeof code === 'string' ? [code] : []));
  expect(codes.filter((code) => !/^[a-z][a-zA-Z]{6}[A-Z]$/u.test(code))).toEqual([]);
  expect(new Set(bodies.map(({ sku }) => sku)).size).toBeLessThan(3);
});

test('leaves optional properties out of some bodies', () => {
  const bodies = sample(bodyWith({ name: { type: 'string' } }));
  const without = bodies.filter((value) => !Object.hasOwn(value, 'name'));
  expect(without.length).toBeGreaterThan(100);
  expect(without.length).toBeLessThan(bodies.length - 100);
});

test('has no bodies where no property takes any text', () => {
  expect(sample(bodyWith({ count: { type: 'integer' }, initial: { type: 'string', maxLength: 5 } }))).toEqual(
    [],
  );
});

test('leaves the ids of existing items as they are, as a service knows no others', () => {
  const ids = { ownerId: { type: 'integer' }, shopId: { type: 'string' } };
  const body = bodyWith({ ...ids, size: { type: 'integer' }, note: { type: 'string' } });
  const items = Object.keys(ids).map((name) => ({ pointer: `/${name}`, item: '/items/{}' }));
  const full = body.fullest;
  expect.assert(isJsonObject(full));
  for (const [make, changed] of [
    [extremeNumbers, 'size'],
    [extremeStrings, 'note'],
  ] as const) {
    const { examples, arbitrary } = make({ ...body, items });
    expect.assert(arbitrary !== undefined);
    const values = valuesOf(examples);
    expect(new Set(values.map((value) => value[changed])).size).toBeGreaterThan(5);
    // The placeholder of an existing item is rendered as 1.
    const known = new Set<unknown>([undefined, 1, '1', full['ownerId'], full['shopId']]);
    expect(values.flatMap(({ ownerId, shopId }) => [ownerId, shopId]).every((id) => known.has(id))).toBe(
      true,
    );
  }
});
