import { headerValue } from '../../http/message.ts';
import { isAbsentStatus } from '../../http/status.ts';
import { describeReceived } from '../describe.ts';
import { quoteDocument, quoteRfc } from '../finding.ts';
import { isFineAround } from '../classify/request.ts';
import { primaryResource } from './conclusions.ts';
import type { Item } from './items.ts';
import type { Tracker } from './observations.ts';
import type { Step } from './trace-steps.ts';

/** Names of properties that may refer to another item, whose absence is a reason for 404 too. */
const referring = /(?:id|ids|key|ref|parent|owner|url|uri|slug|code)$/iu;

/** Statuses of a refusal for which nothing but the item itself can be the reason, as a read sends nothing else. */
const ofTheItem = new Set([400, 409, 422]);

/** Judges a read of an item of this trace that is refused, although the same request shows another item. */
export function judgeRefusedRead(item: Item, step: Step, { steps, items, conclude }: Tracker): void {
  const { madeBy } = item;
  if (!ofTheItem.has(step.status) || item.state !== 'there' || madeBy?.client !== step.client) return;
  const shows = steps.find(
    ({ operation, status, place, shown }) =>
      operation === step.operation && status === 200 && shown !== undefined && place?.item !== item.name,
  );
  const needsMore = step.operation?.parameters.some(
    ({ required, in: where }) => required && where !== 'path',
  );
  if (shows === undefined && needsMore !== false) return;
  conclude('created-not-found', {
    of: step,
    shownBy: items.chainTo(item.place.collection, madeBy, step),
    clause: primaryResource,
    expected: `the item that ${madeBy.operation?.id ?? 'a request'} created`,
    received: describeReceived(step.judged.answer),
    cause: 'read refused',
  });
}

/** Judges changes of an item that did not find it, although reads before and after them show it. */
export function judgeLostChange(item: Item, look: Step, { items, conclude }: Tracker): void {
  const [before] = item.seen;
  const lost = item.refused.find(
    (step) =>
      isAbsentStatus(step.status) &&
      before !== undefined &&
      before.index < step.index &&
      (step.role?.kind === 'replace' || step.role?.kind === 'update') &&
      isFineAround(step.judged.request) &&
      step.judged.exchange.request.headers.every(([name]) => !/^if-/iu.test(name)) &&
      !Object.keys(step.written?.value ?? {}).some((name) => referring.test(name)),
  );
  if (lost === undefined || item.madeBy === undefined) return;
  conclude('created-not-found', {
    of: lost,
    shownBy: items.chainTo(item.place.collection, item.madeBy, before, lost, look),
    clause: quoteDocument(lost.operation?.pointer ?? '', 'it changes the item that its path names'),
    expected: 'the item, which reads before and after it show',
    received: describeReceived(lost.judged.answer),
    cause: 'not found by a change',
  });
}

/** Judges a change that is refused with 412 although it names the entity tag that was just read (RFC 9110 §13.1.1). */
export function judgeMatchingTag(item: Item | undefined, step: Step, { items, conclude }: Tracker): void {
  const match = headerValue(step.judged.exchange.request.headers, 'if-match');
  const { tag, state, madeBy } = item ?? {};
  // A weak tag matches nothing.
  if (item === undefined || step.status !== 412 || state !== 'there' || madeBy === undefined) return;
  if (
    tag === undefined ||
    match?.trim() !== tag.text ||
    !tag.text.startsWith('"') ||
    item.changedBy === undefined
  )
    return;
  if (tag.by.client !== step.client || item.changedBy.index > tag.by.index) return;
  conclude('precondition-ignored', {
    of: step,
    shownBy: items.chainTo(item.place.collection, madeBy, tag.by, step),
    clause: quoteRfc(
      'RFC 9110 §13.1.1',
      'If the field value is a list of entity tags, the condition is true if any of the listed tags match the entity tag of the selected representation',
    ),
    expected: 'the change, as If-Match names the entity tag of the item',
    received: describeReceived(step.judged.answer),
    cause: 'a matching If-Match is refused',
  });
}
