import { ClocheError } from '../../errors/cloche-error.ts';
import { checkOptionNames, closestWord } from '../../errors/suggest.ts';
import { decodeUtf8 } from '../../http/bytes.ts';
import { toHeaderList } from '../../http/message.ts';
import { pathOf } from '../../http/path.ts';
import { parseJsonValue } from '../../json/parse.ts';
import { appendPointer } from '../../json/pointer.ts';
import { stringifyJson } from '../../json/print.ts';
import { isJsonObject, jsonEqual, type JsonValue } from '../../json/value.ts';
import { type LoggedRequest, shorten } from '../message.ts';
import { type RequestReader, verdictOf } from './read-request.ts';
import type { RawRequest } from './ring-buffer.ts';
import { createItemMatcher } from './touched-item.ts';

/** The requests to select; an absent member selects all. */
export interface RequestFilter {
  readonly operation?: string;
  /** The method, in any case. */
  readonly method?: string;
  /** The path as sent, without the query, or a path template of the document. */
  readonly path?: string;
  /** The path of the item that the request names or creates; for a singleton, the path of the singleton. */
  readonly item?: string;
  readonly status?: number;
  readonly verdict?: LoggedRequest['verdict'];
  readonly condition?: string;
  /** A text that the target, the body or the message contains, ignoring case. */
  readonly search?: string;
  /** A value that the body contains: its members at any depth, numbers by value, arrays of the same length. */
  readonly body?: JsonValue;
  /** Header fields of the request, names in any case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Requests with a higher id. */
  readonly after?: number;
}

/** The expected number of requests. */
export type Times = number | { readonly atLeast?: number; readonly atMost?: number };

/** The result of a check of the number of requests. */
export interface Verification {
  readonly verified: boolean;
  readonly count: number;
  /** A sentence with the expected and the actual number of requests. */
  readonly message: string;
  /** If too few requests match: the closest request, and its differences. */
  readonly nearest?: { readonly request: LoggedRequest; readonly differences: readonly string[] } | undefined;
}

/** The requests to a mock, bounded in bytes: new requests replace the oldest. */
export interface RequestLog {
  /** Lists requests in the order in which they were answered; with a limit, only the newest. */
  list(filter?: RequestFilter, limit?: number): readonly LoggedRequest[];
  get(id: number): LoggedRequest | undefined;
  /** The number of requests that newer ones replaced since the log was cleared. */
  readonly dropped: number;
  /** The id of the oldest request in it; 0 if it is empty. */
  readonly first: number;
  /** The id of the newest request in it; 0 if it is empty. */
  readonly last: number;
  clear(): void;
  /** Waits until `times` requests match (default 1) or the timeout ends (default 5000 ms); returns those that match. */
  waitFor(
    filter: RequestFilter,
    options?: { readonly times?: number; readonly timeoutMs?: number; readonly signal?: AbortSignal },
  ): Promise<readonly LoggedRequest[]>;
  /**
   * Checks the number of requests; by default, at least one. Never throws for a wrong number or an unknown operation.
   *
   * @throws ClocheError OPTION_INVALID for a filter or number with an unknown name
   *
   * @example
   * const { verified, message } = mock.requests.verify({ operation: 'createOrder' }, 1);
   * assert.ok(verified, message);
   */
  verify(filter: RequestFilter, times?: Times): Verification;
}

/**
 * Rejects a filter with an unknown name: it would match every request, and a test would pass.
 *
 * @throws ClocheError OPTION_INVALID for any other name
 */
export function checkFilter(filter: RequestFilter): void {
  checkOptionNames(filter, { names: Object.keys(criteria), attempt: 'filter requests by' });
}

interface RequestCriterion {
  readonly fits: (raw: RawRequest) => boolean;
  /** Describes the difference of a request that does not match. The text may contain secrets. */
  readonly describe: (raw: RawRequest) => string;
}

type Lookup = Pick<RequestReader, 'read' | 'findItem'>;

