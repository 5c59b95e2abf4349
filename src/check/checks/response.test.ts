import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createCheckContext } from '../../../fixtures/create-check-context.ts';
import { loadContract } from '../../contract/load.ts';
import { createRouter } from '../../contract/router.ts';
import type { ContentFault } from '../../http/message.ts';
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
