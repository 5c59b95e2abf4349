import { defineSequenceCheck, type SequenceCheck } from '../define-check.ts';
import { type CheckDocs, type StatefulCheckId, statefulCheckIds } from '../finding.ts';
import { followItems } from './follow.ts';

/** The documentation of a check, and whether its findings may be warnings besides violations. */
type Definition = CheckDocs & { readonly mayWarn?: true };

const definitions: Readonly<Record<StatefulCheckId, Definition>> = {
  'read-after-write': {
    mayWarn: true,
    title: 'A read did not show what was written',
    place:
      'the operation, as its success means that the sent values are stored; for a replace, RFC 9110 §9.3.4',
    finds:
      'After a successful create, replace or update, a read or a list lacks a property that was written, or shows another value: an earlier one, a rejected one, an empty text for null, or one that the service trimmed or put into another case although the document does not describe that. Or it shows a part of each of two replaces that were in progress at the same time. Only properties that both request and response declare are compared, and neither `readOnly` nor `writeOnly` ones. Equal numbers and equal times are equal, an empty value may be missing, and a flag or a state that was shown as written may change later. It is a warning if no response shows the optional property, or if the id contains the value that stays.',
    example: {
      request: 'GET /orders/7\n\n(after PUT /orders/7 {"note": "three"}, answered 200)',
      answer: 'HTTP/1.1 200 OK\n\n{"id": 7, "note": "two"}',
    },
  },
  'created-not-found': {
    mayWarn: true,
    title: 'What was created is not there',
    place: 'RFC 9110 §15.3.2',
    finds:
      'After a successful create, the same client gets 404 or 410 for its item, and nothing in between could have removed it. Or a read of it is refused with 400, 409 or 422, or a change of it with 404 or 410 although reads before and after show it. After 202 nothing is reported. It is a warning if the client chose an id with a slash, which servers and gateways often refuse in a path.',
    example: {
      request: 'GET /orders/7\n\n(after POST /orders, answered 201 {"id": 7})',
      answer: 'HTTP/1.1 404 Not Found',
    },
  },
  location: {
    mayWarn: true,
    title: 'A create did not say where its item is',
    place: 'RFC 9110 §15.3.2',
    finds:
      'The `Location` of a create names another item than its response, the collection, or a path that returns 404 when the client follows it. If it leads to the item only without the first part of its path, as behind a gateway, it is a warning. A 201 without `Location` is a warning too (RFC 9110 §9.3.3 says SHOULD), whatever the rest of the response shows.',
    example: { request: 'POST /orders', answer: 'HTTP/1.1 201 Created\nLocation: /orders/8\n\n{"id": 7}' },
  },
  'list-lacks': {
    mayWarn: true,
    title: 'A list lacks an item that exists',
    place: 'the operation, which lists the items of the collection',
    finds:
      'A list was read to its end, page by page, without a filter, and does not show an item that was created before. Nothing is reported if the end is uncertain (the list may be cut), or if something changed meanwhile. It is a warning, which quotes the sentence, if the document calls the list filtered, cached or eventually consistent. If the document states how long the list may lag behind changes, it is asked again until that time is over (at most 30 seconds). If other clients have items too, several pages are reported only if their total shows that there are more items, as deletes by others shift the pages.',
    example: {
      request: 'GET /orders\n\n(after POST /orders, answered 201 {"id": 7})',
      answer: 'HTTP/1.1 200 OK\n\n[{"id": 6}]',
    },
  },
  'list-repeats': {
    title: 'A list shows an item twice',
    place: 'the operation, which lists the items of the collection',
    finds:
      'An item that was created before is twice on one page of a list, or a list below an item of this client shows a copy of it under an id that no request created.',
    example: { request: 'GET /orders', answer: 'HTTP/1.1 200 OK\n\n[{"id": 7}, {"id": 7}]' },
  },
  'deleted-still-there': {
    mayWarn: true,
    title: 'What was deleted is still there',
    place: 'RFC 9110 §9.3.5',
    finds:
      'After a successful delete, a read or a list shows the item as it was, or an item that a later request created or changed under its id shows a value that only the deleted one had. Nothing is reported after 202, or if the item itself shows it (`status`, `deletedAt`). It is a warning, which quotes the sentence, if the document says that items are archived or cancelled, and a warning if a replace creates the item again without 201 (RFC 9110 §9.3.4).',
    example: {
      request: 'GET /orders/7\n\n(after DELETE /orders/7, answered 204)',
      answer: 'HTTP/1.1 200 OK\n\n{"id": 7, "note": "two"}',
    },
  },
  'replace-is-partial': {
    mayWarn: true,
    title: 'A replace kept what it left out',
    place: 'RFC 9110 §9.3.4',
    finds:
      'A PUT omits a property that a client set before, and a later read shows the old value. The property may have its `default`. Nothing is reported if the PUT lacks a property that every item must have. It is a warning if the id contains the value that stays, or if the document says that it changes only what it names; then the warning quotes the sentence.',
    example: {
      request: 'GET /orders/7\n\n(after PUT /orders/7 {"total": 2}, answered 200)',
      answer: 'HTTP/1.1 200 OK\n\n{"id": 7, "total": 2, "note": "two"}',
    },
  },
  'replace-not-idempotent': {
    title: 'The same replace twice left another state than once',
    place: 'RFC 9110 §9.2.2',
    finds:
      'A PUT is sent twice, byte for byte, with nothing in between, and a property that clients set has another value after the second. Times and versions are not compared. A flag or a state may change by itself, so it counts only if the responses to four equal replaces alternate two values.',
    example: {
      request: 'PUT /orders/7 {"tags": ["a"]}\n\n(for the second time, and then GET /orders/7)',
      answer: 'HTTP/1.1 200 OK\n\n{"id": 7, "tags": ["a", "a"]}',
    },
  },
  'put-status': {
    mayWarn: true,
    title: 'A PUT did not say whether it created the item',
    place: 'RFC 9110 §9.3.4',
    finds:
      'A PUT is answered 201 although the item was read right before, or 200 or 204 although a read right before did not find the item and the next one shows it. It is a warning if the document declares only one of the two successes.',
    example: {
      request: 'PUT /orders/7 {"total": 2}\n\n(after GET /orders/7, answered 404)',
      answer: 'HTTP/1.1 200 OK',
    },
  },
  // No specification defines an update in application/json, so a deviation from a merge patch is a warning there.
  'merge-patch': {
    mayWarn: true,
    title: 'An update changed a property that it did not mention, or kept one that it set to null',
    place: 'RFC 7396 §2',
    finds:
      'After a PATCH, a property that it does not name is lost or changed, or one that it sets to null still has its value. It is a violation for `application/merge-patch+json`, and a warning for `application/json`, unless the description names RFC 7396 or the policy says `patch-notation: merge`. With this policy, a removed property must show its `default` or nothing.',
    example: {
      request: 'GET /orders/7\n\n(after PATCH /orders/7 {"note": null}, answered 200)',
      answer: 'HTTP/1.1 200 OK\n\n{"id": 7, "note": "two"}',
    },
  },
  spill: {
    title: 'A request changed an item that it did not name',
    place: 'the operation, which changes the item that its path names',
    finds:
      'An item shows a value that was written to another one, or is gone after another item of its collection was changed or deleted. Items below a deleted one, and items that refer to it, may be deleted with it. A flag or a state counts only if three items change alike, each after a request of this kind.',
    example: {
      request: 'GET /orders/8\n\n(after PUT /orders/7 {"note": "three"}, answered 200)',
      answer: 'HTTP/1.1 200 OK\n\n{"id": 8, "note": "three"}',
    },
  },
  'page-overlap': {
    title: 'Two pages of a list show the same item',
    place: 'the operation, whose pages show the items one after the other',
    finds:
      'Successive pages show one item twice, while nothing was written. In a collection that others may add to, two items are needed, as one may have moved.',
    example: {
      request: 'GET /orders?limit=2&offset=2',
      answer: 'HTTP/1.1 200 OK\n\n[{"id": 7}]\n\n(which offset 0 showed as well)',
    },
  },
  'page-gap': {
    mayWarn: true,
    title: 'The pages of a list miss an item',
    place: 'the operation, whose pages show the items one after the other',
    finds:
      'The pages were read to their end, and lack an item that the same list shows in a larger page. It is a warning, which quotes the sentence, if the document calls the list filtered, cached or eventually consistent. A stated time is waited for, as for `list-lacks`.',
    example: {
      request: 'GET /orders?limit=2&offset=2',
      answer: 'HTTP/1.1 200 OK\n\n[]\n\n(and order 7 was on no page)',
    },
  },
  'limit-ignored': {
    title: 'A page has more items than were asked for',
    place: 'the parameter of the list',
    finds: 'More items than the limit of the request. Fewer are fine: a service may cap its pages.',
    example: { request: 'GET /orders?limit=1', answer: 'HTTP/1.1 200 OK\n\n[{"id": 7}, {"id": 8}]' },
  },
  'filter-ignored': {
    mayWarn: true,
    title: 'A list shows what was filtered out',
    place: 'the parameter of the list, which has the name of a property',
    finds:
      'A property of a listed item differs from the parameter of the same name. For a free text, a part is enough. A parameter that the document describes as a search, a bound or a time is not checked. An item that has no value for a flag or a state, and is shown under each of two values, is a warning, as it may match all of them.',
    example: { request: 'GET /orders?paid=true', answer: 'HTTP/1.1 200 OK\n\n[{"id": 7, "paid": false}]' },
  },
  'sort-ignored': {
    title: 'A list is not in the order that was asked for',
    place: 'the parameter of the list',
    finds:
      'A request names a property in the parameter for sorting (`sort`, `order_by`), downwards after a minus or with `desc`, and the list shows an item before one that comes first. Numbers are compared by value, and texts by code, without case and by the alphabet: only what is wrong by each of them counts. Items without a value may come anywhere, and flags and states are not compared.',
    example: {
      request: 'GET /orders?sort=total',
      answer: 'HTTP/1.1 200 OK\n\n[{"id": 7, "total": 9}, {"id": 8, "total": 2}]',
    },
  },
  'list-total': {
    mayWarn: true,
    title: 'A list gives a wrong total',
    place: 'the operation, whose response has the number of items',
    finds:
      'A list was read to its end, and showed more items than its total, or fewer although all of them are of this client and nothing changed meanwhile. A total that is too high is a warning, as services estimate it, unless the list is below an item of this client, or was asked for a text.',
    example: { request: 'GET /orders', answer: 'HTTP/1.1 200 OK\n\n{"items": [{"id": 7}], "total": 2}' },
  },
  'write-only-shown': {
    mayWarn: true,
    title: 'A response shows what is for requests alone',
    place: 'the schema, which declares the property as `writeOnly`',
    finds:
      'A response has a value, neither empty nor masked, for a property that its schema declares as `writeOnly`. It is a warning in OpenAPI 3.0, which only says that the property SHOULD NOT be sent.',
    example: { request: 'GET /users/7', answer: 'HTTP/1.1 200 OK\n\n{"id": 7, "password": "hunter2"}' },
  },
  'read-only-written': {
    title: 'A client could set what is for the service alone',
    place: 'the schema, which declares the property as `readOnly`',
    finds:
      'A client sends a value for a `readOnly` property, and a later response shows it, though there was another value before. If no earlier value is known, only values count that are unlikely to be generated by chance.',
    example: {
      request: 'PUT /orders/7 {"total": 1, "createdAt": "1999-01-01T00:00:00Z"}\n\n(and then GET /orders/7)',
      answer: 'HTTP/1.1 200 OK\n\n{"id": 7, "total": 1, "createdAt": "1999-01-01T00:00:00Z"}',
    },
  },
  'service-value': {
    title: 'A value that the service sets is wrong',
    place: 'the property, which is readOnly',
    finds:
      'A change of an item changes when it was created (`createdAt`, `date_created`), or lowers its version (`version`, `revision`), or four changes leave the time of the last change (`updatedAt`, `modified`) as it was. Only properties that responses declare as `readOnly` are compared. A time may lose its fractions of a second.',
    example: {
      request: 'GET /orders/7\n\n(after PUT /orders/7, answered 200)',
      answer:
        'HTTP/1.1 200 OK\n\n{"id": 7, "createdAt": "2026-01-02T00:00:00Z"}\n\n(and before, "2026-01-01T00:00:00Z")',
    },
  },
  'parent-ignored': {
    mayWarn: true,
    title: 'An item was served below a parent that is not its own',
    place: 'the path of the operation',
    finds:
      'An item was created under one parent, and is read or listed, as it was written, under another one that these requests created. Or it is gone after a delete below another parent. A successful create below a deleted parent is a warning, and a read that shows an item there although the list shows nothing.',
    example: {
      request: 'GET /customers/2/orders/7\n\n(created under /customers/1)',
      answer: 'HTTP/1.1 200 OK\n\n{"id": 7, "note": "two"}',
    },
  },
  'safe-method-changes': {
    mayWarn: true,
    title: 'Reading changed what was read',
    place: 'RFC 9110 §9.2.1',
    finds:
      'An item that these requests created, and that was read as written, is gone or changed after only GET and HEAD. Properties that only the service sets are not compared. Flags and states may change by themselves: they count only if three items change alike after the first read of each, or after the first list, whatever time has passed since they were written. It is a warning, which quotes the sentence, if the document says that items expire or are marked by reading.',
    example: {
      request: 'GET /orders/7\n\n(after the same, answered 200)',
      answer: 'HTTP/1.1 404 Not Found',
    },
  },
  'head-differs': {
    mayWarn: true,
    title: 'HEAD was not answered as GET',
    place: 'RFC 9110 §9.3.2',
    finds:
      'HEAD and GET of one target, with no write in between, have different statuses, `Content-Type` or `ETag`. A field may be missing. It is a warning if the document does not declare HEAD, which the service then need not support.',
    example: { request: 'HEAD /orders/7', answer: 'HTTP/1.1 404 Not Found\n\n(and 200 OK to GET)' },
  },
  'precondition-ignored': {
    title: 'A change was made though its precondition did not hold',
    place: 'RFC 9110 §13.1.1 and §8.8.1',
    finds:
      'A change succeeds under an `If-Match` without the entity tag that the item was shown with, or under `If-None-Match: *` although the item exists. Another error is a change that succeeds under the strong `ETag` that the item had both before and after a client changed it (RFC 9110 §8.8.1), or a 412 under the strong `ETag` that reads before and after it show. Items without an `ETag` are not checked.',
    example: {
      request: 'PUT /orders/7 {"total": 1}\nIf-Match: "1"\n\n(after GET /orders/7, answered with ETag: "2")',
      answer: 'HTTP/1.1 200 OK',
    },
  },
  'lost-identity': {
    mayWarn: true,
    title: 'An id did not identify one item',
    place: 'the operation, which generates the id, or RFC 3986 §2.2 and §6.2.2',
    finds:
      'The response to a create has the id of an item that was created before and still exists, though the two have nothing in common that could make them one. Or a read of an item whose id the client chose shows that id in another spelling: in another case, decoded twice, or with other digits past 2^53. A read that shows an item although its id has another case in the path is a warning, and nothing if the document says how ids are compared.',
    example: {
      request: 'POST /orders {"note": "three"}\n\n(after POST /orders {"note": "two"}, answered the same)',
      answer: 'HTTP/1.1 201 Created\n\n{"id": 7, "note": "three"}',
    },
  },
};

/** Defines a check by the conclusions of {@link followItems}. */
function statefulCheck(id: StatefulCheckId): SequenceCheck {
  const { mayWarn = false, ...docs } = definitions[id];
  return defineSequenceCheck({
    id,
    levels: mayWarn ? ['violation', 'warning'] : ['violation'],
    docs,
    judgeTrace: (trace, context) =>
      followItems(trace, context).flatMap(({ check, ...conclusion }) => (check === id ? [conclusion] : [])),
  });
}

/** The checks of how several exchanges show items, by id. A trace is followed once for all of them. */
// `as`: each check is made under its own id.
export const statefulChecks = Object.fromEntries(
  statefulCheckIds.map((id) => [id, statefulCheck(id)]),
) as unknown as { readonly [Id in StatefulCheckId]: SequenceCheck<Id> };
