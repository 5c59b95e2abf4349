import { expect, test } from 'vitest';
import { mockToken, runOnMock } from '../../../fixtures/run-on-mock.ts';
import { loadContract } from '../../contract/load.ts';
import type { Finding } from '../../check/finding.ts';
import { createTextStyle } from '../../errors/console-text.ts';
import type { RunFinding, RunResult } from '../../events/events.ts';
import type { HttpRequest } from '../../http/message.ts';
import { createMock } from '../../mock/create-mock.ts';
import type { BehaviourId } from '../../policy/behaviour.ts';
import { renderBaseline, renderBrokenOff, renderDriftHint, renderVerdict } from './summary.ts';

const plain = { paint: createTextStyle(false), width: undefined };
const id = 'server-error-0123456789ab';
const finding = { check: 'server-error', level: 'violation', operation: 'create' };
const known = { id, reason: 'the old database', expires: '2026-12-31' };
// `as`: nothing else of a finding is looked at.
const found = { id, finding, count: 7, known } as unknown as RunFinding;

test('tells known findings apart, with the reason and the day', () => {
  expect(renderBaseline({ findings: [found], gone: [] }, plain)).toEqual([
    '',
    'Known, and let pass by the baseline:',
    `  violation The service failed [${id}] create, seen 7×`,
    '    the old database, until 2026-12-31',
  ]);
});

test('names what is no longer seen', () => {
  const gone = [{ id, title: 'The service failed (create)' }];
  expect(renderBaseline({ findings: [], gone }, plain)).toEqual([
    '',
    'No longer found; remove from the baseline:',
    `  ${id} The service failed (create)`,
  ]);
});

/** The verdict on a run that found something, of which some operations were exercised. */
function verdictOf(
  findings: readonly RunFinding[],
  {
    accepted = [1],
    planned = 36,
    ...changes
  }: Partial<Parameters<typeof renderVerdict>[1]> & {
    readonly accepted?: readonly number[];
    readonly planned?: number;
  } = {},
): string {
  // `as`: nothing else of a result is looked at.
  const result = {
    notChecked: [],
    findings,
    interrupted: false,
    requests: 3_412,
    properties: [{ cases: 36, verdict: 'cut-off' }],
    planned,
    coverage: accepted.map((count) => ({ accepted: count, responses: [], keywords: [] })),
  } as unknown as RunResult;
  return renderVerdict({ kind: 'suites', result }, { strict: false, isWhole: true, ...changes });
}

const { known: _, ...fresh } = found;
// `as`: nothing else of a finding is looked at.
const warned = { ...fresh, finding: { ...finding, level: 'warning' } } as unknown as RunFinding;

test('says nothing where there is no baseline', () => {
  expect(renderBaseline({ findings: [fresh], gone: [] }, plain)).toEqual([]);
});

test('passes or fails by what is new, and counts what is known apart', () => {
  expect(verdictOf([found])).toBe('PASS: nothing new found, 1 known');
  expect(verdictOf([found, fresh])).toBe('FAIL: 1 violation, 1 known');
  expect(verdictOf([])).toBe('PASS: nothing found');
  expect(verdictOf([warned])).toBe('PASS: 1 warning');
  expect(verdictOf([warned], { strict: true })).toBe('FAIL: 1 warning');
  expect(verdictOf([], { subject: 'orders.yaml on http://h' })).toBe(
    'PASS  orders.yaml on http://h: nothing found in 3,412 requests',
  );
});

