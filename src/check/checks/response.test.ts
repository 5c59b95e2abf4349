import { mkdtempSync, writeFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, afterAll } from 'vitest';
import { createCheckContext } from '../../../fixtures/create-check-context.ts';
import { loadContract } from '../../contract/load.ts';
import { createRouter } from '../../contract/router.ts';
import type { ContentFault, HeaderList } from '../../http/message.ts';
import type { Clause, Finding } from '../finding.ts';
import { judgeExchange } from '../judge.ts';

const contract = await loadContract(undefined, { followReferences: false });
const target = contract.operations[0]?.path.template ?? '';

/** What the check finds in a refusal whose content could not be taken out of its coding. */
function findingOf(input: {
  readonly fault: ContentFault;
  readonly contentType?: string;
}): Finding | undefined {
  const { fault, contentType = 'application/json' } = input;
  const { findings } = judgeExchange({
    exchange: {
      request: { method: 'POST', target, headers: [], body: undefined },
      answer: {
        kind: 'response',
        response: {
          status: 400,
          headers: [
            ['Content-Type', contentType],
            ['Content-Encoding', fault.coding],
          ],
          // It would be fine if it had no coding.
          body: new TextEncoder().encode('{"error":400,"message":"no"}'),
          undecoded: fault,
        },
      },
      durationMs: 1,
    },
    route: createRouter(contract)(target),
    framing: 'content-length',
    keyState: () => 'none',
    context: createCheckContext(contract),
  });
  return findings.find(({ check }) => check === 'response-json');
}

test('finds content that is not in the coding that it names', () => {
  expect(findingOf({ fault: { coding: 'gzip', reason: 'broken' } })).toMatchObject({
    level: 'violation',
    clause: { kind: 'rfc', name: 'RFC 9110', section: '8.4' },
    received:
      '400 with content that is not in gzip, though Content-Encoding says so: it is not one JSON text',
    cause: '400 broken gzip',
  });
});

test('leaves alone a coding that it does not know, as a request that names none takes any', () => {
  expect(findingOf({ fault: { coding: 'zstd', reason: 'unknown' } })).toBeUndefined();
});

test('leaves alone content that is not sent as JSON', () => {
  expect(
    findingOf({ fault: { coding: 'gzip', reason: 'broken' }, contentType: 'text/html' }),
  ).toBeUndefined();
});

const folder = mkdtempSync(join(tmpdir(), 'cloche-response-schema-'));
const utf8 = new TextEncoder();

/** Writes a document of these files, and says by which clause the answer `{}` to GET /orders breaks it. */
async function clauseOf(files: Readonly<Record<string, string>>): Promise<Clause | undefined> {
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text);
  }
  const [main = ''] = Object.keys(files);
  const contract = await loadContract(join(folder, main), { followReferences: false });
  const { findings } = judgeExchange({
    exchange: {
      request: { method: 'GET', target: '/orders', headers: [], body: undefined },
      answer: {
        kind: 'response',
        response: {
          status: 200,
          headers: [['Content-Type', 'application/json']],
          body: utf8.encode('{"item":{}}'),
        },
      },
      durationMs: 1,
    },
    route: createRouter(contract)('/orders'),
    framing: 'content-length',
    keyState: () => 'none',
    context: createCheckContext(contract),
  });
  return findings.find(({ check }) => check === 'response-schema')?.clause;
}

function mainReferringTo(reference: string): string {
  return `openapi: 3.1.0
info: { title: Orders, version: '1' }
paths:
  /orders:
    get:
      responses:
        '200': { description: OK, content: { application/json: { schema: { $ref: '${reference}' } } } }
`;
}

test('names the place of the schema that the user wrote', async () => {
  const components = `components:
  schemas:
    Order: { properties: { item: { $ref: '#/components/schemas/Item' } } }
    Item: { required: [name] }
`;
  expect(await clauseOf({ 'one.yaml': mainReferringTo('#/components/schemas/Order') + components })).toEqual({
    kind: 'document',
    pointer: '/components/schemas/Item/required',
    quote: 'required: /item/name is required, but missing',
  });
});

