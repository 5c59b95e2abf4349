import { expect, test } from 'vitest';
import { mockToken, runOnMock } from '../fixtures/run-on-mock.ts';
import { loadContract } from '../src/contract/load.ts';
import { headerValue, type HttpRequest } from '../src/http/message.ts';
import { createMock } from '../src/mock/create-mock.ts';
import { allSuites } from './all-suites.ts';

const contract = await loadContract(undefined, { followReferences: false });

function has(request: HttpRequest, name: string): boolean {
  return headerValue(request.headers, name) !== undefined;
}

test.each<[string, string, (request: HttpRequest) => boolean]>([
  [
    'neither body nor media type',
    'media-types',
    (request) =>
      request.method === 'POST' && (request.body?.length ?? 0) === 0 && !has(request, 'content-type'),
  ],
  [
    'a body that is no JSON, and no credentials',
    'credentials',
    (request) => !has(request, 'authorization') && new TextDecoder().decode(request.body) === '{',
  ],
])('a service that fails at %s alone is found', async (_name, suite, isSeldom) => {
  const mock = await createMock(contract, { tokens: [mockToken] });
  const { findings } = await runOnMock({
    mock,
    async send(request, options) {
      const answer = await mock.send(request, options);
      return isSeldom(request) && answer.kind === 'response'
        ? { ...answer, response: { ...answer.response, status: 500 } }
        : answer;
    },
    suites: allSuites.filter(({ id }) => id === suite),
    runs: 30,
  });
  expect(findings.map(({ finding }) => finding.check)).toEqual(['server-error']);
});
