import type { RequestCase } from '../arbitrary/request-case.ts';
import { isAccepted } from '../check/reading/answer.ts';
import { createSentKeys, type SentKeys } from '../check/reading/sent-keys.ts';
import type { CheckedExchange } from '../check/reading/subject.ts';
import type { Operation } from '../contract/contract.ts';
import { idText } from '../contract/list-pages.ts';
import type { HttpRequest } from '../http/message.ts';
import { pathOf } from '../http/path.ts';
import { parseJsonValue } from '../json/parse.ts';
import { memberAt } from '../json/pointer.ts';
import type { JsonValue } from '../json/value.ts';
import type { MadeItem } from './made-items.ts';
import type { KeyBinding } from './session.ts';

/** A request that left. */
export interface SentRequest {
  readonly request: RequestCase;
  readonly keys: KeyBinding;
  /** What stands for the items that its path names. */
  readonly items: ReadonlyMap<string, string>;
  readonly body: Uint8Array | undefined;
  /** When it left and when it was answered, in milliseconds of one clock; for ever, until it is. */
  readonly from: number;
  to: number;
}

/** Who sent which text, so that an answer is known for another's. */
export interface SentTexts {
  /** Notes a request as under way. */
  leave(sent: SentRequest): void;
  /** Notes that it was answered, and what of it is to be known again: texts that nobody else would write. */
  arrive(sent: SentRequest, texts: readonly string[]): void;
  /** The last request to an operation that held a text, or one that is under way and holds it. */
  find(operationId: string, text: string): SentRequest | undefined;
}

/** A leak shows within a few requests; a run of an hour is not to keep all that it sent. */
const mostTexts = 2_000;
/** The bodies that carry such texts are short. */
const longestBody = 4_096;

/** Remembers nothing yet. */
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

/** When requests were under way, and which of them were to make the same item. */
export interface SentMakes {
  /** Notes a request as under way; of a create whose key was not drawn for it another may have the same one. */
  leave(
    request: HttpRequest,
    of: { readonly operation: Operation | undefined; readonly isDrawn: boolean },
  ): void;
  arrive(request: HttpRequest): void;
  /** Whether some request with the key of one was under way from when a second one left to when a third was answered. */
  readonly isRepeated: (made: Sent, from: Sent, to: Sent) => boolean;
}

interface SentMake {
  /** The path and the key; undefined where the request chooses none. */
  readonly name: string | undefined;
  readonly from: number;
  to: number;
}

/** Between a delete and the look after it there are far fewer. */
const mostMakes = 2_000;

/** Remembers no request yet. */
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
  };
}

function chosenName({ target, body }: HttpRequest, operation: Operation | undefined): string | undefined {
  const kind = operation?.kind;
  if (kind?.kind !== 'create' || kind.key.kind === 'none' || body === undefined) return undefined;
  const sent = parseJsonValue(new TextDecoder().decode(body));
  const key = memberAt(sent, [...kind.request, kind.key.property]);
  return key === undefined ? undefined : `${pathOf(target)} ${idText(key)}`;
}

/** What one run shares among all of its properties. */
export interface RunMemory {
  /** The keys that were sent, by operation and value. */
  readonly sentKeys: SentKeys;
  /** The ids of the operations that accepted a plain request. */
  readonly taken: Set<string>;
  /** The plain bodies that were accepted, without their keys, by operation; no more than tell whether two are equal. */
  readonly takenBodies: Set<string>;
  /** Some of the valid bodies that were accepted, by the id of the operation. */
  readonly acceptedBodies: Map<string, JsonValue[]>;
  /** The ids of the operations that accepted equal plain bodies under different keys. */
  readonly takesEqual: Set<string>;
  readonly sentTexts: SentTexts;
  readonly sentMakes: SentMakes;
  /** The cursors that answers gave. */
  readonly cursors: Set<string>;
  /** The names of alternatives of `security` for which the service rejects the token. */
  readonly rejected: Set<string>;
  /** What precedes a token without a scheme in an API key in Authorization: `Bearer ` if the service requires that. */
  keyPrefix: string;
  longestPlainBody: number;
  /** The plain bodies under fresh keys: how many were sent, and how many of those were accepted. */
  readonly plain: { sent: number; accepted: number };
  /** What the run made and did not delete, by its concrete path. */
  readonly made: Map<string, MadeItem>;
  /** How many more it made in collections whose items no path names, so that it knows none of them again. */
  readonly unnamed: Map<string, number>;
  /** The exchanges that were broken off, and when, since something was answered that was sent later. */
  brokenOff: { readonly judged: CheckedExchange; readonly at: number }[];
  /** Whether anything was ever answered. */
  wasThere: boolean;
  /** Whether no connection comes about any more. */
  isGone: boolean;
  /** The last request that acts on the whole service: `POST /shutdown`. */
  lastOfService: string | undefined;
}

/** What a run remembers before its first request. */
export function createRunMemory(): RunMemory {
  return {
    sentKeys: createSentKeys(),
    taken: new Set(),
    takenBodies: new Set(),
    acceptedBodies: new Map(),
    takesEqual: new Set(),
    sentTexts: createSentTexts(),
    sentMakes: createSentMakes(),
    cursors: new Set(),
    rejected: new Set(),
    keyPrefix: '',
    longestPlainBody: 0,
    plain: { sent: 0, accepted: 0 },
    made: new Map(),
    unnamed: new Map(),
    brokenOff: [],
    wasThere: false,
    isGone: false,
    lastOfService: undefined,
  };
}

/** So many accepted bodies of an operation are kept, and none that is longer, in bytes. */
const mostAccepted = { bodies: 300, bytes: 4_096 };

/** Notes a valid body that was accepted: it contradicts limits that its values break. */
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

/** More than this are not under way together when a service goes down. */
const mostBrokenOff = 100;

/** Notes that a service is there, or that it broke off a request, as the one does that brings it down. */
export function rememberPresence(memory: RunMemory, judged: CheckedExchange, startedAt: number): void {
  const { kind } = judged.exchange.answer;
  if (kind === 'response') {
    memory.wasThere = true;
    // Answers to what was sent before may still be on their way when a service goes down.
    if (memory.brokenOff.length > 0) {
      memory.brokenOff = memory.brokenOff.filter(({ at }) => at > startedAt);
    }
  } else if (kind === 'dropped') {
    memory.brokenOff = [...memory.brokenOff.slice(1 - mostBrokenOff), { judged, at: performance.now() }];
  }
}

/** Among so many plain bodies there are two that are equal, if there are any. */
const mostBodies = 1_000;

/**
 * Notes a valid plain body that was accepted under a fresh key; who accepts equal ones wants no value to be unique.
 *
 * @param input.body - as the case has it, before ids and fresh texts are put in, which differ in each request
 */
export function rememberBody(input: {
  readonly memory: Pick<RunMemory, 'takenBodies' | 'takesEqual'>;
  readonly operation: Operation;
  readonly body: RequestCase['body'];
}): void {
  const { operation, body } = input;
  const { takenBodies, takesEqual } = input.memory;
  if (takesEqual.has(operation.id) || takenBodies.size >= mostBodies) return;
  const text = `${operation.id} ${JSON.stringify(body)}`;
  if (takenBodies.has(text)) {
    takesEqual.add(operation.id);
  }
  takenBodies.add(text);
}