test('says that the baseline was updated, and counts what it lets pass now', () => {
  const updated = (findings: readonly RunFinding[], changes: object = {}): string =>
    renderVerdict(
      {
        kind: 'suites',
        // `as`: nothing else of a result is looked at.
        result: {
          notChecked: [],
          findings,
          interrupted: false,
          requests: 12,
          properties: [],
          planned: 0,
          coverage: [],
          baselineUpdate: 'known.json: 1 finding added, 0 removed, 2 kept',
          ...changes,
        } as unknown as RunResult,
      },
      { strict: false, isWhole: true, subject: 'orders.yaml on http://h' },
    );
  const change = 'known.json: 1 finding added, 0 removed, 2 kept';
  expect(updated([found])).toBe(
    `PASS, baseline updated  orders.yaml on http://h: 1 known in 12 requests; ${change}`,
  );
  expect(updated([found, warned])).toBe(
    `PASS, baseline updated  orders.yaml on http://h: 1 warning, 1 known in 12 requests; ${change}`,
  );
  expect(updated([])).toBe(
    `PASS, baseline updated  orders.yaml on http://h: nothing found in 12 requests; ${change}`,
  );
  const never = { accepted: 0, responses: [], keywords: [] };
  expect(updated([found], { coverage: [never] })).toBe(
    `PASS, baseline updated  orders.yaml on http://h: 1 known in 12 requests; no operation was ever answered with a success; ${change}`,
  );
  expect(updated([fresh])).toBe(`FAIL  orders.yaml on http://h: 1 violation in 12 requests; ${change}`);
});

test('tells how little was tried where the time was over before', () => {
  expect(verdictOf([], { planned: 2_365 })).toBe('PASS: nothing found; only 36 of 2,365 cases tried');
  expect(verdictOf([], { planned: 36 })).toBe('PASS: nothing found');
});

test('passes no run that did not come to its end', () => {
  expect(verdictOf([fresh], { isWhole: false })).toBe('FAIL: broken off, 1 violation so far');
});

test('counts what several kinds of request show once', () => {
  // `as`: nothing else of a finding is looked at.
  const other = { ...fresh, finding: { ...finding, trigger: 'a long body' } } as unknown as RunFinding;
  expect(verdictOf([fresh, other, warned])).toBe('FAIL: 1 violation and 1 warning (3 findings)');
});

test('does not look well where most operations were never answered with a success', () => {
  const few = { accepted: [9, 0, 0] };
  expect(verdictOf([], few)).toBe(
    'PASS, but only 1 of 3 operations were ever answered with a success: nothing found',
  );
  expect(verdictOf([fresh], few)).toBe(
    'FAIL: 1 violation; only 1 of 3 operations were ever answered with a success',
  );
  expect(verdictOf([], { accepted: [9, 0] })).toBe('PASS: nothing found');
  // Of one case that is replayed nothing else is to be expected.
  expect(verdictOf([], { ...few, replayed: 'accept/create.accept' })).toBe('PASS: nothing found');
});

test('fails a run that exercised less than is demanded', () => {
  const few = { accepted: [9, 0, 0], minCoverage: 50 };
  expect(verdictOf([], few)).toBe(
    'FAIL: nothing found; 1 of 3 operations (33%) answered with a success, where --min-coverage demands 50%',
  );
  expect(verdictOf([], { ...few, minCoverage: 33 })).toMatch(/^PASS, but only 1 of 3/u);
});

const contract = await loadContract(undefined, { followReferences: false });
const surroundings = {
  baseUrl: 'http://h',
  command: 'npx cloche test http://h',
  source: 'spec.yaml',
  secrets: [mockToken],
  insecure: false,
  headers: [],
  paint: createTextStyle(false),
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
  expect(sentence).toBe(
    'The service stopped answering, it seems on a request with an Accept that is hard to read.',
  );
  expect(line).toContain(`-H 'Accept: text'`);
  expect(line).not.toContain(mockToken);
});

function drift(check: Finding['check'], question: BehaviourId): { readonly finding: Finding } {
  return {
    finding: {
      check,
      level: 'violation',
      operation: 'createThing',
      clause: { kind: 'policy', question, quote: '' },
      expected: '',
      received: '',
      cause: '',
    },
  };
}

test('names each question that drifted once, to be asked again', () => {
  const found = [drift('drift', 'echo'), drift('drift', 'accept'), drift('drift', 'echo')];
  expect(renderDriftHint(found, plain)).toEqual([
    '',
    'If the service is meant to do so, change the policy: by hand, or with cloche learn --question echo --question accept.',
  ]);
});

test('says nothing where nothing drifted', () => {
  expect(renderDriftHint([drift('left-open', 'echo')], plain)).toEqual([]);
});
