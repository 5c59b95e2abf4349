import { expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { mockToken, runOnMock } from '../../../fixtures/run-on-mock.ts';
import { samples } from '../../../suites/samples.ts';
import type { Send } from '../../http/message.ts';
import { createMock } from '../../mock/create-mock.ts';
import type { OperationCoverage } from '../events.ts';

const wholeRun = runOnMock({ mock: await createMock(undefined, { tokens: [mockToken] }), runs: 40 });

function only(coverage: readonly OperationCoverage[]): OperationCoverage {
  const [operation] = coverage;
  if (operation === undefined) throw new Error('No operation was covered');
  return operation;
}

test('sees every keyword of the requests met and broken, and none of the answers broken by the mock', async () => {
  const { keywords } = only((await wholeRun).coverage);
  const lacking = keywords.filter(({ of, met, broken }) => met === 0 || broken > 0 !== (of === 'body'));
  expect(lacking).toEqual([]);
  expect(keywords.length).toBeGreaterThan(12);
});

test('names keywords by their place in the document', async () => {
  const { keywords } = only((await wholeRun).coverage);
  expect(keywords.map(({ pointer }) => pointer)).toContain('/components/schemas/NewPlant/allOf/1/required');
});

test('counts the responses that are declared apart from the statuses that are not', async () => {
  const { responses, undeclared } = only((await wholeRun).coverage);
  expect(responses.map(({ status, seen }) => [status, seen > 0])).toEqual([
    ['200', true],
    ['400', true],
  ]);
  expect(undeclared.map(({ status }) => status)).toEqual([401]);
});

test('counts each request once, and its body by media type and kind', async () => {
  const { requests, bodies, accepted } = only((await wholeRun).coverage);
  const sent = bodies.reduce((sum, body) => sum + body.sent, 0);
  expect(bodies.map(({ mediaType, kind }) => `${mediaType} ${kind}`)).toEqual(
    expect.arrayContaining([
      'application/json plain',
      'application/json extreme',
      'application/json invalid',
      'application/json malformed',
      'text/plain other-media',
    ]),
  );
  expect(requests - sent).toBeLessThan(20);
  expect(accepted).toBeLessThan(requests);
});

test('says why a keyword was not broken, and why a response did not come', async () => {
  const mock = await createMock('fixtures/documents/parameters.yaml', { tokens: [mockToken] });
  const { coverage } = await runOnMock({ mock, suites: [samples], runs: 5 });
  const { keywords, responses } = coverage.find(({ operation }) => operation === 'listOrders') ?? only([]);
  expect(keywords.find(({ pointer }) => pointer.endsWith('/Limit/required'))?.reason).toBe(
    'no request that was sent breaks it',
  );
  expect(responses.find(({ seen }) => seen === 0)?.reason).toBe('nothing that was sent was answered so');
});

test('counts a declared redirect as a success if no 2xx is declared', async () => {
  const redirect = { description: '', headers: { Location: { schema: { type: 'string' } } } };
  const contract = contractOf({
    paths: {
      '/home': { get: { operationId: 'goHome', responses: { '301': redirect } } },
      '/page': {
        get: { operationId: 'getPage', responses: { '200': { description: '' }, '301': redirect } },
      },
    },
  });
  const mock = await createMock(contract);
  const send: Send = () =>
    Promise.resolve({
      kind: 'response',
      response: { status: 301, headers: [['Location', '/']], body: new Uint8Array() },
    });
  const { coverage } = await runOnMock({ mock, send, suites: [samples], runs: 1 });
  expect(coverage.map(({ operation, accepted }) => [operation, accepted > 0])).toEqual([
    ['goHome', true],
    ['getPage', false],
  ]);
});
