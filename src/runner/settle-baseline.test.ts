import { expect, test } from 'vitest';
import { lookUp, type RunFinding } from './events.ts';
import { settleBaseline } from './ledger.ts';
import { whyPartial } from './plan.ts';

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
  const settled = settleBaseline({ baseline, findings: seen, whyPartial: undefined, hasConnection: true });
  expect(settled).toEqual({ gone: [framing], notChecked: [] });
});

test('calls nothing gone where the run looked at a part, and says why', () => {
  const whole = { baseline, findings: [], hasConnection: true };
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
  const settled = settleBaseline({ baseline, findings: [], whyPartial: undefined, hasConnection: false });
  expect(settled.gone).toEqual([failing]);
  expect(settled.notChecked.map(({ what }) => what)).toEqual([`Of the baseline ${framing.id}`]);
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
