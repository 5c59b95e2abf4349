import { type Check, defineSequenceCheck, type SequenceCheck } from '../define-check.ts';
import type { CheckId } from '../finding.ts';
import { followLifeCycles } from './follow.ts';

/** Defines a check by what {@link followLifeCycles} concludes of it. */
function lifeCycleCheck<Id extends CheckId>(
  definition: Pick<Check<Id>, 'id' | 'docs'> & Partial<Pick<Check<Id>, 'levels'>>,
): SequenceCheck<Id> {
  return defineSequenceCheck({
    ...definition,
    judgeTrace: (trace, context) =>
      followLifeCycles(trace, context).flatMap(({ check, ...conclusion }) =>
        check === definition.id ? [conclusion] : [],
      ),
  });
}

/** The check `read-after-write`. */
export const readAfterWriteCheck: SequenceCheck<'read-after-write'> = lifeCycleCheck({
  id: 'read-after-write',
  docs: {
    title: 'A read did not show what was written',
    place: 'the operation, whose success says that what was sent is kept; of a replace RFC 9110 §9.3.4',
    finds:
      'A read or a list, after a create, a replace or an update that succeeded, which lacks a property that was written, or shows another value: the one from before, one that was refused, or one that was trimmed or put into another case where the document says nothing of that. Only properties that request and response declare are compared, never `readOnly` and `writeOnly` ones; equal numbers and equal times are equal, an empty value may be left out, and a flag or a state that was seen as it was written may move on.',
    example: {
      request: 'GET /orders/7\n\n(after PUT /orders/7 {"note": "three"}, answered 200)',
      answer: 'HTTP/1.1 200 OK\n\n{"id": 7, "note": "two"}',
    },
  },
});

/** The check `created-not-found`. */
export const createdNotFoundCheck: SequenceCheck<'created-not-found'> = lifeCycleCheck({
  id: 'created-not-found',
  docs: {
    title: 'What was created is not there',
    place: 'RFC 9110 §15.3.2',
    finds:
      'A create that succeeded, and 404 or 410 for the item that it made, to the same client, with nothing in between that could have taken it away. After 202 nothing is concluded.',
    example: {
      request: 'GET /orders/7\n\n(after POST /orders, answered 201 {"id": 7})',
      answer: 'HTTP/1.1 404 Not Found',
    },
  },
});

/** The check `list-lacks`. */
export const listLacksCheck: SequenceCheck<'list-lacks'> = lifeCycleCheck({
  id: 'list-lacks',
  docs: {
    title: 'A list lacks an item that exists',
    place: 'the operation, which lists the items of the collection',
    finds:
      'A list that was walked to its end, page by page, without a filter, and does not show an item that was created before. Nothing is concluded where the end does not show (a list that may have been cut), where the document calls the list filtered, cached or eventually consistent, or where something changed on the way.',
    example: {
      request: 'GET /orders\n\n(after POST /orders, answered 201 {"id": 7})',
      answer: 'HTTP/1.1 200 OK\n\n[{"id": 6}]',
    },
  },
});

/** The check `deleted-still-there`. */
export const deletedStillThereCheck: SequenceCheck<'deleted-still-there'> = lifeCycleCheck({
  id: 'deleted-still-there',
  docs: {
    title: 'What was deleted is still there',
    place: 'RFC 9110 §9.3.5',
    finds:
      'A delete that succeeded, after which a read or a list shows the item as it was. Where the document says that items are archived or cancelled, or the item says so of itself (`status`, `deletedAt`), nothing is concluded; neither is after 202.',
    example: {
      request: 'GET /orders/7\n\n(after DELETE /orders/7, answered 204)',
      answer: 'HTTP/1.1 200 OK\n\n{"id": 7, "note": "two"}',
    },
  },
});

/** The check `replace-is-partial`. */
export const replaceIsPartialCheck: SequenceCheck<'replace-is-partial'> = lifeCycleCheck({
  id: 'replace-is-partial',
  docs: {
    title: 'A replace kept what it left out',
    place: 'RFC 9110 §9.3.4',
    finds:
      'A PUT that leaves out a property which a client gave before, and a read that shows the old value after it. It may have its `default`; and nothing is concluded where the PUT lacks what every item must have, or the document says that it changes only what it names.',
    example: {
      request: 'GET /orders/7\n\n(after PUT /orders/7 {"total": 2}, answered 200)',
      answer: 'HTTP/1.1 200 OK\n\n{"id": 7, "total": 2, "note": "two"}',
    },
  },
});

/** What an update in application/json does, no specification says; so what a merge patch would not do is a warning there. */
export const mergePatchCheck: SequenceCheck<'merge-patch'> = lifeCycleCheck({
  id: 'merge-patch',
  levels: ['violation', 'warning'],
  docs: {
    title: 'An update changed what it did not name, or did not remove what it set to null',
    place: 'RFC 7396 §2',
    finds:
      'A PATCH after which a property that it does not name is lost or changed, or one that it sets to null still has its value. It is a violation for `application/merge-patch+json`, and a warning for `application/json`, whose meaning the policy question `patch-notation` settles.',
    example: {
      request: 'GET /orders/7\n\n(after PATCH /orders/7 {"note": null}, answered 200)',
      answer: 'HTTP/1.1 200 OK\n\n{"id": 7, "note": "two"}',
    },
  },
});

/** The check `spill`. */
export const spillCheck: SequenceCheck<'spill'> = lifeCycleCheck({
  id: 'spill',
  docs: {
    title: 'A request changed an item that it did not name',
    place: 'the operation, which changes the item that its path names',
    finds:
      'An item that shows what was written to another one, or is gone after another of its collection was changed or deleted. Items below a deleted one, and those that refer to it, may go with it.',
    example: {
      request: 'GET /orders/8\n\n(after PUT /orders/7 {"note": "three"}, answered 200)',
      answer: 'HTTP/1.1 200 OK\n\n{"id": 8, "note": "three"}',
    },
  },
});

/** The check `safe-method-changes`. */
export const safeMethodChangesCheck: SequenceCheck<'safe-method-changes'> = lifeCycleCheck({
  id: 'safe-method-changes',
  docs: {
    title: 'Reading changed what was read',
    place: 'RFC 9110 §9.2.1',
    finds:
      'An item that was made by these requests and read as it was written, and is gone or changed after nothing but GET and HEAD. What the service alone sets is not compared, nor are flags and states, which may move on by themselves.',
    example: {
      request: 'GET /orders/7\n\n(after the same, answered 200)',
      answer: 'HTTP/1.1 404 Not Found',
    },
  },
});

/** What the exchanges of a trace show together of the items in it, one check for each; a trace is followed once for all. */
export const lifeCycleChecks: readonly SequenceCheck[] = [
  readAfterWriteCheck,
  createdNotFoundCheck,
  listLacksCheck,
  deletedStillThereCheck,
  replaceIsPartialCheck,
  mergePatchCheck,
  spillCheck,
  safeMethodChangesCheck,
];
