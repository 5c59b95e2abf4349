import { keySlots, type RequestCase } from '../arbitrary/request-case.ts';
import { canaryTexts, isAccepted } from '../check/classify/answer.ts';
import { isPlainOrNone, isTrusted, readKey } from '../check/classify/request.ts';
import { createSentKeys, rememberKey, type SentKeys } from '../check/classify/sent-keys.ts';
import type { CheckedExchange, ClassifiedRequest } from '../check/classify/subject.ts';
import type { Operation } from '../contract/contract.ts';
import { idText } from '../contract/list-pages.ts';
import type { HttpRequest } from '../http/message.ts';
import { pathOf } from '../http/path.ts';
import { parseJsonValue } from '../json/parse.ts';
import { memberAt } from '../json/pointer.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import type { ItemTags } from './item-tags.ts';
import { slotText } from './keys.ts';
import type { MadeItem } from './made-items.ts';
import type { IdContext } from './session.ts';

/** A request that was sent. */
export interface SentRequest {
  readonly request: RequestCase;
  readonly keys: IdContext;
  /** The values of the items in its path. */
  readonly items: ReadonlyMap<string, string>;
  readonly body: Uint8Array | undefined;
  /** The times of sending and of the response, in milliseconds of one clock; Infinity until there is one. */
  readonly from: number;
  to: number;
}

/** Records the sender of each text, to recognize a text in the response to another request. */
export interface SentTexts {
  /** Records a request as pending. */
  leave(sent: SentRequest): void;
  /** Records a response, and the request's unique texts that can be recognized later. */
  arrive(sent: SentRequest, texts: readonly string[]): void;
  /** Finds the last request to an operation that contained a text, or a pending one that does. */
  find(operationId: string, text: string): SentRequest | undefined;
}

/** The maximum number of texts. A leak appears within a few requests, and a long run cannot keep all. */
const mostTexts = 2_000;
/** The maximum body length: bodies with these texts are short. */
const longestBody = 4_096;

/** Creates an empty record of sent texts. */
export function createSentTexts(): SentTexts {
  const underWay = new Set<SentRequest>();
  const byText = new Map<string, SentRequest>();

  function holds({ request, body }: SentRequest, operationId: string, text: string): boolean {
    return (
      request.operationId === operationId &&
      body !== undefined &&
      body.length <= longestBody &&
      new TextDecoder().decode(body).includes(JSON.stringify(text))
    );
  }

  return {
    leave: (sent) => void underWay.add(sent),
    arrive(sent, texts) {
      underWay.delete(sent);
      sent.to = performance.now();
      for (const text of texts) {
        const name = `${sent.request.operationId ?? ''} ${text}`;
        byText.delete(name);
        byText.set(name, sent);
      }
      for (const oldest of byText.keys()) {
        if (byText.size <= mostTexts) return;
        byText.delete(oldest);
      }
    },
    find: (operationId, text) =>
      [...underWay].find((sent) => holds(sent, operationId, text)) ?? byText.get(`${operationId} ${text}`),
  };
}

interface Sent {
  readonly exchange: { readonly request: HttpRequest };
}

/** The times of requests, and which of them create the same item. */
export interface SentMakes {
  /** Records a request as pending. If the id of a create was not drawn for it, another request may have the same id. */
  leave(
    request: HttpRequest,
    of: { readonly operation: Operation | undefined; readonly isDrawn: boolean },
  ): void;
  arrive(request: HttpRequest): void;
  /** Returns whether a request with the id of `made` was pending between sending `from` and the response to `to`. */
  readonly isRepeated: (made: Sent, from: Sent, to: Sent) => boolean;
  /** Returns whether each of two requests was sent before the other was answered. */
  readonly isConcurrent: (one: Sent, other: Sent) => boolean;
  /** Returns the time from the response to one request to the sending of another, in milliseconds; 0 if it is unknown. */
  readonly elapsedMs: (one: Sent, other: Sent) => number;
}

interface SentMake {
  /** The path and the id; undefined if the request does not choose the id. */
  readonly name: string | undefined;
  readonly from: number;
  to: number;
}

/** The maximum number of creates. Far fewer occur between a delete and the read after it. */
const mostMakes = 2_000;

