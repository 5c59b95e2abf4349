import { expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { generateXmlSchema } from '../../../fixtures/xml-schema.ts';
import { prepareContract } from '../../contract/build.ts';
import { readDocument } from '../../document/read-document.ts';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '../../json/value.ts';
import { createMock } from '../create-mock.ts';

const text = { type: 'string', minLength: 1, maxLength: 20 };
const namespace = 'https://example.com/boats';

/** The component schemas of small documents, each with other parts of the `xml` object. The first one is the root. */
const documents: Record<string, JsonObject> = {
  'without xml objects': {
    Boat: {
      type: 'object',
      required: ['id', 'length'],
      properties: {
        id: { type: 'integer' },
        length: { type: 'number' },
        sails: { type: 'boolean' },
        name: text,
      },
    },
  },
  'names and attributes': {
    Boat: {
      type: 'object',
      xml: { name: 'boat' },
      required: ['id', 'kind'],
      properties: {
        id: { type: 'integer', minimum: 1, xml: { attribute: true, name: 'number' } },
        kind: { type: 'string', enum: ['sail', 'motor'], xml: { name: 'drive' } },
      },
    },
  },
  'lists in wrappers': {
    Boat: {
      type: 'object',
      required: ['crew', 'ports'],
      properties: {
        crew: {
          type: 'array',
          minItems: 1,
          items: { ...text, xml: { name: 'sailor' } },
          xml: { wrapped: true },
        },
        ports: { type: 'array', minItems: 2, items: text, xml: { wrapped: true, name: 'calls' } },
      },
    },
  },
  'lists without wrappers': {
    Boat: {
      type: 'object',
      required: ['crew', 'depths'],
      properties: {
        crew: { type: 'array', minItems: 2, items: { ...text, xml: { name: 'sailor' } } },
        depths: { type: 'array', minItems: 1, items: { type: 'integer' }, xml: { name: 'depth' } },
      },
    },
  },
  'a prefix with a namespace': {
    Boat: {
      type: 'object',
      xml: { prefix: 'b', namespace },
      required: ['name', 'size'],
      properties: { name: { ...text, xml: { prefix: 'b' } }, size: { type: 'integer' } },
    },
  },
  'a namespace without a prefix': {
    Boat: {
      type: 'object',
      xml: { namespace },
      required: ['name', 'hull'],
      properties: {
        name: text,
        hull: {
          type: 'object',
          required: ['width'],
          properties: { width: { type: 'integer', xml: { attribute: true } } },
        },
      },
    },
  },
  'attributes with a prefix': {
    Boat: {
      type: 'object',
      xml: { prefix: 'b', namespace },
      required: ['id', 'flag'],
      properties: {
        id: { type: 'integer', xml: { attribute: true, prefix: 'b', namespace } },
        flag: { ...text, xml: { attribute: true, prefix: 'b', namespace } },
      },
    },
  },
  'references and parts of allOf': {
    Boat: {
      allOf: [
        { $ref: '#/components/schemas/Craft' },
        { type: 'object', properties: { mast: { $ref: '#/components/schemas/Mast' } } },
      ],
      required: ['mast'],
      xml: { name: 'boat' },
    },
    Craft: {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'integer', xml: { attribute: true } } },
    },
    Mast: {
      type: 'object',
      required: ['height'],
      xml: { name: 'pole' },
      properties: { height: { type: 'number' } },
    },
  },
  'values that may be null': {
    Boat: {
      type: 'object',
      required: ['speed', 'owner'],
      properties: { speed: { type: ['integer', 'null'] }, owner: { type: ['string', 'null'] } },
    },
  },
  'a list of references': {
    Fleet: {
      type: 'array',
      minItems: 2,
      items: { $ref: '#/components/schemas/Boat' },
      xml: { name: 'fleet', wrapped: true },
    },
    Boat: {
      type: 'object',
      xml: { name: 'boat' },
      required: ['id'],
      properties: { id: { type: 'integer' } },
    },
  },
  'node types of OpenAPI 3.2': {
    Price: {
      type: 'object',
      required: ['amount', 'currency'],
      properties: {
        amount: { type: 'number', xml: { nodeType: 'text' } },
        currency: { type: 'string', enum: ['EUR', 'DKK'], xml: { nodeType: 'attribute' } },
      },
    },
  },
};

const validate = async (schemas: JsonObject, name: string, texts: readonly string[]): Promise<unknown> => {
  const { errors } = await validateXML({ xml: [...texts], schema: [generateXmlSchema(schemas, name)] });
  return errors;
};

test.each(Object.entries(documents))('writes XML that its XML Schema accepts: %s', async (_name, schemas) => {
  const [root = ''] = Object.keys(schemas);
  const content = { 'application/xml': { schema: { $ref: `#/components/schemas/${root}` } } };
  const responses = { 200: { description: 'OK', content } };
  const contract = contractOf({ paths: { '/sample': { get: { responses } } }, components: { schemas } });
  const texts: string[] = [];
  for (const seed of [1, 2, 3]) {
    const mock = await createMock(contract, { seed });
    texts.push(await (await mock.fetch('/sample')).text());
  }
  expect(await validate(schemas, root, texts)).toEqual([]);
});

test('the XML Schema rejects other XML', async () => {
  const schemas = documents['names and attributes'] ?? {};
  const wrong = '<boat number="1"><drive>steam</drive><kind>sail</kind></boat>';
  expect(await validate(schemas, 'Boat', [wrong])).toHaveLength(2);
});

test('keeps what arrives in one notation, and shows it in another', async () => {
  const file = fileURLToPath(new URL('../../../fixtures/documents/notations.yaml', import.meta.url));
  const contract = await prepareContract(await readDocument(file));
  const mock = await createMock(contract);
  const send = async (path: string, headers: Record<string, string>, body?: string): Promise<string> => {
    const response = await mock.fetch(path, {
      method: body === undefined ? 'GET' : 'POST',
      headers,
      ...(body !== undefined && { body }),
    });
    return `${response.status} ${response.headers.get('content-type')} ${await response.text()}`;
  };
  const xml = { accept: 'application/xml', 'content-type': 'application/xml' };
  const json = { 'content-type': 'application/json' };
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
  const first = '<parcel id="1"><kilograms>2.5</kilograms><labels><label>a</label></labels></parcel>';
  const second = '<parcel id="2"><kilograms>1</kilograms><labels></labels></parcel>';
  const body = '<parcel><kilograms>2.5</kilograms><labels><label>a</label></labels></parcel>';
  expect(await send('/parcels', xml, body)).toBe(`201 application/xml ${head}${first}\n`);
  expect(await send('/parcels', json, '{"weight":1,"labels":[]}')).toBe(
    '201 application/json {"id":2,"weight":1,"labels":[]}',
  );
  expect(await send('/parcels/1', {})).toBe('200 application/json {"id":1,"weight":2.5,"labels":["a"]}');
  expect(await send('/parcels/2', xml)).toBe(`200 application/xml ${head}${second}\n`);
  expect(await send('/parcels', xml)).toBe(
    `200 application/xml ${head}<parcels>${first}${second}</parcels>\n`,
  );
  expect(await send('/parcels', { accept: 'application/xml;q=0.1, application/json' })).toMatch(
    /^200 application\/json \[/u,
  );
  expect(await send('/parcels', xml, body.replace('2.5', 'heavy'))).toMatch(
    /^400 .*\/weight must be a number, but is a string/u,
  );
  expect(await send('/parcels', xml, '<parcel>')).toMatch(/^400 .*cannot be read/u);
  expect(await send('/parcels', { 'content-type': 'text/xml' }, body)).toMatch(/^415 /u);
});
