import { expect, test } from 'vitest';
import { contractOf } from '../fixtures/contract-of.ts';
import type { Contract } from '../src/contract/contract.ts';
import type { JsonObject } from '../src/json/value.ts';
import { defaultPolicy } from '../src/policy/policy.ts';
import { credentials } from './credentials.ts';

function contractWith(security: JsonObject[]): Contract {
  return contractOf({
    components: {
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'X-Key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
    paths: { '/orders': { get: { security, responses: { '200': { description: 'all' } } } } },
  });
}

test.each<[string, boolean, JsonObject[]]>([
  ['an API key alone', true, [{ key: [] }]],
  ['an API key or a bearer token', false, [{ key: [] }, { bearer: [] }]],
])('where %s is asked for, the key is sent as a bearer token: %s', (_title, isSent, security) => {
  const plan = credentials.plan({
    contract: contractWith(security),
    policy: defaultPolicy,
    unsafeMethods: false,
  });
  const cases = plan.kind === 'properties' ? plan.properties.flatMap(({ examples }) => examples) : [];
  expect(cases.length).toBeGreaterThan(3);
  expect(JSON.stringify(cases).includes('"other-scheme"')).toBe(isSent);
});
