import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import { runOnMock } from '../../fixtures/run-on-mock.ts';
import { allSuites } from '../../suites/all-suites.ts';
import type { RunResult } from '../events/events.ts';
import type { HttpRequest } from '../http/message.ts';
import { createMock } from '../mock/create-mock.ts';

const contract = contractOf({
  components: { securitySchemes: { login: { type: 'http', scheme: 'bearer' } } },
  paths: {
    '/reports': {
      get: {
        operationId: 'listReports',
        security: [{ login: [] }],
        responses: { '200': { description: '' }, '401': { description: '' } },
      },
    },
  },
});

/** Runs on a service that rejects the credentials of some requests, by their number. */
async function run(rejects: (request: HttpRequest, number: number) => boolean): Promise<RunResult> {
  const mock = await createMock(contract, { tokens: ['gardener:the-token-of-the-tests'] });
  let number = 0;
  return runOnMock({
    mock,
    runs: 20,
    suites: allSuites,
    send: (request) => {
      number += 1;
      const status = rejects(request, number) ? 401 : 200;
      return Promise.resolve({
        kind: 'response',
        response: { status, headers: [], body: new Uint8Array() },
      });
    },
  });
}

const isAnonymous = ({ headers }: HttpRequest): boolean =>
  !headers.some(([, value]) => value === 'Bearer gardener:the-token-of-the-tests');

test('cannot judge a service that rejects the token from some request on', async () => {
  await expect(run((request, number) => isAnonymous(request) || number > 3)).rejects.toThrow(
    'it rejects the token with 401 since GET /reports, though it accepted it before',
  );
});

test('judges a service that rejects the token once', async () => {
  const { properties } = await run((request, number) => isAnonymous(request) || number === 3);
  expect(properties.length).toBeGreaterThan(0);
});
