import { expect, test } from 'vitest';
import { createReportOptions, createRunEvents, runSecret } from '../../../fixtures/create-run-events.ts';
import { viewFaults, viewFindings } from './finding-view.ts';

const findings = createRunEvents().flatMap((event) => (event.kind === 'finding' ? [event.finding] : []));
const [failed] = findings;
if (failed === undefined) throw new Error('the faked run found nothing');
const options = createReportOptions(() => undefined);

test('redacts the places of a finding of traffic', () => {
  const { suite: _suite, property: _property, replay: _replay, confirmed: _confirmed, ...cause } = failed;
  const seenAt = { first: 'entry 1', last: `${runSecret}, entry 9`, example: 'entry 3' };
  const [view] = viewFindings([{ ...cause, seenAt }], options);
  expect(view).toMatchObject({
    places: 'entry 3, first entry 1, last [secret], entry 9',
    replay: undefined,
    confirmation: '',
  });
});

test('names the reason of a known finding, or that there is none', () => {
  const known = { id: failed.id };
  const views = viewFindings(
    [
      { ...failed, known },
      { ...failed, known: { ...known, reason: 'old' } },
    ],
    options,
  );
  expect(views.map((view) => view.known?.reason)).toEqual(['no reason is given', 'old']);
  expect(views.map(({ fails }) => fails)).toEqual([false, false]);
});

test('names the first finding of the fault in every view of it', () => {
  const other = {
    ...failed,
    id: 'server-error-0',
    finding: { ...failed.finding, trigger: 'a body with NUL' },
  };
  expect(viewFindings([other, failed], options).map(({ fault }) => fault)).toEqual([failed.id, failed.id]);
  expect(viewFaults([other, failed], options)).toMatchObject([
    { first: { id: failed.id }, others: [{ id: other.id }], also: ['a body with NUL [server-error-0]'] },
  ]);
});

test('a warning fails a strict run', () => {
  const fails = (strict: boolean): readonly boolean[] =>
    viewFindings(findings, { ...options, strict }).map((view) => view.fails);
  expect(fails(false)).toEqual([true, true, true, false, false]);
  expect(fails(true)).toEqual([true, true, true, false, true]);
});
