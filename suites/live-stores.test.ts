import { describe, expect, test } from 'vitest';
import { describeFindings } from '../fixtures/describe-findings.ts';
import { judgeService } from '../fixtures/judge-service.ts';
import { loadCatalogue } from '../fixtures/services/catalogue.js';
import { mockToken, runOnMock } from '../fixtures/run-on-mock.ts';
import type { Service } from '../fixtures/services/service.ts';
import { loadContract } from '../src/contract/load-contract.ts';
import type { HttpResponse } from '../src/http/http-response.ts';
import type { Send } from '../src/http/send.ts';
import { createMock } from '../src/mock/create-mock.ts';

const { conforming, constrained } = await loadCatalogue();

const mostPlants = 800;
const storeFull: HttpResponse = {
  status: 400,
  headers: [['Content-Type', 'application/json']],
  body: new TextEncoder().encode('{"error":400,"message":"The store is full."}'),
};

function find(id: string): Service {
  const service = [...conforming, ...constrained].find((one) => one.id === id);
  expect.assert(service !== undefined);
  return service;
}

describe.concurrent('a store that refuses what it holds', () => {
  test.each(['name-unique-409', 'plants-of-last-week'])(
    'is not told of constraints or spellings (%s)',
    async (id) => {
      const result = await judgeService({ service: find(id) });
      expect(describeFindings(result, ['violation', 'advice'])).toEqual([]);
    },
    60_000,
  );

  test('is told what has to be unique, once', { timeout: 60_000 }, async () => {
    const { findings } = await judgeService({ service: find('name-unique') });
    expect(findings.map(({ finding }) => `${finding.check} ${finding.cause}`)).toEqual([
      'undeclared-constraint repeated at /name',
    ]);
  });

  test('is told that it takes nothing any more, and of nothing else', { timeout: 60_000 }, async () => {
    const mock = await createMock(await loadContract(undefined, { followReferences: false }), {
      tokens: [mockToken],
    });
    let taken = 0;
    const send: Send = async (request, options) => {
      const answer = await mock.send(request, options);
      const isTaken = answer.kind === 'response' && answer.response.status === 200;
      taken += isTaken ? 1 : 0;
      return isTaken && taken > mostPlants ? { ...answer, response: storeFull } : answer;
    };
    const result = await runOnMock({ mock, send, told: false, runs: 100 });
    expect(result.findings.map(({ finding }) => `${finding.check} ${finding.cause}`)).toEqual([
      'undeclared-constraint a plain valid body',
    ]);
  });
});
