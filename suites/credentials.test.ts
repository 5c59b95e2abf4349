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
  expect(JSON.stringify(cases).includes('"scheme":"Bearer"')).toBe(isSent);
});

test('probes each alternative of security, and sends no credentials once', () => {
  const contract = contractWith([{ key: [] }, { bearer: [] }]);
  const plan = credentials.plan({ contract, policy: defaultPolicy, unsafeMethods: false });
  const text = JSON.stringify(
    plan.kind === 'properties' ? plan.properties.map(({ examples }) => examples) : [],
  );
  const count = (part: string): number => text.split(part).length - 1;
  expect([count('"wrong-token","alternative":"key"'), count('"wrong-token","alternative":"bearer"')]).toEqual(
    [1, 1],
  );
  expect(count('"none"')).toBe(1);
});
