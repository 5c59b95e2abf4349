import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runOnMock } from '../../fixtures/run-on-mock.ts';
import { parameters } from '../../suites/parameters.ts';
import { validBodies } from '../../suites/valid-bodies.ts';
import { loadContract } from '../contract/load.ts';
import type { RunEvent, RunResult } from '../events/events.ts';
import type { Answer, HttpRequest } from '../http/message.ts';
import { createMock } from '../mock/create-mock.ts';

const path = fileURLToPath(new URL('../../fixtures/documents/projects.yaml', import.meta.url));
const contract = await loadContract(path, { followReferences: false });
const hang: Answer = { kind: 'timed-out', afterMs: 5_000, received: new Uint8Array() };

/** Runs on a service, one request at a time, and lists what it was sent. Some requests, by their number, get no response. */
async function run(hangs: (request: HttpRequest, number: number) => boolean) {
  const mock = await createMock(contract);
  const sent: string[] = [];
  let result: RunResult | undefined;
  const emit = (event: RunEvent): void => {
    if (event.kind === 'run-finished') ({ result } = event);
  };
  const running = runOnMock({
    mock,
    suites: [validBodies, parameters],
    runs: 2,
    connections: 1,
    isMock: false,
    emit,
    send(request, options) {
      sent.push(`${request.method} ${request.target}`);
      return hangs(request, sent.length) ? Promise.resolve(hang) : mock.send(request, options);
    },
  });
  const error = await running.then(
    () => '',
    (failure: unknown) => String(failure),
  );
  return { sent, result, error };
}

test('breaks off once two plain requests after a hang are not answered either, and deletes nothing', async () => {
  const { sent, result, error } = await run((_request, number) => number > 40);
  const [first, ...plain] = sent.slice(40);
  expect(plain).toHaveLength(2);
  expect(error).toContain(`it hangs since ${first}: `);
  expect(plain.every((request) => error.includes(request))).toBe(true);
  expect(result?.brokenOff.map(({ exchange: { answer } }) => answer.kind)).toEqual(['timed-out']);
  expect(result?.findings.map(({ finding }) => finding.check)).not.toContain('timed-out');
  expect(result?.notChecked).toContainEqual(
    expect.objectContaining({ reason: expect.stringContaining('stopped answering') }),
  );
});

test.each(['GET /projects', 'POST /projects'])('goes on if only %s hangs', async (hanging) => {
  const { result, error } = await run(
    ({ method, target }, number) => number > 40 && `${method} ${target.split('?', 1)[0]}` === hanging,
  );
  expect(error).toBe('');
  expect(new Set(result?.findings.map(({ finding }) => finding.check))).toContain('timed-out');
  expect(result?.properties.filter(({ verdict }) => verdict === 'held').length).toBeGreaterThan(0);
});

test('goes on if only one plain request after a hang is not answered', async () => {
  const { result, error } = await run((_request, number) => number === 41 || number === 42);
  expect(error).toBe('');
  expect(result?.findings.map(({ finding }) => finding.check)).toEqual(['timed-out']);
});
