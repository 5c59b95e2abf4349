import { expect, test } from 'vitest';
import { createCheckContext } from '../../fixtures/create-check-context.ts';
import { loadContract } from '../contract/load.ts';
import { createRouter } from '../contract/router.ts';
import type { ContentFault } from '../http/message.ts';
import type { Finding } from './finding.ts';
import { judgeExchange } from './judge.ts';

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