/** Creates an empty record of requests. */
export function createSentMakes(): SentMakes {
  const all = new WeakMap<HttpRequest, SentMake>();
  const makes = new Set<SentMake>();
  return {
    leave(request, { operation, isDrawn }) {
      const name = isDrawn ? undefined : chosenName(request, operation);
      const make: SentMake = { name, from: performance.now(), to: Infinity };
      all.set(request, make);
      if (name === undefined) return;
      makes.add(make);
      const [oldest] = makes;
      if (oldest !== undefined && makes.size > mostMakes) makes.delete(oldest);
    },
    arrive(request) {
      const make = all.get(request);
      if (make !== undefined) make.to = performance.now();
    },
    isRepeated(made, from, to) {
      const [own, first, last] = [made, from, to].map(({ exchange }) => all.get(exchange.request));
      const [start, end] = [first?.from ?? Infinity, last?.to ?? 0];
      return [...makes].some(
        (make) => make !== own && make.name === own?.name && make.to > start && make.from < end,
      );
    },
    isConcurrent(one, other) {
      const [first, second] = [one, other].map(({ exchange }) => all.get(exchange.request));
      if (first === undefined || second === undefined) return false;
      return first.from < second.to && second.from < first.to;
    },
    elapsedMs(one, other) {
      const [first, second] = [one, other].map(({ exchange }) => all.get(exchange.request));
      return first === undefined || second === undefined ? 0 : second.from - first.to;
    },
  };
}

function chosenName({ target, body }: HttpRequest, operation: Operation | undefined): string | undefined {
  const kind = operation?.kind;
  if (kind?.kind !== 'create' || kind.key.kind === 'none' || body === undefined) return undefined;
  const sent = parseJsonValue(new TextDecoder().decode(body));
  const key = memberAt(sent, [...kind.request, kind.key.property]);
  return key === undefined ? undefined : `${pathOf(target)} ${idText(key)}`;
}

/** A singleton that the run changes although other clients use it, such as `/settings`. */
export interface Original {
  /** Its concrete path. */
  readonly path: string;
  readonly reader: Operation;
  /** Its representation before the first change; null if there was none, undefined if no response showed it. */
  readonly value: Promise<JsonObject | null | undefined>;
  /** Whether it may differ from that. */
  isChanged: boolean;
}

/** State that all properties of one run share. */
export interface RunMemory {
  /** The ids that were sent, by operation and value. */
  readonly sentKeys: SentKeys;
  /** The ids of the operations that accepted a plain request. */
  readonly taken: Set<string>;
  /** The plain bodies that were accepted, without their ids, by operation; used to find equal ones. */
  readonly takenBodies: Set<string>;
  /** Some of the valid bodies that were accepted, by operation id. */
  readonly acceptedBodies: Map<string, JsonValue[]>;
  /** The ids of the operations that accepted equal plain bodies with different ids. */
  readonly acceptsEqual: Set<string>;
  readonly sentTexts: SentTexts;
  readonly sentMakes: SentMakes;
  /** The cursors in responses. */
  readonly cursors: Set<string>;
  /** The names of alternatives of `security` for which the service rejects the token. */
  readonly rejected: Set<string>;
  /** The prefix of a token without a scheme in an API key in Authorization: `Bearer ` if the service requires it. */
  keyPrefix: string;
  longestPlainBody: number;
  /** The numbers of plain bodies with fresh ids that were sent and accepted. */
  readonly plain: { sent: number; accepted: number };
  /** The items that the run created and did not delete, by concrete path. */
  readonly made: Map<string, MadeItem>;
  /** The ETags of items. */
  readonly tags: ItemTags;
  /** The singletons that the run changes, by concrete path. */
  readonly originals: Map<string, Original>;
  /** The number of further created items, by collection, that no path identifies and the run cannot recognize. */
  readonly unnamed: Map<string, number>;
  /** Exchanges without a response and their times. Those before the request time of a later response are removed. */
  brokenOff: { readonly judged: CheckedExchange; readonly at: number }[];
  /** Whether the service ever responded. */
  wasThere: boolean;
  /** The latest time at which a request to an operation was sent that got a response, as of `performance.now`. */
  answeredFrom: number;
  /** Whether connections fail, or the whole service hangs. */
  isGone: boolean;
  /** The last request that affects the whole service: `POST /shutdown`. */
  lastOfService: string | undefined;
}

/** Creates the memory of a run before its first request. */
export function createRunMemory(): RunMemory {
  return {
    sentKeys: createSentKeys(),
    taken: new Set(),
    takenBodies: new Set(),
    acceptedBodies: new Map(),
    acceptsEqual: new Set(),
    sentTexts: createSentTexts(),
    sentMakes: createSentMakes(),
    cursors: new Set(),
    rejected: new Set(),
    keyPrefix: '',
    longestPlainBody: 0,
    plain: { sent: 0, accepted: 0 },
    made: new Map(),
    tags: new Map(),
    originals: new Map(),
    unnamed: new Map(),
    brokenOff: [],
    wasThere: false,
    answeredFrom: -Infinity,
    isGone: false,
    lastOfService: undefined,
  };
}

/** The maximum number of stored accepted bodies per operation, and their maximum length in bytes. */
const mostAccepted = { bodies: 300, bytes: 4_096 };

