import type { Contract, Operation } from '../../contract/contract.ts';
import { keptRole } from '../../contract/resources.ts';
import { concreteCollection, createPathFinder } from '../../contract/router.ts';
import { decodeUtf8 } from '../../http/bytes.ts';
import { framingFields, type HttpRequest, type HttpResponse } from '../../http/message.ts';
import { canonicalPath, pathOf } from '../../http/path.ts';
import { parseQuery } from '../../http/query.ts';
import { parseJsonValue } from '../../json/parse.ts';
import { stringifyJson } from '../../json/print.ts';
import { jsonEqual, type JsonObject } from '../../json/value.ts';
import { type Policy, policyOf } from '../../policy/policy.ts';
import { withoutFields } from '../answer/representation.ts';
import type { HandlerStep } from '../handlers/handler-step.ts';
import { toValidationMode, type ValidRequest } from '../handlers/stored-form.ts';
import { createItemFinder } from '../log/touched-item.ts';
import type { MockResponse, TouchedItem } from '../message.ts';
import { itemsIn } from '../state/example-rows.ts';
import type { MockState } from '../state/rows.ts';
import { findProblems } from '../user-handlers/find-problems.ts';
import { RecordedItems } from './recorded-items.ts';

/** An exchange between a client and a real service. */
export interface RecordedExchange {
  /** Its place, in words: `entry 3 of session.har`. */
  readonly place: string;
  /** The request, with a target below the base URL of the service. */
  readonly request: HttpRequest;
  /** The response, with its content decoded. */
  readonly response: HttpResponse;
}

/** A recorded exchange of an operation. */
interface Recorded extends RecordedExchange {
  readonly operation: Operation;
  readonly path: string;
  readonly answer: MockResponse;
}

/** The recorded exchanges of the operations of one contract. */
export interface Recording {
  /** Answers requests of an operation; undefined if no recorded exchange concerns it. */
  readonly stepOf: (operation: Operation) => HandlerStep | undefined;
  /** Lists the exchanges that match no operation or break the document, one line each, with a count first. */
  readonly report: () => readonly string[];
  /** Stores the recorded items, so that requests can change them. */
  readonly storeItems: (state: MockState, isReplacing: boolean) => Promise<void>;
}

type Role = NonNullable<ReturnType<typeof keptRole>>;

/** The maximum number of exchanges that a report names. */
const mostNamed = 3;
/** Fields that the mock sets itself, and those that would outlive the mock in a browser (RFC 6797, RFC 7838). */
const left = /^(?:access-control-.*|content-encoding|date|strict-transport-security|alt-svc)$/iu;

/**
 * Prepares recorded exchanges. They answer before the state, except for items that differ from the recorded ones.
 */
export function prepareRecording(
  exchanges: readonly RecordedExchange[],
  contract: Contract,
  policy: Policy,
): Recording {
  const findPath = createPathFinder(contract);
  const strays: RecordedExchange[] = [];
  const byOperation = new Map<Operation, Recorded[]>();
  for (const exchange of exchanges) {
    const { path, route } = findPath(pathOf(exchange.request.target));
    const operation = route?.operations.get(exchange.request.method);
    if (operation === undefined) {
      strays.push(exchange);
      continue;
    }
    const recorded = { ...exchange, operation, path, answer: toAnswer(exchange, operation, policy) };
    byOperation.set(operation, [...(byOperation.get(operation) ?? []), recorded]);
  }
  return new ReplayedExchanges(byOperation, strays, createItemFinder(contract));
}

type FindItem = ReturnType<typeof createItemFinder>;

class ReplayedExchanges implements Recording {
  readonly #byOperation: ReadonlyMap<Operation, readonly Recorded[]>;
  readonly #all: readonly Recorded[];
  /** The exchanges that match no operation. */
  readonly #strays: readonly RecordedExchange[];
  readonly #findItem: FindItem;
  readonly #items: RecordedItems;

  constructor(
    byOperation: ReadonlyMap<Operation, readonly Recorded[]>,
    strays: readonly RecordedExchange[],
    findItem: FindItem,
  ) {
    this.#byOperation = byOperation;
    this.#all = [...byOperation.values()].flat();
    this.#strays = strays;
    this.#findItem = findItem;
    this.#items = new RecordedItems(listItems(this.#all, findItem));
  }

