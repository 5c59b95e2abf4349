import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import { allSuites } from '../../suites/all-suites.ts';
import type { Send } from '../http/message.ts';
import type { JsonObject } from '../json/value.ts';
import { runSuites } from '../runner/run.ts';
import { actsOnService } from './service-operations.ts';

const responses = { '200': { description: 'ok' } };
const body = { content: { 'application/json': { schema: { type: 'object' } } } };
const id = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }];

test.each<[string, string, JsonObject, boolean]>([
  ['post', '/shutdown', {}, true],
  ['delete', '/cache', {}, true],
  ['get', '/shutdown', {}, false],
  ['post', '/settings', { requestBody: body }, false],
  ['post', '/pets/{id}/rename', { parameters: id }, false],
])('knows whether %s %s acts on the whole service', (method, path, operation, expected) => {
  const { operations } = contractOf({ paths: { [path]: { [method]: { ...operation, responses } } } });
  expect(operations.map(actsOnService)).toEqual([expected]);
});

/** Runs all suites on a service that is gone after one of its operations. */
async function run(stops: string, { unsafeMethods = true }: { readonly unsafeMethods?: boolean } = {}) {
  const contract = contractOf({
    paths: {
      '/shutdown': { post: { responses } },
      '/drain': { post: { responses } },
      '/state': { get: { responses } },
    },
  });
  const sent: string[] = [];
  const send: Send = async ({ method, target }) => {
    if (sent.includes(stops)) return { kind: 'unreachable', reason: 'nothing listens' };
    sent.push(`${method} ${target}`);
    const isKnown = contract.operations.some(
      (each) => `${each.method} ${each.path.template}` === sent.at(-1),
    );
    return {
      kind: 'response',
      response: { status: isKnown ? 200 : 404, headers: [], body: new Uint8Array() },
    };
  };
  const ended = await runSuites(
    allSuites,
    { contract, send, socketSend: send },
    { seed: 1, runs: 5, unsafeMethods },
  ).then(
    () => 'the end',
    (error: unknown) => String(error),
  );
  return { sent, ended };
}

test('sends one plain request to each after all others', async () => {
  const { sent, ended } = await run('POST /drain');
  expect(sent.slice(-2)).toEqual(['POST /shutdown', 'POST /drain']);
  expect(sent.filter((each) => each.startsWith('POST') && !each.includes('unknown'))).toHaveLength(2);
  expect(ended).toBe('the end');
});

test('sends none of them unless it may change what it did not make', async () => {
  const { sent } = await run('POST /drain', { unsafeMethods: false });
  expect(sent.filter((each) => ['POST /shutdown', 'POST /drain'].includes(each))).toEqual([]);
});

test('names the operation after which the service went down', async () => {
  const { ended } = await run('POST /shutdown');
  expect(ended).toContain('it went down after POST /shutdown: nothing listens');
});