/** The functions that create the criteria of each member of a filter, in the order in which differences are listed. */
const criteria: {
  readonly [Name in keyof RequestFilter]-?: (
    wanted: Required<RequestFilter>[Name],
    lookup: Lookup,
  ) => RequestCriterion | readonly RequestCriterion[];
} = {
  after: (after) => ({
    fits: (raw) => raw.id > after,
    describe: () => `it came before the request with the id ${after} had been answered`,
  }),
  method: (method) => equality('method', method.toUpperCase(), (raw) => raw.method.toUpperCase()),
  path: (path) => ({
    fits: (raw) => pathOf(raw.target) === path || templateOf(raw) === path,
    describe: (raw) => `its path is ${shorten(pathOf(raw.target))}, not ${path}`,
  }),
  item(path, { findItem }) {
    const matches = createItemMatcher(path);
    return {
      fits(raw) {
        const item = findItem(raw);
        return item !== undefined && matches(item);
      },
      describe(raw) {
        const { collection = 'none', key } = findItem(raw) ?? {};
        return `its item is ${shorten(key === undefined ? collection : `${collection}/${key}`)}, not ${shorten(path)}`;
      },
    };
  },
  operation: (id) => equality('operation', id, ({ answer }) => answer.note.operation),
  status: (status) => equality('status', status, ({ answer }) => answer.status),
  verdict: (verdict) => equality('verdict', verdict, ({ answer }) => verdictOf(answer.note)),
  condition: (condition) => equality('condition', condition, ({ answer }) => answer.note.condition),
  headers: (headers) => Object.entries(headers).map(([name, value]) => headerCriterion(name, value)),
  body: bodyCriterion,
  search: (search, { read }) => (search === '' ? [] : searchCriterion(search, read)),
};

/** Creates the criteria of a filter. */
export function createRequestCriteria(filter: RequestFilter, lookup: Lookup): readonly RequestCriterion[] {
  return Object.entries(criteria).flatMap(([name, make]) => {
    // `as`: the criteria have the names of a filter, and each takes the value of its member.
    const wanted = filter[name as keyof RequestFilter];
    return wanted === undefined ? [] : make(wanted as never, lookup);
  });
}

function equality(
  what: string,
  wanted: string | number,
  valueOf: (raw: RawRequest) => string | number | undefined,
): RequestCriterion {
  return {
    fits: (raw) => valueOf(raw) === wanted,
    describe: (raw) => `its ${what} is ${valueOf(raw) ?? 'none'}, not ${wanted}`,
  };
}

function templateOf({ answer, context }: RawRequest): string | undefined {
  const { operation } = answer.note;
  return context.contract.operations.find(({ id }) => id === operation)?.path.template;
}

function bodyCriterion(expected: JsonValue): RequestCriterion {
  const read = (raw: RawRequest): JsonValue | undefined => parseJsonValue(textOf(raw));
  return {
    fits(raw) {
      const body = read(raw);
      return body !== undefined && findJsonDifference(body, expected) === undefined;
    },
    describe(raw) {
      const body = read(raw);
      if (body === undefined) {
        return raw.content === 'not-read' ? 'its body was not read' : 'it has no body that is JSON';
      }
      const difference = findJsonDifference(body, expected);
      const place = difference?.pointer === '' ? 'its body' : `${difference?.pointer ?? ''} of its body`;
      return `${place} is ${show(difference?.actual)}, not ${show(difference?.expected)}`;
    },
  };
}

function headerCriterion(name: string, expected: string): RequestCriterion {
  const wanted = name.toLowerCase();
  const read = ({ fields }: RawRequest): readonly string[] =>
    toHeaderList(fields).flatMap(([field, value]) => (field.toLowerCase() === wanted ? [value] : []));
  return {
    fits(raw) {
      const values = read(raw);
      return values.includes(expected) || (values.length > 1 && values.join(', ') === expected);
    },
    describe(raw) {
      const values = read(raw);
      return values.length === 0
        ? `it has no header ${name}`
        : `its header ${name} is ${quote(values.join(', '))}, not ${quote(expected)}`;
    },
  };
}

