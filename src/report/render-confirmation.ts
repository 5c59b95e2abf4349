import type { ReportedFinding } from './reported-finding.ts';

/**
 * How a finding fared when it was tried again, as the rest of a sentence: `, unstable: came back 2 of 3 times`;
 * empty where it came back each time, and for traffic, which is not sent again.
 */
export function renderConfirmation(found: ReportedFinding): string {
  if (!('confirmed' in found)) {
    return '';
  }
  const { confirmed, finding, exchange } = found;
  if (confirmed.seen === 0 && confirmed.tried > 0 && exchange.request.key === 'chosen') {
    return ', not to be shown again, as its key is taken since';
  }
  if (confirmed.tried === 0) {
    const why = finding.check === 'timed-out' ? 'it would take a time-out more' : 'the service had gone';
    return `, not tried again, as ${why}`;
  }
  if (confirmed.seen === confirmed.tried) {
    return '';
  }
  return `, unstable: came back ${confirmed.seen} of ${confirmed.tried} times`;
}
