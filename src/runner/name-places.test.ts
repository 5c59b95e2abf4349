import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import { createCheckContext } from '../../fixtures/create-check-context.ts';
import { judgeExchange } from '../check/judge.ts';
import { createRouter } from '../contract/router.ts';
import { namePlaces } from './name-places.ts';

const contract = contractOf({
  paths: {
    '/rates': {
      post: {
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['name', 'count'],
                properties: {
                  name: { type: 'string', maxLength: 40 },
                  count: { type: 'integer', minimum: 1, maximum: 1000 },
                  rate: { type: 'integer', minimum: 0, maximum: 1000 },
                },
              },
            },
          },
        },
        responses: { '200': { description: '' } },
      },
    },
  },
});

/** What a 500 to a body is expected to be. */
function expectedOf(body: object): string | undefined {
  const judged = judgeExchange({
    exchange: {
      request: {
        method: 'POST',
        target: '/rates',
        headers: [['Content-Type', 'application/json']],
        body: new TextEncoder().encode(JSON.stringify(body)),
      },
      answer: { kind: 'response', response: { status: 500, headers: [], body: new Uint8Array() } },
      durationMs: 1,
    },
    route: createRouter(contract)('/rates'),
    framing: 'content-length',
    keyState: () => 'none',
    context: createCheckContext(contract),
  });
  const [finding] = judged.findings;
  return finding && namePlaces(finding, judged).expected;
}

test.each([
  [{ name: 'a', count: 1 }, 'a response other than a server error to a plain valid body'],
  [{ name: 'a', count: 1, rate: 0 }, 'a response other than a server error to a plain valid body with /rate'],
  [{ name: 'a', count: 1000 }, 'a response other than a server error to a plain valid body with /count'],
])('names what %j has besides the smallest plain body', (body, expected) => {
  expect(expectedOf(body)).toBe(expected);
});
