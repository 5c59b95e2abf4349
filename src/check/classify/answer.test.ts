import { expect, test } from 'vitest';
import { createCheckContext } from '../../../fixtures/create-check-context.ts';
import { loadContract } from '../../contract/load.ts';
import { createRouter } from '../../contract/router.ts';
import { judgeExchange } from '../judge.ts';
import { mayBeStored } from './answer.ts';

const contract = await loadContract(undefined, { followReferences: false });
const route = createRouter(contract);
const [operation] = contract.operations;

/** Whether an answer of one name to a create of another may be what was stored. */
function isStored(sent: string, received: string): boolean {
  const target = operation?.path.template ?? '';
  const request = {
    method: 'POST',
    target,
    headers: [
      ['Authorization', 'Bearer good'],
      ['Content-Type', 'application/json'],
    ],
    body: Buffer.from(JSON.stringify({ id: 17, name: sent })),
  } as const;
  const response = {
    status: 200,
    headers: [['Content-Type', 'application/json']],
    body: Buffer.from(JSON.stringify({ name: received })),
  } as const;
  return mayBeStored(
    judgeExchange({
      exchange: { request, answer: { kind: 'response', response }, durationMs: 1 },
      route: route(target),
      framing: 'content-length',
      keyState: () => 'allocated',
      context: createCheckContext(contract, { goodTokens: ['good'] }),
    }),
  );
}

test.each([
  ['fern', 'moss'],
  ['', 'moss'],
  ['a', 'yarrow'],
])(
  'a create of %j that is answered with %j may have been answered with what was stored',
  (sent, received) => {
    expect(isStored(sent, received)).toBe(true);
  },
);

test.each([
  ['fern', 'fern'],
  [' Fern ', 'fern'],
  ['a long fern', 'a long'],
  ['fern', 'fern (new)'],
  ['fern', ''],
])('a create of %j that is answered with %j was answered with a form of its own', (sent, received) => {
  expect(isStored(sent, received)).toBe(false);
});
