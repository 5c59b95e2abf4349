import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import type { JsonObject } from '../json/value.ts';

const string = { type: 'string' };

/** The id of the items of `/tokens`, which a create makes of a name. */
function keyOf(parameter: string, shown: JsonObject, conflict: JsonObject = {}): unknown {
  const content = (properties: JsonObject) => ({
    'application/json': { schema: { type: 'object', required: Object.keys(properties), properties } },
  });
  const ok = { description: 'ok', content: content({ name: string, ...shown }) };
  const { operations } = contractOf({
    paths: {
      '/tokens': {
        post: { requestBody: { content: content({ name: string }) }, responses: { '201': ok, ...conflict } },
      },
      [`/tokens/{${parameter}}`]: {
        get: {
          parameters: [{ name: parameter, in: 'path', required: true, schema: string }],
          responses: { '200': ok },
        },
      },
    },
  });
  const [kind] = operations.flatMap((each) => (each.kind.kind === 'create' ? [each.kind] : []));
  return kind?.key.kind === 'none' ? undefined : kind?.key.property;
}

test.each<[string, unknown, unknown]>([
  ['no name beside a text that the service makes', keyOf('token', { secret: string }), undefined],
  ['the name if the path says so', keyOf('tokenName', { secret: string }), 'name'],
  [
    'the name if it must not repeat',
    keyOf('token', { secret: string }, { '409': { description: 'taken' } }),
    'name',
  ],
  ['the name beside a date', keyOf('token', { made: { ...string, format: 'date-time' } }), 'name'],
])('takes for an id %s', (_what, found, expected) => {
  expect(found).toBe(expected);
});
