import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { runOnMock } from '../../fixtures/run-on-mock.ts';
import { validBodies } from '../../suites/valid-bodies.ts';
import { loadContract } from '../contract/load.ts';
import type { Answer } from '../http/message.ts';
import { createMock } from '../mock/create-mock.ts';
import type { Suite } from '../runner/suite.ts';

setFlagsFromString('--expose-gc');
// `as`: the flag makes it a function of the engine.
const collectGarbage = runInNewContext('gc') as () => void;

/** The first property alone. */
const plainBodies: Suite = {
  ...validBodies,
  plan(input) {
    const plan = validBodies.plan(input);
    return plan.kind === 'properties' ? { ...plan, properties: plan.properties.slice(0, 1) } : plan;
  },
};

test('keeps no more of a long run than of a short one', { timeout: 120_000 }, async () => {
  const contract = await loadContract(undefined, { followReferences: false });
  const mock = await createMock(contract, {});
  const heap: number[] = [];
  let requests = 0;
  const result = await runOnMock({
    mock,
    suites: [plainBodies],
    send: ({ body = new Uint8Array() }): Promise<Answer> => {
      const headers = [['Content-Type', 'application/json']] as const;
      return Promise.resolve({ kind: 'response', response: { status: 200, headers, body } });
    },
    enforced: false,
    runs: 24_000,
    emit() {
      requests += 1;
      if (requests % 8_000 === 0) {
        collectGarbage();
        heap.push(process.memoryUsage().heapUsed);
      }
    },
  });
  expect(result.findings).toEqual([]);
  const [early = 0, , late = Infinity] = heap;
  // Less than 100 bytes a request: no name of a key, and no text, is kept of each.
  expect(late - early).toBeLessThan(16_000 * 100);
});
