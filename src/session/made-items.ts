import { isAccepted, jsonContent } from '../check/classify/answer.ts';
import type { CheckedExchange } from '../check/classify/subject.ts';
import type { Contract, PathItem } from '../contract/contract.ts';
import { readCreatedKey } from '../contract/created-key.ts';
import { evaluateLink } from '../contract/path-links.ts';
import { createPathFinder, type Route } from '../contract/router.ts';
import { headerValue } from '../http/message.ts';
import { appendPointer, type JsonPointer } from '../json/pointer.ts';
import { stringifyJson } from '../json/print.ts';
import { isJsonNumber, type JsonValue } from '../json/value.ts';

/** An item that a create, or a PUT that creates, has created. */
export interface MadeItem {
  readonly item: PathItem;
  /** The value of its path parameter, percent-encoded. */
  readonly value: string;
  /** Its concrete path. */
  readonly path: string;
  /** The party that set its id; and if that is the service, the place of the id in the response. */
  readonly key: 'client' | 'service';
  readonly pointer: JsonPointer | undefined;
}

/** Returns an id as a path segment; undefined if the value is not an id. */
export function toValue(key: JsonValue | undefined): string | undefined {
  // JSON may contain half a surrogate pair. It has no UTF-8 form, and so none in a URL.
  if (typeof key === 'string' && /\p{Surrogate}/u.test(key)) return undefined;
  if (typeof key === 'string' && key !== '') return encodeURIComponent(key);
  return key !== undefined && isJsonNumber(key) ? stringifyJson(key) : undefined;
}

const knownItems = new WeakMap<Contract, Map<string, PathItem>>();

/** Returns the item for a collection in the paths of the document. */
function itemOf(contract: Contract, collection: string): PathItem | undefined {
  const known =
    knownItems.get(contract) ??
    new Map(
      contract.operations.flatMap(({ items }) => items.map((item) => [item.resource.collection, item])),
    );
  knownItems.set(contract, known);
  return known.get(collection);
}

interface KnownLinks {
  readonly items: readonly PathItem[];
  readonly find: ReturnType<typeof createPathFinder>;
}

const knownLinks = new WeakMap<Contract, KnownLinks>();

function findLinks(contract: Contract): KnownLinks {
  const items = contract.operations.flatMap((each) =>
    each.items.filter(({ expression }) => expression !== undefined),
  );
  const known = { items, find: createPathFinder(contract) };
  knownLinks.set(contract, known);
  return known;
}

/** Returns the items that an exchange refers to by a link of the document or by its `Location`. */
export function readLinked(judged: CheckedExchange, contract: Contract): readonly MadeItem[] {
  const { operation, answer, exchange, request } = judged;
  const { items, find } = knownLinks.get(contract) ?? findLinks(contract);
  if (items.length === 0 || operation === undefined || answer.kind !== 'response' || !isAccepted(answer))
    return [];
  const routeOf = (path: string): Route | undefined => find(path.split('?', 1)[0] ?? '').route;
  const { headers } = answer.response;
  const read = {
    sent: 'value' in request.body ? request.body.value : undefined,
    received: jsonContent(answer),
    headers,
    path: routeOf(exchange.request.target)?.parameters ?? {},
  };
  const location = headerValue(headers, 'location') ?? '';
  return items.flatMap((item): MadeItem[] => {
    const { maker, expression = '', parameter, path } = item;
    if (maker !== operation.id) return [];
    const route =
      expression === 'location' && URL.canParse(location, 'http://service.invalid/')
        ? routeOf(new URL(location, 'http://service.invalid/').pathname)
        : undefined;
    const isThere = [...(route?.operations.values() ?? [])].some(({ items: own }) => own.includes(item));
    const text = expression === 'location' ? undefined : evaluateLink(expression, read);
    const value = isThere ? route?.parameters[parameter] : text && encodeURIComponent(text);
    if (value === undefined || value === '') return [];
    const [, pointer] = /^\$response\.body#(.*)$/su.exec(expression) ?? [];
    return [{ item, value, path: path.replace(`{${parameter}}`, () => value), key: 'service', pointer }];
  });
}

/** Returns the created item of an exchange: its id is in the response, in the request, or else in `Location`. */
export function readMade(judged: CheckedExchange, contract: Contract): MadeItem | undefined {
  const { operation, exchange, answer, request } = judged;
  if (operation === undefined || !isAccepted(answer) || answer.kind !== 'response') return undefined;
  const { kind } = operation;
  const concrete = (exchange.request.target.split('?', 1)[0] ?? '').split('/');
  if (kind.kind === 'replace') {
    const item = operation.items.at(-1);
    const isMade = kind.creates && item?.maker === operation.id && item.path === operation.path.template;
    if (!isMade) return undefined;
    return {
      item,
      value: concrete.findLast((segment) => segment !== '') ?? '',
      path: concrete.join('/'),
      key: 'client',
      pointer: undefined,
    };
  }
  const item = kind.kind === 'create' ? itemOf(contract, kind.resource.collection) : undefined;
  if (kind.kind !== 'create' || item === undefined) return undefined;
  const { key } = kind;
  const sent = 'value' in request.body ? request.body.value : undefined;
  const { headers } = answer.response;
  const created = readCreatedKey(kind, { sent, received: jsonContent(answer), headers });
  const value = created?.from === 'location' ? created.segment : toValue(created?.key);
  if (value === undefined) return undefined;
  const template = item.path.split('/');
  const last = template.findLastIndex((segment) => segment.includes('{'));
  const path = template.map((segment, index) => {
    if (index === last) return segment.replace(/\{[^{}]*\}/u, () => value);
    return segment.includes('{') ? (concrete[index] ?? segment) : segment;
  });
  return {
    item,
    value,
    path: path.join('/'),
    key: key.kind === 'client' ? 'client' : 'service',
    pointer: created?.from === 'answer' ? appendPointer('', ...created.path, created.property) : undefined,
  };
}