function searchCriterion(search: string, read: (raw: RawRequest) => LoggedRequest): RequestCriterion {
  const wanted = search.toLowerCase();
  const holds = (texts: readonly (string | undefined)[]): boolean =>
    texts.some((text) => text?.toLowerCase().includes(wanted) === true);
  return {
    fits(raw) {
      // The raw text is tested first, as removing secrets is slow; the secrets themselves must not be found.
      if (!holds([raw.target, raw.answer.note.message, textOf(raw)])) return false;
      const { target, message, request } = read(raw);
      return holds([target, message, request.body]);
    },
    describe: () => `nothing about it holds ${quote(search)}`,
  };
}

/**
 * Checks the number of requests, and describes the requests that came instead.
 *
 * @throws ClocheError OPTION_INVALID for an invalid filter or number
 */
export function verifyRequests(
  input: {
    /** The requests, the oldest first. */
    readonly requests: readonly RawRequest[];
    readonly dropped: number;
    readonly filter: RequestFilter;
    readonly times: Times;
    /** The operation ids of the contract. */
    readonly operations: readonly string[];
  } & RequestReader,
): Verification {
  const { requests, dropped, filter, times, read, hide } = input;
  checkFilter(filter);
  checkTimes(times);
  const sought = createRequestCriteria(filter, input);
  const matching = requests.filter((raw) => sought.every(({ fits }) => fits(raw))).length;
  const unknown = explainUnknown(filter.operation, input.operations, requests);
  const [least, most] = boundsOf(times);
  // A schema cannot compare two numbers, so these bounds are accepted, but no number is within them.
  const impossible = least > most ? ', which is impossible' : '';
  const expected = `Expected ${describeExpected(filter, times)}${impossible}`;
  if (unknown !== undefined) {
    return { verified: false, count: matching, message: `${expected}. ${unknown}` };
  }
  const all = requests.length === 1 ? '1 request' : `${requests.length} requests`;
  const lost = dropped === 0 ? '' : `; the log no longer has ${dropped} older ones`;
  const verb = filter.operation === undefined ? 'sent' : 'called';
  const came = `${expected}; it was ${verb} ${count(matching)} (${all} in all${lost}).`;
  if (matching >= least && matching <= most) return { verified: true, count: matching, message: came };
  const near = matching < least ? findNearest(requests, sought) : undefined;
  if (near === undefined) return { verified: false, count: matching, message: came };
  const request = read(near.raw);
  const differences = near.missed.map(({ describe }) => hide(near.raw, describe(near.raw)));
  const nearest = `The nearest is request ${request.id}, ${request.method} ${request.target}: ${differences.join(', and ')}.`;
  const message = `${came} ${nearest}`;
  return { verified: false, count: matching, message, nearest: { request, differences } };
}

/** Explains an unknown operation: that it was never called would prove nothing. */
function explainUnknown(
  operation: string | undefined,
  known: readonly string[],
  requests: readonly RawRequest[],
): string | undefined {
  if (operation === undefined || known.includes(operation)) return undefined;
  // An earlier contract had the operation.
  if (requests.some(({ answer }) => answer.note.operation === operation)) return undefined;
  const near = closestWord(operation, known);
  const hint =
    near === undefined ? `; it has ${known.slice(0, 10).join(', ')}.` : `. Did you mean "${near}"?`;
  return `The document has no operation "${shorten(operation)}"${hint}`;
}

/** Finds the closest request; of several, the newest, which the user is likely to have just tried. */
function findNearest(
  requests: readonly RawRequest[],
  sought: readonly RequestCriterion[],
): { readonly raw: RawRequest; readonly missed: readonly RequestCriterion[] } | undefined {
  let nearest: ReturnType<typeof findNearest>;
  for (const raw of requests) {
    const missed = sought.filter(({ fits }) => !fits(raw));
    const most = Math.min(sought.length - 1, nearest?.missed.length ?? Infinity);
    if (missed.length > 0 && missed.length <= most) nearest = { raw, missed };
  }
  return nearest;
}

