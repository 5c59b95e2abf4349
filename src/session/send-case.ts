import { keySlots, type RequestCase } from '../arbitrary/request-case.ts';
import { namesTag } from '../arbitrary/item-tag.ts';
import { buildRequest, fillItems, renderRequest } from '../arbitrary/request.ts';
import type { Finding } from '../check/finding.ts';
import { judgeExchange } from '../check/judge.ts';
import { isAccepted } from '../check/classify/answer.ts';
import { rememberCursors } from '../check/classify/cursors.ts';
import type { CheckedExchange } from '../check/classify/subject.ts';
import type { Operation } from '../contract/contract.ts';
import type { Route } from '../contract/router.ts';
import type { TakenValue } from '../events/events.ts';
import { type Answer, type Exchange, type HttpRequest, isSafeMethod, type Send } from '../http/message.ts';
import { pathOf } from '../http/path.ts';
import { whyGone } from './cannot-judge.ts';
import { CleanUp, keepOriginal } from './clean-up.ts';
import { freshenTexts } from './fresh-texts.ts';
import type { SentCredentials } from './credentials.ts';
import { badCredentials, setGivenHeaders } from './given-headers.ts';
import {
  CreatesSpent,
  freshValue,
  ItemPool,
  NoItem,
  operationsById,
  readMoved,
  readOnlyReason,
  renewItems,
  safeMethods,
} from './items.ts';
import { slotText } from './keys.ts';
import { keepTag, rememberTag, taggedPath } from './item-tags.ts';
import type { MadeItem } from './made-items.ts';
import {
  readKeyState,
  rememberAccepted,
  rememberPlain,
  rememberPresence,
  rememberSlots,
  type SentRequest,
} from './memory.ts';
import type { OpenService } from './open-service.ts';
import { SessionProbeItems } from './probe-items.ts';
import { actsOnService } from '../contract/service-operations.ts';
import type { Session, IdContext } from './session.ts';

/** A request and its outcome. */
export interface SessionRecord {
  readonly request: RequestCase;
  readonly keys: IdContext;
  readonly judged: CheckedExchange;
  /** The values of the items in its path, by parameter, percent-encoded. */
  readonly items: ReadonlyMap<string, string>;
  /** The item that it created. */
  readonly made: MadeItem | undefined;
  /** The times of sending and of the response, in milliseconds of one clock. */
  readonly from: number;
  readonly to: number;
}

/** The session of one case. */
export interface CaseSession extends Session {
  /** The requests so far, in the order of sending. */
  readonly records: readonly SessionRecord[];
  /** Returns whether the case waited to the end of a lag. */
  readonly areWaitsLong: () => boolean;
}

/** Ends a session: a request got no response, its response exceeds the limit, or the time is over. */
export class EndedAtHang extends Error {
  override readonly name = 'EndedAtHang';
}

/** The facts needed to render a request again. */
export type RenderedRecord = Pick<SessionRecord, 'request' | 'keys' | 'items'> & Partial<SessionRecord>;

/** Requests with fresh ids, and the values that they copy from earlier responses. */
interface FreshRequests {
  readonly requests: readonly HttpRequest[];
  readonly taken: readonly TakenValue[];
}

/** Options for sending the requests of one property. */
export interface Sending {
  /** @defaultValue 'client' */
  readonly via?: 'client' | 'socket';
  /** Whether requests with 429 are repeated. @defaultValue true */
  readonly waits?: boolean;
  /** Returns whether the time for its cases is over. @defaultValue never */
  readonly isOver?: () => boolean;
  /** Called for every exchange. */
  readonly onJudged?: (judged: CheckedExchange) => void;
  /** Called after every request that got no response in time. What it throws ends the run. */
  readonly afterHang?: (judged: CheckedExchange) => Promise<void>;
  /** Sends a request to the reference service at the same time. Returns a function that compares the two responses. */
  readonly mirror?:
    | ((request: RequestCase, keys: IdContext) => Promise<(judged: CheckedExchange) => CheckedExchange>)
    | undefined;
}

