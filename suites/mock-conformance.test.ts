import { describe, expect, test } from 'vitest';
import { changeAnswer } from '../fixtures/change-answer.ts';
import { describeFindings } from '../fixtures/describe-findings.ts';
import { knownPrismComplaints } from '../fixtures/known-prism-complaints.ts';
import { mockToken, runOnMock } from '../fixtures/run-on-mock.ts';
import { createSecondOpinion } from '../fixtures/second-opinion.ts';
import type { CheckedExchange } from '../src/check/reading/subject.ts';
import { loadContract } from '../src/contract/load.ts';
import type { RunResult } from '../src/events/events.ts';
import type { HttpResponse } from '../src/http/message.ts';
import { createMock } from '../src/mock/create-mock.ts';
import { defaultPolicy } from '../src/policy/policy.ts';
import type { Suite } from '../src/runner/suite.ts';
import { allSuites } from './all-suites.ts';

const contract = await loadContract(undefined, { followReferences: false });

/** Runs suites on a new mock, and gives each exchange with an operation to `onExchange`. */
async function run(
  suites: readonly Suite[],
  runs: number,
  onExchange: (judged: CheckedExchange) => void,
): Promise<RunResult> {
  const mock = await createMock(contract, { tokens: [mockToken] });
  return runOnMock({
    mock,
    suites,
    runs,
    emit(event) {
      if (event.kind === 'exchange' && event.judged.operation !== undefined) {
        onExchange(event.judged);
      }
    },
  });
}

for (const suite of allSuites) {
  const plan = suite.plan({ contract, policy: defaultPolicy, unsafeMethods: true });
  if (plan.kind === 'not-applicable') continue;
  // In process there is no connection: framing.test.ts has those that look at it.
  const inProcess = plan.properties.filter(({ via }) => via !== 'socket');
  const properties = inProcess.map((property) => [property.id, property.title, property] as const);
  describe.runIf(properties.length > 0)(suite.id, () => {
    test.each(properties)('%s: %s', async (_id, _title, property) => {
      const opinion = await createSecondOpinion(contract);
      let exchanges = 0;
      const only: Suite = { ...suite, plan: () => ({ kind: 'properties', properties: [property] }) };
      const result = await run([only], 100, (judged) => {
        exchanges += 1;
        opinion.consider(judged);
      });
      expect(describeFindings(result, ['violation', 'warning'])).toEqual([]);
      expect(opinion.complaints()).toEqual([]);
      expect(opinion.considered()).toBe(exchanges);
    });
  });
}

describe('the second opinion, of Prism', async () => {
  const encoder = new TextEncoder();
  /** An answer of each status. */
  const seen = new Map<number, CheckedExchange>();
  await run(allSuites, 1, (judged) => {
    if (judged.answer.kind === 'response') {
      seen.set(judged.answer.response.status, judged);
    }
  });

  function answerOf(status: number): CheckedExchange {
    const judged = seen.get(status);
    if (judged === undefined) throw new Error(`no answer was ${status}`);
    return judged;
  }

  function withBody(body: string) {
    return (response: HttpResponse): HttpResponse => ({ ...response, body: encoder.encode(body) });
  }

  function withType(type: string) {
    return (response: HttpResponse): HttpResponse => ({ ...response, headers: [['Content-Type', type]] });
  }

  function withStatus(status: number) {
    return (response: HttpResponse): HttpResponse => ({ ...response, status });
  }

  test.each([
    ['a name that is a number', 200, withBody('{"name":1}'), 'property name must be string'],
    ['an answer without what is required', 200, withBody('{}'), "must have required property 'name'"],
    ['another media type', 200, withType('text/html'), 'received media type "text/html"'],
    ['a status that is not declared', 200, withStatus(201), 'Unable to match the returned status code'],
    ['an error without its message', 400, withBody('{"error":400}'), "required property 'message'"],
    ['an error past int32', 400, withBody('{"error":2147483648,"message":"no"}'), 'match format "int32"'],
  ])('refuses %s', async (_title, status, spoil, complaint) => {
    const opinion = await createSecondOpinion(contract);
    opinion.consider(changeAnswer(answerOf(status), spoil));
    expect(opinion.complaints()).toContainEqual(expect.stringContaining(complaint));
  });

  test('has nothing against the answers that are spoiled here', async () => {
    const opinion = await createSecondOpinion(contract);
    [200, 400].map(answerOf).forEach(opinion.consider);
    expect(opinion.complaints()).toEqual([]);
    expect(opinion.considered()).toBe(2);
  });

  test('is set aside only for reasons that still hold', async () => {
    const opinion = await createSecondOpinion(contract);
    [...seen.values()].forEach(opinion.consider);
    expect(knownPrismComplaints.filter((known) => !opinion.known().has(known))).toEqual([]);
  });
});