test('names the file where the schema stands in another', async () => {
  const files = {
    'several.yaml': mainReferringTo('order.yaml#/Order'),
    'order.yaml': "Order: { properties: { item: { $ref: 'item.json#/Item' } } }\n",
    'item.json': '{ "Item": { "required": ["name"] } }',
  };
  expect(await clauseOf(files)).toMatchObject({
    file: join(folder, 'item.json'),
    pointer: '/Item/required',
  });
});

const headerFolder = mkdtempSync(join(tmpdir(), 'cloche-response-header-'));
afterAll(() => rmSync(headerFolder, { recursive: true }));

const headers = {
  'X-Trace': { required: true, schema: { type: 'string' } },
  'X-Total': { schema: { type: 'integer', minimum: 0 } },
  'X-Ids': { schema: { type: 'array', items: { type: 'integer' } } },
  'X-Flag': { schema: { type: 'boolean' } },
  'X-Range': { schema: { type: 'object', properties: { from: { type: 'integer' } }, required: ['from'] } },
  'X-Color': { schema: { type: 'string', enum: ['red', 'grün'] } },
  'X-When': { schema: { type: 'string', format: 'date-time' } },
  'Content-Type': { schema: { type: 'integer' } },
};
const document = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  paths: { '/orders': { get: { responses: { 200: { description: 'OK', headers } } } } },
};
const path = join(headerFolder, 'orders.json');
writeFileSync(path, JSON.stringify(document));
const headerContract = await loadContract(path, { followReferences: false });

function headerFindingOf(sent: HeaderList): Finding | undefined {
  const { findings } = judgeExchange({
    exchange: {
      request: { method: 'GET', target: '/orders', headers: [], body: undefined },
      answer: {
        kind: 'response',
        response: { status: 200, headers: sent, body: new Uint8Array() },
      },
      durationMs: 1,
    },
    route: createRouter(headerContract)('/orders'),
    framing: 'content-length',
    keyState: () => 'none',
    context: createCheckContext(headerContract),
  });
  return findings.find(({ check }) => check === 'response-header');
}

const trace: HeaderList[number] = ['x-trace', 'a'];

test('finds a required field that is missing', () => {
  expect(headerFindingOf([])).toMatchObject({ level: 'violation', received: '200 without X-Trace' });
});

test('names the place of the schema that a value breaks', () => {
  expect(headerFindingOf([trace, ['x-total', 'many']])).toMatchObject({
    level: 'violation',
    clause: {
      kind: 'document',
      pointer: '/paths/~1orders/get/responses/200/headers/X-Total/schema/type',
      quote: 'type: the header field X-Total must be an integer, but is a string',
    },
    received: '200 whose X-Total breaks its schema',
    cause: '200 x-total type',
  });
});

test.each<HeaderList>([
  [['X-Total', '-1']],
  [['X-Total', '5.5']],
  [['X-Total', '']],
  [
    ['X-Total', '5'],
    ['X-Total', 'many'],
  ],
  [['X-Ids', '1,two']],
  [['X-Flag', 'maybe']],
  [['X-Range', 'from,x']],
  [['X-Range', 'to,1']],
  [['X-Color', 'blue']],
])('finds a value that its schema does not accept: %j', (...sent) => {
  expect(headerFindingOf([trace, ...sent])).toMatchObject({ level: 'violation', check: 'response-header' });
});

test.each<HeaderList>([
  [],
  [['X-Total', '5']],
  [['X-Total', '+5']],
  [['X-Total', '5.0']],
  [['X-Total', '007']],
  [['X-Total', '0']],
  [['x-total', ' 5 ']],
  [['X-Total', '9007199254740993']],
  [
    ['X-Total', '5'],
    ['x-total', '5'],
  ],
  [['X-Ids', '1, 2,3']],
  [['X-Ids', '']],
  [
    ['X-Ids', '1'],
    ['X-Ids', '2,3'],
  ],
  [['X-Flag', 'true']],
  [['X-Flag', 'False']],
  [['X-Flag', '?1']],
  [['X-Range', 'from,1']],
  [['X-Range', 'from=1']],
  [['X-Color', 'red']],
  [['X-Color', 'gr\u00C3\u00BCn']],
  [['X-When', 'Sat, 21 Nov 2026 08:00:00 GMT']],
  [['Content-Type', 'text/plain']],
])('has nothing to say about %j', (...sent) => {
  expect(headerFindingOf([trace, ...sent])).toBeUndefined();
});
