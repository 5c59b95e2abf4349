import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { drawCases } from '../fixtures/draw-cases.ts';
import { describeFindings } from '../fixtures/describe-findings.ts';
import { judgeService } from '../fixtures/judge-service.ts';
import { mockToken, runOnMock } from '../fixtures/run-on-mock.ts';
import { loadCatalogue } from '../fixtures/services/catalogue.js';
import type { Service } from '../fixtures/services/service.ts';
import { loadContract } from '../src/contract/load.ts';
import type { HttpResponse, Send } from '../src/http/message.ts';
import { createMock } from '../src/mock/create-mock.ts';

const { conforming, constrained } = await loadCatalogue();

const mostPlants = 800;
const storeFull = refuse(400, 'The store is full.');
const nameTooLong = refuse(400, 'The name is too long.');
const exists = refuse(422, 'There is such a plant.');

function refuse(status: number, message: string): HttpResponse {
  const body = new TextEncoder().encode(JSON.stringify({ error: status, message }));
  return { status, headers: [['Content-Type', 'application/json']], body };
}

function find(id: string): Service {
  const service = [...conforming, ...constrained].find((one) => one.id === id);
  expect.assert(service !== undefined);
  return service;
}

describe.concurrent('a store that refuses what it holds, or answers with it', () => {
  test.each(drawCases(['name-unique-409', 'plants-of-last-week', 'stored-last-week'], 3))(
    'is accused of nothing (%s)',
    async (id) => {
      const result = await judgeService({ service: find(id) });
      expect(describeFindings(result, ['violation', 'warning'])).toEqual([]);
    },
  );

  test('gets one finding for what has to be unique', async () => {
    const { findings } = await judgeService({ service: find('name-unique') });
    expect(findings.map(({ finding }) => `${finding.check} ${finding.cause}`)).toEqual([
      'undeclared-constraint repeated at /name',
    ]);
  });

  test('gets a finding for its limit, and none for the ids that it holds', async () => {
    const mock = await createMock(await loadContract(undefined, { followReferences: false }), {
      tokens: [mockToken],
    });
    const send: Send = async (request, options) => {
      const answer = await mock.send(request, options);
      if (answer.kind !== 'response' || answer.response.status !== 200) return answer;
      const text = new TextDecoder().decode(request.body);
      const [first = 0] = createHash('sha256')
        .update(/"id"\s*:\s*(-?\d+)/u.exec(text)?.[1] ?? '')
        .digest();
      const isHeld = first < 0.3 * 256;
      const isLong = /"name"\s*:\s*"(?:[^"\\]|\\.){256}/u.test(text);
      return isLong || isHeld ? { ...answer, response: isLong ? nameTooLong : exists } : answer;
    };
    const { findings } = await runOnMock({ mock, send, enforced: false, runs: 100 });
    expect(findings.map(({ finding }) => `${finding.level} ${finding.check}`)).toEqual([
      'warning undeclared-constraint',
    ]);
  });

  test('gets one finding when it accepts nothing more', async () => {
    const mock = await createMock(await loadContract(undefined, { followReferences: false }), {
      tokens: [mockToken],
    });
    let taken = 0;
    const send: Send = async (request, options) => {
      const answer = await mock.send(request, options);
      const wasAccepted = answer.kind === 'response' && answer.response.status === 200;
      taken += wasAccepted ? 1 : 0;
      return wasAccepted && taken > mostPlants ? { ...answer, response: storeFull } : answer;
    };
    const result = await runOnMock({ mock, send, enforced: false, runs: 100 });
    expect(result.findings.map(({ finding }) => `${finding.check} ${finding.cause}`)).toEqual([
      'undeclared-constraint a plain valid body',
    ]);
  });
});