/** How a session ends, and from which range its ids are. */
interface SessionOptions {
  /** Whether its ids are from a disjoint range. @defaultValue false */
  readonly far?: boolean;
  /**
   * Whether it throws {@link EndedAtHang} instead of sending a request after one with the maximum cost, or after the end
   * of its time. @defaultValue false
   */
  readonly endsAtHang?: boolean;
}

/** Sends the requests of one property of a run: it draws ids, adds credentials, measures, checks and records. */
export class Sender {
  /** Deletes what the requests created, and puts back what they changed. */
  readonly cleanUp: CleanUp;
  readonly #service: OpenService;
  readonly #sending: Sending;
  readonly #operations: ReadonlyMap<string, Operation>;
  readonly #retrying: Send;
  readonly #direct: Send;
  /** The number of pending requests of each id context. */
  readonly #racing = new Map<IdContext, number>();
  /** Items that many cases name are created once. */
  #shared: ItemPool | undefined;

  constructor(service: OpenService, sending: Sending = {}) {
    const { settings, pending, throttle } = service;
    const { via = 'client', waits = true } = sending;
    this.#service = service;
    this.#sending = sending;
    this.#operations = operationsById(settings.contract);
    const timed = withTimes((via === 'socket' ? settings.socketSend : undefined) ?? settings.send);
    this.#retrying = pending.poll(throttle(timed, { waits }));
    this.#direct = throttle(timed, { waits: false });
    this.cleanUp = new CleanUp(service, {
      render: (request) => this.#renderAsIs(request, this.#openContext(), new Map()),
      send: pending.poll(this.#direct),
      isKept: (value) => this.#shared?.isKept(value) === true,
    });
  }

  /**
   * Opens a session.
   * @throws ClocheError CANNOT_JUDGE from its send() if the service is unreachable
   */
  open({ far = false, endsAtHang = false }: SessionOptions = {}): CaseSession {
    const { settings, allocator, openLagWaits, pending } = this.#service;
    const { contract, policy, beforeCase } = settings;
    const records: SessionRecord[] = [];
    const lags = openLagWaits({ isLimited: !far });
    const pool = far ? this.#newPool() : (this.#shared ??= this.#newPool());
    let isHung = false;
    let sent = 0;
    const session: CaseSession = {
      contract,
      policy,
      baseUrl: settings.baseUrl,
      records,
      openIdContext: (...above) => openIdContext(() => (far ? allocator.nextFar() : allocator.next()), above),
      send: async (wanted, keys) => {
        isHung ||= endsAtHang && this.#sending.isOver?.() === true;
        if (isHung) throw new EndedAtHang();
        const request = beforeCase === undefined ? wanted : await beforeCase(wanted);
        if (settings.readOnly && !safeMethods.has(request.method)) throw new NoItem(readOnlyReason);
        const items = await pool.resolve(request, this.#operationOf(request), { keys, session });
        if (isHung) throw new EndedAtHang();
        const place = sent;
        sent += 1;
        const from = performance.now();
        const judged = await this.#send(request, keys, items);
        const made = pool.note(judged, items, keys);
        noteMade(this.#service, judged, made);
        rememberTag(this.#service.memory.tags, judged, made?.path);
        if (made !== undefined) pending.note(judged, made);
        // In the order of sending, because responses to concurrent requests arrive in any order.
        records[place] = { request, keys, judged, items, made, from, to: performance.now() };
        isHung ||= endsAtHang && isCostly(judged);
        return judged;
      },
      openProbeItems: () => new SessionProbeItems(session, contract),
      waitsForLag: lags.wait,
      areWaitsLong: lags.areLong,
    };
    return session;
  }

  /** Renders the requests of some records with fresh ids. */
  renderFresh(records: readonly RenderedRecord[]): FreshRequests {
    const fresh = new Map<IdContext, IdContext>();
    const bindingOf = (keys: IdContext): IdContext => {
      const binding = fresh.get(keys) ?? this.#openContext(keys.above?.map(bindingOf));
      fresh.set(keys, binding);
      return binding;
    };
    const { items, taken } = renewItems(records, ({ request, keys, made }) => {
      const operation = this.#operationOf(request);
      if (made?.key !== 'client' || operation === undefined) return undefined;
      const own = { keys: bindingOf(keys), slot: request.ownKey };
      if (operation.kind.kind === 'replace') return freshValue(operation, made.item, own);
      const [slot] = keySlots(request);
      if (slot === undefined) return made.value;
      return encodeURIComponent(slotText(slot, own.keys, operation).replaceAll('"', ''));
    });
    const requests = records.map(({ request, keys }, index) =>
      this.#render(request, bindingOf(keys), items[index] ?? new Map()),
    );
    return { requests, taken };
  }

  async #send(
    request: RequestCase,
    keys: IdContext,
    items: ReadonlyMap<string, string>,
  ): Promise<CheckedExchange> {
    const { memory, credentialsOf, watchToken, route, creates } = this.#service;
    const credentials = credentialsOf(request);
    const loading = credentials.load();
    if (loading !== undefined) await loading;
    if (namesTag(request)) await this.#loadTag(request, items);
    let rendered = this.#render(request, keys, items);
    const found = route(rendered.target.split('?', 1)[0] ?? '');
    await keepOriginal(memory, { request: rendered, route: found }, (reader) =>
      this.#send(buildRequest(reader), this.#openContext(), items),
    );
    const settleCreate = await creates.reserve(rendered, found?.operations.get(rendered.method));
    if (settleCreate === undefined) throw new CreatesSpent(creates.whyNot());
    const carried = (): SentCredentials => ({
      used: credentials.given(),
      operation: this.#operationOf(request),
    });
    const first = carried();
    const startedAt = performance.now();
    const sent: SentRequest = { request, keys, items, body: rendered.body, from: startedAt, to: Infinity };
    memory.sentTexts.leave(sent);
    const make = { operation: this.#operationOf(request), isDrawn: keySlots(request).length > 0 };
    memory.sentMakes.leave(rendered, make);
    const others = this.#countRacing(keys, 1);
    const mirrored = this.#sending.mirror?.(request, keys);
    // It is awaited below, unless the service itself is unreachable by then.
    mirrored?.catch(() => undefined);
    let durationMs = 0;
    const transmit = this.#createTransmit(request, rendered, (ms) => void (durationMs = ms));
    const sendOnce = (): Promise<Answer> =>
      transmit(rendered).catch((error: unknown) => {
        settleCreate(undefined);
        throw error;
      });
    let answer = await sendOnce();
    if (request.credentials.kind === 'good' && credentials.reject(answer, first)) {
      await credentials.load();
      memory.sentMakes.arrive(rendered);
      rendered = this.#render(request, keys, items);
      memory.sentMakes.leave(rendered, make);
      const second = carried();
      answer = await sendOnce();
      credentials.reject(answer, second);
    }
    settleCreate(answer);
    memory.sentMakes.arrive(rendered);
    const isRaced = this.#countRacing(keys, -1) + others > 0;
    const exchange = { request: rendered, answer, durationMs };
    const judged = this.#judge(exchange, { request, keys, route: found, isRaced, startedAt });
    await watchToken(judged, this.#direct);
    rememberCursors(memory.cursors, judged);
    memory.sentTexts.arrive(sent, rememberPlain(memory, judged, request.body));
    const compared = mirrored === undefined ? judged : (await mirrored)(judged);
    this.#sending.onJudged?.(compared);
    if (answer.kind === 'timed-out') await this.#sending.afterHang?.(judged);
    return compared;
  }

  /** Reads the ETag of the item that a request changes, if no response gave it. Without one, `*` matches every item. */
  async #loadTag(request: RequestCase, items: ReadonlyMap<string, string>): Promise<void> {
    const { memory, route, settings } = this.#service;
    const operation = this.#operationOf(request);
    if (operation === undefined || isSafeMethod(request.method)) return;
    const own = pathOf(fillItems(request.target, operation, items));
    const path = taggedPath(own, operation, route(own));
    const reader = route(path)?.operations.get('GET');
    if (memory.tags.has(path)) return;
    const tag = reader && (await this.cleanUp.readTag(path, reader, settings.signal));
    keepTag(memory.tags, path, tag ?? '*');
  }

  /** Returns a function that sends a request once, with waits if its credentials are good. */
  #createTransmit(
    request: RequestCase,
    rendered: HttpRequest,
    onTook: (ms: number) => void,
  ): (rendered: HttpRequest) => Promise<Answer> {
    const { signal } = this.#service.settings;
    // A guard against guessing may delay clients with bad credentials; such a response is final.
    const hasGoodToken = request.credentials.kind === 'good' || request.credentials.kind === 'spelled';
    const send = hasGoodToken ? this.#retrying : this.#direct;
    const how = {
      framing: request.framing,
      onTook,
      ...(signal && { signal: this.#isPutRight(request, rendered) ? lateSignal(signal) : signal }),
    };
    return (each) => send(each, how);
  }

  /**
   * Checks an exchange, and records what it shows of the service.
   * @throws ClocheError CANNOT_JUDGE if the service is unreachable
   */
  #judge(
    exchange: Exchange,
    of: {
      readonly request: RequestCase;
      readonly keys: IdContext;
      readonly route: Route | undefined;
      /** Whether requests with the same id were concurrent. */
      readonly isRaced: boolean;
      readonly startedAt: number;
    },
  ): CheckedExchange {
    const { settings, memory, context, hasOtherCredentials } = this.#service;
    const { request, keys, route, isRaced, startedAt } = of;
    const { method, target } = exchange.request;
    const operation = route?.operations.get(method);
    const reading = judgeExchange({
      exchange,
      route,
      framing: request.framing,
      user: request.credentials.user,
      trust: (read) => (hasOtherCredentials && badCredentials.has(read) ? 'unjudged' : read),
      keyState: (read) => readKeyState(memory, { request, operation, isRaced }, read),
      judges: settings.judges,
      context,
    });
    // A request that was aborted by an interruption proves nothing about the service.
    const isOurs = settings.signal?.aborted === true && exchange.answer.kind !== 'response';
    const judged = isOurs ? { ...reading, findings: [] } : reading;
    rememberSlots(memory, { request, keys, operation });
    if (exchange.answer.kind === 'unreachable') {
      memory.isGone = true;
      throw whyGone(settings, memory, judged);
    }
    if (operation !== undefined && actsOnService(operation)) memory.lastOfService = `${method} ${target}`;
    rememberPresence(memory, judged, startedAt);
    rememberAccepted(memory, judged);
    return judged;
  }

  #operationOf({ operationId }: RequestCase): Operation | undefined {
    return operationId === undefined ? undefined : this.#operations.get(operationId);
  }

  #openContext(above?: readonly IdContext[]): IdContext {
    return openIdContext(() => this.#service.allocator.next(), above);
  }

  #render(request: RequestCase, keys: IdContext, items: ReadonlyMap<string, string>): HttpRequest {
    const fresh = freshenTexts(request, this.#operationOf(request), (slot) => keys.serial(slot));
    return this.#renderAsIs(fresh, keys, items);
  }

  #renderAsIs(request: RequestCase, keys: IdContext, items: ReadonlyMap<string, string>): HttpRequest {
    const { settings, allocator, memory, credentialsOf, route } = this.#service;
    const operation = this.#operationOf(request);
    const rendered = renderRequest({
      request,
      keys: (slot) => slotText(slot, keys, operation),
      operation,
      items,
      given: credentialsOf(request).given(),
      rejected: memory.rejected,
      draw: () => allocator.next(),
      tagOf: (path) => memory.tags.get(taggedPath(path, operation, route(path))),
    });
    return {
      ...rendered,
      headers: setGivenHeaders(rendered.headers, operation, settings.givenHeaders ?? []),
    };
  }

  /** Returns whether the end of the run must delete or put back what a request does, so its outcome must be known. */
  #isPutRight(request: RequestCase, { method, target }: HttpRequest): boolean {
    const { originals } = this.#service.memory;
    return makesItem(this.#operationOf(request)) || (!isSafeMethod(method) && originals.has(pathOf(target)));
  }

  /** @returns the number of other pending requests of its id context */
  #countRacing(keys: IdContext, step: 1 | -1): number {
    const count = (this.#racing.get(keys) ?? 0) + step;
    this.#racing.set(keys, count);
    if (count === 0) this.#racing.delete(keys);
    return step === 1 ? count - 1 : count;
  }

  #newPool(): ItemPool {
    const { settings, creates, memory } = this.#service;
    return new ItemPool(settings.contract, {
      mayChangeOthers: settings.unsafeMethods,
      mayMake: !settings.readOnly,
      whyNoMore: () => creates.whyNot(),
      wasThere: () => memory.wasThere,
    });
  }
}

/** Measures each request of its own, without the waits of the throttle. */
function withTimes(send: Send): Send {
  return async (request, options = {}) => {
    const from = performance.now();
    let tookMs: number | undefined;
    const answer = await send(request, { ...options, onTook: (ms) => void (tookMs = ms) });
    options.onTook?.(tookMs ?? performance.now() - from);
    return answer;
  };
}

function makesItem(operation: Operation | undefined): boolean {
  return operation?.kind.kind === 'create' || (operation?.kind.kind === 'replace' && operation.kind.creates);
}

/** The extra time for requests that create items when a run is aborted, in milliseconds. */
const graceMs = 1_000;
const late = new WeakMap<AbortSignal, AbortSignal>();

/** Returns a signal that aborts later than another: created items must be known to be deleted. */
function lateSignal(signal: AbortSignal): AbortSignal {
  const known = late.get(signal);
  if (known !== undefined) return known;
  const controller = new AbortController();
  const abort = (): void => void setTimeout(() => controller.abort(), graceMs).unref();
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  late.set(signal, controller.signal);
  return controller.signal;
}

function openIdContext(next: () => number, above: readonly IdContext[] = []): IdContext {
  const serials = new Map<number, number>();
  return {
    above,
    serial(slot) {
      const serial = serials.get(slot) ?? next();
      serials.set(slot, serial);
      return serial;
    },
  };
}

function isCostly({ exchange: { answer } }: CheckedExchange): boolean {
  return (
    answer.kind === 'timed-out' || (answer.kind === 'response' && answer.response.cutAfter !== undefined)
  );
}

/** Records the items that the run must delete. */
function noteMade(
  { memory: { made, unnamed }, creates }: OpenService,
  judged: CheckedExchange,
  item: MadeItem | undefined,
): void {
  const kind = judged.operation?.kind;
  if (item !== undefined) {
    made.set(item.path, item);
  } else if (kind?.kind === 'create' && isAccepted(judged.answer)) {
    const { collection } = kind.resource;
    unnamed.set(collection, (unnamed.get(collection) ?? 0) + 1);
  }
  const { method, target } = judged.exchange.request;
  const path = target.split('?', 1)[0] ?? target;
  if (method === 'DELETE' && isAccepted(judged.answer) && made.delete(path)) creates.noteDeleted();
  const own = made.get(path);
  const moved = own && readMoved(judged, own);
  if (moved !== undefined) {
    made.delete(path);
    made.set(moved.path, moved);
  }
}

/** Returns whether two findings are occurrences of one cause. */
export function isSameCause(left: Finding, right: Finding): boolean {
  return (
    left.check === right.check &&
    left.operation === right.operation &&
    left.cause === right.cause &&
    left.trigger === right.trigger
  );
}

/** Returns the records whose exchange shows a finding; none if it follows only from several exchanges together. */
export function recordsThatShow(
  finding: Finding,
  records: readonly SessionRecord[],
): readonly SessionRecord[] {
  return records.filter(({ judged }) => judged.findings.some((other) => isSameCause(other, finding)));
}
