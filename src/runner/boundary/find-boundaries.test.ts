import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { mockToken, runOnMock } from '../../../fixtures/run-on-mock.ts';
import { validBodies } from '../../../suites/valid-bodies.ts';
import { boundaryCause } from '../../check/boundary.ts';
import type { Send } from '../../http/message.ts';
import { createMock } from '../../mock/create-mock.ts';

const integer = { type: 'integer', minimum: 0, maximum: 1000 };
const contract = contractOf({
  paths: {
    '/spans': {
      post: {
        operationId: 'addSpan',
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['from', 'to'],
                properties: { from: integer, to: integer },
              },
            },
          },
        },
        responses: { '200': { description: '' }, '400': { description: '' } },
      },
    },
  },
});

/** The boundaries that a run finds in a service that accepts some spans. */
async function boundariesOf(
  accepts: (span: { readonly from: number; readonly to: number }) => boolean,
): Promise<readonly string[]> {
  const send: Send = ({ body }) => {
    // `as`: the suite sends valid bodies alone.
    const span = JSON.parse(new TextDecoder().decode(body)) as { from: number; to: number };
    const response = { status: accepts(span) ? 200 : 400, headers: [], body: new Uint8Array() };
    return Promise.resolve({ kind: 'response', response });
  };
  const mock = await createMock(contract, { tokens: [mockToken] });
  const { findings } = await runOnMock({ mock, send, enforced: false, suites: [validBodies], runs: 50 });
  return findings.flatMap(({ finding: { boundary } }) =>
    boundary === undefined ? [] : [boundaryCause(boundary)],
  );
}

test.each([
  ['at least', (from: number, to: number) => to >= from],
  ['above', (from: number, to: number) => to > from],
])('claims no bound of a number that has to be %s another', async (_words, isRight) => {
  expect(await boundariesOf(({ from, to }) => isRight(from, to))).toEqual([]);
});

test('finds a bound of one number beside another', async () => {
  expect(await boundariesOf(({ to }) => to <= 500)).toEqual(['value at /to: 500 taken, 501 refused']);
});
