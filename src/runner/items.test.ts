import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { allSuites } from '../../suites/all-suites.ts';
import { samples } from '../../suites/samples.ts';
import { loadContract } from '../contract/load.ts';
import type { HttpRequest, Send } from '../http/message.ts';
import { createMock } from '../mock/create-mock.ts';
import { runSuites } from './run.ts';
import type { Suite } from './suite.ts';

const path = fileURLToPath(new URL('../../fixtures/documents/projects.yaml', import.meta.url));

/** Runs suites on a service that holds what is not the run's, as though it were far away, and lists what was sent. */
async function runOnService(
  suites: readonly Suite[],
  options: { readonly readOnly?: boolean; readonly interruptAfter?: number } = {},
) {
  const contract = await loadContract(path, { followReferences: false });
  const mock = await createMock(contract);
  const ask = async (method: string, target: string, body?: string): Promise<string> => {
    const answer = await mock.send(
      {
        method,
        target,
        headers: body === undefined ? [] : [['Content-Type', 'application/json']],
        body: body === undefined ? undefined : new TextEncoder().encode(body),
      },
      { framing: 'content-length' },
    );
    if (answer.kind !== 'response') throw new Error(answer.kind);
    return `${answer.response.status} ${new TextDecoder().decode(answer.response.body)}`;
  };
  const interruption = new AbortController();
  const sent: { readonly request: HttpRequest; readonly status: number }[] = [];
  const send: Send = async (request, how) => {
    const answer = await mock.send(request, how);
    if (sent.length === options.interruptAfter) interruption.abort();
    sent.push({ request, status: answer.kind === 'response' ? answer.response.status : 0 });
    return answer;
  };
  const theirs = await ask('POST', '/projects', '{"name":"Theirs"}');
  const before = await ask('GET', '/projects');
  const result = await runSuites(
    suites,
    { contract, send, socketSend: send, policy: mock.policy },
    { seed: 1, runs: 5, readOnly: options.readOnly, signal: interruption.signal },
  );
  return { result, sent, before, after: await ask('GET', '/projects'), theirs };
}

test('every operation of an item is tried on one that exists', async () => {
  const { sent, result } = await runOnService([samples]);
  const met = new Set(
    sent
      .filter(({ status }) => status < 300)
      .map(({ request }) => `${request.method} ${request.target.replaceAll(/\d+|[\da-f-]{36}/gu, '…')}`),
  );
  expect([...met].toSorted()).toMatchInlineSnapshot(`
    [
      "DELETE /projects/…",
      "GET /projects",
      "GET /projects/…",
      "GET /projects/…/tasks",
      "PATCH /projects/…",
      "POST /projects",
      "POST /projects/…/tasks",
      "PUT /projects/…",
    ]
  `);
  expect(result.findings.map(({ finding }) => finding.check)).toEqual([]);
});

test('a run on a service changes nothing of others, and takes its own away', async () => {
  const { before, after } = await runOnService(allSuites);
  expect(after).toBe(before);
});

test('an interrupted run takes its own away too', async () => {
  const { before, after, result } = await runOnService(allSuites, { interruptAfter: 200 });
  expect([result.interrupted, after]).toEqual([true, before]);
});

test('a run that only reads sends nothing but GET, HEAD and OPTIONS', async () => {
  const { sent } = await runOnService(allSuites, { readOnly: true });
  expect([...new Set(sent.map(({ request }) => request.method))].toSorted()).toEqual([
    'GET',
    'HEAD',
    'OPTIONS',
  ]);
});
