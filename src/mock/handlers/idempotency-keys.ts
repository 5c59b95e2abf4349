import type { Operation } from '../../contract/contract.ts';
import { findIdempotencyKey } from '../../contract/idempotency-key.ts';
import { isSafeMethod } from '../../http/message.ts';
import { fingerprint } from '../../json/fingerprint.ts';
import { valueKey } from '../../schema/walk.ts';
import type { Refuse } from '../answer/refusal.ts';
import { type MaybePromise, type MockResponse, shorten } from '../message.ts';
import { readUser } from '../request/credentials.ts';
import type { IssuedTokens } from '../request/issued-tokens.ts';
import type { HandlerStep } from './handler-step.ts';
import type { ValidRequest } from './stored-form.ts';

/** The first request with a key, and its response when there is one. */
interface FirstRequest {
  /** The fingerprint of its path, query and content. */
  readonly sent: string;
  /** Undefined while the request is in progress. */
  answer?: MockResponse;
}

/** The maximum number of keys that a mock remembers. */
const mostKeys = 10_000;

/** The maximum length of the content of all remembered responses together. */
const mostContent = 67_108_864;

/** The responses of a mock to requests with an `Idempotency-Key`. */
export class IdempotencyKeys {
  readonly #requests = new Map<string, FirstRequest>();
  #content = 0;

  /** Returns the first request of a scope: an operation, a user and a key. */
  find(scope: string): FirstRequest | undefined {
    return this.#requests.get(scope);
  }

  /** Remembers the first request of a scope, instead of the oldest one if there are too many. */
  begin(scope: string, first: FirstRequest): void {
    this.#requests.set(scope, first);
    this.#dropOldest();
  }

  /** Ends a request: remembers its response if it succeeded, and forgets the request otherwise. */
  end(scope: string, first: FirstRequest, answer?: MockResponse): void {
    if (this.#requests.get(scope) !== first) return;
    if (answer === undefined || answer.status >= 400 || answer.note.forced === true) {
      this.#requests.delete(scope);
      return;
    }
    first.answer = answer;
    this.#content += lengthOf(first);
    this.#dropOldest();
  }

  /** Forgets all keys. */
  clear(): void {
    this.#requests.clear();
    this.#content = 0;
  }

  #dropOldest(): void {
    for (const [scope, first] of this.#requests) {
      if (this.#requests.size <= mostKeys && this.#content <= mostContent) return;
      this.#requests.delete(scope);
      this.#content -= lengthOf(first);
    }
  }
}

function lengthOf({ answer }: FirstRequest): number {
  return answer?.body?.length ?? 0;
}

/** Returns a fingerprint that is equal for requests with the same path, query and content. */
function fingerprintOf({ head, content, bytes }: ValidRequest): string {
  const text = content.kind === 'value' ? valueKey(content.value) : new TextDecoder('latin1').decode(bytes);
  return fingerprint(`${head.target}\n${text}`);
}

/**
 * Makes an operation that declares `Idempotency-Key` repeat its response to a request with the same key and
 * credentials, without carrying it out again (draft-ietf-httpapi-idempotency-key-header §2). The same key with another
 * request is refused, and so is a retry while the first request is in progress. Returns undefined for operations that
 * declare no such header, and for safe methods.
 *
 * @param input.keys - the remembered responses of the mock
 */
export function repeatResponses(
  operation: Operation,
  input: {
    readonly keys: IdempotencyKeys;
    readonly refuse: Refuse;
    readonly issued: IssuedTokens | undefined;
  },
): HandlerStep | undefined {
  const { method, id, security } = operation;
  const header = findIdempotencyKey(operation)?.name;
  if (header === undefined || isSafeMethod(method)) return undefined;
  const { keys, refuse, issued } = input;
  const field = header.toLowerCase();
  const schemes = security.flat();

  function carryOut(scope: string, first: FirstRequest, made: () => MaybePromise<MockResponse>) {
    keys.begin(scope, first);
    const end = (answer: MockResponse): MockResponse => {
      keys.end(scope, first, answer);
      return answer;
    };
    const fail = (error: unknown): never => {
      keys.end(scope, first);
      throw error;
    };
    try {
      const answer = made();
      return answer instanceof Promise ? answer.then(end, fail) : end(answer);
    } catch (error) {
      return fail(error);
    }
  }

  return (request, next) => {
    const key = request.head.header(field);
    if (key === undefined || request.preferred !== undefined) return next(request);
    const scope = JSON.stringify([id, key, readUser(request.head, schemes, issued)]);
    const sent = fingerprintOf(request);
    const first = keys.find(scope);
    if (first === undefined) return carryOut(scope, { sent }, () => next(request));
    const name = `The ${header} ${JSON.stringify(shorten(key))}`;
    if (first.sent !== sent) {
      const message = `${name} belongs to an earlier request with another path, query or body: send a new one.`;
      return refuse({ condition: 'idempotency-key-reused', message });
    }
    if (first.answer !== undefined) {
      const message = `${name} was sent before: the response is repeated.`;
      return { ...first.answer, note: { ...first.answer.note, message } };
    }
    const message = `${name} belongs to a request that is still in progress: retry later.`;
    return refuse({ condition: 'idempotency-key-in-flight', message });
  };
}