  readonly stepOf: Recording['stepOf'] = (operation) => {
    const own = this.#byOperation.get(operation) ?? [];
    const role = keptRole(operation);
    if (role === undefined) {
      if (own.length === 0) return undefined;
      return (request, next) => chooseNearest(own, request)?.answer ?? next(request);
    }
    const concerns = this.#all.some(
      (each) => keptRole(each.operation)?.resource.collection === role.resource.collection,
    );
    if (!concerns) return undefined;
    if (role.kind === 'list' || role.kind === 'read')
      return own.length === 0 ? undefined : this.#read(own, role);
    return this.#write(own, role.kind === 'create');
  };

  readonly report: Recording['report'] = () => {
    const broken = this.#all.filter(({ answer }) => answer.note.undeclared !== undefined);
    return [
      ...list(this.#strays, 'match no operation', () => ''),
      ...list(broken, 'break the document, and are served', ({ answer }) =>
        // The reason may quote a value of the content, which may be a secret.
        (answer.note.problems?.() ?? [])
          .flatMap(({ clause }) => (clause ? ` (${clause.text})` : []))
          .join(''),
      ),
    ];
  };

  readonly storeItems: Recording['storeItems'] = (state, isReplacing) =>
    this.#items.store(state, isReplacing);

  #touches(target: string, content: Uint8Array | undefined, answer: MockResponse): TouchedItem | undefined {
    return this.#findItem({ target, content, answer });
  }

  #read(own: readonly Recorded[], role: Role): HandlerStep {
    return async (request, next) => {
      const samePath = own.filter((each) => isAtPath(each, request));
      const found = chooseNearest(samePath, request);
      if (found === undefined) return next(request);
      const item = this.#touches(request.head.target, undefined, found.answer);
      const collection = item?.collection ?? concreteCollection(role.resource, request.path);
      const key = role.kind === 'list' ? undefined : (item?.key ?? '');
      return (await this.#items.isChanged(collection, key)) ? next(request) : found.answer;
    };
  }

  #write(own: readonly Recorded[], isCreate: boolean): HandlerStep {
    return async (request, next) => {
      const { target, method } = request.head;
      const same = own.filter((each) => isAtPath(each, request) && hasBody(each, request));
      const found = chooseNearest(same, request);
      const item = found && this.#touches(target, request.bytes, found.answer);
      const isOld = item !== undefined && (await this.#items.isChanged(item.collection, item.key ?? ''));
      if (found !== undefined && !isOld) {
        if (found.answer.status >= 400) return found.answer;
        const [value] = isCreate ? shownBy(found) : [];
        const isPut =
          item !== undefined && value !== undefined && (await this.#items.put(item.collection, value));
        if (isPut) return found.answer;
      }
      const made = await next(request);
      const isMissing = made.note.condition === 'not-found';
      const touched = this.#touches(target, request.bytes, made);
      if (method === 'DELETE' && touched !== undefined && (isMissing || made.status < 300))
        this.#items.noteDeleted(touched.collection, touched.key ?? '');
      return found !== undefined && !isOld && !isCreate && (made.status < 400 || isMissing)
        ? found.answer
        : made;
    };
  }
}

function isAtPath({ path }: Recorded, request: ValidRequest): boolean {
  return canonicalPath(path) === canonicalPath(request.path);
}

/** Returns the items in a recorded response. */
function shownBy({ operation, response }: Recorded): readonly JsonObject[] {
  return itemsIn(operation.kind, parseJsonValue(decodeUtf8(response.body)) ?? null);
}

