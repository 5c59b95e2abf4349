import { expect, test } from 'vitest';
import { mockToken, runOnMock } from '../../fixtures/run-on-mock.ts';
import { loadContract } from '../contract/load.ts';
import { createPaint } from '../errors/console-text.ts';
import type { HttpRequest } from '../http/message.ts';
import { createMock } from '../mock/create-mock.ts';
import type { RunResult } from '../runner/events.ts';
import { renderBrokenOff } from './text/summary.ts';

const contract = await loadContract(undefined, { followReferences: false });
const surroundings = {
  baseUrl: 'http://h',
  command: 'npx cloche test http://h',
  source: 'spec.yaml',
  secrets: [mockToken],
  insecure: false,
  headers: [],
  paint: createPaint(false),
};

/** What a run on the mock comes to where the service goes down on some request. */
async function goDownOn(isFatal: (request: HttpRequest) => boolean): Promise<RunResult | undefined> {
  const mock = await createMock(contract, { tokens: [mockToken] });
  let isGone = false;
  let result: RunResult | undefined;
  const running = runOnMock({
    mock,
    send(request, options) {
      if (isGone) return Promise.resolve({ kind: 'unreachable', reason: 'nothing listens' });
      isGone = isFatal(request);
      return isGone
        ? Promise.resolve({ kind: 'dropped', reason: 'reset', received: new Uint8Array() })
        : mock.send(request, options);
    },
    runs: 10,
    emit(event) {
      result = event.kind === 'run-finished' ? event.result : result;
    },
  });
  await expect(running).rejects.toThrow('nothing listens');
  return result;
}

test('shows the request on which the service went down', async () => {
  const result = await goDownOn(({ headers }) => headers.some(([, value]) => value === 'text'));
  const [, sentence, line] = result === undefined ? [] : renderBrokenOff(result, surroundings);
  expect(sentence).toBe('The service went down, it seems on a request with an Accept that is hard to read.');
  expect(line).toContain(`-H 'Accept: text'`);
  expect(line).not.toContain(mockToken);
});