/** Records a valid body that was accepted. It contradicts limits that its values exceed. */
export function rememberAccepted({ acceptedBodies }: RunMemory, judged: CheckedExchange): void {
  const { body, bodyBytes } = judged.request;
  const { id = '' } = judged.operation ?? {};
  const known = acceptedBodies.get(id) ?? [];
  const isKept = known.length < mostAccepted.bodies && bodyBytes <= mostAccepted.bytes;
  if (body.kind === 'valid' && isKept && isAccepted(judged.answer)) {
    known.push(body.value);
    acceptedBodies.set(id, known);
  }
}

/** The maximum number of requests that are pending when a service crashes. */
const mostBrokenOff = 100;

/** Records that the service responded, or that it left a request without a response, which may have crashed it. */
export function rememberPresence(memory: RunMemory, judged: CheckedExchange, startedAt: number): void {
  const { answer, durationMs } = judged.exchange;
  const { kind } = answer;
  // A server may answer others although its application hangs.
  const isUsual = judged.operation !== undefined && judged.request.framing === 'content-length';
  if (kind === 'response' && isUsual) memory.answeredFrom = Math.max(memory.answeredFrom, startedAt);
  if (kind === 'response') {
    memory.wasThere = true;
    // When a service crashes, responses to earlier requests may still arrive.
    if (memory.brokenOff.length > 0) {
      memory.brokenOff = memory.brokenOff.filter(({ at }) => at > startedAt);
    }
  } else if (kind === 'dropped' || kind === 'timed-out') {
    const at = kind === 'dropped' ? performance.now() : startedAt + durationMs / 2;
    memory.brokenOff = [...memory.brokenOff.slice(1 - mostBrokenOff), { judged, at }];
  }
}

/** The number of plain bodies among which an equal pair is expected, if bodies can be equal. */
const mostBodies = 1_000;

/**
 * Records a valid plain body that was accepted with a fresh id. If equal bodies are accepted, no value must be unique.
 *
 * @param input.body - the body of the case, without the ids and fresh texts that differ in each request
 */
export function rememberBody(input: {
  readonly memory: Pick<RunMemory, 'takenBodies' | 'acceptsEqual'>;
  readonly operation: Operation;
  readonly body: RequestCase['body'];
}): void {
  const { operation, body } = input;
  const { takenBodies, acceptsEqual } = input.memory;
  if (acceptsEqual.has(operation.id) || takenBodies.size >= mostBodies) return;
  const text = `${operation.id} ${JSON.stringify(body)}`;
  if (takenBodies.has(text)) {
    acceptsEqual.add(operation.id);
  }
  takenBodies.add(text);
}

/** Returns the state of the id in a request, and records the id as sent. */
export function readKeyState(
  { sentKeys }: RunMemory,
  of: {
    readonly request: RequestCase;
    readonly operation: Operation | undefined;
    /** Whether requests with the same id were concurrent. */
    readonly isRaced: boolean;
  },
  { body }: Pick<ClassifiedRequest, 'body'>,
): ClassifiedRequest['key'] {
  const key = readKey(body, of.operation);
  if (key === undefined) return 'none';
  const known = rememberKey({ sentKeys, place: of.request.target, key });
  if (known === 'sent' || of.isRaced) return 'sent';
  if (keySlots(of.request).length === 0) return 'chosen';
  return known === 'colliding' ? 'colliding' : 'allocated';
}

/** Records ids in bodies that are not parsed here (another format, or malformed): the service may still read them. */
export function rememberSlots(
  { sentKeys }: RunMemory,
  of: {
    readonly request: RequestCase;
    readonly keys: IdContext;
    readonly operation: Operation | undefined;
  },
): void {
  for (const slot of keySlots(of.request)) {
    sentKeys.add(`${of.request.target} ${slotText(slot, of.keys, of.operation)}`);
  }
}

/** Records the outcome of a plain request. Returns the texts that identify it in the response to another request. */
export function rememberPlain(
  memory: RunMemory,
  { request, answer, operation }: CheckedExchange,
  sent: RequestCase['body'],
): readonly string[] {
  const { body, key, bodyBytes } = request;
  if (operation === undefined || !isPlainOrNone(request) || !isTrusted(request)) return [];
  const wasAccepted = isAccepted(answer);
  if (wasAccepted) {
    memory.taken.add(operation.id);
  }
  if (body.kind !== 'valid') return [];
  memory.longestPlainBody = Math.max(memory.longestPlainBody, bodyBytes);
  if (key === 'allocated' || key === 'none') {
    memory.plain.sent += 1;
    memory.plain.accepted += wasAccepted ? 1 : 0;
    if (wasAccepted) {
      rememberBody({ memory, operation, body: sent });
    }
  }
  return canaryTexts(body.value);
}
