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

/**
 * Judges changes that were refused with 412 although they name the entity tag of the item (RFC 9110 §13.1.1): reads
 * before and after them show it, so the service did not change the item in between.
 */
export function judgeMatchingTag(item: Item, look: Step, { items, conclude }: Tracker): void {
  const { tag, changedBy, madeBy } = item;
  const shown = readTag(look);
  // A weak tag matches nothing.
  if (tag === undefined || tag.text !== shown?.text || !tag.text.startsWith('"')) return;
  if (madeBy === undefined || changedBy === undefined || changedBy.index > tag.by.index) return;
  const refused = item.refused.find(
    ({ status, client, index, judged }) =>
      status === 412 &&
      client === tag.by.client &&
      client === look.client &&
      index > tag.by.index &&
      headerValue(judged.exchange.request.headers, 'if-match')?.trim() === tag.text,
  );
  if (refused === undefined) return;
  conclude('precondition-ignored', {
    of: refused,
    shownBy: items.chainTo(item.place.collection, madeBy, tag.by, refused, look),
    clause: quoteRfc(
      'RFC 9110 §13.1.1',
      'If the field value is a list of entity tags, the condition is true if any of the listed tags match the entity tag of the selected representation',
    ),
    expected: 'the change, as If-Match names the entity tag that reads before and after it show',
    received: describeReceived(refused.judged.answer),
    cause: 'a matching If-Match is refused',
  });
}

/** Reads the entity tag in the response of a step (RFC 9110 §8.8.3). */
export function readTag(step: Step): Item['tag'] {
  const { answer } = step.judged;
  const text = answer.kind === 'none' ? undefined : headerValue(answer.response.headers, 'etag');
  return text === undefined ? undefined : { text, by: step };
}
