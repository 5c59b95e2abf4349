import { expect, test } from 'vitest';
import { createCheckContext } from '../../../fixtures/create-check-context.ts';
import { loadContract } from '../../contract/load.ts';
import { createRouter } from '../../contract/router.ts';
import { judgeExchange } from '../judge.ts';

const contract = await loadContract(undefined, { followReferences: false });
const route = createRouter(contract);
const utf8 = new TextEncoder();

/** What is found of a good token that is turned away. */
function findingsOf(authorization: string, text = '{"id":17,"name":"Basil"}') {
  const { findings } = judgeExchange({
    exchange: {
      request: {
        method: 'POST',
        target: '/plants',
        headers: [
          ['Authorization', authorization],
          ['Content-Type', 'application/json'],
        ],
        body: utf8.encode(text),
      },
      answer: {
        kind: 'response',
        response: { status: 401, headers: [['WWW-Authenticate', 'Bearer']], body: new Uint8Array() },
      },
      durationMs: 1,
    },
    route: route('/plants'),
    framing: 'content-length',
    keyState: () => 'allocated',
    context: createCheckContext(contract, { goodTokens: ['good'] }),
  });
  return findings.filter(({ check }) => check === 'credential-spelling');
}

test.each(['bearer good', 'BEARER good', 'bearer  good'])(
  'warns of the case of the scheme in %j',
  (value) => {
    expect(findingsOf(value)).toEqual([
      expect.objectContaining({
        clause: expect.objectContaining({ section: '11.1' }),
        expected: 'a valid token is accepted with its scheme in any case',
      }),
    ]);
    expect(findingsOf(value)[0]).not.toHaveProperty('trigger');
  },
);

test('warns of the spaces before the token where nothing else is unusual', () => {
  expect(findingsOf('Bearer  good')).toEqual([
    expect.objectContaining({
      clause: expect.objectContaining({ section: '11.4' }),
      expected: 'a valid token is accepted with any number of spaces before it',
      trigger: 'two spaces before the token',
    }),
  ]);
});

test('warns of it whatever else there is to the body, as 401 is about credentials alone', () => {
  for (const text of ['{"id":17,"name":""}', '{"id":17}', '{']) {
    expect(findingsOf('bearer good', text)).toHaveLength(1);
  }
});
