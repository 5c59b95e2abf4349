import { expect, test } from 'vitest';
import type { Finding } from '../check/finding.ts';
import { whyPartial } from '../runner/plan.ts';
import { lookUp, type RunFinding } from './events.ts';
import { createFindingLedger, type FindingLedger, settleBaseline } from './ledger.ts';

const fails: Finding = {
  check: 'server-error',
  level: 'violation',
  operation: 'create',
  clause: { kind: 'rfc', name: 'RFC 9110', section: '15.6', quote: 'it has erred' },
  expected: 'an answer',
  received: '500',
  cause: '500',
};
const failsOnNull: Finding = { ...fails, trigger: 'a body that breaks its schema' };
const failsOnText: Finding = { ...fails, trigger: 'a body that is not JSON' };

/** Sees findings as often as they are given, and files each under its first sighting. */
function see(ledger: FindingLedger, ...occurrences: readonly Finding[]): void {
  for (const finding of occurrences) {
    ledger.count(finding);
    if (!ledger.isKnown(finding)) {
      // `as`: the ledger keeps what else belongs to a finding, and looks at nothing of it.
      ledger.add({ finding } as Parameters<FindingLedger['add']>[0]);
    }
  }
}

function tell(ledger: FindingLedger): readonly string[] {
  return ledger.findings().map(({ finding, count }) => `${count} × ${finding.trigger ?? 'plain'}`);
}

test('keeps one finding for each thing that triggers a cause', () => {
  const ledger = createFindingLedger();
  see(ledger, failsOnNull, failsOnText, failsOnNull);
  expect(tell(ledger)).toEqual(['2 × a body that breaks its schema', '1 × a body that is not JSON']);
});

test('lets what a plain request shows stand for all that shows the same cause', () => {
  const ledger = createFindingLedger();
  see(ledger, fails, failsOnNull, failsOnText);
  expect(tell(ledger)).toEqual(['3 × plain']);
});

test('takes other findings back once a plain request shows their cause', () => {
  const ledger = createFindingLedger();
  see(ledger, failsOnNull, failsOnNull, fails);
  expect(tell(ledger)).toEqual(['3 × plain']);
});

test('keeps causes of another check, operation or status apart', () => {
  const ledger = createFindingLedger();
  see(ledger, fails, { ...failsOnNull, cause: '502' }, { ...failsOnNull, operation: 'list' });
  expect(tell(ledger)).toHaveLength(3);
});

test('leaves out what something else in its request brings about, whichever was found first', () => {
  const onBoth = { ...failsOnNull, otherTriggers: [failsOnText.trigger ?? ''] };
  for (const order of [
    [onBoth, failsOnText],
    [failsOnText, onBoth],
  ]) {
    const ledger = createFindingLedger();
    see(ledger, ...order);
    expect(tell(ledger)).toEqual(['1 × a body that is not JSON']);
  }
});

test('keeps one of two findings that might explain each other', () => {
  const ledger = createFindingLedger();
  see(
    ledger,
    { ...failsOnNull, otherTriggers: [failsOnText.trigger ?? ''] },
    { ...failsOnText, otherTriggers: [failsOnNull.trigger ?? ''] },
  );
  expect(tell(ledger)).toHaveLength(1);
});

test('puts what explains several findings in their place, and counts them for it', () => {
  const ledger = createFindingLedger();
  see(ledger, failsOnNull, failsOnNull, failsOnText);
  const explanation: Finding = { ...fails, cause: 'the body is refused unread' };
  // `as`: the ledger keeps what else belongs to a finding, and looks at nothing of it.
  ledger.supersede([failsOnNull], { finding: explanation } as Parameters<FindingLedger['add']>[0]);
  expect(tell(ledger)).toEqual(['1 × a body that is not JSON', '2 × plain']);
  expect(ledger.isKnown(failsOnNull)).toBe(true);
});

