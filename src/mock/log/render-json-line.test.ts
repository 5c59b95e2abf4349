import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { parseJson } from '../../json/parse.ts';
import type { JsonObject } from '../../json/value.ts';
import { compileSchema } from '../../schema/compile.ts';
import { createMock } from '../create-mock.ts';
import { renderJsonLine } from './log-line.ts';

// `as`: the schema is an object, as the test below would show.
const schema = JSON.parse(
  readFileSync(new URL('../../../schema/log.schema.json', import.meta.url), 'utf8'),
) as JsonObject;
const validate = compileSchema({ schema, pointer: '' }).validator({
  formats: 'assert',
  integers: 'by-value',
});
const responses = { 204: { description: 'Done.' } };
const body = { content: { 'application/json': { schema: { type: 'object', required: ['id'] } } } };
const contract = contractOf({
  paths: {
    '/orders': {
      post: {
        operationId: 'createOrder',
        parameters: [{ name: 'dry', in: 'query', schema: { type: 'boolean' } }],
        requestBody: body,
        responses,
      },
    },
  },
});

test('writes lines that the schema of the log allows, whatever came of a request', async () => {
  const lines: string[] = [];
  const mock = await createMock(contract, { log: (entry) => lines.push(renderJsonLine(entry)) });
  const post = (content: string, target = '/orders'): Promise<Response> =>
    mock.fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: content,
    });
  await post('{"id":1}');
  await post('{}');
  await post('{');
  await post('{"id":2}', '/orders?dry=x');
  await post('{"id":2}', '/order?\u2028\u009b');
  mock.faults.put({ id: 'gone', connection: 'drop' });
  await post('{"id":3}').catch(() => undefined);
  expect(lines).toHaveLength(6);
  for (const line of lines) {
    expect(line).not.toContain('\n');
    const parsed = parseJson(line);
    expect(parsed.kind === 'json' && validate(parsed.value, parsed.exact)).toEqual([]);
  }
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    { id: 1, verdict: 'accepted', operation: 'createOrder' },
    { id: 2, condition: 'invalid-body', problems: [{ pointer: '/id', clause: { text: 'required: [id]' } }] },
    { id: 3, condition: 'malformed-body', problems: [{ position: 1 }] },
    { id: 4, condition: 'invalid-parameter', problems: [{ parameter: { name: 'dry' } }] },
    { id: 5, status: 404, undeclared: 'other-operations' },
    { id: 6, status: 0, fault: 'gone', verdict: 'forced' },
  ]);
});