/** Describes the expected requests: `POST /orders (status 400) twice`. It omits header values, which may be secrets. */
function describeExpected(filter: RequestFilter, times: Times): string {
  const { operation, method, path, headers = {}, body, after, search } = filter;
  const words = [operation, method?.toUpperCase(), path].filter((word) => word !== undefined);
  const { item, status, verdict, condition } = filter;
  const plain = Object.entries({ item, status, verdict, condition });
  const further = [
    ...plain.flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`])),
    ...Object.keys(headers).map((name) => `header ${shorten(name)}`),
    ...(body === undefined ? [] : [`body containing ${shorten(stringifyJson(body))}`]),
    ...(search === undefined ? [] : [`text ${quote(search)}`]),
    ...(after === undefined ? [] : [`after request ${after}`]),
  ];
  const { atLeast, atMost } = typeof times === 'number' ? { atMost: times } : times;
  const isNone = atMost === 0 && atLeast === undefined;
  const subject = shorten(words.join(' ')) || (isNone ? 'request' : 'a request');
  const what = further.length === 0 ? subject : `${subject} (${further.join(', ')})`;
  if (isNone) return `no ${what}`;
  if (typeof times === 'number') return `${what} ${count(times)}`;
  const bounds = [
    ...(atLeast === undefined ? [] : [`at least ${count(atLeast)}`]),
    ...(atMost === undefined ? [] : [`at most ${count(atMost)}`]),
  ];
  return `${what} ${bounds.join(' and ') || 'any number of times'}`;
}

function count(times: number): string {
  return [undefined, 'once', 'twice'][times] ?? `${times} times`;
}

function boundsOf(times: Times): readonly [least: number, most: number] {
  return typeof times === 'number' ? [times, times] : [times.atLeast ?? 0, times.atMost ?? Infinity];
}

/** Rejects an invalid number: an ignored misspelling like `atleast` would accept any number of requests. */
function checkTimes(times: Times): void {
  if (typeof times === 'object') {
    checkOptionNames(times, { names: ['atLeast', 'atMost'], attempt: 'expect requests' });
  }
  const given: readonly unknown[] = typeof times === 'object' ? [times.atLeast, times.atMost] : [times];
  for (const each of given) {
    if (each !== undefined && !(Number(each) >= 0 && (Number.isInteger(each) || each === Infinity))) {
      throw new ClocheError('OPTION_INVALID', {
        attempt: 'expect requests so many times',
        subject: typeof each === 'number' ? String(each) : JSON.stringify(each),
        reason: 'it is no whole number from 0 on',
        remedy: 'Write a number, as 1, or { atLeast: 1, atMost: 3 }',
      });
    }
  }
}

/**
 * Finds the first difference to a value that another must contain: objects need each expected member, arrays the same
 * number of items, each containing the expected one; all else must be equal, numbers by value.
 */
export function findJsonDifference(
  actual: JsonValue | undefined,
  expected: JsonValue,
  pointer = '',
):
  | { readonly pointer: string; readonly expected: JsonValue; readonly actual: JsonValue | undefined }
  | undefined {
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    return expected
      .map((item, index) => findJsonDifference(actual[index], item, appendPointer(pointer, String(index))))
      .find((difference) => difference !== undefined);
  }
  if (!isJsonObject(expected)) {
    return actual !== undefined && jsonEqual(actual, expected) ? undefined : { pointer, expected, actual };
  }
  if (actual === undefined || !isJsonObject(actual)) return { pointer, expected, actual };
  for (const [name, member] of Object.entries(expected)) {
    const own = Object.hasOwn(actual, name) ? actual[name] : undefined;
    const difference = findJsonDifference(own, member, appendPointer(pointer, name));
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function quote(text: string | undefined): string {
  return text === undefined ? 'none' : JSON.stringify(shorten(text));
}

function show(value: JsonValue | undefined): string {
  return value === undefined ? 'not there' : shorten(stringifyJson(value));
}

/** Decodes the content; undefined if there is none, or it is not text. */
function textOf({ content }: RawRequest): string | undefined {
  return content === undefined || typeof content === 'string' ? undefined : decodeUtf8(content);
}