test('says that another service does not share a cause, once any request shows so', () => {
  const ledger = createFindingLedger();
  const verdict = { kind: 'tested-wrong' } as const;
  const parity = { tested: 'the service', other: 'the mock', answered: '400', verdict };
  see(ledger, failsOnText, { ...failsOnText, parity });
  expect(ledger.findings().map(({ finding }) => finding.parity)).toEqual([parity]);
});

const failing = { id: 'server-error-0123456789ab' };
const framing = { id: 'content-length-0123456789ab' };
const baseline = { entries: [failing, framing], today: '2026-11-21', partly: undefined };
// `as`: nothing but its id is looked at.
const seen = [{ id: failing.id }] as unknown as readonly RunFinding[];

test('lets a finding pass until the end of the day on which its entry expires', () => {
  const entries = [{ ...failing, expires: '2026-11-21' }];
  expect(lookUp({ entries, today: '2026-11-21' }, failing.id)).toEqual({ known: entries[0] });
  expect(lookUp({ entries, today: '2026-11-22' }, failing.id)).toEqual({ expired: entries[0] });
});

test('knows nothing of a finding that has no entry, or where there is no baseline', () => {
  expect(lookUp(baseline, 'echo-0123456789ab')).toEqual({});
  expect(lookUp(undefined, failing.id)).toEqual({});
});

test('calls gone what a whole run did not see', () => {
  const settled = settleBaseline({
    baseline,
    findings: seen,
    whyPartial: undefined,
    hasConnection: true,
    untested: [],
  });
  expect(settled).toEqual({ gone: [framing], notChecked: [] });
});

test('calls nothing gone where the run looked at a part, and says why', () => {
  const whole = { baseline, findings: [], hasConnection: true, untested: ['create'] };
  expect(settleBaseline({ ...whole, whyPartial: 'one case alone was run' })).toEqual({
    gone: [],
    notChecked: [
      {
        what: `Of the baseline ${failing.id}, ${framing.id}`,
        reason: 'not looked for, as one case alone was run',
      },
    ],
  });
});

test('does not call gone in process what only a connection shows', () => {
  const inProcess = { whyPartial: undefined, hasConnection: false, untested: [] };
  const settled = settleBaseline({ baseline, findings: [], ...inProcess });
  expect(settled.gone).toEqual([failing]);
  expect(settled.notChecked.map(({ what }) => what)).toEqual([`Of the baseline ${framing.id}`]);
});

test('calls gone only entries whose operation the run tested in full', () => {
  const ofList = { ...failing, operation: 'list' };
  const ofCreate = { ...framing, operation: 'create' };
  const unknown = { id: 'echo-0123456789ab' };
  const settled = settleBaseline({
    baseline: { ...baseline, entries: [ofList, ofCreate, unknown] },
    findings: [],
    whyPartial: undefined,
    hasConnection: true,
    untested: ['create'],
  });
  expect(settled.gone).toEqual([ofList]);
  expect(settled.notChecked).toEqual([
    {
      what: `Of the baseline ${ofCreate.id}, ${unknown.id}`,
      reason: 'not looked for, as the run did not test the operation in full',
    },
  ]);
});

test('says why a run is not whole, whatever cut it short', () => {
  const options = { path: undefined, signal: undefined, baseline };
  const result = { suite: 's', property: 'p', title: '', cases: 1, requests: 1 };
  const whole = { isStopped: false, properties: [{ ...result, verdict: 'held' as const }] };
  expect(whyPartial(options, whole)).toBeUndefined();
  expect(whyPartial({ ...options, path: 's/p:1' }, whole)).toBe('one case alone was run');
  expect(whyPartial({ ...options, signal: AbortSignal.abort() }, whole)).toBe('the run was interrupted');
  expect(whyPartial(options, { ...whole, isStopped: true })).toBe('the run stopped before its end');
  expect(whyPartial(options, { ...whole, properties: [{ ...result, verdict: 'given-up' }] })).toBe(
    's/p was given up',
  );
  const partly = 'only some suites were run';
  expect(whyPartial({ ...options, baseline: { ...baseline, partly } }, whole)).toBe(partly);
});