/** Lists the items in the responses to reads, without those that the recording creates. */
function listItems(
  all: readonly Recorded[],
  findItem: FindItem,
): ConstructorParameters<typeof RecordedItems>[0] {
  const created = new Set<string>();
  return all.flatMap((recorded) => {
    const { operation, path, request, response, answer } = recorded;
    const role = keptRole(operation);
    if (role === undefined || response.status >= 300) return [];
    const isCreate = role.kind === 'create' || (role.kind === 'replace' && response.status === 201);
    if (isCreate) {
      const item = findItem({ target: request.target, content: request.body, answer });
      if (item !== undefined) created.add(`${item.collection} ${item.key}`);
    }
    if (role.kind !== 'list' && role.kind !== 'read') return [];
    const { key, kind } = role.resource;
    const collection = concreteCollection(role.resource, path);
    const isListed = kind === 'singleton' || key.kind !== 'none';
    return shownBy(recorded).flatMap((value) => {
      const id = key.kind === 'none' ? undefined : value[key.property];
      const name = typeof id === 'string' ? id : stringifyJson(id ?? null);
      const isOwn = isListed && !created.has(`${collection} ${name}`);
      return isOwn ? [{ collection, id: id === undefined ? undefined : name, value }] : [];
    });
  });
}

function list<Each extends RecordedExchange>(
  exchanges: readonly Each[],
  what: string,
  explain: (exchange: Each) => string,
): readonly string[] {
  if (exchanges.length === 0) return [];
  const named = exchanges
    .slice(0, mostNamed)
    .map((each) => `${each.request.method} ${pathOf(each.request.target)} in ${each.place}${explain(each)}`);
  const rest = exchanges.length > mostNamed ? ', …' : '';
  return [`Recorded exchanges that ${what}: ${exchanges.length}: ${named.join(', ')}${rest}.`];
}

/** Returns a recorded response as one of the mock, marked as recorded and, if it breaks the document, as undeclared. */
function toAnswer(
  { request, response, place }: RecordedExchange,
  operation: Operation,
  policy: Policy,
): MockResponse {
  const { status } = response;
  const removed = response.headers.flatMap(([name]) =>
    left.test(name) || framingFields.has(name.toLowerCase()) ? [name.toLowerCase()] : [],
  );
  const headers = [...withoutFields(response.headers.flat(), removed), 'Cloche-Sample', 'recorded'];
  const body = status === 204 || status === 304 ? undefined : response.body;
  const reading = toValidationMode(policyOf(policy, operation.id));
  const found = findProblems({ status, headers, body, value: undefined }, operation, {
    reading,
    method: request.method,
  });
  const note = { operation: operation.id, sample: 'recorded' } as const;
  const [first] = found;
  if (first === undefined)
    return { status, headers, body, note: { ...note, message: `Recorded: ${place}.` } };
  const message = `Recorded: ${place}; it breaks the document: ${first.reason}.`;
  return {
    status,
    headers: [...headers, 'Cloche-Undeclared', 'recording'],
    body,
    note: { ...note, undeclared: 'recording', message, problems: () => found },
  };
}

/** Returns the nearest exchange, the first of several: by the path, the values of the query, then the body. */
function chooseNearest(own: readonly Recorded[], request: ValidRequest): Recorded | undefined {
  const [first, ...others] = own;
  if (first === undefined || others.length === 0) return first;
  const wanted = canonicalPath(request.path).split('/');
  const query = new Map(parseQuery(request.head.target));
  const distances = own.map((each) => {
    const given = new Map(parseQuery(each.request.target));
    const names = [...new Set([...query.keys(), ...given.keys()])];
    const segments = canonicalPath(each.path).split('/');
    return [
      segments.filter((segment, at) => segment !== wanted[at]).length,
      names.filter((name) => query.get(name) !== given.get(name)).length,
      hasBody(each, request) ? 0 : 1,
    ];
  });
  let best = 0;
  for (const [index, distance] of distances.entries()) {
    const differs = distance.findIndex((each, at) => each !== distances[best]?.[at]);
    if (differs !== -1 && (distance[differs] ?? 0) < (distances[best]?.[differs] ?? 0)) best = index;
  }
  return own[best];
}

/** Returns whether a request has the content of a recorded one: an equal JSON value, or else the same bytes. */
function hasBody({ request }: Recorded, { bytes }: ValidRequest): boolean {
  const [recorded, sent] = [request.body, bytes].map((body) => decodeUtf8(body ?? new Uint8Array()) ?? '');
  if (recorded === sent) return request.body?.length === bytes?.length;
  const [was, is] = [parseJsonValue(recorded), parseJsonValue(sent)];
  return was !== undefined && is !== undefined && jsonEqual(was, is);
}
