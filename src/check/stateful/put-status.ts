import { declaresExactly } from '../../contract/responses.ts';
import { isAbsentStatus } from '../../http/status.ts';
import { describeReceived } from '../describe.ts';
import { quoteRfc } from '../finding.ts';
import type { Item } from './items.ts';
import type { Tracker } from './observations.ts';
import type { Step } from './trace-steps.ts';

/** The number of earlier steps in which the state of an item before a PUT is searched. */
const mostBefore = 1_000;

/** Judges the status of a PUT that says that it created an item, which existed already (RFC 9110 §9.3.4). */
export function judgeReplacedStatus(item: Item, step: Step, tracker: Tracker): void {
  const { role, status, client, judged, location } = step;
  const read = item.seen.at(-1);
  if (role?.kind !== 'replace' || status !== 201 || item.state !== 'there' || read?.client !== client) return;
  if (!isUnchanged(read, step, tracker)) return;
  // A service may keep the old version, and say where the new one is.
  if (location?.item !== undefined && location.item !== item.name) return;
  conclude({ item, put: step, before: read }, tracker, {
    quote:
      'If the target resource does have a current representation and that representation is successfully modified in accordance with the state of the enclosed representation, then the origin server MUST send either a 200 (OK) or a 204 (No Content) response to indicate successful completion of the request',
    expected: '200 or 204, as the item existed',
    received: describeReceived(judged.answer),
    cause: '201 for an item that exists',
  });
}

/** Judges the status of a PUT that created an item, as a read before did not find it and the one after it does. */
export function judgeCreatedStatus(item: Item, look: Step, tracker: Tracker): void {
  const { changedBy: put } = item;
  if (put?.role?.kind !== 'replace' || (put.status !== 200 && put.status !== 204)) return;
  // Later reads show nothing more.
  if (item.seen.length > 0 || look.client !== put.client) return;
  const before = tracker.steps
    .slice(Math.max(0, put.index - mostBefore), put.index)
    .findLast(({ place, role }) => place?.item === item.name && role?.kind === 'read');
  const wasAbsent = before !== undefined && isAbsentStatus(before.status) && before.client === put.client;
  if (before === undefined || !wasAbsent || !isUnchanged(before, put, tracker)) return;
  conclude({ item, put, before, after: look }, tracker, {
    quote:
      'If the target resource does not have a current representation and the PUT successfully creates one, then the origin server MUST inform the user agent by sending a 201 (Created) response',
    expected: '201, as the item did not exist',
    received: describeReceived(put.judged.answer),
    cause: `${put.status} for an item that is created`,
  });
}

/** Returns whether nothing may have changed an item between two steps. */
const isUnchanged = (from: Step, to: Step, { steps }: Tracker): boolean =>
  steps.slice(from.index + 1, to.index).every(({ isSafe, outcome }) => isSafe || outcome === 'refused');

function conclude(
  { item, put, before, after }: Record<'item', Item> & Record<'put' | 'before', Step> & { after?: Step },
  tracker: Tracker,
  { quote, ...words }: Record<'quote' | 'expected' | 'received' | 'cause', string>,
): void {
  const { judged, operation } = put;
  // An undeclared status has a finding of its own.
  if (judged.answer.kind === 'none' || judged.answer.declared === undefined) return;
  const [is200, is201, is204] = [200, 201, 204].map((status) => declaresExactly(operation, status));
  tracker.conclude('put-status', {
    of: put,
    // With one success declared, the document leaves the service no other.
    level: is201 === true && (is200 === true || is204 === true) ? 'violation' : 'warning',
    shownBy: tracker.items.chainTo(item.place.collection, item.madeBy, before, put, after),
    clause: quoteRfc('RFC 9110 §9.3.4', quote),
    ...words,
  });
}
