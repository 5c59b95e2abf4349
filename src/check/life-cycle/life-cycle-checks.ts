import { defineSequenceCheck, type SequenceCheck } from '../define-check.ts';
import type { LifeCycleCheckId } from '../finding.ts';
import { followLifeCycles } from './follow.ts';

type Definition = Pick<SequenceCheck, 'docs'> & Partial<Pick<SequenceCheck, 'levels'>>;

const definitions: Readonly<Record<LifeCycleCheckId, Definition>> = {
  'read-after-write': {
    levels: ['violation', 'warning'],
    docs: {
      title: 'A read did not show what was written',
      place: 'the operation, whose success says that what was sent is kept; of a replace RFC 9110 §9.3.4',
      finds:
        'A read or a list, after a create, a replace or an update that succeeded, which lacks a property that was written, or shows another value: the one from before, one that was refused, or one that was trimmed or put into another case where the document says nothing of that. Only properties that request and response declare are compared, never `readOnly` and `writeOnly` ones; equal numbers and equal times are equal, an empty value may be left out, and a flag or a state that was seen as it was written may move on. It is a warning where no response shows the optional property at all, and where the id is made of the value that stays.',
      example: {
        request: 'GET /orders/7\n\n(after PUT /orders/7 {"note": "three"}, answered 200)',
        answer: 'HTTP/1.1 200 OK\n\n{"id": 7, "note": "two"}',
      },
    },
  },
  'created-not-found': {
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
  },
  location: {
    levels: ['violation', 'warning'],
    docs: {
      title: 'A create did not say where its item is',
      place: 'RFC 9110 §15.3.2',
      finds:
        'A create whose `Location` names another item than the one in its response, the collection, or a path that is answered 404 when it is followed. Where it leads to the item only without the first part of its path, as behind a gateway, it is a warning. A 201 without `Location` is one too (RFC 9110 §9.3.3 says SHOULD), whatever else its response shows.',
      example: { request: 'POST /orders', answer: 'HTTP/1.1 201 Created\nLocation: /orders/8\n\n{"id": 7}' },
    },
  },
  'list-lacks': {
    docs: {
      title: 'A list lacks an item that exists',
      place: 'the operation, which lists the items of the collection',
      finds:
        'A list that was walked to its end, page by page, without a filter, and does not show an item that was created before. Nothing is concluded where the end does not show (a list that may have been cut), where the document calls the list filtered, cached or eventually consistent, or where something changed on the way; nor, where others have items too, of several pages whose total does not say that there is more, as what others delete shifts the pages.',
      example: {
        request: 'GET /orders\n\n(after POST /orders, answered 201 {"id": 7})',
        answer: 'HTTP/1.1 200 OK\n\n[{"id": 6}]',
      },
    },
  },
  'list-repeats': {
    docs: {
      title: 'A list shows an item twice',
      place: 'the operation, which lists the items of the collection',
      finds: 'An item that was created before, and stands twice on one page of a list.',
      example: { request: 'GET /orders', answer: 'HTTP/1.1 200 OK\n\n[{"id": 7}, {"id": 7}]' },
    },
  },
  'deleted-still-there': {
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
  },
  'replace-is-partial': {
    levels: ['violation', 'warning'],
    docs: {
      title: 'A replace kept what it left out',
      place: 'RFC 9110 §9.3.4',
      finds:
        'A PUT that leaves out a property which a client gave before, and a read that shows the old value after it. It may have its `default`; and nothing is concluded where the PUT lacks what every item must have, or the document says that it changes only what it names. It is a warning where the id is made of the value that stays.',
      example: {
        request: 'GET /orders/7\n\n(after PUT /orders/7 {"total": 2}, answered 200)',
        answer: 'HTTP/1.1 200 OK\n\n{"id": 7, "total": 2, "note": "two"}',
      },
    },
  },
  'replace-not-idempotent': {
    docs: {
      title: 'The same replace twice left another state than once',
      place: 'RFC 9110 §9.2.2',
      finds:
        'A PUT that was sent twice, byte for byte, with nothing in between, and a property that clients set which is shown differently after the second. Times and versions are not compared; a flag or a state, which may move on by itself, counts where four equal replaces are answered with one value and another by turns.',
      example: {
        request: 'PUT /orders/7 {"tags": ["a"]}\n\n(for the second time, and then GET /orders/7)',
        answer: 'HTTP/1.1 200 OK\n\n{"id": 7, "tags": ["a", "a"]}',
      },
    },
  },
  // No specification defines an update in application/json, so a deviation from a merge patch is a warning there.
  'merge-patch': {
    levels: ['violation', 'warning'],
    docs: {
      title: 'An update changed a property that it did not mention, or kept one that it set to null',
      place: 'RFC 7396 §2',
      finds:
        'A PATCH after which a property that it does not name is lost or changed, or one that it sets to null still has its value. It is a violation for `application/merge-patch+json`, and a warning for `application/json`, whose meaning the policy question `patch-notation` settles.',
      example: {
        request: 'GET /orders/7\n\n(after PATCH /orders/7 {"note": null}, answered 200)',
        answer: 'HTTP/1.1 200 OK\n\n{"id": 7, "note": "two"}',
      },
    },
  },
  spill: {
    docs: {
      title: 'A request changed an item that it did not name',
      place: 'the operation, which changes the item that its path names',
      finds:
        'An item that shows what was written to another one, or is gone after another of its collection was changed or deleted. Items below a deleted one, and those that refer to it, may go with it; a flag or a state counts where three items move alike, each with such a request.',
      example: {
        request: 'GET /orders/8\n\n(after PUT /orders/7 {"note": "three"}, answered 200)',
        answer: 'HTTP/1.1 200 OK\n\n{"id": 8, "note": "three"}',
      },
    },
  },
  'page-overlap': {
    docs: {
      title: 'Two pages of a list show the same item',
      place: 'the operation, whose pages show the items one after the other',
      finds:
        'Pages that were asked for one after the other, while nothing was written, and show one item twice. In a collection that others may add to, one item may have moved, and two are needed.',
      example: {
        request: 'GET /orders?limit=2&offset=2',
        answer: 'HTTP/1.1 200 OK\n\n[{"id": 7}]\n\n(which offset 0 showed as well)',
      },
    },
  },
  'page-gap': {
    docs: {
      title: 'The pages of a list miss an item',
      place: 'the operation, whose pages show the items one after the other',
      finds:
        'Pages that were walked to their end, without an item that the same list shows when more is asked for at once.',
      example: {
        request: 'GET /orders?limit=2&offset=2',
        answer: 'HTTP/1.1 200 OK\n\n[]\n\n(and order 7 was on no page)',
      },
    },
  },
  'limit-ignored': {
    docs: {
      title: 'A page has more items than were asked for',
      place: 'the parameter of the list',
      finds: 'More items than the limit of the request. Fewer are fine: a service may cap its pages.',
      example: { request: 'GET /orders?limit=1', answer: 'HTTP/1.1 200 OK\n\n[{"id": 7}, {"id": 8}]' },
    },
  },
  'filter-ignored': {
    levels: ['violation', 'warning'],
    docs: {
      title: 'A list shows what was filtered out',
      place: 'the parameter of the list, which is called like a property',
      finds:
        'An item whose property differs from the parameter of the same name. Of a free text, a part is enough; what the document describes as a search, a bound or a time is not judged. An item that has no value for a flag or a state, and is shown under each of two, is a warning: it may be meant for all.',
      example: { request: 'GET /orders?paid=true', answer: 'HTTP/1.1 200 OK\n\n[{"id": 7, "paid": false}]' },
    },
  },
  'write-only-shown': {
    levels: ['violation', 'warning'],
    docs: {
      title: 'A response shows what is for requests alone',
      place: 'the schema, which has the property as `writeOnly`',
      finds:
        'A property that the schema of the response has as `writeOnly`, with a value that is not empty and not masked. OpenAPI 3.0 has it that it SHOULD NOT be sent, so that it is a warning there.',
      example: { request: 'GET /users/7', answer: 'HTTP/1.1 200 OK\n\n{"id": 7, "password": "hunter2"}' },
    },
  },
  'read-only-written': {
    docs: {
      title: 'A client could set what is for the service alone',
      place: 'the schema, which has the property as `readOnly`',
      finds:
        'A value for a `readOnly` property that a client sent, and that is shown afterwards though something else was there before. Where nothing was known before, only values count that nobody makes up by chance.',
      example: {
        request:
          'PUT /orders/7 {"total": 1, "createdAt": "1999-01-01T00:00:00Z"}\n\n(and then GET /orders/7)',
        answer: 'HTTP/1.1 200 OK\n\n{"id": 7, "total": 1, "createdAt": "1999-01-01T00:00:00Z"}',
      },
    },
  },
  'parent-ignored': {
    levels: ['violation', 'warning'],
    docs: {
      title: 'An item was served below a parent that is not its own',
      place: 'the path of the operation',
      finds:
        'An item that was created under one parent, and is read or listed, as it was written, under another that these requests made. A create that succeeds below a deleted parent is a warning.',
      example: {
        request: 'GET /customers/2/orders/7\n\n(created under /customers/1)',
        answer: 'HTTP/1.1 200 OK\n\n{"id": 7, "note": "two"}',
      },
    },
  },
  'safe-method-changes': {
    docs: {
      title: 'Reading changed what was read',
      place: 'RFC 9110 §9.2.1',
      finds:
        'An item that was made by these requests and read as it was written, and is gone or changed after nothing but GET and HEAD. What the service alone sets is not compared. Flags and states may move on by themselves: they count where three items move alike with the first look at each, or with the first list, whatever time has passed since they were written.',
      example: {
        request: 'GET /orders/7\n\n(after the same, answered 200)',
        answer: 'HTTP/1.1 404 Not Found',
      },
    },
  },
  'head-differs': {
    docs: {
      title: 'HEAD was not answered as GET',
      place: 'RFC 9110 §9.3.2',
      finds:
        'HEAD and GET of one target, with nothing written in between, that are answered with another status, `Content-Type` or `ETag`. A field may be missing; and a service need not have a HEAD that is not declared.',
      example: { request: 'HEAD /orders/7', answer: 'HTTP/1.1 404 Not Found\n\n(and 200 OK to GET)' },
    },
  },
  'precondition-ignored': {
    docs: {
      title: 'A change was made though its precondition did not hold',
      place: 'RFC 9110 §13.1.1 and §8.8.1',
      finds:
        'A change that succeeds under an `If-Match` that does not have the entity tag which the item was shown with, or under `If-None-Match: *` of an item that is there. So does one that succeeds under the strong `ETag` that the item had both before and after a client changed it (RFC 9110 §8.8.1). Items that have no `ETag` are not judged.',
      example: {
        request:
          'PUT /orders/7 {"total": 1}\nIf-Match: "1"\n\n(after GET /orders/7, answered with ETag: "2")',
        answer: 'HTTP/1.1 200 OK',
      },
    },
  },
  'lost-identity': {
    docs: {
      title: 'Two items were given one id',
      place: 'the operation, which makes the id',
      finds:
        'A create that is answered with the id of an item that was created before and is still there, though the two have nothing in common that could make them one.',
      example: {
        request: 'POST /orders {"note": "three"}\n\n(after POST /orders {"note": "two"}, answered the same)',
        answer: 'HTTP/1.1 201 Created\n\n{"id": 7, "note": "three"}',
      },
    },
  },
};

/** Defines a check by the conclusions of {@link followLifeCycles}. */
function lifeCycleCheck(id: LifeCycleCheckId, definition: Definition): SequenceCheck {
  return defineSequenceCheck({
    id,
    ...definition,
    judgeTrace: (trace, context) =>
      followLifeCycles(trace, context).flatMap(({ check, ...conclusion }) =>
        check === id ? [conclusion] : [],
      ),
  });
}

/** The checks of how several exchanges show items, by id. A trace is followed once for all of them. */
// `as`: each check is made under its own id.
export const lifeCycleChecks = Object.fromEntries(
  Object.entries(definitions).map(([id, definition]) => [
    id,
    lifeCycleCheck(id as LifeCycleCheckId, definition),
  ]),
) as unknown as { readonly [Id in LifeCycleCheckId]: SequenceCheck<Id> };
