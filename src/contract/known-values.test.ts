import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import { judgeValue } from '../arbitrary/from-schema.ts';
import { plainRequest } from '../arbitrary/request.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { addKnownValues } from './known-values.ts';

const json = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });
const order = { $ref: '#/components/schemas/Order' };
const contract = contractOf({
  paths: {
    '/orders': {
      post: {
        operationId: 'createOrder',
        requestBody: { required: true, ...json(order) },
        responses: { '201': { description: 'created', ...json(order) } },
      },
    },
    '/carts/{customerId}': {
      put: {
        operationId: 'setCart',
        parameters: [
          { name: 'customerId', in: 'path', required: true, schema: { type: 'string', minLength: 2 } },
          { name: 'ids', in: 'query', required: true, schema: { type: 'array', items: { type: 'integer' } } },
          { name: 'X-Tenant', in: 'header', required: true, schema: { type: 'string' } },
        ],
        requestBody: { required: true, ...json(order) },
        responses: { '200': { description: 'set' } },
      },
    },
  },
  components: {
    schemas: {
      Order: {
        type: 'object',
        required: ['customerId', 'lines'],
        properties: {
          customerId: { type: 'integer', maximum: 1000 },
          lines: {
            type: 'array',
            minItems: 2,
            items: {
              type: 'object',
              required: ['sku', 'customerId'],
              properties: { sku: { type: 'string' }, customerId: { type: 'object' } },
            },
          },
        },
      },
    },
  },
});

/** Known values, each with its readings. */
function use(values: Readonly<Record<string, readonly (readonly JsonValue[])[]>>, id = 'createOrder') {
  const named = Object.entries(values).map(([name, all]) => ({ name, values: all }));
  const { operations } = addKnownValues(contract, named, 'requests');
  const operation = operations.find((each) => each.id === id);
  if (operation === undefined) throw new Error(`no operation ${id}`);
  const { body, parameters } = plainRequest(operation);
  if (body.kind !== 'body') throw new Error('no body');
  const drawn = fc.sample(body.body.arbitrary, { seed: 3, numRuns: 40 });
  return { ...body.body, drawn, parameters };
}

test('uses values of a name where the schema accepts them, in the accepted reading', () => {
  const values = {
    customerId: [
      [17, '17'],
      [2000, '2000'],
      [18, '18'],
    ],
  };
  const { schema, smallest, drawn } = use(values);
  const { parameters } = use(values, 'setCart');
  expect(smallest).toMatchObject({ customerId: 17 });
  expect(new Set(drawn.map((each) => (each as JsonObject)['customerId']))).toEqual(new Set([17, 18]));
  expect(drawn.every((each) => judgeValue(schema, each) === 'valid')).toBe(true);
  expect(parameters.map((each) => each.values.smallest)).toContain('17');
  // No value is an object, so the property of the lines is not restricted.
  expect(drawn).toContainEqual(
    expect.objectContaining({
      lines: expect.arrayContaining([expect.objectContaining({ customerId: expect.any(Object) })]),
    }),
  );
});

test('calls valid bodies with other values ambiguous, and invalid ones invalid', () => {
  const { schema, smallest } = use({ customerId: [[17]] });
  expect(judgeValue(schema, { ...(smallest as JsonObject), customerId: 19 })).toBe('ambiguous');
  expect(judgeValue(schema, { ...(smallest as JsonObject), customerId: 1001 })).toBe('invalid');
  expect(
    schema
      ?.validator({ formats: 'assert', integers: 'by-value' })
      .accepts({ customerId: 19, lines: [] }, false),
  ).toBe(false);
});

test('restricts a place in the bodies of one operation', () => {
  const values = {
    'createOrder.body:/lines/0/sku': [['A']],
    'createOrder.body:/lines/*/sku': [['B'], ['C']],
  };
  const skusOf = (body: JsonValue): readonly JsonValue[] =>
    ((body as JsonObject)['lines'] as JsonObject[]).map(({ sku = null }) => sku);
  const { drawn } = use(values);
  expect(drawn.every((each) => skusOf(each)[0] === 'A')).toBe(true);
  expect(new Set(drawn.flatMap((each) => skusOf(each).slice(1)))).toEqual(new Set(['B', 'C']));
  expect(use(values, 'setCart').drawn.flatMap(skusOf)).not.toContain('B');
});

test('prefers the values of an operation and of a place, for headers of any case and items of lists', () => {
  const { parameters } = use(
    {
      customerId: [['aa']],
      'path:customerId': [['bb']],
      'setCart.path:customerId': [['cc']],
      ids: [[7]],
      'header:x-tenant': [['acme']],
    },
    'setCart',
  );
  const values = new Map(parameters.map(({ parameter, values: own }) => [parameter.name, own.smallest]));
  expect(values.get('customerId')).toBe('cc');
  expect(new Set(values.get('ids') as number[])).toEqual(new Set([7]));
  expect(values.get('X-Tenant')).toBe('acme');
});

test.each([
  ['customer', 'Perhaps "customerId" was meant'],
  ['path:ids', 'the document has no path parameter of this name'],
  ['query:id', 'Perhaps "query:ids" was meant'],
  ['setCart.X-Tenent', 'Perhaps "setCart.X-Tenant" was meant'],
  ['createOrder.ids', 'createOrder has no parameter or property of this name'],
  ['createOrder.body:/lines/*/skus', 'Perhaps "createOrder.body:/lines/*/sku" was meant'],
  ['createOrder.body:lines', 'no JSON Pointer'],
])('refuses the name %s', (name, reason) => {
  expect(() => use({ [name]: [[1]] })).toThrow(reason);
});

test('refuses a value that no schema of its name accepts', () => {
  expect(() => use({ 'createOrder.body:/customerId': [[17], [1001, '1001']] })).toThrow(
    'Failed to use the known value "createOrder.body:/customerId=1001": it must be at most 1000, but is 1001.',
  );
});
