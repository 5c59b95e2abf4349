import { findOperation, type Operation } from '../../contract/contract.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import { closestWord } from '../../errors/suggest.ts';
import type { JsonValue } from '../../json/value.ts';
import type { MockClock } from '../clock.ts';
import type { MockState } from '../state/rows.ts';

/** The response of a handler. */
export interface HandlerResponse {
  /** @defaultValue the declared success status */
  readonly status?: number;
  /** Header fields; a list is sent as several lines. @defaultValue the declared Content-Type */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** A value, which is written in the declared media type; bytes and the text of a text type are sent unchanged. */
  readonly body?: unknown;
}

/** The parts of the mock that a handler uses. */
export interface HandlerTools {
  /** The resources of the mock, as tests see them. */
  readonly state: MockState;
  readonly clock: MockClock;
  /** The seed of the mock. */
  readonly seed: number;
}

/** A valid request, and what a handler needs to answer it. */
export interface HandlerInput extends HandlerTools {
  /** The request in the form of the Fetch Standard. Its body has not been read. */
  readonly request: Request;
  /** The values of the path parameters, of the types that the document declares. */
  readonly params: Readonly<Record<string, JsonValue>>;
  /** The values of the query parameters: declared ones of their types, others as texts. */
  readonly query: Readonly<Record<string, JsonValue>>;
  /** The value of the body; its bytes if the media type cannot be parsed; undefined without one. */
  readonly body: JsonValue | Uint8Array | undefined;
  /** Creates a response. */
  readonly respond: (status: number, body?: unknown, headers?: HandlerResponse['headers']) => HandlerResponse;
  /** Returns the response that the mock gives without the handler. */
  readonly next: () => Promise<Required<HandlerResponse>>;
}

/**
 * Answers valid requests of one operation.
 *
 * @example
 * const getCart: Handler = async ({ params, state, respond }) => {
 *   const items = (await state.list(`/carts/${params.cartId}/items`)).resources;
 *   return respond(200, { total: items.length });
 * };
 */
export type Handler = (
  input: HandlerInput,
) => HandlerResponse | Response | Promise<HandlerResponse | Response>;

/** Handlers, or fixed responses, by the id of their operation, or by its method and path: `GET /orders/{id}`. */
export type Handlers = Readonly<Record<string, Handler | HandlerResponse>>;

/** The handler of one operation, which may change while the mock runs. */
export interface HandlerSlot {
  handler: Handler | undefined;
}

/** The user's handlers of a mock. */
export class HandlerRegistry {
  readonly #operations: () => readonly Operation[];
  readonly #slots = new Map<string, HandlerSlot>();
  #start: ReadonlyMap<string, Handler> = new Map();
  /** Returns the parts of the mock that handlers use. */
  readonly tools: () => HandlerTools;

  constructor(input: {
    readonly operations: () => readonly Operation[];
    readonly tools: () => HandlerTools;
  }) {
    this.#operations = input.operations;
    this.tools = input.tools;
  }

  /** Returns the place of the handler of an operation. */
  slotOf(operation: string): HandlerSlot {
    const known = this.#slots.get(operation) ?? { handler: undefined };
    this.#slots.set(operation, known);
    return known;
  }

  /** Lists the ids of the operations with a handler. */
  list(): readonly string[] {
    return [...this.#slots].flatMap(([id, { handler }]) => (handler === undefined ? [] : [id]));
  }

  /**
   * Sets the handler of an operation.
   *
   * @returns a function that restores the previous handler
   * @throws ClocheError OPTION_INVALID for an unknown operation, or a value that is no handler
   */
  set(operation: string, answer: Handler | HandlerResponse): () => void {
    const [id, handler] = toHandler(operation, answer, this.#operations());
    const slot = this.slotOf(id);
    const { handler: former } = slot;
    slot.handler = handler;
    return () => {
      if (slot.handler === handler) slot.handler = former;
    };
  }

  /**
   * Replaces the handlers that {@link reset} restores, and all others.
   *
   * @throws ClocheError OPTION_INVALID as {@link set}; nothing is changed then
   */
  replaceStart(handlers: Handlers): void {
    this.#start = new Map(
      Object.entries(handlers).map(([name, answer]) => toHandler(name, answer, this.#operations())),
    );
    this.reset();
  }

  /** Restores the initial handlers. */
  reset(): void {
    for (const id of this.#start.keys()) this.slotOf(id);
    for (const [id, slot] of this.#slots) slot.handler = this.#start.get(id);
  }
}

/** The members of a response. */
const members: readonly string[] = ['status', 'headers', 'body'];

/** Returns the id of the operation that is named by its id or its method and path, and the handler. */
function toHandler(
  name: string,
  answer: unknown,
  operations: readonly Operation[],
): readonly [id: string, handler: Handler] {
  const fail = (reason: string, remedy: string): ClocheError =>
    new ClocheError('OPTION_INVALID', { attempt: 'use the handler of', subject: name, reason, remedy });
  const operation = findOperation(operations, name);
  if (operation === undefined) {
    const ids = operations.map(({ id }) => id);
    const near = closestWord(name, ids);
    throw fail(
      'the document has no operation with this id',
      near === undefined
        ? `Name one of ${ids.slice(0, 12).join(', ')}${ids.length > 12 ? ', …' : ''}`
        : `Perhaps "${near}" was meant`,
    );
  }
  // `as`: callers in JavaScript have no compiler; the input of a handler is the same for all.
  if (typeof answer === 'function') return [operation.id, answer as Handler];
  const remedy = 'Write a function, or a response such as { status: 200, body: {} }';
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) {
    throw fail(`it is no function and no response, but ${describeKind(answer)}`, remedy);
  }
  const unknown = Object.keys(answer).find((member) => !members.includes(member));
  if (unknown !== undefined || Object.keys(answer).length === 0) {
    const reason = unknown === undefined ? 'it is empty' : `a response has no "${unknown}"`;
    throw fail(reason, remedy);
  }
  const response: HandlerResponse = answer;
  return [operation.id, () => response];
}

/** Describes the kind of a value for an error message: `a list`, `a number`, `nothing`. */
export function describeKind(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'an object';
  return `a ${typeof value}`;
}
